// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events that are lines of text: numbers of all kinds, words in any order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <glib.h>

#include "trace/events.h"
#include "trace/util.h"

/* reads a line of a workload's queueing */
static bool read_line(struct event *event, const char *fields)
{
	char line[512];

	snprintf(line, sizeof(line), "17 0 gvt_workload_queue %s\n", fields);
	*event = (struct event) { 0 };
	return event_from_text(line, event);
}

static void numbers_are_what_they_are(void **state)
{
	static const struct { const char *text; int64_t number; } numbers[] = {
		{ "0", 0 }, { "-1", -1 }, { "7", 7 }, { "0x1f", 31 }, { "010", 8 },
		{ "999999999999999999", 999999999999999999 },
		{ "1000000000000000000", 1000000000000000000 },
		{ "9223372036854775807", INT64_MAX }, { "-9223372036854775808", INT64_MIN },
		{ "9223372036854775808", INT64_MAX }, { "12abc", 12 }, { "", 0 },
	};
	char fields[256];
	struct event event;

	(void)state;
	for (size_t nr = 0; nr < G_N_ELEMENTS(numbers); nr++) {
		snprintf(fields, sizeof(fields), "vgpu_id=1 workload_id=%s class=0 instance=0 dev=0",
			 numbers[nr].text);
		assert_true(read_line(&event, fields));
		assert_int_equal(event.workload.workload_id, numbers[nr].number);
		assert_int_equal(event.ts_ns, 17);
	}
}

static void words_may_come_in_any_order(void **state)
{
	struct event event;

	(void)state;
	assert_true(read_line(&event, "instance=4  class=3 else=9 dev=5 workload_id=2 vgpu_id=1"));
	assert_int_equal(event.workload.vgpu_id, 1);
	assert_int_equal(event.workload.workload_id, 2);
	assert_int_equal(event.workload.class, 3);
	assert_int_equal(event.workload.instance, 4);
	assert_int_equal(event.workload.dev, 5);
	assert_int_equal(event.workload.ctx, UNKNOWN);
}

static void what_is_needed_is_missed(void **state)
{
	char empty[] = "\n", name[] = "1 0 gvt_no_such_event a=1\n";
	struct event event;

	(void)state;
	assert_false(read_line(&event, "vgpu_id=1 class=0 instance=0"));
	assert_false(read_line(&event, ""));
	assert_false(event_from_text(empty, &event));
	assert_false(event_from_text(name, &event));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_what_they_are),
		cmocka_unit_test(words_may_come_in_any_order),
		cmocka_unit_test(what_is_needed_is_missed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
