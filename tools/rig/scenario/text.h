/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a scenario file, prepared for libconfuse. */
#ifndef RIG_SCENARIO_TEXT_H
#define RIG_SCENARIO_TEXT_H

#include <stddef.h>
#include <stdio.h>

/**
 * text_read - read a file, without its comments and with a line appended
 * @file: path of the file, at most 1 MB
 * @end: the line to append
 * @size: receives the length of the text
 * @errors: receives one line if the file cannot be read
 *
 * Comments are removed because libconfuse counts their lines more than once, so
 * that its messages would name the wrong lines.
 *
 * Returns: the text, for the caller to free, or NULL on error.
 */
char *text_read(const char *file, const char *end, size_t *size, FILE *errors);

#endif
