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

void columns_join(GArray *array, const struct column *columns, size_t offset)
{
	for (; columns->key; columns++) {
		struct column column = *columns;

		column.offset += offset;
		g_array_append_val(array, column);
	}
}

static void clear_member(enum column_type type, void *value)
{
	if (type == COLUMN_REAL)
		*(double *)value = NAN;
	else if (type == COLUMN_TEXT)
		*(const char **)value = NULL;
	else if (type == COLUMN_FLAG)
		*(bool *)value = false;
	else
		*(int64_t *)value = UNKNOWN;
}

void columns_clear(const struct column *columns, void *record)
{
	for (; columns->key; columns++)
		clear_member(columns->type, (char *)record + columns->offset);
}

const struct column *columns_find(const struct column *columns, const char *key)
{
	for (; columns->key; columns++)
		if (!strcmp(columns->key, key))
			return columns;
	return NULL;
}

struct column *columns_choose(const struct column *columns, char *const *wanted)
{
	GArray *chosen = g_array_new(TRUE, FALSE, sizeof(struct column));

	for (; wanted && *wanted; wanted++) {
		const struct column *column = columns_find(columns, *wanted);

		if (column)
			g_array_append_val(chosen, *column);
	}
	return (struct column *)g_array_free(chosen, !wanted);
}

const char *column_unit(const struct column *column)
{
	static const struct { const char *suffix, *unit; } units[] = {
		{ "_ns", "ns" }, { "_percent", "%" }, { "_bytes", "bytes" }, { "_bytes_min", "bytes" },
		{ "_per_second", "1/s" },
	};

	if (column->type == COLUMN_TEXT)
		return "text";
	if (column->type == COLUMN_FLAG)
		return "0 or 1";
	for (size_t nr = 0; nr < G_N_ELEMENTS(units); nr++)
		if (g_str_has_suffix(column->key, units[nr].suffix))
			return units[nr].unit;
	return "";
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
		csv_field(out, columns, member(columns, record), first);
}

void csv_end_line(FILE *out)
{
	fputs("\r\n", out);
}
