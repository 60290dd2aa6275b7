/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TRUTH_TRUTHLOG_H
#define RIG_TRUTH_TRUTHLOG_H

#include "piece.h"

/**
 * truthlog_read - read the log that the emulated GPU wrote
 * @path: the file ("# gen9-truth 1")
 * @error: receives a message with file and line
 *
 * Return: an array of struct truth_piece in the order of the file, which the
 * caller frees, or NULL.
 */
GArray *truthlog_read(const char *path, GError **error);

#endif
