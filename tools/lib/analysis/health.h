/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What guests did wrong while a trace was recorded, and which vGPUs are in failsafe mode.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_HEALTH_H
#define GVTTRACE_HEALTH_H

#include <stdint.h>

#include "follow/follow.h"

#define HEALTH_KIND(member)	HEALTH_##member,
/* what is counted */
enum health_kind {
	HEALTH_COUNTS(HEALTH_KIND)
	HEALTH_KINDS
};

/* of one vGPU, inside the window */
struct health_row {
	int64_t dev;
	int64_t vgpu_id;
	int64_t told[HEALTH_KINDS];	/* last, since the vGPU was made; UNKNOWN: not yet */
	int64_t risen[HEALTH_KINDS];
	int64_t first_ns, last_ns;	/* when a count was first and last seen to go up, or UNKNOWN */
	int64_t failsafe;		/* at the end, as gvt_vgpu_health has it */
	int64_t failsafe_ns;		/* when that was told first */
};

struct health;

/**
 * health_new - nothing told yet; health_free() frees
 * @follow: open; must outlive it
 */
struct health *health_new(const struct follow *follow);
void health_free(struct health *health);

/**
 * health_analysis - to be added to the followers of the trace
 */
struct analysis health_analysis(struct health *health);

/**
 * health_rows - those of all vGPUs of which something was told, struct health_row
 */
const GArray *health_rows(const struct health *health);

/**
 * health_name - of what is counted, as kvmgt's file and its event have it
 */
const char *health_name(enum health_kind kind);

#endif
