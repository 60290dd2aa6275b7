/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that make up the model share.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_MODEL_PRIVATE_H
#define GVTTRACE_MODEL_PRIVATE_H

#include "model.h"

#define MAX_LISTENERS	8

struct model {
	GHashTable *workloads;		/* alive: struct workload_key -> struct workload */
	GPtrArray *gpus;
	GPtrArray *vgpus;
	GPtrArray *engines;
	GPtrArray *vgpu_engines;
	GPtrArray *sched_infos;
	struct model_listener listeners[MAX_LISTENERS];
	int nr_listeners;
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
	for (int _nr = 0; _nr < (model)->nr_listeners; _nr++) {		\
		const struct model_listener *_l = &(model)->listeners[_nr]; \
									\
		if (_l->call)						\
			_l->call(_l->ctx, __VA_ARGS__);			\
	}

#endif
