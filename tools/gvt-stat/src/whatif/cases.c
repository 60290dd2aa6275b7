// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>

#include "host/supervise.h"
#include "trace/util.h"
#include "cases.h"
#include "measure.h"

/* simulates at most 16 cases: many vGPUs would need too many */
#define MOST_CASES	16
/* preemption points this close act like preemption anywhere */
#define FINE_NS		100000
/*
 * Drops an alternative whose error exceeds the first choice's by this: of the share in points, of
 * the latency as a ratio
 */
#define WRONG_POINTS	10
#define WRONG_PART	0.25

/* the cases in progress */
struct cases {
	const struct whatif *whatif;
	const char *simulator;
	const struct mixture *mixture;
	bool preemptive;
	struct whatif_result *result;	/* the new cases go to its "others" */
};

/* --- copies of streams ------------------------------------------------------------------ */

/* copies a stream and its other contexts; the copies share the work arrays with the originals */
static struct stream *copy_contexts(const struct stream *stream)
{
	struct stream *copy = g_memdup2(stream, sizeof(*stream));

	for (struct stream *of = copy; of->also; of = of->also)
		of->also = g_memdup2(of->also, sizeof(*of->also));
	return copy;
}

static void free_contexts(void *data)
{
	struct stream *stream = data;

	while (stream) {
		struct stream *also = stream->also;

		g_free(stream);
		stream = also;
	}
}

static GPtrArray *copy_streams(const GPtrArray *streams)
{
	GPtrArray *copies = g_ptr_array_new_with_free_func(free_contexts);

	for (unsigned int nr = 0; nr < streams->len; nr++)
		g_ptr_array_add(copies, copy_contexts(streams->pdata[nr]));
	return copies;
}

/* --- a case ------------------------------------------------------------------------------- */

static struct whatif_result *run(const struct cases *cases, const GPtrArray *streams)
{
	struct mixture mixture = *cases->mixture;
	char *problem = NULL;
	struct whatif_result *result;

	mixture.streams = streams;
	result = whatif_run(cases->whatif, cases->simulator, &mixture, &problem);
	g_free(problem);
	supervise_alive();
	return result;
}

/* takes @streams and @name */
static void add_case(struct cases *cases, GPtrArray *streams, char *name)
{
	struct whatif_result *result = cases->result->others->len < MOST_CASES ?
				       run(cases, streams) : NULL;

	if (result) {
		result->name = name;
		g_ptr_array_add(cases->result->others, result);
	} else {
		g_free(name);
	}
	g_ptr_array_free(streams, TRUE);
}

/* --- when guests submit --------------------------------------------------------------------- */

static bool is_ambiguous(const struct stream *stream)
{
	return stream->others && stream->others->len;
}

/* selects contexts of which something is unknown; the selected contexts are numbered from 0 */
typedef bool (*which_fn)(const struct stream *stream);

static unsigned int count(const GPtrArray *streams, which_fn which)
{
	unsigned int found = 0;

	for (unsigned int nr = 0; nr < streams->len; nr++)
		for (const struct stream *of = streams->pdata[nr]; of; of = of->also)
			found += which(of);
	return found;
}

static struct stream *nth(const GPtrArray *streams, which_fn which, unsigned int n)
{
	for (unsigned int nr = 0; nr < streams->len; nr++)
		for (struct stream *of = streams->pdata[nr]; of; of = of->also)
			if (which(of) && !n--)
				return of;
	g_assert_not_reached();
}

/* all guests at once */
static void add_arrivals(struct cases *cases)
{
	const GPtrArray *streams = cases->mixture->streams;
	unsigned int found = count(streams, is_ambiguous);
	GPtrArray *copies;

	if (found <= 1)
		return;
	copies = copy_streams(streams);
	for (unsigned int n = 0; n < found; n++)
		stream_become(nth(copies, is_ambiguous, n), 0);
	add_case(cases, copies, g_strdup("arrivals"));
}

static void add_each_arrivals(struct cases *cases)
{
	const GPtrArray *streams = cases->mixture->streams;
	unsigned int found = count(streams, is_ambiguous);

	for (unsigned int n = 0; n < found; n++) {
		unsigned int others = nth(streams, is_ambiguous, n)->others->len;

		for (unsigned int other = 0; other < others; other++) {
			GPtrArray *copies = copy_streams(streams);

			stream_become(nth(copies, is_ambiguous, n), other);
			add_case(cases, copies, g_strdup_printf("arrivals %u %u", n, other));
		}
	}
}

/* --- how many workloads are in flight --------------------------------------------------------- */

static void set_limit(struct stream *of, bool most)
{
	of->depth = most ? MAX(of->depth, STREAM_DEEP) : MAX(of->least_depth, 1);
}

/* streams that may be open become so, with such a limit; false: none may be */
static bool become_open(GPtrArray *streams, bool most)
{
	unsigned int found = count(streams, is_ambiguous);
	bool any = false;

	for (unsigned int n = 0; n < found; n++) {
		struct stream *of = nth(streams, is_ambiguous, n);

		for (unsigned int other = 0; other < of->others->len; other++) {
			if (!stream_lacks_limit(of->others->pdata[other]))
				continue;
			stream_become(of, other);
			set_limit(of, most);
			any = true;
			break;
		}
	}
	return any;
}

static void add_open_depths(struct cases *cases)
{
	for (int most = 0; most < 2; most++) {
		GPtrArray *copies = copy_streams(cases->mixture->streams);

		if (become_open(copies, most))
			add_case(cases, copies, g_strdup(most ? "arrivals, deep" : "arrivals, shallow"));
		else
			g_ptr_array_free(copies, TRUE);
	}
}

static bool is_unlimited(const struct stream *stream)
{
	return stream->open && stream->doubts & 1u << STREAM_UNLIMITED;
}

static void add_depths(struct cases *cases)
{
	const GPtrArray *streams = cases->mixture->streams;
	unsigned int found = count(streams, is_unlimited);

	for (int most = 0; found && most < 2; most++) {
		GPtrArray *copies = copy_streams(streams);

		for (unsigned int n = 0; n < found; n++)
			set_limit(nth(copies, is_unlimited, n), most);
		add_case(cases, copies, g_strdup(most ? "deep" : "shallow"));
	}
}

/* --- where workloads can be preempted --------------------------------------------------------- */

static bool is_guessed(const struct cases *cases, const struct stream *stream)
{
	const struct whatif_guest *guest = whatif_guest_of(cases->mixture->guests, stream->vgpu);
	const struct whatif_vgpu *told = guest ? whatif_find_vgpu(cases->whatif, guest->id) : NULL;

	return stream->work->len &&
	       stream->doubts & (1u << STREAM_GUESSED_PIECES | 1u << STREAM_NEVER_PREEMPTED) &&
	       guest && !(told && (known(told->piece_ns) || told->preempt == 0 || told->without));
}

/* which vGPUs with guessed preemption points: all, one, or all others */
enum pieces_of { PIECES_ALL, PIECES_ONE, PIECES_OTHERS };

static bool is_meant(enum pieces_of which, const struct vgpu *vgpu, const struct vgpu *of)
{
	return which == PIECES_ALL || (of == vgpu) == (which == PIECES_ONE);
}

static void add_pieces(struct cases *cases, enum pieces_of which, const struct vgpu *vgpu,
		       int64_t piece_ns, char *name)
{
	GPtrArray *copies = copy_streams(cases->mixture->streams);

	for (unsigned int nr = 0; nr < copies->len; nr++)
		for (struct stream *of = copies->pdata[nr]; of; of = of->also)
			if (is_meant(which, vgpu, of->vgpu) &&
			    is_guessed(cases, cases->mixture->streams->pdata[nr]))
				of->piece_ns = piece_ns;
	add_case(cases, copies, name);
}

static bool vgpu_is_guessed(const struct cases *cases, const struct vgpu *vgpu)
{
	const GPtrArray *streams = cases->mixture->streams;

	for (unsigned int nr = 0; nr < streams->len; nr++) {
		const struct stream *stream = streams->pdata[nr];

		if (stream->vgpu == vgpu && is_guessed(cases, stream))
			return true;
	}
	return false;
}

static unsigned int count_guessed(const struct cases *cases)
{
	const GArray *guests = cases->mixture->guests;
	unsigned int guessed = 0;

	for (unsigned int nr = 0; nr < guests->len; nr++)
		guessed += vgpu_is_guessed(cases, g_array_index(guests, struct whatif_guest, nr).vgpu);
	return guessed;
}

static void add_preemption(struct cases *cases)
{
	if (!count_guessed(cases))
		return;
	add_pieces(cases, PIECES_ALL, NULL, 0, g_strdup("uncut"));
	add_pieces(cases, PIECES_ALL, NULL, FINE_NS, g_strdup("fine"));
}

static void add_each_preemption(struct cases *cases)
{
	const GArray *guests = cases->mixture->guests;
	unsigned int guessed = count_guessed(cases);

	for (unsigned int nr = 0; guessed > 1 && nr < guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(guests, struct whatif_guest, nr);

		if (!vgpu_is_guessed(cases, guest->vgpu))
			continue;
		add_pieces(cases, PIECES_ONE, guest->vgpu, 0, g_strdup_printf("uncut %" PRId64, guest->id));
		/* of two, that is the other one's */
		if (guessed > 2)
			add_pieces(cases, PIECES_OTHERS, guest->vgpu, 0,
				   g_strdup_printf("uncut but %" PRId64, guest->id));
	}
}

struct whatif_result *cases_run(const struct whatif *whatif, const char *simulator,
				const struct mixture *mixture, char **problem)
{
	struct cases cases = { .whatif = whatif, .simulator = simulator, .mixture = mixture };
	char *dispatch = whatif_value(whatif, mixture->info, "dispatch");

	cases.result = whatif_run(whatif, simulator, mixture, problem);
	if (cases.result && !whatif->line) {
		bool preemptive = !g_strcmp0(dispatch, "preemptive");

		/* those of all guests first: of each guest there may be more than MOST_CASES */
		add_arrivals(&cases);
		add_depths(&cases);
		if (preemptive)
			add_preemption(&cases);
		add_open_depths(&cases);
		add_each_arrivals(&cases);
		if (preemptive)
			add_each_preemption(&cases);
	}
	g_free(dispatch);
	return cases.result;
}

/* --- alternatives against the recording ------------------------------------------------------- */

/* how far a simulation under the recorded settings misses the recording */
static void miss(const struct whatif_result *result, int64_t id, const struct stream *stream,
		 const struct tally_cell *recorded, int64_t window_ns, double *points, double *part)
{
	const struct vgpu_engine *queue = result ? whatif_queue(result, id, stream->engine) : NULL;
	double was[MEASURES], then[MEASURES];

	*points = *part = INFINITY;
	if (!queue)
		return;
	measure_all(recorded, window_ns, was);
	measure_all(tally_of(result->tally, queue->index, result->windows),
		    result->windows * result->window_ns, then);
	*points = fabs(then[MEASURE_SHARE] - was[MEASURE_SHARE]);
	*part = fabs(then[MEASURE_MEAN] / was[MEASURE_MEAN] - 1);
}

static bool is_wrong(const struct cases *cases, unsigned int nr, unsigned int context, unsigned int other,
		     const struct whatif_result *rehearsed, const struct tally_cell *recorded)
{
	const struct stream *stream = cases->mixture->streams->pdata[nr];
	int64_t id = whatif_guest_of(cases->mixture->guests, stream->vgpu)->id;
	GPtrArray *copies = copy_streams(cases->mixture->streams);
	struct stream *of = copies->pdata[nr];
	double points, part, of_first_points, of_first_part;
	struct whatif_result *result;

	while (context--)
		of = of->also;
	stream_become(of, other);
	result = run(cases, copies);
	miss(rehearsed, id, stream, recorded, cases->mixture->window_ns, &of_first_points, &of_first_part);
	miss(result, id, stream, recorded, cases->mixture->window_ns, &points, &part);
	if (result)
		whatif_result_free(result);
	g_ptr_array_free(copies, TRUE);
	return points > of_first_points + WRONG_POINTS || part > of_first_part + WRONG_PART;
}

/* settle the alternatives of one context */
static void settle_context(const struct cases *cases, unsigned int nr, struct stream *of,
			   unsigned int context, const struct whatif_result *rehearsed,
			   const struct tally_cell *recorded)
{
	for (unsigned int other = of->others ? of->others->len : 0; other-- > 0; ) {
		const struct stream *as = of->others->pdata[other];

		/* the recorded rate is only a lower bound of STREAM_SERVED */
		if (as->kind != STREAM_SERVED &&
		    is_wrong(cases, nr, context, other, rehearsed, recorded))
			g_ptr_array_remove_index(of->others, other);
	}
}

void cases_settle(const struct whatif *whatif, const char *simulator, const struct mixture *mixture,
		  const struct whatif_result *rehearsed,
		  const struct tally_cell *(*recorded)(const void *ctx, const struct stream *stream),
		  const void *ctx)
{
	const struct cases cases = { .whatif = whatif, .simulator = simulator, .mixture = mixture };

	for (unsigned int nr = 0; nr < mixture->streams->len; nr++) {
		struct stream *stream = mixture->streams->pdata[nr];
		unsigned int context = 0;
		bool ambiguous = false;

		for (struct stream *of = stream; of; of = of->also, context++) {
			settle_context(&cases, nr, of, context, rehearsed, recorded(ctx, stream));
			ambiguous |= is_ambiguous(of);
		}
		if (!ambiguous)
			stream->doubts &= ~(1u << STREAM_AMBIGUOUS);
	}
}
