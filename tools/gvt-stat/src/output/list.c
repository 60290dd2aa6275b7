// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "trace/quantities.h"
#include "trace/util.h"
#include "document.h"
#include "list.h"
#include "notes.h"
#include "order.h"
#include "progress.h"

/* how a list is printed in one form */
struct printer {
	void (*begin)(const struct list *list);
	void (*line)(const struct list *list, const void *record, FILE *out);
	void (*end)(const struct list *list, const struct follow *follow);
	const char *first, *separator;	/* before the first line, and between lines */
};

struct list {
	const struct form *form;
	const char *name;
	const struct column *columns;
	const struct printer *printer;
	struct ordered *ordered;	/* NULL: lines are printed as they come */
	bool begun;			/* a line was printed */
};

static void csv_begin(const struct list *list)
{
	bool first = true;

	csv_header(stdout, list->columns, &first);
	csv_end_line(stdout);
}

static void print_csv(const struct list *list, const void *record, FILE *out)
{
	csv_line(out, list->columns, record);
}

/* The document is written piecewise; what is known only at the end comes last. */
static void json_begin(const struct list *list)
{
	printf("{\n\"%s\": [", list->name);
}

static void json_line(const struct list *list, const void *record, FILE *out)
{
	json_t *object = columns_to_json(list->columns, record);

	json_dumpf(object, out, JSON_COMPACT | DOCUMENT_REALS);
	json_decref(object);
}

static void json_end(const struct list *list, const struct follow *follow)
{
	json_t *document = document_new(follow, list->form->command);
	char *text = json_dumps(document, JSON_INDENT(2) | DOCUMENT_REALS | JSON_EMBED);

	printf("\n],%s}\n", text);
	free(text);
	json_decref(document);
}

/* wide enough for nearly everything; wider numbers only shift the line */
static int text_width(const struct column *column)
{
	if (column->unit != UNIT_PLAIN)
		return 12;
	return g_str_has_suffix(column->key, "_ns") ? 16 : 11;
}

/* "start_ns" in seconds is "start_s" */
static void text_title(const struct column *column)
{
	int len = strlen(column->key);
	char title[COLUMN_TEXT_LEN];

	if (column->unit == UNIT_PLAIN)
		g_strlcpy(title, column->key, sizeof(title));
	else
		g_snprintf(title, sizeof(title), "%.*s%s", len - 2, column->key,
			   column->unit == UNIT_S ? "s" : "ms");
	printf(" %*s", text_width(column), title);
}

static void text_begin(const struct list *list)
{
	for (const struct column *column = list->columns; column->key; column++)
		text_title(column);
	putchar('\n');
}

static void text_line(const struct list *list, const void *record, FILE *out)
{
	char text[COLUMN_TEXT_LEN];

	for (const struct column *column = list->columns; column->key; column++)
		fprintf(out, " %*s", text_width(column),
			column_text(text, column, column->unit, record));
	fputc('\n', out);
}

static const struct printer printers[] = {
	[FORMAT_TABLE] = { text_begin, text_line, NULL, "", "" },
	[FORMAT_JSON] = { json_begin, json_line, json_end, "\n", ",\n" },
	[FORMAT_CSV] = { csv_begin, print_csv, NULL, "", "" },
};

struct list *list_begin(const struct form *form, const char *name,
			const struct column *columns)
{
	struct list *list = g_new(struct list, 1);

	*list = (struct list) {
		.form = form,
		.name = name,
		.columns = form_columns(form, columns),
		.printer = &printers[form->format],
		.ordered = ordered_new(columns),
	};
	if (isatty(STDOUT_FILENO))
		progress_silent();
	list->printer->begin(list);
	return list;
}

static void keep_line(const struct list *list, const void *record)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	list->printer->line(list, record, out);
	fclose(out);
	ordered_add(list->ordered, record, text);
}

void list_line(struct list *list, const void *record)
{
	const struct printer *printer = list->printer;

	if (list->ordered) {
		keep_line(list, record);
		return;
	}
	fputs(list->begun ? printer->separator : printer->first, stdout);
	printer->line(list, record, stdout);
	list->begun = true;
}

static void print_warnings(const struct follow *follow)
{
	const struct trace_info *trace = follow->trace;
	event_set needed = quantities_need(follow->selection->quantities);

	notes_warn(follow);
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
	if (list->ordered) {
		fputs(list->printer->first, stdout);
		ordered_print(list->ordered, list->printer->separator, stdout);
	}
	if (list->printer->end)
		list->printer->end(list, follow);
	print_warnings(follow);
	g_free(list);
}
