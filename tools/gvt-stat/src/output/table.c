// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include <glib.h>
#include <libsmartcols.h>

#include "trace/util.h"
#include "order.h"
#include "screen.h"
#include "table.h"

/* width of a table without a screen */
#define PLAIN_WIDTH	120
/* of a text on a live screen: so much stays beside spare columns, and the rest in any case */
#define TEXT_SHORT	32
#define TEXT_SHORTEST	8
/* longer tables suggest ways to shorten them */
#define MANY_LINES	100

struct row {
	struct order_key key;
	guint nr;			/* order of arrival */
	char **cells;
};

struct table {
	const struct column *columns;
	bool keys;
	const struct column *sorted_by;	/* NULL: unsorted */
	GPtrArray *shown;		/* const struct column, with a heading */
	GPtrArray *rows;		/* struct row */
	int live_width;			/* of a live screen; 0: none */
	int text_limit;			/* of a cell with a text */
};

/* the heading of a column; NULL: not shown */
static const char *heading_of(const struct table *table, const struct column *column)
{
	return table->keys ? column->key : column->title;
}

static void free_row(void *data)
{
	struct row *row = data;

	order_key_clear(&row->key);
	g_strfreev(row->cells);
	g_free(row);
}

static struct table *new_table(const struct column *columns, bool keys)
{
	struct table *table = g_new0(struct table, 1);

	table->columns = columns;
	table->keys = keys;
	table->sorted_by = order_column(columns);
	table->text_limit = INT_MAX;
	table->shown = g_ptr_array_new();
	table->rows = g_ptr_array_new_with_free_func(free_row);
	for (; !column_is_last(columns); columns++)
		if (heading_of(table, columns))
			g_ptr_array_add(table->shown, (void *)columns);
	return table;
}

struct table *table_new(const struct column *columns)
{
	return new_table(columns, false);
}

struct table *table_new_keys(const struct column *columns)
{
	return new_table(columns, true);
}

void table_line(void *to, const void *record)
{
	struct row *row = g_new0(struct row, 1);
	struct table *table = to;
	char cell[COLUMN_TEXT_LEN];

	row->nr = table->rows->len;
	row->cells = g_new0(char *, table->shown->len + 1);
	if (table->sorted_by)
		row->key = order_key_of(table->sorted_by, record);
	for (guint nr = 0; nr < table->shown->len; nr++) {
		const struct column *column = table->shown->pdata[nr];

		row->cells[nr] = g_strdup(column_text(cell, column, table->keys ? UNIT_PLAIN :
						      column->unit, record));
	}
	g_ptr_array_add(table->rows, row);
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct row *one = *(struct row *const *)a, *two = *(struct row *const *)b;
	int result = order_compare(&one->key, &two->key);

	return result ? result : (one->nr > two->nr) - (one->nr < two->nr);
}

/* returns the number of removed lines */
static guint cut_rows(struct table *table)
{
	guint count = table->rows->len;

	if (table->sorted_by)
		g_ptr_array_sort(table->rows, compare_rows);
	if (order.limit && order.limit < count)
		g_ptr_array_set_size(table->rows, order.limit);
	return count - table->rows->len;
}

static int width_of(const struct table *table, guint nr)
{
	const struct column *column = table->shown->pdata[nr];
	int heading = screen_columns(heading_of(table, column)), width = 0;

	for (guint row = 0; row < table->rows->len; row++)
		width = MAX(width, screen_columns(((struct row *)table->rows->pdata[row])->cells[nr]));
	if (column->type == COLUMN_TEXT)
		width = MIN(width, table->text_limit);
	return MAX(width, heading);
}

static int table_width(const struct table *table)
{
	int width = -1;

	for (guint nr = 0; nr < table->shown->len; nr++)
		width += 1 + width_of(table, nr);
	return width;
}

static int room(FILE *out)
{
	int width = screen_width(out);

	return width ? width : PLAIN_WIDTH;
}

/* all cells are "-", "0" or "0.000" */
static bool is_empty(const struct table *table, guint nr)
{
	const struct column *column = table->shown->pdata[nr];

	for (guint row = 0; row < table->rows->len; row++) {
		const char *cell = ((struct row *)table->rows->pdata[row])->cells[nr];

		if (strcmp(cell, "-") && (column->type == COLUMN_TEXT || strspn(cell, "0.") != strlen(cell)))
			return false;
	}
	return table->rows->len;
}

static void remove_column(struct table *table, guint nr)
{
	for (guint row = 0; row < table->rows->len; row++) {
		char **cells = ((struct row *)table->rows->pdata[row])->cells;

		g_free(cells[nr]);
		memmove(cells + nr, cells + nr + 1, (table->shown->len - nr) * sizeof(*cells));
	}
	g_ptr_array_remove_index(table->shown, nr);
}

static bool is_spare(const struct table *table, guint nr)
{
	return ((const struct column *)table->shown->pdata[nr])->spare;
}

/*
 * Removes columns for which @may is true, from the right, until the table fits. Returns the names
 * of the removed columns, to be freed; NULL: none.
 */
static char *leave_out(struct table *table, int width,
		       bool (*may)(const struct table *table, guint nr))
{
	char *names = NULL;

	for (guint nr = table->shown->len; nr-- > 0 && table_width(table) > width; ) {
		const char *name = heading_of(table, table->shown->pdata[nr]);
		char *more;

		if (!may(table, nr))
			continue;
		more = names ? g_strdup_printf("%s, %s", name, names) : g_strdup(name);
		g_free(names);
		names = more;
		remove_column(table, nr);
	}
	return names;
}

static bool is_any(const struct table *table, guint nr)
{
	(void)table;
	(void)nr;
	return true;
}

static void cut_texts(struct table *table, guint nr)
{
	for (guint row = 0; row < table->rows->len; row++) {
		char **cell = &((struct row *)table->rows->pdata[row])->cells[nr], *start;

		if (screen_columns(*cell) <= table->text_limit || !g_utf8_validate(*cell, -1, NULL))
			continue;
		start = g_utf8_substring(*cell, 0, table->text_limit - 1);
		g_free(*cell);
		*cell = g_strconcat(start, "~", NULL);
		g_free(start);
	}
}

static void fit_live(struct table *table)
{
	table->text_limit = TEXT_SHORT;
	g_free(leave_out(table, table->live_width, table->keys ? is_any : is_spare));
	table->text_limit = COLUMN_TEXT_LEN;
	while (table->text_limit > TEXT_SHORTEST && table_width(table) > table->live_width)
		table->text_limit--;
	for (guint nr = 0; nr < table->shown->len; nr++)
		if (((const struct column *)table->shown->pdata[nr])->type == COLUMN_TEXT)
			cut_texts(table, nr);
}

void table_live(struct table *table, int width)
{
	table->live_width = width;
}

static struct libscols_table *to_scols(const struct table *table)
{
	struct libscols_table *scols = scols_new_table();

	for (guint nr = 0; nr < table->shown->len; nr++) {
		const struct column *column = table->shown->pdata[nr];
		struct libscols_column *added =
			scols_table_new_column(scols, heading_of(table, column), 0,
					       column->type == COLUMN_TEXT ? 0 : SCOLS_FL_RIGHT);

		scols_cell_set_color(scols_column_get_header(added), "bold");
	}
	for (guint row = 0; row < table->rows->len; row++) {
		struct libscols_line *line = scols_table_new_line(scols, NULL);

		for (guint nr = 0; nr < table->shown->len; nr++)
			scols_line_set_data(line, nr,
					    ((struct row *)table->rows->pdata[row])->cells[nr]);
	}
	return scols;
}

static void print_rows(const struct table *table, bool terminal, FILE *out)
{
	struct libscols_table *scols = to_scols(table);

	scols_table_set_stream(scols, out);
	scols_table_enable_colors(scols, terminal);
	scols_print_table(scols);
	scols_unref_table(scols);
}

#define print_note(out, ...)	screen_print(1, out, __VA_ARGS__)

/* notes on hidden lines, and on ways to see more or less */
static void print_notes(const struct table *table, guint cut, int width, FILE *out)
{
	if (cut)
		print_note(out, "(%u more lines: -n 0 prints all)", cut);
	else if (table->rows->len > MANY_LINES)
		print_note(out, "(%u lines: -s COLUMN with -n N prints the largest, --vgpu and --engine choose)",
			   table->rows->len);
	if (table_width(table) > width)
		print_note(out, "(%d columns wide; --csv and --json print all, however narrow the terminal)",
			   table_width(table));
}

/* on paper, or on a screen that scrolls */
static void print_all(struct table *table, FILE *out)
{
	guint cut = cut_rows(table);
	int width = table->keys ? INT_MAX : room(out);
	char *empty = leave_out(table, width, is_empty), *spare = leave_out(table, width, is_spare);

	print_rows(table, screen_draws(out), out);
	if (empty)
		print_note(out, "(not shown, as 0 or unknown in all lines: %s)", empty);
	if (spare)
		print_note(out, "(no room for %s: --csv has all)", spare);
	if (!table->keys)
		print_notes(table, cut, width, out);
	g_free(empty);
	g_free(spare);
}

void table_print(struct table *table, const char *heading, FILE *out)
{
	bool bold = heading && screen_draws(out);

	if (heading) {
		fputs(bold ? "\n\033[1m" : "\n", out);
		screen_print(2, out, "%s", heading);
		fputs(bold ? "\033[0m" : "", out);
	}
	if (table->live_width) {
		fit_live(table);
		print_rows(table, false, out);
	} else {
		print_all(table, out);
	}
	g_ptr_array_free(table->rows, TRUE);
	g_ptr_array_free(table->shown, TRUE);
	g_free(table);
}
