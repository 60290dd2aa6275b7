// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <glib.h>

#include "batch.h"
#include "opened.h"
#include "trace/trace-private.h"
#include "trace/util.h"

/* of the CPU, for one copy; one that needs more gets a process of its own, and more */
#define COPY_SECONDS	5
/* runs end with exit(), and leave what they have: of more than this, with the process */
#ifdef __SANITIZE_ADDRESS__
#define ENOUGH_KIB	(400 << 10)
#else
#define ENOUGH_KIB	(80 << 10)
#endif
#define MAX_HANDLERS	16
/* of messages: one line */
#define MESSAGE_LEN	2048

/* while a run is going on in this process */
static pid_t runner;
static jmp_buf ended;
static int exit_status;
static void (*handlers[MAX_HANDLERS])(void);
static int nr_handlers;
/* the first that a run opens */
static int first_fd;
static int err_fd;

_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);
int __real_atexit(void (*handler)(void));
int __wrap_atexit(void (*handler)(void));

/* instead of exit(), by the linker: the process is for other runs, too */
void __wrap_exit(int status)
{
	if (!runner || runner != getpid())
		__real_exit(status);
	for (int nr = nr_handlers; nr-- > 0; )
		handlers[nr]();
	exit_status = status;
	longjmp(ended, 1);
}

/* They are registered once in a process. */
int __wrap_atexit(void (*handler)(void))
{
	if (!runner)
		return __real_atexit(handler);
	g_assert(nr_handlers < MAX_HANDLERS);
	handlers[nr_handlers++] = handler;
	return 0;
}

struct batch *batch_new(void)
{
	void *shared = mmap(NULL, sizeof(struct batch), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		fatal("no memory");
	return shared;
}

/* not by way of another name: nobody reads it meanwhile */
void batch_write(const GString *copy, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, copy->str, copy->len) != (ssize_t)copy->len ||
	    ftruncate(fd, copy->len) || close(fd))
		fatal("cannot write %s", path);
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static void limit_time(int seconds)
{
	const struct itimerval timer = { .it_value.tv_sec = seconds };

	setitimer(ITIMER_PROF, &timer, NULL);
}

/* what a run that ended by exit() left open, or running */
static void clean_up(void)
{
	quiet_end();
	fflush(stdout);
	clearerr(stdout);
	close_range(first_fd, ~0U, 0);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static enum verdict run(char **argv)
{
	char err[MESSAGE_LEN + 1];
	ssize_t len;

	if (ftruncate(err_fd, 0))
		fatal("cannot write messages");
	limit_time(COPY_SECONDS);
	runner = getpid();
	if (!setjmp(ended))
		exit_status = gvt_stat_main(g_strv_length(argv), argv);
	runner = 0;
	limit_time(0);
	clean_up();
	len = pread(err_fd, err, MESSAGE_LEN, 0);
	err[MAX(len, 0)] = '\0';
	return verdict_of(exit_status, err);
}

static void note_time(struct batch *batch, uint64_t ns)
{
	if (ns <= batch->slowest_ns)
		return;
	batch->slowest_ns = ns;
	batch->slowest_seed = batch->seed;
}

/* Is it not more than what earlier runs may have left? */
static bool note_memory(struct batch *batch)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	if (usage.ru_maxrss > ENOUGH_KIB)
		return false;
	batch->peak_kib = MAX(batch->peak_kib, (uint64_t)usage.ru_maxrss);
	return true;
}

static bool try_copy(struct batch *batch, const struct original *original, const char *path)
{
	char **argv = command_line(command_of(batch->seed), path, false);
	GString *copy = damage(original, batch->seed);
	uint64_t before_ns = cpu_ns();
	enum verdict verdict;

	batch_write(copy, path);
	opened_begin(original, copy);
	verdict = run(argv);
	opened_end();
	g_string_free(copy, TRUE);
	/* a run changes its words */
	g_free(argv);
	if (verdict == VERDICT_BAD_STATUS || verdict == VERDICT_BAD_MESSAGE || !note_memory(batch))
		return false;
	note_time(batch, cpu_ns() - before_ns);
	batch->verdicts[verdict]++;
	return true;
}

static void redirect(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	err_fd = memfd_create("messages", MFD_CLOEXEC);
	fcntl(err_fd, F_SETFL, O_APPEND);
	dup2(null, STDOUT_FILENO);
	dup2(err_fd, STDERR_FILENO);
	first_fd = MAX(null, err_fd) + 1;
}

_Noreturn static void run_batch(struct batch *batch, uint64_t end, const struct original *originals,
				int nr_originals, const char *path)
{
	redirect();
	for (; batch->seed < end; batch->seed++)
		if (!try_copy(batch, &originals[batch->seed % nr_originals], path))
			_exit(EXIT_FAILURE);
	_exit(EXIT_SUCCESS);
}

bool batch_run(struct batch *batch, uint64_t end, const struct original *originals,
	       int nr_originals, const char *directory, void (*prepare)(void))
{
	uint64_t block_end = batch->seed - batch->seed % COMMAND_BLOCK + COMMAND_BLOCK;
	char *path = g_build_filename(directory, "batch.dat", NULL);
	pid_t pid = fork();
	int status;

	if (!pid) {
		prepare();
		run_batch(batch, MIN(end, block_end), originals, nr_originals, path);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	g_free(path);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}
