// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mutate - run gvt-stat on damaged copies of traces, as TAP
 *
 *   mutate GOAL SEED DIRECTORY FILE...
 *
 * GOAL is the time in seconds, or the number of copies with an x behind it: 1000000x.
 * gvt-stat is linked in, and many copies are tried in one process (see batch.h). A copy
 * that is neither read nor refused properly is tried again in a process of its own, whose
 * result counts.
 *
 * Every run must end with status 0, 1 or 2 in 200 MB and, with 1, one line of its own on
 * stderr. A crash inside libtracecmd that gvt-stat catches and reports is
 * allowed and counted; one in gvt-stat's own code, or that a sanitizer finds there, is not.
 * At the first fault mutate ends, and leaves the copy in DIRECTORY.
 * The n-th copy is the same on every machine: to make a copy again, give its
 * seed, which is printed, and 1x.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <glib.h>

#include "batch.h"
#include "opened.h"
#include "trace/util.h"

/* longer than gvt-stat gives libtracecmd, so a kill here is gvt-stat's fault */
#define RUN_SECONDS	60		/* of the CPU */
#define PATIENCE	20		/* times that: longer is for ever, on a busy machine, too */
/* no copy needs more: gvt-stat's memory does not grow with what a trace claims */
#define RUN_BYTES	(200ULL << 20)
/* of one process, with all that it maps */
#define PROCESS_BYTES	(1ULL << 30)
#define PROGRESS	10000
#define SOURCE_FRAME	"tools/"
#define MAX_FRAMES	64
#define MAX_FILES	32

static const char *directory;
static int crash_fd;			/* what a crash in gvt-stat's own code left */
static struct batch *batch;
static uint64_t alone;			/* copies that had a process of their own */

static char *path_of(const char *name)
{
	return g_build_filename(directory, name, NULL);
}

/* What sanitizers keep for themselves is no fault. */
static bool took_too_much(const struct rusage *usage)
{
#ifdef __SANITIZE_ADDRESS__
	(void)usage;
	return false;
#else
	return usage->ru_maxrss > (long)(RUN_BYTES >> 10);
#endif
}

#ifndef __SANITIZE_ADDRESS__
/* the object that a frame is in: of the C library, GLib and the kernel, it is the caller's fault */
static bool is_callers(const char *object)
{
	static const char *const servants[] = { "libc.so", "libglib", "libm.so", "vdso" };

	for (size_t nr = 0; nr < G_N_ELEMENTS(servants); nr++)
		if (strstr(object, servants[nr]))
			return true;
	return false;
}

/* Is the innermost frame that is to blame, behind the signal's own, one of this program? */
static bool is_ours(void *const *frames, int count, const void *crashed_at)
{
	Dl_info us, info;
	int nr = 0;

	while (nr < count && frames[nr] != crashed_at)
		nr++;
	if (!dladdr((void *)is_callers, &us))
		return true;
	/* a jump to nowhere may be anybody's */
	for (; nr < count; nr++)
		if (dladdr(frames[nr], &info) && !is_callers(info.dli_fname))
			return info.dli_fbase == us.dli_fbase;
	return false;
}

/* Without sanitizers, only the process that crashes can tell where. */
static void on_crash(int sig, siginfo_t *info, void *context)
{
	const void *at = (void *)(((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]);
	void *frames[MAX_FRAMES];
	int count = backtrace(frames, MAX_FRAMES);

	(void)info;
	if (is_ours(frames, count, at))
		backtrace_symbols_fd(frames, count, crash_fd);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void watch_crashes(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };
	struct sigaction action = { .sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	static char stack[1 << 17];
	void *frame;

	/* loads what it needs now and not in a broken process */
	backtrace(&frame, 1);
	sigaltstack(&(stack_t) { .ss_sp = stack, .ss_size = sizeof(stack) }, NULL);
	for (size_t nr = 0; nr < G_N_ELEMENTS(signals); nr++)
		sigaction(signals[nr], &action, NULL);
}
#else
static void watch_crashes(void)
{
}
#endif

/* one run of gvt-stat */
struct job {
	const char *command;
	const char *path;		/* of the copy, and of what it prints */
	const char *out;
	const char *err;
	bool supervised;
};

/*
 * In one process libtracecmd takes whatever memory a copy claims: a run that has no more is
 * repeated with a child for it. A sanitizer's shadow memory is beyond any limit.
 */
static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
	const struct rlimit limit = { PROCESS_BYTES, PROCESS_BYTES };

	setrlimit(RLIMIT_AS, &limit);
#endif
}

_Noreturn static void run_child(const struct job *job)
{
	const struct rlimit seconds = { RUN_SECONDS, RUN_SECONDS };
	char **argv = command_line(job->command, job->path, job->supervised);
	int out_fd = open(job->out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int err_fd = open(job->err, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	dup2(out_fd, STDOUT_FILENO);
	dup2(err_fd, STDERR_FILENO);
	watch_crashes();
	alarm(PATIENCE * RUN_SECONDS);
	setrlimit(RLIMIT_CPU, &seconds);
	if (!job->supervised)
		limit_memory();
	exit(gvt_stat_main(g_strv_length(argv), argv));
}

/* @usage: of gvt-stat and its child, the larger one of the two */
static int run(const struct job *job, struct rusage *usage)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		run_child(job);
	while (wait4(pid, &status, 0, usage) < 0 && errno == EINTR)
		;
	return status;
}

/*
 * A child of its own for libtracecmd takes half of the time: it is only for copies that
 * need it.
 */
static int run_as_needed(struct job *job, struct rusage *usage)
{
	int status = run(job, usage);

	job->supervised = !WIFEXITED(status) || took_too_much(usage);
	if (job->supervised)
		status = run(job, usage);
	batch->peak_kib = MAX(batch->peak_kib, (uint64_t)usage->ru_maxrss);
	return status;
}

/* innermost frames of a sanitizer's report; our callbacks are deeper */
static bool blames_us(const char *report)
{
	const char *frame = strstr(report, "    #0 ");
	const char *end;

	if (strstr(report, "runtime error"))
		return true;
	if (!frame)
		return strstr(report, "LeakSanitizer") && strstr(report, SOURCE_FRAME);
	/* an interceptor of the sanitizer's own may be in front */
	end = strstr(frame, "    #2 ");
	return g_strstr_len(frame, end ? end - frame : -1, SOURCE_FRAME);
}

/* look at, and remove, what sanitizers left in "asan.*" */
static bool sanitizer_blames_us(void)
{
	GDir *dir = g_dir_open(directory, 0, NULL);
	bool blamed = false;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		char *path, *text = NULL;

		if (!g_str_has_prefix(name, "asan."))
			continue;
		path = path_of(name);
		if (g_file_get_contents(path, &text, NULL, NULL) && blames_us(text)) {
			blamed = true;
			for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
				printf("# %s\n", line);
		}
		unlink(path);
		g_free(path);
		g_free(text);
	}
	if (dir)
		g_dir_close(dir);
	return blamed;
}

/* look at, and remove, what on_crash() left */
static bool crashed_us(void)
{
	char text[4096];
	ssize_t len = pread(crash_fd, text, sizeof(text) - 1, 0);

	if (len <= 0)
		return false;
	text[len] = '\0';
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		printf("# %s\n", line);
	return !ftruncate(crash_fd, 0);
}

/* judge - what is wrong with the end of a run, or NULL */
static const char *judge(int status, const struct rusage *usage, const char *text)
{
	static const char *const faults[VERDICTS] = {
		[VERDICT_BAD_STATUS] = "its exit status is neither 0, 1 nor 2",
		[VERDICT_BAD_MESSAGE] = "it did not tell the error in one line of its own",
	};
	enum verdict verdict;

	if (sanitizer_blames_us())
		return "a sanitizer found an error in gvt-stat";
	if (crashed_us())
		return "it crashed in gvt-stat's own code";
	if (!WIFEXITED(status))
		return "it was killed by a signal";
	if (took_too_much(usage))
		return "it took more memory than it may";
	verdict = verdict_of(WEXITSTATUS(status), text);
	if (!faults[verdict])
		batch->verdicts[verdict]++;
	return faults[verdict];
}

static const char *run_and_judge(struct job *job)
{
	struct rusage usage;
	int status = run_as_needed(job, &usage);
	char *text = NULL;
	const char *fault;

	g_file_get_contents(job->err, &text, NULL, NULL);
	fault = judge(status, &usage, text);
	if (fault && text)
		printf("# %s\n", text);
	g_free(text);
	return fault;
}

/* a copy that there is a doubt about */
static bool try_alone(const struct original *original)
{
	char *path = path_of("mutated.dat"), *out = path_of("out"), *err = path_of("err");
	struct job job = {
		.command = command_of(batch->seed), .path = path, .out = out, .err = err,
	};
	GString *copy = damage(original, batch->seed);
	const char *fault;

	alone++;
	/* a batch may have had no memory left */
	if (ftruncate(crash_fd, 0))
		fatal("cannot write in %s", directory);
	batch_write(copy, path);
	fault = run_and_judge(&job);
	if (fault)
		printf("# seed %" PRIu64 ", %s: %s; the file is %s\n", batch->seed, job.command, fault,
		       path);
	g_string_free(copy, TRUE);
	g_free(path);
	g_free(out);
	g_free(err);
	return !fault;
}

struct goal {
	time_t end;
	unsigned int copies;		/* 0: until the end of the time */
};

static struct goal parse_goal(const char *text)
{
	struct goal goal = { 0 };

	if (g_str_has_suffix(text, "x"))
		goal.copies = atoi(text);
	else
		goal.end = time(NULL) + atoi(text);
	return goal;
}

static uint64_t tried(void)
{
	uint64_t sum = 0;

	for (int verdict = 0; verdict < VERDICTS; verdict++)
		sum += batch->verdicts[verdict];
	return sum;
}

static bool is_reached(const struct goal *goal)
{
	return goal->copies ? tried() >= goal->copies : time(NULL) >= goal->end;
}

/* A long run tells how far it is. */
static void show_progress(uint64_t before)
{
	if (tried() / PROGRESS != before / PROGRESS)
		fprintf(stderr, "mutate: %" PRIu64 " copies\n", tried());
}

static void prepare(void)
{
	watch_crashes();
	limit_memory();
}

/* some copies; false: there is a fault */
static bool go_on(const struct goal *goal, const struct original *originals, int nr_originals)
{
	uint64_t end = goal->copies ? batch->seed + goal->copies - tried() : UINT64_MAX;
	uint64_t before = tried();
	bool ok = true;

	if (!batch_run(batch, end, originals, nr_originals, directory, prepare)) {
		ok = try_alone(&originals[batch->seed % nr_originals]);
		batch->seed++;
	}
	show_progress(before);
	return ok;
}

static void print_result(bool ok, uint64_t first)
{
	const uint64_t *verdicts = batch->verdicts;

	printf("%sok 1 - %" PRIu64 " mutated traces from seed %" PRIu64 " on: %" PRIu64 " read, %" PRIu64
	       " refused, %" PRIu64 " crashes or hangs of libtracecmd caught, %" PRIu64
	       " in a process of their own; at most %" PRIu64 " MiB, %.1f ms of the CPU (seed %" PRIu64 ")\n",
	       ok ? "" : "not ", tried(), first, verdicts[VERDICT_READ], verdicts[VERDICT_REFUSED],
	       verdicts[VERDICT_CAUGHT], alone, batch->peak_kib >> 10,
	       (double)batch->slowest_ns / NSEC_PER_MSEC, batch->slowest_seed);
	printf("1..1\n");
}

static void read_original(struct original *original, const char *path)
{
	*original = original_read(path);
	opened_keep(original, path);
}

int main(int argc, char **argv)
{
	struct original originals[MAX_FILES];
	int nr_originals = 0;
	struct goal goal;
	uint64_t first;
	bool ok = true;

	if (argc < 5) {
		fprintf(stderr, "usage: mutate GOAL SEED DIRECTORY FILE...\n");
		return EXIT_FAILURE;
	}
	goal = parse_goal(argv[1]);
	batch = batch_new();
	first = batch->seed = strtoull(argv[2], NULL, 0);
	directory = argv[3];
	crash_fd = open(path_of("crash"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (crash_fd < 0)
		fatal("cannot write in %s", directory);
	for (int nr = 4; nr < argc && nr_originals < MAX_FILES; nr++)
		read_original(&originals[nr_originals++], argv[nr]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (ok && !is_reached(&goal))
		ok = go_on(&goal, originals, nr_originals);
	print_result(ok, first);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
