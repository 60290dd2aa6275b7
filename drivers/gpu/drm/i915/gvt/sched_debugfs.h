/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_DEBUGFS_H_
#define _GVT_SCHED_DEBUGFS_H_

struct intel_gvt;
struct intel_vgpu;

void intel_gvt_sched_debugfs_init(struct intel_gvt *gvt);
void intel_gvt_sched_debugfs_add_vgpu(struct intel_vgpu *vgpu);

#endif /* _GVT_SCHED_DEBUGFS_H_ */
