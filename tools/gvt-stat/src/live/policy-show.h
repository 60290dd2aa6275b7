/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of the command policy.
 */
#ifndef GVT_STAT_POLICY_SHOW_H
#define GVT_STAT_POLICY_SHOW_H

#include <stdio.h>

#include <glib.h>

#include "host/sysfs.h"
#include "host-options.h"

struct policy_change {
	const char *place;		/* GPU address or vGPU UUID */
	const char *dir;
	const struct sysfs_vgpu *vgpu;	/* NULL: setting of a GPU */
	char *name;
	char *wanted;
	char *old_value;		/* NULL: unreadable */
	char *new_value;		/* read back; NULL: unreadable */
	char *allowed;			/* valid values, for messages */
};

/**
 * policy_show - print the changes, and the current settings
 * @changes: of struct policy_change
 */
void policy_show(const struct sysfs *sysfs, const GPtrArray *changes,
		 const struct host_options *options, FILE *out);

#endif
