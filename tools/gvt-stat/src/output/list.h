/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long lists, printed line by line while reading the trace, as they may exceed memory.
 */
#ifndef GVT_STAT_LIST_H
#define GVT_STAT_LIST_H

#include "follow/follow.h"
#include "form.h"

struct list;

/**
 * list_begin - print the text before the first line
 * @form: must outlive the list
 * @name: of the array in the JSON document
 * @columns: of the records
 *
 * list_end() frees.
 */
struct list *list_begin(const struct form *form, const char *name,
			const struct column *columns);

/**
 * list_line - print a line; a record_fn
 * @list: struct list
 */
void list_line(void *list, const void *record);

/**
 * list_end - print the text after the last line, and free the list
 * @follow: run to its end; NULL, unless JSON: no warnings
 *
 * Reports lost and missing events on stderr, as a list has no place for them.
 */
void list_end(struct list *list, const struct follow *follow);

#endif
