// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "waits-private.h"

/* Rows are kept for the window, or for the wanted workload's life. */
static bool is_kept(const struct waits *waits, int64_t from_ns, int64_t to_ns)
{
	const struct wait_workload *workload = &waits->workload;

	if (!known(workload->id))
		return to_ns > waits->follow->window.from_ns &&
		       from_ns < waits->follow->window.to_ns;
	return known(workload->queue_ns) && to_ns > workload->queue_ns &&
	       !(known(workload->end_ns) && from_ns >= workload->end_ns);
}

static struct path_interval open_interval(const struct worker *worker, int64_t ts_ns)
{
	return (struct path_interval) {
		.from_ns = worker->since_ns, .to_ns = ts_ns, .label = worker->label,
		.waker = worker->waker, .detail = worker->detail, .vgpu_id = worker->vgpu_id,
	};
}

/* Current intervals are in rows during a path search; the wakers of blocked ones are undecided. */
static void show_open(struct waits *waits, int64_t ts_ns)
{
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		struct worker *worker = waits->workers->pdata[nr];
		struct path_interval interval = open_interval(worker, ts_ns);

		if (interval.label == PATH_BLOCKED)
			interval.waker = PATH_UNDECIDED;
		g_array_append_val(worker->row, interval);
	}
}

static void hide_open(struct waits *waits)
{
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		struct worker *worker = waits->workers->pdata[nr];

		g_array_set_size(worker->row, worker->row->len - 1);
	}
}

static void forget_until(struct waits *waits, int64_t ns)
{
	for (unsigned int nr = 0; nr < waits->workers->len; nr++) {
		GArray *row = ((struct worker *)waits->workers->pdata[nr])->row;
		unsigned int old = path_first_after(row, ns);

		g_array_remove_range(row, 0, old);
		waits->intervals -= old;
	}
}

bool waits_tell_until(struct waits *waits, int worker, int64_t to_ns)
{
	GArray *path;

	to_ns = MIN(to_ns, waits->follow->window.to_ns);
	if (to_ns <= waits->told_ns)
		return true;
	path = path_find(waits->rows, worker, waits->told_ns, to_ns);
	if (!path)
		return false;
	for (unsigned int nr = 0; nr < path->len; nr++)
		waits->tell(waits->ctx, &g_array_index(path, struct path_segment, nr));
	waits->told_ns = to_ns;
	g_array_free(path, TRUE);
	return true;
}

/* The path is known up to a wait whose end is not traced yet. */
static void tell_path(struct waits *waits, int64_t ts_ns)
{
	const struct worker *worker = g_hash_table_lookup(waits->threads, &waits->tid);

	show_open(waits, ts_ns);
	for (unsigned int nr = 0; worker && nr < worker->row->len; nr++)
		if (!waits_tell_until(waits, worker->nr,
				g_array_index(worker->row, struct path_interval, nr).to_ns))
			break;
	hide_open(waits);
	/* before a thread's first event, its path is not reported */
	forget_until(waits, worker ? waits->told_ns : ts_ns);
	/* a long wait needs all intervals: look again when there are twice as many */
	waits->enough = MAX(MANY_INTERVALS, 2 * waits->intervals);
}

static void keep(struct waits *waits, struct worker *worker, const struct path_interval *interval)
{
	g_array_append_val(worker->row, *interval);
	if (++waits->intervals > MAX_INTERVALS)
		fatal("%s: too much happens in the window for a critical path: choose a shorter one with --time",
		      waits->follow->trace->path);
}

void waits_change(struct waits *waits, struct worker *worker, int64_t ts_ns,
		   enum path_label label, int64_t detail)
{
	struct path_interval interval = open_interval(worker, ts_ns);

	if (ts_ns > worker->since_ns && is_kept(waits, worker->since_ns, ts_ns))
		keep(waits, worker, &interval);
	worker->since_ns = MAX(worker->since_ns, ts_ns);
	worker->label = waits->gaps ? PATH_UNKNOWN : label;
	worker->detail = detail;
	worker->vgpu_id = 0;
	worker->waker = PATH_NOBODY;
	if (waits->intervals > waits->enough)
		tell_path(waits, ts_ns);
}
