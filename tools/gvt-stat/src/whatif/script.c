// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "host/setting.h"
#include "trace/engine.h"
#include "trace/settings.h"
#include "trace/util.h"
#include "host-work.h"
#include "mix.h"
#include "resample.h"
#include "script.h"

/* limits of gvt-sim */
#define MOST_NS		(100 * 3600 * NSEC_PER_SEC)
#define MOST_PIECE_NS	(3600 * NSEC_PER_SEC)
#define MOST_WORK	8000000
/* the scheduler's default period, and the longest phase shift: half of the gap between windows */
#define PERIOD_NS	(100 * NSEC_PER_MSEC)
#define MOST_SHIFT_NS	(WHATIF_GAP_NS / 2)
struct script {
	const struct whatif *whatif;
	const struct mixture *mixture;
	GString *text;
	size_t work;			/* number of "work" lines */
	char *problem;			/* the first one; NULL: none */
};

static const struct whatif_vgpu unchanged = {
	.weight = UNKNOWN, .nice = UNKNOWN, .cap = UNKNOWN, .preempt = UNKNOWN,
	.piece_ns = UNKNOWN, .depth = UNKNOWN, .period_ns = UNKNOWN, .speed = NAN,
};

__attribute__((format(printf, 2, 3)))
static void refuse(struct script *script, const char *fmt, ...)
{
	va_list args;

	if (script->problem)
		return;
	va_start(args, fmt);
	script->problem = g_strdup_vprintf(fmt, args);
	va_end(args);
}

static const struct whatif_vgpu *change_of(const struct script *script,
					   const struct whatif_guest *guest)
{
	const struct whatif_vgpu *change = whatif_find_vgpu(script->whatif, guest->id);

	return change ? change : &unchanged;
}

/* --- settings of the scheduler -------------------------------------------------------- */

static bool was_set(const struct whatif *whatif, const char *name)
{
	for (unsigned int nr = 0; nr < whatif->settings->len; nr += 2)
		if (!strcmp(whatif->settings->pdata[nr], name))
			return true;
	return false;
}

static void add_setting(struct script *script, const struct setting_desc *desc, const char *value)
{
	if (!setting_desc_allows(desc, value))
		refuse(script, "%s is '%s' in the trace's gvt_sched_info, which cannot be simulated: give another one to 'gvt-stat simulate' by --set=%s=VALUE (%s)",
		       desc->name, value, desc->name, desc->range);
	g_string_append_printf(script->text, "set %s %s\n", desc->name, value);
}

/* vGPUs that have run for long no longer have a start boost: simulate none unless asked */
static void add_settings(struct script *script)
{
	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++) {
		char *value = whatif_value(script->whatif, script->mixture->info, desc->name);

		if (!strcmp(desc->name, "boost_ms") && !was_set(script->whatif, desc->name))
			g_string_append(script->text, "set boost_ms 0\n");
		else if (value)
			add_setting(script, desc, value);
		else if (desc->is_text && known(script->mixture->info->dev))
			refuse(script, "the trace's gvt_sched_info lacks the %s: give one to 'gvt-stat simulate' by --set=%s=VALUE",
			       desc->name, desc->name);
		g_free(value);
	}
}

/* --- vGPUs ------------------------------------------------------------------------------ */

/* the value that gvt_vgpu_info reported */
static int64_t told_of(const struct vgpu *vgpu, const char *name)
{
	struct vgpu_settings set = vgpu->set;
	const struct setting_desc *desc = setting_desc_find(settings_of_vgpus, name);

	return desc ? *vgpu_setting(&set, desc) : vgpu->weight;
}

/* Drivers that do not report a setting leave 0, even where 0 is not valid. */
static bool is_told(const struct whatif_word *word, int64_t value)
{
	return known(value) && (value || word->least <= 0);
}

static void add_word(struct script *script, const struct whatif_guest *guest,
		     const struct whatif_word *word)
{
	int64_t changed = *(const int64_t *)((const char *)change_of(script, guest) + word->offset);
	int64_t value = known(changed) ? changed : told_of(guest->vgpu, word->name);

	if (!is_told(word, value))
		return;
	if (value < word->least || value > word->most)
		refuse(script, "%s of vGPU %" PRId64 " is %" PRId64 " in the trace, which cannot be simulated: give another one to 'gvt-stat simulate' by --vgpu=%" PRId64 ":%s=N (%" PRId64 "..%" PRId64 ")",
		       word->name, guest->vgpu->id, value, guest->id, word->name, word->least,
		       word->most);
	g_string_append_printf(script->text, " %s=%" PRId64, word->name, value);
}

/* The words of whatif_words that are no settings describe streams. */
static bool is_setting(const struct whatif_word *word)
{
	return setting_desc_find(settings_of_vgpus, word->name) || !strcmp(word->name, "weight");
}

static void add_vgpu(struct script *script, const struct whatif_guest *guest)
{
	if (guest->id < 1 || guest->id > MIX_MOST_VGPUS)
		refuse(script, "there is a vGPU %" PRId64 " in the trace, and only those from 1 to %d can be simulated: 'gvt-stat simulate' leaves it out by --without=%" PRId64,
		       guest->id, MIX_MOST_VGPUS, guest->id);
	g_string_append_printf(script->text, "vgpu %" PRId64, guest->id);
	for (const struct whatif_word *word = whatif_words; word->name; word++)
		if (is_setting(word))
			add_word(script, guest, word);
	g_string_append_printf(script->text, " start_ns=%" PRId64 "\n", guest->start_ns);
}

/* --- their work --------------------------------------------------------------------------- */

/*
 * The time after which an open stream repeats. The phase of an added trace against the others is
 * unknown: its stream repeats a little later each time, so that the windows cover all phases.
 */
static int64_t span_of(const struct whatif_guest *guest, const struct stream *stream,
		       int64_t simulated_ns)
{
	int64_t rounds = MAX(simulated_ns / guest->window_ns, 1);
	int64_t between_ns = guest->window_ns / stream->work->len;

	return guest->window_ns + (guest->added ? between_ns / rounds : 0);
}

static int64_t exec_then(struct script *script, const struct whatif_guest *guest, int64_t exec_ns)
{
	double speed = change_of(script, guest)->speed;
	double then_ns = isnan(speed) ? exec_ns : exec_ns / speed;

	if (then_ns > MOST_NS)
		refuse(script, "a workload of vGPU %" PRId64 " would execute for more than 100 hours: give a greater speed",
		       guest->vgpu->id);
	return CLAMP(then_ns, 0, MOST_NS);
}

static void add_work(struct script *script, const struct whatif_guest *guest,
		     const GArray *all, bool open, int64_t span_ns)
{
	int64_t before_ns = 0;

	for (unsigned int nr = 0; nr < all->len; nr++) {
		const struct stream_work *work = &g_array_index(all, struct stream_work, nr);
		int64_t exec_ns = MAX(exec_then(script, guest, work->exec_ns), 1);
		int64_t at_ns = MIN(work->at_ns, MOST_NS);

		/* CPU clocks that drift apart can put arrivals out of order */
		if (open)
			at_ns = before_ns = CLAMP(at_ns, before_ns, span_ns - 1);
		g_string_append_printf(script->text, "work exec_ns=%" PRId64 " at_ns=%" PRId64 " lag=%u\n",
				       exec_ns, at_ns, work->lag);
	}
	script->work += all->len;
}

static bool can_be_simulated(const struct gpu_engine *engine)
{
	static const struct gpu_engine engines[] = {
		{ .class = 0 }, { .class = 1 }, { .class = 2 }, { .class = 2, .instance = 1 },
		{ .class = 3 },
	};

	for (size_t nr = 0; nr < G_N_ELEMENTS(engines); nr++)
		if (engine->class == engines[nr].class && engine->instance == engines[nr].instance)
			return true;
	return false;
}

/* the memory demand, as a word of the "stream" line; add_curve() adds lines below */
static void add_demand(struct script *script, const struct whatif_memory *memory)
{
	if (memory && known(memory->mbps))
		g_string_append_printf(script->text, " mbps=%" PRId64, memory->mbps);
}

static void add_curve(struct script *script, const struct whatif_memory *memory)
{
	for (unsigned int nr = 0; memory && nr < memory->points->len; nr++) {
		const struct whatif_point *point =
			&g_array_index(memory->points, struct whatif_point, nr);

		g_string_append_printf(script->text, "beside mbps=%" PRId64 " ppm=%" PRId64 "\n",
				       point->mbps, point->ppm);
	}
}

static bool is_resampled(const struct script *script, const struct whatif_guest *guest,
			 const struct stream *stream)
{
	int64_t gap_ns = whatif_gap_ns(script->whatif);
	size_t most = script->work + 2 * (size_t)stream->work->len * script->whatif->windows;

	return stream->kind == STREAM_RANDOM && gap_ns && !guest->added &&
	       guest->window_ns >= gap_ns && most <= WHATIF_MOST_RESAMPLED;
}

/* the scheduler's period, or the longest mean time between arrivals of the vGPU */
static int64_t clock_shift(const struct script *script, const struct whatif_guest *guest)
{
	int64_t shift_ns = PERIOD_NS;

	for (unsigned int nr = 0; nr < script->mixture->streams->len; nr++)
		for (const struct stream *of = script->mixture->streams->pdata[nr]; of; of = of->also)
			if (of->vgpu == guest->vgpu && of->open && of->work->len)
				shift_ns = MAX(shift_ns, guest->window_ns / of->work->len);
	return MIN(shift_ns, MOST_SHIFT_NS);
}

/*
 * The range of the phase shift between windows: for closed loops, the mean time between workloads;
 * for open streams at least the scheduler's period. All of a vGPU are shifted by the same part of it,
 * as the trace has their phases against each other: so it is the same for all of them.
 */
static int64_t shift_of(const struct script *script, const struct whatif_guest *guest,
			const struct stream *stream)
{
	if (is_resampled(script, guest, stream))
		return 0;
	return stream->open ? clock_shift(script, guest) :
			      MIN(guest->window_ns / stream->work->len, MOST_SHIFT_NS);
}

/* the work of a round of @span_ns; the caller frees */
static GArray *work_of(const struct script *script, const struct whatif_guest *guest,
		       const struct stream *stream, int64_t *span_ns)
{
	int64_t gap_ns = whatif_gap_ns(script->whatif);

	if (!is_resampled(script, guest, stream))
		return g_array_ref(stream->work);
	*span_ns = script->whatif->windows * (guest->window_ns + gap_ns);
	return resample_arrivals(stream->work, guest->window_ns, gap_ns, script->whatif->windows,
				 guest->id + script->work);
}

static void add_stream(struct script *script, const struct whatif_guest *guest,
		       const struct stream *stream, const struct whatif_memory *memory,
		       int64_t simulated_ns)
{
	const struct whatif_vgpu *change = change_of(script, guest);
	int64_t piece_ns = known(change->piece_ns) ? change->piece_ns : stream->piece_ns;
	int64_t depth = known(change->depth) ? change->depth : MAX(stream->depth, 1);
	int64_t span_ns = span_of(guest, stream, simulated_ns);
	GArray *work = work_of(script, guest, stream, &span_ns);
	char engine[ENGINE_NAME_LEN];

	engine_name(engine, stream->engine->class, stream->engine->instance);
	if (!can_be_simulated(stream->engine))
		refuse(script, "vGPU %" PRId64 " has work for %s, and only rcs0, bcs0, vcs0, vcs1 and vecs0 can be simulated: 'gvt-stat simulate' leaves the vGPU out by --without=%" PRId64,
		       guest->id, engine, guest->id);
	g_string_append_printf(script->text, "stream %" PRId64 " %s open=%d span_ns=%" PRId64
			       " depth=%" PRId64 " piece_ns=%" PRId64 " shift_ns=%" PRId64, guest->id,
			       engine, stream->open, span_ns, depth, CLAMP(piece_ns, 0, MOST_PIECE_NS),
			       shift_of(script, guest, stream));
	if (stream->always)
		g_string_append(script->text, " always=1");
	if (!stream->open)
		g_string_append_printf(script->text, " vary_ppm=%d", WHATIF_VARY_PPM);
	add_demand(script, memory);
	g_string_append_c(script->text, '\n');
	add_curve(script, memory);
	add_work(script, guest, work, stream->open, span_ns);
	g_array_unref(work);
}

/* --- the host's own work ------------------------------------------------------------------- */

static int64_t host_exec(const struct script *script, const struct host_piece *piece)
{
	double speed = script->whatif->speed;
	double exec_ns = (double)piece->to_ns - piece->from_ns;

	return CLAMP(isnan(speed) ? exec_ns : exec_ns / speed, 1, MOST_NS);
}

static void add_pieces(struct script *script, const struct host_work *work)
{
	int64_t span_ns = work->window.to_ns - work->window.from_ns, before_ns = 0;

	for (unsigned int nr = 0; nr < work->pieces->len; nr++) {
		const struct host_piece *piece =
			&g_array_index(work->pieces, struct host_piece, nr);

		/* clamped as for open streams */
		before_ns = CLAMP(piece->came_ns - work->window.from_ns, before_ns, span_ns - 1);
		g_string_append_printf(script->text, "work exec_ns=%" PRId64 " at_ns=%" PRId64 "\n",
				       host_exec(script, piece), before_ns);
	}
	script->work += work->pieces->len;
}

static void add_host(struct script *script)
{
	const GPtrArray *host = script->mixture->host;

	for (unsigned int nr = 0; host && nr < host->len; nr++) {
		const struct host_work *work = host->pdata[nr];
		char engine[ENGINE_NAME_LEN];

		if (!work->pieces->len || !can_be_simulated(work->engine))
			continue;
		g_string_append_printf(script->text, "host %s span_ns=%" PRId64 " shift_ns=%" PRId64 "\n",
				       engine_name(engine, work->engine->class, work->engine->instance),
				       work->window.to_ns - work->window.from_ns, (int64_t)PERIOD_NS);
		add_pieces(script, work);
	}
}

/* --- the whole script ------------------------------------------------------------------------ */

static bool is_there(const struct whatif *whatif, const struct whatif_guest *guest)
{
	const struct whatif_vgpu *change = guest ? whatif_find_vgpu(whatif, guest->id) : NULL;

	return guest && (!change || !change->without);
}

/* limits gvt-sim to the events that are counted, unless the caller takes every event */
static void begin_script(struct script *script, int64_t simulated_ns)
{
	script->text = g_string_new(script->whatif->line ? "" : "events gvt_vgpu_info,gvt_sched_info,"
		"gvt_workload_state,gvt_workload_queue,gvt_workload_submit,gvt_workload_start,"
		"gvt_workload_stop,gvt_workload_complete,gvt_host_start,gvt_host_stop,gvt_host_state\n");
	g_string_append_printf(script->text, "run warmup_ns=%" PRId64 " duration_ns=%" PRId64
			       " window_ns=%" PRId64 " gap_ns=%" PRId64 "\n",
			       (int64_t)WHATIF_WARMUP_NS, simulated_ns, script->mixture->window_ns,
			       whatif_gap_ns(script->whatif));
}

static void add_guests(struct script *script)
{
	const GArray *guests = script->mixture->guests;

	for (unsigned int nr = 0; nr < guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(guests, struct whatif_guest, nr);

		if (is_there(script->whatif, guest))
			add_vgpu(script, guest);
	}
}

static void add_streams(struct script *script, int64_t simulated_ns)
{
	const struct mixture *mixture = script->mixture;

	for (unsigned int nr = 0; nr < mixture->streams->len && !script->problem; nr++) {
		const struct stream *stream = mixture->streams->pdata[nr];
		const struct whatif_guest *guest = whatif_guest_of(mixture->guests, stream->vgpu);

		for (; stream && is_there(script->whatif, guest); stream = stream->also)
			if (stream->work->len)
				add_stream(script, guest, stream, mixture->memory ?
					   &g_array_index(mixture->memory, struct whatif_memory, nr) :
					   NULL, simulated_ns);
	}
	if (!script->work)
		refuse(script, "no vGPU with workloads is left to simulate");
	add_host(script);
	if (script->work > MOST_WORK)
		refuse(script, "there are more than %d workloads, too many to simulate: choose a part of the trace by --time",
		       MOST_WORK);
}

/* checks the lengths of the trace and of the added ones against the limits */
static bool check_length(struct script *script)
{
	const struct mixture *mixture = script->mixture;
	int64_t least_ns = mixture->window_ns, most_ns = least_ns;

	for (unsigned int nr = 0; nr < mixture->guests->len; nr++) {
		int64_t ns = g_array_index(mixture->guests, struct whatif_guest, nr).window_ns;

		least_ns = MIN(least_ns, ns);
		most_ns = MAX(most_ns, ns);
	}
	if (least_ns < 1)
		refuse(script, "all its events are of one moment: there is nothing to simulate");
	/* the span of an open stream exceeds its window by at most one pause */
	if (mixture->window_ns > MOST_NS / script->whatif->windows - WHATIF_GAP_NS || most_ns > MOST_NS / 2)
		refuse(script, "%u times the trace's %.0f seconds are more than the 100 hours that can be simulated: choose a part of it by --time, or fewer --windows",
		       script->whatif->windows, (double)most_ns / NSEC_PER_SEC);
	return !script->problem;
}

GString *script_of(const struct whatif *whatif, const struct mixture *mixture, char **problem)
{
	struct script script = { .whatif = whatif, .mixture = mixture };
	int64_t simulated_ns;

	if (check_length(&script)) {
		simulated_ns = whatif->windows * mixture->window_ns +
			       (whatif->windows - 1) * whatif_gap_ns(whatif);
		begin_script(&script, simulated_ns);
		add_settings(&script);
		add_guests(&script);
		add_streams(&script, simulated_ns);
	}
	*problem = script.problem;
	if (script.problem && script.text)
		g_string_free(script.text, TRUE);
	return script.problem ? NULL : script.text;
}
