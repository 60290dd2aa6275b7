// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fuzzer for what is concluded from events: any sequence of them, however
 * contradictory, with losses anywhere. Eight bytes are one event. Whatever comes, the
 * times of every engine sum to the window, nobody waits for longer than there is
 * time, and the parts of a workload's time sum to the whole.
 */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/blame.h"
#include "analysis/idle.h"
#include "analysis/metrics.h"
#include "analysis/slices.h"
#include "model/inside.h"
#include "trace/util.h"

#define EVENT_BYTES	8
#define IDS		8	/* of vGPUs and engines: few, so that they meet */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* instead of follow.c and selection.c, which want a file */
void follow_add(struct follow *follow, struct analysis analysis)
{
	follow->analyses[follow->nr_analyses++] = analysis;
}

bool selection_queue(const struct selection *selection, const struct vgpu_engine *queue)
{
	(void)selection;
	(void)queue;
	return true;
}

static void must(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "not so: %s\n", what);
	abort();
}

static void check_split(void *ctx, const struct workload *w)
{
	(void)ctx;
	must(w->tainted || workload_parts_agree(w), "the parts sum to the whole");
}

static void fill_workload(struct workload_event *to, const uint8_t *bytes)
{
	*to = (struct workload_event) {
		.vgpu_id = 1 + bytes[1] % IDS, .workload_id = bytes[2], .class = bytes[1] >> 6,
		.guest_lrca = UNKNOWN, .ctx = UNKNOWN, .seqno = UNKNOWN, .lrca = UNKNOWN,
		.completed = bytes[3] & 1, .status = bytes[3] & 2 ? -5 : 0, .reason = 0,
	};
}

/* which engine the scheduler tells of: every second time, all */
static int64_t scope_of(const uint8_t *bytes)
{
	return bytes[3] & 0x80 ? (bytes[3] >> 5) & 3 : -1;
}

static int64_t signed_ms(uint8_t byte)
{
	return (int8_t)byte * NSEC_PER_MSEC;
}

static void fill_event(struct event *event, const uint8_t *bytes)
{
	static const char *const policies[] = { "strict", "work-conserving", "fair", "" };
	static const char *const modes[] = { "exclusive", "per-engine", "preemptive", "" };

	event->id = bytes[0] % (EVENT_SCHED_INFO + 1);
	if (event->id <= EVENT_WORKLOAD_CANCEL)
		fill_workload(&event->workload, bytes);
	else if (event->id == EVENT_SCHED_SWITCH)
		event->sched_switch = (struct switch_event) {
			.prev_vgpu_id = bytes[1] % IDS, .next_vgpu_id = bytes[2] % IDS,
			.prev_left_ns = signed_ms(bytes[4]), .next_left_ns = signed_ms(bytes[5]),
			.prev_slice_ns = UNKNOWN, .next_slice_ns = UNKNOWN,
			.drain_ns = bytes[4] * NSEC_PER_MSEC, .reason = bytes[3] % 8,
			.class = scope_of(bytes), .instance = scope_of(bytes) < 0 ? -1 : 0,
		};
	else if (event->id == EVENT_SCHED_BALANCE)
		event->balance = (struct balance_event) {
			.vgpu_id = 1 + bytes[1] % IDS, .weight = bytes[2], .slice_ns = bytes[4],
			.left_ns = signed_ms(bytes[5]), .class = scope_of(bytes),
		};
	else if (event->id == EVENT_SCHED_HOLD)
		event->hold = (struct hold_event) {
			.vgpu_id = 1 + bytes[1] % IDS, .held_ns = bytes[4] * NSEC_PER_MSEC,
			.class = scope_of(bytes),
		};
	else if (event->id >= EVENT_HOST_START && event->id <= EVENT_HOST_STATE)
		event->host = (struct host_event) {
			.class = bytes[3] & 3, .holder = bytes[1] % IDS, .running = bytes[2] & 1,
			.waited_ns = signed_ms(bytes[4]), .exec_ns = signed_ms(bytes[5]),
		};
	else if (event->id == EVENT_VGPU_INFO)
		event->vgpu_info = (struct vgpu_info_event) {
			.vgpu_id = 1 + bytes[1] % IDS, .weight = bytes[2],
			.set = { .nice = UNKNOWN, .cap = bytes[4] & 1 ? bytes[5] : UNKNOWN },
			.uuid = bytes[4] & 2 ? "a" : "b",
			.vm = bytes[4] & 4 ? "vm" : NULL,
		};
	else if (event->id == EVENT_SCHED_INFO)
		event->sched_info = (struct sched_info) {
			.policy = policies[bytes[1] & 3], .dispatch = modes[bytes[2] & 3],
		};
	else
		event->setting = (struct setting_event) {
			.vgpu_id = bytes[1] % IDS, .setting = bytes[2] & 1 ? "cap" : "policy",
			.old_value = "", .new_value = bytes[2] & 2 ? "25" : policies[bytes[4] & 3],
		};
}

static void deliver(struct follow *follow, const struct event *event)
{
	model_event(follow->model, event);
	for (int nr = 0; nr < follow->nr_analyses; nr++)
		if (follow->analyses[nr].events & EVENT_BIT(event->id))
			follow->analyses[nr].event(follow->analyses[nr].ctx, event);
}

static void lose(struct follow *follow, int64_t ts_ns, bool begin)
{
	((struct trace_info *)follow->trace)->lost_gaps += begin;
	if (begin)
		model_gap_begin(follow->model, ts_ns);
	else
		model_gap_end(follow->model, ts_ns);
	for (int nr = 0; nr < follow->nr_analyses; nr++) {
		const struct analysis *analysis = &follow->analyses[nr];

		if (begin && analysis->lost)
			analysis->lost(analysis->ctx, ts_ns);
		else if (!begin && analysis->found)
			analysis->found(analysis->ctx, ts_ns);
	}
}

static void check_idle(struct idle *idle, const struct follow *follow)
{
	const GPtrArray *engines = model_engines(follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct idle_row *row = idle_of(idle, engines->pdata[nr]);
		int64_t sum = 0;

		for (int reason = 0; reason < IDLE_REASONS; reason++)
			sum += row->time_ns[reason];
		must(sum == follow->window.to_ns - follow->window.from_ns,
		     "the times of an engine sum to the window");
	}
}

static void check_blame(struct blame *blame, const struct follow *follow)
{
	const GPtrArray *rows = blame_rows(blame);
	const struct vgpu_engine *queue = NULL;
	int64_t sum = 0;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		sum = row->queue == queue ? sum + row->wait_ns : row->wait_ns;
		queue = row->queue;
		must(sum <= follow->window.to_ns - follow->window.from_ns,
		     "nobody waits for longer than there is time");
	}
}

/* Events that contradict each other may lead to anything, and losses to more than there was. */
static void check_contradictions(const struct follow *follow)
{
	const GArray *list = follow->contradictions;

	if (!list->len || model_strays(follow->model) || follow->trace->lost_gaps)
		return;
	must(false, contradiction_text(&g_array_index(list, struct contradiction, 0)));
}

static int64_t play(struct follow *follow, const uint8_t *data, size_t size)
{
	struct event event;
	int64_t ts_ns = 0;
	int gaps = 0;

	for (; size >= EVENT_BYTES; data += EVENT_BYTES, size -= EVENT_BYTES) {
		ts_ns += data[6] * (NSEC_PER_MSEC / 8);
		if (data[7] == 0xff && gaps < 3) {
			lose(follow, ts_ns, true);
			gaps++;
		} else if (data[7] == 0xfe && gaps) {
			lose(follow, ts_ns, false);
			gaps--;
		}
		event = (struct event) { .ts_ns = ts_ns };
		fill_event(&event, data);
		deliver(follow, &event);
	}
	while (gaps--)
		lose(follow, ts_ns, false);
	return ts_ns;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_info trace = { .start_ns = 0 };
	struct follow follow = {
		.trace = &trace, .window = { 0, INT64_MAX }, .model = model_new(),
		.contradictions = g_array_new(FALSE, FALSE, sizeof(struct contradiction)),
	};
	const struct model_listener listener = { .ended = check_split };
	struct metrics *metrics = metrics_new(follow.model, follow.window, 0);
	struct slices *slices = slices_new(follow.window);
	struct blame *blame = blame_new(&follow);
	struct idle *idle = idle_new(&follow);

	model_listen(follow.model, &listener);
	slices_follow(slices, &follow);
	trace.end_ns = play(&follow, data, size);
	follow.window.to_ns = trace.end_ns;
	model_look_until(follow.model, trace.end_ns);
	model_finish(follow.model);
	metrics_finish(metrics);
	slices_finish(slices, follow.window);
	idle_finish(idle);
	check_idle(idle, &follow);
	check_blame(blame, &follow);
	check_contradictions(&follow);
	g_array_free(follow.contradictions, TRUE);
	idle_free(idle);
	blame_free(blame);
	slices_free(slices);
	metrics_free(metrics);
	model_free(follow.model);
	return 0;
}
