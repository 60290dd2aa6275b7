/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How wide the screen is, and texts in lines of that.
 */
#ifndef GVT_STAT_SCREEN_H
#define GVT_STAT_SCREEN_H

#include <stdio.h>

/* of a screen whose width nobody tells: as good as all have two more */
#define SCREEN_WIDTH	78

/**
 * screen_width - how many columns a line may have, 0 for any number
 *
 * What the environment's COLUMNS says, else the terminal, if it is one.
 */
int screen_width(FILE *out);

/**
 * screen_columns - how many columns a text takes, which may be anything, also no UTF-8
 */
int screen_columns(const char *text);

/**
 * screen_fill - print words in lines, and end the last one
 * @text: with one blank between words; a word that is too long has a line of its own
 * @indent: of all lines but the first
 * @width: 0: one line
 */
void screen_fill(const char *text, int indent, int width, FILE *out);

/**
 * screen_print - print a text as screen_fill() does, as wide as the screen is
 * @indent: of all lines but the first
 */
void screen_print(int indent, FILE *out, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
