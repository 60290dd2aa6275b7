// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests of the scenario reader: durations, good files, bad files. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "duration.h"
#include "plan.h"
#include "scenario.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- durations ----------------------------------------------------------- */

static void durations_are_exact(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "0s", 0 },
		{ "1ns", 1 },
		{ "250ns", 250 },
		{ "0.5us", 500 },
		{ "4.7ms", 4700000 },
		{ "18ms", 18000000 },
		{ "16.667ms", 16667000 },
		{ "3s", 3000000000 },
		{ "0.000000001s", 1 },
		{ "1.5000000000000s", 1500000000 },
		{ "007s", 7000000000 },
		{ "86400s", DURATION_MAX_NS },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		uint64_t ns = 42;

		assert_int_equal(duration_parse(good[i].text, &ns), 0);
		assert_int_equal(ns, good[i].ns);
	}
}

static void bad_durations_are_rejected(void **state)
{
	static const struct {
		const char *text;
		int err;
	} bad[] = {
		{ "", -EINVAL },	{ "18", -EINVAL },	{ "ms", -EINVAL },
		{ "18 ms", -EINVAL },	{ "18mss", -EINVAL },	{ "18m", -EINVAL },
		{ "-1ms", -EINVAL },	{ "+1ms", -EINVAL },	{ "1.ms", -EINVAL },
		{ ".5ms", -EINVAL },	{ "1e3ms", -EINVAL },	{ "1,5ms", -EINVAL },
		{ "0x10ms", -EINVAL },	{ "18MS", -EINVAL },	{ "1.2.3s", -EINVAL },
		{ "0.5ns", -ERANGE },	{ "0.0000000001s", -ERANGE },
		{ "86400.000000001s", -ERANGE },
		{ "99999999999999999999999999s", -ERANGE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		uint64_t ns = 42;

		assert_int_equal(duration_parse(bad[i].text, &ns), bad[i].err);
		assert_int_equal(ns, 42);
	}
}

/* ---- files --------------------------------------------------------------- */

static char file[] = "/tmp/test-scenario.XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(file);

	(void)state;
	return fd < 0 || close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(file);
}

static void write_file(const char *text)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* Load @text; the error line without the file's name goes to @error. */
static struct scenario *load(const char *text, char **error)
{
	size_t size;
	FILE *errors = open_memstream(error, &size);
	struct scenario *s;

	write_file(text);
	s = scenario_load(file, errors);
	fclose(errors);
	return s;
}

static struct scenario *load_good(const char *text)
{
	char *error;
	struct scenario *s = load(text, &error);

	assert_string_equal(error, "");
	assert_non_null(s);
	free(error);
	return s;
}

static void every_word_arrives(void **state)
{
	struct scenario *s = load_good(
		"description = \"a (b), c\"\n"
		"source = \"paper 000, 5.1\"\n"
		"aperture-mb = 1024  memory-mb = 4096  cpus = 2  icount-shift = 3\n"
		"warmup = \"0s\"  duration = \"1.5s\"\n"
		"events = {\"gvt:gvt_*\", \"sched:sched_switch\"}\n"
		"setting \"gvt_sched/policy\" { value = \"strict\" }\n"
		"# a comment\n// one\n/* one \"\n more */"
		"vgpu \"g-1\" { type = V5_1  runs = guest  guest-memory-mb = 512\n"
		"  command = \"/probe --all\"\n"
		"  setting \"intel_vgpu/nice\" { value = \"5\" }\n"
		"  stream \"a\" { engine = vecs0  exec = \"5s\"  pieces = 4096  depth = 16\n"
		"    arrival = poisson  period = 16.667ms  count = 9  seed = 281474976710655  hang-at = 9 } }\n"
		"vgpu \"c\" { type = V5_8  stream \"b\" { engine = bcs0  exec = \"1us\"  think = 2ms } }\n");
	const struct scenario_vgpu *v = s->vgpus;
	const struct scenario_stream *st = v->streams;

	(void)state;
	assert_string_equal(s->description, "a (b), c");
	assert_string_equal(s->source, "paper 000, 5.1");
	assert_int_equal(s->aperture_mb, 1024);
	assert_int_equal(s->memory_mb, 4096);
	assert_int_equal(s->cpus, 2);
	assert_int_equal(s->icount_shift, 3);
	assert_int_equal(s->warmup_ns, 0);
	assert_int_equal(s->duration_ns, 1500000000);
	assert_int_equal(s->n_events, 2);
	assert_string_equal(s->events[1], "sched:sched_switch");
	assert_int_equal(s->n_settings, 1);
	assert_string_equal(s->settings[0].path, "gvt_sched/policy");
	assert_string_equal(s->settings[0].value, "strict");
	assert_int_equal(s->n_vgpus, 2);
	assert_string_equal(v->name, "g-1");
	assert_string_equal(v->type->name, "V5_1");
	assert_true(v->guest);
	assert_int_equal(v->guest_memory_mb, 512);
	assert_string_equal(v->command, "/probe --all");
	assert_null(s->vgpus[1].command);
	assert_string_equal(v->settings[0].path, "intel_vgpu/nice");
	assert_int_equal(v->n_streams, 1);
	assert_string_equal(st->engine, "vecs0");
	assert_int_equal(st->exec_ns, 5000000000);
	assert_int_equal(st->pieces, 4096);
	assert_int_equal(st->depth, 16);
	assert_int_equal(st->arrival, SCENARIO_POISSON);
	assert_int_equal(st->period_ns, 16667000);
	assert_int_equal(st->count, 9);
	assert_int_equal(st->seed, 281474976710655);
	assert_int_equal(st->hang_at, 9);
	assert_ptr_equal(scenario_vgpu_find(s, "c"), &s->vgpus[1]);
	assert_null(scenario_vgpu_find(s, "d"));
	assert_int_equal(s->vgpus[1].streams[0].think_ns, 2000000);
	scenario_free(s);
}

static void defaults_are_filled_in(void **state)
{
	struct scenario *s = load_good("vgpu \"a\" { type = V5_8\n"
				       " stream \"s\" { engine = rcs0  exec = \"1ms\" } }\n"
				       "vgpu \"g\" { type = V5_8  runs = guest }\n");
	const struct scenario_stream *st = s->vgpus[0].streams;

	(void)state;
	assert_int_equal(s->aperture_mb, 256);
	assert_int_equal(s->memory_mb, 2048);
	assert_int_equal(s->cpus, 1);
	assert_int_equal(s->icount_shift, 0);
	assert_int_equal(s->warmup_ns, 3000000000);
	assert_int_equal(s->duration_ns, 20000000000);
	assert_int_equal(s->n_events, 6);
	assert_int_equal(s->n_settings, 0);
	assert_false(s->vgpus[0].guest);
	assert_int_equal(s->vgpus[0].act, SCENARIO_NO_ACT);
	assert_int_equal(s->vgpus[0].act_every_ns, 0);
	assert_int_equal(s->vgpus[0].acthd_every_ns, 0);
	assert_int_equal(s->vgpus[0].guest_memory_mb, 0);
	assert_int_equal(s->vgpus[1].guest_memory_mb, 384);
	assert_int_equal(s->vgpus[1].n_streams, 0);
	assert_int_equal(st->arrival, SCENARIO_CLOSED);
	assert_int_equal(st->pieces, 1);
	assert_int_equal(st->depth, 1);
	assert_int_equal(st->think_ns, 0);
	assert_int_equal(st->count, 0);
	assert_int_equal(st->seed, 1);
	assert_int_equal(st->hang_at, 0);
	assert_int_equal(st->command, SCENARIO_NOOP);
	assert_int_equal(st->burst, 1);
	assert_int_equal(st->start_ns, 0);
	assert_false(st->arbitration_off);
	assert_int_equal(s->n_gpu, 0);
	scenario_free(s);
}

/* The table of the emulated GPU's reference: how many of a type fit. */
static void types_fit_the_aperture(void **state)
{
	static const struct {
		unsigned int aperture_mb;
		const char *type;
		unsigned int fit;
	} rows[] = {
		{ 256, "V5_1", 0 },  { 256, "V5_2", 0 },  { 256, "V5_4", 1 },  { 256, "V5_8", 2 },
		{ 512, "V5_1", 0 },  { 512, "V5_2", 1 },  { 512, "V5_4", 3 },  { 512, "V5_8", 6 },
		{ 1024, "V5_1", 1 }, { 1024, "V5_2", 2 }, { 1024, "V5_4", 5 }, { 1024, "V5_8", 7 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (unsigned int n = 1; n <= rows[i].fit + 1; n++) {
			char text[1024], *error;
			int used = sprintf(text, "aperture-mb = %u\n", rows[i].aperture_mb);
			struct scenario *s;

			for (unsigned int v = 0; v < n; v++)
				used += sprintf(text + used, "vgpu \"v%u\" { type = %s }\n", v,
						rows[i].type);
			s = load(text, &error);
			assert_int_equal(s != NULL, n <= rows[i].fit);
			scenario_free(s);
			free(error);
		}
	}
}

/* Mixed types share one aperture: weights 2:4:8 need 1 GB. */
static void mixed_types_fit_the_aperture(void **state)
{
	char *error;

	(void)state;
	scenario_free(load_good("aperture-mb = 1024\nvgpu \"a\" { type = V5_8 }\n"
				"vgpu \"b\" { type = V5_4 }\nvgpu \"c\" { type = V5_2 }\n"));
	assert_null(load("aperture-mb = 512\nvgpu \"a\" { type = V5_8 }\n"
			 "vgpu \"b\" { type = V5_4 }\nvgpu \"c\" { type = V5_2 }\n", &error));
	assert_non_null(strstr(error, ":4: vgpu 'c' (V5_2) does not fit aperture-mb = 512"));
	free(error);
}

#define VGPU(words) "vgpu \"a\" { type = V5_8\n stream \"s\" {\n" words "\n} }\n"
#define STREAM(words) VGPU("engine = rcs0  exec = \"1ms\"\n" words)

static const struct {
	const char *text, *error;	/* what follows the file's name */
} bad_files[] = {
	{ "", ":1: no vgpu; add vgpu \"a\" { type = V5_8 }" },
	{ "colour = red\n", ":1: no such option 'colour'; known here: description, source, aperture-mb, memory-mb, cpus, icount-shift, warmup, duration, events, setting, gpu, host, vgpu" },
	{ "vgpu \"a\" {\n typ = V5_8\n}\n", ":2: no such option 'typ'; known here: type, runs, guest-memory-mb, command, act, act-every, acthd-every, setting, stream" },
	{ STREAM("exce = \"1ms\""), ":4: no such option 'exce'; known here: engine, exec, pieces, think, burst, start, depth, arrival, period, count, seed, command, arbitration, hang-at, bandwidth, memory-bound" },
	{ "cpus = 2\ncpus = 2\n", ":2: cpus: set twice; remove one" },
	{ STREAM("exec = \"1ms\""), ":4: exec: set twice; remove one" },
	{ "source = \"a\"\nsource = \"b\"\n", ":2: source: set twice; remove one" },
	{ "events = {\"a:b\"}\nevents = {\"a:c\"}\n", ":2: events: set twice; remove one" },
	{ "aperture-mb = 128\n", ":1: aperture-mb: unknown word '128'; use 256, 512 or 1024" },
	{ "memory-mb = 2G\n", ":1: memory-mb: '2G' is not a whole number; write one from 512 to 65536" },
	{ "cpus = 0\n", ":1: cpus: 0 is out of range; use 1 to 8" },
	{ "cpus = 99999999999999999999\n", ":1: cpus: 99999999999999999999 is out of range; use 1 to 8" },
	{ "warmup = 3\n", ":1: warmup: '3' is not a duration; write a number and ns, us, ms or s, such as \"4.7ms\"" },
	{ "warmup = \"3 s\"\n", ":1: warmup: '3 s' is not a duration; write a number and ns, us, ms or s, such as \"4.7ms\"" },
	{ "duration = \"0s\"\n", ":1: duration: '0s' is out of range; use 1000us to 3600s, not finer than 1ns" },
	{ STREAM("think = \"0.5ns\""), ":4: think: '0.5ns' is out of range; use 0us to 60s, not finer than 1ns" },
	{ "vgpu \"a\" { type = V4_8 }\n", ":1: type: unknown word 'V4_8'; use V5_1, V5_2, V5_4 or V5_8" },
	{ "vgpu \"a\" { runs = host }\n", ":1: runs: unknown word 'host'; use client or guest" },
	{ VGPU("engine = rcs1"), ":3: engine: unknown word 'rcs1'; use rcs0, bcs0, vcs0 or vecs0" },
	{ STREAM("arrival = open"), ":4: arrival: unknown word 'open'; use closed, periodic or poisson" },
	{ STREAM("pieces = 5000"), ":4: pieces: 5000 is out of range; use 1 to 4096" },
	{ STREAM("depth = 17"), ":4: depth: 17 is out of range; use 1 to 16" },
	{ STREAM("count = -1"), ":4: count: -1 is out of range; use 0 to 4000000000" },
	{ VGPU("engine = rcs0"), ":4: vgpu 'a' stream 's': word 'exec' is missing; add exec = \"18ms\"" },
	{ VGPU("exec = \"1ms\""), ":4: vgpu 'a' stream 's': word 'engine' is missing; add engine = rcs0, bcs0, vcs0 or vecs0" },
	{ "vgpu \"a\" { runs = client }\n", ":1: vgpu 'a': word 'type' is missing; add type = V5_8, V5_4, V5_2 or V5_1" },
	{ STREAM("pieces = 1001"), ":5: vgpu 'a' stream 's': 1001 pieces are shorter than 1us each; use fewer pieces or a longer exec" },
	{ STREAM("period = \"1ms\""), ":5: vgpu 'a' stream 's': word 'period' needs arrival = periodic or poisson; remove it or change arrival" },
	{ STREAM("arrival = periodic"), ":5: vgpu 'a' stream 's': word 'period' is missing; add period = \"16.667ms\"" },
	{ STREAM("arrival = poisson period = \"1ms\" think = \"1ms\""), ":5: vgpu 'a' stream 's': word 'think' needs arrival = closed; remove it or change arrival" },
	{ STREAM("count = 3  hang-at = 4"), ":5: vgpu 'a' stream 's': hang-at 4 is after the last of 3 workloads; use at most count" },
	{ "vgpu \"a\" { type = V5_8  guest-memory-mb = 384 }\n", ":1: vgpu 'a': word 'guest-memory-mb' needs runs = guest; remove it or change runs" },
	{ "vgpu \"a\" { type = V5_8  command = \"/probe\" }\n", ":1: vgpu 'a': word 'command' needs runs = guest; remove it or change runs" },
	{ "vgpu \"a\" { type = V5_8  runs = guest  command = \"/probe; reboot\" }\n", ":1: command: '/probe; reboot' is not allowed; use letters, digits, blanks and ./:,+=%_-" },
	{ "vgpu \"a\" { runs = guest  command = \"\" }\n", ":1: command: '' is not allowed; use letters, digits, blanks and ./:,+=%_-" },
	{ "vgpu \"a\" { command = a  command = b }\n", ":1: command: set twice; remove one" },
	{ "vgpu \"idle\" { type = V5_8\n stream \"s\" { engine = rcs0 exec = \"1ms\" } }\n", ":2: vgpu 'idle' has a stream; rename the vgpu or remove stream 's'" },
	{ "vgpu \"a\" { type = V5_8 }\nvgpu \"a\" { type = V5_8 }\n", ":2: found duplicate title 'a'; give each one its own name" },
	{ "vgpu \"a\" { type = V5_8\n stream \"s\" { engine = rcs0 exec = \"1ms\" }\n stream \"s\" { engine = rcs0 exec = \"1ms\" } }\n", ":3: found duplicate title 's'; give each one its own name" },
	{ "vgpu \"a b\" { type = V5_8 }\n", ":1: vgpu: name 'a b' is not allowed; use up to 31 letters, digits, - and _" },
	{ "vgpu \"\" { type = V5_8 }\n", ":1: vgpu: name '' is not allowed; use up to 31 letters, digits, - and _" },
	{ "vgpu { type = V5_8 }\n", ":1: missing title for section 'vgpu'; write a name in quotes after the word" },
	{ "memory-mb = 1024\nvgpu \"a\" { type = V5_8 runs = guest guest-memory-mb = 600 }\n", ":2: vgpu 'a': guests use 600 MB, which with 512 MB for the host exceeds memory-mb = 1024; raise memory-mb" },
	{ "description = \"a;b\"\n", ":1: description: character ';' is not allowed; use letters, digits, blanks and ()'./:,+=%_-" },
	{ "events = {\"gvt\"}\n", ":1: events: 'gvt' is not an event; write system:name, such as \"gvt:gvt_workload_*\"" },
	{ "events = {\"a:b\", \"a:b\"}\n", ":1: events: 'a:b' appears twice; remove one" },
	{ "setting \"/etc/passwd\" { value = \"1\" }\n", ":1: setting: path '/etc/passwd' is not allowed; use a path below the device's directory in sysfs, such as \"gvt_sched/policy\"" },
	{ "setting \"a/../b\" { value = \"1\" }\n", ":1: setting: path 'a/../b' is not allowed; use a path below the device's directory in sysfs, such as \"gvt_sched/policy\"" },
	{ "setting \"a\" { }\n", ":1: setting 'a': word 'value' is missing; add value = \"...\"" },
	{ "setting \"a\" { value = \"$(reboot)\" }\n", ":1: value: '$(reboot)' is not allowed; use letters, digits, blanks and ./:,+=%_-" },
	{ STREAM("bandwidth = 3000"), ":5: vgpu 'a' stream 's': word 'bandwidth' needs a memory that engines share; add gpu \"mem-mbps\" { value = 12000 }" },
	{ STREAM("bandwidth = 65536"), ":4: bandwidth: 65536 is out of range; use 0 to 65535" },
	{ STREAM("memory-bound = 55"), ":5: vgpu 'a' stream 's': word 'memory-bound' needs a bandwidth; add bandwidth = 3000 or remove it" },
	{ STREAM("memory-bound = 57"), ":5: vgpu 'a' stream 's': memory-bound = 57 is no multiple of 5; use one from 0 to 100" },
	{ "gpu \"mem-mbps\" { value = 0 }\n" STREAM("bandwidth = 3000"), ":6: vgpu 'a' stream 's': word 'bandwidth' needs a memory that engines share; add gpu \"mem-mbps\" { value = 12000 }" },
	{ "gpu \"mem-mbps\" { value = 9000 }\n" STREAM("bandwidth = 3000  command = endless"), ":6: vgpu 'a' stream 's': command = endless asks nothing of the memory; remove bandwidth" },
	{ STREAM("command = endless arbitration = off"), ":5: vgpu 'a' stream 's': command = endless with arbitration = off cannot be preempted; use hang-at for what never ends" },
	{ STREAM("burst = 2"), ":5: vgpu 'a' stream 's': word 'burst' needs a pause between bursts; add think = \"230ms\"" },
	{ STREAM("burst = 2 arrival = periodic period = \"1ms\""), ":5: vgpu 'a' stream 's': word 'burst' needs arrival = closed; remove it or change arrival" },
	{ "vgpu \"a\" { type = V5_8 act = close }", ":1: vgpu 'a': words 'act' and 'act-every' belong together; add act = close or act-every = \"1s\"" },
	{ "vgpu \"a\" { type = V5_8 act-every = 1s }", ":1: vgpu 'a': words 'act' and 'act-every' belong together; add act = close or act-every = \"1s\"" },
	{ "vgpu \"a\" { type = V5_8 act = die }", ":1: act: unknown word 'die'; use engine-reset, engine-stop, device-reset or close" },
	{ "vgpu \"a\" { type = V5_8 runs = guest acthd-every = 1s }", ":1: vgpu 'a': words 'act-every' and 'acthd-every' need runs = client; remove them" },
	{ "vgpu \"a\" { type = V5_8 runs = guest stream \"s\" { engine = rcs0 exec = 1ms command = endless } }", ":1: vgpu 'a' stream 's': command = endless needs runs = client; remove one of them" },
	{ "vgpu \"a\" { type = V5_8 runs = guest stream \"s\" { engine = rcs0 exec = 1ms start = 1ms } }", ":1: vgpu 'a' stream 's': words 'burst' and 'start' need runs = client; remove them" },
	{ STREAM("command = draw"), ":4: command: unknown word 'draw'; use noop, walker or endless" },
	{ VGPU("engine = vcs0 exec = \"1ms\" command = walker"), ":4: vgpu 'a' stream 's': command = walker needs engine = rcs0, not vcs0; change one of them" },
	{ "vgpu \"a\" { type = V5_8 runs = guest\n stream \"s\" { engine = rcs0 exec = \"1ms\" arbitration = off } }\n", ":2: vgpu 'a' stream 's': word 'arbitration' needs runs = client; remove it: i915 decides by itself" },
	{ "host { stream \"s\" { engine = rcs0 } }\nvgpu \"a\" { type = V5_8 }\n", ":1: host stream 's': word 'exec' is missing; add exec = \"18ms\"" },
	{ "host { stream \"s\" { engine = rcs0 exec = 1ms start = 1ms } }\nvgpu \"a\" { type = V5_8 }\n", ":1: host stream 's': words 'burst' and 'start' need runs = client; remove them" },
	{ "host { stream \"s\" { engine = rcs0 exec = 1ms } }\nvgpu \"host\" { type = V5_8 }\n", ":1: name 'host' is reserved; rename the vgpu" },
	{ "host { type = V5_8 }\n", ":1: no such option 'type'; known here: stream" },
	{ "gpu \"cmd-ns\" { value = \"1,id=x\" }\n", ":1: gpu 'cmd-ns': a value has no comma or blank; write one property per section" },
	{ "gpu \"cmd-ns\" { }\n", ":1: gpu 'cmd-ns': word 'value' is missing; add value = \"...\"" },
	{ "gpu \"a,b\" { value = 1 }\n", ":1: gpu: name 'a,b' is not allowed; use up to 31 letters, digits, - and _" },
	{ "vgpu \"a\" {\n type = V5_8\n", ":3: the file ends inside a section; add the missing '}'" },
	{ "description = \"a\n", ":2: premature end of file; complete the last value, string or list" },
	{ "# a\n/* b\n\" */ // c\n# d \"\nhue = 1\n", ":5: no such option 'hue'; known here: description, source, aperture-mb, memory-mb, cpus, icount-shift, warmup, duration, events, setting, gpu, host, vgpu" },
	{ "vgpu \"a\" { # }\n type = V5_8\n", ":3: the file ends inside a section; add the missing '}'" },
	{ "description = \"a # b\"\n", ":1: description: character '#' is not allowed; use letters, digits, blanks and ()'./:,+=%_-" },
	{ "/* a */ vgpu \"a\" { type = V5_8 }\n/* b", ": a comment has no end; add the missing */" },
	{ "vgpu \"a\" { type = V5_8 }\n/*/", ": a comment has no end; add the missing */" },
	{ "}\n", ":1: unexpected closing brace; write word = value, or word \"name\" { ... }" },
};

static void bad_files_name_line_word_and_remedy(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad_files); i++) {
		size_t n = strlen(file);
		char *error;

		assert_null(load(bad_files[i].text, &error));
		assert_memory_equal(error, file, n);
		assert_string_equal(strchr(error, '\n'), "\n");
		*strchr(error, '\n') = '\0';
		assert_string_equal(error + n, bad_files[i].error);
		free(error);
	}
}

static void eighth_vgpu_is_refused(void **state)
{
	char text[1024], *error;
	int used = sprintf(text, "aperture-mb = 1024\n");

	(void)state;
	for (int i = 0; i < 8; i++)
		used += sprintf(text + used, "vgpu \"v%d\" { type = V5_8 }\n", i);
	assert_null(load(text, &error));
	assert_non_null(strstr(error, ":9: too many vgpus at 'v7'; fences suffice for 7\n"));
	free(error);
}

/* Whatever is in the file: no crash, and exactly one line. */
static void noise_gives_one_line(void **state)
{
	unsigned short random[3] = { 1, 2, 3 };

	(void)state;
	for (int round = 0; round < 300; round++) {
		char text[200], *error, *newline;

		for (size_t i = 0; i < sizeof(text) - 1; i++)
			text[i] = (char)(1 + erand48(random) * (round % 2 ? 255 : 126));
		text[sizeof(text) - 1] = '\0';
		assert_null(load(text, &error));
		newline = strchr(error, '\n');
		assert_non_null(newline);
		assert_string_equal(newline, "\n");
		free(error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_are_exact),
		cmocka_unit_test(bad_durations_are_rejected),
		cmocka_unit_test(every_word_arrives),
		cmocka_unit_test(defaults_are_filled_in),
		cmocka_unit_test(types_fit_the_aperture),
		cmocka_unit_test(mixed_types_fit_the_aperture),
		cmocka_unit_test(bad_files_name_line_word_and_remedy),
		cmocka_unit_test(eighth_vgpu_is_refused),
		cmocka_unit_test(noise_gives_one_line),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("scenario", tests, make_file, remove_file);
}
