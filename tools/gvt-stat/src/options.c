// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "options.h"
#include "util.h"

enum option_key {
	KEY_JSON = 0x100,
	KEY_CSV,
	KEY_TIME,
	KEY_VGPU,
	KEY_ENGINE,
	KEY_TSC_KHZ,
	KEY_IN_PROCESS,
	KEY_COLUMNS,
	KEY_LIST,
};

/* long enough for "1, 2, 3, ..." in a message */
#define LIST_LEN	256

static const struct argp_option option_table[] = {
	{ "input", 'i', "FILE", 0, "Trace recorded by trace-cmd (trace.dat)", 0 },
	{ "time", KEY_TIME, "FROM,TO", 0,
	  "Observe only this window: seconds as trace-cmd report prints them, or +SECONDS from the start of the trace; either may be empty", 0 },
	{ "vgpu", KEY_VGPU, "LIST", 0, "Only these vGPUs, by id or UUID: 1,2", 0 },
	{ "engine", KEY_ENGINE, "LIST", 0, "Only these engines: rcs0,vcs0", 0 },
	{ "tsc-khz", KEY_TSC_KHZ, "N", 0,
	  "Rate of the x86-tsc clock, for traces that do not hold it", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print one JSON document", 1 },
	{ "csv", KEY_CSV, NULL, 0, "Print comma-separated values (RFC 4180)", 1 },
	{ "columns", KEY_COLUMNS, "LIST", 0,
	  "Only these columns, in this order: vgpu_id,exec_ns", 1 },
	{ "list", KEY_LIST, NULL, 0, "List the columns that there are, and end", 1 },
	{ "in-process", KEY_IN_PROCESS, NULL, 0,
	  "Read in this process, for debuggers: a crash in libtracecmd is not caught", 2 },
	{ 0 }
};

static void parse_time(const char *arg, struct options *options, struct argp_state *state)
{
	if (!timespan_parse(arg, &options->span))
		argp_error(state, "--time %s: give FROM,TO in seconds, such as 12.5,13 or +1,+2.5",
			   arg);
}

static void parse_tsc_khz(const char *arg, struct options *options, struct argp_state *state)
{
	guint64 khz;

	if (!g_ascii_string_to_unsigned(arg, 10, 1, INT32_MAX, &khz, NULL))
		argp_error(state, "--tsc-khz %s: give a whole number of kHz, such as 2400000", arg);
	options->tsc_khz = khz;
}

static char **parse_list(const char *arg, const char *option, char **old,
			 struct argp_state *state)
{
	char **list = g_strsplit(arg, ",", -1);

	for (char **item = list; *item; item++)
		if (!**item)
			argp_error(state, "%s %s: an item of the list is empty", option, arg);
	if (!*list)
		argp_error(state, "%s: the list is empty", option);
	g_strfreev(old);
	return list;
}

static void list_columns(const struct column *const *tables)
{
	for (; *tables; tables++)
		for (const struct column *column = *tables; column->key; column++)
			printf("%-28s %s\n", column->key, column_unit(column));
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'i':
		options->input = arg;
		break;
	case KEY_TIME:
		parse_time(arg, options, state);
		break;
	case KEY_VGPU:
		options->vgpus = parse_list(arg, "--vgpu", options->vgpus, state);
		break;
	case KEY_ENGINE:
		options->engines = parse_list(arg, "--engine", options->engines, state);
		break;
	case KEY_TSC_KHZ:
		parse_tsc_khz(arg, options, state);
		break;
	case KEY_JSON:
		options->format = FORMAT_JSON;
		break;
	case KEY_CSV:
		options->format = FORMAT_CSV;
		break;
	case KEY_COLUMNS:
		options->columns = parse_list(arg, "--columns", options->columns, state);
		break;
	case KEY_LIST:
		list_columns(options->tables);
		exit(EXIT_SUCCESS);
	case KEY_IN_PROCESS:
		options->in_process = true;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is no option: name the trace with -i FILE", arg);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp options_argp = { option_table, parse_option, NULL, NULL, NULL, NULL, NULL };

void options_init(struct options *options)
{
	*options = (struct options) {
		.input = "trace.dat",
		.span = { .from = { .ns = UNKNOWN }, .to = { .ns = UNKNOWN } },
	};
}

void options_clear(struct options *options)
{
	g_strfreev(options->vgpus);
	g_strfreev(options->engines);
	g_strfreev(options->columns);
}

/* not what people get by default */
static bool are_lines(const struct options *options)
{
	return options->format == FORMAT_CSV ||
	       (options->format == FORMAT_TABLE && options->columns);
}

void options_print(const struct options *options, const struct forms *forms, const void *result)
{
	if (are_lines(options))
		forms->lines(result);
	else if (options->format == FORMAT_JSON)
		forms->json(result);
	else
		forms->tables(result);
}

/* A command has a few tables, and asks for the columns of each once per line at most. */
const struct column *options_columns(const struct options *options,
				     const struct column *columns)
{
	static GHashTable *chosen;
	const struct column *found;

	if (!options->columns)
		return columns;
	if (!chosen)
		chosen = g_hash_table_new(NULL, NULL);
	found = g_hash_table_lookup(chosen, columns);
	if (!found) {
		found = columns_choose(columns, options->columns);
		g_hash_table_insert(chosen, (void *)columns, (void *)found);
	}
	return found;
}

static bool has_column(const struct column *const *tables, const char *key)
{
	for (; *tables; tables++)
		if (columns_find(*tables, key))
			return true;
	return false;
}

void options_check_columns(char *const *wanted, const struct column *const *tables)
{
	for (; wanted && *wanted; wanted++)
		if (!has_column(tables, *wanted))
			fatal("--columns %s: no such column; --list names those that there are",
			      *wanted);
}

static bool is_uuid(const char *item)
{
	return strchr(item, '-');
}

static bool is_this_vgpu(const char *item, const struct vgpu *vgpu)
{
	guint64 id;

	if (is_uuid(item))
		return vgpu->uuid && !g_ascii_strcasecmp(item, vgpu->uuid);
	return g_ascii_string_to_unsigned(item, 10, 0, INT32_MAX, &id, NULL) &&
	       vgpu->id == (int64_t)id;
}

bool options_want_vgpu(const struct options *options, const struct vgpu *vgpu)
{
	if (!options->vgpus)
		return true;
	for (char **item = options->vgpus; *item; item++)
		if (is_this_vgpu(*item, vgpu))
			return true;
	return false;
}

bool options_want_engine(const struct options *options, const struct gpu_engine *engine)
{
	char name[ENGINE_NAME_LEN];

	if (!options->engines)
		return true;
	engine_name(name, engine->class, engine->instance);
	return g_strv_contains((const char *const *)options->engines, name);
}

bool options_want(const struct options *options, const struct vgpu_engine *queue)
{
	return options_want_vgpu(options, queue->vgpu) &&
	       options_want_engine(options, queue->engine);
}

static bool seen(const char *item, const struct model *model)
{
	const GPtrArray *vgpus = model_vgpus(model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (is_this_vgpu(item, vgpus->pdata[nr]))
			return true;
	return false;
}

bool options_uuids_known(const struct options *options, const struct model *model)
{
	for (char **item = options->vgpus; item && *item; item++)
		if (is_uuid(*item) && !seen(*item, model))
			return false;
	return true;
}

/* for "%" PRId64 ".%09" PRId64 */
#define SECONDS_ARGS(ns)	((ns) / NSEC_PER_SEC), ((ns) % NSEC_PER_SEC)

struct window options_window(const struct options *options, const struct trace_info *trace)
{
	struct window all = { .from_ns = trace->start_ns, .to_ns = INT64_MAX };
	struct window window;

	if (!known(trace->start_ns))
		fatal("%s: holds no events: was the host idle, or tracing off?", trace->path);
	window = timespan_resolve(&options->span, all);
	if (window.from_ns > window.to_ns)
		fatal("--time: ends before it begins, or before the trace, which begins at %" PRId64 ".%09" PRId64 " s",
		      SECONDS_ARGS(trace->start_ns));
	return window;
}

void options_check_window(struct window window, const struct trace_info *trace)
{
	if (window.from_ns > trace->end_ns)
		fatal("--time: begins after the trace, which ends at %" PRId64 ".%09" PRId64 " s",
		      SECONDS_ARGS(trace->end_ns));
}

static void check_vgpu(const struct model *model, const char *item)
{
	const GPtrArray *vgpus = model_vgpus(model);
	GString *list = g_string_new(vgpus->len ? NULL : "none");

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];

		g_string_append_printf(list, "%s%" PRId64, nr ? ", " : "", vgpu->id);
		if (vgpu->uuid)
			g_string_append_printf(list, " (%s)", vgpu->uuid);
	}
	if (!seen(item, model))
		fatal("--vgpu %s: no such vGPU in the trace; there %s %.*s", item,
		      vgpus->len == 1 ? "is" : "are", LIST_LEN, list->str);
	g_string_free(list, TRUE);
}

static void check_engine(const struct model *model, const char *item)
{
	const GPtrArray *engines = model_engines(model);
	GString *list = g_string_new(engines->len ? NULL : "none");
	char name[ENGINE_NAME_LEN];
	bool found = false;

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		engine_name(name, engine->class, engine->instance);
		found = found || !strcmp(item, name);
		g_string_append_printf(list, "%s%s", nr ? ", " : "", name);
	}
	if (!found)
		fatal("--engine %s: no work on such an engine in the trace; there %s %.*s", item,
		      engines->len == 1 ? "is" : "are", LIST_LEN, list->str);
	g_string_free(list, TRUE);
}

void options_check_known(const struct options *options, const struct model *model)
{
	for (char **item = options->vgpus; item && *item; item++)
		check_vgpu(model, *item);
	for (char **item = options->engines; item && *item; item++)
		check_engine(model, *item);
}
