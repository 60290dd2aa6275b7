// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is inferred of guests: what is kept of long traces does not grow with the number of streams,
 * and bursts are repeated whole.
 */
#include <math.h>
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

/* --- how many a guest can have in flight ------------------------------------------------ */

enum { GUEST_WORK = 600, GUEST_MOST = 6000 };

/* one guest alone on an engine, first come, first served */
struct guest {
	int count;
	int64_t queue_ns[GUEST_MOST];
	int64_t end_ns[GUEST_MOST];
};

/* 0 to 1000, the same each time: splitmix64 */
static int64_t at_random(uint64_t nr)
{
	uint64_t z = (nr + 1) * 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (z ^ z >> 31) % 1001;
}

static void execute(struct guest *guest, int nr, int64_t queue_ns, int64_t exec_ns)
{
	guest->count = nr + 1;
	guest->queue_ns[nr] = queue_ns;
	guest->end_ns[nr] = exec_ns + MAX(queue_ns, nr ? guest->end_ns[nr - 1] : 0);
}

static void play_step(struct model *model, enum event_id id, int64_t nr, int64_t ns)
{
	const struct event event = {
		.id = id, .ts_ns = ns,
		.workload = {
			.vgpu_id = 1, .workload_id = nr, .guest_lrca = 1,
			.ctx = UNKNOWN, .seqno = UNKNOWN, .lrca = UNKNOWN, .completed = 1,
		},
	};

	model_event(model, &event);
}

static void play_end(struct model *model, const struct guest *guest, int nr)
{
	int64_t start_ns = MAX(guest->queue_ns[nr], nr ? guest->end_ns[nr - 1] : 0);

	play_step(model, EVENT_WORKLOAD_SUBMIT, nr, start_ns);
	play_step(model, EVENT_WORKLOAD_START, nr, start_ns);
	play_step(model, EVENT_WORKLOAD_STOP, nr, guest->end_ns[nr]);
	play_step(model, EVENT_WORKLOAD_COMPLETE, nr, guest->end_ns[nr]);
}

/* what is inferred of it; its work does not outlive this */
static struct stream infer_guest_told(const struct guest *guest, const struct stream_told *told)
{
	struct model *model = model_new();
	struct streams *streams = streams_new(model);
	const GPtrArray *found;
	struct stream stream;
	int done = 0;

	if (told)
		streams_tell(streams, 1, told);
	for (int nr = 0; nr < guest->count; nr++) {
		for (; done < nr && guest->end_ns[done] <= guest->queue_ns[nr]; done++)
			play_end(model, guest, done);
		play_step(model, EVENT_WORKLOAD_QUEUE, nr, guest->queue_ns[nr]);
	}
	for (; done < guest->count; done++)
		play_end(model, guest, done);
	model_finish(model);
	found = streams_infer(streams, (struct window) { 0, guest->end_ns[guest->count - 1] + 1 });
	assert_int_equal(found->len, 1);
	stream = *(const struct stream *)found->pdata[0];
	streams_free(streams);
	model_free(model);
	return stream;
}

static struct stream infer_guest(const struct guest *guest)
{
	return infer_guest_told(guest, NULL);
}

/* by a clock of 5 ms, @limit in flight; one in @every takes 9 ms longer, so that others wait */
static void play_clock(struct guest *guest, int limit, int every)
{
	for (int64_t nr = 0; nr < GUEST_WORK; nr++) {
		int64_t due_ns = nr * 5000000 + at_random(nr) * 300;

		if (nr >= limit && guest->end_ns[nr - limit] > due_ns)
			due_ns = guest->end_ns[nr - limit] + 20000;
		execute(guest, nr, due_ns, nr % every ? 1000000 + at_random(nr + 1000) * 100 : 10000000);
	}
}

static void a_limit_is_where_work_waits(void **state)
{
	struct guest guest;
	struct stream stream;

	(void)state;
	play_clock(&guest, 2, 10);
	/* a stray: three in flight, once */
	guest.queue_ns[322] = guest.end_ns[320] - 1000000;
	stream = infer_guest(&guest);
	assert_int_equal(stream.kind, STREAM_TIMETABLE);
	assert_int_equal(stream.depth, 2);
	assert_false(stream.doubts & 1u << STREAM_UNLIMITED);
}

/* two are in flight now and then, but none waits for another: it was never tried */
static void what_is_never_full_shows_no_limit(void **state)
{
	struct guest guest;
	struct stream stream;

	(void)state;
	play_clock(&guest, 16, 4);
	stream = infer_guest(&guest);
	assert_int_equal(stream.kind, STREAM_TIMETABLE);
	assert_true(stream.doubts & 1u << STREAM_UNLIMITED);
	assert_in_range(stream.least_depth, 2, 3);
	assert_in_range(stream.depth, 4, 6);
}

/* a limit that is told is no lower bound: there is nothing to try */
static void a_limit_that_is_told_is_all(void **state)
{
	const struct stream_told told = { .depth = 5 };
	struct guest guest;
	struct stream stream;

	(void)state;
	play_clock(&guest, 16, 4);
	stream = infer_guest_told(&guest, &told);
	assert_int_equal(stream.kind, STREAM_TIMETABLE);
	assert_false(stream.doubts & 1u << STREAM_UNLIMITED);
	assert_int_equal(stream.depth, 5);
	assert_int_equal(stream.least_depth, 5);
}

/* one at a time, always in time: its guest may be able to queue no other */
static void one_in_flight_may_be_all(void **state)
{
	struct guest guest;
	struct stream stream;

	(void)state;
	for (int64_t nr = 0; nr < GUEST_WORK; nr++)
		execute(&guest, nr, nr * 5000000 + at_random(nr) * 300, 1000000 + at_random(nr + 1000) * 100);
	stream = infer_guest(&guest);
	assert_int_equal(stream.kind, STREAM_TIMETABLE);
	assert_int_equal(stream.least_depth, 1);
}

/* seven in flight, of which two are always in their pauses */
static void pauses_hide_depth(void **state)
{
	struct guest guest;
	struct stream stream;

	(void)state;
	for (int64_t nr = 0; nr < GUEST_WORK; nr++)
		execute(&guest, nr, nr < 7 ? nr * 4000000 : guest.end_ns[nr - 7] + 8000000 + at_random(nr) * 400,
			4000000 + at_random(nr + 1000) * 600);
	stream = infer_guest(&guest);
	assert_int_equal(stream.kind, STREAM_LOOP);
	assert_int_equal(stream.depth, 7);
}

/* at random, half of the time, up to six in flight: no barrier */
static void random_is_no_chain(void **state)
{
	struct guest guest;
	struct stream stream;
	int64_t at_ns = 0;

	(void)state;
	for (int64_t nr = 0; nr < GUEST_WORK; nr++) {
		at_ns += llround(-2300000 * log((at_random(nr) + 0.5) / 1001));
		if (nr >= 6)
			at_ns = MAX(at_ns, guest.end_ns[nr - 6] + 20000);
		execute(&guest, nr, at_ns, 1250000 + at_random(nr + 1000) * 100);
	}
	stream = infer_guest(&guest);
	assert_int_equal(stream.kind, STREAM_RANDOM);
}

/* 100 a second, of 1 ms: some begin where another one ends by chance, which is no limit */
static void random_has_no_limit_by_chance(void **state)
{
	struct guest guest;
	struct stream stream;

	(void)state;
	for (int64_t seed = 0; seed < 10; seed++) {
		int64_t at_ns = 0;

		for (int64_t nr = 0; nr < GUEST_MOST; nr++) {
			int64_t of = 2 * (seed * GUEST_MOST + nr);
			double part = (at_random(of) + (at_random(of + 1) + 0.5) / 1001) / 1001;

			at_ns += llround(-10000000 * log(part));
			execute(&guest, nr, at_ns, 1000000);
		}
		stream = infer_guest(&guest);
		assert_int_equal(stream.kind, STREAM_RANDOM);
		assert_true(stream.doubts & 1u << STREAM_UNLIMITED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams_share_what_is_kept),
		cmocka_unit_test(bursts_are_whole),
		cmocka_unit_test(other_work_is_kept),
		cmocka_unit_test(a_limit_is_where_work_waits),
		cmocka_unit_test(what_is_never_full_shows_no_limit),
		cmocka_unit_test(a_limit_that_is_told_is_all),
		cmocka_unit_test(one_in_flight_may_be_all),
		cmocka_unit_test(pauses_hide_depth),
		cmocka_unit_test(random_is_no_chain),
		cmocka_unit_test(random_has_no_limit_by_chance),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
