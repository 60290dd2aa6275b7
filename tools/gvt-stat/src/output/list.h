/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long lists, printed line by line while the trace is read: a long trace has
 * more lines than fit into memory.
 */
#ifndef GVT_STAT_LIST_H
#define GVT_STAT_LIST_H

#include "follow/follow.h"
#include "form.h"

struct list;

/**
 * list_begin - print what comes before the first line
 * @form: must outlive the list
 * @name: of the array in the JSON document
 * @columns: of the records that will come
 *
 * list_end() frees.
 */
struct list *list_begin(const struct form *form, const char *name,
			const struct column *columns);

/**
 * list_line - print a line
 */
void list_line(struct list *list, const void *record);

/**
 * list_end - print what comes after the last line, and free
 * @follow: run to its end
 *
 * What was lost or is missing must not be silent, and has no place in a list:
 * it is told on stderr.
 */
void list_end(struct list *list, const struct follow *follow);

#endif
