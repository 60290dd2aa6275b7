// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "trace/quantities.h"
#include "trace/util.h"
#include "column.h"
#include "document.h"

static json_t *trace_json(const struct trace_info *trace)
{
	/* the file name may be invalid UTF-8 */
	json_t *path = json_string(trace->path);

	return json_pack("{s:o, s:s, s:i, s:i, s:I, s:I, s:I, s:I, s:I}",
			 "file", path ? path : json_null(),
			 "clock", *trace->clock ? trace->clock : "unknown",
			 "cpus", trace->cpus,
			 "buffers", trace->buffers,
			 "events", (json_int_t)trace->records,
			 "repeated_events", (json_int_t)trace->repeated,
			 "left_out_workloads", (json_int_t)workloads_left_out(trace),
			 "start_ns", (json_int_t)trace->start_ns,
			 "end_ns", (json_int_t)trace->end_ns);
}

static json_t *lost_json(const struct trace_info *trace)
{
	return json_pack("{s:I, s:I, s:I}",
			 "gaps", (json_int_t)trace->lost_gaps,
			 "gaps_of_unknown_size", (json_int_t)trace->lost_uncounted,
			 "events_min", (json_int_t)(trace->lost_events + trace->lost_uncounted));
}

static json_t *unknown_json(quantity_set quantities, enum event_id id)
{
	json_t *array = json_array();

	for (enum quantity quantity = 0; quantity < QUANTITY_COUNT; quantity++)
		if (quantities & QUANTITY_BIT(quantity) && quantity_needs(quantity, id))
			json_array_append_new(array, json_string(quantity_name(quantity)));
	return array;
}

static json_t *missing_json(quantity_set quantities, const struct trace_info *trace)
{
	event_set needed = quantities_need(quantities);
	json_t *array = json_array();

	for (enum event_id id = 0; id < EVENT_COUNT; id++) {
		const char *why = event_missing(trace, id);

		if (why && needed & EVENT_BIT(id))
			json_array_append_new(array, json_pack("{s:s, s:s, s:o}",
							       "event", event_name(id),
							       "why", why,
							       "unknown",
							       unknown_json(quantities, id)));
	}
	return array;
}

#define COLUMN(what, type, member) \
	{ #member, COLUMN_##type, offsetof(struct recorded_##what, member) }

static const struct column setting_columns[] = {
	COLUMN(setting, TEXT, gpu),
	COLUMN(setting, TEXT, name),
	COLUMN(setting, TEXT, value),
	{ 0 }
};

#define SETTING_COLUMN(member, ...) \
	{ #member, COLUMN_INTEGER, offsetof(struct recorded_vgpu, set.member) },

static const struct column vgpu_columns[] = {
	COLUMN(vgpu, TEXT, uuid),
	COLUMN(vgpu, TEXT, gpu),
	COLUMN(vgpu, TEXT, type),
	COLUMN(vgpu, TEXT, vm),
	COLUMN(vgpu, INTEGER, id),
	COLUMN(vgpu, INTEGER, pid),
	COLUMN(vgpu, INTEGER, weight),
	VGPU_SETTINGS(SETTING_COLUMN)
	{ 0 }
};

static json_t *list_json(const GPtrArray *list, const struct column *columns)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < list->len; nr++)
		json_array_append_new(array, columns_to_json(columns, list->pdata[nr]));
	return array;
}

static json_t *recorded_json(const struct recorded *recorded)
{
	json_t *object;

	if (!recorded->kernel && !recorded->tsc_khz && !recorded->settings->len &&
	    !recorded->vgpus->len)
		return json_null();
	object = json_pack("{s:o, s:o, s:o, s:o}",
			   "kernel", json_text(recorded->kernel),
			   "preset", json_text(recorded->preset),
			   "clock", json_text(recorded->clock),
			   "command", json_text(recorded->command));
	json_object_set_new(object, "tsc_khz", recorded->tsc_khz ?
			    json_integer(recorded->tsc_khz) : json_null());
	json_object_set_new(object, "settings", list_json(recorded->settings, setting_columns));
	json_object_set_new(object, "vgpus", list_json(recorded->vgpus, vgpu_columns));
	return object;
}

/* observed differences between the CPUs' clocks, a lower bound */
static json_t *skew_json(const struct model *model)
{
	const struct skew *skew = model_skew(model);

	return json_pack("{s:I, s:I}", "events", (json_int_t)skew->events,
			 "max_ns", (json_int_t)skew->max_ns);
}

static json_t *contradictions_json(const struct follow *follow)
{
	GArray *list = contradictions_all(follow);
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < list->len; nr++) {
		const struct contradiction *one = &g_array_index(list, struct contradiction, nr);
		char *text = contradiction_text(one);

		json_array_append_new(array, json_pack("{s:s, s:I, s:o, s:s, s:I, s:o}",
			"sum", contradiction_name(one->sum),
			"dev", (json_int_t)one->engine->dev,
			"vgpu_id", one->vgpu ? json_integer(vgpu_number(one->vgpu->id)) : json_null(),
			"engine", one->engine->name,
			"at_ns", (json_int_t)one->at_ns, "text", json_text(text)));
		g_free(text);
	}
	g_array_free(list, TRUE);
	return array;
}

json_t *document_new(const struct follow *follow, const char *command)
{
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "schema", DOCUMENT_SCHEMA,
			 "tool", "gvt-stat " GVT_STAT_VERSION,
			 "command", command,
			 "trace", trace_json(follow->trace),
			 "recorded", recorded_json(follow->recorded),
			 "lost", lost_json(follow->trace),
			 "skew", skew_json(follow->model),
			 "contradictions", contradictions_json(follow),
			 "missing_events", missing_json(follow->selection->quantities,
							  follow->trace));
}

json_t *document_of_host(const char *command)
{
	return json_pack("{s:s, s:s, s:s}", "schema", DOCUMENT_SCHEMA,
			 "tool", "gvt-stat " GVT_STAT_VERSION, "command", command);
}

void document_add_window(json_t *document, struct window window)
{
	json_object_set_new(document, "window_start_ns", json_integer(window.from_ns));
	json_object_set_new(document, "window_end_ns", json_integer(window.to_ns));
	json_object_set_new(document, "window_ns", json_integer(window.to_ns - window.from_ns));
}

/* buffers the output of jansson, which writes word by word */
struct buffer {
	FILE *out;
	size_t used;
	char data[1 << 14];
};

static void flush(struct buffer *buffer)
{
	fwrite(buffer->data, 1, buffer->used, buffer->out);
	buffer->used = 0;
}

/* The program checks for write errors at its end. */
static int put(const char *text, size_t size, void *ctx)
{
	struct buffer *buffer = ctx;

	if (size > sizeof(buffer->data) - buffer->used)
		flush(buffer);
	if (size > sizeof(buffer->data)) {
		fwrite(text, 1, size, buffer->out);
		return 0;
	}
	memcpy(buffer->data + buffer->used, text, size);
	buffer->used += size;
	return 0;
}

/* The buffer saves stdio calls for each word, a sixth of the time of a long 'why waits --json'. */
void document_print(json_t *document, FILE *out)
{
	struct buffer buffer = { .out = out };

	json_dump_callback(document, put, &buffer, JSON_INDENT(2) | DOCUMENT_REALS);
	flush(&buffer);
	fputc('\n', out);
	json_decref(document);
}

static void put_text(const char *text, struct buffer *buffer)
{
	put(text, strlen(text), buffer);
}

struct document_list {
	struct buffer buffer;
	bool begun;			/* has at least one line */
};

struct document_list *document_begin(json_t *document, const char *name, FILE *out)
{
	struct document_list *list = g_new0(struct document_list, 1);

	list->buffer.out = out;
	put_text("{", &list->buffer);
	json_dump_callback(document, put, &list->buffer,
			   JSON_INDENT(2) | DOCUMENT_REALS | JSON_EMBED);
	put_text(",\n  \"", &list->buffer);
	put_text(name, &list->buffer);
	put_text("\": [", &list->buffer);
	json_decref(document);
	return list;
}

void document_line(struct document_list *list, json_t *line)
{
	put_text(list->begun ? ",\n    " : "\n    ", &list->buffer);
	list->begun = true;
	json_dump_callback(line, put, &list->buffer, JSON_COMPACT | DOCUMENT_REALS);
	json_decref(line);
}

void document_end(struct document_list *list)
{
	put_text("\n  ]\n}\n", &list->buffer);
	flush(&list->buffer);
	g_free(list);
}
