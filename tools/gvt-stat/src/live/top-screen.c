// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <ncurses.h>

#include "trace/util.h"
#include "top-screen.h"

#define KEY_ESCAPE	27
#define KEY_ERASE	127
#define REDRAW_MS	50

/* without colours, or where they are not wanted, these pairs show nothing */
enum colour_pair {
	PAIR_ILL = 1,
	PAIR_WAITS,
};

/* what keys do, as 'h' shows it */
static const struct { const char *keys, *what; } key_texts[] = {
	{ "v  e  w  d", "sort by VGPU, UTIL%, WAIT-ms or DONE/s" },
	{ "u  l", "with --trace: sort by QUEUE or LATENCY-ms" },
	{ "<  >  s", "sort by the column before or after" },
	{ "t", "show or hide the engines of VMs" },
	{ "i", "show or hide what is idle" },
	{ "/", "only VMs whose name contains a text; Esc ends it" },
	{ "arrows  j  k", "scroll, as Page Up and Down, Home and End do" },
	{ "h  ?", "this help; any key ends it" },
	{ "q", "quit" },
};

static volatile sig_atomic_t stopped;
static bool is_open;

static void stop(int sig)
{
	(void)sig;
	stopped = 1;
}

/* no SA_RESTART: the signal must interrupt waiting for a key */
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

/* https://no-color.org */
static void open_colours(void)
{
	const char *no_color = getenv("NO_COLOR");

	if ((no_color && *no_color) || !has_colors())
		return;
	start_color();
	use_default_colors();
	init_pair(PAIR_ILL, COLOR_RED, -1);
	init_pair(PAIR_WAITS, COLOR_YELLOW, -1);
}

void top_screen_open(void)
{
	/* initscr() would end the program with its own message */
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
	open_colours();
}

int top_screen_width(void)
{
	return COLS;
}

static void show_status(const struct top_screen *screen)
{
	move(LINES - 1, 0);
	clrtoeol();
	attron(A_REVERSE);
	if (screen->helping)
		printw(" any key: back ");
	else if (screen->typing)
		printw(" VM name: %s_  (Enter: done, Esc: all VMs) ", screen->filter);
	else
		printw(" sorted by %s  < >: sort  t: engines  i: idle  /: VM  h: help  q: quit ",
		       top_sort_name(screen->view.sort));
	attroff(A_REVERSE);
}

static void show_help(void)
{
	int row = 0;

	mvprintw(row++, 0, "Keys of gvt-stat top");
	for (size_t nr = 0; nr < G_N_ELEMENTS(key_texts); nr++)
		mvprintw(++row, 0, "  %-14s %s", key_texts[nr].keys, key_texts[nr].what);
	row += 2;
	mvprintw(row++, 0, "Red: a VM in failsafe mode or with errors, which the lines above the table name.");
	mvprintw(row, 0, "Yellow: a VM whose work waits longer than it executes (WAIT%% of 50 and more).");
}

bool top_screen_holds(int lines)
{
	return lines < LINES;
}

static int count_lines(const char *text)
{
	int count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

/* With fewer rows or a larger screen, scrolls back so that the last row is at the bottom. */
static void limit_scrolling(struct top_screen *screen, int rows, int room)
{
	screen->first = MIN(screen->first, MAX(rows - room, 0));
	screen->first = MAX(screen->first, 0);
}

/* bytes of the first @columns characters */
static int clip(const char *text, int len, int columns)
{
	int bytes = 0;

	for (; bytes < len; bytes++)
		/* a byte that does not continue a character */
		if ((text[bytes] & 0xc0) != 0x80 && !columns--)
			break;
	return bytes;
}

/* the heading of the column by which rows are sorted */
static void mark_sorted(const struct top_screen *screen, int row, const char *text, int len)
{
	const char *name = top_sort_name(screen->view.sort);
	const char *at = g_strstr_len(text, len, name);

	if (at)
		mvchgat(row, at - text, strlen(name), A_REVERSE | A_BOLD, 0, NULL);
}

static void show_line(const struct top_screen *screen, int row, const char *text, int len, char mark)
{
	static const struct { char mark; chtype attributes; } looks[] = {
		{ TOP_MARK_NONE, A_NORMAL },
		{ TOP_MARK_TITLES, A_BOLD },
		{ TOP_MARK_ILL, COLOR_PAIR(PAIR_ILL) },
		{ TOP_MARK_WAITS, COLOR_PAIR(PAIR_WAITS) },
	};

	for (size_t nr = 0; nr < G_N_ELEMENTS(looks); nr++)
		if (looks[nr].mark == mark)
			attrset(looks[nr].attributes);
	mvaddnstr(row, 0, text, clip(text, len, COLS));
	attrset(A_NORMAL);
	if (mark == TOP_MARK_TITLES)
		mark_sorted(screen, row, text, len);
}

static void show_text(const struct top_screen *screen, const char *text, const char *marks, int fixed)
{
	int row = 0;

	for (int nr = 0; *text && row < LINES - 1; nr++) {
		size_t len = strcspn(text, "\n");

		if (nr < fixed || nr >= fixed + screen->first)
			show_line(screen, row++, text, len, marks[nr]);
		text += len + (text[len] == '\n');
	}
}

void top_screen_show(struct top_screen *screen, const char *text, const char *marks, int fixed)
{
	limit_scrolling(screen, count_lines(text) - fixed, LINES - 1 - fixed);
	erase();
	if (screen->helping)
		show_help();
	else
		show_text(screen, text, marks, fixed);
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

static bool scroll_rows(struct top_screen *screen, int key)
{
	const int page = MAX(LINES / 2, 1);
	const struct { int key, rows; } steps[] = {
		{ KEY_DOWN, 1 }, { KEY_UP, -1 }, { KEY_NPAGE, page }, { KEY_PPAGE, -page },
		{ 'j', 1 }, { 'k', -1 }, { KEY_HOME, -INT16_MAX }, { KEY_END, INT16_MAX },
	};

	for (size_t nr = 0; nr < sizeof(steps) / sizeof(steps[0]); nr++)
		if (key == steps[nr].key) {
			screen->first += steps[nr].rows;
			return true;
		}
	return false;
}

static bool sort_by_next(struct top_screen *screen, int key)
{
	int sorts = screen->view.live ? TOP_SORTS : TOP_BY_QUEUE;
	int step = key == '>' || key == 's' ? 1 : key == '<' ? -1 : 0;

	screen->view.sort = (screen->view.sort + sorts + step) % sorts;
	return step;
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
	if (scroll_rows(screen, key) || sort_by_next(screen, key))
		return;
	if (key == 't') {
		screen->view.no_engines = !screen->view.no_engines;
		screen->chosen = true;
	}
	if (key == 'i')
		screen->view.no_idle = !screen->view.no_idle;
	if (key == '/') {
		memset(screen->filter, 0, sizeof(screen->filter));
		screen->typing = true;
	}
	if (key == 'h' || key == '?')
		screen->helping = true;
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
		/* avoid a busy loop if the terminal is gone */
		g_usleep(1000 * MIN(left_ms, REDRAW_MS));
		return true;
	}
	if (key == ERR)
		return false;
	if (screen->helping)
		screen->helping = false;
	else if (screen->typing)
		type_filter(screen, key);
	else
		take_command(screen, key, quit);
	return true;
}
