/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_VGPU_SYSFS_H_
#define _GVT_VGPU_SYSFS_H_

struct attribute_group;

extern const struct attribute_group *intel_vgpu_groups[];

#endif /* _GVT_VGPU_SYSFS_H_ */
