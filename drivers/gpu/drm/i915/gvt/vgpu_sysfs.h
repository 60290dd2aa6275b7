/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_VGPU_SYSFS_H_
#define _GVT_VGPU_SYSFS_H_

struct attribute_group;
struct device;
struct intel_vgpu;

extern const struct attribute_group *intel_vgpu_groups[];

int intel_vgpu_sysfs_add(struct intel_vgpu *vgpu, struct device *dev);
void intel_vgpu_sysfs_remove(struct intel_vgpu *vgpu);

#endif /* _GVT_VGPU_SYSFS_H_ */
