// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include <glib.h>

#include "order.h"
#include "sheet.h"

struct sheet {
	const struct column *columns;
	struct table *table;		/* NULL: comma-separated values */
	struct ordered *ordered;	/* lines of CSV; NULL: printed immediately */
};

static void print_header(const struct sheet *sheet)
{
	bool first = true;

	csv_header(stdout, sheet->columns, &first);
	csv_end_line(stdout);
}

struct sheet *sheet_begin(const struct form *form, const struct column *columns)
{
	struct sheet *sheet = g_new0(struct sheet, 1);

	sheet->columns = form_columns(form, columns);
	if (form->format == FORMAT_TABLE)
		sheet->table = table_new_keys(sheet->columns);
	else
		print_header(sheet);
	if (!sheet->table)
		sheet->ordered = ordered_new(columns);
	return sheet;
}

void sheet_line(struct sheet *sheet, const void *record)
{
	if (sheet->table)
		table_line(sheet->table, record);
	else if (sheet->ordered)
		ordered_add(sheet->ordered, record, csv_text_line(sheet->columns, record));
	else
		csv_line(stdout, sheet->columns, record);
}

void sheet_end(struct sheet *sheet)
{
	if (sheet->table)
		table_print(sheet->table, NULL, stdout);
	if (sheet->ordered)
		ordered_print(sheet->ordered, "", stdout);
	g_free(sheet);
}
