// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <glib.h>

#include "encode.h"
#include "inside.h"
#include "pages.h"

/* a record under construction */
struct encoder {
	struct encoded *to;
	bool big_endian;
};

static bool refuse(struct encoder *encoder, const char *problem, const char *of)
{
	encoder->to->problem = problem;
	encoder->to->of = of;
	encoder->to->len = 0;
	return false;
}

/* a string after the fixed fields; its field holds offset and length */
static bool put_text(struct encoder *encoder, const struct tep_format_field *field, const char *text)
{
	struct encoded *to = encoder->to;
	uint32_t size = strlen(text) + 1;

	if (to->len + size > ENCODE_MOST)
		return refuse(encoder, "text too long", text);
	pages_set_number(to->data + field->offset, size << 16 | to->len, 4, encoder->big_endian);
	memcpy(to->data + to->len, text, size);
	to->len += size;
	return true;
}

/* a string at the end of the record */
static bool put_rest(struct encoder *encoder, const struct tep_format_field *field, const char *text)
{
	struct encoded *to = encoder->to;

	if (field->offset + strlen(text) + 1 > ENCODE_MOST)
		return refuse(encoder, "text too long", text);
	strcpy((char *)to->data + field->offset, text);
	to->len = field->offset + strlen(text) + 1;
	return true;
}

static bool put_number(struct encoder *encoder, const struct tep_format_field *field,
		       const char *text)
{
	uint64_t value;
	char *end;

	errno = 0;
	value = *text == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
	if (errno || end == text || *end)
		return refuse(encoder, "no number", text);
	pages_set_number(encoder->to->data + field->offset, value, MIN(field->size, 8),
			 encoder->big_endian);
	return true;
}

static bool put_field(struct encoder *encoder, struct tep_event *event, char *assignment)
{
	char *value = strchr(assignment, '=');
	struct tep_format_field *field;

	if (!value)
		return refuse(encoder, "no FIELD=VALUE", assignment);
	*value++ = '\0';
	field = tep_find_any_field(event, assignment);
	if (!field)
		return refuse(encoder, "the event has no field", assignment);
	if (field->flags & TEP_FIELD_IS_DYNAMIC)
		return put_text(encoder, field, value);
	if (field->flags & TEP_FIELD_IS_ARRAY && !field->size)
		return put_rest(encoder, field, value);
	if (!(field->flags & TEP_FIELD_IS_STRING))
		return put_number(encoder, field, value);
	g_strlcpy((char *)encoder->to->data + field->offset, value, field->size);
	return true;
}

/* size of an event's fixed part: the end of its last field */
static uint32_t fixed_size(struct tep_event *event)
{
	uint32_t size = 8;

	for (struct tep_format_field *f = event->format.fields; f; f = f->next)
		size = MAX(size, (uint32_t)(f->offset + f->size));
	return size;
}

/* strings that were not given are empty, not absent */
static bool put_empty_texts(struct encoder *encoder, struct tep_event *event)
{
	for (struct tep_format_field *f = event->format.fields; f; f = f->next)
		if (f->flags & TEP_FIELD_IS_DYNAMIC &&
		    !*(uint32_t *)(encoder->to->data + f->offset) && !put_text(encoder, f, ""))
			return false;
	return true;
}

bool encode_event(struct encoded *encoded, struct tep_event *event, char **words, int count,
		  bool big_endian)
{
	struct encoder encoder = { encoded, big_endian };
	uint32_t size = fixed_size(event);

	memset(encoded, 0, sizeof(*encoded));
	if (size > ENCODE_MOST)
		return refuse(&encoder, "a format that is too long, of", event->name);
	encoded->len = size;
	pages_set_number(encoded->data, event->id, 2, big_endian);
	for (int nr = 0; nr < count; nr++)
		if (*words[nr] != '!' && !put_field(&encoder, event, words[nr]))
			return false;
	return put_empty_texts(&encoder, event);
}
