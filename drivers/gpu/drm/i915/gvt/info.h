/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_INFO_H_
#define _GVT_INFO_H_

#include <linux/list.h>
#include <linux/workqueue.h>

/**
 * struct intel_gvt_info - a GVT device as emitter of info events
 * @link: in the list of all devices
 * @work: emits the device's info events while they are enabled
 */
struct intel_gvt_info {
	struct list_head link;
	struct delayed_work work;
};

void intel_gvt_info_start(struct intel_gvt_info *info);
void intel_gvt_info_stop(struct intel_gvt_info *info);

#endif /* _GVT_INFO_H_ */
