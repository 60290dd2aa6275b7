/* SPDX-License-Identifier: GPL-2.0-only */
/* An event of a trace as a line of text: TIME CPU EVENT FIELD=VALUE... */
#ifndef GVT_SIM_LINE_H
#define GVT_SIM_LINE_H

#include <linux/kernel-more.h>

/**
 * struct line - an event
 * @text: all of it
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
 * line_parse - take a line apart
 * @line: receives pointers into @text
 * @text: the line; is changed
 *
 * Return: false if it is no event of GVT-g.
 */
bool line_parse(struct line *line, char *text);

/**
 * line_number - a field's number; 0 if it has none
 */
s64 line_number(const struct line *line, const char *field);

/**
 * line_text - the beginning of a field's value, NULL if there is none
 */
const char *line_text(const struct line *line, const char *field);

/**
 * line_is - whether a field has this value
 */
bool line_is(const struct line *line, const char *field, const char *value);

#endif
