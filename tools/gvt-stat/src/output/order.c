// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/util.h"
#include "order.h"
#include "runs.h"

struct order order;

const struct column *order_column(const struct column *columns)
{
	return order.column ? columns_find(columns, order.column) : NULL;
}

void order_check(const struct column *const *tables)
{
	if (!order.column)
		return;
	for (; *tables; tables++)
		if (order_column(*tables))
			return;
	usage_error("-s %s: no such column; --list names those that there are", order.column);
}

static double number_of(const struct column *column, const void *member)
{
	int64_t integer;

	if (column->type == COLUMN_REAL || column->type == COLUMN_BOUNDS)
		return *(const double *)member;
	if (column->type == COLUMN_FLAG)
		return *(const bool *)member;
	integer = *(const int64_t *)member;
	return known(integer) ? (double)integer : NAN;
}

struct order_key order_key_of(const struct column *column, const void *record)
{
	const void *member = (const char *)record + column->offset;

	if (column->type == COLUMN_TEXT)
		return (struct order_key) { NAN, g_strdup(*(const char *const *)member) };
	return (struct order_key) { number_of(column, member), NULL };
}

/* bytes of lines in memory; further lines go to sorted runs on disk */
#define KEPT_BYTES	(8 << 20)
/* overhead of the allocator, and the key's text */
#define LINE_OVERHEAD	64

struct ordered {
	const struct column *column;	/* NULL: keep the first lines */
	GArray *lines;			/* struct sorted_line */
	size_t bytes;			/* memory of @lines */
	struct runs *runs;		/* NULL: all lines are in @lines */
	uint64_t count;			/* of all lines so far */
};

struct ordered *ordered_new(const struct column *columns)
{
	const struct column *column = order_column(columns);
	struct ordered *ordered;

	if (!column && !order.limit)
		return NULL;
	ordered = g_new0(struct ordered, 1);
	ordered->column = column;
	ordered->lines = g_array_new(FALSE, FALSE, sizeof(struct sorted_line));
	return ordered;
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	return sorted_line_compare(a, b);
}

static size_t bytes_of(const struct sorted_line *line)
{
	return sizeof(*line) + strlen(line->text) + LINE_OVERHEAD;
}

static void remove_from(struct ordered *ordered, guint first)
{
	for (guint nr = first; nr < ordered->lines->len; nr++) {
		struct sorted_line *line = &g_array_index(ordered->lines, struct sorted_line, nr);

		ordered->bytes -= bytes_of(line);
		sorted_line_clear(line);
	}
	g_array_set_size(ordered->lines, first);
}

/* sorts @lines and cuts them to the limit */
static void sort(struct ordered *ordered)
{
	g_array_sort(ordered->lines, compare_lines);
	if (order.limit && ordered->lines->len > order.limit)
		remove_from(ordered, order.limit);
}

static void spill(struct ordered *ordered)
{
	if (!ordered->runs)
		ordered->runs = runs_new();
	sort(ordered);
	runs_add(ordered->runs, ordered->lines);
	remove_from(ordered, 0);
}

void ordered_add(struct ordered *ordered, const void *record, char *text)
{
	struct sorted_line line = { { NAN, NULL }, ordered->count++, text };

	if (ordered->column)
		line.key = order_key_of(ordered->column, record);
	g_array_append_val(ordered->lines, line);
	ordered->bytes += bytes_of(&line);
	if (order.limit && ordered->lines->len > 2 * order.limit)
		sort(ordered);
	if (ordered->bytes > KEPT_BYTES)
		spill(ordered);
}

static void print_kept(const struct ordered *ordered, const char *separator, FILE *out)
{
	for (guint nr = 0; nr < ordered->lines->len; nr++)
		fprintf(out, "%s%s", nr ? separator : "",
			g_array_index(ordered->lines, struct sorted_line, nr).text);
}

static void print_runs(const struct ordered *ordered, const char *separator, FILE *out)
{
	struct sorted_line line;

	for (int64_t nr = 0; (!order.limit || nr < order.limit) &&
			     runs_next(ordered->runs, &line); nr++) {
		fprintf(out, "%s%s", nr ? separator : "", line.text);
		sorted_line_clear(&line);
	}
}

void ordered_print(struct ordered *ordered, const char *separator, FILE *out)
{
	if (ordered->runs) {
		spill(ordered);
		print_runs(ordered, separator, out);
		runs_free(ordered->runs);
	} else {
		sort(ordered);
		print_kept(ordered, separator, out);
	}
	remove_from(ordered, 0);
	g_array_free(ordered->lines, TRUE);
	g_free(ordered);
}
