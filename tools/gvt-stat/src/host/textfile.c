// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include <glib.h>

#include "trace/util.h"
#include "textfile.h"

void textfile_open(struct textfile *file, const char *path)
{
	*file = (struct textfile) { .path = path, .stream = fopen(path, "r") };
	if (!file->stream)
		fatal("%s: cannot be opened: %s", path, strerror(errno));
}

void textfile_wrong(const struct textfile *file, const char *what, const char *problem)
{
	char *printable = what ? make_printable(g_strdup(what)) : NULL;

	fatal("%s:%u: %s%s%s", file->path, file->line, what ? printable : "", what ? ": " : "",
	      problem);
}

/* reads up to the end of the line or file; false: end of the file */
static bool read_line(struct textfile *file)
{
	int c = getc(file->stream);
	size_t length = 0;

	if (c == EOF)
		return false;
	file->line++;
	for (; c != EOF && c != '\n'; c = getc(file->stream)) {
		if (!c)
			textfile_wrong(file, NULL, "a zero byte; this is no text file");
		if (length == TEXTFILE_LONGEST)
			textfile_wrong(file, NULL, "the line is longer than 16384 characters; is this the right file?");
		file->text[length++] = c;
	}
	file->text[length] = '\0';
	return true;
}

bool textfile_next(struct textfile *file)
{
	while (read_line(file)) {
		if (!g_utf8_validate(file->text, -1, NULL))
			textfile_wrong(file, NULL, "this is no UTF-8; save the file as UTF-8");
		g_strstrip(file->text);
		if (*file->text && *file->text != '#')
			return true;
	}
	if (ferror(file->stream))
		fatal("%s: cannot be read: %s", file->path, strerror(errno));
	return false;
}

void textfile_close(struct textfile *file)
{
	fclose(file->stream);
}
