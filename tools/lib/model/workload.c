// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conclusions on one workload from the model's data.
 */
#include "trace/util.h"
#include "inside.h"

guint workload_key_hash(gconstpointer data)
{
	const struct workload_key *key = data;

	return (guint)key->id ^ (guint)key->dev << 24;
}

gboolean workload_key_equal(gconstpointer a, gconstpointer b)
{
	const struct workload_key *ka = a, *kb = b;

	return ka->id == kb->id && ka->dev == kb->dev;
}

bool workload_is_partial(const struct workload *w)
{
	if (w->cancelled)
		return !known(w->queue_ns);
	if (!w->completed)
		return false;
	/* only failed work may end without having run */
	return !known(w->queue_ns) || !known(workload_exec(w));
}

enum workload_state workload_state(const struct workload *w)
{
	if (w->cancelled)
		return WORKLOAD_CANCELLED;
	if (!w->completed && known(w->gone_ns))
		return WORKLOAD_PARTIAL;
	if (!w->completed)
		return known(w->seen_ns) ? WORKLOAD_UNKNOWN : WORKLOAD_OPEN;
	return workload_is_partial(w) ? WORKLOAD_PARTIAL : WORKLOAD_COMPLETE;
}

const char *workload_state_name(enum workload_state state)
{
	static const char *const names[] = {
		[WORKLOAD_UNKNOWN] = NULL,
		[WORKLOAD_COMPLETE] = "complete",
		[WORKLOAD_CANCELLED] = "cancelled",
		[WORKLOAD_OPEN] = "open",
		[WORKLOAD_PARTIAL] = "partial",
	};

	return names[state];
}

/* Its execution has ended, or will never begin. */
static bool is_executed(const struct workload *w)
{
	return w->cancelled || w->completed || w->phase == PHASE_FINISHING;
}

int64_t workload_exec(const struct workload *w)
{
	if (w->running || w->exec_unknown || !is_executed(w))
		return UNKNOWN;
	/* only failed or cancelled work may end without having run */
	if (!w->pieces && !w->cancelled && (!w->status || w->tainted))
		return UNKNOWN;
	return w->exec_ns;
}

int64_t workload_last_stop(const struct workload *w)
{
	bool later = w->exec_unknown && !w->finished && (w->completed || w->cancelled);

	return later || w->stop_unsure ? UNKNOWN : w->stop_ns;
}

int64_t workload_latency(const struct workload *w)
{
	if (w->running || !is_executed(w))
		return UNKNOWN;
	return difference(workload_last_stop(w), w->queue_ns);
}

int64_t workload_wait(const struct workload *w)
{
	return difference(workload_latency(w), workload_exec(w));
}

int64_t workload_turnaround(const struct workload *w)
{
	return difference(w->end_ns, w->queue_ns);
}

const char *latency_part_name(enum latency_part part)
{
	static const char *const names[PARTS] = {
		[PART_OTHER] = "other", [PART_THROTTLED] = "throttled",
		[PART_CAPPED] = "capped", [PART_HELD] = "held", [PART_HOST] = "host",
		[PART_SWITCHING] = "switching", [PART_OWN] = "own", [PART_DISPATCH] = "dispatch",
		[PART_I915] = "i915", [PART_EXEC] = "exec", [PART_PREEMPTED] = "preempted",
		[PART_COMPLETION] = "completion", [PART_UNKNOWN] = "unknown",
	};

	return names[part];
}

/* If a workload was submitted unseen, or before the trace, its time until dispatch is unknown. */
static bool can_split(const struct workload *w)
{
	enum workload_state state = workload_state(w);

	if (!known(w->queue_ns) || (state != WORKLOAD_COMPLETE && state != WORKLOAD_CANCELLED))
		return false;
	return !w->running && (known(w->submit_ns) || (!w->pieces && !w->submitted_before));
}

static void fill_parts(const struct workload *w, int64_t parts[PARTS])
{
	/* behind its vGPU's preempted work: it waits for the preempting vGPU */
	parts[PART_OTHER] = w->waits_ns[WAIT_OTHER] + w->waits_ns[WAIT_PREEMPTED];
	parts[PART_THROTTLED] = w->waits_ns[WAIT_THROTTLED];
	parts[PART_CAPPED] = w->waits_ns[WAIT_CAPPED];
	parts[PART_HELD] = w->waits_ns[WAIT_HELD];
	parts[PART_HOST] = w->waits_ns[WAIT_HOST] + w->kept_ns[PHASE_SUBMITTED] +
			   w->kept_ns[PHASE_PREEMPTED];
	parts[PART_SWITCHING] = w->waits_ns[WAIT_SWITCHING];
	parts[PART_UNKNOWN] = w->waits_ns[WAIT_UNKNOWN];
	parts[PART_OWN] = w->waits_ns[WAIT_CURRENT] - w->dispatch_ns;
	parts[PART_DISPATCH] = w->dispatch_ns;
	parts[PART_I915] = w->phases_ns[PHASE_SUBMITTED] - w->ahead_ns -
			    w->kept_ns[PHASE_SUBMITTED];
	parts[PART_EXEC] = w->phases_ns[PHASE_RUNNING];
	parts[PART_PREEMPTED] = w->phases_ns[PHASE_PREEMPTED] -
				 w->kept_ns[PHASE_PREEMPTED];
	parts[PART_COMPLETION] = w->phases_ns[PHASE_FINISHING];
}

static bool agree(const struct workload *w, const int64_t parts[PARTS])
{
	int64_t sum = 0;

	for (int part = 0; part < PARTS; part++) {
		if (parts[part] < 0)
			return false;
		sum += parts[part];
	}
	return sum == workload_total(w);
}

bool workload_parts_agree(const struct workload *w)
{
	int64_t parts[PARTS];

	if (!can_split(w))
		return true;
	fill_parts(w, parts);
	return agree(w, parts);
}

bool workload_split(const struct workload *w, int64_t parts[PARTS])
{
	if (can_split(w)) {
		fill_parts(w, parts);
		if (agree(w, parts))
			return true;
	}
	for (int part = 0; part < PARTS; part++)
		parts[part] = UNKNOWN;
	return false;
}

int64_t workload_total(const struct workload *w)
{
	if (!known(w->end_ns) || w->running)
		return UNKNOWN;
	return difference(MAX(w->end_ns, w->stop_ns), w->queue_ns);
}
