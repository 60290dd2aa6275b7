// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "trace/util.h"
#include "streams-private.h"

/* a clock's grid: as much of the period as workloads may be off it, and least lengths */
#define OFF_GRID	0.02
#define LEAST_PERIOD_NS	100000
#define LEAST_OFF_NS	20000
#define LEAST_OPEN_NS	NSEC_PER_MSEC
/* a period that is so near to a display's, or a video's, is one */
#define NEAR_DISPLAY	0.002
/*
 * A guest that could queue no more queues what a clock has held ready as soon as a workload
 * completes. Of a clock's workloads, such a part at least comes by it.
 */
#define HELD_NS		200000
#define ON_CLOCK_PART	0.05

static GArray *gaps_of(const GArray *lives)
{
	GArray *gaps = numbers_new();

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
	GArray *periods = g_array_new(FALSE, FALSE, sizeof(double)), *off = numbers_new();
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
	width = numbers_spread(off);
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

bool clock_find(const GArray *lives, unsigned int depth, struct clock *clock)
{
	guint on_clock = fit_clock(lives, depth, clock);

	return on_clock > FEW && on_clock > ON_CLOCK_PART * lives->len &&
	       clock->period_ns > LEAST_PERIOD_NS && keeps_clock(lives, depth, clock);
}

/*
 * Pauses that are as different as the times between workloads depend on nothing that
 * completed. Of one at a time, both are the same.
 */
bool clock_is_open(const GArray *lives, unsigned int depth)
{
	GArray *gaps = gaps_of(lives), *numbers = flight_pauses(lives, depth);
	int64_t pause_spread_ns = numbers_spread(numbers), gap_spread_ns = numbers_spread(gaps);
	bool open = false;

	if (gaps->len)
		open = is_periodic(lives, numbers_median(gaps), pause_spread_ns) ||
		       (depth > 1 && gap_spread_ns != INT64_MAX && gap_spread_ns > LEAST_OPEN_NS &&
			pause_spread_ns > gap_spread_ns / 2);
	g_array_free(numbers, TRUE);
	g_array_free(gaps, TRUE);
	return open;
}
