// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mutate - run gvt-stat on damaged copies of traces, as TAP
 *
 *   mutate GOAL SEED DIRECTORY FILE...
 *
 * GOAL is for how many seconds to go on, or with an x behind it how many copies to
 * make: 1000000x. gvt-stat is linked in, which saves loading it for each.
 *
 * Every run must end with status 0, 1 or 2 in 200 MB and, with 1, one line of its own on
 * stderr. A crash inside libtracecmd that gvt-stat catches and tells is
 * allowed and counted; one in gvt-stat's own code, or that a sanitizer finds there, is not.
 * At the first fault it ends, and leaves the copy in DIRECTORY.
 * The n-th copy is the same on every machine: to look at it again, give its
 * seed, which is printed, and one copy: 1x.
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

#include "trace/util.h"

/* longer than gvt-stat gives libtracecmd, so a kill here is gvt-stat's fault */
#define RUN_SECONDS	60		/* of the CPU */
#define PATIENCE	20		/* times that: longer is for ever, on a busy machine, too */
/* no copy needs more: gvt-stat's memory does not grow with what a trace claims */
#define RUN_BYTES	(200ULL << 20)
/* of one process, with all that it maps */
#define PROCESS_BYTES	(1ULL << 30)
#define PROGRESS	10000
#define MAX_CHANGES	8
/* where the tables of a file are, and where its events */
#define FRONT		16384
#define BACK		8192
#define SOURCE_FRAME	"tools/"
#define MAX_FRAMES	64
#define MAX_FILES	32

struct file {
	char *data;
	gsize size;
};

/* main.c's, under another name; see the Makefile */
int gvt_stat_main(int argc, char **argv);

static const char *program;
static const char *directory;
static int crash_fd;			/* what a crash in gvt-stat's own code left */
static uint64_t random_state;
static unsigned int good, refused, caught;
static long peak_kib;

/* xorshift64*: the same numbers everywhere, unlike rand() */
static uint64_t next_random(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dULL;
}

static uint64_t below(uint64_t limit)
{
	return next_random() % limit;
}

static char *path_of(const char *name)
{
	return g_build_filename(directory, name, NULL);
}

/* numbers that tend to be believed: ends of ranges and plausible sizes */
static uint64_t interesting(void)
{
	static const uint64_t values[] = {
		0, 1, 3, 4, 8, 255, 4080, 4095, 4096, 4097, 65535, 65536, 0x7fffffff,
		0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0xffffffffffffffff,
	};

	return values[below(G_N_ELEMENTS(values))];
}

static gsize choose_place(gsize len)
{
	switch (below(3)) {
	case 0:
		return below(MIN(len, FRONT));
	case 1:
		return len - 1 - below(MIN(len, BACK));
	default:
		return below(len);
	}
}

static void change(GString *copy)
{
	gsize pos = choose_place(copy->len);
	gsize room = copy->len - pos;
	gsize few = below(64) + 1;
	uint64_t value = interesting();

	few = MIN(few, room);
	switch (below(6)) {
	case 0:
		copy->str[pos] ^= 1 << below(8);
		break;
	case 1:
		copy->str[pos] = next_random();
		break;
	case 2:
		memcpy(copy->str + pos, &value, MIN(room, 4));
		break;
	case 3:
		memcpy(copy->str + pos, &value, MIN(room, 8));
		break;
	case 4:
		memmove(copy->str + below(pos + 1), copy->str + pos, few);
		break;
	default:
		g_string_erase(copy, pos, few);
		break;
	}
}

/* not by way of another name: nobody reads it meanwhile */
static bool write_file(const char *path, const GString *copy)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	bool ok = fd >= 0 && write(fd, copy->str, copy->len) == (ssize_t)copy->len;

	return fd >= 0 && !close(fd) && ok;
}

static void write_copy(const struct file *file, const char *path)
{
	GString *copy = g_string_new_len(file->data, file->size);

	for (unsigned int left = below(MAX_CHANGES) + 1; left && copy->len > 32; left--)
		change(copy);
	if (!below(8))
		g_string_truncate(copy, below(copy->len) + 1);
	if (!write_file(path, copy)) {
		printf("Bail out! cannot write %s\n", path);
		exit(EXIT_FAILURE);
	}
	g_string_free(copy, TRUE);
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

/* each form of each command that reads traces; %s is the copy, which is added otherwise */
static const char *const commands[] = {
	"report --json", "report", "report --csv", "report --interval=10ms --csv",
	"report --histogram=wait", "report --vgpu=1 --time=+0.001,+0.02", "workloads --csv", "workloads",
	"workloads --json --pieces", "timehist --idle", "timehist", "map", "map --json", "gaps",
	"export -f html -o /dev/null", "export -f perfetto -o /dev/null",
	"export -f csv -o /dev/null", "export -f ctf -i %s -o %s.ctf", "gaps --json", "blame",
	"blame --json", "check", "check --json", "vcpu", "vcpu --json", "critical --workload=2",
	"critical --thread=101 --json", "critical --workload=3 --segments",
	"simulate --set=policy=fair", "simulate --json --without=2", "check --simulate",
	"compare --block=0.001 %s %s", "compare --block=0.01 --json %s %s",
};

/* one run of gvt-stat */
struct job {
	const char *command;
	const char *path;		/* of the copy, and of what it prints */
	const char *out;
	const char *err;
	bool supervised;
};

/* the words of a command line for the copy */
static char **command_line(const struct job *job)
{
	const char *command = job->command, *path = job->path;
	GString *text = g_string_new(command);
	char **argv;

	g_string_prepend(text, "gvt-stat ");
	g_string_append(text, " --tsc-khz=1000000");
	if (!job->supervised)
		g_string_append(text, " --in-process");
	if (!strstr(command, "%s"))
		g_string_append(text, " -i %s");
	g_string_replace(text, "%s", path, 0);
	argv = g_strsplit(text->str, " ", 0);
	g_string_free(text, TRUE);
	return argv;
}

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
	char **argv = command_line(job);
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
	peak_kib = MAX(peak_kib, usage->ru_maxrss);
	return status;
}

static bool one_line(const char *text)
{
	const char *end = strchr(text, '\n');

	return g_str_has_prefix(text, "gvt-stat: ") && end && !end[1];
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

/* What was asked for does not fit the trace: a window behind it, too many intervals, or GPUs. */
static bool is_refused(int status, const char *err)
{
	static const char *const reasons[] = {
		"gvt-stat: --", "is of several GPUs: give one by --gpu", "gvt-stat: vGPU 2 is not in",
	};

	for (size_t nr = 0; WEXITSTATUS(status) == EXIT_USAGE && err && nr < G_N_ELEMENTS(reasons); nr++)
		if (strstr(err, reasons[nr]))
			return true;
	return false;
}

/* judge - what is wrong with the end of a run, or NULL */
static const char *judge(int status, const struct rusage *usage, const char *err)
{
	char *text = NULL;
	const char *fault = NULL;

	g_file_get_contents(err, &text, NULL, NULL);
	if (sanitizer_blames_us())
		fault = "a sanitizer found an error in gvt-stat";
	else if (crashed_us())
		fault = "it crashed in gvt-stat's own code";
	else if (!WIFEXITED(status))
		fault = "it was killed by a signal";
	else if (took_too_much(usage))
		fault = "it took more memory than it may";
	else if (is_refused(status, text))
		refused++;
	else if (WEXITSTATUS(status) > 2)
		fault = "its exit status is neither 0, 1 nor 2";
	else if (WEXITSTATUS(status) == 1 && (!text || !one_line(text)))
		fault = "it did not tell the error in one line of its own";
	else if (WEXITSTATUS(status) != 1)
		good++;
	else if (strstr(text, "crashed libtracecmd") || strstr(text, "makes no progress"))
		caught++;
	else
		refused++;
	if (fault && text)
		printf("# %s\n", text);
	g_free(text);
	return fault;
}

static bool try_one(const struct file *file, uint64_t seed)
{
	char *path = path_of("mutated.dat"), *out = path_of("out"), *err = path_of("err");
	struct job job = { .path = path, .out = out, .err = err };
	struct rusage usage;
	const char *fault;
	int status;

	/* neighbouring seeds must not give neighbouring numbers */
	random_state = seed * 0x9e3779b97f4a7c15ULL + 1;
	next_random();
	write_copy(file, path);
	job.command = commands[below(G_N_ELEMENTS(commands))];
	status = run_as_needed(&job, &usage);
	fault = judge(status, &usage, err);
	if (fault)
		printf("# seed %" PRIu64 ", %s: %s; the file is %s\n", seed, job.command, fault, path);
	g_free(path);
	g_free(out);
	g_free(err);
	return !fault;
}

static struct file read_file(const char *path)
{
	struct file file;

	if (!g_file_get_contents(path, &file.data, &file.size, NULL)) {
		printf("Bail out! cannot read %s\n", path);
		exit(EXIT_FAILURE);
	}
	return file;
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

static unsigned int tried(void)
{
	return good + refused + caught;
}

static bool is_reached(const struct goal *goal)
{
	return goal->copies ? tried() >= goal->copies : time(NULL) >= goal->end;
}

/* A long run tells how far it is. */
static void show_progress(void)
{
	if (tried() && tried() % PROGRESS == 0)
		fprintf(stderr, "mutate: %u copies\n", tried());
}

int main(int argc, char **argv)
{
	struct file files[MAX_FILES];
	struct goal goal;
	uint64_t first, seed;
	int nr_files = 0;
	bool ok = true;

	if (argc < 5) {
		fprintf(stderr, "usage: mutate GOAL SEED DIRECTORY FILE...\n");
		return EXIT_FAILURE;
	}
	program = argv[0];
	goal = parse_goal(argv[1]);
	first = seed = strtoull(argv[2], NULL, 0);
	directory = argv[3];
	crash_fd = open(path_of("crash"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (crash_fd < 0) {
		printf("Bail out! cannot write in %s\n", directory);
		return EXIT_FAILURE;
	}
	for (int nr = 4; nr < argc && nr_files < (int)G_N_ELEMENTS(files); nr++)
		files[nr_files++] = read_file(argv[nr]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	do {
		ok = try_one(&files[seed % nr_files], seed);
		seed++;
		show_progress();
	} while (ok && !is_reached(&goal));
	printf("%sok 1 - %u mutated traces from seed %" PRIu64 " on: %u read, %u refused, %u crashes or hangs of libtracecmd caught; at most %ld MiB\n",
	       ok ? "" : "not ", tried(), first, good, refused, caught, peak_kib >> 10);
	printf("1..1\n");
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
