/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Misbehaviour of guests during the recording, and vGPUs in failsafe mode.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_HEALTH_H
#define GVTTRACE_HEALTH_H

#include <stdint.h>

#include "follow/follow.h"

#define HEALTH_KIND(member)	HEALTH_##member,
/* the counts */
enum health_kind {
	HEALTH_COUNTS(HEALTH_KIND)
	HEALTH_KINDS
};

/* of one vGPU, inside the window */
struct health_row {
	int64_t dev;
	int64_t vgpu_id;
	int64_t told[HEALTH_KINDS];	/* last count since creation; UNKNOWN: not seen */
	int64_t risen[HEALTH_KINDS];
	int64_t first_ns, last_ns;	/* first and last increase of a count, or UNKNOWN */
	int64_t failsafe;		/* at the end, as in gvt_vgpu_health */
	int64_t failsafe_ns;		/* when first reported */
};

struct health;

/**
 * health_new - no events yet; health_free() frees
 * @follow: open; must outlive the health
 */
struct health *health_new(struct follow *follow);
void health_free(struct health *health);

/**
 * health_rows - struct health_row of all vGPUs with a gvt_vgpu_health event
 */
const GArray *health_rows(const struct health *health);

/**
 * health_name - name of a count, as in kvmgt's file and gvt_vgpu_health
 */
const char *health_name(enum health_kind kind);

#endif
