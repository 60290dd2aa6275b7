/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The range of an application's measures beside others, from simulations of several phases and cases.
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
 * outlook_conclude - compute the range to expect of another phase
 * @window_ns: length of a phase
 * @predicted: the function fills in measures, phases, worst and unknown
 */
void outlook_conclude(const struct outlook *outlook, int64_t window_ns, struct predicted *predicted);

#endif
