// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "timeline/walk.h"
#include "spread.h"

/* what somebody, or nobody, draws in a leg, in proportion to the others of the same between two samples */
struct bit {
	int64_t from_ns, to_ns;
	uint32_t whose;
	uint32_t work;
	double weight;
};

struct spreading {
	const struct spread_source *source;
	struct spread *spread;
	GArray *bits;			/* struct bit, since the last sample */
	double *weights;		/* by whose: the sum over @bits */
	double *part;			/* by whose: of the energy between two samples */
	guint stint;			/* number of the next one */
};

/* --- a leg -------------------------------------------------------------------------------------- */

static double saving(const struct spread_source *source, uint32_t one, uint32_t other)
{
	return source->fit->watts[portion_together(source->portions, MIN(one, other), MAX(one, other))];
}

static double power(const struct spread_source *source, const struct leg *leg, uint32_t who)
{
	double watts = source->fit->watts[portion_busy(source->portions, who)];

	for (unsigned int nr = 0; nr < leg->nr_active; nr++)
		if (leg->active[nr] != who)
			watts -= saving(source, who, leg->active[nr]) / leg->nr_active;
	return fmax(watts, 0);
}

static void add_bit(struct spreading *s, const struct leg *leg, uint32_t whose, uint32_t work, double watts)
{
	const struct bit bit = {
		.from_ns = leg->from_ns, .to_ns = leg->to_ns, .whose = whose, .work = work,
		.weight = watts * (leg->to_ns - leg->from_ns),
	};

	g_array_append_val(s->bits, bit);
	s->weights[whose] += bit.weight;
}

static void on_leg(void *ctx, const struct leg *leg)
{
	struct spreading *s = ctx;
	const struct portions *portions = s->source->portions;

	for (unsigned int nr = 0; nr < leg->nr_active; nr++)
		add_bit(s, leg, leg->active[nr], leg->work[leg->active[nr]], power(s->source, leg, leg->active[nr]));
	if (leg->unsure)
		add_bit(s, leg, SHARE_UNKNOWN(portions), SPAN_NO_WORK, 1);
	else if (!leg->nr_active)
		add_bit(s, leg, SHARE_IDLE(portions), SPAN_NO_WORK, 1);
}

/* --- what is between two samples ---------------------------------------------------------------- */

/* divides an amount among intervals by time; @values has one in each @step for an interval */
static void add_over(const struct spread *spread, double *values, unsigned int step,
		     int64_t from_ns, int64_t to_ns, double amount)
{
	double per_ns = amount / (to_ns - from_ns);

	while (from_ns < to_ns) {
		uint64_t nr = (from_ns - spread->from_ns) / spread->length_ns;
		int64_t left_ns = spread->length_ns - (from_ns - spread->from_ns) % spread->length_ns;

		if (nr >= spread->intervals)
			return;
		left_ns = MIN(left_ns, to_ns - from_ns);
		values[nr * step] += per_ns * left_ns;
		from_ns += left_ns;
	}
}

static void add(struct spreading *s, uint32_t whose, int64_t from_ns, int64_t to_ns, double nj)
{
	add_over(s->spread, s->spread->nj + whose, s->spread->shares, from_ns, to_ns, nj);
}

/* what is drawn in any case, and in idle time */
static void add_static(struct spreading *s, int64_t from_ns, int64_t to_ns, double nj)
{
	const struct spread_source *source = s->source;
	double left = nj;

	for (uint32_t who = 0; source->equal && who < source->portions->consumers; who++) {
		add(s, who, from_ns, to_ns, source->equal[who] * nj);
		left -= source->equal[who] * nj;
	}
	add(s, SHARE_IDLE(source->portions), from_ns, to_ns, left);
}

static void add_energy(struct spreading *s, const struct bit *bit)
{
	const struct portions *portions = s->source->portions;
	double nj = s->weights[bit->whose] > 0 ? s->part[bit->whose] * bit->weight / s->weights[bit->whose] : 0;
	double kept;

	if (bit->whose == SHARE_IDLE(portions)) {
		add_static(s, bit->from_ns, bit->to_ns, nj);
	} else if (bit->whose == SHARE_UNKNOWN(portions)) {
		add(s, bit->whose, bit->from_ns, bit->to_ns, nj);
	} else {
		kept = s->source->shares->kept[bit->whose];
		add(s, bit->whose, bit->from_ns, bit->to_ns, nj * kept);
		add_static(s, bit->from_ns, bit->to_ns, nj * (1 - kept));
		if (bit->work == SPAN_NO_WORK)
			return;
		s->spread->works[bit->work].nj += nj * kept;
		s->spread->works[bit->work].ns += bit->to_ns - bit->from_ns;
		s->spread->works[bit->work].stint_nj += nj;
	}
}

/* What the powers do not explain is divided in proportion, but may be of anybody: as add_spread() of share.c */
static void add_spreads(struct spreading *s, double residual_nj, double all_nj)
{
	for (guint nr = 0; nr < s->bits->len; nr++) {
		const struct bit *bit = &g_array_index(s->bits, struct bit, nr);
		struct work_energy *work = bit->work == SPAN_NO_WORK ? NULL : &s->spread->works[bit->work];
		double part;

		if (!work || work->stint_nj <= 0)
			continue;
		part = fmin(work->stint_nj / all_nj, 1);
		work->spread += residual_nj * residual_nj * part * (1 - part);
		work->stint_nj = 0;
	}
}

static void add_stint(struct spreading *s, const struct level *before, const struct level *now)
{
	const struct spread_source *source = s->source;
	const struct stint *stint = portions_stint(source->portions, s->stint++);
	uint32_t unknown = SHARE_UNKNOWN(source->portions);
	double residual_nj = shares_split(source->portions, source->fit, stint, s->part);

	for (guint nr = 0; nr < s->bits->len; nr++)
		add_energy(s, &g_array_index(s->bits, struct bit, nr));
	add_spreads(s, residual_nj, stint->nj);
	/* without powers, all energy is, although it is known who executed */
	if (s->weights[unknown] <= 0)
		add(s, unknown, before->at_ns, now->at_ns, s->part[unknown]);
	add_over(s->spread, s->spread->covered_ns, 1, before->at_ns, now->at_ns, now->at_ns - before->at_ns);
}

static void on_sample(void *ctx, const struct level *before, const struct level *now)
{
	struct spreading *s = ctx;

	if (before)
		add_stint(s, before, now);
	g_array_set_size(s->bits, 0);
	for (unsigned int whose = 0; whose < s->spread->shares; whose++)
		s->weights[whose] = 0;
}

struct spread *spread_new(const struct spread_source *source, int64_t from_ns, int64_t length_ns,
			  unsigned int intervals)
{
	struct spread *spread = g_new(struct spread, 1);
	unsigned int shares = SHARES(source->portions);
	struct spreading s = {
		.source = source, .spread = spread, .bits = g_array_new(FALSE, FALSE, sizeof(struct bit)),
		.weights = g_new0(double, shares), .part = g_new0(double, shares),
	};

	*spread = (struct spread) {
		.works = g_new0(struct work_energy, source->timeline->works->len),
		.from_ns = from_ns, .length_ns = length_ns, .intervals = intervals, .shares = shares,
		.nj = g_new0(double, (gsize)intervals * shares), .covered_ns = g_new0(double, intervals),
	};
	timeline_walk(source->timeline, &(const struct walker) { on_leg, on_sample, &s });
	g_array_free(s.bits, TRUE);
	g_free(s.weights);
	g_free(s.part);
	return spread;
}

void spread_free(struct spread *spread)
{
	g_free(spread->works);
	g_free(spread->nj);
	g_free(spread->covered_ns);
	g_free(spread);
}
