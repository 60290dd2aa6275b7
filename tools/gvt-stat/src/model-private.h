/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that make up the model share.
 */
#ifndef GVT_STAT_MODEL_PRIVATE_H
#define GVT_STAT_MODEL_PRIVATE_H

#include "model.h"

#define MAX_LISTENERS	8

struct model {
	GHashTable *workloads;		/* alive: id -> struct workload */
	GPtrArray *gpus;
	GPtrArray *vgpus;
	GPtrArray *engines;
	GPtrArray *vgpu_engines;
	GPtrArray *sched_infos;
	struct model_listener listeners[MAX_LISTENERS];
	int nr_listeners;
	int64_t first_id;		/* of the first workload seen in its queue event */
	int64_t last_id;		/* the highest of all workloads so far */
	int64_t last_ns;		/* of the last event */
	unsigned int gaps;		/* being open now */
	bool had_gap;
	uint64_t strays;
	uint64_t tainted;
};

#define TELL(model, call, ...)						\
	for (int _nr = 0; _nr < (model)->nr_listeners; _nr++) {		\
		const struct model_listener *_l = &(model)->listeners[_nr]; \
									\
		if (_l->call)						\
			_l->call(_l->ctx, __VA_ARGS__);			\
	}

#endif
