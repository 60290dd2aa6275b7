/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened in each block of a trace, per vGPU and engine, for comparison
 * with another trace.
 */
#ifndef GVT_STAT_SAMPLE_H
#define GVT_STAT_SAMPLE_H

#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"
#include "estimate.h"

/* of one block; what a sum is made of may be fewer than @done */
struct sample_block {
	double exec_ns;			/* execution in this block */
	double done;			/* workloads that completed with status 0 in it; the host's stays */
	double failed;			/* completed with another one, or cancelled */
	double waits, wait_ns;		/* of workloads that completed with status 0 in it */
	double latencies, latency_ns;
	double execs, exec_sum_ns;
};

struct sample_row {
	int64_t dev;
	int64_t vgpu_id;		/* UNKNOWN: all vGPUs; 0: the host's own work */
	int64_t class;
	int64_t instance;
	char *uuid;			/* NULL: unknown */
	char *vm;			/* name of its VM; NULL: unknown */
	GArray *blocks;			/* of struct sample_block; those that are not lost */
	GArray *latencies;		/* of struct block_value, ns */
	double bucket;			/* to what part of them these are rounded; 0: exact */
};

struct sample {
	struct follow follow;
	struct selection selection;
	int64_t block_ns;		/* longer than asked for if there were too many */
	unsigned int blocks;		/* whole ones in the window, without the lost ones */
	unsigned int lost_blocks;	/* in which events were lost */
	GByteArray *lost;		/* 1 for each of these */
	GPtrArray *lost_of;		/* the same by gpu_engine.index, of those about one engine */
	int64_t tainted;		/* workloads that were alive while events were lost */
	GPtrArray *rows;		/* of struct sample_row, by GPU, vGPU, engine; all last */
	GHashTable *index;		/* the same, to find one */
};

/* in a row, and in all rows together unless there are very many */
#define SAMPLE_BLOCKS		1024
#define SAMPLE_ALL_BLOCKS	(1 << 17)

/**
 * sample_length - how long the window in a trace is, in ns: it is read for that
 */
int64_t sample_length(const struct selection *selection, const char *path);

/**
 * sample_read - read a trace
 * @selection: of the command; copied
 * @path: of the trace
 * @block_ns: length of a block; what is behind the last whole one is left out
 *
 * Of more blocks than that, two and two become one, again and again; of very many
 * workloads, latencies are rounded to a part of themselves. So memory is bounded.
 *
 * Blocks in which events were lost are left out: there would be less in them, of which comparison
 * would make a change. So are, of an engine's rows, those in which it is not known after a loss
 * whether it was busy, or in which work ended that took nobody knows how long.
 *
 * Ends the program with a message if there are fewer than two blocks.
 * Everything must be freed with sample_free().
 */
struct sample *sample_read(const struct selection *selection, const char *path,
			   int64_t block_ns);
void sample_free(struct sample *sample);

/**
 * sample_find - the row of the same GPU, vGPU and engine; NULL if there is none
 */
const struct sample_row *sample_find(const struct sample *sample, const struct sample_row *like);

#endif
