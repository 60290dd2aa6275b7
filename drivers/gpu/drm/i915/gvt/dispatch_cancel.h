/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_DISPATCH_CANCEL_H_
#define _GVT_DISPATCH_CANCEL_H_

struct intel_vgpu;
struct work_struct;

void intel_gvt_dispatch_cancel(struct intel_vgpu *vgpu);
void intel_gvt_dispatch_log(struct intel_vgpu *vgpu);
void intel_gvt_drop_cancelled(struct work_struct *work);

#endif /* _GVT_DISPATCH_CANCEL_H_ */
