// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of a scenario file, prepared for libconfuse. */
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MAX_BYTES (1 << 20)

/* A directory opens like a file, but makes libconfuse's scanner end the program. */
static FILE *open_file(const char *file, FILE *errors)
{
	FILE *in = fopen(file, "r");
	struct stat st;

	if (in && !fstat(fileno(in), &st) && !S_ISDIR(st.st_mode))
		return in;
	fprintf(errors, "%s: cannot read: %s; give the path of a scenario file\n", file,
		in ? strerror(EISDIR) : strerror(errno));
	if (in)
		fclose(in);
	return NULL;
}

static char *read_all(const char *file, size_t *size, FILE *errors)
{
	FILE *in = open_file(file, errors);
	char *text = in ? malloc(FILE_MAX_BYTES + 2) : NULL;

	if (text)
		*size = fread(text, 1, FILE_MAX_BYTES + 1, in);
	if (in)
		fclose(in);
	if (text)
		text[*size] = '\0';
	return text;
}

/* The error of a text as a whole, or NULL. */
static const char *find_fault(const char *text, size_t size)
{
	if (size > FILE_MAX_BYTES)
		return "larger than 1 MB; give the path of a scenario file";
	if (strlen(text) != size)
		return "not a text file; give the path of a scenario file";
	return NULL;
}

/* Length of the quoted string that begins here; up to the end if unterminated. */
static size_t string_length(const char *at)
{
	const char quote = *at;
	size_t n = 1;

	while (at[n] && at[n] != quote)
		n += at[n] == '\\' && at[n + 1] ? 2 : 1;
	return n + (at[n] == quote);
}

/* Length of the comment that begins here, without a newline; 0 if none does. */
static size_t comment_length(const char *at)
{
	const char *end;

	if (*at == '#' || !strncmp(at, "//", 2))
		return strcspn(at, "\n");
	if (strncmp(at, "/*", 2))
		return 0;
	end = strstr(at + 2, "*/");
	return end ? (size_t)(end - at) + 2 : strlen(at);
}

static void blank(char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (at[i] != '\n')
			at[i] = ' ';
}

/* Returns an error, or NULL. */
static const char *blank_comments(char *text)
{
	for (char *at = text; *at; ) {
		size_t n = comment_length(at);

		if (!strncmp(at, "/*", 2) && !at[n] && (n < 4 || strcmp(at + n - 2, "*/")))
			return "a comment has no end; add the missing */";
		blank(at, n);
		if (!n)
			n = *at == '"' || *at == '\'' ? string_length(at) : 1;
		at += n;
	}
	return NULL;
}

char *text_read(const char *file, const char *end, size_t *size, FILE *errors)
{
	char *text = read_all(file, size, errors), *whole = NULL;
	const char *separator, *fault;
	int n;

	if (!text)
		return NULL;
	fault = find_fault(text, *size) ?: blank_comments(text);
	if (fault) {
		fprintf(errors, "%s: %s\n", file, fault);
		free(text);
		return NULL;
	}
	separator = *size && text[*size - 1] != '\n' ? "\n" : "";
	n = asprintf(&whole, "%s%s%s", text, separator, end);
	*size = n < 0 ? 0 : (size_t)n;
	free(text);
	return n < 0 ? NULL : whole;
}
