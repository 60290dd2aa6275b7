// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "trace/util.h"
#include "streams-private.h"

/* a queue that is full this often always is: the guest's true rate is unknown */
#define ALWAYS_PART	0.95
/* and a guest then queues within this time after a completion */
#define AT_ONCE_NS	NSEC_PER_MSEC
/* assumed limit of a guest if none was observed */
#define USUAL_DEPTH	4
/* what follows completions: within this part of the mean gap, in this share of the workloads */
#define SOON_PART	0.05
#define NEARLY_ALWAYS	0.9
/*
 * Kinds within this margin of the best one's bits count as equally good: the probability that
 * they are not is 2^-MARGIN_BITS, and the kinds are only approximations
 */
#define MARGIN_BITS	24.0
#define MARGIN_PART	0.05
/*
 * and within this, times the root of their number, kinds with a distribution estimated from the
 * times differ by chance from kinds with a known one
 */
#define CHANCE_BITS	3.0
/* kinds within this margin are tied */
#define TIE_BITS	4.0

static void add_work(struct stream *stream, int64_t exec_ns, int64_t at_ns, unsigned int lag)
{
	const struct stream_work work = { exec_ns, MAX(at_ns, 0), lag };

	g_array_append_val(stream->work, work);
}

static int64_t pause_of(const GArray *work, guint nr)
{
	return g_array_index(work, struct stream_work, nr).at_ns;
}

/* a burst begins after a pause of at least half the longest one */
static bool begins_burst(const GArray *work, guint nr, int64_t longest_ns)
{
	return pause_of(work, nr) >= longest_ns - pause_of(work, nr);
}

static int64_t longest_pause(const GArray *work)
{
	int64_t longest_ns = 0;

	for (guint nr = 0; nr < work->len; nr++)
		longest_ns = MAX(longest_ns, pause_of(work, nr));
	return longest_ns;
}

/*
 * The work is repeated: a partial burst at its beginning or end would create bursts of a
 * length that the guest never has, and mislead the scheduler's estimate of pauses. Keeps
 * at least half of the work.
 */
static void keep_whole_bursts(GArray *work)
{
	int64_t longest_ns = longest_pause(work);
	guint bursts = 0, from = 0, to = 0;

	for (guint nr = work->len; nr-- > 0; ) {
		if (!begins_burst(work, nr, longest_ns))
			continue;
		from = nr;
		if (!bursts++)
			to = nr;
	}
	if (bursts == work->len || to - from < (work->len + 1) / 2)
		return;
	g_array_set_size(work, to);
	if (from)
		g_array_remove_range(work, 0, from);
}

/* Ignores pauses in which unknown workloads may have come and gone. */
static void add_closed(struct stream *stream, const GArray *lives)
{
	for (guint nr = stream->depth; nr < lives->len; nr++)
		if (is_seen_whole(lives, nr, stream->depth))
			add_work(stream, life_at(lives, nr)->exec_ns, life_at(lives, nr)->queue_ns -
				 life_at(lives, nr - stream->depth)->end_ns, stream->depth);
	keep_whole_bursts(stream->work);
	if (stream->work->len)
		return;
	/* too few to find a pause */
	for (guint nr = 0; nr < lives->len; nr++)
		add_work(stream, life_at(lives, nr)->exec_ns, 0, stream->depth);
}

/* Relative to the window: actual arrival if on time, due time if held */
static void add_timetable(struct stream *stream, const struct fitting *fitting, const struct fit *fit,
			  struct window window)
{
	GArray *due = numbers_new();

	for (guint nr = 0; nr < fitting->lives->len; nr++) {
		int64_t queue_ns = life_at(fitting->lives, nr)->queue_ns;
		double due_ns = fit_due_ns(fitting, fit, nr);
		int64_t at_ns = fabs(queue_ns - due_ns) < fit->period_ns / 4 ? queue_ns : llround(due_ns);

		at_ns = CLAMP(at_ns, window.from_ns, window.to_ns - 1);
		g_array_append_val(due, at_ns);
	}
	g_array_sort(due, numbers_compare);
	for (guint nr = 0; nr < due->len; nr++)
		add_work(stream, life_at(fitting->lives, nr)->exec_ns,
			 g_array_index(due, int64_t, nr) - window.from_ns, 0);
	g_array_free(due, TRUE);
}

/* Declared period: all due times in the window; reuses execution times cyclically */
static void add_told(struct stream *stream, const struct fitting *fitting, const struct fit *fit,
		     struct window window)
{
	double due_ns = fit->first_ns;

	due_ns -= floor((due_ns - window.from_ns) / fit->period_ns) * fit->period_ns;
	for (guint nr = 0; due_ns < window.to_ns && nr < STREAM_MOST; nr++, due_ns += fit->period_ns)
		add_work(stream, life_at(fitting->lives, nr % fitting->lives->len)->exec_ns,
			 llround(due_ns) - window.from_ns, 0);
}

static void add_open(struct stream *stream, const struct fitting *fitting, const struct fit *fit,
		     struct window window)
{
	(void)fit;
	for (guint nr = 0; nr < fitting->lives->len; nr++)
		add_work(stream, life_at(fitting->lives, nr)->exec_ns,
			 life_at(fitting->lives, nr)->queue_ns - window.from_ns, 0);
}

/* the served work only, evenly spaced */
static void add_served(struct stream *stream, const struct fitting *fitting, struct window window)
{
	double gap_ns = (double)(window.to_ns - window.from_ns) / fitting->lives->len;

	for (guint nr = 0; nr < fitting->lives->len; nr++)
		add_work(stream, life_at(fitting->lives, nr)->exec_ns, llround(nr * gap_ns), 0);
}

/* each workload waited for the last event before it: a completion, or a queueing */
static void add_chain(struct stream *stream, const GArray *lives, const GArray *ends)
{
	guint done = 0;

	for (guint nr = 1; nr < lives->len; nr++) {
		const struct life *life = life_at(lives, nr), *before = life_at(lives, nr - 1);

		while (done < ends->len && g_array_index(ends, int64_t, done) <= life->queue_ns)
			done++;
		if (!is_seen_whole(lives, nr, 1))
			continue;
		if (!done || g_array_index(ends, int64_t, done - 1) < before->queue_ns)
			add_work(stream, life->exec_ns, life->queue_ns - before->queue_ns, 0);
		else
			add_work(stream, life->exec_ns, life->queue_ns -
				 g_array_index(ends, int64_t, done - 1), nr + 1 > done ? nr + 1 - done : 1);
	}
	keep_whole_bursts(stream->work);
}

/* --- which kind it is ------------------------------------------------------------------------- */

/* from the first to the last workload, without times that may hide others */
static double seen_ns(const GArray *lives)
{
	double ns = 0;

	for (guint nr = 1; nr < lives->len; nr++)
		if (is_seen_whole(lives, nr, 1))
			ns += life_at(lives, nr)->queue_ns - life_at(lives, nr - 1)->queue_ns;
	return ns;
}

static bool is_open(enum fit_kind kind)
{
	return kind == FIT_TIMETABLE || kind == FIT_RANDOM;
}

/* A guest's limit shows if workloads had to wait for it */
static void limit_open(struct stream *stream, const struct fitting *fitting)
{
	unsigned int usual = MAX(fitting->usual, 1);

	stream->depth = fitting->limited ? usual : MAX(2 * usual, USUAL_DEPTH);
	stream->least_depth = usual;
	if (fitting->depth)
		stream->depth = stream->least_depth = fitting->depth;
	else if (!fitting->limited)
		stream->doubts |= 1u << STREAM_UNLIMITED;
}

static void fill(struct stream *stream, const struct fitting *fitting, const struct fit *fit,
		 struct window window)
{
	static const enum stream_kind kinds[FIT_KINDS] = {
		[FIT_LOOP] = STREAM_LOOP, [FIT_DEEPER] = STREAM_LOOP, [FIT_CHAIN] = STREAM_LOOP,
		[FIT_TIMETABLE] = STREAM_TIMETABLE, [FIT_RANDOM] = STREAM_RANDOM,
	};

	stream->kind = kinds[fit->kind];
	stream->open = is_open(fit->kind);
	stream->depth = fit->depth;
	stream->period_ns = fit->period_ns;
	if (stream->open)
		limit_open(stream, fitting);
	if (fit->kind == FIT_LOOP || fit->kind == FIT_DEEPER)
		add_closed(stream, fitting->lives);
	else if (fit->kind == FIT_CHAIN)
		add_chain(stream, fitting->lives, fitting->ends);
	else if (fit->kind == FIT_TIMETABLE && fitting->period_ns > 0)
		add_told(stream, fitting, fit, window);
	else if (fit->kind == FIT_TIMETABLE)
		add_timetable(stream, fitting, fit, window);
	else
		add_open(stream, fitting, fit, window);
	/* too few to find their causes */
	for (guint nr = 0; !stream->work->len && nr < fitting->lives->len; nr++)
		add_work(stream, life_at(fitting->lives, nr)->exec_ns, 0, MAX(stream->depth, 1));
}

static struct stream *new_alternative(struct stream *stream)
{
	struct stream *other = g_new0(struct stream, 1);

	*other = (struct stream) {
		.vgpu = stream->vgpu, .engine = stream->engine, .contexts = stream->contexts,
		.full = stream->full, .work = g_array_new(FALSE, FALSE, sizeof(struct stream_work)),
	};
	g_ptr_array_add(stream->others, other);
	stream->doubts |= 1u << STREAM_AMBIGUOUS;
	return other;
}

/*
 * A guest with several workloads in flight that queues as soon as there is room cannot be
 * distinguished from one with any rate above the served one
 */
static bool is_backlogged(const struct fitting *fitting)
{
	GArray *pauses = numbers_new();
	bool at_once;

	for (guint nr = fitting->usual; nr < fitting->lives->len; nr++) {
		int64_t pause_ns = life_at(fitting->lives, nr)->queue_ns -
				   life_at(fitting->lives, nr - fitting->usual)->end_ns;

		if (is_seen_whole(fitting->lives, nr, fitting->usual))
			g_array_append_val(pauses, pause_ns);
	}
	at_once = pauses->len && numbers_median(pauses) < AT_ONCE_NS;
	g_array_free(pauses, TRUE);
	return at_once && fitting->usual > 1 && fitting->full > ALWAYS_PART;
}

static void add_backlogged(struct stream *stream, const struct fitting *fitting, struct window window)
{
	struct stream *other = new_alternative(stream);

	other->kind = STREAM_SERVED;
	other->open = true;
	other->depth = other->least_depth = fitting->depth ? fitting->depth : fitting->usual;
	add_served(other, fitting, window);
}

static bool may_be(const struct stream_told *told, enum fit_kind kind)
{
	if (!told || told->arrivals == STREAM_ANY)
		return true;
	return is_open(kind) == (told->arrivals == STREAM_OPEN);
}

/*
 * Work that is nearly always queued within a small part of the mean gap after a completion is a
 * loop, even if in step with a clock: coincidence is too unlikely
 */
static bool follows_completions(const struct fitting *fitting, const struct fit *fit)
{
	double soon_ns = SOON_PART * seen_ns(fitting->lives) / fitting->lives->len;
	guint soon = 0, seen = 0;

	for (guint nr = fit->depth; nr < fitting->lives->len; nr++) {
		double pause_ns = life_at(fitting->lives, nr)->queue_ns -
				  life_at(fitting->lives, nr - fit->depth)->end_ns;

		if (!is_seen_whole(fitting->lives, nr, fit->depth))
			continue;
		seen++;
		soon += fit->kind == FIT_LOOP && pause_ns > -NEGATIVE_NS && pause_ns < soon_ns;
	}
	/* unknown cases are no counterevidence */
	return seen && soon > NEARLY_ALWAYS * MIN(seen + fit->depth, fitting->lives->len);
}

/* in flight for less than half of the time, typical of periodic work with time to spare */
static bool is_light(const GArray *lives)
{
	double flight_ns = 0;

	for (guint nr = 0; nr < lives->len; nr++)
		flight_ns += life_at(lives, nr)->end_ns - life_at(lives, nr)->queue_ns;
	return 2 * flight_ns < seen_ns(lives);
}

static double margin_of(const GArray *lives)
{
	return fmax(MARGIN_BITS, MARGIN_PART * lives->len);
}

/* That a guest can have more in flight than it ever had is a bold claim, and has to explain more. */
static void fit_kinds(const struct fitting *fitting, struct fit fits[FIT_KINDS])
{
	fit_all(fitting, fits);
	fits[FIT_DEEPER].bits += MARGIN_BITS;
}

/* a loop of what was in flight is an alternative to a deeper one that is not clearly better */
static bool may_be_shallower(const struct fitting *fitting, const struct fit *fit, const struct fit *best)
{
	return fit->kind == FIT_LOOP && fit->possible && best->kind == FIT_DEEPER &&
	       fit->bits < best->bits - MARGIN_BITS + margin_of(fitting->lives);
}

static const struct fit *best_of(const struct fitting *fitting, const struct fit fits[FIT_KINDS],
				 const struct stream_told *told)
{
	const struct fit *best = NULL, *likelier;

	for (int kind = 0; kind < FIT_KINDS; kind++)
		if (fits[kind].possible && may_be(told, kind) && (!best || fits[kind].bits < best->bits))
			best = &fits[kind];
	if (!best)
		return NULL;
	/* equally regular: both are kept, the likelier one first */
	likelier = &fits[is_light(fitting->lives) ? FIT_TIMETABLE : FIT_LOOP];
	return likelier->possible && may_be(told, likelier->kind) && likelier->bits < best->bits + TIE_BITS ?
	       likelier : best;
}

/*
 * Only a kind of the other group is an alternative: loops of both kinds count as the same, and
 * arrivals are replayed as recorded, regular or not
 */
static bool is_as_good(const struct fitting *fitting, const struct fit *fit, const struct fit *best)
{
	double margin = margin_of(fitting->lives);

	if (fit->kind == FIT_RANDOM || best->kind == FIT_RANDOM)
		margin = fmax(margin, CHANCE_BITS * sqrt(fitting->lives->len));
	return fit->possible && is_open(fit->kind) != is_open(best->kind) &&
	       fit->bits <= best->bits + margin;
}

/* If equally good, a loop that follows completions is preferred, and has no alternatives */
static const struct fit *prefer_loop(const struct fitting *fitting, const struct fit fits[FIT_KINDS],
				     const struct fit *best, const struct stream_told *told)
{
	const struct fit *loop = &fits[FIT_LOOP];

	return may_be(told, FIT_LOOP) && loop->possible && best->kind != FIT_CHAIN &&
	       (loop == best || is_as_good(fitting, loop, best)) &&
	       follows_completions(fitting, loop) ? loop : NULL;
}

static void add_alternative(struct stream *stream, const struct fitting *fitting, const struct fit *fit,
			    struct window window)
{
	if (fit)
		fill(new_alternative(stream), fitting, fit, window);
}

/* add the best of the other group, loops or arrivals, and a loop of another depth */
static void add_alternatives(struct stream *stream, const struct fitting *fitting,
			     const struct fit fits[FIT_KINDS], const struct fit *best,
			     const struct stream_told *told, struct window window)
{
	const struct fit *other = NULL, *shallower = NULL;

	for (int kind = 0; kind < FIT_KINDS; kind++) {
		const struct fit *fit = &fits[kind];

		if (may_be(told, kind) && is_as_good(fitting, fit, best) && (!other || fit->bits < other->bits))
			other = fit;
		if (may_be_shallower(fitting, fit, best))
			shallower = fit;
	}
	add_alternative(stream, fitting, other, window);
	add_alternative(stream, fitting, shallower, window);
}

static void add_unknown_rate(struct stream *stream, const struct fitting *fitting,
			     const struct stream_told *told, struct window window)
{
	if (is_backlogged(fitting) && (!told || (told->arrivals == STREAM_ANY && told->period_ns <= 0)))
		add_backlogged(stream, fitting, window);
}

/* declared open and always backlogged: at least the served rate */
static void fill_served(struct stream *stream, const struct fitting *fitting, struct window window)
{
	stream->kind = STREAM_SERVED;
	stream->open = true;
	stream->depth = stream->least_depth = fitting->depth ? fitting->depth : MAX(fitting->usual, 2);
	stream->doubts |= 1u << STREAM_BACKLOGGED;
	add_served(stream, fitting, window);
}

/* infer a context's stream; returns the bits to encode its queueing times */
static double infer_context(struct stream *stream, const GArray *lives, struct window window,
			    const struct stream_told *told)
{
	struct fit fits[FIT_KINDS];
	struct fitting fitting;
	const struct fit *best, *loop;

	fitting_init(&fitting, lives, told);
	fit_kinds(&fitting, fits);
	if (told && told->period_ns > 0)
		best = &fits[FIT_TIMETABLE];
	else
		best = best_of(&fitting, fits, told);
	stream->full = fitting.full;
	loop = best && !(told && told->period_ns > 0) ? prefer_loop(&fitting, fits, best, told) : NULL;
	if (best) {
		fill(stream, &fitting, loop ? loop : best, window);
		if (!loop && !(told && told->period_ns > 0))
			add_alternatives(stream, &fitting, fits, best, told, window);
		add_unknown_rate(stream, &fitting, told, window);
	} else if (told && told->arrivals == STREAM_OPEN) {
		fill_served(stream, &fitting, window);
	} else {
		fill(stream, &fitting, &(struct fit) { .kind = FIT_LOOP, .depth = MAX(fitting.most, 1) }, window);
	}
	fitting_clear(&fitting);
	return best ? best->bits : 0;
}

/* --- contexts --------------------------------------------------------------------------------- */

static GArray *context_of(GPtrArray *contexts, const struct life *life)
{
	GArray *lives;

	for (guint nr = 0; nr < contexts->len; nr++)
		if (life_at(contexts->pdata[nr], 0)->guest_lrca == life->guest_lrca)
			return contexts->pdata[nr];
	lives = g_array_new(FALSE, FALSE, sizeof(struct life));
	g_ptr_array_add(contexts, lives);
	return lives;
}

static int64_t exec_of(const GArray *lives)
{
	int64_t exec_ns = 0;

	for (guint nr = 0; nr < lives->len; nr++)
		exec_ns += life_at(lives, nr)->exec_ns;
	return exec_ns;
}

static gint compare_contexts(gconstpointer a, gconstpointer b)
{
	int64_t one = exec_of(*(GArray *const *)a), two = exec_of(*(GArray *const *)b);

	return (one < two) - (one > two);
}

static gint compare_queued(gconstpointer a, gconstpointer b)
{
	const struct life *one = a, *two = b;

	return (one->queue_ns > two->queue_ns) - (one->queue_ns < two->queue_ns);
}

static void free_lives(void *lives)
{
	g_array_free(lives, TRUE);
}

/*
 * The workloads of each context, the one with most execution first. Contexts with few
 * workloads, which prove nothing, are merged into the first.
 */
static GPtrArray *split_contexts(const GArray *lives)
{
	GPtrArray *contexts = g_ptr_array_new_with_free_func(free_lives);

	for (guint nr = 0; nr < lives->len; nr++)
		g_array_append_vals(context_of(contexts, life_at(lives, nr)), life_at(lives, nr), 1);
	g_ptr_array_sort(contexts, compare_contexts);
	for (guint nr = contexts->len; nr-- > 1; ) {
		GArray *few = contexts->pdata[nr], *first = contexts->pdata[0];

		if (few->len > FEW && nr < STREAM_CONTEXTS)
			continue;
		g_array_append_vals(first, few->data, few->len);
		g_ptr_array_remove_index(contexts, nr);
	}
	g_array_sort(contexts->pdata[0], compare_queued);
	return contexts;
}

/* bits to encode all queueing times if the contexts act together */
static double together_bits(const GArray *lives)
{
	struct fit fits[FIT_KINDS];
	struct fitting fitting;

	fitting_init(&fitting, lives, NULL);
	fit_all(&fitting, fits);
	fitting_clear(&fitting);
	return fits[FIT_CHAIN].bits;
}

static struct stream *next_context(struct stream *stream)
{
	struct stream *also = stream_of_context(stream->vgpu, stream->engine);

	also->piece_ns = stream->piece_ns;
	stream->also = also;
	return also;
}

static unsigned int count_contexts(const GArray *lives)
{
	GHashTable *seen = g_hash_table_new(g_int64_hash, g_int64_equal);
	unsigned int count;

	for (guint nr = 0; nr < lives->len; nr++)
		if (known(life_at(lives, nr)->guest_lrca))
			g_hash_table_add(seen, (gpointer)&life_at(lives, nr)->guest_lrca);
	count = g_hash_table_size(seen);
	g_hash_table_destroy(seen);
	return MAX(count, 1);
}

/* several interdependent contexts, such as those that a guest uses in turn */
static void infer_together(struct stream *stream, const GArray *lives)
{
	GArray *ends = numbers_new();

	for (guint nr = 0; nr < lives->len; nr++)
		g_array_append_val(ends, life_at(lives, nr)->end_ns);
	g_array_sort(ends, numbers_compare);
	stream->kind = STREAM_LOOP;
	stream->depth = 1;
	add_chain(stream, lives, ends);
	g_array_free(ends, TRUE);
}

void work_infer(const GArray *lives, struct stream *stream, struct window window,
		const struct stream_told *told)
{
	GPtrArray *contexts = split_contexts(lives);
	unsigned int doubts = stream->doubts;
	struct stream *of = stream;
	double bits = 0;

	for (guint nr = 0; nr < contexts->len; nr++) {
		if (nr)
			of = next_context(of);
		bits += infer_context(of, contexts->pdata[nr], window, told);
		of->contexts = count_contexts(contexts->pdata[nr]);
		stream->doubts |= of->doubts;
	}
	if (contexts->len > 1 && !told && together_bits(lives) < bits) {
		stream_clear(stream);
		stream->doubts = doubts;
		infer_together(stream, lives);
		stream->contexts = count_contexts(lives);
	}
	g_ptr_array_free(contexts, TRUE);
}
