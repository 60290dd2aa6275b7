// SPDX-License-Identifier: GPL-2.0-or-later
#include "portions.h"
#include "walk.h"

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

/* the time since the last sample */
struct sweep {
	struct portions *portions;
	const struct timeline *timeline;
	double *ns;			/* by quantity */
	int64_t awake_ns;		/* until then, as somebody has executed */
};

static void spend_idle(struct sweep *sweep, const struct leg *leg)
{
	int64_t asleep_ns = CLAMP(sweep->awake_ns, leg->from_ns, leg->to_ns);

	sweep->ns[PORTION_AWAKE] += asleep_ns - leg->from_ns;
	sweep->ns[PORTION_IDLE] += leg->to_ns - asleep_ns;
}

static void on_leg(void *ctx, const struct leg *leg)
{
	struct sweep *sweep = ctx;
	const struct portions *portions = sweep->portions;
	double ns = leg->to_ns - leg->from_ns;
	unsigned int n = leg->nr_active;

	for (unsigned int b = 0; b < n; b++) {
		sweep->ns[portion_busy(portions, leg->active[b])] += ns;
		sweep->ns[portion_fair(portions, leg->active[b])] += ns / n;
		for (unsigned int a = 0; a < b; a++)
			sweep->ns[portion_together(portions, leg->active[a], leg->active[b])] += 2 * ns / n;
	}
	if (n)
		sweep->awake_ns = leg->to_ns + PORTION_AWAKE_NS;
	if (leg->unsure)
		sweep->ns[PORTION_LOST] += ns;
	else if (!n)
		spend_idle(sweep, leg);
}

/* What is before the first sample, or was not counted, is not covered. */
static void on_sample(void *ctx, const struct level *before, const struct level *now)
{
	struct sweep *sweep = ctx;

	if (before)
		portions_add(sweep->portions, sweep->ns, now->at_ns - before->at_ns,
			     (now->counts - before->counts) * sweep->timeline->counter.unit_nj);
	for (unsigned int quantity = 0; quantity < sweep->portions->quantities; quantity++)
		sweep->ns[quantity] = 0;
}

struct portions *portions_new(const struct timeline *timeline)
{
	struct portions *portions = portions_empty(timeline->consumers->len);
	struct sweep sweep = { portions, timeline, g_new0(double, portions->quantities), INT64_MIN };

	timeline_walk(timeline, &(const struct walker) { on_leg, on_sample, &sweep });
	g_free(sweep.ns);
	return portions;
}

struct portions *portions_empty(unsigned int consumers)
{
	struct portions *portions = g_new(struct portions, 1);

	*portions = (struct portions) {
		.consumers = consumers,
		.quantities = FIRST_BUSY + 2 * consumers + (consumers ? consumers * (consumers - 1) / 2 : 0),
		.all = g_array_new(FALSE, FALSE, sizeof(struct portion)),
		.stints = g_array_new(FALSE, FALSE, sizeof(struct stint)),
	};
	return portions;
}

void portions_add(struct portions *portions, const double *ns, int64_t length_ns, double nj)
{
	struct stint stint = { .first = portions->all->len, .length_ns = length_ns, .nj = nj };

	for (uint32_t quantity = 0; quantity < portions->quantities; quantity++) {
		struct portion portion = { quantity, ns[quantity] };

		if (portion.ns > 0)
			g_array_append_val(portions->all, portion);
	}
	stint.count = portions->all->len - stint.first;
	g_array_append_val(portions->stints, stint);
}

void portions_free(struct portions *portions)
{
	g_array_free(portions->all, TRUE);
	g_array_free(portions->stints, TRUE);
	g_free(portions);
}
