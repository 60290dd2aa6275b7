// SPDX-License-Identifier: GPL-2.0-only

#include "line.h"

bool line_parse(struct line *line, char *text)
{
	char *end, *word;

	line->text = text;
	line->ns = strtoull(text, &end, 10);
	if (end == text || *end != ' ')
		return false;
	/* skip the CPU */
	word = strchr(end + 1, ' ');
	if (!word || strncmp(word + 1, "gvt_", 4))
		return false;
	line->event = word + 5;
	word = strchr(line->event, ' ');
	if (!word)
		return false;
	*word = '\0';
	line->fields = word + 1;
	return true;
}

const char *line_text(const struct line *line, const char *field)
{
	size_t len = strlen(field);
	const char *at = line->fields;

	while (at) {
		if (!strncmp(at, field, len) && at[len] == '=')
			return at + len + 1;
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}

	return NULL;
}

s64 line_number(const struct line *line, const char *field)
{
	const char *text = line_text(line, field);

	return text ? strtoll(text, NULL, 0) : 0;
}

bool line_is(const struct line *line, const char *field, const char *value)
{
	const char *text = line_text(line, field);
	size_t len = strlen(value);

	return text && !strncmp(text, value, len) && (!text[len] || strchr(" \n", text[len]));
}
