/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The width of the screen, and line wrapping.
 */
#ifndef GVT_STAT_SCREEN_H
#define GVT_STAT_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

/* for an unknown width: 80 columns, with a margin of two */
#define SCREEN_WIDTH	78

/**
 * screen_width - maximum number of columns of a line, 0 for no limit
 *
 * Uses COLUMNS from the environment, else the terminal's width if @out is a terminal.
 */
int screen_width(FILE *out);

/**
 * screen_draws - does @out reach a terminal that can draw, directly or through the pager?
 */
bool screen_draws(FILE *out);

/**
 * screen_paged - from now on, a pager of @width columns reads stdout
 */
void screen_paged(int width);

/**
 * screen_columns - display width of a text, which may be invalid UTF-8
 */
int screen_columns(const char *text);

/**
 * screen_fill - print a text with line wrapping, and end the last line
 * @text: single blanks between words; a word longer than a line gets its own line
 * @indent: of all lines but the first
 * @width: 0: do not wrap
 */
void screen_fill(const char *text, int indent, int width, FILE *out);

/**
 * screen_print - screen_fill() with the screen's width
 * @indent: of all lines but the first
 */
void screen_print(int indent, FILE *out, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
