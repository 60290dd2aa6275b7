// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums that must hold in every trace are broken here on purpose, by a listener that is told
 * something twice or not at all: that is noticed, with the moment.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/blame.h"
#include "analysis/idle.h"
#include "follow/inside.h"
#include "model/model-private.h"
#include "trace/util.h"

#define MS	NSEC_PER_MSEC

/* how an analysis is disturbed */
enum fault { FAULT_NONE, FAULT_TWICE, FAULT_DEAF };

static struct model_listener told;	/* as the disturbed one wanted it */

static void stretch_twice(void *ctx, const struct stretch *stretch)
{
	told.stretch(ctx, stretch);
	told.stretch(ctx, stretch);
}

static void stretch_missed(void *ctx, const struct stretch *stretch)
{
	(void)ctx;
	(void)stretch;
}

static void disturb_last(struct model *model, enum fault fault)
{
	struct model_listener *last = &model->listeners[model->nr_listeners - 1];

	told = *last;
	assert_non_null(told.stretch);
	if (fault == FAULT_TWICE)
		last->stretch = stretch_twice;
	if (fault == FAULT_DEAF)
		last->stretch = stretch_missed;
}

/* a follow without a file */
struct fixture {
	struct selection selection;
	struct trace_info trace;
	struct follow follow;
};

static void open_fixture(struct fixture *fixture)
{
	*fixture = (struct fixture) { .trace = { .start_ns = 0, .end_ns = 100 * MS } };
	selection_init(&fixture->selection);
	fixture->follow = (struct follow) {
		.selection = &fixture->selection, .trace = &fixture->trace,
		.window = { 0, 100 * MS }, .model = model_new(),
		.contradictions = g_array_new(FALSE, FALSE, sizeof(struct contradiction)),
	};
}

static void close_fixture(struct fixture *fixture)
{
	g_array_free(fixture->follow.contradictions, TRUE);
	model_free(fixture->follow.model);
}

static void play(struct fixture *fixture, enum event_id id, int64_t ms, int64_t workload_id)
{
	const struct event event = {
		.id = id, .ts_ns = ms * MS,
		.workload = {
			.vgpu_id = 1, .workload_id = workload_id, .guest_lrca = UNKNOWN,
			.ctx = UNKNOWN, .seqno = UNKNOWN, .lrca = UNKNOWN, .completed = 1,
		},
	};

	model_event(fixture->follow.model, &event);
	for (int nr = 0; nr < fixture->follow.nr_analyses; nr++)
		fixture->follow.analyses[nr].event(fixture->follow.analyses[nr].ctx, &event);
}

/* waits for 10 ms, executes for 10 ms */
static void play_workload(struct fixture *fixture, int64_t ms, int64_t workload_id)
{
	play(fixture, EVENT_WORKLOAD_QUEUE, ms, workload_id);
	play(fixture, EVENT_WORKLOAD_SUBMIT, ms + 10, workload_id);
	play(fixture, EVENT_WORKLOAD_START, ms + 10, workload_id);
	play(fixture, EVENT_WORKLOAD_STOP, ms + 20, workload_id);
	play(fixture, EVENT_WORKLOAD_COMPLETE, ms + 20, workload_id);
}

/* the moment at which a sum of the first queue did not hold */
static int64_t broken_at(const struct fixture *fixture, enum sum sum, bool of_vgpu)
{
	const struct vgpu_engine *queue = model_vgpu_engines(fixture->follow.model)->pdata[0];

	return contradiction_at(&fixture->follow, sum, queue->engine, of_vgpu ? queue->vgpu : NULL);
}

static int64_t waits_with(enum fault fault)
{
	struct fixture fixture;
	struct blame *blame;
	int64_t at_ns;

	open_fixture(&fixture);
	blame = blame_new(&fixture.follow);
	disturb_last(fixture.follow.model, fault);
	play_workload(&fixture, 5, 1);
	play_workload(&fixture, 40, 2);
	model_finish(fixture.follow.model);
	at_ns = broken_at(&fixture, SUM_WAITS, true);
	blame_free(blame);
	close_fixture(&fixture);
	return at_ns;
}

static void waits_are_those_of_the_queue(void **state)
{
	(void)state;
	assert_int_equal(waits_with(FAULT_NONE), UNKNOWN);
	/* told twice: from the first wait on, it is longer than there was work */
	assert_int_equal(waits_with(FAULT_TWICE), 5 * MS);
	/* not told: that shows when the next work comes */
	assert_int_equal(waits_with(FAULT_DEAF), 40 * MS);
}

static int64_t engine_with(int64_t forgotten_ms)
{
	struct fixture fixture;
	struct idle *idle;
	int64_t at_ns;

	open_fixture(&fixture);
	idle = idle_new(&fixture.follow);
	play_workload(&fixture, 5, 1);
	/* what is before is not accounted */
	fixture.follow.window.from_ns = forgotten_ms * MS;
	play_workload(&fixture, 40, 2);
	fixture.follow.window.from_ns = 0;
	model_finish(fixture.follow.model);
	idle_finish(idle);
	at_ns = broken_at(&fixture, SUM_ENGINE, false);
	idle_free(idle);
	close_fixture(&fixture);
	return at_ns;
}

static void engine_times_sum_to_the_window(void **state)
{
	(void)state;
	assert_int_equal(engine_with(0), UNKNOWN);
	assert_int_equal(engine_with(45), 45 * MS);
}

static void parts_sum_to_the_whole(void **state)
{
	struct vgpu_engine queue = { .parts_ns = UNKNOWN };
	struct workload w = {
		.queue = &queue, .queue_ns = 1, .submit_ns = 11, .start_ns = 21, .stop_ns = 31,
		.end_ns = 31, .piece_ns = 21, .exec_ns = 10, .pieces = 1, .completed = true,
		.finished = true,
		.waits_ns = { [WAIT_OTHER] = 10 },
		.phases_ns = { [PHASE_SUBMITTED] = 10, [PHASE_RUNNING] = 10 },
	};
	int64_t parts[PARTS];

	(void)state;
	assert_true(workload_parts_agree(&w));
	assert_true(workload_split(&w, parts));
	assert_int_equal(parts[PART_OTHER], 10);
	w.waits_ns[WAIT_OTHER] = 11;
	assert_false(workload_parts_agree(&w));
	assert_false(workload_split(&w, parts));
	assert_int_equal(parts[PART_OTHER], UNKNOWN);
	/* the same sum, but one of them is impossible */
	w.waits_ns[WAIT_OTHER] = 21;
	w.waits_ns[WAIT_HELD] = -11;
	assert_false(workload_parts_agree(&w));
}

static void the_first_moment_of_each_place_stays(void **state)
{
	struct fixture fixture;
	GArray *all;

	(void)state;
	open_fixture(&fixture);
	play_workload(&fixture, 5, 1);
	for (int nr = 0; nr < 3; nr++)
		contradiction_add(&fixture.follow, &(struct contradiction) {
			.sum = SUM_ENGINE, .at_ns = nr * MS,
			.engine = model_engines(fixture.follow.model)->pdata[0],
		});
	all = contradictions_all(&fixture.follow);
	assert_int_equal(all->len, 1);
	assert_int_equal(g_array_index(all, struct contradiction, 0).at_ns, 0);
	g_array_free(all, TRUE);
	close_fixture(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_are_those_of_the_queue),
		cmocka_unit_test(engine_times_sum_to_the_window),
		cmocka_unit_test(parts_sum_to_the_whole),
		cmocka_unit_test(the_first_moment_of_each_place_stays),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
