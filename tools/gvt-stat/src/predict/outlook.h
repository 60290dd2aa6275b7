/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What simulations of an application beside others say of it, in several phases and cases.
 */
#ifndef GVT_STAT_OUTLOOK_H
#define GVT_STAT_OUTLOOK_H

#include <stdint.h>

#include "prediction.h"

struct outlook;

struct outlook *outlook_new(void);
void outlook_free(struct outlook *outlook);

/**
 * outlook_add - the measures in one more phase of a case
 * @phase: its number
 * @name: of the case, as cases_run() names it; NULL: guests are as is most likely
 */
void outlook_add(struct outlook *outlook, unsigned int phase, const char *name,
		 const double values[MEASURES]);

/**
 * outlook_conclude - what is to be expected of another phase
 * @window_ns: length of a phase
 * @predicted: its measures, their phases and what is unknown are filled
 */
void outlook_conclude(const struct outlook *outlook, int64_t window_ns, struct predicted *predicted);

#endif
