// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "column.h"
#include "util.h"

static const void *member(const struct column *column, const void *record)
{
	return (const char *)record + column->offset;
}

static json_t *integer_json(const void *value)
{
	int64_t integer = *(const int64_t *)value;

	return known(integer) ? json_integer(integer) : json_null();
}

static json_t *real_json(const void *value)
{
	double real = *(const double *)value;

	return isfinite(real) ? json_real(real) : json_null();
}

static json_t *text_json(const void *value)
{
	const char *text = *(const char *const *)value;
	/* a damaged trace may hold any bytes: those JSON cannot hold are unknown */
	json_t *json = text ? json_string(text) : NULL;

	return json ? json : json_null();
}

static json_t *flag_json(const void *value)
{
	return json_boolean(*(const bool *)value);
}

json_t *columns_to_json(const struct column *columns, const void *record)
{
	static json_t *(*const convert[])(const void *) = {
		[COLUMN_INTEGER] = integer_json,
		[COLUMN_TIME] = integer_json,
		[COLUMN_DURATION] = integer_json,
		[COLUMN_REAL] = real_json,
		[COLUMN_TEXT] = text_json,
		[COLUMN_FLAG] = flag_json,
	};
	json_t *object = json_object();

	for (const struct column *c = columns; c->key; c++)
		json_object_set_new(object, c->key, convert[c->type](member(c, record)));
	return object;
}

static void separate(FILE *out, bool *first)
{
	if (!*first)
		fputc(',', out);
	*first = false;
}

void csv_text(FILE *out, const char *text, bool *first)
{
	separate(out, first);
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void csv_field(FILE *out, const struct column *column, const void *value, bool *first)
{
	char text[64] = "";

	if (column->type == COLUMN_TEXT) {
		const char *string = *(const char *const *)value;

		csv_text(out, string ? string : "", first);
		return;
	}
	if (column->type <= COLUMN_DURATION && known(*(const int64_t *)value))
		snprintf(text, sizeof(text), "%" PRId64, *(const int64_t *)value);
	else if (column->type == COLUMN_REAL && isfinite(*(const double *)value))
		snprintf(text, sizeof(text), "%.6f", *(const double *)value);
	else if (column->type == COLUMN_FLAG)
		snprintf(text, sizeof(text), "%d", *(const bool *)value);
	csv_text(out, text, first);
}

void csv_header(FILE *out, const struct column *columns, bool *first)
{
	for (; columns->key; columns++)
		csv_text(out, columns->key, first);
}

void csv_record(FILE *out, const struct column *columns, const void *record, bool *first)
{
	for (; columns->key; columns++)
		if (record)
			csv_field(out, columns, member(columns, record), first);
		else
			csv_text(out, "", first);
}

void csv_end_line(FILE *out)
{
	fputs("\r\n", out);
}
