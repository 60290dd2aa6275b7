// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include <glib.h>

#include "sheet.h"

struct sheet {
	const struct column *columns;
	struct table *table;		/* NULL: comma-separated values */
	struct table_column *cells;
};

static struct table_column cell(const struct column *column)
{
	static const enum table_format formats[] = {
		[COLUMN_INTEGER] = TABLE_INTEGER, [COLUMN_TIME] = TABLE_INTEGER,
		[COLUMN_DURATION] = TABLE_INTEGER, [COLUMN_REAL] = TABLE_REAL,
		[COLUMN_TEXT] = TABLE_TEXT, [COLUMN_FLAG] = TABLE_FLAG,
	};

	return (struct table_column) { column->key, formats[column->type], column->offset };
}

struct table_column *sheet_cells(const struct column *columns)
{
	GArray *cells = g_array_new(TRUE, FALSE, sizeof(struct table_column));

	for (; columns->key; columns++) {
		struct table_column one = cell(columns);

		g_array_append_val(cells, one);
	}
	return (struct table_column *)g_array_free(cells, FALSE);
}

static void begin_table(struct sheet *sheet)
{
	sheet->cells = sheet_cells(sheet->columns);
	sheet->table = table_new(sheet->cells);
}

static void print_header(const struct sheet *sheet)
{
	bool first = true;

	csv_header(stdout, sheet->columns, &first);
	csv_end_line(stdout);
}

struct sheet *sheet_begin(const struct options *options, const struct column *columns)
{
	struct sheet *sheet = g_new0(struct sheet, 1);

	sheet->columns = options_columns(options, columns);
	if (options->format == FORMAT_TABLE)
		begin_table(sheet);
	else
		print_header(sheet);
	return sheet;
}

void sheet_line(struct sheet *sheet, const void *record)
{
	bool first = true;

	if (sheet->table) {
		table_line(sheet->table, record);
		return;
	}
	csv_record(stdout, sheet->columns, record, &first);
	csv_end_line(stdout);
}

void sheet_end(struct sheet *sheet)
{
	if (sheet->table)
		table_print(sheet->table, NULL, stdout);
	g_free(sheet->cells);
	g_free(sheet);
}
