// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include <glib.h>

#include "trace/util.h"
#include "sampler.h"

/* Intel SDM, volume 3, 15.10: updated once in 1/1024 s, more or less */
#define UPDATE_NS	976562
#define SEARCH_NS	1200000
/*
 * Reads begin before an update is expected by what a read takes and this, and end so long behind it,
 * and more as experience tells.
 */
#define LEAD_NS		400
#define LONGEST_READ_NS	20000
/* A sleep costs as much as so many reads, which tell the time of an update better: read without pauses at first. */
#define READS_AT_ONCE	8
#define PAUSE_NS	15000
/* deep sleep may delay a wake-up by more, which then costs an update */
#define MOST_OFF_NS	300000
/* and so much more is believed at once, and a quarter of what is known */
#define MORE_NS		1500
/*
 * Search where updates are if so many in a row were not where they were expected, for so long: in RC6
 * the GPU draws less than a step per update, and regularly misses one.
 */
#define MISSES_MAX	5
#define LOST_NS		NSEC_PER_SEC
/* it ends so long after somebody stops it, at most */
#define STOP_NS		50000000

/* i915 looks at the frequency 200 times a second, and sums up whole MHz times s */
#define GPU_PERIOD_NS	100000000

struct energy_sampler {
	const struct energy_source *source;
	const struct gpu_counters *gpu;	/* NULL: not to be read */
	int64_t gpu_ns;			/* read again from then on */
	int64_t period_ns;
	energy_mark_fn mark;
	void *ctx;
	GThread *thread;
	int stop;			/* atomic */
	char fixed[ENERGY_FIXED_LEN];	/* what all samples begin with */
	int64_t edge_ns;		/* the last update that was seen; UNKNOWN: none */
	int64_t unsure_ns;		/* it was so much earlier or later, at most */
	int misses;			/* since then */
	bool lost;			/* it is too long ago */
	uint64_t count;			/* of the last sample, if there is one */
	int64_t read_ns;		/* what a read takes, of late */
	int64_t late_ns;		/* how late wake-ups are of late */
	int64_t off_ns;			/* how far off from where they were expected updates are of late */
	struct energy_sampled done;
};

static int64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Follows the largest of late, and forgets it slowly; one alone means little. */
static void note_largest(int64_t *largest_ns, int64_t ns)
{
	int64_t kept_ns = *largest_ns - *largest_ns / 64;

	*largest_ns = CLAMP(ns, kept_ns, MIN(kept_ns + kept_ns / 4 + MORE_NS, MOST_OFF_NS));
}

static void sleep_until(int64_t at_ns)
{
	struct timespec at = { at_ns / NSEC_PER_SEC, at_ns % NSEC_PER_SEC };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

/* Until the time, or soon after somebody stops it: to wake up from anything but a sleep takes more CPU. */
static void wait_until(struct energy_sampler *sampler, int64_t at_ns, int64_t since_ns)
{
	for (; since_ns < at_ns - STOP_NS && !g_atomic_int_get(&sampler->stop); since_ns += STOP_NS)
		sleep_until(since_ns + STOP_NS);
	if (since_ns < at_ns && !g_atomic_int_get(&sampler->stop)) {
		sleep_until(at_ns);
		note_largest(&sampler->late_ns, now_ns(CLOCK_MONOTONIC) - at_ns);
	}
}

static bool is_locked(const struct energy_sampler *sampler)
{
	return known(sampler->edge_ns) && !sampler->lost;
}

/* the first update that is expected after @at_ns */
static int64_t next_update(const struct energy_sampler *sampler, int64_t at_ns)
{
	int64_t past_ns = at_ns - sampler->edge_ns;

	return sampler->edge_ns + (past_ns + UPDATE_NS - 1) / UPDATE_NS * UPDATE_NS;
}

static int64_t lead_ns(const struct energy_sampler *sampler)
{
	return LEAD_NS + sampler->read_ns + sampler->unsure_ns + sampler->off_ns;
}

/* when to wake up so as to be there before the first update that is expected after @at_ns */
static int64_t before_update(const struct energy_sampler *sampler, int64_t at_ns)
{
	if (!is_locked(sampler))
		return at_ns;
	return next_update(sampler, at_ns) - lead_ns(sampler) - sampler->late_ns;
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

static int64_t nearest_update(const struct energy_sampler *sampler, int64_t at_ns)
{
	return next_update(sampler, at_ns - UPDATE_NS / 2);
}

/* when it is no use to read on: the update was not where it is expected, or there is none */
static int64_t give_up_at(const struct energy_sampler *sampler, int64_t from_ns)
{
	return is_locked(sampler) ? nearest_update(sampler, from_ns) + lead_ns(sampler) : from_ns + SEARCH_NS;
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
	struct timespec pause = { .tv_nsec = PAUSE_NS };
	struct reading before;
	int64_t until_ns;

	if (!take(sampler, &before))
		return -1;
	*last = before;
	if (!is_locked(sampler) && sampler->done.samples && before.count == sampler->count)
		return 0;
	until_ns = give_up_at(sampler, before.at_ns);
	for (int nr = 1; last->at_ns < until_ns; before = *last, nr++) {
		if (nr >= READS_AT_ONCE)
			clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		if (!take(sampler, last))
			return -1;
		if (nr == 1)
			sampler->read_ns = MIN(last->at_ns - before.at_ns, LONGEST_READ_NS);
		if (last->count != before.count)
			return last->at_ns - before.at_ns;
	}
	return 0;
}

/* What this update tells of when updates are, with what was known of it. */
static void learn(struct energy_sampler *sampler, int64_t from_ns, int64_t to_ns)
{
	if (is_locked(sampler)) {
		int64_t expected_ns = nearest_update(sampler, to_ns);
		int64_t least_ns = MAX(from_ns, expected_ns - sampler->unsure_ns);
		int64_t most_ns = MIN(to_ns, expected_ns + sampler->unsure_ns);

		note_largest(&sampler->off_ns, MAX(least_ns - most_ns, 0));
		if (least_ns <= most_ns) {
			from_ns = least_ns;
			to_ns = most_ns;
		}
	}
	sampler->edge_ns = from_ns + (to_ns - from_ns) / 2;
	sampler->unsure_ns = (to_ns - from_ns) / 2;
	sampler->misses = 0;
	sampler->lost = false;
}

/* @edge_ns: as find_edge() returns it */
static void note_edge(struct energy_sampler *sampler, const struct reading *last, int64_t edge_ns)
{
	sampler->done.on_edges += edge_ns > 0;
	if (edge_ns && edge_ns <= MOST_OFF_NS) {
		learn(sampler, last->at_ns - edge_ns, last->at_ns);
		return;
	}
	sampler->misses++;
	sampler->lost = known(sampler->edge_ns) && sampler->misses >= MISSES_MAX &&
			last->at_ns - sampler->edge_ns > LOST_NS;
}

static struct energy_gpu read_gpu(struct energy_sampler *sampler, int64_t at_ns)
{
	if (!sampler->gpu || at_ns < sampler->gpu_ns)
		return (struct energy_gpu) { UNKNOWN, UNKNOWN, UNKNOWN };
	sampler->gpu_ns = at_ns + GPU_PERIOD_NS;
	return gpu_counters_read(sampler->gpu);
}

static void sample(struct energy_sampler *sampler)
{
	struct energy_sample sample;
	struct reading last;
	char text[ENERGY_TEXT_LEN];

	sample.edge_ns = find_edge(sampler, &last);
	if (sample.edge_ns >= 0) {
		sample.count = last.count;
		sample.gpu = read_gpu(sampler, last.at_ns);
		sample.age_ns = now_ns(CLOCK_MONOTONIC) - last.at_ns;
		energy_sample_text(text, sampler->fixed, &sample);
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
	int64_t at_ns = before_update(sampler, now_ns(CLOCK_MONOTONIC) + lead_ns(sampler) + sampler->late_ns);

	sleep_until(at_ns);
	sampler->gpu_ns = 0;
	sample(sampler);
}

static void *run(void *ctx)
{
	struct energy_sampler *sampler = ctx;
	int64_t now = now_ns(CLOCK_MONOTONIC), next_ns = now;

	/* the kernel may otherwise let it sleep for 50 us more */
	prctl(PR_SET_TIMERSLACK, 1);
	while (!g_atomic_int_get(&sampler->stop) && !sampler->done.failed) {
		sample(sampler);
		now = now_ns(CLOCK_MONOTONIC);
		/* what could not be read in time is left out */
		next_ns = MAX(next_ns + sampler->period_ns, now);
		/* another update of those that it regularly misses would be missing, too */
		if (sampler->misses && sampler->period_ns > 2 * UPDATE_NS)
			next_ns += UPDATE_NS;
		wait_until(sampler, before_update(sampler, next_ns), now);
	}
	if (!sampler->done.failed)
		sample_last(sampler);
	sampler->done.cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

struct energy_sampler *energy_sampler_start(const struct energy_source *source, const struct gpu_counters *gpu,
					    unsigned int hz, energy_mark_fn mark, void *ctx)
{
	struct energy_sampler *sampler = g_new(struct energy_sampler, 1);

	*sampler = (struct energy_sampler) {
		.source = source, .gpu = gpu, .period_ns = NSEC_PER_SEC / hz, .mark = mark, .ctx = ctx,
		.edge_ns = UNKNOWN,
	};
	energy_sample_fixed(sampler->fixed, energy_source_counter(source));
	sampler->thread = g_thread_new("energy", run, sampler);
	return sampler;
}

struct energy_sampled energy_sampler_stop(struct energy_sampler *sampler)
{
	struct energy_sampled done;

	g_atomic_int_set(&sampler->stop, 1);
	g_thread_join(sampler->thread);
	done = sampler->done;
	g_free(sampler);
	return done;
}
