/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the command vcpu prints.
 */
#ifndef GVT_STAT_VCPU_SHOW_H
#define GVT_STAT_VCPU_SHOW_H

#include <stdio.h>

#include <glib.h>

#include "column.h"
#include "follow.h"
#include "vcpus.h"

struct vcpu_report {
	const struct follow *follow;	/* run to its end */
	const struct vcpus *vcpus;
	const GPtrArray *vms;		/* of struct vm */
};

void vcpu_show_tables(const struct vcpu_report *report, FILE *out);
void vcpu_show_json(const struct vcpu_report *report, FILE *out);
void vcpu_show_lines(const struct vcpu_report *report);	/* of vCPU threads */

extern const struct column vcpu_columns[];

#endif
