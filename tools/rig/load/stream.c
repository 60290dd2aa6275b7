// SPDX-License-Identifier: GPL-2.0-or-later
/* When a stream of workloads submits, and its statistics. */
#include "stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/*
 * drand48's generator from the C library: POSIX defines the sequence, so the
 * same seed gives the same arrivals everywhere.
 */
static uint64_t exponential_gap(struct load_stream *s)
{
	return (uint64_t)(-log1p(-erand48(s->random)) * (double)s->params->period_ns);
}

static uint64_t gap(struct load_stream *s)
{
	return s->params->arrival == SCENARIO_POISSON ? exponential_gap(s) : s->params->period_ns;
}

static bool is_closed(const struct load_stream *s)
{
	return s->params->arrival == SCENARIO_CLOSED;
}

void load_stream_init(struct load_stream *s, const struct scenario_stream *params,
		      uint64_t start_ns, uint64_t begin_ns, uint64_t end_ns)
{
	start_ns += params->start_ns;
	*s = (struct load_stream) {
		.params = params,
		.begin_ns = begin_ns,
		.end_ns = end_ns,
		.next_ns = start_ns,
		.random = { (unsigned short)params->seed, (unsigned short)(params->seed >> 16),
			    (unsigned short)(params->seed >> 32) },
	};
	for (unsigned int i = 0; i < params->depth; i++)
		s->ready_ns[i] = start_ns;
	if (params->arrival == SCENARIO_POISSON)
		s->next_ns += gap(s);
}

uint64_t load_stream_in_flight(const struct load_stream *s)
{
	return s->submitted - s->finished;
}

static bool has_burst_done(const struct load_stream *s)
{
	return s->params->burst > 1 && s->submitted % s->params->burst == 0;
}

static uint64_t closed_next_ns(const struct load_stream *s)
{
	uint64_t ready_ns = s->ready_ns[s->submitted % s->params->depth];

	if (has_burst_done(s))
		return load_stream_in_flight(s) ? STREAM_NEVER :
		       ready_ns > s->rest_ns ? ready_ns : s->rest_ns;
	return ready_ns;
}

uint64_t load_stream_next_ns(const struct load_stream *s)
{
	const struct scenario_stream *p = s->params;

	if (load_stream_in_flight(s) == p->depth || (p->count && s->submitted == p->count))
		return STREAM_NEVER;
	return is_closed(s) ? closed_next_ns(s) : s->next_ns;
}

bool load_stream_submit(struct load_stream *s, uint64_t now_ns)
{
	s->from_ns[s->submitted % s->params->depth] = is_closed(s) ? now_ns : s->next_ns;
	if (!is_closed(s))
		s->next_ns += gap(s);
	return ++s->submitted == s->params->hang_at;
}

static bool in_window(const struct load_stream *s, uint64_t now_ns)
{
	return now_ns >= s->begin_ns && now_ns < s->end_ns;
}

static uint64_t finish_oldest(struct load_stream *s, uint64_t now_ns)
{
	unsigned int slot = (unsigned int)(s->finished++ % s->params->depth);

	s->ready_ns[slot] = now_ns + (s->params->burst > 1 ? 0 : s->params->think_ns);
	s->rest_ns = now_ns + s->params->think_ns;
	return s->from_ns[slot];
}

int load_stream_complete(struct load_stream *s, uint64_t now_ns, bool good)
{
	uint64_t from_ns = finish_oldest(s, now_ns);

	s->failed += !good;
	if (!good || !in_window(s, now_ns))
		return 0;
	s->done++;
	return latencies_add(&s->latencies, now_ns - from_ns);
}

static uint64_t finish_all(struct load_stream *s, uint64_t now_ns)
{
	uint64_t n = load_stream_in_flight(s);

	while (load_stream_in_flight(s))
		finish_oldest(s, now_ns);
	return n;
}

void load_stream_lose(struct load_stream *s, uint64_t now_ns)
{
	s->failed += finish_all(s, now_ns);
	s->hangs++;
}

void load_stream_drop(struct load_stream *s, uint64_t now_ns)
{
	s->dropped += finish_all(s, now_ns);
}

uint64_t load_stream_submitted_ns(const struct load_stream *s, uint64_t seqno)
{
	return s->from_ns[(seqno - 1) % s->params->depth];
}

static void print_latency(struct load_stream *s, FILE *out)
{
	struct latencies *l = &s->latencies;

	if (!l->n) {
		fputs(" latency_mean_ns=unknown latency_p99_ns=unknown latency_max_ns=unknown", out);
		return;
	}
	fprintf(out, " latency_mean_ns=%" PRIu64 " latency_p99_ns=%" PRIu64 " latency_max_ns=%" PRIu64,
		latencies_mean(l), latencies_percentile(l, 99), latencies_percentile(l, 100));
}

void load_stream_print(struct load_stream *s, const char *vgpu, FILE *out)
{
	const struct scenario_stream *p = s->params;

	fprintf(out, "RESULT vgpu=%s stream=%s engine=%s done=%" PRIu64 " failed=%" PRIu64
		" hangs=%" PRIu64 " exec_ns=%" PRIu64, vgpu, p->name, p->engine, s->done, s->failed,
		s->hangs, p->exec_ns);
	print_latency(s, out);
	fprintf(out, " window_ns=%" PRIu64 "\n", s->end_ns - s->begin_ns);
}

void load_stream_free(struct load_stream *s)
{
	latencies_free(&s->latencies);
}
