/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Execution, waits and completions in each block of a trace, per vGPU and engine, for comparison
 * with another trace.
 */
#ifndef GVT_STAT_SAMPLE_H
#define GVT_STAT_SAMPLE_H

#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"
#include "timeline/timeline.h"
#include "estimate.h"

/* sums over one block; a sum may include fewer workloads than @done */
struct sample_block {
	double exec_ns;			/* execution in this block */
	double done;			/* completed with status 0; host: stays on the engine */
	double failed;			/* completed with another status, or cancelled */
	double waits, wait_ns;		/* of workloads that completed with status 0 in it; */
					/* host: of stays that began in it, also without a wait */
	double latencies, latency_ns;
	double execs, exec_sum_ns;
	double nj;			/* energy; this and the next two are 0 in blocks that have few samples of it */
	double counted_ns;		/* length of the block */
	double counted_done;		/* as @done */
};

struct sample_row {
	int64_t dev;
	int64_t vgpu_id;		/* UNKNOWN: all vGPUs; 0: the host's own work */
	const struct gpu_engine *engine;
	char *uuid;			/* NULL: unknown */
	char *vm;			/* name of its VM; NULL: unknown */
	int64_t waited_ns;		/* host: until when the last stay waited */
	GArray *blocks;			/* of struct sample_block, without lost blocks */
	GArray *latencies;		/* of struct block_value, ns */
	double bucket;			/* relative rounding of latencies; 0: exact */
	double energy_error;		/* relative standard error that the energies of all blocks have in common */
};

struct sample {
	struct follow follow;
	struct selection selection;
	int64_t block_ns;		/* longer than requested if there were too many blocks */
	unsigned int blocks;		/* whole blocks in the window, without lost ones */
	unsigned int lost_blocks;	/* blocks with lost events */
	GByteArray *lost;		/* 1 for each lost block */
	GPtrArray *lost_of;		/* as @lost, for one engine, by gpu_engine.index */
	struct timeline *timeline;	/* of the GPU's energy */
	bool has_energy;
	int64_t tainted;		/* workloads in flight while events were lost */
	GPtrArray *rows;		/* of struct sample_row, by GPU, vGPU, engine; all last */
	GHashTable *index;		/* the same rows, for lookup */
};

/* limits on blocks: of one row, and of all rows together unless there are very many rows */
#define SAMPLE_BLOCKS		1024
#define SAMPLE_ALL_BLOCKS	(1 << 17)

/**
 * sample_length - length of the window in ns; reads the whole trace
 */
int64_t sample_length(const struct selection *selection, const char *path);

/**
 * sample_read - read a trace
 * @selection: of the command; copied
 * @path: of the trace
 * @block_ns: length of a block; a partial last block is left out
 *
 * Memory is bounded: too many blocks are merged in pairs, repeatedly, and latencies of very many
 * workloads are rounded.
 *
 * Leaves out blocks with lost events, which would contain less and look like a change. For the rows
 * of an engine, also leaves out blocks in which the engine's state is unknown after a loss, or in
 * which work of unknown duration ended.
 *
 * Ends the program with a message if there are fewer than two blocks. sample_free() frees.
 */
struct sample *sample_read(const struct selection *selection, const char *path,
			   int64_t block_ns);
void sample_free(struct sample *sample);

/**
 * sample_find - the row with the same GPU, vGPU and engine; NULL: none
 */
const struct sample_row *sample_find(const struct sample *sample, const struct sample_row *like);

/* --- sample-energy.c ----------------------------------------------------------------------------- */

/**
 * sample_energy - divide the counted energy among the blocks of all rows
 * @sample: read to its end; its blocks have their final length, and none is left out yet
 *
 * Sets @has_energy, and nothing else if nobody's energy is known.
 */
void sample_energy(struct sample *sample);

#endif
