// SPDX-License-Identifier: GPL-2.0-only

#include "host.h"
#include "i915.h"

/* One context per engine, so that i915 executes one piece of host work at a time */
static struct intel_context *context_of(struct intel_engine_cs *engine)
{
	static struct intel_context *contexts[I915_NUM_ENGINES];
	struct intel_context **ce = &contexts[i915_engine_id(engine)];

	if (!*ce) {
		*ce = intel_context_create(engine);
		(*ce)->host = true;
	}
	return *ce;
}

void host_submit(struct sim_stream *s, u64 exec_ns)
{
	struct i915_request *rq = i915_request_create(context_of(s->engine));

	rq->host = s;
	rq->rest_ns = exec_ns;
	i915_request_add(rq);
}

void host_left(struct i915_request *rq)
{
	struct sim_stream *s = rq->host;

	i915_request_put(rq);
	guest_done(s);
}
