/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws numbers as bars and sparklines.
 */
#ifndef GVT_STAT_BAR_H
#define GVT_STAT_BAR_H

#include <stddef.h>

/* maximum width in characters, and the size of a buffer for it in UTF-8 */
#define BAR_WIDTH	50
#define BAR_LEN		(3 * BAR_WIDTH + 1)

/**
 * bar - draw a horizontal bar: "####    "
 * @text: filled; BAR_LEN bytes
 * @fraction: of @width, from 0 to 1; larger values are cut, NAN gives an empty bar
 * @width: up to BAR_WIDTH characters
 *
 * Returns @text.
 */
char *bar(char *text, double fraction, int width);

/**
 * sparkline - draw values over time, from 0 to @top
 * @text: filled; BAR_LEN bytes
 * @values: NAN is a blank; more than BAR_WIDTH are merged, keeping the largest of each group
 * @count: of @values
 *
 * Uses block characters if the locale has them, else ASCII. Returns @text.
 */
char *sparkline(char *text, const double *values, size_t count, double top);

#endif
