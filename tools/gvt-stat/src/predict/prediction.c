// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "host/supervise.h"
#include "trace/util.h"
#include "whatif/cases.h"
#include "whatif/mix.h"
#include "curve.h"
#include "fcfs.h"
#include "prediction.h"

/* applications start late by up to this, which is within the warm-up */
#define MOST_START_NS	NSEC_PER_SEC

/* simulate the other cases in every 5th phase only */
#define CASES_EACH	5

/* an application in one phase */
struct actor {
	const struct profile *profile;
	struct vgpu vgpu;
	int64_t shift_ns;		/* delay of its start */
};

double degradation(double beside_ns, double alone_ns)
{
	return (beside_ns - alone_ns) / alone_ns;
}

/* --- settings --------------------------------------------------------------------------- */

/*
 * starts from the first profile's settings; no start boost, as the applications have run for long
 */
static void combine(struct whatif *to, const struct whatif *from, const struct profile *first)
{
	whatif_init(to);
	to->windows = 1;
	for (unsigned int nr = 0; nr < first->settings->len; nr += 2)
		if (strcmp(first->settings->pdata[nr], "boost_ms"))
			whatif_set(to, first->settings->pdata[nr], first->settings->pdata[nr + 1]);
	for (unsigned int nr = 0; nr < from->settings->len; nr += 2)
		whatif_set(to, from->settings->pdata[nr], from->settings->pdata[nr + 1]);
	for (unsigned int nr = 0; nr < from->vgpus->len; nr++) {
		const struct whatif_vgpu *vgpu = &g_array_index(from->vgpus, struct whatif_vgpu, nr);

		*whatif_vgpu(to, vgpu->id) = *vgpu;
	}
}

/* --- phases ----------------------------------------------------------------------------- */

/* mean time between workloads: of an open stream if there is one, or else of any stream */
static int64_t beat_ns(const struct profile *profile)
{
	int64_t beat_ns = 0;
	bool open = false;

	for (unsigned int nr = 0; nr < profile->streams->len; nr++) {
		const struct profile_stream *stream = profile->streams->pdata[nr];

		if (open && !stream->stream.open)
			continue;
		if (!beat_ns || (stream->stream.open && !open))
			beat_ns = MAX(profile->window_ns / stream->solo.completed, 1);
		open |= stream->stream.open;
	}
	return beat_ns;
}

/*
 * Multiples of irrational numbers, a different one for each application, spread the shifts evenly
 * between two workloads; each phase also begins at a different workload. The first application
 * shifts, too, because the periods of the scheduler are a clock of their own.
 */
static int64_t shift_ns(const struct profile *profile, unsigned int actor, unsigned int phase)
{
	static const double irrational[MIX_MOST_VGPUS] = {
		0.2360679775, 0.6180339887, 0.4142135624, 0.7320508076, 0.7548776662, 0.6457513111,
		0.3166247904,
	};
	int64_t beat = beat_ns(profile);
	int64_t beats = MAX(MIN(MOST_START_NS, profile->window_ns) / beat, 1);
	double part = fmod(phase * irrational[actor], 1);

	return llround(beat * part) + 7 * phase % beats * beat;
}

static gint compare_work(gconstpointer a, gconstpointer b)
{
	const struct stream_work *one = a, *two = b;

	return (one->at_ns > two->at_ns) - (one->at_ns < two->at_ns);
}

/* delays open arrivals; arrivals shifted past the end of the window wrap to its beginning */
static GArray *shift_work(const GArray *work, int64_t shift_ns, int64_t window_ns)
{
	GArray *shifted = g_array_sized_new(FALSE, FALSE, sizeof(struct stream_work), work->len);

	for (unsigned int nr = 0; nr < work->len; nr++) {
		struct stream_work one = g_array_index(work, struct stream_work, nr);

		one.at_ns = (one.at_ns + shift_ns) % window_ns;
		g_array_append_val(shifted, one);
	}
	g_array_sort(shifted, compare_work);
	return shifted;
}

/* one phase with its applications and their start times */
struct trial {
	struct actor actors[MIX_MOST_VGPUS];
	GArray *guests;			/* struct whatif_guest, one per actor */
	GPtrArray *streams;		/* struct stream, in the order of the predictions */
	GArray *memory;			/* struct whatif_memory, by stream */
	int64_t window_ns;
};

static void free_stream(void *data)
{
	struct stream *stream = data;

	while (stream) {
		struct stream *also = stream->also;

		g_array_unref(stream->work);
		g_free(stream);
		stream = also;
	}
}

static void clear_memory(void *data)
{
	struct whatif_memory *memory = data;

	g_array_unref(memory->points);
}

/* copies an application's context and its other contexts, shifted for this phase */
static struct stream *shift_stream(const struct stream *of, const struct actor *actor,
				   const struct gpu_engine *engine)
{
	struct stream *stream = g_memdup2(of, sizeof(*stream));

	stream->vgpu = &actor->vgpu;
	stream->engine = engine;
	stream->work = of->open ? shift_work(of->work, actor->shift_ns, actor->profile->window_ns) :
				  g_array_ref(of->work);
	if (of->also)
		stream->also = shift_stream(of->also, actor, engine);
	return stream;
}

/* applies the user's choice between open and closed, if there is such an alternative */
static void choose_one(struct stream *stream, bool open)
{
	for (unsigned int nr = 0; stream->others && stream->open != open && nr < stream->others->len; nr++) {
		GArray *work = stream->work;

		if (((const struct stream *)stream->others->pdata[nr])->open != open)
			continue;
		stream_become(stream, nr);
		g_array_ref(stream->work);
		g_array_unref(work);
	}
	stream->others = NULL;
	stream->doubts &= ~(1u << STREAM_AMBIGUOUS);
}

static void choose(struct stream *stream, const struct whatif_vgpu *told)
{
	for (; stream && told && told->arrivals != STREAM_ANY; stream = stream->also)
		choose_one(stream, told->arrivals == STREAM_OPEN);
}

static void add_streams(struct trial *trial, const struct actor *actor, const struct whatif_vgpu *told)
{
	const struct profile *profile = actor->profile;

	for (unsigned int nr = 0; nr < profile->streams->len; nr++) {
		const struct profile_stream *of = profile->streams->pdata[nr];
		struct stream *stream = shift_stream(&of->stream, actor, &of->engine);
		const struct whatif_memory memory = { of->mbps, curve_of(of->beside) };

		choose(stream, told);
		g_ptr_array_add(trial->streams, stream);
		g_array_append_val(trial->memory, memory);
	}
}

static int64_t longest_window(const struct actor *actors, unsigned int count)
{
	int64_t window_ns = 0;

	for (unsigned int nr = 0; nr < count; nr++)
		window_ns = MAX(window_ns, actors[nr].profile->window_ns);
	return window_ns;
}

static void begin_trial(struct trial *trial, struct profile *const *profiles, unsigned int count,
			unsigned int number, const struct whatif *whatif)
{
	trial->guests = g_array_new(FALSE, FALSE, sizeof(struct whatif_guest));
	trial->streams = g_ptr_array_new_with_free_func(free_stream);
	trial->memory = g_array_new(FALSE, FALSE, sizeof(struct whatif_memory));
	g_array_set_clear_func(trial->memory, clear_memory);
	for (unsigned int nr = 0; nr < count; nr++) {
		struct actor *actor = &trial->actors[nr];
		const struct whatif_guest guest = {
			.vgpu = &actor->vgpu, .id = nr + 1, .window_ns = profiles[nr]->window_ns,
			.start_ns = shift_ns(profiles[nr], nr, number),
		};

		*actor = (struct actor) { profiles[nr], profiles[nr]->vgpu, guest.start_ns };
		g_array_append_val(trial->guests, guest);
		add_streams(trial, actor, whatif_find_vgpu(whatif, nr + 1));
	}
	trial->window_ns = longest_window(trial->actors, count);
}

static void end_trial(struct trial *trial)
{
	g_ptr_array_free(trial->streams, TRUE);
	g_array_free(trial->memory, TRUE);
	g_array_free(trial->guests, TRUE);
}

/* --- results ------------------------------------------------------------------------------ */

/* a vGPU that completes nothing in one phase has no latency, so the mean is unknown, too */
static void add_value(struct spread *spread, double value, unsigned int phase)
{
	if (!phase)
		*spread = (struct spread) { value, value, value };
	else if (isnan(value) || isnan(spread->mean))
		*spread = (struct spread) { NAN, NAN, NAN };
	else
		*spread = (struct spread) {
			spread->mean + (value - spread->mean) / (phase + 1),
			MIN(spread->least, value), MAX(spread->most, value),
		};
}

static void add_values(struct predicted *predicted, const double values[MEASURES],
		       unsigned int phase)
{
	for (int id = 0; id < MEASURES; id++)
		add_value(&predicted->measures[id], values[id], phase);
	add_value(&predicted->degradation,
		  degradation(values[MEASURE_MEAN], predicted->stream->solo.mean_ns), phase);
}

static void widen_value(struct spread *spread, double value)
{
	spread->least = fmin(spread->least, value);
	spread->most = fmax(spread->most, value);
}

/* another case is possible, too, if less likely */
static void widen(struct predicted *predicted, const double values[MEASURES])
{
	for (int id = 0; id < MEASURES; id++)
		widen_value(&predicted->measures[id], values[id]);
	widen_value(&predicted->degradation,
		    degradation(values[MEASURE_MEAN], predicted->stream->solo.mean_ns));
}

static void measure_in(const struct predicted *predicted, const struct whatif_result *result,
		       double values[MEASURES])
{
	const struct vgpu_engine *queue =
		whatif_queue(result, predicted->vgpu, &predicted->stream->engine);

	for (int id = 0; id < MEASURES; id++)
		values[id] = NAN;
	if (queue)
		measure_all(tally_of(result->tally, queue->index, 0), result->window_ns, values);
}

/* predicts each of @all in a phase */
typedef void (*predict_fn)(const struct trial *trial, const struct whatif *whatif,
			   const char *simulator, GArray *all, unsigned int number);

static void simulate(const struct trial *trial, const struct whatif *whatif, const char *simulator,
		     GArray *all, unsigned int number)
{
	const struct mixture mixture = {
		&sched_info_unknown, trial->guests, trial->streams, trial->window_ns,
		trial->memory, NULL,
	};
	char *problem;
	struct whatif_result *result = (number % CASES_EACH ? whatif_run : cases_run)
					(whatif, simulator, &mixture, &problem);

	if (!result)
		fatal("%s", problem);
	for (unsigned int nr = 0; nr < all->len; nr++) {
		struct predicted *predicted = &g_array_index(all, struct predicted, nr);
		double values[MEASURES];

		measure_in(predicted, result, values);
		add_values(predicted, values, number);
		for (unsigned int other = 0; other < result->others->len; other++) {
			measure_in(predicted, result->others->pdata[other], values);
			widen(predicted, values);
		}
	}
	whatif_result_free(result);
}

static void replay(const struct trial *trial, const struct whatif *whatif, const char *simulator,
		   GArray *all, unsigned int number)
{
	GArray *cells = fcfs_replay(whatif, trial->guests, trial->streams, WHATIF_WARMUP_NS,
				    trial->window_ns);

	(void)simulator;
	for (unsigned int nr = 0; nr < all->len; nr++) {
		double values[MEASURES];

		measure_all(&g_array_index(cells, struct tally_cell, nr), trial->window_ns, values);
		add_values(&g_array_index(all, struct predicted, nr), values, number);
	}
	fcfs_free(cells);
}

static const predict_fn models[MODELS] = {
	[MODEL_SIMULATION] = simulate,
	[MODEL_PROPHET] = replay,
};

static GArray *nothing_yet(struct profile *const *profiles, unsigned int count)
{
	GArray *all = g_array_new(FALSE, TRUE, sizeof(struct predicted));

	for (unsigned int nr = 0; nr < count; nr++)
		for (unsigned int pos = 0; pos < profiles[nr]->streams->len; pos++) {
			const struct predicted predicted = {
				.vgpu = nr + 1, .stream = profiles[nr]->streams->pdata[pos],
			};

			g_array_append_val(all, predicted);
		}
	return all;
}

GArray *prediction_run(struct profile *const *profiles, unsigned int count,
		       const struct whatif *whatif, unsigned int phases,
		       enum prediction_model model, const char *simulator)
{
	GArray *all = nothing_yet(profiles, count);
	struct whatif combined;

	combine(&combined, whatif, profiles[0]);
	for (unsigned int number = 0; number < phases; number++) {
		struct trial trial;

		begin_trial(&trial, profiles, count, number, &combined);
		models[model](&trial, &combined, simulator, all, number);
		end_trial(&trial);
		supervise_alive();
	}
	whatif_clear(&combined);
	return all;
}
