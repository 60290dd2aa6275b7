// SPDX-License-Identifier: GPL-2.0-or-later
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <glib.h>

#include "trace/util.h"
#include "sampler.h"

/* Intel SDM, volume 3, 15.10: updated once in 1/1024 s, more or less */
#define UPDATE_NS	976562
#define SEARCH_NS	1200000
/* reads are so far apart; begin before, and end behind, where an update is expected */
#define POLL_NS		15000
#define LEAD_NS		15000
#define TAIL_NS		60000
/* deep sleep may delay a wake-up by more, which then costs an update */
#define MOST_LATE_NS	300000
/* so many updates in a row were not where they were expected: search */
#define MISSES_MAX	3

struct energy_sampler {
	const struct energy_source *source;
	int64_t period_ns;
	energy_mark_fn mark;
	void *ctx;
	GThread *thread;
	int stop;			/* eventfd */
	bool over;
	int64_t edge_ns;		/* the last update that was seen; UNKNOWN: none */
	int misses;			/* since then */
	uint64_t count;			/* of the last sample, if there is one */
	int64_t late_ns;		/* how late wake-ups are of late */
	struct energy_sampled done;
};

static int64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Forgets the latest delay by an eighth each time: one is like the next, mostly. */
static void note_delay(struct energy_sampler *sampler, int64_t delay_ns)
{
	int64_t kept_ns = sampler->late_ns - sampler->late_ns / 8;

	sampler->late_ns = MIN(MAX(delay_ns, kept_ns), MOST_LATE_NS);
}

/* until the time, or until somebody stops it */
static void wait_until(struct energy_sampler *sampler, int64_t at_ns)
{
	struct pollfd fd = { .fd = sampler->stop, .events = POLLIN };
	int64_t left_ns = MAX(at_ns - now_ns(CLOCK_MONOTONIC), 0);
	struct timespec left = { left_ns / NSEC_PER_SEC, left_ns % NSEC_PER_SEC };

	if (ppoll(&fd, 1, &left, NULL) > 0)
		sampler->over = true;
	else if (left_ns)
		note_delay(sampler, now_ns(CLOCK_MONOTONIC) - at_ns);
}

static bool is_locked(const struct energy_sampler *sampler)
{
	return known(sampler->edge_ns) && sampler->misses < MISSES_MAX;
}

/* when to wake up so as to be there before the first update that is expected after @at_ns */
static int64_t before_update(const struct energy_sampler *sampler, int64_t at_ns)
{
	int64_t past_ns = at_ns - sampler->edge_ns;

	if (!is_locked(sampler))
		return at_ns;
	return sampler->edge_ns + (past_ns + UPDATE_NS - 1) / UPDATE_NS * UPDATE_NS - LEAD_NS - sampler->late_ns;
}

/* a read, and when it was */
struct reading {
	uint64_t count;
	int64_t at_ns;
};

static bool take(struct energy_sampler *sampler, struct reading *reading)
{
	sampler->done.reads++;
	bool good = energy_source_read(sampler->source, &reading->count);

	reading->at_ns = now_ns(CLOCK_MONOTONIC);
	return good;
}

/*
 * Reads until the counter changes. It may not: what the GPU draws in RC6 is less than a step per
 * update; a count that stays is then as good as a new one. While it is that of the last sample,
 * nothing is searched: an idle GPU must not cost its host thousands of wake-ups a second.
 *
 * Returns the time between the last read and the one before it, which saw another count; 0 if none
 * did, negative if a read failed.
 */
static int64_t find_edge(struct energy_sampler *sampler, struct reading *last)
{
	struct timespec pause = { .tv_nsec = POLL_NS };
	struct reading before;
	int64_t until_ns;

	if (!take(sampler, &before))
		return -1;
	*last = before;
	if (!is_locked(sampler) && sampler->done.samples && before.count == sampler->count)
		return 0;
	until_ns = before.at_ns + (is_locked(sampler) ? LEAD_NS + sampler->late_ns + TAIL_NS : SEARCH_NS);
	for (; last->at_ns < until_ns; before = *last) {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		if (!take(sampler, last))
			return -1;
		if (last->count != before.count)
			return last->at_ns - before.at_ns;
	}
	return 0;
}

static void note_edge(struct energy_sampler *sampler, const struct reading *last, int64_t edge_ns)
{
	if (!edge_ns) {
		sampler->misses++;
		return;
	}
	sampler->edge_ns = last->at_ns - edge_ns / 2;
	sampler->misses = 0;
	sampler->done.on_edges++;
}

static void sample(struct energy_sampler *sampler)
{
	struct energy_sample sample = { .counter = *energy_source_counter(sampler->source) };
	struct reading last;
	char text[ENERGY_TEXT_LEN];

	sample.edge_ns = find_edge(sampler, &last);
	if (sample.edge_ns >= 0) {
		sample.count = last.count;
		sample.age_ns = now_ns(CLOCK_MONOTONIC) - last.at_ns;
		energy_sample_text(text, &sample);
	}
	if (sample.edge_ns < 0 || !sampler->mark(sampler->ctx, text)) {
		sampler->done.failed = true;
		sampler->done.unread = sample.edge_ns < 0;
		return;
	}
	sampler->done.samples++;
	sampler->count = last.count;
	note_edge(sampler, &last, sample.edge_ns);
}

/* at an update, too: both ends of the recording are then exact to a count */
static void sample_last(struct energy_sampler *sampler)
{
	int64_t at_ns = before_update(sampler, now_ns(CLOCK_MONOTONIC) + LEAD_NS + sampler->late_ns);
	struct timespec at = { at_ns / NSEC_PER_SEC, at_ns % NSEC_PER_SEC };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
	sample(sampler);
}

static void *run(void *ctx)
{
	struct energy_sampler *sampler = ctx;
	int64_t next_ns = now_ns(CLOCK_MONOTONIC);

	/* the kernel may otherwise let it sleep for 50 us more */
	prctl(PR_SET_TIMERSLACK, 1);
	while (!sampler->over && !sampler->done.failed) {
		sample(sampler);
		/* what could not be read in time is left out */
		next_ns = MAX(next_ns + sampler->period_ns, now_ns(CLOCK_MONOTONIC));
		wait_until(sampler, before_update(sampler, next_ns));
	}
	if (!sampler->done.failed)
		sample_last(sampler);
	sampler->done.cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

struct energy_sampler *energy_sampler_start(const struct energy_source *source, unsigned int hz,
					    energy_mark_fn mark, void *ctx)
{
	struct energy_sampler *sampler = g_new(struct energy_sampler, 1);

	*sampler = (struct energy_sampler) {
		.source = source, .period_ns = NSEC_PER_SEC / hz, .mark = mark, .ctx = ctx,
		.edge_ns = UNKNOWN, .stop = eventfd(0, EFD_CLOEXEC),
	};
	if (sampler->stop < 0)
		fatal("cannot make an eventfd: too many open files");
	sampler->thread = g_thread_new("energy", run, sampler);
	return sampler;
}

struct energy_sampled energy_sampler_stop(struct energy_sampler *sampler)
{
	struct energy_sampled done;

	eventfd_write(sampler->stop, 1);
	g_thread_join(sampler->thread);
	done = sampler->done;
	close(sampler->stop);
	g_free(sampler);
	return done;
}
