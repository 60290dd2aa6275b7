// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "cmd/command.h"
#include "follow/follow.h"
#include "output/list.h"
#include "trace/util.h"
#include "workloads.h"

/* --pieces: a line per stay on the engine */
static bool pieces;

#define COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct workload_line, member), ##__VA_ARGS__ }

#define PART(part, key)		{ key, COLUMN_INTEGER, offsetof(struct workload_line, parts[part]) }

/* exec_ns and the parts add up to total_ns */
const struct column workload_columns[] = {
	COLUMN(INTEGER, workload_id, "WORKLOAD"),
	COLUMN(INTEGER, vgpu_id, "VGPU"),
	COLUMN(TEXT, engine, "ENGINE"),
	COLUMN(INTEGER, ctx),
	COLUMN(INTEGER, seqno),
	COLUMN(INTEGER, lrca),
	COLUMN(INTEGER, queue_ns, "QUEUE-s", UNIT_S),
	COLUMN(INTEGER, submit_ns),
	COLUMN(INTEGER, start_ns, "START-s", UNIT_S),
	COLUMN(INTEGER, stop_ns),
	COLUMN(INTEGER, complete_ns),
	COLUMN(INTEGER, exec_ns, "EXEC-ms", UNIT_MS),
	COLUMN(INTEGER, wait_ns, "WAIT-ms", UNIT_MS),
	COLUMN(INTEGER, latency_ns),
	COLUMN(INTEGER, pieces),
	COLUMN(INTEGER, status, "STATUS"),
	COLUMN(TEXT, state, "STATE"),
	COLUMN(INTEGER, tainted, "TAINTED"),
	PART(PART_OTHER, "other_ns"),
	PART(PART_THROTTLED, "throttled_ns"),
	PART(PART_CAPPED, "capped_ns"),
	PART(PART_HELD, "held_ns"),
	PART(PART_SWITCHING, "switching_ns"),
	PART(PART_OWN, "own_ns"),
	PART(PART_DISPATCH, "dispatch_ns"),
	PART(PART_I915, "i915_ns"),
	PART(PART_PREEMPTED, "preempted_ns"),
	PART(PART_COMPLETION, "completion_ns"),
	PART(PART_UNKNOWN, "unknown_ns"),
	COLUMN(INTEGER, total_ns, "TOTAL-ms", UNIT_MS),
	COLUMN(TEXT, vm, "VM"),
	COLUMN(INTEGER, dev, "GPU"),
	PART(PART_HOST, "host_ns"),
	{ 0 }
};

static const struct column piece_columns[] = {
	COLUMN(INTEGER, workload_id, "WORKLOAD"),
	COLUMN(INTEGER, vgpu_id, "VGPU"),
	COLUMN(TEXT, engine, "ENGINE"),
	COLUMN(INTEGER, lrca),
	COLUMN(INTEGER, start_ns, "START-s", UNIT_S),
	COLUMN(INTEGER, stop_ns, "STOP-s", UNIT_S),
	COLUMN(INTEGER, completed, "DONE"),
	COLUMN(TEXT, vm, "VM"),
	COLUMN(INTEGER, dev, "GPU"),
	{ 0 }
};

struct workload_lines {
	const struct follow *follow;
	record_fn each;
	void *to;
	bool looked, started;		/* was the trace searched for starts? does it have any? */
};

/* UNKNOWN as end: until the end of the trace */
static bool overlaps(const struct window *window, int64_t from_ns, int64_t to_ns)
{
	if (known(from_ns) && from_ns > window->to_ns)
		return false;
	return !known(to_ns) || to_ns >= window->from_ns;
}

/* @from_ns, @to_ns: must overlap the window */
static void tell_line(struct workload_lines *lines, const struct vgpu_engine *queue,
		      int64_t from_ns, int64_t to_ns, const struct workload_line *line)
{
	if (selection_queue(lines->follow->selection, queue) &&
	    overlaps(&lines->follow->window, from_ns, to_ns))
		lines->each(lines->to, line);
}

static struct workload_line new_line(const struct workload *w)
{
	return (struct workload_line) {
		.dev = w->dev,
		.workload_id = w->id,
		.vgpu_id = w->queue->vgpu->id,
		.engine = w->queue->engine->name,
		.ctx = w->ctx,
		.seqno = w->seqno,
		.lrca = w->lrca,
		.vm = w->queue->vgpu->vm,
	};
}

/* lower bound of an unknown begin: a lost begin lies after the start of the gap */
static int64_t earliest(const struct workload *w, int64_t begin_ns, bool from_before)
{
	return known(begin_ns) || from_before ? begin_ns : MAX(w->queue_ns, w->tainted_ns);
}

/* The trace may have starts that have not been read yet, so search it. */
static bool are_starts_recorded(struct workload_lines *lines)
{
	if (lines->follow->trace->recorded[EVENT_WORKLOAD_START])
		return true;
	if (!lines->looked)
		lines->started = follow_has_any(lines->follow, EVENT_BIT(EVENT_WORKLOAD_START));
	lines->looked = true;
	return lines->started;
}

/*
 * Without recorded starts and stops, completed workloads have executed all the same, and submitted
 * ones may have.
 */
static bool may_have_executed(struct workload_lines *lines, const struct workload *w)
{
	if (w->pieces || w->running)
		return false;
	return (w->completed && !w->status) ||
	       (known(w->submit_ns) && !are_starts_recorded(lines));
}

static void fill_execution(struct workload_lines *lines, const struct workload *w,
			   struct workload_line *line)
{
	if (may_have_executed(lines, w))
		return;
	line->exec_ns = workload_exec(w);
	line->wait_ns = workload_wait(w);
	if (!w->exec_unknown && (!w->tainted || known(line->exec_ns)))
		line->pieces = w->pieces;
}

/* Without recorded completions, an open workload may have ended. */
static const char *state_of(const struct workload_lines *lines, const struct workload *w)
{
	enum workload_state state = workload_state(w);

	/* the whole trace has been read */
	if (state == WORKLOAD_OPEN && event_missing(lines->follow->trace, EVENT_WORKLOAD_COMPLETE))
		state = WORKLOAD_UNKNOWN;
	return workload_state_name(state);
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct workload_line line = new_line(w);

	line.queue_ns = w->queue_ns;
	line.submit_ns = w->submit_ns;
	line.start_ns = w->start_ns;
	line.stop_ns = workload_last_stop(w);
	line.complete_ns = w->end_ns;
	line.exec_ns = line.wait_ns = line.pieces = UNKNOWN;
	fill_execution(ctx, w, &line);
	line.latency_ns = workload_latency(w);
	line.status = w->status;
	line.state = state_of(ctx, w);
	line.tainted = w->tainted;
	workload_split(w, line.parts);
	if (!w->queue->vgpu->gpu->host_told)
		line.parts[PART_HOST] = UNKNOWN;
	line.total_ns = workload_total(w);
	tell_line(ctx, w->queue, earliest(w, w->queue_ns, w->from_before),
		   known(w->end_ns) ? w->end_ns : w->gone_ns, &line);
}

static void on_piece(void *ctx, const struct piece *piece)
{
	const struct workload *w = piece->workload;
	struct workload_line line = new_line(w);

	line.start_ns = piece->start_ns;
	line.stop_ns = piece->stop_ns;
	line.completed = piece->completed;
	tell_line(ctx, w->queue, earliest(w, piece->start_ns, piece->from_before), piece->stop_ns, &line);
}

static struct workload_lines *lines_new(struct follow *follow, const struct model_listener *calls,
					record_fn each, void *to)
{
	struct workload_lines *lines = g_new(struct workload_lines, 1);
	struct model_listener listener = *calls;

	*lines = (struct workload_lines) { .follow = follow, .each = each, .to = to };
	listener.ctx = lines;
	model_listen(follow->model, &listener);
	return lines;
}

struct workload_lines *workload_lines_new(struct follow *follow, record_fn each, void *to)
{
	return lines_new(follow, &(struct model_listener) { .ended = on_ended }, each, to);
}

void workload_lines_free(struct workload_lines *lines)
{
	g_free(lines);
}

static int run(const struct options *options)
{
	struct workload_lines *lines;
	struct follow follow;
	struct list *list;

	follow_open(&follow, &options->selection);
	list = list_begin(&options->form, pieces ? "pieces" : "workloads",
			  pieces ? piece_columns : workload_columns);
	if (pieces)
		lines = lines_new(&follow, &(struct model_listener) { .piece = on_piece }, list_line, list);
	else
		lines = workload_lines_new(&follow, list_line, list);
	follow_run(&follow);
	model_finish(follow.model);
	list_end(list, &follow);
	selection_check_known(&options->selection, follow.model);
	follow_close(&follow);
	workload_lines_free(lines);
	return EXIT_SUCCESS;
}

#define KEY_PIECES	0x200

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	(void)state;
	if (key != KEY_PIECES)
		return ARGP_ERR_UNKNOWN;
	pieces = true;
	return 0;
}

static const struct argp_option option_table[] = {
	{ "pieces", KEY_PIECES, NULL, 0,
	  "One line per stretch of execution instead of per workload", 0 },
	{ 0 }
};

const struct command workloads_command = {
	.name = "list workloads",
	.doc = "List every workload with its timestamps (ns) and durations.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) |
		      QUANTITY_BIT(QUANTITY_HOST) |
		      QUANTITY_BIT(QUANTITY_ARRIVALS) | QUANTITY_BIT(QUANTITY_COMPLETIONS) |
		      QUANTITY_BIT(QUANTITY_CANCELLED) | QUANTITY_BIT(QUANTITY_SPLIT),
	.columns = TABLES(workload_columns, piece_columns),
	.argp = &(const struct argp) { option_table, parse },
	.run = run,
};
