// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/util.h"
#include "order.h"
#include "stash.h"

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

/* at most this many runs, so that comparing all heads for each line stays cheap */
#define MAX_RUNS	64

struct run {
	struct byte_stream *lines;
	struct bytes_reader reader;
	struct sorted_line head;	/* read, and not yet taken */
	bool over;			/* fully read: there is no head */
};

struct runs {
	struct stash *stash;		/* all in a file, as memory is full of lines */
	struct run runs[MAX_RUNS];
	unsigned int count;
	bool reading;
};

int sorted_line_compare(const struct sorted_line *a, const struct sorted_line *b)
{
	int result = order_compare(&a->key, &b->key);

	return result ? result : (a->nr > b->nr) - (a->nr < b->nr);
}

void sorted_line_clear(struct sorted_line *line)
{
	order_key_clear(&line->key);
	free(line->text);
}

struct runs *runs_new(void)
{
	struct runs *runs = g_new0(struct runs, 1);

	runs->stash = stash_new(0, "cannot sort in a temporary file: %s; there must be room for all lines in /tmp, or give -n N");
	return runs;
}

/* includes the zero byte; length 0 stands for NULL */
static void put_text(struct byte_stream *to, const char *text)
{
	size_t size = text ? strlen(text) + 1 : 0;

	bytes_add(to, &size, sizeof(size));
	if (size)
		bytes_add(to, text, size);
}

static void put_line(struct byte_stream *to, const struct sorted_line *line)
{
	bytes_add(to, &line->nr, sizeof(line->nr));
	bytes_add(to, &line->key.number, sizeof(line->key.number));
	put_text(to, line->key.text);
	put_text(to, line->text);
}

static char *get_text(struct bytes_reader *from)
{
	char *text = NULL;
	size_t size = 0;

	bytes_read(from, &size, sizeof(size));
	if (size)
		bytes_read(from, text = g_malloc(size), size);
	return text;
}

static void read_head(struct run *run)
{
	struct sorted_line *head = &run->head;

	run->over = !bytes_read(&run->reader, &head->nr, sizeof(head->nr));
	if (run->over)
		return;
	bytes_read(&run->reader, &head->key.number, sizeof(head->key.number));
	head->key.text = get_text(&run->reader);
	head->text = get_text(&run->reader);
}

static struct byte_stream *new_run(struct runs *runs)
{
	struct byte_stream *lines = bytes_new(runs->stash);

	runs->runs[runs->count++] = (struct run) { .lines = lines, .reader = { lines } };
	return lines;
}

static void begin_reading(struct runs *runs)
{
	for (unsigned int nr = 0; nr < runs->count; nr++)
		read_head(&runs->runs[nr]);
	runs->reading = true;
}

bool runs_next(struct runs *runs, struct sorted_line *line)
{
	struct run *first = NULL;

	if (!runs->reading)
		begin_reading(runs);
	for (struct run *run = runs->runs; run < runs->runs + runs->count; run++)
		if (!run->over &&
		    (!first || sorted_line_compare(&run->head, &first->head) < 0))
			first = run;
	if (!first)
		return false;
	*line = first->head;
	read_head(first);
	return true;
}

static void clear(struct runs *runs)
{
	for (struct run *run = runs->runs; run < runs->runs + runs->count; run++) {
		if (runs->reading && !run->over)
			sorted_line_clear(&run->head);
		bytes_free(run->lines);
	}
	stash_free(runs->stash);
}

/* merges all runs into one, in a file of its own, so that there are not all lines of all merges */
static void merge(struct runs *runs)
{
	struct runs *merged = runs_new();
	struct byte_stream *all = new_run(merged);
	struct sorted_line line;

	while (runs_next(runs, &line)) {
		put_line(all, &line);
		sorted_line_clear(&line);
	}
	clear(runs);
	*runs = *merged;
	g_free(merged);
}

void runs_add(struct runs *runs, const GArray *lines)
{
	struct byte_stream *to;

	if (runs->count == MAX_RUNS)
		merge(runs);
	to = new_run(runs);
	for (guint nr = 0; nr < lines->len; nr++)
		put_line(to, &g_array_index(lines, struct sorted_line, nr));
}

void runs_free(struct runs *runs)
{
	clear(runs);
	g_free(runs);
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
