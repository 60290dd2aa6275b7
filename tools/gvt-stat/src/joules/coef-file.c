// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files of coefficients: JSON, checked to the last member.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "host/newfile.h"
#include "output/column.h"
#include "output/document.h"
#include "trace/util.h"
#include "coef.h"

#define MAKE_ANEW	"make it anew with 'gvt-stat energy --save-coef'"
/* a file of the 200 consumers that 'gvt-stat energy' looks at has less than 4 MB */
#define MOST_BYTES	(8 * 1024 * 1024)
#define MOST_POWERS	1000
#define MOST_NAME	256
#define BETWEEN		" + "

/* --- writing --------------------------------------------------------------------------------- */

/* "UUID/rcs0", "host/rcs0", or "rcs0" of any vGPU; the caller frees */
static char *key_of(const struct coef_power *power)
{
	return power->who ? g_strdup_printf("%s/%s", power->who, power->engine) : g_strdup(power->engine);
}

static json_t *watts_json(struct coef_watts watts)
{
	return json_pack("{s:o, s:o}", "watts", json_decimal(watts.watts), "bound_watts", json_decimal(watts.bound));
}

static json_t *powers_json(const struct coef *coef)
{
	json_t *powers = json_object();

	for (guint nr = 0; nr < coef->powers->len; nr++) {
		const struct coef_power *power = &g_array_index(coef->powers, struct coef_power, nr);
		json_t *json = watts_json(power->power);
		char *key = key_of(power);

		if (power->vm)
			json_object_set_new(json, "vm", json_text(power->vm));
		json_object_set_new(powers, key, json);
		g_free(key);
	}
	return powers;
}

static json_t *savings_json(const struct coef *coef)
{
	json_t *savings = json_object();

	for (guint nr = 0; nr < coef->savings->len; nr++) {
		const struct coef_saving *saving = &g_array_index(coef->savings, struct coef_saving, nr);
		char *a = key_of(&g_array_index(coef->powers, struct coef_power, saving->a));
		char *b = key_of(&g_array_index(coef->powers, struct coef_power, saving->b));
		char *key = g_strconcat(a, BETWEEN, b, NULL);

		json_object_set_new(savings, key, watts_json(saving->power));
		g_free(key);
		g_free(b);
		g_free(a);
	}
	return savings;
}

static json_t *coef_json(const struct coef *coef)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o}", "schema", COEF_SCHEMA,
			 "host", json_text(coef->host), "date", json_text(coef->date),
			 "condition", json_decimal(coef->condition),
			 "residual_percent", json_decimal(coef->residual), "speed", coef->speed,
			 "awake", watts_json(coef->awake), "idle", watts_json(coef->idle), "powers", powers_json(coef),
			 "savings", savings_json(coef));
}

void coef_save(const struct coef *coef, const char *path)
{
	json_t *json = coef_json(coef);
	struct newfile file;
	int error = newfile_open(&file, path);

	if (!error) {
		json_dumpf(json, file.stream, JSON_INDENT(2) | DOCUMENT_REALS);
		putc('\n', file.stream);
		error = newfile_close(&file);
	}
	json_decref(json);
	if (error)
		fatal("cannot write %s: %s", path, strerror(error));
}

/* --- reading --------------------------------------------------------------------------------- */

struct reading {
	struct coef *coef;
	GHashTable *numbers;		/* of powers, by key */
};

static _Noreturn void refuse(const struct coef *coef, const char *field, const char *what)
{
	fatal("%s: %s: %s: %s", coef->path, make_printable(g_strdup(field)), what, MAKE_ANEW);
}

/* @prefix.@name; the caller frees */
static char *field_of(const char *prefix, const char *name)
{
	return *prefix ? g_strdup_printf("%s.%s", prefix, name) : g_strdup(name);
}

static double number_of(const struct coef *coef, json_t *object, const char *prefix, const char *name,
			double least, double most)
{
	json_t *value = json_object_get(object, name);
	char *field = field_of(prefix, name), *what;
	double number = NAN;

	if (!value)
		refuse(coef, field, "it is missing");
	if (json_is_number(value))
		number = json_number_value(value);
	if (!json_is_null(value) && !(number >= least && number <= most)) {
		what = g_strdup_printf("it is no number from %g to %g", least, most);
		refuse(coef, field, what);
	}
	g_free(field);
	return number;
}

static double must_be_known(const struct coef *coef, const char *prefix, const char *name, double number)
{
	if (isnan(number))
		refuse(coef, field_of(prefix, name), "it is null, but has to be known");
	return number;
}

static char *text_of(const struct coef *coef, json_t *object, const char *prefix, const char *name)
{
	json_t *value = json_object_get(object, name);

	if (!value || json_is_null(value))
		return NULL;
	if (!json_is_string(value) || json_string_length(value) > MOST_NAME)
		refuse(coef, field_of(prefix, name), "it is no text, or longer than 256 bytes");
	return make_printable(g_strdup(json_string_value(value)));
}

/* @names: as "schema", ..., NULL */
static void only(const struct coef *coef, json_t *object, const char *prefix, const char *const *names)
{
	const char *key;
	json_t *value;

	if (!json_is_object(object))
		refuse(coef, *prefix ? prefix : "the file", "it is no object");
	json_object_foreach(object, key, value)
		if (!g_strv_contains(names, key))
			refuse(coef, field_of(prefix, key), "it is not known");
}

static struct coef_watts watts_of(const struct coef *coef, json_t *object, const char *prefix)
{
	static const char *const names[] = { "watts", "bound_watts", "vm", NULL };

	only(coef, object, prefix, names);
	return (struct coef_watts) {
		number_of(coef, object, prefix, "watts", 0, COEF_MOST_WATTS),
		number_of(coef, object, prefix, "bound_watts", 0, COEF_MOST_WATTS),
	};
}

static struct coef_watts known_watts_of(const struct coef *coef, json_t *object, const char *prefix)
{
	struct coef_watts watts = watts_of(coef, object, prefix);

	must_be_known(coef, prefix, "watts", watts.watts);
	must_be_known(coef, prefix, "bound_watts", watts.bound);
	return watts;
}

static bool is_engine(const char *text)
{
	return *text && strlen(text) < ENGINE_NAME_LEN &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(text);
}

/* a UUID, or "host" */
static bool is_who(const char *text)
{
	return *text && strlen(text) < MOST_NAME && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(text);
}

static void read_power(struct reading *reading, const char *key, json_t *json)
{
	struct coef *coef = reading->coef;
	char *field = field_of("powers", key), **parts = g_strsplit(key, "/", 2);
	const char *who = parts[0] && parts[1] ? parts[0] : NULL;
	const char *engine = who ? parts[1] : key;
	struct coef_watts watts;
	char *vm;

	if (!is_engine(engine) || (who && !is_who(who)))
		refuse(coef, field, "it is none of ENGINE, UUID/ENGINE and host/ENGINE");
	if (coef->powers->len >= MOST_POWERS)
		refuse(coef, field, "there are more than 1000");
	watts = known_watts_of(coef, json, field);
	vm = text_of(coef, json, field, "vm");
	g_hash_table_insert(reading->numbers, g_strdup(key), GUINT_TO_POINTER(coef_add(coef, who, vm, engine, watts)));
	g_free(vm);
	g_strfreev(parts);
	g_free(field);
}

static void read_saving(struct reading *reading, const char *key, json_t *json)
{
	struct coef *coef = reading->coef;
	char *field = field_of("savings", key), **parts = g_strsplit(key, BETWEEN, 2);
	gpointer a, b;
	struct coef_saving saving;

	if (!parts[0] || !parts[1] || !strcmp(parts[0], parts[1]) ||
	    !g_hash_table_lookup_extended(reading->numbers, parts[0], NULL, &a) ||
	    !g_hash_table_lookup_extended(reading->numbers, parts[1], NULL, &b))
		refuse(coef, field, "it is not of two of the powers, as \"rcs0 + vcs0\"");
	saving = (struct coef_saving) {
		MIN(GPOINTER_TO_UINT(a), GPOINTER_TO_UINT(b)), MAX(GPOINTER_TO_UINT(a), GPOINTER_TO_UINT(b)),
		known_watts_of(coef, json, field),
	};
	if (coef_has_saving(coef, saving.a, saving.b))
		refuse(coef, field, "it is given twice");
	g_array_append_val(coef->savings, saving);
	g_strfreev(parts);
	g_free(field);
}

static void read_each(struct reading *reading, json_t *file, const char *name,
		      void (*read)(struct reading *reading, const char *key, json_t *json))
{
	json_t *object = json_object_get(file, name), *value;
	const char *key;

	if (!json_is_object(object))
		refuse(reading->coef, name, "it is missing, or no object");
	json_object_foreach(object, key, value)
		read(reading, key, value);
}

static void read_coef(struct coef *coef, json_t *file)
{
	static const char *const names[] = {
		"schema", "host", "date", "condition", "residual_percent", "speed", "awake", "idle", "powers", "savings", NULL
	};
	struct reading reading = { coef, g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };

	if (g_strcmp0(json_string_value(json_object_get(file, "schema")), COEF_SCHEMA))
		refuse(coef, "schema", "it is not " COEF_SCHEMA);
	only(coef, file, "", names);
	coef->host = text_of(coef, file, "", "host");
	coef->date = text_of(coef, file, "", "date");
	coef->condition = number_of(coef, file, "", "condition", 1 - 1e-9, HUGE_VAL);
	coef->residual = number_of(coef, file, "", "residual_percent", 0, HUGE_VAL);
	coef->speed = must_be_known(coef, "", "speed", number_of(coef, file, "", "speed", 1 / COEF_MOST_SPEED,
								 COEF_MOST_SPEED));
	coef->awake = watts_of(coef, json_object_get(file, "awake"), "awake");
	coef->idle = watts_of(coef, json_object_get(file, "idle"), "idle");
	read_each(&reading, file, "powers", read_power);
	read_each(&reading, file, "savings", read_saving);
	if (!coef->powers->len)
		refuse(coef, "powers", "there is none");
	g_hash_table_destroy(reading.numbers);
}

/* the whole file, which may be anything; ends the program if it is too large */
static char *load(const char *path, size_t *len)
{
	FILE *stream = fopen(path, "r");
	char *text;

	if (!stream)
		fatal("%s: %s", path, strerror(errno));
	text = g_malloc(MOST_BYTES + 1);
	*len = fread(text, 1, MOST_BYTES + 1, stream);
	if (ferror(stream))
		fatal("%s: %s", path, strerror(errno));
	if (*len > MOST_BYTES)
		fatal("%s: more than %d MB: no file of 'gvt-stat energy --save-coef'", path, MOST_BYTES >> 20);
	fclose(stream);
	return text;
}

struct coef *coef_read(const char *path)
{
	struct coef *coef = coef_new(path);
	json_error_t error;
	json_t *file;
	size_t len;
	char *text = load(path, &len);

	file = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	if (!file)
		fatal("%s:%d:%d: %s: no file of 'gvt-stat energy --save-coef'", path, error.line, error.column,
		      make_printable(error.text));
	g_free(text);
	read_coef(coef, file);
	json_decref(file);
	return coef;
}
