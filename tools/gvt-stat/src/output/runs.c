// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/util.h"
#include "runs.h"

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
	FILE *file;			/* NULL: fully read */
	struct sorted_line head;	/* read, and not yet taken */
};

struct runs {
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
	return g_new0(struct runs, 1);
}

static _Noreturn void failed(void)
{
	fatal("cannot sort in a temporary file: %s; there must be room for all lines in /tmp, or give -n N",
	      strerror(errno));
}

static void put(FILE *file, const void *data, size_t size)
{
	if (fwrite(data, size, 1, file) != 1)
		failed();
}

/* includes the zero byte; length 0 stands for NULL */
static void put_text(FILE *file, const char *text)
{
	size_t size = text ? strlen(text) + 1 : 0;

	put(file, &size, sizeof(size));
	if (size)
		put(file, text, size);
}

static void put_line(FILE *file, const struct sorted_line *line)
{
	put(file, &line->nr, sizeof(line->nr));
	put(file, &line->key.number, sizeof(line->key.number));
	put_text(file, line->key.text);
	put_text(file, line->text);
}

static void get(FILE *file, void *data, size_t size)
{
	if (fread(data, size, 1, file) != 1)
		failed();
}

static char *get_text(FILE *file, void *(*allocate)(size_t size))
{
	char *text = NULL;
	size_t size;

	get(file, &size, sizeof(size));
	if (!size)
		return NULL;
	text = allocate(size);
	get(file, text, size);
	return text;
}

/* freed with free(), as texts from open_memstream() are */
static void *allocate(size_t size)
{
	void *data = malloc(size);

	if (!data)
		failed();
	return data;
}

static void read_head(struct run *run)
{
	struct sorted_line *head = &run->head;

	if (fread(&head->nr, sizeof(head->nr), 1, run->file) != 1) {
		fclose(run->file);
		run->file = NULL;
		return;
	}
	get(run->file, &head->key.number, sizeof(head->key.number));
	head->key.text = get_text(run->file, g_malloc);
	head->text = get_text(run->file, allocate);
}

static FILE *new_file(void)
{
	FILE *file = tmpfile();

	if (!file)
		failed();
	return file;
}

static void append(struct runs *runs, FILE *file)
{
	runs->runs[runs->count++] = (struct run) { .file = file };
}

static void begin_reading(struct runs *runs)
{
	for (unsigned int nr = 0; nr < runs->count; nr++) {
		if (fflush(runs->runs[nr].file))
			failed();
		rewind(runs->runs[nr].file);
		read_head(&runs->runs[nr]);
	}
	runs->reading = true;
}

bool runs_next(struct runs *runs, struct sorted_line *line)
{
	struct run *first = NULL;

	if (!runs->reading)
		begin_reading(runs);
	for (struct run *run = runs->runs; run < runs->runs + runs->count; run++)
		if (run->file &&
		    (!first || sorted_line_compare(&run->head, &first->head) < 0))
			first = run;
	if (!first)
		return false;
	*line = first->head;
	read_head(first);
	return true;
}

/* merges all runs into one */
static void merge(struct runs *runs)
{
	FILE *file = new_file();
	struct sorted_line line;

	while (runs_next(runs, &line)) {
		put_line(file, &line);
		sorted_line_clear(&line);
	}
	*runs = (struct runs) { .count = 0 };
	append(runs, file);
}

void runs_add(struct runs *runs, const GArray *lines)
{
	FILE *file = new_file();

	if (runs->count == MAX_RUNS)
		merge(runs);
	for (guint nr = 0; nr < lines->len; nr++)
		put_line(file, &g_array_index(lines, struct sorted_line, nr));
	append(runs, file);
}

void runs_free(struct runs *runs)
{
	for (struct run *run = runs->runs; run < runs->runs + runs->count; run++) {
		if (!run->file)
			continue;
		if (runs->reading)
			sorted_line_clear(&run->head);
		fclose(run->file);
	}
	g_free(runs);
}
