/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vGPUs that share a GPU in a trace, and the workloads that they submit; vGPUs of other traces
 * can be added. A mix can be simulated under other settings, see whatif.h.
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

/* ids of vGPUs range from 1 to this */
#define MIX_MOST_VGPUS	7

/* a trace that was read completely */
struct mix_source {
	struct selection selection;
	struct follow follow;
	struct tally *tally;		/* of one window */
	struct streams *collected;
	const GPtrArray *streams;	/* struct stream, inferred from @collected */
	struct host_works *host_works;
	int64_t dev;			/* of the chosen GPU */
	const struct whatif_observer *observer;
	void *seen;			/* by the observer */
};

struct mix {
	GPtrArray *sources;		/* struct mix_source; the first one has the GPU's settings */
	const struct sched_info *info;	/* settings of the GPU in the first trace */
	GArray *guests;			/* struct whatif_guest, by id */
	GPtrArray *streams;		/* struct stream, by id of their guests */
	int64_t window_ns;		/* of the first trace */
	const GPtrArray *host;		/* struct host_work, of the first trace */
	struct whatif_result *rehearsed;	/* simulated recording; NULL: none */
};

/**
 * mix_read - read a trace
 * @mix: filled; mix_clear() frees
 * @selection: the trace and its GPU; must outlive @mix
 * @told: facts about the vGPUs from the user, and the observer; NULL: none
 *
 * Ends the program if the trace lacks anything that a simulation needs.
 */
void mix_read(struct mix *mix, const struct selection *selection, const struct whatif *told);
void mix_clear(struct mix *mix);

/**
 * mix_add - add the vGPUs of another trace, with the lowest free ids
 * @path: of the trace
 * @vgpu_id: add only this vGPU; UNKNOWN: all
 *
 * Ends the program if the trace has nothing to simulate or no id is free.
 */
void mix_add(struct mix *mix, const char *path, int64_t vgpu_id);

/**
 * mix_check_output - end the program if @output is one of the traces of the mix
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
 * mix_source_of - the trace that contains a guest's vGPU
 */
struct mix_source *mix_source_of(const struct mix *mix, const struct vgpu *vgpu);

/**
 * mix_has_id - is there a guest with this id?
 */
bool mix_has_id(const struct mix *mix, int64_t id);

/**
 * mix_recorded - the measures of a stream's queue in its own trace, for the whole trace
 */
const struct tally_cell *mix_recorded(const struct mix *mix, const struct stream *stream);

/**
 * mix_rehearse - simulate the recording itself; call before any other simulation
 *
 * See rehearse().
 */
void mix_rehearse(struct mix *mix, const struct whatif *whatif, const char *simulator);

/**
 * mix_simulate - simulate the mix under other settings, see whatif_run()
 */
struct whatif_result *mix_simulate(const struct mix *mix, const struct whatif *whatif,
				   const char *simulator);

#endif
