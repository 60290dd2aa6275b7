// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include <glib.h>

#include "list.h"
#include "sheet.h"

struct sheet {
	struct table *table;		/* NULL: comma-separated values */
	struct list *list;		/* of those */
};

struct sheet *sheet_begin(const struct form *form, const struct column *columns)
{
	struct sheet *sheet = g_new0(struct sheet, 1);

	if (form->format == FORMAT_TABLE)
		sheet->table = table_new_keys(form_columns(form, columns));
	else
		sheet->list = list_begin(form, NULL, columns);
	return sheet;
}

void sheet_line(void *to, const void *record)
{
	const struct sheet *sheet = to;

	if (sheet->table)
		table_line(sheet->table, record);
	else
		list_line(sheet->list, record);
}

void sheet_end(struct sheet *sheet)
{
	if (sheet->table)
		table_print(sheet->table, NULL, stdout);
	else
		list_end(sheet->list, NULL);
	g_free(sheet);
}
