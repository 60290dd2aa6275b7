// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Replays each kind of guest: given the recorded completions, when would it have queued each
 * workload? The bits needed to encode the remaining differences show how well the kind explains
 * the recording: the direct cause of a time leaves the fewest (J. Rissanen's minimum description
 * length, 1978).
 *
 * If work may be missing between two workloads, the time between them is ignored: the bits of the
 * other times are scaled to all workloads.
 */
#include <math.h>

#include "trace/util.h"
#include "streams-private.h"

/* an engine that a guest found busy this often always is */
#define ALWAYS_PART	0.95
/* maximum depth of a loop that is tried, if that was seen in flight, and if not */
#define MOST_DEPTH	64
#define UNSEEN_DEPTH	16
/* bits for a stray: a workload that the kind cannot have queued then, e.g. before its cause */
#define STRAY_BITS	30.0
/* a guest whose queue was full queues due work within this time after a completion */
#define HELD_NS		200000
/* minimum share of a timetable's workloads that are on time */
#define ON_TIME_PART	0.05
/*
 * Deviations of a count from the one expected by chance, and the least count, that prove that full
 * queues held workloads back
 */
#define PROOF_DEVIATIONS	3
#define LEAST_HELD		3
#define LEAST_PERIOD_NS	NSEC_PER_MSEC
/* random arrivals are off any timetable by a quarter of its period, in the median */
#define OFF_PART	(1 / 6.0)
/* bits per gap charged for arrivals whose gaps are not exponential, as those are rarer */
#define UNUSUAL_BITS	2.0
#define MOST_STEPS	64
/* part of the workloads that may exceed the usual number in flight */
#define STRAY_PART	0.01

static int64_t queue_at(const struct fitting *fitting, guint nr)
{
	return life_at(fitting->lives, nr)->queue_ns;
}

/* scale @bits for @of workloads to all workloads */
static double scaled(const struct fitting *fitting, double bits, double of)
{
	return of > 0 ? bits / of * fitting->lives->len : INFINITY;
}

/* --- loops ------------------------------------------------------------------------------ */

static double loop_bits(const struct fitting *fitting, unsigned int depth)
{
	guint strays = 0, n = 0;
	GArray *pauses = numbers_new();
	double bits;

	for (guint nr = depth; nr < fitting->lives->len; nr++) {
		int64_t pause_ns = queue_at(fitting, nr) - life_at(fitting->lives, nr - depth)->end_ns;

		if (!is_seen_whole(fitting->lives, nr, depth))
			continue;
		n++;
		if (pause_ns < -NEGATIVE_NS)
			strays++;
		else
			g_array_append_val(pauses, pause_ns);
	}
	bits = pauses->len ? numbers_bits(pauses) + strays * STRAY_BITS +
			     numbers_choice_bits(strays, n) : INFINITY;
	g_array_free(pauses, TRUE);
	return scaled(fitting, bits, n);
}

static struct fit loop_of(const struct fitting *fitting, unsigned int depth)
{
	return (struct fit) {
		.kind = FIT_LOOP, .depth = depth,
		.bits = fitting->lives->len > depth ? loop_bits(fitting, depth) : INFINITY,
	};
}

static void fit_loop(const struct fitting *fitting, struct fit *fit)
{
	unsigned int most = MIN(MAX(fitting->most, 1), MOST_DEPTH);
	unsigned int from = fitting->depth ? fitting->depth : 1;

	*fit = loop_of(fitting, from);
	for (unsigned int depth = from + 1; !fitting->depth && depth <= most; depth++) {
		struct fit tried = loop_of(fitting, depth);

		if (tried.bits < fit->bits)
			*fit = tried;
	}
	fit->possible = isfinite(fit->bits);
}

/*
 * Some workloads of a loop may be in its pauses at any time: it is deeper than what is in flight.
 * That shows only if others always wait for the engine, which then sets the distance of all.
 */
static void fit_deeper(const struct fitting *fitting, struct fit *fit)
{
	unsigned int most = MIN(MAX(fitting->most, 1), MOST_DEPTH);

	*fit = (struct fit) { .kind = FIT_DEEPER, .bits = INFINITY };
	if (fitting->met < ALWAYS_PART)
		return;
	for (unsigned int depth = most + 1; !fitting->depth && depth <= MAX(2 * most, UNSEEN_DEPTH); depth++) {
		struct fit tried = loop_of(fitting, depth);

		tried.kind = FIT_DEEPER;
		if (tried.bits < fit->bits)
			*fit = tried;
	}
	fit->possible = isfinite(fit->bits);
}

/* --- what happened last ------------------------------------------------------------------- */

/* what came next after events with so many in flight: how often a workload, of how many */
struct nexts {
	double queued[2][MOST_DEPTH + 1], all[2][MOST_DEPTH + 1];
};

enum cause { CAUSE_QUEUE, CAUSE_END };

static void note_next(struct nexts *nexts, enum cause cause, guint flight, bool queued)
{
	flight = MIN(flight, MOST_DEPTH);
	nexts->queued[cause][flight] += queued;
	nexts->all[cause][flight]++;
}

/*
 * A barrier is passed when nothing is left in flight: what is in flight decides after which events
 * a guest queues. Where it does not, it takes bits to tell.
 */
static double choice_bits(const struct nexts *nexts)
{
	double bits = 0;

	for (int cause = 0; cause < 2; cause++)
		for (int flight = 0; flight <= MOST_DEPTH; flight++)
			bits += numbers_choice_bits(nexts->queued[cause][flight], nexts->all[cause][flight]);
	return bits;
}

static void fit_chain(const struct fitting *fitting, struct fit *fit)
{
	GArray *after_queue = numbers_new(), *after_end = numbers_new();
	struct nexts nexts = { 0 };
	guint done = 0, n = 0;

	for (guint nr = 1; nr < fitting->lives->len; nr++) {
		int64_t queue_ns = queue_at(fitting, nr), before_ns = queue_at(fitting, nr - 1), by_ns;
		bool seen = is_seen_whole(fitting->lives, nr, 1);
		enum cause cause = CAUSE_QUEUE;

		for (; done < fitting->ends->len; done++) {
			int64_t end_ns = g_array_index(fitting->ends, int64_t, done);

			if (end_ns > queue_ns)
				break;
			if (end_ns < before_ns)
				continue;
			if (seen)
				note_next(&nexts, cause, nr > done ? nr - done : 0, false);
			cause = CAUSE_END;
			before_ns = end_ns;
		}
		if (!seen)
			continue;
		note_next(&nexts, cause, nr > done ? nr - done : 0, true);
		n++;
		by_ns = queue_ns - before_ns;
		g_array_append_val(cause == CAUSE_QUEUE ? after_queue : after_end, by_ns);
	}
	*fit = (struct fit) {
		.kind = FIT_CHAIN, .depth = MAX(fitting->most, 1), .possible = n,
		.bits = scaled(fitting, numbers_bits(after_queue) + numbers_bits(after_end) +
			       choice_bits(&nexts), n),
	};
	g_array_free(after_end, TRUE);
	g_array_free(after_queue, TRUE);
}

/* --- timetables ------------------------------------------------------------------------------- */

/* is it known when the queue had room for it? The first workloads found it empty. */
static bool knows_room(const struct fitting *fitting, guint nr, unsigned int depth)
{
	return nr < depth ? is_seen_whole(fitting->lives, nr, nr) : is_seen_whole(fitting->lives, nr, depth);
}

/* when the queue got room for it */
static double room_ns(const struct fitting *fitting, guint nr, unsigned int depth)
{
	return nr >= depth ? life_at(fitting->lives, nr - depth)->end_ns : -INFINITY;
}

static bool is_held(const struct fitting *fitting, guint nr, unsigned int depth)
{
	double by_ns = queue_at(fitting, nr) - room_ns(fitting, nr, depth);

	return by_ns > -NEGATIVE_NS && by_ns < HELD_NS;
}

/* sums for a regression line of times by their index */
struct line {
	double n, k, q, kk, kq;
};

static void add_point(struct line *line, double k, double q)
{
	line->n++;
	line->k += k;
	line->q += q;
	line->kk += k * k;
	line->kq += k * q;
}

static bool draw(const struct line *line, double *at_0, double *slope)
{
	double spread = line->n * line->kk - line->k * line->k;

	if (!(spread > 0))
		return false;
	*slope = (line->n * line->kq - line->k * line->q) / spread;
	*at_0 = (line->q - *slope * line->k) / line->n;
	return true;
}

/* certainly not held by a full queue */
static bool is_free(const struct fitting *fitting, guint nr, unsigned int depth)
{
	return knows_room(fitting, nr, depth) && !is_held(fitting, nr, depth);
}

/* end of the workloads without a hole, from @from on */
static guint end_of_stretch(const struct fitting *fitting, guint from)
{
	guint to = from + 1;

	while (to < fitting->lives->len && is_seen_whole(fitting->lives, to, 1))
		to++;
	return to;
}

/* sums of a line about the mean of its points */
struct spread {
	double kk, kq;
};

static struct spread spread_of(const struct line *line)
{
	return (struct spread) {
		line->n > 0 ? line->kk - line->k * line->k / line->n : 0,
		line->n > 0 ? line->kq - line->k * line->q / line->n : 0,
	};
}

/* The line of a stretch, from workloads not held; from all, if all are or may be held. */
static struct line line_of(const struct fitting *fitting, const double *numbers, const struct fit *fit,
			   guint from, guint to)
{
	struct line free = { 0 }, all = { 0 };

	for (guint nr = from; nr < to; nr++) {
		double at_ns = queue_at(fitting, nr) - queue_at(fitting, 0);

		if (fit->skips || is_free(fitting, nr, fit->depth))
			add_point(&free, numbers[nr], at_ns);
		add_point(&all, numbers[nr], at_ns);
	}
	return free.n > 0 ? free : all;
}

static void add_line(struct line *to, const struct line *line, double shift)
{
	to->n += line->n;
	to->k += line->k + line->n * shift;
	to->q += line->q;
	to->kk += line->kk + 2 * shift * line->k + line->n * shift * shift;
	to->kq += line->kq + shift * line->q;
}

static struct spread sum_spreads(const struct fitting *fitting, const double *numbers,
				 const struct fit *fit)
{
	struct spread sum = { 0 };

	for (guint from = 0, to; from < fitting->lives->len; from = to) {
		struct line line;

		to = end_of_stretch(fitting, from);
		line = line_of(fitting, numbers, fit, from, to);
		sum.kk += spread_of(&line).kk;
		sum.kq += spread_of(&line).kq;
	}
	return sum;
}

/*
 * Assign each workload its due time's index: known up to the next hole, and continued after it
 * according to the elapsed time. The period is fitted to all stretches between holes, earlier
 * ones as one.
 */
static void number_times(const struct fitting *fitting, double *numbers, const struct fit *fit)
{
	struct spread rest = sum_spreads(fitting, numbers, fit);
	struct line before = { 0 };
	double shift = 0;

	for (guint from = 0, to; from < fitting->lives->len; from = to) {
		struct spread own, sum = spread_of(&before);
		struct line line;
		double period_ns = fitting->period_ns;

		to = end_of_stretch(fitting, from);
		line = line_of(fitting, numbers, fit, from, to);
		if (!(period_ns > 0) && rest.kk + sum.kk > 0)
			period_ns = (rest.kq + sum.kq) / (rest.kk + sum.kk);
		if (from && period_ns > 0)
			shift = fmax(shift, round((line.q / line.n - before.q / before.n) / period_ns -
						  (line.k / line.n - before.k / before.n)));
		own = spread_of(&line);
		rest.kk -= own.kk;
		rest.kq -= own.kq;
		for (guint nr = from; nr < to; nr++)
			numbers[nr] += shift;
		add_line(&before, &line, shift);
	}
}

/* for a timetable that skips no time */
static void number_all(const struct fitting *fitting, const struct fit *fit)
{
	for (guint nr = 0; nr < fitting->lives->len; nr++)
		fitting->numbers[nr] = nr;
	number_times(fitting, fitting->numbers, fit);
}

/* Fit a line to the workloads not held, by index; returns their number */
static guint draw_by_number(const struct fitting *fitting, struct fit *fit, double within_ns)
{
	double first_ns = queue_at(fitting, 0);
	struct line line = { 0 };

	for (guint nr = 0; nr < fitting->lives->len; nr++) {
		double at_ns = queue_at(fitting, nr) - first_ns;
		double off_ns = at_ns + first_ns - fit->first_ns - fitting->numbers[nr] * fit->period_ns;

		if (is_free(fitting, nr, fit->depth) && fabs(off_ns) <= within_ns)
			add_point(&line, fitting->numbers[nr], at_ns);
	}
	if (!draw(&line, &fit->first_ns, &fit->period_ns))
		return 0;
	fit->first_ns += first_ns;
	return line.n;
}

/* fit a timetable without skips; the second line excludes outliers of the first */
static bool draw_timetable(const struct fitting *fitting, struct fit *fit)
{
	guint on_time;

	number_all(fitting, fit);
	on_time = draw_by_number(fitting, fit, INFINITY);
	if (on_time > FEW && fit->period_ns > 0)
		on_time = draw_by_number(fitting, fit, fit->period_ns / 4);
	return on_time > FEW && on_time > ON_TIME_PART * fitting->lives->len;
}

/* Returns 0 if too little was seen without holes. */
static double usual_gap_ns(const struct fitting *fitting)
{
	GArray *gaps = numbers_new();
	double gap_ns = 0;

	for (guint nr = 1; nr < fitting->lives->len; nr++) {
		int64_t by_ns = queue_at(fitting, nr) - queue_at(fitting, nr - 1);

		if (is_seen_whole(fitting->lives, nr, 1))
			g_array_append_val(gaps, by_ns);
	}
	if (gaps->len)
		gap_ns = numbers_median(gaps);
	g_array_free(gaps, TRUE);
	return gap_ns;
}

/* fit a timetable with skips: start from the usual gap, and count the periods in each gap */
static bool draw_skipping(const struct fitting *fitting, struct fit *fit)
{
	double first_ns = queue_at(fitting, 0), *numbers;
	struct line line = { 0 };
	bool drawn;

	fit->period_ns = usual_gap_ns(fitting);
	if (fit->period_ns < LEAST_PERIOD_NS)
		return false;
	numbers = g_new0(double, fitting->lives->len);
	for (guint nr = 1; nr < fitting->lives->len; nr++)
		numbers[nr] = numbers[nr - 1] +
			fmax(1, round((queue_at(fitting, nr) - queue_at(fitting, nr - 1)) / fit->period_ns));
	number_times(fitting, numbers, fit);
	for (guint nr = 0; nr < fitting->lives->len; nr++)
		add_point(&line, numbers[nr], queue_at(fitting, nr) - first_ns);
	g_free(numbers);
	drawn = draw(&line, &fit->first_ns, &fit->period_ns);
	fit->first_ns += first_ns;
	return drawn;
}

static double number_of(const struct fitting *fitting, const struct fit *fit, guint nr)
{
	return fit->skips ? round((queue_at(fitting, nr) - fit->first_ns) / fit->period_ns) :
			    fitting->numbers[nr];
}

double fit_due_ns(const struct fitting *fitting, const struct fit *fit, guint nr)
{
	return fit->first_ns + number_of(fitting, fit, nr) * fit->period_ns;
}

/* With skips, every arrival is near some time: these must be nearer than random ones would be. */
static bool keeps_time(const struct fitting *fitting, const struct fit *fit)
{
	GArray *off = numbers_new();
	int64_t usual_ns;

	for (guint nr = 0; nr < fitting->lives->len; nr++) {
		int64_t by_ns = llround(fabs(queue_at(fitting, nr) - fit_due_ns(fitting, fit, nr)));

		g_array_append_val(off, by_ns);
	}
	usual_ns = numbers_median(off);
	g_array_free(off, TRUE);
	return usual_ns < OFF_PART * fit->period_ns;
}

/* bits for the number of periods between consecutive workloads */
static double step_bits(const struct fitting *fitting, const struct fit *fit)
{
	double counts[MOST_STEPS] = { 0 }, bits = 0, n = 0;

	for (guint nr = 1; fit->skips && nr < fitting->lives->len; nr++) {
		double steps = number_of(fitting, fit, nr) - number_of(fitting, fit, nr - 1);

		if (!is_seen_whole(fitting->lives, nr, 1))
			continue;
		counts[(int)CLAMP(steps, 0, MOST_STEPS - 1)]++;
		n++;
	}
	for (int nr = 0; nr < MOST_STEPS; nr++)
		if (counts[nr] > 0)
			bits -= counts[nr] * log2(counts[nr] / n);
	return n > 0 ? scaled(fitting, bits, n) : 0;
}

/*
 * Bits for the delays after the due time or, if held, after the queue got room: the timetable
 * decides which.
 */
static double late_bits(const struct fitting *fitting, const struct fit *fit)
{
	GArray *late = numbers_new(), *held = numbers_new();
	double bits;

	for (guint nr = 0; nr < fitting->lives->len; nr++) {
		double due_ns = fit_due_ns(fitting, fit, nr);
		double from_ns = fit->skips ? -INFINITY : room_ns(fitting, nr, fit->depth);
		int64_t by_ns = llround(queue_at(fitting, nr) - fmax(due_ns, from_ns));

		if (fit->skips || knows_room(fitting, nr, fit->depth))
			g_array_append_val(from_ns > due_ns ? held : late, by_ns);
	}
	bits = scaled(fitting, numbers_bits(late) + numbers_bits(held), (double)late->len + held->len) +
	       step_bits(fitting, fit);
	g_array_free(held, TRUE);
	g_array_free(late, TRUE);
	return bits;
}

static struct fit timetable(const struct fitting *fitting, unsigned int depth, bool skips)
{
	struct fit fit = {
		.kind = FIT_TIMETABLE, .bits = INFINITY, .skips = skips, .depth = depth,
	};

	fit.possible = fitting->lives->len > FEW &&
		       (skips ? draw_skipping(fitting, &fit) : draw_timetable(fitting, &fit)) &&
		       fit.period_ns >= LEAST_PERIOD_NS && (!skips || keeps_time(fitting, &fit));
	if (fit.possible)
		fit.bits = late_bits(fitting, &fit);
	return fit;
}

/* use the declared period, with the latest phase at which no workload precedes its due time */
static void fit_told_period(const struct fitting *fitting, struct fit *fit)
{
	*fit = (struct fit) {
		.kind = FIT_TIMETABLE, .possible = true, .period_ns = fitting->period_ns,
		.depth = fitting->depth ? fitting->depth : MAX(fitting->most, 1),
		.first_ns = queue_at(fitting, 0),
	};
	number_all(fitting, fit);
	for (guint nr = 0; nr < fitting->lives->len; nr++)
		fit->first_ns = fmin(fit->first_ns, queue_at(fitting, nr) -
						    fitting->numbers[nr] * fit->period_ns);
	fit->bits = late_bits(fitting, fit);
}

static void fit_timetable(const struct fitting *fitting, struct fit *fit)
{
	unsigned int most = fitting->depth ? fitting->depth : MAX(fitting->most, 1);
	unsigned int usual = fitting->depth ? fitting->depth : MAX(fitting->usual, 1);
	struct fit tried;

	if (fitting->period_ns > 0) {
		fit_told_period(fitting, fit);
		return;
	}
	*fit = timetable(fitting, most, true);
	tried = timetable(fitting, most, false);
	if (tried.bits <= fit->bits)
		*fit = tried;
	if (usual != most) {
		tried = timetable(fitting, usual, false);
		if (tried.bits < fit->bits)
			*fit = tried;
	}
	/* the numbers are those of the last one that was tried */
	if (!fit->skips)
		number_all(fitting, fit);
}

/* --- at random ------------------------------------------------------------------------------ */

/* Random arrivals would sometimes come while others are in flight */
static double alone_bits(const struct fitting *fitting, double mean_ns)
{
	double latency_ns = 0;

	if (fitting->most > 1)
		return 0;
	for (guint nr = 0; nr < fitting->lives->len; nr++)
		latency_ns += life_at(fitting->lives, nr)->end_ns - queue_at(fitting, nr);
	return latency_ns / mean_ns / M_LN2;
}

static void fit_random(const struct fitting *fitting, struct fit *fit)
{
	GArray *gaps = numbers_new(), *held = numbers_new();
	guint n = 0, were_full = 0;
	unsigned int limit = MAX(fitting->usual, 1);
	double sum_ns = 0, usual, unusual;

	/* nothing can arrive while the queue is full; then gaps restart, as they have no memory */
	for (guint nr = 1; nr < fitting->lives->len; nr++) {
		double before_ns = queue_at(fitting, nr - 1), room = room_ns(fitting, nr, limit);
		bool was_full = fitting->limited && room > before_ns;
		int64_t gap_ns = queue_at(fitting, nr) - (int64_t)(was_full ? room : before_ns);

		if (!is_seen_whole(fitting->lives, nr, 1) || (fitting->limited && !knows_room(fitting, nr, limit)))
			continue;
		n++;
		were_full += was_full;
		if (was_full && is_held(fitting, nr, limit)) {
			g_array_append_val(held, gap_ns);
			continue;
		}
		sum_ns += MAX(gap_ns, 0);
		g_array_append_val(gaps, gap_ns);
	}
	*fit = (struct fit) {
		.kind = FIT_RANDOM, .possible = gaps->len > FEW && gaps->len > ON_TIME_PART * n && sum_ns > 0,
		.depth = MAX(fitting->most, 1), .bits = INFINITY,
	};
	if (fit->possible) {
		/* exponential distribution: the entropy is log2(e * mean) */
		usual = gaps->len * (log2(sum_ns / gaps->len) + 1 / M_LN2) +
			alone_bits(fitting, sum_ns / gaps->len);
		unusual = numbers_bits(gaps) + gaps->len * UNUSUAL_BITS + alone_bits(fitting, sum_ns / gaps->len);
		fit->bits = scaled(fitting, fmin(usual, unusual) + numbers_bits(held) +
				   numbers_choice_bits(held->len, were_full), n);
	}
	g_array_free(held, TRUE);
	g_array_free(gaps, TRUE);
}

/* --- all ---------------------------------------------------------------------------------------- */

/* the most in flight but for strays, and the share of workloads that reach it */
static void count_flight(struct fitting *fitting)
{
	guint done = 0, at_usual = 0, seen = 0, met = 0;
	GArray *flights = numbers_new(), *sorted = numbers_new();

	for (guint nr = 0; nr < fitting->lives->len; nr++) {
		int64_t flight;

		while (done < nr && g_array_index(fitting->ends, int64_t, done) <= queue_at(fitting, nr))
			done++;
		flight = nr + 1 - done;
		fitting->most = MAX(fitting->most, flight);
		met += flight > 1;
		g_array_append_val(flights, flight);
	}
	g_array_append_vals(sorted, flights->data, flights->len);
	g_array_sort(sorted, numbers_compare);
	if (sorted->len)
		fitting->usual = numbers_at(sorted, 1 - STRAY_PART);
	/* after a hole, unknown workloads may be in flight */
	for (guint nr = 0; nr < fitting->lives->len; nr++) {
		if (!knows_room(fitting, nr, fitting->usual))
			continue;
		seen++;
		at_usual += g_array_index(flights, int64_t, nr) >= fitting->usual;
	}
	fitting->met = (double)met / MAX(fitting->lives->len, 1);
	fitting->full = seen ? (double)at_usual / seen : 0;
	g_array_free(sorted, TRUE);
	g_array_free(flights, TRUE);
}

/*
 * A guest with as many in flight as it can have queues what is due when there is room, at once.
 * Another one may never have needed more, and queues at any time after that.
 */
static bool is_limited(const struct fitting *fitting)
{
	double seen_ns = 0, gaps = 0, were_full = 0, held = 0, by_chance;

	for (guint nr = 1; nr < fitting->lives->len; nr++) {
		double before_ns = queue_at(fitting, nr - 1);

		if (!is_seen_whole(fitting->lives, nr, 1) || !knows_room(fitting, nr, fitting->usual))
			continue;
		seen_ns += queue_at(fitting, nr) - before_ns;
		gaps++;
		if (room_ns(fitting, nr, fitting->usual) <= before_ns)
			continue;
		were_full++;
		held += is_held(fitting, nr, fitting->usual);
	}
	by_chance = seen_ns > 0 ? were_full * -expm1(-(HELD_NS + NEGATIVE_NS) * gaps / seen_ns) : 0;
	return held > by_chance + PROOF_DEVIATIONS * sqrt(by_chance) + LEAST_HELD;
}

void fitting_init(struct fitting *fitting, const GArray *lives, const struct stream_told *told)
{
	GArray *ends = numbers_new();

	for (guint nr = 0; nr < lives->len; nr++)
		g_array_append_val(ends, life_at(lives, nr)->end_ns);
	g_array_sort(ends, numbers_compare);
	*fitting = (struct fitting) {
		.lives = lives, .ends = ends, .depth = told ? told->depth : 0,
		.numbers = g_new0(double, lives->len),
		.period_ns = told ? told->period_ns : 0,
	};
	count_flight(fitting);
	fitting->limited = is_limited(fitting);
}

void fitting_clear(struct fitting *fitting)
{
	g_array_free((GArray *)fitting->ends, TRUE);
	g_free(fitting->numbers);
}

void fit_all(const struct fitting *fitting, struct fit fits[FIT_KINDS])
{
	static void (*const fit[FIT_KINDS])(const struct fitting *fitting, struct fit *fit) = {
		[FIT_LOOP] = fit_loop, [FIT_DEEPER] = fit_deeper, [FIT_CHAIN] = fit_chain,
		[FIT_TIMETABLE] = fit_timetable, [FIT_RANDOM] = fit_random,
	};

	for (int kind = 0; kind < FIT_KINDS; kind++)
		fit[kind](fitting, &fits[kind]);
}
