// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "trace/util.h"
#include "validity.h"

/* range of the validation on the emulated GPU: tools/rig/bench/RESULTS-colocate.md */
#define VALID_VGPUS		4
#define VALID_LEAST_NS		(3 * NSEC_PER_MSEC)
#define VALID_MOST_NS		(60 * NSEC_PER_MSEC)
#define VALID_WINDOW_NS		(5 * NSEC_PER_SEC)

/* a profile is doubtful if its solo simulation misses its latency by more than this part */
#define TRUSTED_PART		0.05

struct check {
	struct profile *const *profiles;
	unsigned int count;
	const struct whatif *whatif;
	const char *simulator;
	GPtrArray *doubts;
};

static void free_caveat(void *data)
{
	struct caveat *caveat = data;

	g_free(caveat->text);
	g_free(caveat);
}

static void add(struct check *check, int64_t vgpu_id, const struct gpu_engine *engine,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

static void add(struct check *check, int64_t vgpu_id, const struct gpu_engine *engine,
		const char *format, ...)
{
	struct caveat *caveat = g_new0(struct caveat, 1);
	va_list args;

	va_start(args, format);
	caveat->text = g_strdup_vprintf(format, args);
	va_end(args);
	caveat->vgpu_id = vgpu_id;
	caveat->engine = engine;
	g_ptr_array_add(check->doubts, caveat);
}

/* --- the whole prediction ----------------------------------------------------------------- */

static const char *setting_of(const struct profile *profile, const char *name)
{
	for (unsigned int nr = 0; nr < profile->settings->len; nr += 2)
		if (!strcmp(profile->settings->pdata[nr], name))
			return profile->settings->pdata[nr + 1];
	return NULL;
}

static const char *changed_setting(const struct whatif *whatif, const char *name)
{
	for (unsigned int nr = whatif->settings->len; nr; nr -= 2)
		if (!strcmp(whatif->settings->pdata[nr - 2], name))
			return whatif->settings->pdata[nr - 1];
	return NULL;
}

static void check_setting(struct check *check, unsigned int nr, const char *name)
{
	const char *first = setting_of(check->profiles[0], name);
	const char *other = setting_of(check->profiles[nr], name);

	if (g_strcmp0(first, other) && !changed_setting(check->whatif, name))
		add(check, nr + 1, NULL, "it was recorded with %s %s; the prediction is for %s, as in the first profile",
		    name, other ? other : "unknown", first ? first : "the driver's default");
}

static void check_all(struct check *check)
{
	if (check->count > VALID_VGPUS)
		add(check, UNKNOWN, NULL, "%u vGPUs: predictions were validated with recordings of up to %d",
		    check->count, VALID_VGPUS);
	for (unsigned int nr = 1; nr < check->count; nr++) {
		check_setting(check, nr, "policy");
		check_setting(check, nr, "dispatch");
	}
}

/* open arrivals can exceed an engine's capacity: latencies then grow without limit */
static double open_load(const struct check *check, const struct gpu_engine *engine)
{
	double load = 0;

	for (unsigned int nr = 0; nr < check->count; nr++)
		for (unsigned int pos = 0; pos < check->profiles[nr]->streams->len; pos++) {
			const struct profile_stream *stream = check->profiles[nr]->streams->pdata[pos];

			if (stream->stream.open && stream->engine.class == engine->class &&
			    stream->engine.instance == engine->instance)
				load += (double)stream->solo.exec_ns / check->profiles[nr]->window_ns;
		}
	return load;
}

/* --- one stream ----------------------------------------------------------------------------- */

static const char *dispatch_of(const struct check *check)
{
	const char *changed = changed_setting(check->whatif, "dispatch");

	return changed ? changed : setting_of(check->profiles[0], "dispatch");
}

static bool is_guessed(const struct check *check, unsigned int vgpu_id)
{
	const struct whatif_vgpu *change = whatif_find_vgpu(check->whatif, vgpu_id);

	return !g_strcmp0(dispatch_of(check), "preemptive") &&
	       (!change || (!known(change->piece_ns) && change->preempt != 0));
}

static void check_inferred(struct check *check, const struct predicted *predicted)
{
	for (enum stream_doubt doubt = 0; doubt < STREAM_DOUBTS; doubt++) {
		char *text;

		if (!(predicted->stream->stream.doubts & 1u << doubt) ||
		    (whatif_is_of_preemption(doubt) && !is_guessed(check, predicted->vgpu)))
			continue;
		text = stream_doubt_text(&predicted->stream->stream, doubt);
		add(check, predicted->vgpu, &predicted->stream->engine, "%s", text);
		g_free(text);
	}
}

static void check_lengths(struct check *check, const struct predicted *predicted)
{
	const struct profile_solo *solo = &predicted->stream->solo;
	int64_t exec_ns = solo->exec_ns / solo->completed;

	if (exec_ns < VALID_LEAST_NS || exec_ns > VALID_MOST_NS)
		add(check, predicted->vgpu, &predicted->stream->engine,
		    "its workloads execute for %.3f ms on average; predictions were validated with recordings of %d to %d ms",
		    (double)exec_ns / NSEC_PER_MSEC, (int)(VALID_LEAST_NS / NSEC_PER_MSEC),
		    (int)(VALID_MOST_NS / NSEC_PER_MSEC));
}

/* "when guests submit, ..." of what its latency depends on */
static char *unknown_text(unsigned int unknown)
{
	static const char *const texts[UNKNOWNS] = {
		[UNKNOWN_ARRIVALS] = "when guests submit",
		[UNKNOWN_LIMITS] = "how many workloads guests can queue",
		[UNKNOWN_PIECES] = "preemption points",
	};
	const char *parts[UNKNOWNS + 1];
	unsigned int count = 0;

	for (unsigned int nr = 0; nr < UNKNOWNS; nr++)
		if (unknown & 1u << nr)
			parts[count++] = texts[nr];
	parts[count] = NULL;
	return g_strjoinv(", and on ", (char **)parts);
}

static void check_phases(struct check *check, const struct predicted *predicted)
{
	const struct spread *phases = &predicted->phases;

	if (isnan(phases->mean))
		add(check, predicted->vgpu, &predicted->stream->engine,
		    "nothing of it completes in some phase: its latency is unknown");
	else if (phases->most - phases->least > PREDICTION_NARROW * phases->mean)
		add(check, predicted->vgpu, &predicted->stream->engine,
		    "its latency depends on when the applications start, which is in no profile: see LEAST and MOST");
	if (predicted->unknown) {
		char *what = unknown_text(predicted->unknown);

		add(check, predicted->vgpu, &predicted->stream->engine,
		    "these profiles do not show its latency, only that it is between LEAST and MOST: it depends on %s",
		    what);
		g_free(what);
	}
	if (predicted->stream->stream.open && open_load(check, &predicted->stream->engine) >= 1)
		add(check, predicted->vgpu, &predicted->stream->engine,
		    "periodic work exceeds what the engine can execute: latencies grow as long as that lasts");
}

/* --- shared memory ---------------------------------------------------------------------------- */

static bool same_engine(const struct gpu_engine *one, const struct gpu_engine *other)
{
	return one->class == other->class && one->instance == other->instance;
}

/*
 * the highest demand of other vGPUs than @vgpu on an engine; UNKNOWN: no other vGPU uses the engine
 */
static int64_t most_on(const GArray *predicted, unsigned int vgpu, const struct gpu_engine *engine)
{
	int64_t most = UNKNOWN;

	for (unsigned int nr = 0; nr < predicted->len; nr++) {
		const struct predicted *one = &g_array_index(predicted, struct predicted, nr);

		if (one->vgpu != vgpu && same_engine(&one->stream->engine, engine))
			most = MAX(most, MAX(one->stream->mbps, 0));
	}
	return most;
}

static bool is_first_on(const GArray *predicted, unsigned int vgpu, unsigned int nr)
{
	const struct predicted *it = &g_array_index(predicted, struct predicted, nr);

	for (unsigned int before = 0; before < nr; before++) {
		const struct predicted *one = &g_array_index(predicted, struct predicted, before);

		if (one->vgpu != vgpu && same_engine(&one->stream->engine, &it->stream->engine))
			return false;
	}
	return it->vgpu != vgpu;
}

/* the highest total demand of others at once on other engines; UNKNOWN: there are none */
static int64_t most_beside(const GArray *predicted, const struct predicted *it)
{
	int64_t sum = UNKNOWN;

	for (unsigned int nr = 0; nr < predicted->len; nr++) {
		const struct gpu_engine *engine =
			&g_array_index(predicted, struct predicted, nr).stream->engine;

		if (same_engine(engine, &it->stream->engine) || !is_first_on(predicted, it->vgpu, nr))
			continue;
		sum = MAX(sum, 0) + most_on(predicted, it->vgpu, engine);
	}
	return sum;
}

/* under exclusive dispatch, a single vGPU has all engines at a time */
static bool share_memory(const struct check *check)
{
	const char *dispatch = dispatch_of(check);

	return dispatch && strcmp(dispatch, "exclusive");
}

static void check_memory(struct check *check, const GArray *predicted, const struct predicted *it)
{
	const GArray *curve = it->stream->beside;
	int64_t beside_mbps = share_memory(check) ? most_beside(predicted, it) : UNKNOWN;
	int64_t calibrated = curve->len ?
		g_array_index(curve, struct profile_beside, curve->len - 1).mbps : 0;

	if (!known(beside_mbps))
		return;
	if (!curve->len)
		add(check, it->vgpu, &it->stream->engine,
		    "its sensitivity to memory contention is not in its profile, and not predicted: run 'gvt-stat calibrate'");
	else if (beside_mbps > calibrated)
		add(check, it->vgpu, &it->stream->engine,
		    "others may demand %" PRId64 " MB/s of the memory at once; it was calibrated beside up to %" PRId64,
		    beside_mbps, calibrated);
}

/* needed only if a vGPU on another engine has a sensitivity curve */
static void check_demand(struct check *check, const GArray *predicted, const struct predicted *it)
{
	bool asked_for = false;

	for (unsigned int nr = 0; nr < predicted->len; nr++) {
		const struct predicted *one = &g_array_index(predicted, struct predicted, nr);

		asked_for |= one->vgpu != it->vgpu && one->stream->beside->len &&
			     !same_engine(&one->stream->engine, &it->stream->engine);
	}
	if (asked_for && share_memory(check) && !known(it->stream->mbps))
		add(check, it->vgpu, &it->stream->engine,
		    "its memory demand is not in its profile: others are predicted as if it were zero");
}

/* --- one profile ------------------------------------------------------------------------------ */

static void check_alone(struct check *check, unsigned int nr)
{
	struct whatif unchanged;
	GArray *alone;

	whatif_init(&unchanged);
	alone = prediction_run(&check->profiles[nr], 1, &unchanged, 1, MODEL_SIMULATION,
			       check->simulator, NULL, NULL);
	for (unsigned int pos = 0; pos < alone->len; pos++) {
		const struct predicted *one = &g_array_index(alone, struct predicted, pos);
		double simulated_ns = one->measures[MEASURE_MEAN].mean;

		if (!(fabs(degradation(simulated_ns, one->stream->solo.mean_ns)) <= TRUSTED_PART))
			add(check, nr + 1, &one->stream->engine,
			    "simulated alone it has a mean latency of %.3f ms, but had %.3f ms: its profile does not describe what it does",
			    simulated_ns / NSEC_PER_MSEC,
			    (double)one->stream->solo.mean_ns / NSEC_PER_MSEC);
	}
	g_array_free(alone, TRUE);
	whatif_clear(&unchanged);
}

static void check_profile(struct check *check, unsigned int nr)
{
	const struct profile *profile = check->profiles[nr];

	if (profile->lost)
		add(check, nr + 1, NULL, "events were lost while it was recorded");
	if (profile->window_ns < VALID_WINDOW_NS)
		add(check, nr + 1, NULL, "it was recorded for %.3f s; predictions were validated with profiles of %d s and more",
		    (double)profile->window_ns / NSEC_PER_SEC, (int)(VALID_WINDOW_NS / NSEC_PER_SEC));
	check_alone(check, nr);
}

GPtrArray *validity_check(struct profile *const *profiles, unsigned int count,
			  const struct whatif *whatif, const GArray *predicted,
			  const char *simulator)
{
	struct check check = {
		profiles, count, whatif, simulator, g_ptr_array_new_with_free_func(free_caveat),
	};

	check_all(&check);
	for (unsigned int nr = 0; nr < count; nr++)
		check_profile(&check, nr);
	for (unsigned int nr = 0; nr < predicted->len; nr++) {
		const struct predicted *one = &g_array_index(predicted, struct predicted, nr);

		check_inferred(&check, one);
		check_lengths(&check, one);
		check_phases(&check, one);
		check_memory(&check, predicted, one);
		check_demand(&check, predicted, one);
	}
	return check.doubts;
}
