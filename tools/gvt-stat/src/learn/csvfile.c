// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "trace/util.h"
#include "csvfile.h"

/* beyond that, differences of two are no numbers any more */
#define LARGEST		1e300
#define LONGEST_LINE	65536

/* "PATH:LINE: " and what is wrong */
static _Noreturn void refuse(const struct csvfile *file, const char *problem)
{
	fatal("%s:%u: %s", file->path, file->line, problem);
}

void csvfile_wrong(const struct csvfile *file, const char *name, const char *problem)
{
	char *printable = make_printable(g_strdup(name));

	fatal("%s:%u: %s: %s", file->path, file->line, printable, problem);
}

static void check_line(const struct csvfile *file, ssize_t length)
{
	if (length > LONGEST_LINE)
		refuse(file, "the line is longer than 65536 characters; is this a CSV file?");
	if (strlen(file->text) != (size_t)length)
		refuse(file, "a zero byte; this is no CSV file");
	if (!g_utf8_validate(file->text, length, NULL))
		refuse(file, "this is no UTF-8; save the file as UTF-8");
	if (strchr(file->text, '"'))
		refuse(file, "a quoted field; write fields without quotes and commas");
}

/* the next line that says something, cut into fields; NULL at the end */
static char **read_fields(struct csvfile *file)
{
	ssize_t length;
	char **fields;

	do {
		length = getline(&file->text, &file->size, file->stream);
		if (length < 0 && ferror(file->stream))
			fatal("%s: cannot be read: %s", file->path, strerror(errno));
		if (length < 0)
			return NULL;
		file->line++;
		check_line(file, length);
		g_strstrip(file->text);
	} while (!*file->text || *file->text == '#');
	fields = g_strsplit(file->text, ",", -1);
	for (char **field = fields; *field; field++)
		g_strstrip(*field);
	return fields;
}

static void check_names(const struct csvfile *file, const char *const *needed)
{
	for (unsigned int nr = 0; nr < file->count; nr++)
		if (!*file->names[nr] || csvfile_find(file, file->names[nr]) != nr)
			csvfile_wrong(file, *file->names[nr] ? file->names[nr] : "a column without a name",
				      "give each column a name of its own");
	for (; *needed; needed++)
		if (csvfile_find(file, *needed) == file->count)
			csvfile_wrong(file, *needed, "this column is missing; the first line names the columns");
}

void csvfile_open(struct csvfile *file, const char *path, const char *const *needed)
{
	*file = (struct csvfile) { .path = path, .stream = fopen(path, "r") };
	if (!file->stream)
		fatal("%s: cannot be opened: %s", path, strerror(errno));
	file->names = read_fields(file);
	if (!file->names)
		fatal("%s: the file is empty; its first line must name the columns", path);
	file->count = g_strv_length(file->names);
	check_names(file, needed);
}

bool csvfile_next(struct csvfile *file)
{
	g_strfreev(file->fields);
	file->fields = read_fields(file);
	if (file->fields && g_strv_length(file->fields) != file->count) {
		char *problem = g_strdup_printf("%u fields, but the file has %u columns",
						g_strv_length(file->fields), file->count);

		refuse(file, problem);
	}
	return file->fields;
}

void csvfile_close(struct csvfile *file)
{
	fclose(file->stream);
	g_strfreev(file->names);
	g_strfreev(file->fields);
	free(file->text);
}

unsigned int csvfile_find(const struct csvfile *file, const char *name)
{
	unsigned int nr = 0;

	while (nr < file->count && strcmp(file->names[nr], name))
		nr++;
	return nr;
}

const char *csvfile_text(const struct csvfile *file, const char *name)
{
	const char *text = file->fields[csvfile_find(file, name)];

	if (!*text)
		csvfile_wrong(file, name, "it is empty");
	return text;
}

double csvfile_number(const struct csvfile *file, unsigned int nr)
{
	const char *text = file->fields[nr];
	char *end;
	double value;

	if (!*text)
		return NAN;
	value = g_ascii_strtod(text, &end);
	if (*end || !(fabs(value) <= LARGEST))
		csvfile_wrong(file, file->names[nr], "this is no number; write one such as 12.5");
	return value;
}
