// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "walk.h"

/* about eight updates of the counter */
#define SHORT_NS	(8 * NSEC_PER_MSEC)

/* the moment at which somebody begins or ends, or the counter is sampled */
struct moment {
	int64_t at_ns;
	enum { MOMENT_BEGIN, MOMENT_END, MOMENT_SAMPLE } what;
	guint nr;			/* of the span, or of the level */
};

struct walk {
	const struct timeline *timeline;
	const struct walker *walker;
	unsigned int *running;		/* by consumer: how many of its spans */
	uint32_t *active, *work;	/* as in struct leg */
	unsigned int nr_active;
	unsigned int unsure;		/* spans of lost events */
	int64_t at_ns;
	const struct level *before;	/* the last sample; NULL: none yet */
};

static gint compare_moments(gconstpointer a, gconstpointer b)
{
	const struct moment *one = a, *other = b;

	if (one->at_ns != other->at_ns)
		return one->at_ns < other->at_ns ? -1 : 1;
	if (one->what != other->what)
		return one->what < other->what ? -1 : 1;
	return (one->nr > other->nr) - (one->nr < other->nr);
}

static bool is_left_out(const GArray *levels, guint nr)
{
	const struct level *level = &g_array_index(levels, struct level, nr);

	return level->vague && !level->broken && nr && nr + 1 < levels->len &&
	       !level[-1].vague && !level[1].vague && !level[1].broken && level[1].at_ns - level[-1].at_ns < SHORT_NS;
}

static GArray *list_moments(const struct timeline *timeline)
{
	GArray *moments = g_array_new(FALSE, FALSE, sizeof(struct moment));

	for (guint nr = 0; nr < timeline->spans->len; nr++) {
		const struct span *span = &g_array_index(timeline->spans, struct span, nr);
		struct moment ends[] = {
			{ span->from_ns, MOMENT_BEGIN, nr }, { span->to_ns, MOMENT_END, nr },
		};

		g_array_append_vals(moments, ends, G_N_ELEMENTS(ends));
	}
	for (guint nr = 0; nr < timeline->levels->len; nr++) {
		struct moment sample = {
			g_array_index(timeline->levels, struct level, nr).at_ns, MOMENT_SAMPLE, nr,
		};

		if (!is_left_out(timeline->levels, nr))
			g_array_append_val(moments, sample);
	}
	g_array_sort(moments, compare_moments);
	return moments;
}

static void go_on(struct walk *walk, int64_t to_ns)
{
	const struct leg leg = {
		.from_ns = walk->at_ns, .to_ns = to_ns, .active = walk->active,
		.nr_active = walk->nr_active, .work = walk->work, .unsure = walk->unsure,
	};

	if (to_ns > walk->at_ns)
		walk->walker->leg(walk->walker->ctx, &leg);
	walk->at_ns = to_ns;
}

static void take_sample(struct walk *walk, guint nr)
{
	const struct level *now = &g_array_index(walk->timeline->levels, struct level, nr);

	walk->walker->sample(walk->walker->ctx, now->broken ? NULL : walk->before, now);
	walk->before = now;
}

static void list_active(struct walk *walk)
{
	walk->nr_active = 0;
	for (uint32_t who = 0; who < walk->timeline->consumers->len; who++)
		if (walk->running[who])
			walk->active[walk->nr_active++] = who;
}

static void change(struct walk *walk, const struct moment *moment)
{
	const struct span *span = &g_array_index(walk->timeline->spans, struct span, moment->nr);
	int by = moment->what == MOMENT_BEGIN ? 1 : -1;

	if (span->who == SPAN_UNSURE) {
		walk->unsure += by;
		return;
	}
	walk->running[span->who] += by;
	if (by > 0)
		walk->work[span->who] = span->work;
	list_active(walk);
}

void timeline_walk(const struct timeline *timeline, const struct walker *walker)
{
	GArray *moments = list_moments(timeline);
	guint count = timeline->consumers->len;
	struct walk walk = {
		.timeline = timeline, .walker = walker, .running = g_new0(unsigned int, count),
		.active = g_new0(uint32_t, count), .work = g_new0(uint32_t, count),
	};

	if (moments->len)
		walk.at_ns = g_array_index(moments, struct moment, 0).at_ns;
	for (guint nr = 0; nr < moments->len; nr++) {
		const struct moment *moment = &g_array_index(moments, struct moment, nr);

		go_on(&walk, moment->at_ns);
		if (moment->what == MOMENT_SAMPLE)
			take_sample(&walk, moment->nr);
		else
			change(&walk, moment);
	}
	g_free(walk.running);
	g_free(walk.active);
	g_free(walk.work);
	g_array_free(moments, TRUE);
}
