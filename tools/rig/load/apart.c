// SPDX-License-Identifier: GPL-2.0-or-later
/* vGPUs that are played in separate processes. */
#include "apart.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

static int fail(const struct apart *a, const char *what)
{
	int err = -errno;

	fprintf(stderr, "rig-load: vgpu '%s': %s: %s\n", a->params->name, what, strerror(-err));
	return err;
}

static void close_pair(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

static int make_pipes(const struct apart *a, int ready[2], int go[2])
{
	if (pipe(ready))
		return fail(a, "pipe");
	if (!pipe(go))
		return 0;
	close_pair(ready);
	return fail(a, "pipe");
}

static struct player_acts *share_acts(void)
{
	void *acts = mmap(NULL, sizeof(struct player_acts), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return acts == MAP_FAILED ? NULL : acts;
}

int apart_start(struct apart *a, const struct scenario_vgpu *params, apart_fn play, void *data)
{
	int ready[2], go[2];

	*a = (struct apart) { .params = params, .acts = share_acts() };
	if (!a->acts)
		return fail(a, "mmap");
	if (make_pipes(a, ready, go))
		return -EMFILE;
	fflush(stdout);
	a->pid = fork();
	if (!a->pid) {
		close(ready[0]);
		close(go[1]);
		exit(play(data, params, a->acts, ready[1], go[0]));
	}
	close(ready[1]);
	close(go[0]);
	a->ready = ready[0];
	a->go = go[1];
	return a->pid < 0 ? fail(a, "fork") : 0;
}

int apart_wait_ready(const struct apart *a)
{
	char byte;

	return read(a->ready, &byte, 1) == 1 ? 0 : -EIO;
}

int apart_go(const struct apart *a, uint64_t start_ns)
{
	return write(a->go, &start_ns, sizeof(start_ns)) == sizeof(start_ns) ? 0 :
	       fail(a, "start");
}

int apart_ready(int ready, int go, uint64_t *start_ns)
{
	return write(ready, "r", 1) == 1 && read(go, start_ns, sizeof(*start_ns)) == sizeof(*start_ns) ?
	       0 : -EIO;
}

static void say_stuck(const struct apart *a)
{
	uint64_t since_ns = __atomic_load_n(&a->acts->since_ns, __ATOMIC_ACQUIRE);

	if (since_ns)
		fprintf(stderr, "rig-load: vgpu '%s': %s has not ended for %.1f s\n",
			a->params->name, scenario_act_name(a->params->act),
			(double)(clock_ns() - since_ns) / CLOCK_SECOND);
	else
		fprintf(stderr, "rig-load: vgpu '%s': has not ended\n", a->params->name);
}

/* The pipe closes when the process ends, even if the kernel still holds its other resources. */
static bool ends_until(const struct apart *a, uint64_t until_ns)
{
	struct pollfd fd = { .fd = a->ready, .events = POLLIN };
	uint64_t now_ns = clock_ns();
	int ms = now_ns < until_ns ? (int)((until_ns - now_ns) / 1000000) : 0;

	return poll(&fd, 1, ms) > 0;
}

int apart_wait_end(struct apart *a, uint64_t until_ns)
{
	int status;

	if (!ends_until(a, until_ns)) {
		say_stuck(a);
		kill(a->pid, SIGKILL);
		return -EIO;
	}
	if (waitpid(a->pid, &status, 0) < 0)
		return fail(a, "waitpid");
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EIO;
}
