// SPDX-License-Identifier: GPL-2.0-or-later
#include "portions.h"

#define FIRST_BUSY	3

unsigned int portion_busy(const struct portions *portions, unsigned int a)
{
	(void)portions;
	return FIRST_BUSY + a;
}

unsigned int portion_fair(const struct portions *portions, unsigned int a)
{
	return FIRST_BUSY + portions->consumers + a;
}

unsigned int portion_together(const struct portions *portions, unsigned int a, unsigned int b)
{
	return FIRST_BUSY + 2 * portions->consumers + b * (b - 1) / 2 + a;
}

bool portion_is_pair(const struct portions *portions, unsigned int quantity)
{
	return quantity >= portion_fair(portions, portions->consumers);
}

bool portions_certain(const struct portions *portions, const struct stint *stint)
{
	for (guint nr = 0; nr < stint->count; nr++)
		if (portions_at(portions, stint, nr)->quantity == PORTION_LOST)
			return false;
	return true;
}

/* the moment at which somebody begins or ends, or the counter is sampled */
struct moment {
	int64_t at_ns;
	enum { MOMENT_BEGIN, MOMENT_END, MOMENT_SAMPLE } what;
	uint32_t who;			/* a consumer or SPAN_UNSURE; the number of the sample */
};

/* goes along the moments */
struct sweep {
	struct portions *portions;
	const struct timeline *timeline;
	double *ns;			/* by quantity, since the last sample */
	unsigned int *running;		/* by consumer: how many of its spans */
	uint32_t *active;		/* consumers that execute, ascending */
	unsigned int nr_active;
	unsigned int unsure;		/* spans of lost events */
	int64_t at_ns;
	int64_t awake_ns;		/* until then, as somebody has executed */
};

static gint compare_moments(gconstpointer a, gconstpointer b)
{
	const struct moment *one = a, *other = b;

	if (one->at_ns != other->at_ns)
		return one->at_ns < other->at_ns ? -1 : 1;
	if (one->what != other->what)
		return one->what < other->what ? -1 : 1;
	return (one->who > other->who) - (one->who < other->who);
}

static GArray *list_moments(const struct timeline *timeline)
{
	GArray *moments = g_array_new(FALSE, FALSE, sizeof(struct moment));

	for (guint nr = 0; nr < timeline->spans->len; nr++) {
		const struct span *span = &g_array_index(timeline->spans, struct span, nr);
		struct moment ends[] = {
			{ span->from_ns, MOMENT_BEGIN, span->who }, { span->to_ns, MOMENT_END, span->who },
		};

		g_array_append_vals(moments, ends, G_N_ELEMENTS(ends));
	}
	for (guint nr = 0; nr < timeline->levels->len; nr++) {
		struct moment sample = {
			g_array_index(timeline->levels, struct level, nr).at_ns, MOMENT_SAMPLE, nr,
		};

		g_array_append_val(moments, sample);
	}
	g_array_sort(moments, compare_moments);
	return moments;
}

static void spend_active(struct sweep *sweep, double ns)
{
	const struct portions *portions = sweep->portions;
	unsigned int n = sweep->nr_active;

	for (unsigned int b = 0; b < n; b++) {
		sweep->ns[portion_busy(portions, sweep->active[b])] += ns;
		sweep->ns[portion_fair(portions, sweep->active[b])] += ns / n;
		for (unsigned int a = 0; a < b; a++)
			sweep->ns[portion_together(portions, sweep->active[a], sweep->active[b])] += 2 * ns / n;
	}
}

static void spend_idle(struct sweep *sweep, int64_t to_ns)
{
	int64_t asleep_ns = CLAMP(sweep->awake_ns, sweep->at_ns, to_ns);

	sweep->ns[PORTION_AWAKE] += asleep_ns - sweep->at_ns;
	sweep->ns[PORTION_IDLE] += to_ns - asleep_ns;
}

static void spend(struct sweep *sweep, int64_t to_ns)
{
	double ns = to_ns - sweep->at_ns;

	if (ns > 0) {
		spend_active(sweep, ns);
		if (sweep->unsure)
			sweep->ns[PORTION_LOST] += ns;
		else if (!sweep->nr_active)
			spend_idle(sweep, to_ns);
	}
	sweep->at_ns = to_ns;
	if (sweep->nr_active)
		sweep->awake_ns = to_ns + PORTION_AWAKE_NS;
}

static void list_active(struct sweep *sweep)
{
	sweep->nr_active = 0;
	for (uint32_t who = 0; who < sweep->portions->consumers; who++)
		if (sweep->running[who])
			sweep->active[sweep->nr_active++] = who;
}

static void change(struct sweep *sweep, const struct moment *moment)
{
	int by = moment->what == MOMENT_BEGIN ? 1 : -1;

	if (moment->who == SPAN_UNSURE) {
		sweep->unsure += by;
		return;
	}
	sweep->running[moment->who] += by;
	list_active(sweep);
}

static void add_stint(struct sweep *sweep, const struct level *before, const struct level *now)
{
	struct portions *portions = sweep->portions;
	struct stint stint = {
		.first = portions->all->len, .length_ns = now->at_ns - before->at_ns,
		.nj = (now->counts - before->counts) * sweep->timeline->counter.unit_nj,
	};

	for (uint32_t quantity = 0; quantity < portions->quantities; quantity++) {
		struct portion portion = { quantity, sweep->ns[quantity] };

		if (portion.ns > 0)
			g_array_append_val(portions->all, portion);
	}
	stint.count = portions->all->len - stint.first;
	g_array_append_val(portions->stints, stint);
}

/* What is before the first sample, or was not counted, is not covered. */
static void end_stint(struct sweep *sweep, unsigned int nr)
{
	const struct level *levels = (const struct level *)sweep->timeline->levels->data;

	if (nr && !levels[nr].broken)
		add_stint(sweep, &levels[nr - 1], &levels[nr]);
	for (unsigned int quantity = 0; quantity < sweep->portions->quantities; quantity++)
		sweep->ns[quantity] = 0;
}

static void run(struct sweep *sweep, const GArray *moments)
{
	for (guint nr = 0; nr < moments->len; nr++) {
		const struct moment *moment = &g_array_index(moments, struct moment, nr);

		spend(sweep, moment->at_ns);
		if (moment->what == MOMENT_SAMPLE)
			end_stint(sweep, moment->who);
		else
			change(sweep, moment);
	}
}

struct portions *portions_new(const struct timeline *timeline)
{
	struct portions *portions = g_new0(struct portions, 1);
	unsigned int count = timeline->consumers->len;
	GArray *moments = list_moments(timeline);
	struct sweep sweep;

	portions->consumers = count;
	portions->quantities = FIRST_BUSY + 2 * count + (count ? count * (count - 1) / 2 : 0);
	portions->all = g_array_new(FALSE, FALSE, sizeof(struct portion));
	portions->stints = g_array_new(FALSE, FALSE, sizeof(struct stint));
	sweep = (struct sweep) {
		.portions = portions, .timeline = timeline, .ns = g_new0(double, portions->quantities),
		.running = g_new0(unsigned int, count), .active = g_new0(uint32_t, count), .awake_ns = INT64_MIN,
	};
	run(&sweep, moments);
	g_free(sweep.ns);
	g_free(sweep.running);
	g_free(sweep.active);
	g_array_free(moments, TRUE);
	return portions;
}

void portions_free(struct portions *portions)
{
	g_array_free(portions->all, TRUE);
	g_array_free(portions->stints, TRUE);
	g_free(portions);
}
