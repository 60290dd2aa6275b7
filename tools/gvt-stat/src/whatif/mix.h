/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vGPUs that share a GPU in a trace, and what they submit; those of other traces can be
 * added. This is what can be simulated with other settings, see whatif.h.
 */
#ifndef GVT_STAT_MIX_H
#define GVT_STAT_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "analysis/streams.h"
#include "follow/follow.h"
#include "host-work.h"
#include "tally.h"
#include "whatif.h"

/* ids of vGPUs are 1 to this */
#define MIX_MOST_VGPUS	7

/* a trace that was read */
struct mix_source {
	struct selection selection;
	struct follow follow;
	struct tally *tally;		/* of one window */
	struct streams *collected;
	const GPtrArray *streams;	/* struct stream, inferred from these */
	struct host_works *host_works;
	int64_t dev;			/* of the GPU that is looked at */
};

struct mix {
	GPtrArray *sources;		/* struct mix_source; the first one has the GPU's settings */
	const struct sched_info *info;	/* these */
	GArray *guests;			/* struct whatif_guest, by their ids */
	GPtrArray *streams;		/* struct stream, by the ids of their guests */
	int64_t window_ns;		/* of the first trace */
	const GPtrArray *host;		/* struct host_work, of the first trace */
	struct whatif_result *rehearsed;	/* what was recorded; NULL: not simulated, or it cannot be */
};

/**
 * mix_read - read a trace
 * @mix: filled; mix_clear() frees
 * @selection: which one, and which GPU of it; must outlive @mix
 * @told: what is said of its vGPUs; NULL: nothing
 *
 * Ends the program if what is needed to simulate it is not in it.
 */
void mix_read(struct mix *mix, const struct selection *selection, const struct whatif *told);
void mix_clear(struct mix *mix);

/**
 * mix_add - add the vGPUs of another trace, with the lowest ids that are free
 * @path: of the trace
 * @vgpu_id: only this one of it; UNKNOWN: all
 *
 * Ends the program if there is nothing to simulate in it, or no id left.
 */
void mix_add(struct mix *mix, const char *path, int64_t vgpu_id);

/**
 * mix_check_output - end the program if a file that is to be written is one of the traces
 */
void mix_check_output(const struct mix *mix, const char *output);

/**
 * mix_follow - the first trace, read to its end
 */
struct follow *mix_follow(const struct mix *mix);

/**
 * mix_guest - the guest that submits a stream
 */
const struct whatif_guest *mix_guest(const struct mix *mix, const struct stream *stream);

/**
 * mix_source_of - the trace that a guest's vGPU is from
 */
struct mix_source *mix_source_of(const struct mix *mix, const struct vgpu *vgpu);

/**
 * mix_has_id - is there a guest with this id?
 */
bool mix_has_id(const struct mix *mix, int64_t id);

/**
 * mix_recorded - what a stream's queue did in the trace that it is from, all of it
 */
const struct tally_cell *mix_recorded(const struct mix *mix, const struct stream *stream);

/**
 * mix_rehearse - simulate what was recorded, before anything else is simulated
 *
 * See rehearse().
 */
void mix_rehearse(struct mix *mix, const struct whatif *whatif, const char *simulator);

/**
 * mix_simulate - what would have been of it, see whatif_run()
 */
struct whatif_result *mix_simulate(const struct mix *mix, const struct whatif *whatif,
				   const char *simulator);

#endif
