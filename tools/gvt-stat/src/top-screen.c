// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <ncurses.h>

#include "top-screen.h"
#include "util.h"

#define KEY_ESCAPE	27
#define KEY_ERASE	127
#define REDRAW_MS	50

static volatile sig_atomic_t stopped;
static bool is_open;

static void stop(int sig)
{
	(void)sig;
	stopped = 1;
}

/* without SA_RESTART: waiting for a key shall end */
static void catch(int sig)
{
	const struct sigaction action = { .sa_handler = stop };

	sigaction(sig, &action, NULL);
}

void top_screen_close(void)
{
	if (is_open)
		endwin();
	is_open = false;
}

void top_screen_open(void)
{
	/* not initscr(), which ends the program with its own words */
	if (!newterm(NULL, stdout, stdin))
		fatal("the terminal '%s' is not known: use --plain",
		      getenv("TERM") ? getenv("TERM") : "");
	is_open = true;
	atexit(top_screen_close);
	catch(SIGINT);
	catch(SIGTERM);
	catch(SIGHUP);
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
}

static void show_status(const struct top_screen *screen)
{
	move(LINES - 1, 0);
	clrtoeol();
	attron(A_REVERSE);
	if (screen->typing)
		printw(" VM name: %s_  (Enter: done, Esc: all VMs) ", screen->filter);
	else
		printw(" sorted by %s; v e w d%s: sort by vGPU, execution, wait, done%s  t: engines  i: idle  /: VM  q: quit ",
		       top_sort_name(screen->view.sort), screen->view.live ? " u l" : "",
		       screen->view.live ? ", queue, latency" : "");
	attroff(A_REVERSE);
}

void top_screen_show(const struct top_screen *screen, const char *text)
{
	int row = 0;

	erase();
	while (*text && row < LINES - 1) {
		size_t len = strcspn(text, "\n");

		/* the headings of tables are the second line */
		if (row == 1)
			attron(A_BOLD);
		mvaddnstr(row, 0, text, (int)len < COLS ? (int)len : COLS);
		attroff(A_BOLD);
		text += len + (text[len] == '\n');
		row++;
	}
	show_status(screen);
	refresh();
}

static void set_filter(struct top_screen *screen)
{
	screen->view.vm = *screen->filter ? screen->filter : NULL;
}

static void type_filter(struct top_screen *screen, int key)
{
	size_t len = strlen(screen->filter);

	if (key == KEY_ESCAPE)
		*screen->filter = '\0';
	if (key == KEY_ESCAPE || key == '\n' || key == KEY_ENTER)
		screen->typing = false;
	else if ((key == KEY_BACKSPACE || key == KEY_ERASE) && len)
		screen->filter[len - 1] = '\0';
	else if (key < 128 && isprint(key) && len < TOP_FILTER_LEN - 1)
		screen->filter[len] = key;
	set_filter(screen);
}

static void take_command(struct top_screen *screen, int key, bool *quit)
{
	static const struct { int key; enum top_sort sort; } sorts[] = {
		{ 'v', TOP_BY_VGPU }, { 'e', TOP_BY_EXEC }, { 'w', TOP_BY_WAIT },
		{ 'd', TOP_BY_DONE }, { 'u', TOP_BY_QUEUE }, { 'l', TOP_BY_LATENCY },
	};

	for (size_t nr = 0; nr < sizeof(sorts) / sizeof(sorts[0]); nr++)
		if (key == sorts[nr].key)
			screen->view.sort = sorts[nr].sort;
	if (key == 't')
		screen->view.no_engines = !screen->view.no_engines;
	if (key == 'i')
		screen->view.no_idle = !screen->view.no_idle;
	if (key == '/') {
		memset(screen->filter, 0, sizeof(screen->filter));
		screen->typing = true;
	}
	if (key == 'q')
		*quit = true;
}

bool top_screen_wait(struct top_screen *screen, int64_t until_us, bool *quit)
{
	int64_t left_ms = (until_us - g_get_monotonic_time()) / 1000;
	int key;

	timeout(left_ms > 0 ? left_ms : 0);
	key = getch();
	if (stopped) {
		*quit = true;
		return false;
	}
	left_ms = (until_us - g_get_monotonic_time()) / 1000;
	if (key == ERR && left_ms > 0) {
		/* the terminal may be gone: do not ask it in a tight loop */
		g_usleep(1000 * MIN(left_ms, REDRAW_MS));
		return true;
	}
	if (key == ERR)
		return false;
	if (screen->typing)
		type_filter(screen, key);
	else
		take_command(screen, key, quit);
	return true;
}
