// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "unfinished.h"

/* libtracecmd may crash on a damaged trace, and ends a program that runs out of memory */
static const int deadly[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU,
	SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP,
};

static void (*volatile remove_it)(void);

void unfinished_remove(void)
{
	void (*remove)(void) = remove_it;

	if (remove)
		remove();
	remove_it = NULL;
}

/* By now the signal does again what it does by default. */
static void end(int sig)
{
	unfinished_remove();
	raise(sig);
}

static void catch(int sig)
{
	struct sigaction old, action = { .sa_handler = end, .sa_flags = SA_RESETHAND };

	if (!sigaction(sig, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(sig, &action, NULL);
}

static void prepare(void)
{
	for (size_t nr = 0; nr < sizeof(deadly) / sizeof(*deadly); nr++)
		catch(deadly[nr]);
	signal(SIGXFSZ, SIG_IGN);
	atexit(unfinished_remove);
}

void unfinished_set(void (*remove)(void))
{
	static bool prepared;

	if (!prepared)
		prepare();
	prepared = true;
	remove_it = remove;
}
