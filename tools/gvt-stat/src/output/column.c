// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/model.h"
#include "trace/util.h"
#include "column.h"

static const void *member(const struct column *column, const void *record)
{
	return (const char *)record + column->offset;
}

/* columns of ids show the numbers of vGPUs */
static int64_t integer_of(const struct column *column, const void *value)
{
	int64_t integer = *(const int64_t *)value;

	return column->key && g_str_has_suffix(column->key, "vgpu_id") ? vgpu_number(integer) : integer;
}

static void print_integer(char *text, enum column_unit unit, int64_t value)
{
	switch (unit) {
	case UNIT_MS:
		g_snprintf(text, COLUMN_TEXT_LEN, "%.3f", (double)value / NSEC_PER_MSEC);
		break;
	case UNIT_S:
		g_snprintf(text, COLUMN_TEXT_LEN, SECONDS, SECONDS_OF(value));
		break;
	case UNIT_KIB:
		g_snprintf(text, COLUMN_TEXT_LEN, "%.0f", value / 1024.0);
		break;
	case UNIT_MIB:
		g_snprintf(text, COLUMN_TEXT_LEN, "%.1f", value / 1048576.0);
		break;
	default:
		g_snprintf(text, COLUMN_TEXT_LEN, "%" PRId64, value);
	}
}

/* Numbers that tables show in thousandths, or in millionths, of their unit are so much smaller than others. */
static int more_decimals(const struct column *column)
{
	return column->unit == UNIT_MILLI ? 3 : column->unit == UNIT_MICRO ? 6 : 0;
}

static void print_real(char *text, const struct column *column, enum column_unit unit, double value)
{
	static const struct { double factor; int digits; } units[] = {
		[UNIT_MS] = { 1.0 / NSEC_PER_MSEC, 3 }, [UNIT_MILLI] = { 1e3, 3 }, [UNIT_MICRO] = { 1e6, 1 },
	};
	bool plain = unit >= G_N_ELEMENTS(units) || !units[unit].digits;

	g_snprintf(text, COLUMN_TEXT_LEN, "%.*f", plain ? 2 + more_decimals(column) : units[unit].digits,
		   value * (plain ? 1 : units[unit].factor));
}

/* "49.9..50.3", or "49.9.." if the upper bound is unknown */
static void print_bounds(char *text, const double *bounds)
{
	int len;

	if (!isfinite(bounds[0]))
		return;
	len = g_snprintf(text, COLUMN_TEXT_LEN, "%.2f", bounds[0]);
	if (bounds[0] == bounds[1])
		return;
	len += g_snprintf(text + len, COLUMN_TEXT_LEN - len, "..");
	if (isfinite(bounds[1]))
		g_snprintf(text + len, COLUMN_TEXT_LEN - len, "%.2f", bounds[1]);
}

const char *column_text(char *text, const struct column *column, enum column_unit unit,
			const void *record)
{
	const void *value = member(column, record);
	const char *told;

	g_strlcpy(text, "-", COLUMN_TEXT_LEN);
	if (column->type == COLUMN_TEXT) {
		told = *(const char *const *)value;
		g_strlcpy(text, told ? told : "-", COLUMN_TEXT_LEN);
	} else if (column->type == COLUMN_FLAG) {
		g_strlcpy(text, *(const bool *)value ? "1" : "0", COLUMN_TEXT_LEN);
	} else if (column->type == COLUMN_REAL) {
		if (isfinite(*(const double *)value))
			print_real(text, column, unit, *(const double *)value);
	} else if (column->type == COLUMN_BOUNDS) {
		print_bounds(text, value);
	} else if (known(*(const int64_t *)value)) {
		print_integer(text, unit, integer_of(column, value));
	}
	return text;
}

json_t *json_text(const char *text)
{
	/* a damaged trace may contain any bytes: text that is no UTF-8 becomes null */
	json_t *json = text ? json_string(text) : NULL;

	return json ? json : json_null();
}

json_t *json_number(int64_t number)
{
	return known(number) ? json_integer(number) : json_null();
}

json_t *json_decimal(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

static json_t *integer_json(const void *value)
{
	return json_number(*(const int64_t *)value);
}

static json_t *real_json(const void *value)
{
	return json_decimal(*(const double *)value);
}

/* the number if both bounds are equal, else NAN */
static double certain(const double *bounds)
{
	return bounds[0] == bounds[1] ? bounds[0] : NAN;
}

static json_t *certain_json(const void *value)
{
	double real = certain(value);

	return real_json(&real);
}

static json_t *text_json(const void *value)
{
	return json_text(*(const char *const *)value);
}

static json_t *flag_json(const void *value)
{
	return json_boolean(*(const bool *)value);
}

json_t *columns_to_json(const struct column *columns, const void *record)
{
	static json_t *(*const convert[])(const void *) = {
		[COLUMN_INTEGER] = integer_json,
		[COLUMN_REAL] = real_json,
		[COLUMN_BOUNDS] = certain_json,
		[COLUMN_TEXT] = text_json,
		[COLUMN_FLAG] = flag_json,
	};
	json_t *object = json_object();

	for (const struct column *c = columns; !column_is_last(c); c++) {
		const void *value = member(c, record);
		int64_t number;

		if (c->type == COLUMN_INTEGER) {
			number = integer_of(c, value);
			value = &number;
		}
		if (c->key)
			json_object_set_new(object, c->key, convert[c->type](value));
	}
	return object;
}

void json_lines_add(void *to, const void *record)
{
	const struct json_lines *lines = to;

	json_array_append_new(lines->lines, columns_to_json(lines->columns, record));
}

void columns_join(GArray *array, const struct column *columns, size_t offset)
{
	for (; !column_is_last(columns); columns++) {
		struct column column = *columns;

		column.offset += offset;
		g_array_append_val(array, column);
	}
}

static gint compare_places(gconstpointer a, gconstpointer b)
{
	return ((const struct column *)a)->place - ((const struct column *)b)->place;
}

void columns_of_table(GArray *array, const struct column *columns, int table, size_t offset)
{
	GArray *chosen = g_array_new(TRUE, FALSE, sizeof(struct column));

	for (; !column_is_last(columns); columns++)
		if (columns->table == table)
			g_array_append_val(chosen, *columns);
	g_array_sort(chosen, compare_places);
	columns_join(array, (const struct column *)chosen->data, offset);
	g_array_free(chosen, TRUE);
}

static void clear_member(enum column_type type, void *value)
{
	if (type == COLUMN_REAL)
		*(double *)value = NAN;
	else if (type == COLUMN_BOUNDS)
		((double *)value)[0] = ((double *)value)[1] = NAN;
	else if (type == COLUMN_TEXT)
		*(const char **)value = NULL;
	else if (type == COLUMN_FLAG)
		*(bool *)value = false;
	else
		*(int64_t *)value = UNKNOWN;
}

void columns_clear(const struct column *columns, void *record)
{
	for (; !column_is_last(columns); columns++)
		clear_member(columns->type, (char *)record + columns->offset);
}

const struct column *columns_find(const struct column *columns, const char *key)
{
	for (; !column_is_last(columns); columns++)
		if (columns->key && (!strcmp(columns->key, key) || !g_strcmp0(columns->title, key)))
			return columns;
	return NULL;
}

void columns_title(struct column *columns, const char *key, const char *title)
{
	struct column *column = (struct column *)columns_find(columns, key);

	g_assert(column);
	column->title = title;
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

static bool ends_with(const char *key, const char *suffix)
{
	size_t len = strlen(key);

	/* the unit precedes the suffix of a bound */
	if (g_str_has_suffix(key, "_min") || g_str_has_suffix(key, "_max"))
		len -= strlen("_min");
	return len >= strlen(suffix) &&
	       !strncmp(key + len - strlen(suffix), suffix, strlen(suffix));
}

/* derived from type and key */
static const char *column_unit(const struct column *column)
{
	static const struct { const char *suffix, *unit; } units[] = {
		{ "_ns", "ns" }, { "_percent", "%" }, { "_bytes", "bytes" },
		{ "_per_second", "1/s" },
	};

	if (column->type == COLUMN_TEXT)
		return "text";
	if (column->type == COLUMN_FLAG)
		return "0 or 1";
	for (size_t nr = 0; nr < G_N_ELEMENTS(units); nr++)
		if (ends_with(column->key, units[nr].suffix))
			return units[nr].unit;
	return "";
}

void columns_list(const struct column *columns, FILE *out)
{
	for (; !column_is_last(columns); columns++) {
		char *line;

		if (!columns->key)
			continue;
		line = g_strdup_printf("%-28s %-6s %s", columns->key, column_unit(columns),
				       columns->title ? columns->title : "");
		fprintf(out, "%s\n", g_strchomp(line));
		g_free(line);
	}
}

bool csv_needs_quotes(const char *text)
{
	for (; *text; text++)
		if (*text == ',' || *text == '"' || *text == '\r' || *text == '\n')
			return true;
	return false;
}

void csv_text(FILE *out, const char *text)
{
	if (!csv_needs_quotes(text)) {
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

static void csv_field(FILE *out, const struct column *column, const void *value)
{
	char text[64] = "";
	double real;

	if (column->type == COLUMN_TEXT) {
		const char *string = *(const char *const *)value;

		csv_text(out, string ? string : "");
		return;
	}
	if (column->type == COLUMN_INTEGER && known(*(const int64_t *)value))
		snprintf(text, sizeof(text), "%" PRId64, integer_of(column, value));
	else if (column->type == COLUMN_FLAG)
		snprintf(text, sizeof(text), "%d", *(const bool *)value);
	else if (column->type != COLUMN_INTEGER) {
		real = column->type == COLUMN_BOUNDS ? certain(value) : *(const double *)value;
		if (isfinite(real))
			snprintf(text, sizeof(text), "%.*f", 6 + more_decimals(column), real);
	}
	csv_text(out, text);
}

/* @record: NULL for the names of the columns */
static void csv_fields(FILE *out, const struct column *columns, const void *record)
{
	bool first = true;

	for (; !column_is_last(columns); columns++) {
		if (!columns->key)
			continue;
		if (!first)
			fputc(',', out);
		first = false;
		if (record)
			csv_field(out, columns, member(columns, record));
		else
			csv_text(out, columns->key);
	}
	fputc('\n', out);
}

void csv_header(FILE *out, const struct column *columns)
{
	csv_fields(out, columns, NULL);
}

void csv_line(FILE *out, const struct column *columns, const void *record)
{
	csv_fields(out, columns, record);
}
