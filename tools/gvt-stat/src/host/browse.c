// SPDX-License-Identifier: GPL-2.0-or-later
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>

#include "trace/util.h"
#include "browse.h"

/* unblocks the signals that the recorder blocked */
static void reset_signals(void *unused)
{
	sigset_t none;

	(void)unused;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* returns false if the variable is missing or no number */
static bool number_of(const char *name, guint64 *number)
{
	const char *text = g_getenv(name);

	return text && g_ascii_string_to_unsigned(text, 10, 1, UINT32_MAX - 1, number, NULL);
}

/* Browsers should not run as root: most refuse to, and their files would belong to root. */
static void become_user(void *unused)
{
	guint64 uid, gid;

	reset_signals(unused);
	if (geteuid() || !number_of("SUDO_UID", &uid) || !number_of("SUDO_GID", &gid))
		return;
	if (setgroups(0, NULL) || setgid(gid) || setuid(uid))
		_exit(EXIT_FAILURE);
}

/* the environment of the user, including HOME */
static char **environment(void)
{
	char **all = g_get_environ();
	const struct passwd *user;
	guint64 uid;

	if (geteuid() || !number_of("SUDO_UID", &uid))
		return all;
	user = getpwuid(uid);
	return user ? g_environ_setenv(all, "HOME", user->pw_dir, TRUE) : all;
}

static char *page_of(const char *path)
{
	int len = strlen(path);

	return g_strdup_printf("%.*s.html", g_str_has_suffix(path, ".dat") ? len - 4 : len, path);
}

static bool make_page(const char *path, const char *page)
{
	const char *const argv[] = {
		"/proc/self/exe", "export", "--format", "html", "-i", path, "-o", page, NULL
	};
	GError *error = NULL;
	int status;

	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_CHILD_INHERITS_STDIN, reset_signals, NULL,
			  NULL, NULL, &status, &error)) {
		warn("%s: %s", page, error->message);
		g_error_free(error);
		return false;
	}
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

void browse_page(const char *page)
{
	const char *const argv[] = { "xdg-open", page, NULL };
	char **env = environment();
	bool display = g_getenv("DISPLAY") || g_getenv("WAYLAND_DISPLAY");
	GError *error = NULL;

	if (display && g_spawn_async(NULL, (char **)argv, env, G_SPAWN_SEARCH_PATH, become_user, NULL,
				     NULL, &error))
		fprintf(stderr, "gvt-stat: %s: opened in the browser\n", page);
	else
		fprintf(stderr, "gvt-stat: %s: look at it in a browser (%s)\n", page,
			error ? error->message : "there is no display here");
	g_clear_error(&error);
	g_strfreev(env);
}

bool browse_trace(const char *path)
{
	char *page = page_of(path);
	bool made = make_page(path, page);

	if (made)
		browse_page(page);
	g_free(page);
	return made;
}
