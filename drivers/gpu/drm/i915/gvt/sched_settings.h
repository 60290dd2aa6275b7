/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_SETTINGS_H_
#define _GVT_SCHED_SETTINGS_H_

struct gvt_sched_settings;
struct intel_gvt;

void intel_gvt_sched_startup(struct gvt_sched_settings *set);
int intel_gvt_sched_sysfs_add(struct intel_gvt *gvt);
void intel_gvt_sched_sysfs_remove(struct intel_gvt *gvt);

#endif /* _GVT_SCHED_SETTINGS_H_ */
