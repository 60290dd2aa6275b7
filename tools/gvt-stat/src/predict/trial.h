/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applications beside each other as they may meet: when they start, how long their pauses are and
 * when random arrivals come differ from one time to the next.
 */
#ifndef GVT_STAT_TRIAL_H
#define GVT_STAT_TRIAL_H

#include <glib.h>

#include "whatif/mix.h"
#include "whatif/whatif.h"
#include "profile-file.h"

/* an application in one phase */
struct actor {
	const struct profile *profile;
	struct vgpu vgpu;
	int64_t shift_ns;		/* delay of its start */
};

/* one phase with its applications and their start times */
struct trial {
	unsigned int number;		/* of the phase, from 0: as recorded */
	unsigned int phases;		/* number of all */
	unsigned int contexts;		/* number of those added up to now */
	struct actor actors[MIX_MOST_VGPUS];
	GArray *guests;			/* struct whatif_guest, one per actor */
	GPtrArray *streams;		/* struct stream, in the order of the predictions */
	GArray *memory;			/* struct whatif_memory, by stream */
	int64_t window_ns;
};

/**
 * trial_begin - what is to be simulated in a phase; trial_end() frees
 * @count: of the profiles
 * @number: of the phase, of @phases
 */
void trial_begin(struct trial *trial, struct profile *const *profiles, unsigned int count,
		 unsigned int number, unsigned int phases, const struct whatif *whatif);
void trial_end(struct trial *trial);

#endif
