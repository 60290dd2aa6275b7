/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_PMU_H_
#define _GVT_PMU_H_

struct intel_gvt;

void intel_gvt_pmu_add(struct intel_gvt *gvt);
void intel_gvt_pmu_remove(struct intel_gvt *gvt);
void intel_gvt_pmu_exit(void);

#endif /* _GVT_PMU_H_ */
