// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "form.h"

/* any form but the default one */
static bool are_lines(const struct form *form)
{
	return form->format == FORMAT_CSV ||
	       (form->format == FORMAT_TABLE && form->columns);
}

bool form_is_tables(const struct form *form)
{
	return form->format == FORMAT_TABLE && !form->columns;
}

void form_print(const struct form *form, const struct printers *printers, const void *result)
{
	if (are_lines(form))
		printers->lines(result);
	else if (form->format == FORMAT_JSON)
		printers->json(result);
	else
		printers->tables(result);
}

/* A linear search is fast enough: a command has few tables, and looks up columns once per line. */
const struct column *form_columns(const struct form *form, const struct column *columns)
{
	static GHashTable *chosen;
	const struct column *found;

	if (!form->columns)
		return columns;
	if (!chosen)
		chosen = g_hash_table_new(NULL, NULL);
	found = g_hash_table_lookup(chosen, columns);
	if (!found) {
		found = columns_choose(columns, form->columns);
		g_hash_table_insert(chosen, (void *)columns, (void *)found);
	}
	return found;
}

static bool has_column(const struct column *const *tables, const char *key)
{
	for (; *tables; tables++)
		if (columns_find(*tables, key))
			return true;
	return false;
}

void form_check_columns(char *const *wanted, const struct column *const *tables)
{
	for (; wanted && *wanted; wanted++)
		if (!has_column(tables, *wanted))
			usage_error("--columns %s: no such column; --list names those that there are",
				    *wanted);
}
