// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracefile.h"

#include "fault.h"
#include "follow/follow.h"
#include "trace/engine.h"
#include "trace/util.h"

struct collected {
	GArray *pieces, *hosts;
	struct covered *covered;
	bool host_told;
};

static int64_t or_unknown(int64_t time_ns)
{
	return known(time_ns) ? time_ns : UNKNOWN_NS;
}

static void on_piece(void *ctx, const struct piece *piece)
{
	const struct collected *collected = ctx;
	const struct workload *w = piece->workload;
	char name[ENGINE_NAME_LEN];
	struct traced_piece traced = {
		.workload_id = w->id, .vgpu_id = w->queue->vgpu->id,
		.lrca = known(w->lrca) ? (uint32_t)w->lrca & LRCA_MASK : 0,
		.start_ns = or_unknown(piece->start_ns), .stop_ns = or_unknown(piece->stop_ns),
		.complete = piece->completed == 1, .match = -1,
	};

	engine_name(name, w->queue->engine->class, w->queue->engine->instance);
	g_strlcpy(traced.engine, name, sizeof(traced.engine));
	g_array_append_val(collected->pieces, traced);
}

static void widen(struct covered *covered, int64_t time_ns)
{
	if (!known(time_ns))
		return;
	covered->begin_ns = MIN(covered->begin_ns, time_ns);
	covered->end_ns = MAX(covered->end_ns, time_ns);
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct collected *collected = ctx;

	collected->host_told = w->queue->engine->gpu->host_told;
	/* not queue_ns: the trace may contain workloads that were queued before it began */
	widen(collected->covered, w->submit_ns);
	widen(collected->covered, w->start_ns);
	widen(collected->covered, workload_last_stop(w));
	widen(collected->covered, w->end_ns);
}

static void on_host(void *ctx, const struct gpu_engine *engine, enum host_time what,
		    const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	const struct collected *collected = ctx;
	struct traced_host *last = collected->hosts->len ?
		&g_array_index(collected->hosts, struct traced_host, collected->hosts->len - 1) : NULL;
	struct traced_host stay = { .start_ns = from_ns, .stop_ns = to_ns };

	(void)holder;
	if (what != HOST_RAN)
		return;
	/* the workload began before the trace, or continues after its end */
	if (!known(from_ns))
		stay.start_ns = INT64_MIN;
	if (!known(to_ns))
		stay.stop_ns = INT64_MAX;
	engine_name(stay.engine, engine->class, engine->instance);
	/* a stay may be reported in parts */
	if (last && last->stop_ns == from_ns && !strcmp(last->engine, stay.engine))
		last->stop_ns = to_ns;
	else
		g_array_append_val(collected->hosts, stay);
}

static void read_trace(const struct selection *selection, struct collected *collected)
{
	const struct model_listener listener = {
		.piece = on_piece, .ended = on_ended, .host = on_host, .ctx = collected,
	};
	struct follow follow;

	follow_open(&follow, selection);
	model_listen(follow.model, &listener);
	follow_run(&follow);
	model_finish(follow.model);
	follow_close(&follow);
}

GArray *tracefile_pieces(const char *path, int64_t tsc_khz, GArray **hosts,
			 struct covered *covered, GError **error)
{
	struct collected collected = {
		.pieces = g_array_new(FALSE, FALSE, sizeof(struct traced_piece)),
		.hosts = g_array_new(FALSE, FALSE, sizeof(struct traced_host)),
		.covered = covered,
	};
	struct selection selection;

	*covered = (struct covered) { INT64_MAX, INT64_MIN };
	selection_init(&selection);
	selection.input = path;
	selection.tsc_khz = tsc_khz;
	read_trace(&selection, &collected);
	selection_clear(&selection);
	*hosts = collected.host_told ? g_array_ref(collected.hosts) : NULL;
	g_array_unref(collected.hosts);
	if (covered->begin_ns < covered->end_ns)
		return collected.pieces;
	g_array_free(collected.pieces, TRUE);
	fault(error, "%s: the trace holds no workload; nothing to compare", path);
	return NULL;
}
