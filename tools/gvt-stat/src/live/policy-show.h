/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the command policy prints.
 */
#ifndef GVT_STAT_POLICY_SHOW_H
#define GVT_STAT_POLICY_SHOW_H

#include <stdio.h>

#include <glib.h>

#include "host/sysfs.h"
#include "host-options.h"

struct policy_change {
	const char *place;		/* GPU's address or vGPU's UUID */
	const char *dir;
	const struct sysfs_vgpu *vgpu;	/* NULL: of a GPU */
	char *name;
	char *wanted;
	char *old_value;		/* NULL: unreadable */
	char *new_value;		/* read back; NULL: unreadable */
	char *allowed;			/* for messages */
};

/**
 * policy_show - print what was changed, and all settings as they are now
 * @changes: of struct policy_change
 */
void policy_show(const struct sysfs *sysfs, const GPtrArray *changes,
		 const struct host_options *options, FILE *out);

#endif
