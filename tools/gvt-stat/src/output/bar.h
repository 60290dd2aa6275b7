/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as lengths and heights, for people.
 */
#ifndef GVT_STAT_BAR_H
#define GVT_STAT_BAR_H

#include <stddef.h>

/* the most characters that a bar or a line may have, and room for it in UTF-8 */
#define BAR_WIDTH	50
#define BAR_LEN		(3 * BAR_WIDTH + 1)

/**
 * bar - a length: "####    "
 * @text: filled; BAR_LEN bytes
 * @fraction: of @width, from 0 to 1; what is beyond is cut, NAN is empty
 * @width: up to BAR_WIDTH characters
 *
 * Returns @text.
 */
char *bar(char *text, double fraction, int width);

/**
 * sparkline - heights over time, from 0 to @top
 * @text: filled; BAR_LEN bytes
 * @values: NAN is a blank; of more than BAR_WIDTH, the largest of several is shown
 * @count: of them
 *
 * Blocks where the locale has them, else ASCII. Returns @text.
 */
char *sparkline(char *text, const double *values, size_t count, double top);

#endif
