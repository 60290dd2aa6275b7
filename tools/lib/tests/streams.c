// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is inferred of guests: what is kept of long traces does not grow with the number of streams,
 * and bursts are repeated whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/streams.h"
#include "trace/util.h"

static void play_life(struct model *model, int64_t vgpu, int64_t workload, int64_t ns)
{
	static const enum event_id life[] = {
		EVENT_WORKLOAD_QUEUE, EVENT_WORKLOAD_SUBMIT, EVENT_WORKLOAD_START,
		EVENT_WORKLOAD_STOP, EVENT_WORKLOAD_COMPLETE,
	};

	for (size_t nr = 0; nr < G_N_ELEMENTS(life); nr++) {
		const struct event event = {
			.id = life[nr], .ts_ns = ns + nr * 1000,
			.workload = {
				.vgpu_id = vgpu, .workload_id = workload, .guest_lrca = 1,
				.ctx = UNKNOWN, .seqno = UNKNOWN, .lrca = UNKNOWN, .completed = 1,
			},
		};

		model_event(model, &event);
	}
}

/* of more workloads than are looked at, each stream has the same share, late ones, too */
static void streams_share_what_is_kept(void **state)
{
	static const int64_t vgpus = 3, each = STREAM_MOST;
	struct model *model = model_new();
	struct streams *streams = streams_new(model);
	const GPtrArray *found;

	(void)state;
	for (int64_t nr = 0; nr < vgpus * each; nr++)
		play_life(model, 1 + nr / each, nr, nr * 10000);
	model_finish(model);
	found = streams_infer(streams, (struct window) { 0, vgpus * each * 10000 });
	assert_int_equal(found->len, vgpus);
	for (unsigned int nr = 0; nr < found->len; nr++) {
		const struct stream *stream = found->pdata[nr];

		assert_in_range(stream->work->len, STREAM_MOST / 2 - 64, STREAM_MOST / 2);
		assert_true(stream->doubts & 1u << STREAM_CUT);
	}
	streams_free(streams);
	model_free(model);
}

/* the workloads of one vGPU with these pauses before them; pauses are 4 us longer than told */
static unsigned int count_work(const int64_t *pauses_ns, unsigned int count)
{
	struct model *model = model_new();
	struct streams *streams = streams_new(model);
	const GPtrArray *found;
	const struct stream *stream;
	unsigned int kept;
	int64_t ns = 0;

	for (unsigned int nr = 0; nr < count; nr++) {
		ns += pauses_ns[nr] + 4000;
		play_life(model, 1, nr, ns);
	}
	model_finish(model);
	found = streams_infer(streams, (struct window) { 0, ns + 1 });
	assert_int_equal(found->len, 1);
	stream = found->pdata[0];
	kept = stream->work->len;
	if (stream->open || stream->depth != 1)
		kept = 0;
	streams_free(streams);
	model_free(model);
	return kept;
}

/* workloads before the first long pause, and after the last one, are parts of bursts */
static void bursts_are_whole(void **state)
{
	enum { BURST = 5, COUNT = 64 };
	int64_t pauses_ns[COUNT];
	unsigned int whole;

	(void)state;
	for (unsigned int first = 1; first <= BURST; first++) {
		for (unsigned int nr = 0; nr < COUNT; nr++)
			pauses_ns[nr] = (nr + BURST - first) % BURST ? 10000 : 9000000 + nr % 7 * 300000;
		/* the first workload's pause is not known, and the last burst may go on */
		whole = (COUNT - 1 - first) / BURST;
		assert_int_equal(count_work(pauses_ns, COUNT), BURST * whole);
	}
}

/* keeps all work of loops without bursts, and most of it if bursts are few */
static void other_work_is_kept(void **state)
{
	static const int64_t one_burst[] = {
		10000, 12000, 9000000, 10000, 11000, 9300000, 10000, 12000, 11000, 10000, 12000,
		11000, 10000, 12000,
	};
	int64_t pauses_ns[64];

	(void)state;
	for (unsigned int nr = 0; nr < G_N_ELEMENTS(pauses_ns); nr++)
		pauses_ns[nr] = 9000000 + nr % 7 * 300000;
	assert_int_equal(count_work(pauses_ns, G_N_ELEMENTS(pauses_ns)),
			 G_N_ELEMENTS(pauses_ns) - 1);
	assert_int_equal(count_work(one_burst, G_N_ELEMENTS(one_burst)),
			 G_N_ELEMENTS(one_burst) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams_share_what_is_kept),
		cmocka_unit_test(bursts_are_whole),
		cmocka_unit_test(other_work_is_kept),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
