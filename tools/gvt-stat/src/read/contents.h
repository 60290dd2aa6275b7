/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of JSON documents of commands, for others that tell the same.
 */
#ifndef GVT_STAT_CONTENTS_H
#define GVT_STAT_CONTENTS_H

#include <jansson.h>

#include "analysis/blame.h"
#include "analysis/check.h"
#include "output/form.h"
#include "report.h"

/* what rules are made of */
#define CHECK_QUANTITIES	(QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) | \
				 QUANTITY_BIT(QUANTITY_HOST) | QUANTITY_BIT(QUANTITY_COMPLETIONS) | \
				 QUANTITY_BIT(QUANTITY_SLICES) | QUANTITY_BIT(QUANTITY_IDLE) | \
				 QUANTITY_BIT(QUANTITY_BLAME) | QUANTITY_BIT(QUANTITY_VGPUS) | \
				 QUANTITY_BIT(QUANTITY_SETTINGS) | QUANTITY_BIT(QUANTITY_GUEST) | \
				 QUANTITY_BIT(QUANTITY_PREEMPTION) | QUANTITY_BIT(QUANTITY_CANCELLED))

/**
 * report_add_json - "gpus" and "vgpus", as report has them
 */
void report_add_json(json_t *document, const struct report *report);

/**
 * check_add_json - "findings", "not_checked" and "setting_changes", as check has them
 */
void check_add_json(json_t *document, const struct form *form, const struct check *check);

/**
 * blame_add_json - "blame" and "worst", as blame has them
 * @follow: read to its end
 */
void blame_add_json(json_t *document, const struct form *form, const struct follow *follow,
		    struct blame *blame);

#endif
