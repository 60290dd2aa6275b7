// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is kept of long traces to infer streams from does not grow with their number.
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams_share_what_is_kept),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
