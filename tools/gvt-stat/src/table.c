// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <unistd.h>

#include <glib.h>
#include <libsmartcols.h>

#include "table.h"
#include "util.h"

#define CELL_LEN	64

struct table {
	struct libscols_table *scols;
	const struct table_column *columns;
};

struct table *table_new(const struct table_column *columns)
{
	struct table *table = g_new0(struct table, 1);

	table->columns = columns;
	table->scols = scols_new_table();
	for (; columns->title; columns++) {
		int flags = columns->format == TABLE_TEXT ? 0 : SCOLS_FL_RIGHT;
		struct libscols_column *column =
			scols_table_new_column(table->scols, columns->title, 0, flags);

		scols_cell_set_color(scols_column_get_header(column), "bold");
	}
	return table;
}

static void print_integer(char *cell, enum table_format format, int64_t value)
{
	if (format == TABLE_INTEGER)
		snprintf(cell, CELL_LEN, "%" PRId64, value);
	else if (format == TABLE_MS)
		snprintf(cell, CELL_LEN, "%.3f", (double)value / NSEC_PER_MSEC);
	else if (format == TABLE_SECONDS)
		snprintf(cell, CELL_LEN, "%" PRId64 ".%06" PRId64, value / NSEC_PER_SEC,
			 value % NSEC_PER_SEC / 1000);
	else if (format == TABLE_KIB)
		snprintf(cell, CELL_LEN, "%.0f", value / 1024.0);
	else
		snprintf(cell, CELL_LEN, "%.1f", value / 1048576.0);
}

static void print_cell(char *cell, enum table_format format, const void *member)
{
	g_strlcpy(cell, "-", CELL_LEN);
	if (format == TABLE_TEXT) {
		const char *text = *(const char *const *)member;

		if (text)
			g_strlcpy(cell, text, CELL_LEN);
	} else if (format == TABLE_REAL || format == TABLE_REAL_MS) {
		double value = *(const double *)member;

		if (isfinite(value))
			snprintf(cell, CELL_LEN, format == TABLE_REAL ? "%.2f" : "%.3f",
				 format == TABLE_REAL ? value : value / NSEC_PER_MSEC);
	} else if (format == TABLE_FLAG) {
		g_strlcpy(cell, *(const bool *)member ? "1" : "0", CELL_LEN);
	} else if (known(*(const int64_t *)member)) {
		print_integer(cell, format, *(const int64_t *)member);
	}
}

void table_line(struct table *table, const void *record)
{
	struct libscols_line *line = scols_table_new_line(table->scols, NULL);
	char cell[CELL_LEN];

	for (int nr = 0; table->columns[nr].title; nr++) {
		const struct table_column *column = &table->columns[nr];

		print_cell(cell, column->format, (const char *)record + column->offset);
		scols_line_set_data(line, nr, cell);
	}
}

void table_print(struct table *table, const char *heading, FILE *out)
{
	bool terminal = isatty(fileno(out));

	if (heading)
		fprintf(out, "\n%s%s%s\n", terminal ? "\033[1m" : "", heading,
			terminal ? "\033[0m" : "");
	scols_table_set_stream(table->scols, out);
	scols_table_enable_colors(table->scols, terminal);
	scols_print_table(table->scols);
	scols_unref_table(table->scols);
	g_free(table);
}
