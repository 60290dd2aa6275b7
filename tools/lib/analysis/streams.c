// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "trace/util.h"
#include "streams.h"

/* the depth that fits best is searched among these */
#define MOST_DEPTH	64
/*
 * A pause that is negative by accident does not refute a depth, nor one that is so by as much as
 * the guest may know of a completion before it is traced
 */
#define NEGATIVE_PART	0.05
#define NEGATIVE_NS	200000
/* fewer workloads tell little */
#define FEW		10
/* a clock's grid: as much of the period as workloads may be off it, and least lengths */
#define OFF_GRID	0.02
#define LEAST_PERIOD_NS	100000
#define LEAST_OFF_NS	20000
#define LEAST_OPEN_NS	NSEC_PER_MSEC
/* a period that is so near to a display's, or a video's, is one */
#define NEAR_DISPLAY	0.002
/* more workloads than this part found the queue full: others may have waited in the guest */
#define FULL_PART	0.05
/* where nothing is known, workloads are taken off this often, or at the shortest one's end */
#define USUAL_PIECE_NS	NSEC_PER_MSEC
/*
 * Until workloads are taken off they execute for a multiple of the distance that is looked for,
 * and some time to start and stop, which is short. The distance is no less than this; times may be
 * off by a part of it, and beyond some distances errors add up.
 */
#define LEAST_PIECE_NS	50000
#define OFF_PIECE	0.05
#define START_PART	0.1
#define START_NS	20000
#define MOST_PIECES	16
/*
 * A guest that could queue no more queues what a clock has held ready as soon as a workload
 * completes. Of a clock's workloads, such a part at least comes by it.
 */
#define HELD_NS		200000
#define ON_CLOCK_PART	0.05
/* so many of these times are looked at, and such a part may be others */
#define MOST_STAYS	4096
#define STRAY_PART	0.01

/*
 * i915 lets a context of its own execute where there is nothing else to do: for less than this, by
 * far. Whether a pause is long enough for it depends on the settings, so it is no part of a stream.
 */
#define IDLE_WORK_NS	20000
/* so many contexts of a guest's work are told from that */
#define MOST_CONTEXTS	64

/* one workload that was seen from its queueing to its completion */
struct life {
	int64_t queue_ns;
	int64_t end_ns;
	int64_t exec_ns;
	int64_t guest_lrca;
};

/* of one vGPU on one engine */
struct queue {
	const struct vgpu_engine *queue;
	GArray *lives;			/* struct life */
	bool cut;
	GArray *contexts;		/* int64_t: LRCAs of those that executed for longer than idle work */
	GArray *stays;			/* int64_t: how long workloads executed until they were taken off */
	uint64_t taken_off;		/* how often one was */
	struct stream stream;
};

struct streams {
	struct model *model;
	GPtrArray *queues;		/* struct queue, by index of the vgpu_engine; NULL: none */
	GPtrArray *streams;		/* struct stream, of the queues */
	unsigned int kept;		/* lives of all queues */
	unsigned int most;		/* of each */
};

static void free_queue(void *data)
{
	struct queue *queue = data;

	if (!queue)
		return;
	g_array_free(queue->lives, TRUE);
	g_array_free(queue->contexts, TRUE);
	g_array_free(queue->stays, TRUE);
	if (queue->stream.work)
		g_array_free(queue->stream.work, TRUE);
	g_free(queue);
}

static struct queue *get_queue(struct streams *streams, const struct vgpu_engine *of)
{
	struct queue *queue;

	if (of->index >= streams->queues->len)
		g_ptr_array_set_size(streams->queues, of->index + 1);
	queue = streams->queues->pdata[of->index];
	if (queue)
		return queue;
	queue = g_new0(struct queue, 1);
	queue->queue = of;
	queue->lives = g_array_new(FALSE, FALSE, sizeof(struct life));
	queue->contexts = g_array_new(FALSE, FALSE, sizeof(int64_t));
	queue->stays = g_array_new(FALSE, FALSE, sizeof(int64_t));
	streams->queues->pdata[of->index] = queue;
	return queue;
}

/* --- what a guest's driver does when there is nothing to do ---------------------------- */

static bool is_context_of_work(const struct queue *queue, int64_t lrca)
{
	for (guint nr = 0; nr < queue->contexts->len; nr++)
		if (g_array_index(queue->contexts, int64_t, nr) == lrca)
			return true;
	return false;
}

static void note_context(struct queue *queue, const struct life *life)
{
	if (known(life->guest_lrca) && life->exec_ns > IDLE_WORK_NS &&
	    queue->contexts->len < MOST_CONTEXTS && !is_context_of_work(queue, life->guest_lrca))
		g_array_append_val(queue->contexts, life->guest_lrca);
}

static bool is_idle_work(const struct queue *queue, int64_t lrca, int64_t exec_ns)
{
	return known(lrca) && known(exec_ns) && exec_ns <= IDLE_WORK_NS && queue->contexts->len &&
	       queue->contexts->len < MOST_CONTEXTS && !is_context_of_work(queue, lrca);
}

bool streams_is_idle_work(const struct streams *streams, const struct workload *w)
{
	unsigned int index = w->queue->index;
	const struct queue *queue = index < streams->queues->len ? streams->queues->pdata[index] : NULL;

	return queue && is_idle_work(queue, w->guest_lrca, workload_exec(w));
}

/* --- collecting ------------------------------------------------------------------------- */

/* keep the first of them; an array that is only cut keeps its memory */
static void cut_lives(struct queue *queue, unsigned int most)
{
	GArray *lives = queue->lives;

	if (lives->len <= most)
		return;
	queue->cut = true;
	queue->lives = g_array_sized_new(FALSE, FALSE, sizeof(struct life), most);
	g_array_append_vals(queue->lives, lives->data, most);
	g_array_free(lives, TRUE);
}

/* How many queues there will be is not known: the more there are, the less is kept of each. */
static void make_room(struct streams *streams)
{
	while (streams->kept > STREAMS_MOST) {
		streams->most /= 2;
		streams->kept = 0;
		for (unsigned int nr = 0; nr < streams->queues->len; nr++) {
			struct queue *queue = streams->queues->pdata[nr];

			if (!queue)
				continue;
			cut_lives(queue, streams->most);
			streams->kept += queue->lives->len;
		}
	}
}

static void keep_life(struct streams *streams, struct queue *queue, const struct life *life)
{
	if (queue->lives->len >= streams->most) {
		queue->cut = true;
		return;
	}
	g_array_append_vals(queue->lives, life, 1);
	streams->kept++;
	make_room(streams);
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct queue *queue = get_queue(ctx, w->queue);
	const struct life life = {
		w->queue_ns, w->end_ns, workload_exec(w), w->guest_lrca
	};

	if (!known(life.queue_ns) || !known(life.end_ns) || !w->completed || w->tainted ||
	    !known(life.exec_ns) || life.exec_ns <= 0)
		return;
	note_context(queue, &life);
	keep_life(ctx, queue, &life);
}

static void on_piece(void *ctx, const struct piece *piece)
{
	int64_t stay_ns = piece->stop_ns - piece->start_ns;
	struct queue *queue;

	if (piece->completed)
		return;
	queue = get_queue(ctx, piece->workload->queue);
	queue->taken_off++;
	if (queue->stays->len < MOST_STAYS && known(piece->start_ns) && stay_ns > 0)
		g_array_append_val(queue->stays, stay_ns);
}

struct streams *streams_new(struct model *model)
{
	struct streams *streams = g_new0(struct streams, 1);
	const struct model_listener listener = {
		.ended = on_ended, .piece = on_piece, .ctx = streams
	};

	streams->model = model;
	streams->most = STREAM_MOST;
	streams->queues = g_ptr_array_new_with_free_func(free_queue);
	streams->streams = g_ptr_array_new();
	model_listen(model, &listener);
	return streams;
}

void streams_free(struct streams *streams)
{
	g_ptr_array_free(streams->streams, TRUE);
	g_ptr_array_free(streams->queues, TRUE);
	g_free(streams);
}

/* --- numbers ------------------------------------------------------------------------- */

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
	const int64_t *one = a, *two = b;

	return (*one > *two) - (*one < *two);
}

static int64_t number_at(const GArray *sorted, double part)
{
	return g_array_index(sorted, int64_t, (guint)(part * (sorted->len - 1)));
}

static int64_t median(GArray *numbers)
{
	g_array_sort(numbers, compare_numbers);
	return number_at(numbers, 0.5);
}

/* from the tenth to the ninetieth per cent; sorts */
static int64_t spread(GArray *numbers)
{
	if (numbers->len <= 3)
		return INT64_MAX;
	g_array_sort(numbers, compare_numbers);
	return number_at(numbers, 0.9) - number_at(numbers, 0.1);
}

static GArray *new_numbers(void)
{
	return g_array_new(FALSE, FALSE, sizeof(int64_t));
}

/* --- how many are in flight ----------------------------------------------------------- */

static gint compare_lives(gconstpointer a, gconstpointer b)
{
	const struct life *one = a, *two = b;

	return (one->queue_ns > two->queue_ns) - (one->queue_ns < two->queue_ns);
}

static const struct life *life_at(const GArray *lives, guint nr)
{
	return &g_array_index(lives, struct life, nr);
}

/* when they completed, in that order */
static GArray *ends_of(const GArray *lives)
{
	GArray *ends = new_numbers();

	for (guint nr = 0; nr < lives->len; nr++)
		g_array_append_val(ends, life_at(lives, nr)->end_ns);
	g_array_sort(ends, compare_numbers);
	return ends;
}

/* most in flight at once, and how many were queued when all but one of these were */
static unsigned int most_in_flight(const GArray *lives, const GArray *ends, unsigned int *at_most)
{
	unsigned int done = 0, most = 0;

	for (guint nr = 0; nr < lives->len; nr++) {
		while (done < ends->len &&
		       g_array_index(ends, int64_t, done) <= life_at(lives, nr)->queue_ns)
			done++;
		if (nr + 1 - done > most) {
			most = nr + 1 - done;
			*at_most = 0;
		}
		*at_most += nr + 1 - done == most;
	}
	return most;
}

/* the pauses, if each workload waited for the completion of the one @depth before */
static GArray *pauses(const GArray *lives, unsigned int depth)
{
	GArray *numbers = new_numbers();

	for (guint nr = depth; nr < lives->len; nr++) {
		int64_t pause = life_at(lives, nr)->queue_ns - life_at(lives, nr - depth)->end_ns;

		g_array_append_val(numbers, pause);
	}
	return numbers;
}

static bool often_negative(const GArray *numbers)
{
	guint negative = 0;

	for (guint nr = 0; nr < numbers->len; nr++)
		negative += g_array_index(numbers, int64_t, nr) < -NEGATIVE_NS;
	return negative > NEGATIVE_PART * numbers->len;
}

/* the depth that makes pauses most alike */
static unsigned int find_depth(const GArray *lives, unsigned int most)
{
	unsigned int best = most;
	int64_t least = INT64_MAX;

	for (unsigned int depth = 1; depth <= MIN(most, MOST_DEPTH); depth++) {
		GArray *numbers = pauses(lives, depth);
		int64_t width = often_negative(numbers) ? INT64_MAX : spread(numbers);

		if (width < least) {
			least = width;
			best = depth;
		}
		g_array_free(numbers, TRUE);
	}
	return MAX(best, 1);
}

/* --- is there a clock? ------------------------------------------------------------------ */

static GArray *gaps_of(const GArray *lives)
{
	GArray *gaps = new_numbers();

	for (guint nr = 1; nr < lives->len; nr++) {
		int64_t gap = life_at(lives, nr)->queue_ns - life_at(lives, nr - 1)->queue_ns;

		g_array_append_val(gaps, gap);
	}
	return gaps;
}

/*
 * How far workloads are off the grid that fits them best, with *@period_ns at first a guess:
 * the least squares of their times against the number of periods.
 */
static int64_t off_grid(const GArray *lives, double *period_ns)
{
	double sum_k = 0, sum_q = 0, sum_kk = 0, sum_kq = 0, k = 0, n = lives->len;
	GArray *periods = g_array_new(FALSE, FALSE, sizeof(double)), *off = new_numbers();
	int64_t first = life_at(lives, 0)->queue_ns, width;

	for (guint nr = 0; nr < lives->len; nr++) {
		double q = life_at(lives, nr)->queue_ns - first;
		double gap = nr ? life_at(lives, nr)->queue_ns - life_at(lives, nr - 1)->queue_ns : 0;

		if (gap > *period_ns / 2)
			k += MAX(1, round(gap / *period_ns));
		g_array_append_val(periods, k);
		sum_k += k;
		sum_q += q;
		sum_kk += k * k;
		sum_kq += k * q;
	}
	if (sum_kk - sum_k * sum_k / n > 0)
		*period_ns = (sum_kq - sum_k * sum_q / n) / (sum_kk - sum_k * sum_k / n);
	for (guint nr = 0; nr < lives->len; nr++) {
		double q = life_at(lives, nr)->queue_ns - first;
		int64_t residual = llround(q - sum_q / n - *period_ns *
					   (g_array_index(periods, double, nr) - sum_k / n));

		g_array_append_val(off, residual);
	}
	width = spread(off);
	g_array_free(off, TRUE);
	g_array_free(periods, TRUE);
	return width;
}

static bool is_display(double period_ns)
{
	static const double hz[] = { 24, 25, 29.97, 30, 48, 50, 59.94, 60, 72, 75, 120, 144 };

	for (size_t nr = 0; nr < G_N_ELEMENTS(hz); nr++)
		if (fabs(period_ns * hz[nr] / NSEC_PER_SEC - 1) < NEAR_DISPLAY)
			return true;
	return false;
}

static bool is_periodic(const GArray *lives, int64_t gap_ns, int64_t pause_spread_ns)
{
	double period_ns = gap_ns;
	int64_t off_ns;

	if (gap_ns <= LEAST_PERIOD_NS || lives->len <= FEW)
		return false;
	off_ns = off_grid(lives, &period_ns);
	return off_ns < OFF_GRID * period_ns &&
	       (pause_spread_ns / 4 > MAX(off_ns, LEAST_OFF_NS) || is_display(period_ns));
}

/*
 * A clock whose guest often could queue no more: those that were held back come late, the others
 * are on the grid that the number of workloads before tells. A loop never comes back to a grid.
 */
struct clock {
	double first_ns;
	double period_ns;
};

static bool is_held(const GArray *lives, guint nr, unsigned int depth)
{
	int64_t pause_ns;

	if (nr < depth)
		return true;
	pause_ns = life_at(lives, nr)->queue_ns - life_at(lives, nr - depth)->end_ns;
	return pause_ns > -NEGATIVE_NS && pause_ns < HELD_NS;
}

/*
 * The line through the times of those that were not held back, by their numbers; how many these
 * are
 */
static guint fit_clock(const GArray *lives, unsigned int depth, struct clock *clock)
{
	double n = 0, sum_k = 0, sum_q = 0, sum_kk = 0, sum_kq = 0;

	for (guint nr = 0; nr < lives->len; nr++) {
		double q = life_at(lives, nr)->queue_ns - life_at(lives, 0)->queue_ns;

		if (is_held(lives, nr, depth))
			continue;
		n++;
		sum_k += nr;
		sum_q += q;
		sum_kk += (double)nr * nr;
		sum_kq += nr * q;
	}
	if (!(n * sum_kk - sum_k * sum_k > 0))
		return 0;
	clock->period_ns = (n * sum_kq - sum_k * sum_q) / (n * sum_kk - sum_k * sum_k);
	clock->first_ns = life_at(lives, 0)->queue_ns + (sum_q - clock->period_ns * sum_k) / n;
	return n;
}

/* Those that were not held back are on it, and those that were come later, not earlier */
static bool keeps_clock(const GArray *lives, unsigned int depth, const struct clock *clock)
{
	double off_ns = OFF_GRID * clock->period_ns;
	guint astray = 0, late = 0;

	for (guint nr = 0; nr < lives->len; nr++) {
		double by_ns = life_at(lives, nr)->queue_ns - clock->first_ns - nr * clock->period_ns;

		late += by_ns > off_ns;
		astray += by_ns < -off_ns || (by_ns > off_ns && !is_held(lives, nr, depth));
	}
	return late > FEW && astray <= STRAY_PART * lives->len;
}

static bool find_clock(const GArray *lives, unsigned int depth, struct clock *clock)
{
	guint on_clock = fit_clock(lives, depth, clock);

	return on_clock > FEW && on_clock > ON_CLOCK_PART * lives->len &&
	       clock->period_ns > LEAST_PERIOD_NS && keeps_clock(lives, depth, clock);
}

/*
 * Pauses that are as different as the times between workloads depend on nothing that
 * completed. Of one at a time, both are the same.
 */
static bool is_open(const GArray *lives, unsigned int depth)
{
	GArray *gaps = gaps_of(lives), *numbers = pauses(lives, depth);
	int64_t pause_spread_ns = spread(numbers), gap_spread_ns = spread(gaps);
	bool open = false;

	if (gaps->len)
		open = is_periodic(lives, median(gaps), pause_spread_ns) ||
		       (depth > 1 && gap_spread_ns != INT64_MAX && gap_spread_ns > LEAST_OPEN_NS &&
			pause_spread_ns > gap_spread_ns / 2);
	g_array_free(numbers, TRUE);
	g_array_free(gaps, TRUE);
	return open;
}

/* --- where work can be taken off ------------------------------------------------------------ */

static int64_t shortest(const GArray *lives)
{
	int64_t least = USUAL_PIECE_NS;

	for (guint nr = 0; nr < lives->len; nr++)
		least = MIN(least, life_at(lives, nr)->exec_ns);
	return least;
}

/* sums for a line through the times, by how many pieces they are */
struct fit {
	double n, pieces, ns, pieces_pieces, pieces_ns;
};

static double pieces_of(double stay_ns, double piece_ns)
{
	return MAX(round(stay_ns / piece_ns), 1);
}

static struct fit fit_stays(const GArray *stays, double piece_ns)
{
	struct fit fit = { 0 };

	for (guint nr = 0; nr < stays->len; nr++) {
		double ns = g_array_index(stays, int64_t, nr), pieces = pieces_of(ns, piece_ns);

		if (pieces > MOST_PIECES)
			continue;
		fit.n++;
		fit.pieces += pieces;
		fit.ns += ns;
		fit.pieces_pieces += pieces * pieces;
		fit.pieces_ns += pieces * ns;
	}
	return fit;
}

/* The piece that fits best, with @piece_ns at first a guess; 0: they are no multiples of one */
static double fitted_piece(const GArray *stays, double piece_ns)
{
	struct fit fit = fit_stays(stays, piece_ns);
	double spread = fit.n * fit.pieces_pieces - fit.pieces * fit.pieces, start_ns, stray = 0;
	double fitted_ns = (fit.n * fit.pieces_ns - fit.pieces * fit.ns) / spread;

	/* if all are as long, that may be any part of it */
	if (fit.n < FEW || !(spread > 0))
		return 0;
	start_ns = (fit.ns - fitted_ns * fit.pieces) / fit.n;
	for (guint nr = 0; nr < stays->len; nr++) {
		double ns = g_array_index(stays, int64_t, nr), pieces = pieces_of(ns, piece_ns);

		stray += pieces <= MOST_PIECES &&
			 fabs(ns - start_ns - pieces * fitted_ns) > OFF_PIECE * fitted_ns;
	}
	if (stray > STRAY_PART * fit.n || fabs(start_ns) > MAX(START_PART * fitted_ns, START_NS))
		return 0;
	return fitted_ns;
}

/*
 * the greatest piece that explains when workloads were taken off; 0: none does, or they tell too
 * little
 */
static int64_t find_piece(GArray *stays)
{
	double least_ns, piece_ns;

	if (stays->len < FEW)
		return 0;
	g_array_sort(stays, compare_numbers);
	least_ns = number_at(stays, STRAY_PART);
	for (double parts = 1; least_ns / parts >= LEAST_PIECE_NS; parts++) {
		piece_ns = fitted_piece(stays, least_ns / parts);
		if (piece_ns >= LEAST_PIECE_NS)
			return llround(piece_ns);
	}
	return 0;
}

/*
 * That workloads can be taken off is seen where they were; where they were not, it may be that
 * nobody else wanted their engine
 */
static void guess_pieces(const struct queue *queue, struct stream *stream, bool preemptive)
{
	int64_t piece_ns = find_piece(queue->stays);

	stream->piece_ns = piece_ns ? piece_ns : shortest(queue->lives);
	if (preemptive && !queue->taken_off)
		stream->doubts |= 1u << STREAM_NEVER_TAKEN_OFF;
	else if (!piece_ns)
		stream->doubts |= 1u << STREAM_GUESSED_PIECES;
}

/* --- streams -------------------------------------------------------------------------------- */

static void add_work(struct stream *stream, int64_t exec_ns, int64_t at_ns, unsigned int lag)
{
	const struct stream_work work = { exec_ns, MAX(at_ns, 0), lag };

	g_array_append_val(stream->work, work);
}

static void add_closed(struct stream *stream, const GArray *lives)
{
	for (guint nr = stream->depth; nr < lives->len; nr++)
		add_work(stream, life_at(lives, nr)->exec_ns, life_at(lives, nr)->queue_ns -
			 life_at(lives, nr - stream->depth)->end_ns, stream->depth);
	if (stream->work->len)
		return;
	/* too few to tell a pause */
	for (guint nr = 0; nr < lives->len; nr++)
		add_work(stream, life_at(lives, nr)->exec_ns, 0, stream->depth);
}

static void add_open(struct stream *stream, const GArray *lives, struct window window)
{
	for (guint nr = 0; nr < lives->len; nr++) {
		const struct life *life = life_at(lives, nr);

		if (life->queue_ns >= window.from_ns && life->queue_ns < window.to_ns)
			add_work(stream, life->exec_ns, life->queue_ns - window.from_ns, 0);
	}
}

/* When they would have come, had the guest been able to queue them */
static void add_clocked(struct stream *stream, const GArray *lives, const struct clock *clock,
			struct window window)
{
	for (guint nr = 0; nr < lives->len; nr++) {
		int64_t at_ns = llround(clock->first_ns + nr * clock->period_ns);

		if (at_ns >= window.from_ns && at_ns < window.to_ns)
			add_work(stream, life_at(lives, nr)->exec_ns, at_ns - window.from_ns, 0);
	}
}

/* A guest with several contexts: each workload waited for what happened last before it */
static void add_contexts(struct stream *stream, const GArray *lives, const GArray *ends)
{
	unsigned int done = 0;

	for (guint nr = 1; nr < lives->len; nr++) {
		const struct life *life = life_at(lives, nr), *before = life_at(lives, nr - 1);

		while (done < ends->len && g_array_index(ends, int64_t, done) <= life->queue_ns)
			done++;
		if (!done || g_array_index(ends, int64_t, done - 1) < before->queue_ns)
			add_work(stream, life->exec_ns, life->queue_ns - before->queue_ns, 0);
		else
			add_work(stream, life->exec_ns, life->queue_ns -
				 g_array_index(ends, int64_t, done - 1), MAX(nr + 1 - done, 1));
	}
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

/* The limit of a guest is seen if it was reached often */
static void limit_open(struct stream *stream, unsigned int most)
{
	bool reached = most > 1 && stream->full > FULL_PART;

	stream->depth = reached ? most : STREAM_NO_LIMIT;
	stream->doubts |= 1u << (reached ? STREAM_BACKLOGGED : STREAM_UNLIMITED);
}

static void infer_work(const struct queue *queue, struct stream *stream, struct window window)
{
	const GArray *lives = queue->lives;
	GArray *ends = ends_of(lives);
	unsigned int at_most = 0, most = most_in_flight(lives, ends, &at_most);
	struct clock clock;
	bool clocked;

	stream->contexts = count_contexts(lives);
	stream->full = (double)at_most / lives->len;
	stream->depth = find_depth(lives, most);
	clocked = stream->contexts == 1 && find_clock(lives, most, &clock);
	stream->open = clocked || (stream->contexts == 1 && is_open(lives, stream->depth));
	if (clocked)
		stream->depth = most;
	else if (stream->open)
		limit_open(stream, most);
	if (clocked)
		add_clocked(stream, lives, &clock, window);
	else if (stream->open)
		add_open(stream, lives, window);
	else if (stream->contexts > 1 && lives->len > 1)
		add_contexts(stream, lives, ends);
	else
		add_closed(stream, lives);
	g_array_free(ends, TRUE);
}

/*
 * Without idle work: the pause goes on in which that came, and the next workload, which waited for
 * it, would have come earlier by as much
 */
static void leave_out_idle_work(struct queue *queue)
{
	GArray *lives = queue->lives;
	int64_t end_ns = UNKNOWN, took_ns = 0;
	guint kept = 0;

	for (guint nr = 0; nr < lives->len; nr++) {
		struct life life = *life_at(lives, nr);

		if (is_idle_work(queue, life.guest_lrca, life.exec_ns)) {
			end_ns = life.end_ns;
			took_ns = life.end_ns - life.queue_ns;
			continue;
		}
		if (known(end_ns) && life.queue_ns >= end_ns)
			life.queue_ns -= took_ns;
		end_ns = UNKNOWN;
		g_array_index(lives, struct life, kept++) = life;
	}
	if (kept < lives->len)
		queue->stream.doubts |= 1u << STREAM_IDLE_WORK;
	g_array_set_size(lives, kept);
}

static bool is_preemptive(const struct sched_info *info)
{
	return !g_strcmp0(info->dispatch, "preemptive");
}

static void infer(const struct streams *streams, struct queue *queue, struct window window)
{
	struct stream *stream = &queue->stream;

	*stream = (struct stream) {
		.vgpu = queue->queue->vgpu, .engine = queue->queue->engine,
		.work = g_array_new(FALSE, FALSE, sizeof(struct stream_work)),
	};
	g_array_sort(queue->lives, compare_lives);
	leave_out_idle_work(queue);
	if (queue->lives->len)
		infer_work(queue, stream, window);
	guess_pieces(queue, stream, is_preemptive(model_sched_info(streams->model,
								   stream->vgpu->dev)));
	if (!stream->work->len)
		stream->doubts = 1u << STREAM_UNSEEN;
	else if (queue->lives->len < FEW)
		stream->doubts |= 1u << STREAM_SHORT;
	if (queue->cut)
		stream->doubts |= 1u << STREAM_CUT;
}

const GPtrArray *streams_infer(struct streams *streams, struct window window)
{
	for (unsigned int nr = 0; nr < streams->queues->len; nr++) {
		struct queue *queue = streams->queues->pdata[nr];

		if (!queue)
			continue;
		infer(streams, queue, window);
		g_ptr_array_add(streams->streams, &queue->stream);
	}
	return streams->streams;
}

const char *stream_doubt_text(enum stream_doubt doubt)
{
	static const char *const texts[STREAM_DOUBTS] = {
		[STREAM_BACKLOGGED] = "its guest often could queue no more: what waited there is not in the trace",
		[STREAM_UNLIMITED] = "how many workloads its guest can have queued was not seen",
		[STREAM_SHORT] = "few of its workloads began and ended in the trace",
		[STREAM_UNSEEN] = "none of its workloads began and ended in the trace: it is left out",
		[STREAM_GUESSED_PIECES] = "how often its workloads can be taken off the engine is guessed",
		[STREAM_NEVER_TAKEN_OFF] = "none of its workloads was taken off the engine: it is taken that none can be",
		[STREAM_IDLE_WORK] = "what its driver lets execute when there is nothing to do is left out",
		[STREAM_CUT] = "it has more workloads than are looked at",
	};

	return texts[doubt];
}
