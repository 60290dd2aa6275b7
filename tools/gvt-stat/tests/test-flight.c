// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flight recorder's conditions on hosts of plain files, when it writes, and what it remembers.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "flight/cause.h"
#include "flight/history.h"
#include "flight/trigger.h"
#include "trace/util.h"

#define S		NSEC_PER_SEC
#define MS		NSEC_PER_MSEC
#define PAGE		4096
#define GPU		"0000:00:02.0"
#define UUID		"00000000-0000-4000-8000-00000000000"

/* --- a host of files ------------------------------------------------------------------------ */

static char *root;

static void write_file(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void write_file(const char *path, const char *format, ...)
{
	char *full = g_build_filename(root, path, NULL), *dir = g_path_get_dirname(full), *text;
	FILE *stream;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	assert_int_equal(g_mkdir_with_parents(dir, 0755), 0);
	/* in place, as files of sysfs are, which are kept open */
	stream = fopen(full, "w");
	assert_non_null(stream);
	assert_true(fputs(text, stream) >= 0);
	assert_int_equal(fclose(stream), 0);
	g_free(text);
	g_free(dir);
	g_free(full);
}

static void write_number(int vgpu, const char *name, int64_t value)
{
	char *path = g_strdup_printf("sys/bus/pci/devices/" GPU "/" UUID "%d/%s", vgpu, name);

	write_file(path, "%" PRId64 "\n", value);
	g_free(path);
}

static void write_health(int vgpu, int hangs, int resets, int device_resets)
{
	char *path = g_strdup_printf("sys/bus/pci/devices/" GPU "/" UUID "%d/intel_vgpu/health", vgpu);

	write_file(path, "bad_entries 7\nhangs %d\nengine_resets %d\ndevice_resets %d\nfailsafe_entries 0\nfailsafe no\n",
		   hangs, resets, device_resets);
	g_free(path);
}

static void add_vgpu(int vgpu)
{
	char *link = g_strdup_printf("%s/sys/bus/mdev/devices/" UUID "%d", root, vgpu);
	char *to = g_strdup_printf("../../pci/devices/" GPU "/" UUID "%d", vgpu);

	write_number(vgpu, "intel_vgpu/vgpu_id", vgpu);
	write_number(vgpu, "intel_vgpu/queued", 0);
	write_number(vgpu, "intel_vgpu/exec_ns", 0);
	write_health(vgpu, 0, 0, 0);
	assert_int_equal(symlink(to, link), 0);
	g_free(link);
	g_free(to);
}

/* two counts per engine of waits below 1 ms, and of such of 65.536 ms and more */
static void write_waits(int vgpu, int shorter, int longer)
{
	char *path = g_strdup_printf("sys/kernel/debug/dri/0/gvt/vgpu%d/scheduler", vgpu);

	write_file("sys/kernel/debug/dri/0/name", "i915 dev=" GPU " unique=" GPU "\n");
	write_file(path, "engine all vgpu %d weight 2\nrcs0 handover_ns 0 overruns 0\nrcs0 wait from_us 512 count %d\n"
		   "rcs0 wait from_us 65536 count %d\nrcs0 exec from_us 8388608 count 99\nvcs0 wait from_us 0 count 0\n",
		   vgpu, shorter, longer);
	g_free(path);
}

static int make_host(void **state)
{
	char *path = g_build_filename(g_get_tmp_dir(), "test-flight.XXXXXX", NULL);

	(void)state;
	root = g_mkdtemp(path);
	assert_non_null(root);
	write_file("sys/bus/pci/devices/" GPU "/mdev_supported_types/i915-GVTg_V5_8/name", "V5_8\n");
	write_file("sys/bus/mdev/devices/.keep", "%s", "");
	write_file("proc/keep", "%s", "");
	add_vgpu(1);
	add_vgpu(2);
	return 0;
}

static int remove_host(void **state)
{
	char *command = g_strdup_printf("rm -rf '%s'", root);

	(void)state;
	assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
	g_free(command);
	g_free(root);
	return 0;
}

/* --- conditions ----------------------------------------------------------------------------- */

struct look_out {
	struct counter counter;
	GQueue samples;
	struct cause *cause;
};

static struct look_out watch_for(const char *text)
{
	struct look_out out = { .samples = G_QUEUE_INIT };
	char *why = NULL;

	out.cause = cause_parse(text, &why);
	if (!out.cause)
		fail_msg("%s", why);
	out.counter.watch.sysroot = root;
	out.counter.parts = cause_needs(out.cause);
	return out;
}

/* Takes a sample; returns what is told, or NULL. The caller frees. */
static char *sample(struct look_out *out)
{
	char *told = NULL;

	g_queue_push_tail(&out->samples, counts_take(&out->counter));
	return cause_fires(out->cause, &out->samples, true, &told) ? told : NULL;
}

static void quiet(struct look_out *out)
{
	char *told = sample(out);

	if (told)
		fail_msg("it fires: %s", told);
}

static void fires(struct look_out *out, const char *wanted)
{
	char *told = sample(out);

	assert_non_null(told);
	assert_string_equal(told, wanted);
	g_free(told);
}

static void end(struct look_out *out)
{
	g_queue_clear_full(&out->samples, (GDestroyNotify)counts_free);
	counter_clear(&out->counter);
	cause_free(out->cause);
}

static void conditions_are_understood(void **state)
{
	static const char *const good[] = {
		"p99:1>50ms", "p99>1s", "p99:a VM: of > mine>0.5s", "idle-waiting>20%", "idle-waiting>0%", "reset", "reset:vm",
	};

	(void)state;
	for (size_t nr = 0; nr < G_N_ELEMENTS(good); nr++) {
		char *why = NULL;
		struct cause *cause = cause_parse(good[nr], &why);

		if (!cause)
			fail_msg("%s", why);
		if (!strncmp(good[nr], "p99:a", 5))
			assert_string_equal(cause->vgpu, "a VM: of > mine");
		cause_free(cause);
	}
}

static void others_are_refused_with_the_remedy(void **state)
{
	static const struct { const char *text, *why; } bad[] = {
		{ "", ": there is no such condition; give p99:VM>50ms, idle-waiting>20% or reset" },
		{ "p95:1>50ms", "p95:1>50ms: there is no such condition; give p99:VM>50ms, idle-waiting>20% or reset" },
		{ "p99", "p99: the limit is missing; give p99[:VM]>50ms" },
		{ "p99:1", "p99:1: the limit is missing; give p99[:VM]>50ms" },
		{ "p99:>50ms", "p99:>50ms: the VM is missing; give p99[:VM]>50ms" },
		{ "p99>", "p99>: '' is no such limit; give p99[:VM]>50ms" },
		{ "p99>50%", "p99>50%: '50%' is no such limit; give p99[:VM]>50ms" },
		{ "p99>-1ms", "p99>-1ms: '-1ms' is no such limit; give p99[:VM]>50ms" },
		{ "p99>nan", "p99>nan: 'nan' is no such limit; give p99[:VM]>50ms" },
		{ "p99x>1s", "p99x>1s: there is no such condition; give p99:VM>50ms, idle-waiting>20% or reset" },
		{ "idle-waiting:1>20%", "idle-waiting:1>20%: it is about all vGPUs of a GPU; give idle-waiting>20%" },
		{ "idle-waiting>20", "idle-waiting>20: '20' is no such limit; give idle-waiting>20%" },
		{ "idle-waiting>100%", "idle-waiting>100%: '100%' is no such limit; give idle-waiting>20%" },
		{ "idle-waiting>nan%", "idle-waiting>nan%: 'nan%' is no such limit; give idle-waiting>20%" },
		{ "reset>1", "reset>1: there is something behind its name; give reset[:VM]" },
		{ "reset:", "reset:: the VM is missing; give reset[:VM]" },
		{ "reset\n", "reset?: there is no such condition; give p99:VM>50ms, idle-waiting>20% or reset" },
	};

	(void)state;
	for (size_t nr = 0; nr < G_N_ELEMENTS(bad); nr++) {
		char *why = NULL;

		assert_null(cause_parse(bad[nr].text, &why));
		assert_string_equal(why, bad[nr].why);
		g_free(why);
	}
}

static void p99_is_of_the_waits_in_between(void **state)
{
	struct look_out out = watch_for("p99:1>50ms");

	(void)state;
	write_waits(1, 100, 50);
	write_waits(2, 100, 50);
	quiet(&out);
	/* 1 of 100 is not more than 1 % */
	write_waits(1, 199, 51);
	quiet(&out);
	write_waits(1, 199, 52);
	write_waits(2, 100, 99);
	fires(&out, "p99:1>50ms: 65.536 ms or more, vGPU 1");
	/* once, as long as it holds */
	write_waits(1, 199, 60);
	quiet(&out);
	/* created again: it began anew, and nothing is known until there are two samples */
	write_waits(1, 0, 10);
	quiet(&out);
	end(&out);
}

static void the_time_to_look_back_must_be_over(void **state)
{
	struct look_out out = watch_for("p99:1>50ms");
	char *told = NULL;

	(void)state;
	write_waits(1, 0, 0);
	quiet(&out);
	write_waits(1, 0, 1);
	g_queue_push_tail(&out.samples, counts_take(&out.counter));
	assert_false(cause_fires(out.cause, &out.samples, false, &told));
	assert_true(cause_fires(out.cause, &out.samples, true, &told));
	g_free(told);
	end(&out);
}

static void p99_of_any_names_the_worst(void **state)
{
	struct look_out out = watch_for("p99>0.4ms");

	(void)state;
	write_waits(1, 0, 0);
	write_waits(2, 0, 0);
	quiet(&out);
	write_waits(1, 10, 0);
	write_waits(2, 10, 10);
	fires(&out, "p99>0.4ms: 65.536 ms or more, vGPU 2");
	end(&out);
}

static void p99_of_none_is_unknown(void **state)
{
	struct look_out out = watch_for("p99:9>1ms");

	(void)state;
	write_waits(1, 0, 0);
	quiet(&out);
	write_waits(1, 0, 10);
	quiet(&out);
	end(&out);
	out = watch_for("p99:1>1ms");
	quiet(&out);
	/* no histogram, and one that is damaged */
	write_file("sys/kernel/debug/dri/0/gvt/vgpu1/scheduler", "rcs0 wait from_us 3 count 5\nrcs0 wait from_us\n\n wait\n");
	quiet(&out);
	end(&out);
}

static void a_bound_of_p99_is_told(void **state)
{
	struct look_out out = watch_for("p99>50ms");
	char *note = cause_note(out.cause);

	(void)state;
	assert_string_equal(note, "p99>50ms: fires from 65.536 ms, as the driver counts waits by powers of two");
	g_free(note);
	end(&out);
	out = watch_for("p99>10s");
	note = cause_note(out.cause);
	assert_string_equal(note, "p99>10s: the driver's longest waits are 4.1943 s or more, it never fires");
	g_free(note);
	end(&out);
}

static void resets_are_hangs_and_resets_of_engines(void **state)
{
	struct look_out out = watch_for("reset");

	(void)state;
	write_health(2, 3, 3, 3);
	quiet(&out);
	quiet(&out);
	/* a VM starts */
	write_health(2, 3, 3, 4);
	quiet(&out);
	write_health(2, 4, 4, 4);
	fires(&out, "reset: 2, vGPU 2");
	quiet(&out);
	write_health(1, 0, 1, 0);
	fires(&out, "reset: 1, vGPU 1");
	end(&out);
	out = watch_for("reset:2");
	quiet(&out);
	write_health(1, 0, 9, 0);
	quiet(&out);
	write_health(2, 5, 4, 4);
	fires(&out, "reset:2: 1, vGPU 2");
	end(&out);
}

static void resets_of_new_vgpus_count(void **state)
{
	struct look_out out = watch_for("reset");

	(void)state;
	quiet(&out);
	add_vgpu(3);
	write_health(3, 1, 0, 1);
	for (int nr = 0; nr < 4; nr++)
		quiet(&out);
	fires(&out, "reset: 1, vGPU 3");
	end(&out);
}

static void look(struct look_out *out, int times)
{
	while (times-- > 0)
		counter_look(&out->counter);
}

static void idle_is_queued_without_execution(void **state)
{
	struct look_out out = watch_for("idle-waiting>20%");

	(void)state;
	quiet(&out);
	look(&out, 10);
	quiet(&out);
	write_number(2, "intel_vgpu/queued", 3);
	look(&out, 2);
	/* 2 of 12 */
	quiet(&out);
	look(&out, 5);
	fires(&out, "idle-waiting>20%: 41 %");
	write_number(2, "intel_vgpu/queued", 0);
	look(&out, 100);
	quiet(&out);
	end(&out);
}

static void idle_is_unknown_without_counters(void **state)
{
	struct look_out out = watch_for("idle-waiting>20%");

	(void)state;
	write_number(1, "intel_vgpu/queued", 3);
	write_file("sys/bus/pci/devices/" GPU "/" UUID "1/intel_vgpu/exec_ns", "%s", "");
	quiet(&out);
	look(&out, 10);
	quiet(&out);
	look(&out, 10);
	quiet(&out);
	end(&out);
}

/* --- when files are written ----------------------------------------------------------------- */

static void a_file_ends_after_its_trigger(void **state)
{
	struct triggers triggers;

	(void)state;
	triggers_init(&triggers, 30 * S, S);
	assert_true(triggers_due(&triggers) == INT64_MAX);
	assert_true(triggers_need(&triggers, 100 * S) == 70 * S);
	triggers_add(&triggers, "reset", 100 * S);
	assert_true(triggers_due(&triggers) == 101 * S);
	/* one that comes meanwhile extends it, and what was before the first is kept */
	triggers_add(&triggers, "POST", 100 * S + S / 2);
	assert_true(triggers_due(&triggers) == 101 * S + S / 2);
	assert_true(triggers_need(&triggers, 101 * S) == 70 * S);
	assert_string_equal(triggers.cause, "reset");
	assert_int_equal(triggers.count, 2);
	triggers_done(&triggers, 102 * S);
	assert_true(triggers_due(&triggers) == INT64_MAX);
}

static void a_storm_is_one_file_in_each_time(void **state)
{
	struct triggers triggers;
	int files = 0;

	(void)state;
	triggers_init(&triggers, 10 * S, S);
	/* 100,000 of them in 100 s */
	for (int64_t now_ns = 0; now_ns < 100 * S; now_ns += MS) {
		triggers_add(&triggers, "SIGUSR1", now_ns);
		if (now_ns < triggers_due(&triggers))
			continue;
		assert_true(triggers_need(&triggers, now_ns) == triggers.first_ns - 10 * S);
		triggers_done(&triggers, now_ns);
		files++;
	}
	assert_in_range(files, 8, 10);
	triggers_done(&triggers, 0);
}

static void a_trigger_after_a_file_waits(void **state)
{
	struct triggers triggers;

	(void)state;
	triggers_init(&triggers, 30 * S, S);
	triggers_add(&triggers, "reset", 100 * S);
	triggers_done(&triggers, 101 * S);
	triggers_add(&triggers, "reset", 105 * S);
	assert_true(triggers_due(&triggers) == 131 * S);
	triggers_done(&triggers, 131 * S);
	triggers_add(&triggers, "reset", 500 * S);
	assert_true(triggers_due(&triggers) == 501 * S);
	triggers_done(&triggers, 501 * S);
}

static void names_have_time_and_cause(void **state)
{
	GDateTime *when = g_date_time_new_utc(2026, 11, 30, 7, 5, 9);
	static const struct { const char *output, *cause, *wanted; } names[] = {
		{ "out.dat", "p99:1>50ms", "out-20261130-070509-p99-1-50ms.dat" },
		{ "/x.y/out", "SIGUSR1", "/x.y/out-20261130-070509-SIGUSR1" },
		{ "/x.y/.out", "idle-waiting>20%", "/x.y/.out-20261130-070509-idle-waiting-20" },
		{ "a.b.c", "p99:../../etc\x1b[1m>1s", "a.b-20261130-070509-p99-..-..-etc-1m-1s.c" },
		{ "a", "p99:0123456789012345678901234567890123456789>1s", "a-20261130-070509-p99-012345678901234567890123456789012345" },
	};

	(void)state;
	for (size_t nr = 0; nr < G_N_ELEMENTS(names); nr++) {
		char *path = trigger_path(names[nr].output, when, names[nr].cause);

		assert_string_equal(path, names[nr].wanted);
		g_free(path);
	}
	g_date_time_unref(when);
}

static void files_are_not_replaced(void **state)
{
	GDateTime *when = g_date_time_new_utc(2026, 11, 30, 7, 5, 9);
	char *output = g_build_filename(root, "o.dat", NULL), *path;

	(void)state;
	write_file("o-20261130-070509-reset.dat", "1");
	write_file("o-20261130-070509-reset-2.dat", "2");
	path = trigger_path(output, when, "reset");
	assert_true(g_str_has_suffix(path, "/o-20261130-070509-reset-3.dat"));
	g_free(path);
	g_free(output);
	g_date_time_unref(when);
}

/* --- what is remembered --------------------------------------------------------------------- */

static void add_page(struct history *history, int cpu, char mark)
{
	char page[PAGE];

	memset(page, mark, sizeof(page));
	history_add(history, cpu, page);
}

/* the first byte of each page of a CPU, as they are written */
static const char *pages_of(const struct history *history, int cpu)
{
	static char marks[64];
	size_t len = 0;
	char page[PAGE];
	FILE *stream = tmpfile();

	assert_non_null(stream);
	assert_true(history_write(history, cpu, stream));
	rewind(stream);
	while (len < sizeof(marks) - 1 && fread(page, sizeof(page), 1, stream) == 1)
		marks[len++] = page[0];
	marks[len] = '\0';
	fclose(stream);
	return marks;
}

static void pages_are_kept_in_order(void **state)
{
	struct history *history = history_new(2, PAGE, 100 * PAGE);

	(void)state;
	history_clear(history, 1 * S, (int64_t[]) { 5, 5 });
	add_page(history, 0, 'a');
	add_page(history, 1, 'x');
	history_end(history, 10 * S, (int64_t[]) { 15, 6 });
	add_page(history, 0, 'b');
	add_page(history, 0, 'c');
	history_end(history, 20 * S, (int64_t[]) { 35, 6 });
	assert_string_equal(pages_of(history, 0), "abc");
	assert_string_equal(pages_of(history, 1), "x");
	assert_true(history_since(history) == 1 * S);
	assert_int_equal(history_events(history, 0), 30);
	assert_int_equal(history_events(history, 1), 1);
	assert_int_equal(history_bytes(history), 4 * PAGE);
	history_clear(history, 40 * S, (int64_t[]) { 35, 6 });
	assert_string_equal(pages_of(history, 0), "");
	assert_true(history_since(history) == 40 * S);
	assert_int_equal(history_bytes(history), 0);
	assert_int_equal(history_events(history, 0), 0);
	history_free(history);
}

/* A reading goes as a whole, so that what is left is complete for all CPUs. */
static void old_readings_are_forgotten(void **state)
{
	struct history *history = history_new(2, PAGE, 100 * PAGE);

	(void)state;
	history_clear(history, 1 * S, (int64_t[]) { 0, 0 });
	add_page(history, 1, 'x');
	for (int nr = 0; nr < 5; nr++) {
		add_page(history, 0, 'a' + nr);
		add_page(history, 0, 'A' + nr);
		history_end(history, (10 + nr) * S, (int64_t[]) { 10 * (nr + 1), 1 });
	}
	history_drop(history, 12 * S);
	assert_string_equal(pages_of(history, 0), "cCdDeE");
	assert_string_equal(pages_of(history, 1), "");
	assert_true(history_since(history) == 11 * S);
	assert_int_equal(history_events(history, 0), 30);
	assert_int_equal(history_events(history, 1), 0);
	assert_false(history_full(history));
	/* what is being read stays */
	add_page(history, 1, 'y');
	history_drop(history, 99 * S);
	assert_string_equal(pages_of(history, 0), "");
	assert_string_equal(pages_of(history, 1), "y");
	history_free(history);
}

static void memory_is_bounded(void **state)
{
	struct history *history = history_new(3, PAGE, 4 * PAGE + 1);

	(void)state;
	for (int nr = 0; nr < 10; nr++) {
		add_page(history, nr % 2 * 2, 'a' + nr);
		if (nr % 2)
			history_end(history, (10 + nr) * S, (int64_t[]) { nr, 0, nr });
	}
	assert_int_equal(history_bytes(history), 4 * PAGE);
	assert_true(history_full(history));
	assert_string_equal(pages_of(history, 0), "gi");
	assert_string_equal(pages_of(history, 2), "hj");
	assert_true(history_since(history) == 15 * S);
	/* one reading that is larger */
	for (int nr = 0; nr < 9; nr++)
		add_page(history, 1, 'z');
	history_end(history, 99 * S, (int64_t[]) { 9, 9, 9 });
	assert_string_equal(pages_of(history, 1), "zzzzzzzzz");
	assert_string_equal(pages_of(history, 0), "");
	history_free(history);
}

static void a_full_disk_is_told(void **state)
{
	struct history *history = history_new(1, PAGE, 100 * PAGE);
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(full);
	for (int nr = 0; nr < 10; nr++)
		add_page(history, 0, 'a');
	assert_false(history_write(history, 0, full));
	assert_int_equal(errno, ENOSPC);
	fclose(full);
	history_free(history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_understood),
		cmocka_unit_test(others_are_refused_with_the_remedy),
		cmocka_unit_test_setup_teardown(p99_is_of_the_waits_in_between, make_host, remove_host),
		cmocka_unit_test_setup_teardown(the_time_to_look_back_must_be_over, make_host, remove_host),
		cmocka_unit_test_setup_teardown(p99_of_any_names_the_worst, make_host, remove_host),
		cmocka_unit_test_setup_teardown(p99_of_none_is_unknown, make_host, remove_host),
		cmocka_unit_test_setup_teardown(a_bound_of_p99_is_told, make_host, remove_host),
		cmocka_unit_test_setup_teardown(resets_are_hangs_and_resets_of_engines, make_host, remove_host),
		cmocka_unit_test_setup_teardown(resets_of_new_vgpus_count, make_host, remove_host),
		cmocka_unit_test_setup_teardown(idle_is_queued_without_execution, make_host, remove_host),
		cmocka_unit_test_setup_teardown(idle_is_unknown_without_counters, make_host, remove_host),
		cmocka_unit_test(a_file_ends_after_its_trigger),
		cmocka_unit_test(a_storm_is_one_file_in_each_time),
		cmocka_unit_test(a_trigger_after_a_file_waits),
		cmocka_unit_test(names_have_time_and_cause),
		cmocka_unit_test_setup_teardown(files_are_not_replaced, make_host, remove_host),
		cmocka_unit_test(pages_are_kept_in_order),
		cmocka_unit_test(old_readings_are_forgotten),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(a_full_disk_is_told),
	};

	sysfs_keep_open();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
