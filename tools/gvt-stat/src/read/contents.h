/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of commands' JSON documents that other commands include.
 */
#ifndef GVT_STAT_CONTENTS_H
#define GVT_STAT_CONTENTS_H

#include <jansson.h>

#include "analysis/blame.h"
#include "analysis/check.h"
#include "output/form.h"
#include "report.h"

/* quantities that the rules need */
#define CHECK_QUANTITIES	(QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) | \
				 QUANTITY_BIT(QUANTITY_HOST) | QUANTITY_BIT(QUANTITY_COMPLETIONS) | \
				 QUANTITY_BIT(QUANTITY_SLICES) | QUANTITY_BIT(QUANTITY_IDLE) | \
				 QUANTITY_BIT(QUANTITY_BLAME) | QUANTITY_BIT(QUANTITY_VGPUS) | \
				 QUANTITY_BIT(QUANTITY_SETTINGS) | QUANTITY_BIT(QUANTITY_GUEST) | \
				 QUANTITY_BIT(QUANTITY_PREEMPTION) | QUANTITY_BIT(QUANTITY_CANCELLED))

/**
 * report_add_json - add "gpus" and "vgpus" of report
 */
void report_add_json(json_t *document, const struct report *report);

/**
 * check_add_json - add "findings", "not_checked" and "setting_changes" of check
 */
void check_add_json(json_t *document, const struct form *form, const struct check *check);

/**
 * blame_add_json - add "blame" and "worst" of blame
 * @follow: read to its end
 */
void blame_add_json(json_t *document, const struct form *form, const struct follow *follow,
		    struct blame *blame);

#endif
