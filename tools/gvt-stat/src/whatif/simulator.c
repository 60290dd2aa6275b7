// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>

#include "trace/util.h"
#include "simulator.h"

/* relative to this program's directory: as installed, and as built */
static const char *const places[] = {
	"../libexec/gvt-stat/gvt-sim",
	"../gvt-sim/gvt-sim",
	"../../gvt-sim/gvt-sim",
};

/* the capacity of a pipe */
#define PIPE_BYTES	(1 << 16)

/* bytes of gvt-sim's error message to show */
#define COMPLAINT	1024

/* gvt-sim's exit status if a valid model asks for too much */
#define GAVE_UP		3

static char *beside_program(const char *place)
{
	char *program = g_file_read_link("/proc/self/exe", NULL), *directory, *path;

	if (!program)
		return NULL;
	directory = g_path_get_dirname(program);
	path = g_build_filename(directory, place, NULL);
	g_free(directory);
	g_free(program);
	return path;
}

char *simulator_path(void)
{
	const char *told = g_getenv("GVT_SIM");

	if (told && *told)
		return g_strdup(told);
	for (size_t nr = 0; nr < G_N_ELEMENTS(places); nr++) {
		char *path = beside_program(places[nr]);

		if (path && g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
			return path;
		g_free(path);
	}
	return NULL;
}

/* a memory file with this text, rewound */
static int file_of(const char *name, const char *text, size_t len)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	while (fd >= 0 && len) {
		ssize_t written = write(fd, text, len);

		if (written < 0 && errno != EINTR)
			fatal("cannot keep a model for gvt-sim: %s", strerror(errno));
		text += MAX(written, 0);
		len -= MAX(written, 0);
	}
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
		fatal("cannot keep a model for gvt-sim: %s", strerror(errno));
	return fd;
}

static GPid start(const char *path, int in, int *out, int err)
{
	char *argv[] = { (char *)path, NULL };
	GError *error = NULL;
	int fds[2];
	GPid pid;

	if (pipe2(fds, O_CLOEXEC))
		fatal("cannot create a pipe: %s", strerror(errno));
	if (!g_spawn_async_with_fds(NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
				    in, fds[1], err, &error))
		fatal("cannot run gvt-sim: %s", error->message);
	close(fds[1]);
	*out = fds[0];
	return pid;
}

static void read_lines(int fd, void (*line)(void *ctx, char *line), void *ctx)
{
	FILE *stream = fdopen(fd, "r");
	char *text = NULL;
	size_t size = 0;

	if (!stream)
		fatal("cannot read from gvt-sim: %s", strerror(errno));
	setvbuf(stream, NULL, _IOFBF, PIPE_BYTES);
	while (getline(&text, &size, stream) >= 0)
		line(ctx, text);
	free(text);
	fclose(stream);
}

/* the first line of stderr */
static const char *complaint_of(int fd, char text[COMPLAINT])
{
	ssize_t len = pread(fd, text, COMPLAINT - 1, 0);

	text[MAX(len, 0)] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return make_printable(text);
}

static void check_end(GPid pid, int err)
{
	char text[COMPLAINT];
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			fatal("cannot wait for gvt-sim: %s", strerror(errno));
	if (WIFSIGNALED(status))
		fatal("gvt-sim crashed (%s): this should not be; please report it with the trace",
		      strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == GAVE_UP)
		fatal("this is too much to simulate: 'gvt-stat simulate' leaves a vGPU out by --without=N, and takes a part of a trace by --time");
	if (WEXITSTATUS(status))
		fatal("%s", *complaint_of(err, text) ? text : "gvt-sim failed and does not say why");
}

void simulator_run(const char *path, const char *model, size_t len,
		   void (*line)(void *ctx, char *line), void *ctx)
{
	int in = file_of("model", model, len), err = file_of("messages", "", 0), out;
	GPid pid = start(path, in, &out, err);

	close(in);
	read_lines(out, line, ctx);
	check_end(pid, err);
	close(err);
}
