// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "document.h"
#include "list.h"
#include "progress.h"
#include "quantities.h"
#include "util.h"

/* one form of output */
struct form {
	void (*begin)(const struct list *list);
	void (*line)(const struct list *list, const void *record);
	void (*end)(const struct follow *follow);
};

struct list {
	const struct options *options;
	const char *name;
	const struct column *columns;
	const struct form *form;
	bool begun;			/* a line was printed */
};

static void csv_begin(const struct list *list)
{
	bool first = true;

	csv_header(stdout, list->columns, &first);
	csv_end_line(stdout);
}

static void csv_line(const struct list *list, const void *record)
{
	bool first = true;

	csv_record(stdout, list->columns, record, &first);
	csv_end_line(stdout);
}

/* The document is written piecewise; what is known only at the end comes last. */
static void json_begin(const struct list *list)
{
	printf("{\n\"%s\": [", list->name);
}

static void json_line(const struct list *list, const void *record)
{
	json_t *object = columns_to_json(list->columns, record);

	fputs(list->begun ? ",\n" : "\n", stdout);
	json_dumpf(object, stdout, JSON_COMPACT | DOCUMENT_REALS);
	json_decref(object);
}

static void json_end(const struct follow *follow)
{
	json_t *document = document_new(follow);
	char *text = json_dumps(document, JSON_INDENT(2) | DOCUMENT_REALS | JSON_EMBED);

	printf("\n],%s}\n", text);
	free(text);
	json_decref(document);
}

/* wide enough for nearly everything; wider numbers only shift the line */
static int text_width(const struct column *column)
{
	if (column->type == COLUMN_TIME || column->type == COLUMN_DURATION)
		return 12;
	return g_str_has_suffix(column->key, "_ns") ? 16 : 11;
}

static void print_integer(char *cell, size_t size, enum column_type type, int64_t value)
{
	if (!known(value))
		g_strlcpy(cell, "-", size);
	else if (type == COLUMN_TIME)
		g_snprintf(cell, size, "%" PRId64 ".%06" PRId64, value / NSEC_PER_SEC,
			   value % NSEC_PER_SEC / 1000);
	else if (type == COLUMN_DURATION)
		g_snprintf(cell, size, "%.3f", (double)value / NSEC_PER_MSEC);
	else
		g_snprintf(cell, size, "%" PRId64, value);
}

static void text_cell(const struct column *column, const void *record)
{
	const void *member = (const char *)record + column->offset;
	char cell[64] = "-";

	if (column->type == COLUMN_TEXT && *(const char *const *)member)
		g_strlcpy(cell, *(const char *const *)member, sizeof(cell));
	else if (column->type <= COLUMN_DURATION)
		print_integer(cell, sizeof(cell), column->type, *(const int64_t *)member);
	printf(" %*s", text_width(column), cell);
}

/* "start_ns" in seconds is "start_s" */
static void text_title(const struct column *column)
{
	int len = strlen(column->key);
	char title[64];

	if (column->type == COLUMN_TIME || column->type == COLUMN_DURATION)
		g_snprintf(title, sizeof(title), "%.*s%s", len - 2, column->key,
			   column->type == COLUMN_TIME ? "s" : "ms");
	else
		g_strlcpy(title, column->key, sizeof(title));
	printf(" %*s", text_width(column), title);
}

static void text_begin(const struct list *list)
{
	for (const struct column *column = list->columns; column->key; column++)
		text_title(column);
	putchar('\n');
}

static void text_line(const struct list *list, const void *record)
{
	for (const struct column *column = list->columns; column->key; column++)
		text_cell(column, record);
	putchar('\n');
}

static const struct form forms[] = {
	[FORMAT_TABLE] = { text_begin, text_line, NULL },
	[FORMAT_JSON] = { json_begin, json_line, json_end },
	[FORMAT_CSV] = { csv_begin, csv_line, NULL },
};

struct list *list_begin(const struct options *options, const char *name,
			const struct column *columns)
{
	struct list *list = g_new(struct list, 1);

	*list = (struct list) {
		.options = options,
		.name = name,
		.columns = options_columns(options, columns),
		.form = &forms[options->format],
	};
	if (isatty(STDOUT_FILENO))
		progress_silent();
	list->form->begin(list);
	return list;
}

void list_line(struct list *list, const void *record)
{
	list->form->line(list, record);
	list->begun = true;
}

static void print_warnings(const struct list *list, const struct trace_info *trace)
{
	event_set needed = quantities_need(list->options->quantities);

	if (trace->lost_gaps)
		warn("%s: events were lost in %" PRIu64 " gaps; workloads alive in one have tainted = 1",
		     trace->path, trace->lost_gaps);
	for (enum event_id id = 0; id < EVENT_COUNT; id++)
		if (needed & EVENT_BIT(id) && event_missing(trace, id))
			warn("%s: %s: %s; what follows from it is unknown", trace->path,
			     event_name(id), event_missing(trace, id));
}

void list_end(struct list *list, const struct follow *follow)
{
	if (list->form->end)
		list->form->end(follow);
	print_warnings(list, follow->trace);
	g_free(list);
}
