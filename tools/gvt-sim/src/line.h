/* SPDX-License-Identifier: GPL-2.0-only */
/* A trace event as a line of text: TIME CPU EVENT FIELD=VALUE... */
#ifndef GVT_SIM_LINE_H
#define GVT_SIM_LINE_H

#include <linux/kernel-more.h>

/**
 * struct line - an event
 * @text: the whole line
 * @ns: its time
 * @event: its name, without "gvt_"
 * @fields: the rest of the line
 */
struct line {
	char *text;
	u64 ns;
	char *event;
	char *fields;
};

/**
 * line_parse - parse a line
 * @line: receives pointers into @text
 * @text: the line; modified
 *
 * Return: false if the line is not an event of GVT-g.
 */
bool line_parse(struct line *line, char *text);

/**
 * line_number - the value of a numeric field; 0 if the field is missing
 */
s64 line_number(const struct line *line, const char *field);

/**
 * line_text - the start of a field's value; NULL if the field is missing
 */
const char *line_text(const struct line *line, const char *field);

/**
 * line_is - does the field have this value?
 */
bool line_is(const struct line *line, const char *field, const char *value);

#endif
