/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that make up the model share.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_MODEL_PRIVATE_H
#define GVTTRACE_MODEL_PRIVATE_H

#include <stddef.h>

#include "inside.h"

#define MAX_LISTENERS	12
#define RECENT_WORKLOADS 16
#define SPARE_WORKLOADS	16
/* with the sanitizer none, as it tells who uses what is gone */
#ifdef __SANITIZE_ADDRESS__
#define MOST_SPARE	0
#else
#define MOST_SPARE	SPARE_WORKLOADS
#endif

/* of a call: its place among those of struct model_listener */
#define NR_CALLS	(offsetof(struct model_listener, ctx) / sizeof(void (*)(void)))
#define CALL(call)	(offsetof(struct model_listener, call) / sizeof(void (*)(void)))

struct model {
	GHashTable *workloads;		/* alive: struct workload_key -> struct workload */
	struct workload *recent[RECENT_WORKLOADS];	/* by id, the last of each place; or NULL */
	struct workload *spare[SPARE_WORKLOADS];	/* that ended: room for those to come */
	unsigned int nr_spare, most_spare;
	GPtrArray *gpus;
	GPtrArray *vgpus;
	GPtrArray *engines;
	GPtrArray *vgpu_engines;
	GPtrArray *sched_infos;
	struct model_listener listeners[MAX_LISTENERS];
	int nr_listeners;
	const struct model_listener *heard[NR_CALLS][MAX_LISTENERS + 1];	/* by call; NULL ends */
	int64_t last_ns;		/* of the last event */
	unsigned int gaps;		/* being open now */
	int64_t gap_begin_ns;		/* of the last one, or of several that overlap */
	int64_t gap_end_ns;
	bool had_gap;
	uint64_t strays;
	struct skew skew;
	bool submits;			/* gvt_workload_submit is recorded */
	uint64_t tainted;
};

/* it joins those that wait for the engine, or leaves them; nothing if it has already */
void model_set_waiting(struct model *model, struct workload *w, int64_t ts_ns, bool waiting);

/* the same for one that may have left already, while events were lost */
void model_doubt_waiting(struct model *model, struct workload *w, int64_t ts_ns);

#define TELL(model, call, ...)						\
	for (const struct model_listener *const *_l = (model)->heard[CALL(call)]; *_l; _l++) \
		(*_l)->call((*_l)->ctx, __VA_ARGS__);

#endif
