// SPDX-License-Identifier: GPL-2.0-or-later
#include "gaps.h"

#include "intervals.h"
#include "piece.h"
#include "tracecsv.h"

/* Times outside the trace are -1: before all others. */
static gint by_start(gconstpointer left, gconstpointer right)
{
	const struct traced_piece *a = left, *b = right;

	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* The latest start first; workloads not started in the trace come last. */
static gint latest_first(gconstpointer left, gconstpointer right)
{
	const struct traced_workload *a = left, *b = right;

	return (a->start_ns < b->start_ns) - (a->start_ns > b->start_ns);
}

/*
 * earliest_queued - for workloads sorted by latest_first(): for each workload, the
 * earliest queue time of all workloads up to it
 */
static GArray *earliest_queued(const GArray *workloads)
{
	GArray *earliest = g_array_sized_new(FALSE, FALSE, sizeof(int64_t), workloads->len);
	int64_t first = INT64_MAX;

	for (guint i = 0; i < workloads->len; i++) {
		first = MIN(first, g_array_index(workloads, struct traced_workload, i).queue_ns);
		g_array_append_val(earliest, first);
	}
	return earliest;
}

/* Since when a workload waits that starts at @start_ns or later */
static int64_t pending_since(const GArray *workloads, const GArray *earliest, int64_t start_ns)
{
	guint low = 0, high = workloads->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(workloads, struct traced_workload, middle).start_ns >= start_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? g_array_index(earliest, int64_t, low - 1) : INT64_MAX;
}

static struct gap measure(int64_t idle_ns, int64_t start_ns, int64_t since_ns, const GArray *holds)
{
	const struct interval idle = { MAX(idle_ns, since_ns), start_ns };
	struct gap g = { 0, 0 };

	if (idle.begin_ns >= idle.end_ns)
		return g;
	g.held_ns = intervals_covered(holds, &idle);
	g.pending_ns = idle.end_ns - idle.begin_ns - g.held_ns;
	return g;
}

GArray *gaps_find(GArray *pieces, GArray *workloads, const GArray *holds)
{
	GArray *gaps = g_array_new(FALSE, FALSE, sizeof(struct gap));
	g_autoptr(GArray) earliest = NULL;
	int64_t idle_ns = UNKNOWN_NS;
	uint32_t last = 0;

	g_array_sort(pieces, by_start);
	g_array_sort(workloads, latest_first);
	earliest = earliest_queued(workloads);
	for (guint i = 0; i < pieces->len; i++) {
		const struct traced_piece *p = &g_array_index(pieces, struct traced_piece, i);

		if (p->start_ns != UNKNOWN_NS && last && p->vgpu_id != last) {
			struct gap g = measure(idle_ns, p->start_ns,
					       pending_since(workloads, earliest, p->start_ns),
					       holds);

			g_array_append_val(gaps, g);
		}
		if (p->stop_ns == UNKNOWN_NS)
			break;
		if (p->stop_ns > idle_ns) {
			idle_ns = p->stop_ns;
			last = p->vgpu_id;
		}
	}
	return gaps;
}
