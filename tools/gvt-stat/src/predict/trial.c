// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "trace/util.h"
#include "whatif/resample.h"
#include "curve.h"
#include "trial.h"

/* applications start late by up to this, which is within the warm-up */
#define MOST_START_NS	NSEC_PER_SEC

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

static void free_stream(void *data)
{
	struct stream *stream = data;

	while (stream) {
		struct stream *also = stream->also;

		g_array_unref(stream->work);
		g_ptr_array_unref(stream->others);
		g_free(stream);
		stream = also;
	}
}

static void clear_memory(void *data)
{
	struct whatif_memory *memory = data;

	g_array_unref(memory->points);
}

/* --- what differs from one time to the next ---------------------------------------------- */

/*
 * Part of a span for a context in this phase. In all phases together the parts are spread evenly,
 * in an order of each context's own.
 */
static double part_of(const struct trial *trial, unsigned int context)
{
	GRand *rand = g_rand_new_with_seed(context);
	unsigned int varied = trial->phases - 1, at = trial->number - 1;

	/* where a shuffle of all puts this one */
	for (unsigned int nr = varied; nr > 1; nr--) {
		unsigned int with = g_rand_int_range(rand, 0, nr);

		if (at == nr - 1)
			at = with;
		else if (at == with)
			at = nr - 1;
	}
	g_rand_free(rand);
	return (at + 0.5) / varied;
}

/* all pauses are longer or shorter by the same part */
static GArray *vary_pauses(const struct trial *trial, const GArray *work, unsigned int context)
{
	double factor = 1 + (2 * part_of(trial, context) - 1) * WHATIF_VARY_PPM / 1e6;
	GArray *varied = g_array_sized_new(FALSE, FALSE, sizeof(struct stream_work), work->len);

	for (unsigned int nr = 0; nr < work->len; nr++) {
		struct stream_work one = g_array_index(work, struct stream_work, nr);

		one.at_ns = llround(one.at_ns * factor);
		g_array_append_val(varied, one);
	}
	return varied;
}

/* arrivals at random of another time with, in all phases together, the recorded load */
static GArray *draw_arrivals(const struct trial *trial, const GArray *work, int64_t window_ns,
			     unsigned int context)
{
	GArray *all = resample_arrivals(work, window_ns, 0, trial->phases, context);
	GArray *drawn = g_array_new(FALSE, FALSE, sizeof(struct stream_work));

	for (unsigned int nr = 0; nr < all->len; nr++) {
		struct stream_work one = g_array_index(all, struct stream_work, nr);

		if (one.at_ns / window_ns != trial->number)
			continue;
		one.at_ns %= window_ns;
		g_array_append_val(drawn, one);
	}
	g_array_free(all, TRUE);
	return drawn;
}

static bool is_drawn(const struct trial *trial, const struct stream *stream)
{
	return stream->kind == STREAM_RANDOM &&
	       (size_t)stream->work->len * trial->phases <= WHATIF_MOST_RESAMPLED;
}

/* the work of a context in this phase; as recorded in the first one, but for its start */
static GArray *work_of(const struct trial *trial, const struct stream *stream,
		       const struct actor *actor, unsigned int context)
{
	int64_t window_ns = actor->profile->window_ns;
	GArray *work = NULL;

	if (!stream->work->len)
		return g_array_ref(stream->work);
	if (trial->number && is_drawn(trial, stream))
		work = draw_arrivals(trial, stream->work, window_ns, context);
	if (work && work->len)
		return work;
	if (work)
		g_array_free(work, TRUE);
	if (stream->open)
		return shift_work(stream->work, actor->shift_ns, window_ns);
	return trial->number ? vary_pauses(trial, stream->work, context) : g_array_ref(stream->work);
}

static struct stream *copy_of(const struct trial *trial, const struct stream *of,
			      const struct actor *actor, const struct gpu_engine *engine,
			      unsigned int context)
{
	struct stream *stream = g_memdup2(of, sizeof(*stream));

	stream->vgpu = &actor->vgpu;
	stream->engine = engine;
	stream->work = work_of(trial, of, actor, context);
	stream->others = g_ptr_array_new_with_free_func(free_stream);
	stream->also = NULL;
	for (unsigned int nr = 0; of->others && nr < of->others->len; nr++)
		g_ptr_array_add(stream->others, copy_of(trial, of->others->pdata[nr], actor, engine,
							context));
	return stream;
}

/* copies an application's context and its other contexts, for this phase */
static struct stream *copy_contexts(struct trial *trial, const struct stream *of,
				    const struct actor *actor, const struct gpu_engine *engine)
{
	struct stream *stream = copy_of(trial, of, actor, engine, ++trial->contexts);

	if (of->also)
		stream->also = copy_contexts(trial, of->also, actor, engine);
	return stream;
}

static bool is_open(const struct stream *stream, unsigned int other)
{
	return ((const struct stream *)stream->others->pdata[other])->open;
}

/* becomes one of its alternatives, which is none any more */
static void take(struct stream *stream, unsigned int other)
{
	GArray *work = stream->work;

	stream_become(stream, other);
	g_array_ref(stream->work);
	g_array_unref(work);
	g_ptr_array_remove_index(stream->others, other);
	if (stream_lacks_limit(stream))
		stream->doubts |= 1u << STREAM_UNLIMITED;
}

/*
 * applies the user's choice between open and closed, if there is such an alternative: rules out
 * those of the other group
 */
static void choose_one(struct stream *stream, bool open)
{
	for (unsigned int nr = 0; stream->open != open && nr < stream->others->len; nr++)
		if (is_open(stream, nr) == open)
			take(stream, nr);
	for (unsigned int nr = stream->others->len; nr-- > 0; )
		if (is_open(stream, nr) != open)
			g_ptr_array_remove_index(stream->others, nr);
	if (!stream->others->len)
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
		struct stream *stream = copy_contexts(trial, &of->stream, actor, &of->engine);
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

void trial_begin(struct trial *trial, struct profile *const *profiles, unsigned int count,
		 unsigned int number, unsigned int phases, const struct whatif *whatif)
{
	*trial = (struct trial) { .number = number, .phases = phases };
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

void trial_end(struct trial *trial)
{
	g_ptr_array_free(trial->streams, TRUE);
	g_array_free(trial->memory, TRUE);
	g_array_free(trial->guests, TRUE);
}
