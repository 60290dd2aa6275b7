// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests of what the vGPU client writes, against values computed by hand.
 *
 * The device is a sparse file in memory: registers read back as written, and
 * every write is noted.  The test itself plays GVT where something completes.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <cmocka.h>

static ssize_t noting_pwrite(int fd, const void *data, size_t size, off_t offset);

/* cmocka has a macro of that name. */
#undef fail
#define pwrite noting_pwrite
#include "../../../../selftests/vgpu_client.c"
#undef pwrite
#include "canary.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define GGTT_BASE 0x00080000u	/* where the vGPU's aperture begins */

static struct {
	off_t offset;
	uint64_t value;
} notes[8192];
static size_t n_notes;
static off_t forgotten;	/* writes there are lost */

static ssize_t noting_pwrite(int fd, const void *data, size_t size, off_t offset)
{
	uint64_t value = 0;

	memcpy(&value, data, size);
	assert_true(n_notes < ARRAY_SIZE(notes));
	notes[n_notes].offset = offset;
	notes[n_notes++].value = value;
	if (forgotten && offset == forgotten)
		return (ssize_t)size;
	return pwrite(fd, data, size, offset);
}

static int open_fake(void **state)
{
	struct vgpu_client *v = vgpu_new();

	if (!v)
		return -1;
	v->device = memfd_create("bar0", 0);
	v->irq_fd = eventfd(0, EFD_NONBLOCK);
	v->memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	v->pages_used = 1;
	v->ggtt_base = GGTT_BASE;
	n_notes = 0;
	forgotten = 0;
	*state = v;
	return v->device < 0 || v->memory == MAP_FAILED || ftruncate(v->device, 16 << 20);
}

static int close_fake(void **state)
{
	vgpu_free(*state);
	return 0;
}

static struct vgpu_context *start(struct vgpu_client *v, enum vgpu_engine engine,
				  unsigned int slots)
{
	static const struct vgpu_work work = { .exec_ns = 18000000, .pieces = 1 };
	struct vgpu_context *c;

	assert_int_equal(vgpu_start_engine(v, engine), 0);
	c = vgpu_context_new(v, engine, &work, slots);
	assert_non_null(c);
	return c;
}

/* GVT: the context has executed all that was submitted up to @seqno. */
static void complete(struct vgpu_context *c, uint32_t seqno)
{
	*memory32(c->v, c->breadcrumb) = seqno;
	memory32(c->v, c->results)[(seqno - 1) % c->slots] = seqno;
}

static void expect_notes(const struct reg_write *want, size_t n)
{
	assert_int_equal(n_notes, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(notes[i].offset, want[i].offset);
		assert_int_equal(notes[i].value, want[i].value);
	}
}

static void engine_start(void **state)
{
	struct vgpu_client *v = *state;
	static const struct reg_write want[] = {
		{ 0x800000 + 8 * 0x81, 0x1003 },	/* GGTT entry of the status page */
		{ 0x12080, 0x81000 },			/* HWS_PGA of vcs0 */
		{ 0x1229c, 0x80008000 },		/* RING_MODE: execlists */
		{ 0x123a0, 0xffff0505 },		/* status buffer pointers */
		{ 0x120a8, 0xfffffefe },		/* ring IMR */
		{ 0x44314, 0 }, { 0x4431c, 0xffffffff },	/* bank 1 */
		{ 0x44200, 0x80000000 },
	};

	assert_int_equal(vgpu_start_engine(v, VGPU_VCS0), 0);
	expect_notes(want, ARRAY_SIZE(want));
	assert_int_equal(memory32(v, 0x1000)[0x1f], 5);
	assert_int_equal(vgpu_start_engine(v, VGPU_VCS0), 0);
	assert_int_equal(n_notes, ARRAY_SIZE(want));
}

static void context_image(void **state)
{
	struct vgpu_client *v = *state;
	struct vgpu_context *c = start(v, VGPU_BCS0, 2);
	const uint32_t *image = memory32(v, c->image + 4096);

	assert_int_equal(image[0x01], 0x1100101b);	/* LRI of 14, force posted */
	assert_int_equal(image[0x02], 0x22244);
	assert_int_equal(image[0x03], 0x00090009);
	assert_int_equal(image[0x04], 0x22034);		/* head */
	assert_int_equal(image[0x05], 0);
	assert_int_equal(image[0x06], 0x22030);		/* tail */
	assert_int_equal(image[0x08], 0x22038);		/* start */
	assert_int_equal(image[0x09], GGTT_BASE + c->ring);
	assert_int_equal(image[0x0a], 0x2203c);		/* control */
	assert_int_equal(image[0x0b], 1);
	assert_int_equal(image[0x1c], 0x221c8);		/* the last of the 14 */
	assert_int_equal(image[0x21], 0x11001011);	/* LRI of 9 */
	assert_int_equal(image[0x32], 0x22270);		/* PDP0 */
	assert_int_equal(image[0x33], c->pml4);
}

/* Four levels, the results page first, the batches after it. */
static void page_tables(void **state)
{
	struct vgpu_client *v = *state;
	struct vgpu_context *c = start(v, VGPU_RCS0, 2);
	const uint64_t *pml4 = (const void *)(v->memory + c->pml4);
	const uint64_t *pdp = pml4 + 512, *pd = pdp + 512, *pt = pd + 512;

	assert_int_equal(pml4[0], c->pml4 + 0x1003);
	assert_int_equal(pdp[0], c->pml4 + 0x2003);
	assert_int_equal(pd[128], c->pml4 + 0x3003);	/* 0x10000000 >> 21 */
	assert_int_equal(pt[0], c->results | 3);
	assert_int_equal(pt[1], c->batches | 3);
	assert_int_equal(pt[2], 0);
	assert_int_equal(notes[n_notes - 3].offset, 0x78838);
	assert_int_equal(notes[n_notes - 3].value, c->pml4);
	assert_int_equal(notes[n_notes - 1].offset, 0x78818);
	assert_int_equal(notes[n_notes - 1].value, 4);
}

static void submission(void **state)
{
	struct vgpu_client *v = *state;
	struct vgpu_context *c = start(v, VGPU_RCS0, 2);
	const uint32_t *ring = memory32(v, c->ring);
	const struct reg_write elsp[] = {
		{ 0x2230, 0 }, { 0x2230, 0 }, { 0x2230, 1 },
		{ 0x2230, (GGTT_BASE + c->image) | 0x119 },
	};
	const uint32_t want[] = {
		0x18800101, 0x10001000, 0,
		0x10400002, GGTT_BASE + c->breadcrumb, 0, 1,
		0x01000000,
	};

	n_notes = 0;
	assert_int_equal(vgpu_submit(c), 0);
	expect_notes(elsp, ARRAY_SIZE(elsp));
	assert_memory_equal(ring, want, sizeof(want));
	assert_int_equal(memory32(v, c->image + 4096)[0x07], 32);	/* tail */
	assert_int_equal(memory32(v, c->batches)[4], 1);		/* value to store */
	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(ring[9], 0x10001040);				/* second slot */
	assert_int_equal(memory32(v, c->image + 4096)[0x07], 64);
	assert_int_equal(vgpu_submitted(c), 2);
}

static void slots_are_limited_and_results_checked(void **state)
{
	struct vgpu_context *c = start(*state, VGPU_RCS0, 2);

	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(vgpu_submit(c), -EBUSY);
	assert_string_equal(vgpu_error(*state), "submission beyond 2 slots: Device or resource busy");
	assert_int_equal(vgpu_submitted(c), 2);
	assert_false(vgpu_result_ok(c, 1));
	complete(c, 1);
	assert_int_equal(vgpu_completed(c), 1);
	assert_true(vgpu_result_ok(c, 1));
	assert_false(vgpu_result_ok(c, 2));
	assert_int_equal(vgpu_submit(c), 0);
}

/* 128 requests fill the ring; the 129th starts it anew. */
static void ring_wraps(void **state)
{
	struct vgpu_client *v = *state;
	struct vgpu_context *c = start(v, VGPU_RCS0, 1);
	const uint32_t *ring = memory32(v, c->ring);

	for (uint32_t i = 1; i <= 128; i++) {
		assert_int_equal(vgpu_submit(c), 0);
		complete(c, i);
	}
	assert_int_equal(ring[1023], 0x01000000);
	assert_int_equal(ring[1022], 128);
	assert_int_equal(memory32(v, c->image + 4096)[0x07], 0);
	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(ring[6], 129);
	assert_int_equal(ring[14], 2);
	assert_int_equal(memory32(v, c->image + 4096)[0x07], 32);
	assert_int_equal(memory32(v, c->ring + 4096)[1], 0);	/* the page behind it */
}

static void hang_runs_the_endless_batch(void **state)
{
	struct vgpu_client *v = *state;
	struct vgpu_context *c = start(v, VGPU_RCS0, 2);
	const uint32_t *hang = memory32(v, c->batches + 2 * c->batch_bytes);

	assert_int_equal(vgpu_submit_hang(c), 0);
	assert_int_equal(memory32(v, c->ring)[1], 0x10001080);
	assert_int_equal(hang[0], 0x04000000);
	assert_int_equal(hang[2], 0x10001080);
}

/* Its slot has an ordinary batch again for the workload after the next. */
static void endless_work_ends_when_told(void **state)
{
	struct vgpu_client *v = *state;
	struct vgpu_context *c = start(v, VGPU_RCS0, 2);
	const uint32_t *batch = memory32(v, c->batches + c->batch_bytes);

	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(vgpu_submit_endless(c), 0);
	assert_int_equal(memory32(v, c->ring)[9], 0x10001040);
	assert_int_equal(batch[VGPU_ENDLESS_VALUE], 2);
	assert_int_equal(batch[4], 0x02800000);
	assert_int_equal(batch[6], 0x10001050);
	vgpu_end(c, 1);
	assert_int_equal(memory32(v, c->batches)[0], 0x00404650);
	vgpu_end(c, 2);
	assert_int_equal(batch[4], 0x05000000);
	complete(c, 1);
	complete(c, 2);
	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(batch[0], 0x00404650);
	assert_int_equal(batch[4], 4);
	assert_int_equal(batch[5], 0x05000000);
}

static void addresses_are_where_they_are_asked_for(void **state)
{
	struct vgpu_client *v = *state;
	struct vgpu_context *c;
	const uint64_t *pml4, *pdp, *pd;

	vgpu_set_addresses(v, 0xb0000000);
	c = start(v, VGPU_RCS0, 1);
	pml4 = (const void *)(v->memory + c->pml4);
	pdp = pml4 + 512;
	pd = pdp + 512;
	assert_int_equal(pdp[2], c->pml4 + 0x2003);		/* 0xb0000000 >> 30 */
	assert_int_equal(pd[384], c->pml4 + 0x3003);		/* >> 21 */
	assert_int_equal(memory32(v, c->batches)[2], 0xb0000000);
	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(memory32(v, c->ring)[1], 0xb0001000);
}

static void acthd_has_two_halves(void **state)
{
	struct vgpu_client *v = *state;
	const uint32_t low = 0xb0001010, high = 0x1;
	uint64_t address;

	assert_int_equal(pwrite(v->device, &low, 4, 0x12074), 4);
	assert_int_equal(pwrite(v->device, &high, 4, 0x1205c), 4);
	assert_int_equal(vgpu_acthd(v, VGPU_VCS0, &address), 0);
	assert_int_equal(address, 0x1b0001010);
}

/* A stopped engine is not programmed before it is started again. */
static void a_stopped_engine_stays_stopped(void **state)
{
	struct vgpu_client *v = *state;
	struct vgpu_context *c = start(v, VGPU_RCS0, 2);

	assert_int_equal(vgpu_submit_endless(c), 0);
	n_notes = 0;
	assert_int_equal(vgpu_stop_engine(v, VGPU_RCS0), 0);
	expect_notes((const struct reg_write[]) { { 0x941c, 2 } }, 1);
	assert_int_equal(vgpu_completed(c), 1);
	assert_int_equal(vgpu_restart_engine(v, VGPU_RCS0), 0);
	assert_int_equal(notes[2].offset, 0x229c);
	assert_int_equal(vgpu_submit(c), 0);
}

static void reset_loses_what_is_in_flight(void **state)
{
	struct vgpu_client *v = *state;
	struct vgpu_context *c = start(v, VGPU_RCS0, 2), *other = start(v, VGPU_BCS0, 1);

	assert_int_equal(vgpu_submit(c), 0);
	complete(c, 1);
	assert_int_equal(vgpu_submit_hang(c), 0);
	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(vgpu_submit(other), 0);
	n_notes = 0;
	assert_int_equal(vgpu_reset_engine(v, VGPU_RCS0), 0);
	assert_int_equal(notes[0].offset, 0x941c);
	assert_int_equal(notes[0].value, 2);
	assert_int_equal(vgpu_completed(c), 3);
	assert_false(vgpu_result_ok(c, 2));
	assert_false(vgpu_result_ok(c, 3));
	assert_int_equal(vgpu_completed(other), 0);
	assert_int_equal(memory32(v, c->image + 4096)[0x07], 0);
	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(memory32(v, c->ring)[6], 4);
	complete(c, 4);
	assert_int_equal(vgpu_completed(c), 4);
	assert_true(vgpu_result_ok(c, 4));
}

static void status_buffer_is_read_in_order(void **state)
{
	struct vgpu_client *v = *state;
	struct vgpu_csb entry;
	uint32_t *hwsp;

	assert_int_equal(vgpu_start_engine(v, VGPU_RCS0), 0);
	hwsp = memory32(v, v->engines[VGPU_RCS0].hwsp);
	assert_int_equal(vgpu_next_csb(v, VGPU_RCS0, &entry), 0);
	for (unsigned int i = 0; i < 8; i++) {
		hwsp[0x10 + 2 * (i % 6)] = 0x18 + i;
		hwsp[0x11 + 2 * (i % 6)] = 100 + i;
		hwsp[0x1f] = i % 6;
		assert_int_equal(vgpu_next_csb(v, VGPU_RCS0, &entry), 1);
		assert_int_equal(entry.index, i % 6);
		assert_int_equal(entry.status, 0x18 + i);
		assert_int_equal(entry.context, 100 + i);
		assert_int_equal(vgpu_next_csb(v, VGPU_RCS0, &entry), 0);
	}
	assert_int_equal(vgpu_next_csb(v, VGPU_BCS0, &entry), 0);
}

static void interrupt_is_acknowledged(void **state)
{
	struct vgpu_client *v = *state;
	uint32_t pending = 0x101;

	start(v, VGPU_VCS0, 1);
	assert_int_equal(eventfd_write(v->irq_fd, 3), 0);
	assert_int_equal(pwrite(v->device, &pending, 4, 0x44318), 4);
	n_notes = 0;
	assert_int_equal(vgpu_ack_irq(v), 0);
	expect_notes((const struct reg_write[]) { { 0x44318, 0x101 } }, 1);
}

static void impossible_contexts_are_refused(void **state)
{
	static const struct {
		struct vgpu_work work;
		unsigned int slots;
		const char *error;
	} bad[] = {
		{ { .exec_ns = 1000000, .pieces = 1 }, 0, "context of 0 slots, 1 pieces on rcs0: Invalid argument" },
		{ { .exec_ns = 1000000, .pieces = 1 }, 17, "context of 17 slots, 1 pieces on rcs0: Invalid argument" },
		{ { .exec_ns = 1000000, .pieces = 0 }, 1, "context of 1 slots, 0 pieces on rcs0: Invalid argument" },
		{ { .exec_ns = 1000000, .pieces = 1001 }, 1, "context of 1 slots, 1001 pieces on rcs0: Invalid argument" },
		{ { .exec_ns = 100000000, .pieces = 100000 }, 2, "2 batches of 100000 pieces: Argument list too long" },
	};
	static const struct vgpu_work work = { .exec_ns = 1000000, .pieces = 1 };
	struct vgpu_client *v = *state;

	assert_null(vgpu_context_new(v, VGPU_BCS0, &work, 1));
	assert_string_equal(vgpu_error(v), "context of 1 slots, 1 pieces on bcs0: Invalid argument");
	assert_int_equal(vgpu_start_engine(v, VGPU_RCS0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_null(vgpu_context_new(v, VGPU_RCS0, &bad[i].work, bad[i].slots));
		assert_string_equal(vgpu_error(v), bad[i].error);
	}
	for (int i = 0; i < VGPU_MAX_CONTEXTS; i++)
		assert_non_null(vgpu_context_new(v, VGPU_RCS0, &work, 1));
	assert_null(vgpu_context_new(v, VGPU_RCS0, &work, 1));
	assert_string_equal(vgpu_error(v), "context 32: No space left on device");
}

/* The batch is between the two; the next workload is 16 dwords on. */
static void arbitration_is_off_around_a_batch(void **state)
{
	struct vgpu_client *v = *state;
	static const struct vgpu_work work = {
		.exec_ns = 1000000, .pieces = 1, .arbitration_off = true,
	};
	struct vgpu_context *c;
	const uint32_t *ring;

	assert_int_equal(vgpu_start_engine(v, VGPU_VCS0), 0);
	c = vgpu_context_new(v, VGPU_VCS0, &work, 2);
	assert_non_null(c);
	assert_int_equal(vgpu_submit(c), 0);
	assert_int_equal(vgpu_submit(c), 0);
	ring = memory32(v, c->ring);
	for (int i = 0; i < 32; i += 16) {
		assert_int_equal(ring[i], 0x04000000);
		assert_int_equal(ring[i + 1], 0x18800101);
		assert_int_equal(ring[i + 8], 0x01000000);
		assert_int_equal(ring[i + 9], 0x04000001);
	}
	assert_int_equal(memory32(v, c->image + 4096)[STATE_TAIL], 128);
}

static void walkers_are_for_the_render_engine(void **state)
{
	struct vgpu_client *v = *state;
	static const struct vgpu_work work = { .exec_ns = 1000000, .pieces = 1, .walker = true };

	assert_int_equal(vgpu_start_engine(v, VGPU_RCS0), 0);
	assert_int_equal(vgpu_start_engine(v, VGPU_BCS0), 0);
	assert_non_null(vgpu_context_new(v, VGPU_RCS0, &work, 1));
	assert_null(vgpu_context_new(v, VGPU_BCS0, &work, 1));
}

/* What GVT-g switches: 28 registers of rcs0, 5 of bcs0, 1 of vecs0, and three MOCS tables */
static void canaries_differ_everywhere(void **state)
{
	struct vgpu_client *v = *state;
	const size_t n = 28 + 5 + 1 + 3 * 64;

	for (unsigned int number = 1; number <= CANARY_MAX; number++)
		assert_int_equal(canary_write(v, number), 0);
	assert_int_equal(n_notes, CANARY_MAX * n);
	for (size_t i = n; i < n_notes; i++) {
		assert_int_equal(notes[i].offset, notes[i % n].offset);
		assert_int_not_equal(notes[i].value, notes[i - n].value);
		assert_int_not_equal(notes[i].value, notes[i % n].value);
	}
}

static void a_register_that_forgets_its_canary_is_an_error(void **state)
{
	forgotten = 0xc9fc;
	assert_int_equal(canary_write(*state, 1), -EIO);
	forgotten = 0;
	assert_int_equal(canary_write(*state, 1), 0);
}

static void memory_runs_out_cleanly(void **state)
{
	static const struct vgpu_work big = { .exec_ns = 100000000, .pieces = 30000 };
	struct vgpu_client *v = *state;
	int n = 0;

	assert_int_equal(vgpu_start_engine(v, VGPU_RCS0), 0);
	while (vgpu_context_new(v, VGPU_RCS0, &big, 4))
		n++;
	assert_in_range(n, 5, 16);
	assert_non_null(strstr(vgpu_error(v), "pages of guest memory: No space left on device"));
}

static void failing_calls_are_named(void **state)
{
	struct vgpu_client *v = vgpu_new();
	uint32_t value;

	(void)state;
	assert_non_null(v);
	assert_string_equal(vgpu_error(v), "");
	assert_int_equal(vgpu_read32(v, 0x2030, &value), -EBADF);
	assert_string_equal(vgpu_error(v), "read of register 0x2030: Bad file descriptor");
	assert_true(vgpu_open(v, "00000000-0000-4000-8000-00000000dead") < 0);
	assert_string_not_equal(vgpu_error(v), "");
	vgpu_free(v);
	vgpu_free(NULL);
}

int main(void)
{
#define on_fake(f) cmocka_unit_test_setup_teardown(f, open_fake, close_fake)
	const struct CMUnitTest tests[] = {
		on_fake(engine_start),
		on_fake(context_image),
		on_fake(page_tables),
		on_fake(submission),
		on_fake(slots_are_limited_and_results_checked),
		on_fake(ring_wraps),
		on_fake(hang_runs_the_endless_batch),
		on_fake(endless_work_ends_when_told),
		on_fake(addresses_are_where_they_are_asked_for),
		on_fake(acthd_has_two_halves),
		on_fake(a_stopped_engine_stays_stopped),
		on_fake(reset_loses_what_is_in_flight),
		on_fake(status_buffer_is_read_in_order),
		on_fake(interrupt_is_acknowledged),
		on_fake(impossible_contexts_are_refused),
		on_fake(arbitration_is_off_around_a_batch),
		on_fake(walkers_are_for_the_render_engine),
		on_fake(canaries_differ_everywhere),
		on_fake(a_register_that_forgets_its_canary_is_an_error),
		on_fake(memory_runs_out_cleanly),
		cmocka_unit_test(failing_calls_are_named),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("client", tests, NULL, NULL);
}
