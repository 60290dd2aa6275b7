// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "trace/quantities.h"
#include "trace/util.h"
#include "document.h"
#include "list.h"
#include "notes.h"
#include "order.h"
#include "progress.h"
#include "screen.h"

/* prints a list in one form */
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
	struct column *shown;		/* columns with a heading, as text */
	const struct printer *printer;
	struct ordered *ordered;	/* NULL: lines are printed immediately */
	bool begun;			/* at least one line was printed */
};

static void csv_begin(const struct list *list)
{
	csv_header(stdout, list->columns);
}

static void print_csv(const struct list *list, const void *record, FILE *out)
{
	csv_line(out, list->columns, record);
}

/* The document is written in pieces; members known only at the end come last. */
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

/* Chosen columns have the names and units of CSV, as in tables. */
static bool by_keys(const struct list *list)
{
	return list->form->columns;
}

/* the heading of a column; NULL: not shown */
static const char *heading_of(const struct list *list, const struct column *column)
{
	return by_keys(list) ? column->key : column->title;
}

/* wide enough for almost all values; a wider number only shifts its line */
static int text_width(const struct list *list, const struct column *column)
{
	static const int widths[] = { [UNIT_PLAIN] = 5, [UNIT_MS] = 8, [UNIT_S] = 12 };
	int width = widths[by_keys(list) ? UNIT_PLAIN : column->unit];

	if (by_keys(list) && g_str_has_suffix(column->key, "_ns"))
		width = 14;
	if (column->type == COLUMN_TEXT)
		width = 9;
	return MAX(width, (int)strlen(heading_of(list, column)));
}

/* left-aligns texts and right-aligns numbers; the last text may have any length */
static void print_cell(const struct list *list, const struct column *column, const char *text,
		       FILE *out)
{
	bool last = column_is_last(column + 1);
	int width = text_width(list, column);

	if (column->type == COLUMN_TEXT)
		width = last ? 0 : -width;
	fprintf(out, "%*s%s", width, text, last ? "\n" : " ");
}

static void text_begin(const struct list *list)
{
	for (const struct column *column = list->shown; !column_is_last(column); column++)
		print_cell(list, column, heading_of(list, column), stdout);
}

static void text_line(const struct list *list, const void *record, FILE *out)
{
	char text[COLUMN_TEXT_LEN];

	for (const struct column *column = list->shown; !column_is_last(column); column++)
		print_cell(list, column, column_text(text, column, by_keys(list) ? UNIT_PLAIN :
						     column->unit, record), out);
}

/* the columns with a heading; freed with the list */
static struct column *shown_columns(const struct list *list)
{
	GArray *shown = g_array_new(TRUE, FALSE, sizeof(struct column));

	for (const struct column *column = list->columns; !column_is_last(column); column++)
		if (heading_of(list, column))
			g_array_append_val(shown, *column);
	return (struct column *)g_array_free(shown, FALSE);
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
	list->shown = shown_columns(list);
	if (screen_draws(stdout))
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

void list_line(void *to, const void *record)
{
	struct list *list = to;
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
	if (follow)
		print_warnings(follow);
	g_free(list->shown);
	g_free(list);
}
