// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests of the command encoding against dwords computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vgpu_commands.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define GUARD 0xdeadbeefu

static void batch_of_one_piece(void **state)
{
	static const struct vgpu_work work = { .exec_ns = 18000000, .pieces = 1 };
	static const uint32_t want[] = {
		0x00404650,					/* MI_NOOP, id 18000 */
		0x10000002, 0x10000004, 0x00000000, 0x00000007,	/* MI_STORE_DATA_IMM */
		0x05000000,					/* MI_BATCH_BUFFER_END */
	};
	uint32_t got[16];

	(void)state;
	assert_int_equal(vgpu_emit_batch(got, &work, 0x10000004, 7), ARRAY_SIZE(want));
	assert_memory_equal(got, want, sizeof(want));
	assert_int_equal(got[ARRAY_SIZE(want) - VGPU_BATCH_VALUE_FROM_END], 7);
}

/* 10 us in 3 pieces: 3, 3 and 4, with preemption points between them. */
static void batch_of_pieces(void **state)
{
	static const struct vgpu_work work = { .exec_ns = 10000, .pieces = 3 };
	static const uint32_t want[] = {
		0x00400003, 0x02800000, 0x00400003, 0x02800000, 0x00400004,
		0x10000002, 0x00001000, 0x00000001, 0x00000001,
		0x05000000,
	};
	uint32_t got[16];

	(void)state;
	assert_int_equal(vgpu_emit_batch(got, &work, 0x100001000, 1), ARRAY_SIZE(want));
	assert_memory_equal(got, want, sizeof(want));
}

/* 9 s do not fit the 22 bits of one command. */
static void long_pieces_take_several_commands(void **state)
{
	static const struct vgpu_work work = { .exec_ns = 9000000000, .pieces = 1 };
	static const uint32_t want[] = { 0x005fffff, 0x005fffff, 0x005fffff, 0x005fffff, 0x00495444 };
	uint32_t got[16];

	(void)state;
	assert_int_equal(vgpu_emit_pieces(got, &work), ARRAY_SIZE(want));
	assert_memory_equal(got, want, sizeof(want));
}

static void field_boundary(void **state)
{
	uint32_t got[4];

	(void)state;
	assert_int_equal(vgpu_emit_busy(got, MI_NOOP_ID_MAX_US), 1);
	assert_int_equal(got[0], 0x005fffff);
	assert_int_equal(vgpu_emit_busy(got, MI_NOOP_ID_MAX_US + 1), 2);
	assert_int_equal(got[1], 0x00400001);
}

static void execution_time_is_rounded_to_microseconds(void **state)
{
	(void)state;
	assert_int_equal(vgpu_work_us(&(struct vgpu_work) { .exec_ns = 1499, .pieces = 1 }), 1);
	assert_int_equal(vgpu_work_us(&(struct vgpu_work) { .exec_ns = 1500, .pieces = 1 }), 2);
	assert_int_equal(vgpu_work_us(&(struct vgpu_work) { .exec_ns = 16667000, .pieces = 1 }), 16667);
}

/* The pieces of any work add up, differ by 1 us and keep to the stated bound. */
static void pieces_add_up(void **state)
{
	static const struct vgpu_work works[] = {
		{ .exec_ns = 800000000, .pieces = 800 }, { .exec_ns = 7000, .pieces = 7 },
		{ .exec_ns = 1000003000, .pieces = 4096 }, { .exec_ns = 60000000000, .pieces = 3 },
		{ .exec_ns = 60000000000, .pieces = 1 }, { .exec_ns = 4194303000, .pieces = 1 },
		{ .exec_ns = 1000, .pieces = 1 },
	};
	static uint32_t got[3 * 4096 + 64];

	(void)state;
	for (size_t w = 0; w < ARRAY_SIZE(works); w++) {
		uint64_t sum = 0;
		unsigned int checks = 0;
		size_t n;

		memset(got, 0xee, sizeof(got));
		n = vgpu_emit_batch(got, &works[w], 0, 0);
		assert_true(n <= vgpu_batch_max_dwords(&works[w]));
		for (size_t i = 0; i < n - 5; i++) {
			checks += got[i] == MI_ARB_CHECK;
			if (got[i] != MI_ARB_CHECK)
				sum += got[i] & MI_NOOP_ID_MAX_US;
		}
		assert_int_equal(sum * 1000, works[w].exec_ns);
		assert_int_equal(checks, works[w].pieces - 1);
		assert_int_equal(got[n], 0xeeeeeeee);
	}
}

static void request(void **state)
{
	static const uint32_t want[] = {
		0x18800101, 0x10001000, 0x00000000,		/* MI_BATCH_BUFFER_START */
		0x10400002, 0x00082000, 0x00000000, 0x00000005,	/* MI_STORE_DATA_IMM, GGTT */
		0x01000000,					/* MI_USER_INTERRUPT */
	};
	uint32_t got[VGPU_REQUEST_DWORDS + 1] = { [VGPU_REQUEST_DWORDS] = GUARD };

	(void)state;
	assert_int_equal(vgpu_emit_request(got, 0x10001000, 0x82000, 5), VGPU_REQUEST_DWORDS);
	assert_int_equal(ARRAY_SIZE(want), VGPU_REQUEST_DWORDS);
	assert_memory_equal(got, want, sizeof(want));
	assert_int_equal(got[VGPU_REQUEST_DWORDS], GUARD);
}

/* 5 us in 2 pieces: preemption between thread groups, 2 us and 3 us of groups of 100 ns. */
static void batch_of_walkers(void **state)
{
	static const struct vgpu_work work = { .exec_ns = 5000, .pieces = 2, .walker = true };
	static const uint32_t want[] = {
		0x11000001, 0x00002580, 0x00060002,		/* MI_LOAD_REGISTER_IMM */
		0x7105000d, 0, 0, 0, 0, 0, 0, 20, 0, 0, 1, 0, 1, 0, 0,
		0x02800000,
		0x7105000d, 0, 0, 0, 0, 0, 0, 30, 0, 0, 1, 0, 1, 0, 0,
		0x10000002, 0x00001000, 0x00000000, 0x00000009,
		0x05000000,
	};
	uint32_t got[64];

	(void)state;
	assert_int_equal(vgpu_emit_batch(got, &work, 0x1000, 9), ARRAY_SIZE(want));
	assert_memory_equal(got, want, sizeof(want));
	assert_true(vgpu_batch_max_dwords(&work) >= ARRAY_SIZE(want));
}

/* 3000 MB/s, 60 % of its time; then nothing, for what comes behind it */
static void batch_with_a_demand(void **state)
{
	static const struct vgpu_work work = {
		.exec_ns = 5000, .pieces = 2, .mbps = 3000, .bound_percent = 60,
	};
	static const uint32_t want[] = {
		0x006c0bb8,
		0x00400002, 0x02800000, 0x00400003,
		0x00600000,
		0x10000002, 0x00001000, 0x00000000, 0x00000009,
		0x05000000,
	};
	uint32_t got[64];

	(void)state;
	assert_int_equal(vgpu_emit_batch(got, &work, 0x1000, 9), ARRAY_SIZE(want));
	assert_memory_equal(got, want, sizeof(want));
	assert_true(vgpu_batch_max_dwords(&work) >= ARRAY_SIZE(want));
}

static void request_without_arbitration(void **state)
{
	static const uint32_t want[VGPU_REQUEST_NOARB_DWORDS] = {
		0x04000000,					/* MI_ARB_ON_OFF, off */
		0x18800101, 0x10001000, 0x00000000,
		0x10400002, 0x00082000, 0x00000000, 0x00000005,
		0x01000000,
		0x04000001,					/* MI_ARB_ON_OFF, on */
	};
	uint32_t got[VGPU_REQUEST_NOARB_DWORDS + 1] = { [VGPU_REQUEST_NOARB_DWORDS] = GUARD };

	(void)state;
	assert_int_equal(vgpu_emit_request_noarb(got, 0x10001000, 0x82000, 5), ARRAY_SIZE(want));
	assert_memory_equal(got, want, sizeof(want));
	assert_int_equal(got[VGPU_REQUEST_NOARB_DWORDS], GUARD);
}

static void hang(void **state)
{
	static const uint32_t want[] = { 0x04000000, 0x18800101, 0x10002000, 0x00000001 };
	uint32_t got[VGPU_HANG_DWORDS];

	(void)state;
	assert_int_equal(vgpu_emit_hang(got, 0x110002000), VGPU_HANG_DWORDS);
	assert_memory_equal(got, want, sizeof(want));
}

/* Stores first: once it goes in a circle, it ends in the middle of nothing. */
static void endless(void **state)
{
	static const uint32_t want[] = {
		0x10000002, 0x10000004, 0x00000000, 0x00000007,	/* MI_STORE_DATA_IMM */
		0x02800000,					/* MI_ARB_CHECK */
		0x18800101, 0x10002010, 0x00000001,		/* back to it */
	};
	uint32_t got[VGPU_ENDLESS_DWORDS];

	(void)state;
	assert_int_equal(vgpu_emit_endless(got, 0x110002000, 0x10000004, 7), ARRAY_SIZE(want));
	assert_memory_equal(got, want, sizeof(want));
	assert_int_equal(got[VGPU_ENDLESS_VALUE], 7);
	assert_int_equal(got[VGPU_ENDLESS_CHECK], MI_ARB_CHECK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batch_of_one_piece),
		cmocka_unit_test(batch_of_pieces),
		cmocka_unit_test(long_pieces_take_several_commands),
		cmocka_unit_test(field_boundary),
		cmocka_unit_test(execution_time_is_rounded_to_microseconds),
		cmocka_unit_test(pieces_add_up),
		cmocka_unit_test(request),
		cmocka_unit_test(batch_of_walkers),
		cmocka_unit_test(request_without_arbitration),
		cmocka_unit_test(batch_with_a_demand),
		cmocka_unit_test(hang),
		cmocka_unit_test(endless),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
