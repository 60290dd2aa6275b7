/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of 'why vcpus'.
 */
#ifndef GVT_STAT_VCPUS_SHOW_H
#define GVT_STAT_VCPUS_SHOW_H

#include <glib.h>

#include "analysis/vcpus.h"
#include "follow/follow.h"
#include "output/form.h"

struct vcpu_report {
	const struct form *form;
	const struct follow *follow;	/* read to its end */
	const struct vcpus *vcpus;
	const GPtrArray *vms;		/* of struct vm */
};

/* print a struct vcpu_report, for form_print() */
void vcpu_show_tables(const void *result);
void vcpu_show_json(const void *result);
void vcpu_show_lines(const void *result);	/* of vCPU threads */

extern const struct column vcpu_columns[];

#endif
