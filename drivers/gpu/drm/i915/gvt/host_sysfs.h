/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_HOST_SYSFS_H_
#define _GVT_HOST_SYSFS_H_

struct attribute_group;

extern const struct attribute_group intel_gvt_host_group;

#endif /* _GVT_HOST_SYSFS_H_ */
