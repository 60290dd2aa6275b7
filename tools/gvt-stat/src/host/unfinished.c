// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include <glib.h>

#include "unfinished.h"

/* includes crashes: libtracecmd may crash on a damaged trace, and aborts when out of memory */
static const int deadly[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU,
	SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP,
};

static void (*volatile remove_it)(void);

/* the mask before unfinished_begin() */
static sigset_t mask;

void unfinished_remove(void)
{
	void (*remove)(void) = remove_it;

	if (remove)
		remove();
	remove_it = NULL;
}

/* re-raises the signal, now with its default action */
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
	for (size_t nr = 0; nr < G_N_ELEMENTS(deadly); nr++)
		catch(deadly[nr]);
	signal(SIGXFSZ, SIG_IGN);
	atexit(unfinished_remove);
}

void unfinished_begin(void)
{
	static bool prepared;
	sigset_t all;

	if (!prepared)
		prepare();
	prepared = true;
	sigemptyset(&all);
	for (size_t nr = 0; nr < G_N_ELEMENTS(deadly); nr++)
		sigaddset(&all, deadly[nr]);
	sigprocmask(SIG_BLOCK, &all, &mask);
}

void unfinished_begun(void (*remove)(void))
{
	remove_it = remove;
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

void unfinished_end(void)
{
	remove_it = NULL;
}
