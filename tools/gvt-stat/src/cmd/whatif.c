// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "host/simulator.h"
#include "trace/engine.h"
#include "trace/util.h"
#include "whatif.h"

static const struct whatif_vgpu unchanged = {
	.weight = UNKNOWN, .nice = UNKNOWN, .cap = UNKNOWN, .preempt = UNKNOWN,
	.piece_ns = UNKNOWN, .depth = UNKNOWN, .speed = NAN,
};

void whatif_init(struct whatif *whatif)
{
	*whatif = (struct whatif) {
		.settings = g_ptr_array_new_with_free_func(g_free),
		.vgpus = g_array_new(FALSE, FALSE, sizeof(struct whatif_vgpu)),
	};
}

void whatif_clear(struct whatif *whatif)
{
	g_ptr_array_free(whatif->settings, TRUE);
	g_array_free(whatif->vgpus, TRUE);
}

void whatif_set(struct whatif *whatif, const char *name, const char *value)
{
	g_ptr_array_add(whatif->settings, g_strdup(name));
	g_ptr_array_add(whatif->settings, g_strdup(value));
}

static struct whatif_vgpu *find_vgpu(const struct whatif *whatif, int64_t id)
{
	for (unsigned int nr = 0; nr < whatif->vgpus->len; nr++) {
		struct whatif_vgpu *vgpu = &g_array_index(whatif->vgpus, struct whatif_vgpu, nr);

		if (vgpu->id == id)
			return vgpu;
	}
	return NULL;
}

const struct whatif_vgpu *whatif_find_vgpu(const struct whatif *whatif, int64_t id)
{
	return find_vgpu(whatif, id);
}

struct whatif_vgpu *whatif_vgpu(struct whatif *whatif, int64_t id)
{
	struct whatif_vgpu *vgpu = find_vgpu(whatif, id);

	if (vgpu)
		return vgpu;
	g_array_append_val(whatif->vgpus, unchanged);
	vgpu = &g_array_index(whatif->vgpus, struct whatif_vgpu, whatif->vgpus->len - 1);
	vgpu->id = id;
	return vgpu;
}

char *whatif_value(const struct whatif *whatif, const struct sched_info *info, const char *name)
{
	for (unsigned int nr = whatif->settings->len; nr; nr -= 2)
		if (!strcmp(whatif->settings->pdata[nr - 2], name))
			return g_strdup(whatif->settings->pdata[nr - 1]);
	return sched_setting(info, name);
}

void whatif_copy(struct whatif *to, const struct whatif *from)
{
	whatif_init(to);
	to->windows = from->windows;
	for (unsigned int nr = 0; nr < from->settings->len; nr += 2)
		whatif_set(to, from->settings->pdata[nr], from->settings->pdata[nr + 1]);
	for (unsigned int nr = 0; nr < from->vgpus->len; nr++) {
		struct whatif_vgpu vgpu = g_array_index(from->vgpus, struct whatif_vgpu, nr);

		*whatif_vgpu(to, vgpu.id) = vgpu;
	}
}

/* --- the model ---------------------------------------------------------------------- */

static bool was_set(const struct whatif *whatif, const char *name)
{
	for (unsigned int nr = 0; nr < whatif->settings->len; nr += 2)
		if (!strcmp(whatif->settings->pdata[nr], name))
			return true;
	return false;
}

/* vGPUs that run for long have no start boost any more, unless it is asked for */
static void add_settings(GString *model, const struct whatif *whatif, const struct sched_info *info)
{
	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++) {
		char *value = whatif_value(whatif, info, desc->name);

		if (!strcmp(desc->name, "boost_ms") && !was_set(whatif, desc->name))
			g_string_append(model, "set boost_ms 0\n");
		else if (value)
			g_string_append_printf(model, "set %s %s\n", desc->name, value);
		g_free(value);
	}
}

static void add_number(GString *model, const char *name, int64_t changed, int64_t was)
{
	int64_t value = known(changed) ? changed : was;

	if (known(value))
		g_string_append_printf(model, " %s=%" PRId64, name, value);
}

static void add_vgpu(GString *model, const struct whatif *whatif, const struct whatif_guest *guest)
{
	const struct whatif_vgpu *change = find_vgpu(whatif, guest->id);
	const struct vgpu *vgpu = guest->vgpu;

	change = change ? change : &unchanged;
	g_string_append_printf(model, "vgpu %" PRId64, guest->id);
	add_number(model, "weight", change->weight, vgpu->weight);
	add_number(model, "nice", change->nice, vgpu->set.nice);
	add_number(model, "cap", change->cap, vgpu->set.cap);
	add_number(model, "preempt", change->preempt, vgpu->set.preempt);
	add_number(model, "start_ns", UNKNOWN, guest->start_ns);
	g_string_append_c(model, '\n');
}

static void add_work(GString *model, const struct stream *stream, double speed)
{
	for (unsigned int nr = 0; nr < stream->work->len; nr++) {
		const struct stream_work *work = &g_array_index(stream->work, struct stream_work, nr);

		g_string_append_printf(model, "work exec_ns=%" PRId64 " at_ns=%" PRId64 " lag=%u\n",
				       MAX((int64_t)llround(work->exec_ns / speed), 1), work->at_ns,
				       work->lag);
	}
}

/*
 * The time after which an open stream begins anew. When one of another trace began beside the
 * others is not known: it comes a little later each time, so that the windows are of all phases.
 */
static int64_t span_of(const struct whatif_guest *guest, const struct stream *stream,
		       int64_t simulated_ns)
{
	int64_t rounds = MAX(simulated_ns / guest->window_ns, 1);
	int64_t between_ns = guest->window_ns / stream->work->len;

	return guest->window_ns + (guest->added ? between_ns / rounds : 0);
}

static void add_stream(GString *model, const struct whatif *whatif,
		       const struct whatif_guest *guest, const struct stream *stream,
		       int64_t simulated_ns)
{
	const struct whatif_vgpu *change = find_vgpu(whatif, guest->id);
	char engine[ENGINE_NAME_LEN];

	if (!stream->work->len)
		return;
	change = change ? change : &unchanged;
	g_string_append_printf(model, "stream %" PRId64 " %s open=%d span_ns=%" PRId64, guest->id,
			       engine_name(engine, stream->engine->class, stream->engine->instance),
			       stream->open, span_of(guest, stream, simulated_ns));
	add_number(model, "depth", change->depth, MAX(stream->depth, 1));
	add_number(model, "piece_ns", change->piece_ns, stream->piece_ns);
	g_string_append_c(model, '\n');
	add_work(model, stream, isnan(change->speed) ? 1 : change->speed);
}

static bool is_there(const struct whatif *whatif, const struct whatif_guest *guest)
{
	const struct whatif_vgpu *change = guest ? find_vgpu(whatif, guest->id) : NULL;

	return guest && (!change || !change->without);
}

/* those that are counted by are enough, unless somebody wants all */
static GString *begin_model(const struct whatif *whatif)
{
	return g_string_new(whatif->line ? "" : "events gvt_vgpu_info,gvt_sched_info,"
		"gvt_workload_state,gvt_workload_queue,gvt_workload_submit,gvt_workload_start,"
		"gvt_workload_stop,gvt_workload_complete\n");
}

static GString *model_of(const struct whatif *whatif, const struct sched_info *info,
			 const GArray *guests, const GPtrArray *streams, int64_t window_ns)
{
	int64_t simulated_ns = whatif->windows * window_ns;
	GString *model = begin_model(whatif);

	g_string_append_printf(model, "run warmup_ns=%" PRId64 " duration_ns=%" PRId64 "\n",
			       (int64_t)WHATIF_WARMUP_NS, simulated_ns);
	add_settings(model, whatif, info);
	for (unsigned int nr = 0; nr < guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(guests, struct whatif_guest, nr);

		if (is_there(whatif, guest))
			add_vgpu(model, whatif, guest);
	}
	for (unsigned int nr = 0; nr < streams->len; nr++) {
		const struct stream *stream = streams->pdata[nr];
		const struct whatif_guest *guest = whatif_guest_of(guests, stream->vgpu);

		if (is_there(whatif, guest))
			add_stream(model, whatif, guest, stream, simulated_ns);
	}
	return model;
}

GArray *whatif_guests(const struct model *model, int64_t dev, int64_t window_ns)
{
	GArray *guests = g_array_new(FALSE, FALSE, sizeof(struct whatif_guest));
	const GPtrArray *vgpus = model_vgpus(model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];
		const struct whatif_guest guest = { .vgpu = vgpu, .id = vgpu->id, .window_ns = window_ns };

		if (vgpu->dev == dev)
			g_array_append_val(guests, guest);
	}
	return guests;
}

const struct whatif_guest *whatif_guest_of(const GArray *guests, const struct vgpu *vgpu)
{
	for (unsigned int nr = 0; nr < guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(guests, struct whatif_guest, nr);

		if (guest->vgpu == vgpu)
			return guest;
	}
	return NULL;
}

/* --- what comes of it ------------------------------------------------------------------- */

struct taker {
	const struct whatif *whatif;
	struct whatif_result *result;
};

static void take_line(void *ctx, char *line)
{
	const struct taker *taker = ctx;
	struct model *model = taker->result->model;
	struct event event = { 0 };	/* gvt-sim does not tell all of it */

	if (*line == '#')
		return;
	if (taker->whatif->line)
		taker->whatif->line(taker->whatif->ctx, line);
	if (!event_from_text(line, &event))
		return;
	if (event.id == EVENT_WORKLOAD_STATE)
		model_older(model, &event, event.ts_ns - event.workload.age_ns, 0);
	else
		model_event(model, &event);
}

static struct whatif_result *new_result(unsigned int windows, int64_t window_ns)
{
	struct whatif_result *result = g_new0(struct whatif_result, 1);

	result->model = model_new();
	result->windows = windows;
	result->window_ns = window_ns;
	result->tally = tally_new(result->model, (struct window) { 0, window_ns }, windows);
	return result;
}

struct whatif_result *whatif_run(const struct whatif *whatif, const char *simulator,
				 const struct sched_info *info, const GArray *guests,
				 const GPtrArray *streams, int64_t window_ns)
{
	GString *model = model_of(whatif, info, guests, streams, window_ns);
	struct whatif_result *result = new_result(whatif->windows, window_ns);
	struct taker taker = { whatif, result };

	simulator_run(simulator, model->str, model->len, take_line, &taker);
	model_finish(result->model);
	g_string_free(model, TRUE);
	return result;
}

void whatif_result_free(struct whatif_result *result)
{
	tally_free(result->tally);
	model_free(result->model);
	g_free(result);
}

const struct vgpu_engine *whatif_queue(const struct whatif_result *result, int64_t id,
				       const struct gpu_engine *engine)
{
	const GPtrArray *queues = model_vgpu_engines(result->model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu->id == id && queue->engine->class == engine->class &&
		    queue->engine->instance == engine->instance)
			return queue;
	}
	return NULL;
}
