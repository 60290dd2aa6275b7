// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The host's own work on each engine: all of i915's work that is no vGPU's.
 *
 * An event also describes the time before it: before a start the host was not running, and
 * a stop reports since when it was. So a gap hides only what is inside the gap.
 */
#include "trace/util.h"
#include "host-spans.h"
#include "model-private.h"
#include "turns.h"

/* maximum number of executions kept for open waits */
#define SPANS_MAX	256

/* maximum number of requests kept per engine, and of vGPU executions that the host waited for */
#define WAITS_MAX	256

/* time within which i915's queued work starts on a free engine */
#define AT_ONCE_NS	100000

static bool is_open(const struct vgpu_engine *queue)
{
	return queue->class != WAIT_NONE || queue->exposed;
}

/* Drop spans that no open wait overlaps. */
static void make_room(struct model *model, struct gpu_engine *engine)
{
	GArray *spans = engine->host->spans;
	int64_t from_ns = INT64_MAX;
	unsigned int old = 0;

	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (is_open(queue))
			from_ns = MIN(from_ns, queue->since_ns);
	}
	while (old < spans->len && g_array_index(spans, struct span, old).to_ns <= from_ns)
		old++;
	if (!old) {
		turns_until(model, engine, model->last_ns);
		old = spans->len;
	}
	g_array_remove_range(spans, 0, old);
}

/* A wait ends when execution begins, according to its stop: i915 may notice the start late. */
static void tell_waited(struct model *model, struct gpu_engine *engine, int64_t to_ns)
{
	struct host *host = engine->host;

	if (known(host->waits_ns) && host->waits_ns < to_ns)
		TELL(model, host, engine, HOST_WAITED, host->holder, host->waits_ns, to_ns);
	host->waits_ns = UNKNOWN;
}

/* @to_ns: UNKNOWN: still runs at the end of the trace */
static void tell_ran(struct model *model, struct gpu_engine *engine, int64_t from_ns,
		     int64_t to_ns)
{
	struct host *host = engine->host;
	struct span span = { from_ns, to_ns };
	bool ran = engine_claim(model, engine, &span.from_ns, to_ns, UNKNOWN);

	tell_waited(model, engine, ran ? span.from_ns : from_ns);
	if (!ran)
		return;
	TELL(model, host, engine, HOST_RAN, NULL, span.from_ns, to_ns);
	if (!known(to_ns))
		return;
	if (host->spans->len == SPANS_MAX)
		make_room(model, engine);
	g_array_append_val(host->spans, span);
}

/* It stopped at @ts_ns, and earlier time is reported. */
static void leave(struct host *host, int64_t ts_ns)
{
	host->known = true;
	host->on = host->start_told = false;
	host->told_ns = ts_ns;
	host->beside_ns = UNKNOWN;
	g_array_set_size(host->met, 0);
}

static void enter(struct host *host, int64_t since_ns)
{
	host->known = host->on = true;
	host->since_ns = since_ns;
	host->beside_ns = UNKNOWN;
}

/* Its stop was lost: it had stopped when a vGPU's work started; without any, its end is unknown. */
static void lose_stop(struct model *model, struct gpu_engine *engine, int64_t ts_ns)
{
	const struct host *host = engine->host;

	tell_waited(model, engine, host->since_ns);
	if (!known(host->beside_ns))
		TELL(model, host, engine, HOST_UNSURE, NULL, host->since_ns, ts_ns);
	leave(engine->host, ts_ns);
}

/* Earlier requests of this context have ended, too; those of other contexts still wait. */
static void drop_requests(struct host *host, int64_t ctx, int64_t seqno)
{
	unsigned int kept = 0;

	for (unsigned int nr = 0; nr < host->requests->len; nr++) {
		struct request *one = &g_array_index(host->requests, struct request, nr);

		if (one->ctx != ctx || one->seqno > seqno)
			g_array_index(host->requests, struct request, kept++) = *one;
	}
	g_array_set_size(host->requests, kept);
}

/*
 * Since when the starting context has waited in i915's queue, or the engine's: since its first
 * request after the host's last execution, but not since before that execution. UNKNOWN: i915's
 * requests are not recorded.
 */
static int64_t came_ns(const struct host *host, const struct host_event *told)
{
	int64_t since_ns = UNKNOWN;

	for (unsigned int nr = host->requests->len; nr; nr--) {
		const struct request *one = &g_array_index(host->requests, struct request, nr - 1);

		if (one->ctx != told->ctx || one->seqno > told->seqno)
			continue;
		if (!known(since_ns) && one->seqno != told->seqno)
			return UNKNOWN;
		if (one->added_ns < host->told_ns)
			return known(since_ns) ? since_ns : host->told_ns;
		since_ns = one->added_ns;
	}
	return since_ns;
}

/* The vGPU that used the engine for most of the time from then on; NULL: none */
static const struct vgpu *holder_since(const struct host *host, int64_t *since_ns, int64_t now_ns)
{
	const struct vgpu *holder = NULL;
	int64_t most_ns = 0, from_ns = *since_ns;

	for (unsigned int nr = host->met->len; nr; nr--) {
		const struct met *met = &g_array_index(host->met, struct met, nr - 1);
		int64_t ns = met->span.to_ns - MAX(met->span.from_ns, from_ns);

		if (ns <= 0 || (!holder && now_ns - met->span.to_ns > AT_ONCE_NS))
			break;
		if (ns > most_ns) {
			most_ns = ns;
			holder = met->vgpu;
		}
		*since_ns = MAX(met->span.from_ns, from_ns);
	}
	return holder;
}

/* The kernel's waited_ns begins when i915 has passed the work to the engine. */
static void note_wait(struct model *model, struct host *host, const struct event *event)
{
	const struct host_event *told = &event->host;
	int64_t since_ns = came_ns(host, told);
	const struct vgpu *holder = known(since_ns) ? holder_since(host, &since_ns, event->ts_ns) : NULL;
	bool waited = known(told->waited_ns) && told->waited_ns > 0;

	drop_requests(host, told->ctx, told->seqno);
	if (waited) {
		host->waits_ns = MAX(host->told_ns, event->ts_ns - told->waited_ns);
		host->holder = known(told->holder) && told->holder ?
			       model_get_vgpu(model, told->dev, told->holder) : NULL;
	}
	if (holder && (!waited || since_ns < host->waits_ns)) {
		host->waits_ns = since_ns;
		host->holder = holder;
	}
}

static void on_start(struct model *model, struct gpu_engine *engine, const struct event *event)
{
	struct host *host = engine->host;

	if (host_stays(host)) {
		model->strays++;
		return;
	}
	if (host->on)
		lose_stop(model, engine, event->ts_ns);
	note_wait(model, host, event);
	enter(host, event->ts_ns);
	host->start_told = true;
}

static void on_stop(struct model *model, struct gpu_engine *engine, const struct event *event)
{
	struct host *host = engine->host;
	int64_t from_ns = host->on ? host->since_ns : host->told_ns;
	int64_t to_ns = event->ts_ns, exec_ns = event->host.exec_ns;

	/* its start was lost or before the trace; or a stop and a start were lost */
	if (!host_stays(host) && known(exec_ns) && exec_ns >= 0)
		from_ns = MAX(from_ns, to_ns - exec_ns);
	/* i915 may notice start and stop late */
	else if (host->start_told && known(exec_ns) && exec_ns >= 0) {
		from_ns = MAX(host->told_ns, MIN(from_ns, to_ns - exec_ns));
		to_ns = exec_ns < to_ns - from_ns ? from_ns + exec_ns : to_ns;
	}
	tell_ran(model, engine, from_ns, to_ns);
	leave(host, to_ns);
}

static void on_state(struct model *model, struct gpu_engine *engine, const struct event *event)
{
	struct host *host = engine->host;

	if (!event->host.running && host->on)
		lose_stop(model, engine, event->ts_ns);
	else if (!event->host.running)
		host->known = true;
	else if (!host->on)
		enter(host, host->known ? event->ts_ns : host->told_ns);
}

void host_event(struct model *model, const struct event *event)
{
	const struct host_event *told = &event->host;
	struct gpu *gpu = model_get_gpu(model, told->dev);
	struct gpu_engine *engine;

	gpu->host_told = true;
	engine = model_find_engine(model, told->dev, told->class, told->instance);
	/* ignore an engine without any work */
	if (!engine && event->id == EVENT_HOST_STATE && !told->running)
		return;
	if (!engine)
		engine = model_get_engine(model, told->dev, told->class, told->instance);
	if (model->gaps)
		return;
	if (event->id == EVENT_HOST_START)
		on_start(model, engine, event);
	else if (event->id == EVENT_HOST_STOP)
		on_stop(model, engine, event);
	else
		on_state(model, engine, event);
}

void host_request(struct model *model, const struct event *event)
{
	const struct host_event *told = &event->host;
	const struct request request = { told->ctx, told->seqno, event->ts_ns };
	struct gpu_engine *engine = model_find_engine(model, told->dev, told->class, told->instance);

	if (!engine || !engine->gpu->host_told || model->gaps)
		return;
	if (engine->host->requests->len == WAITS_MAX)
		g_array_remove_index(engine->host->requests, 0);
	g_array_append_val(engine->host->requests, request);
}

void host_not_own(struct gpu_engine *engine, int64_t ctx)
{
	drop_requests(engine->host, ctx, INT64_MAX);
}

void host_met(struct gpu_engine *engine, const struct vgpu *vgpu, int64_t from_ns, int64_t to_ns)
{
	GArray *met = engine->host->met;
	struct met *last = met->len ? &g_array_index(met, struct met, met->len - 1) : NULL;
	const struct met one = { vgpu, { from_ns, to_ns } };

	if (!engine->gpu->host_told)
		return;
	if (last && last->vgpu == vgpu) {
		last->span.to_ns = MAX(last->span.to_ns, to_ns);
		return;
	}
	if (met->len == WAITS_MAX)
		g_array_remove_index(met, 0);
	g_array_append_val(met, one);
}

void host_beside(struct model *model, struct gpu_engine *engine, int64_t ts_ns)
{
	struct host *host = engine->host;

	host->known = true;
	if (!host_stays(host))
		return;
	tell_ran(model, engine, host->since_ns, ts_ns);
	host->since_ns = host->beside_ns = ts_ns;
}

void host_gap_begin(struct model *model, int64_t ts_ns)
{
	for (unsigned int nr = 0; nr < model->engines->len; nr++) {
		struct gpu_engine *engine = model->engines->pdata[nr];
		struct host *host = engine->host;

		if (host_stays(host))
			tell_ran(model, engine, host->since_ns, ts_ns);
		else if (host_unsure(engine))
			TELL(model, host, engine, HOST_UNSURE, NULL, host->told_ns, ts_ns);
		leave(host, ts_ns);
		host->known = false;
		g_array_set_size(host->requests, 0);
	}
}

void host_gap_end(struct model *model, int64_t ts_ns)
{
	for (unsigned int nr = 0; nr < model->engines->len; nr++)
		((struct gpu_engine *)model->engines->pdata[nr])->host->told_ns = ts_ns;
}

void host_finish(struct model *model)
{
	for (unsigned int nr = 0; nr < model->engines->len && !model->gaps; nr++) {
		struct gpu_engine *engine = model->engines->pdata[nr];
		const struct host *host = engine->host;

		if (host_stays(host))
			tell_ran(model, engine, host->since_ns, UNKNOWN);
		else if (host_unsure(engine))
			TELL(model, host, engine, HOST_UNSURE, NULL, host->told_ns, UNKNOWN);
	}
}
