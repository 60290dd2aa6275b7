// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/util.h"
#include "order.h"

struct order order;

const struct column *order_column(const struct column *columns)
{
	for (; order.column && !column_is_last(columns); columns++)
		if (columns->key && !strcmp(columns->key, order.column))
			return columns;
	return NULL;
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
	return known(integer) ? integer : NAN;
}

struct order_key order_key_of(const struct column *column, const void *record)
{
	const void *member = (const char *)record + column->offset;

	if (column->type == COLUMN_TEXT)
		return (struct order_key) { NAN, g_strdup(*(const char *const *)member) };
	return (struct order_key) { number_of(column, member), NULL };
}

void order_key_clear(struct order_key *key)
{
	g_free(key->text);
}

int order_compare(const struct order_key *a, const struct order_key *b)
{
	if (a->text || b->text)
		return a->text && b->text ? strcmp(a->text, b->text) : a->text ? -1 : 1;
	if (isnan(a->number) || isnan(b->number))
		return isnan(a->number) - isnan(b->number);
	return (a->number < b->number) - (a->number > b->number);
}

struct ordered_line {
	struct order_key key;
	uint64_t nr;			/* which it was */
	char *text;
};

struct ordered {
	const struct column *column;	/* NULL: only the first ones */
	GArray *lines;			/* struct ordered_line */
	uint64_t count;			/* of all that came */
};

struct ordered *ordered_new(const struct column *columns)
{
	const struct column *column = order_column(columns);
	struct ordered *ordered;

	if (!column && !order.limit)
		return NULL;
	ordered = g_new0(struct ordered, 1);
	ordered->column = column;
	ordered->lines = g_array_new(FALSE, FALSE, sizeof(struct ordered_line));
	return ordered;
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	const struct ordered_line *one = a, *two = b;
	int result = order_compare(&one->key, &two->key);

	return result ? result : (one->nr > two->nr) - (one->nr < two->nr);
}

static void clear_line(struct ordered_line *line)
{
	order_key_clear(&line->key);
	free(line->text);
}

/* keep what is wanted: memory does not grow with the number of lines */
static void cut(struct ordered *ordered)
{
	g_array_sort(ordered->lines, compare_lines);
	for (guint nr = order.limit; nr < ordered->lines->len; nr++)
		clear_line(&g_array_index(ordered->lines, struct ordered_line, nr));
	if (ordered->lines->len > order.limit)
		g_array_set_size(ordered->lines, order.limit);
}

void ordered_add(struct ordered *ordered, const void *record, char *text)
{
	struct ordered_line line = { { NAN, NULL }, ordered->count++, text };

	if (ordered->column)
		line.key = order_key_of(ordered->column, record);
	g_array_append_val(ordered->lines, line);
	if (order.limit && ordered->lines->len > 2 * order.limit)
		cut(ordered);
}

void ordered_print(struct ordered *ordered, const char *separator, FILE *out)
{
	if (order.limit)
		cut(ordered);
	else
		g_array_sort(ordered->lines, compare_lines);
	for (guint nr = 0; nr < ordered->lines->len; nr++) {
		struct ordered_line *line = &g_array_index(ordered->lines, struct ordered_line, nr);

		fprintf(out, "%s%s", nr ? separator : "", line->text);
		clear_line(line);
	}
	g_array_free(ordered->lines, TRUE);
	g_free(ordered);
}
