/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the command vcpu prints.
 */
#ifndef GVT_STAT_VCPU_SHOW_H
#define GVT_STAT_VCPU_SHOW_H

#include <glib.h>

#include "column.h"
#include "follow.h"
#include "vcpus.h"

struct vcpu_report {
	const struct follow *follow;	/* run to its end */
	const struct vcpus *vcpus;
	const GPtrArray *vms;		/* of struct vm */
};

/* print a struct vcpu_report, as options_print() calls them */
void vcpu_show_tables(const void *result);
void vcpu_show_json(const void *result);
void vcpu_show_lines(const void *result);	/* of vCPU threads */

extern const struct column vcpu_columns[];

#endif
