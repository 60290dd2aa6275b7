// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include <glib.h>

#include "trace/util.h"
#include "csvfile.h"

/* keeps differences of two values finite */
#define LARGEST		1e300

void csvfile_wrong(const struct csvfile *file, const char *name, const char *problem)
{
	textfile_wrong(&file->text, name, problem);
}

/* the fields of the next line that is neither empty nor a comment; NULL at the end */
static char **read_fields(struct csvfile *file)
{
	char **fields;

	if (!textfile_next(&file->text))
		return NULL;
	if (strchr(file->text.text, '"'))
		textfile_wrong(&file->text, NULL, "a quoted field; write fields without quotes and commas");
	fields = g_strsplit(file->text.text, ",", -1);
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
	textfile_open(&file->text, path);
	file->fields = NULL;
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

		textfile_wrong(&file->text, NULL, problem);
	}
	return file->fields;
}

void csvfile_close(struct csvfile *file)
{
	textfile_close(&file->text);
	g_strfreev(file->names);
	g_strfreev(file->fields);
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
