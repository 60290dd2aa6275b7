/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What 'gvt-stat energy' is asked for and has found. Private to this room.
 */
#ifndef GVT_STAT_JOULES_ENERGY_H
#define GVT_STAT_JOULES_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

#include "energy/result.h"
#include "follow/follow.h"
#include "output/form.h"
#include "timeline/timeline.h"
#include "coef.h"

/* what the user asks for */
struct energy_wanted {
	enum static_rule rule;
	unsigned int workloads;		/* 0: not asked for */
	int64_t interval_ns;		/* 0: not over time */
	const char *powercap;		/* NULL: none */
	const char *coef_path;		/* predict from these coefficients; NULL: divide what was counted */
	const char *save_path;		/* write the fitted ones there; NULL: nowhere */
};

struct energy_session {
	const struct form *form;
	const struct energy_wanted *wanted;
	struct follow follow;
	struct timeline *timeline;
	struct energy_result *result;
	const struct coef *coef;	/* what the energy is predicted from; NULL: it was counted */
};

/**
 * energy_open - read a trace; energy_close() frees, also the result
 * @selection: must outlive the session
 *
 * Ends the program if the trace is of several GPUs.
 */
void energy_open(struct energy_session *session, struct selection *selection);
void energy_close(struct energy_session *session);

/**
 * energy_tables, energy_time_tables, energy_json, energy_lines - print a struct energy_session for people,
 * for them over time, and for programs
 */
void energy_tables(const void *session);
void energy_time_tables(const void *session);
void energy_json(const void *session);
void energy_lines(const void *session);

/**
 * energy_notes - call @note with each line on what makes numbers unknown or uncertain, and what helps
 */
void energy_notes(const struct energy_session *session, void (*note)(const char *text));

/**
 * energy_knows_works - is the energy of any workload known?
 */
bool energy_knows_works(const struct energy_result *result);

#endif
