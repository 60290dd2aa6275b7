// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <glib.h>

#include "trace/util.h"
#include "screen.h"

/* widths outside of this range are not plausible */
#define LEAST_WIDTH	20
#define MOST_WIDTH	10000

static int paged_width;			/* 0: there is no pager */

/* COLUMNS from the environment; 0: missing or implausible */
static int told_width(void)
{
	const char *text = g_getenv("COLUMNS");
	guint64 width;

	if (!text || !g_ascii_string_to_unsigned(text, 10, LEAST_WIDTH, MOST_WIDTH, &width, NULL))
		return 0;
	return width;
}

int screen_width(FILE *out)
{
	struct winsize size;
	int told = told_width();

	if (told)
		return told;
	if (out == stdout && paged_width)
		return paged_width;
	if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}

bool screen_draws(FILE *out)
{
	return can_draw(fileno(out)) || (out == stdout && paged_width);
}

void screen_paged(int width)
{
	paged_width = width;
}

/* with -1, GLib would read past a character that is cut at the end */
int screen_columns(const char *text)
{
	return g_utf8_strlen(text, strlen(text));
}

void screen_fill(const char *text, int indent, int width, FILE *out)
{
	char **words = g_strsplit(text, " ", -1);
	int column = 0;

	for (char **word = words; *word; word++) {
		int len = screen_columns(*word);

		if (word != words && width && column + 1 + len > width) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (word != words) {
			fputc(' ', out);
			column++;
		}
		fputs(*word, out);
		column += len;
	}
	fputc('\n', out);
	g_strfreev(words);
}

void screen_print(int indent, FILE *out, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = g_strdup_vprintf(fmt, args);
	va_end(args);
	screen_fill(text, indent, screen_width(out), out);
	g_free(text);
}
