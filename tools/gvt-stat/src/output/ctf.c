// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdbool.h>
#include <sys/resource.h>

#include <babeltrace2/babeltrace.h>
#include <glib.h>

#include "ctf.h"

/* of events; Trace Compass and babeltrace2 find a time by packets */
#define PACKET_EVENTS	1000
/* so many are kept before the library goes on */
#define KEPT_MESSAGES	256

struct ctf_class {
	bt_event_class *event_class;
	unsigned int count;
	enum ctf_type *types;
};

/* the stream of a CPU */
struct channel {
	bt_stream *stream;		/* NULL: has had no event */
	bt_packet *packet;		/* NULL: none is open */
	unsigned int events;		/* in it */
	bool begun;			/* there was a packet */
	uint64_t last_ns;
};

struct ctf {
	const struct ctf_fact *facts;
	bt_graph *graph;
	bt_self_message_iterator *iterator;
	bt_trace_class *trace_class;
	bt_stream_class *stream_class;
	bt_trace *trace;
	GArray *channels;		/* struct channel, by CPU */
	GPtrArray *classes;		/* struct ctf_class */
	const bt_message *kept[KEPT_MESSAGES];
	unsigned int first, end;	/* of these, not taken yet */
	bool over;			/* nothing will be added */
	int error;			/* errno; then all is over */
};

/* The library keeps to itself why it could not make a file larger. */
static int why_not_larger(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY ? EFBIG : ENOSPC;
}

static void fail(struct ctf *ctf)
{
	if (!ctf->error)
		ctf->error = errno ? errno : why_not_larger();
	bt_current_thread_clear_error();
}

/* --- what the library asks for --------------------------------------------------- */

static bt_field_class *new_number(bt_trace_class *trace_class, bool is_signed, unsigned int bits)
{
	bt_field_class *number = is_signed ? bt_field_class_integer_signed_create(trace_class) :
					     bt_field_class_integer_unsigned_create(trace_class);

	bt_field_class_integer_set_field_value_range(number, bits);
	return number;
}

static void add_member(bt_trace_class *trace_class, bt_field_class *structure,
		       const struct ctf_field *field)
{
	bt_field_class *member = field->type == CTF_TEXT ?
		bt_field_class_string_create(trace_class) :
		new_number(trace_class, field->type == CTF_SIGNED, field->bits);

	if (bt_field_class_structure_append_member(structure, field->name, member))
		g_error("no memory for the fields of events");
	bt_field_class_put_ref(member);
}

static bt_field_class *new_structure(bt_trace_class *trace_class, const struct ctf_field *fields,
				     unsigned int count)
{
	bt_field_class *structure = bt_field_class_structure_create(trace_class);

	for (unsigned int nr = 0; nr < count; nr++)
		add_member(trace_class, structure, &fields[nr]);
	return structure;
}

/* As in LTTng's traces: what CPU a packet is of, and in whose context an event was. */
static bt_stream_class *new_stream_class(bt_trace_class *trace_class, bt_clock_class *clock)
{
	static const struct ctf_field cpu = { "cpu_id", CTF_UNSIGNED, 32 };
	static const struct ctf_field tid = { "tid", CTF_SIGNED, 32 };
	bt_stream_class *class = bt_stream_class_create(trace_class);
	bt_field_class *packet = new_structure(trace_class, &cpu, 1);
	bt_field_class *event = new_structure(trace_class, &tid, 1);

	bt_stream_class_set_default_clock_class(class, clock);
	bt_stream_class_set_supports_packets(class, BT_TRUE, BT_TRUE, BT_TRUE);
	bt_stream_class_set_supports_discarded_events(class, BT_TRUE, BT_FALSE);
	bt_stream_class_set_packet_context_field_class(class, packet);
	bt_stream_class_set_event_common_context_field_class(class, event);
	bt_field_class_put_ref(packet);
	bt_field_class_put_ref(event);
	return class;
}

static void set_facts(bt_trace *trace, const struct ctf_fact *fact)
{
	for (; fact->name; fact++)
		if (fact->text)
			bt_trace_set_environment_entry_string(trace, fact->name, fact->text);
		else
			bt_trace_set_environment_entry_integer(trace, fact->name, fact->number);
}

static bt_component_class_initialize_method_status
initialize(bt_self_component_source *self, bt_self_component_source_configuration *config,
	   const bt_value *params, void *data)
{
	bt_self_component *component = bt_self_component_source_as_self_component(self);
	bt_clock_class *clock = bt_clock_class_create(component);
	struct ctf *ctf = data;

	(void)config;
	(void)params;
	bt_clock_class_set_name(clock, "monotonic");
	bt_clock_class_set_frequency(clock, 1000000000);
	bt_clock_class_set_origin_is_unix_epoch(clock, BT_FALSE);
	ctf->trace_class = bt_trace_class_create(component);
	ctf->stream_class = new_stream_class(ctf->trace_class, clock);
	bt_clock_class_put_ref(clock);
	ctf->trace = bt_trace_create(ctf->trace_class);
	set_facts(ctf->trace, ctf->facts);
	bt_self_component_source_add_output_port(self, "out", NULL, NULL);
	bt_self_component_set_data(component, ctf);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_message_iterator_class_initialize_method_status
initialize_iterator(bt_self_message_iterator *self, bt_self_message_iterator_configuration *config,
		    bt_self_component_port_output *port)
{
	struct ctf *ctf = bt_self_component_get_data(bt_self_message_iterator_borrow_component(self));

	(void)config;
	(void)port;
	ctf->iterator = self;
	bt_self_message_iterator_set_data(self, ctf);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_message_iterator_class_next_method_status
next(bt_self_message_iterator *self, bt_message_array_const messages, uint64_t capacity,
     uint64_t *count)
{
	struct ctf *ctf = bt_self_message_iterator_get_data(self);

	for (*count = 0; *count < capacity && ctf->first < ctf->end; )
		messages[(*count)++] = ctf->kept[ctf->first++];
	if (*count)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	return ctf->over ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END :
			   BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
}

/* --- the graph: what we tell, and the library's writer ------------------------------ */

static const bt_component_source *add_source(struct ctf *ctf)
{
	bt_message_iterator_class *iterator_class = bt_message_iterator_class_create(next);
	bt_component_class_source *class = bt_component_class_source_create("gvt-stat", iterator_class);
	const bt_component_source *source = NULL;

	bt_message_iterator_class_set_initialize_method(iterator_class, initialize_iterator);
	bt_component_class_source_set_initialize_method(class, initialize);
	bt_graph_add_source_component_with_initialize_method_data(ctf->graph, class, "gvt-stat",
		NULL, ctf, BT_LOGGING_LEVEL_NONE, &source);
	bt_component_class_source_put_ref(class);
	bt_message_iterator_class_put_ref(iterator_class);
	return source;
}

static const bt_component_sink *add_sink(struct ctf *ctf, const char *path)
{
	const bt_component_sink *sink = NULL;
	const bt_plugin *plugin = NULL;
	bt_value *params;

	if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin) || !plugin)
		return NULL;
	params = bt_value_map_create();
	bt_value_map_insert_string_entry(params, "path", path);
	bt_value_map_insert_bool_entry(params, "assume-single-trace", BT_TRUE);
	bt_value_map_insert_bool_entry(params, "quiet", BT_TRUE);
	bt_graph_add_sink_component(ctf->graph,
		bt_plugin_borrow_sink_component_class_by_name_const(plugin, "fs"), "fs", params,
		BT_LOGGING_LEVEL_NONE, &sink);
	bt_value_put_ref(params);
	bt_plugin_put_ref(plugin);
	return sink;
}

static bool make_graph(struct ctf *ctf, const char *path)
{
	const bt_component_source *source = add_source(ctf);
	const bt_component_sink *sink = add_sink(ctf, path);

	if (!source || !sink)
		return false;
	if (bt_graph_connect_ports(ctf->graph,
				   bt_component_source_borrow_output_port_by_index_const(source, 0),
				   bt_component_sink_borrow_input_port_by_index_const(sink, 0), NULL))
		return false;
	/* makes the iterator */
	return bt_graph_run_once(ctf->graph) == BT_GRAPH_RUN_ONCE_STATUS_AGAIN && ctf->iterator;
}

/* Each CPU has a file, and hosts may have more of them than programs may have files at first. */
static void allow_files(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

struct ctf *ctf_open(const char *path, const struct ctf_fact *facts)
{
	struct ctf *ctf = g_new0(struct ctf, 1);

	allow_files();
	ctf->facts = facts;
	ctf->channels = g_array_new(FALSE, TRUE, sizeof(struct channel));
	ctf->classes = g_ptr_array_new();
	ctf->graph = bt_graph_create(0);
	if (ctf->graph && make_graph(ctf, path))
		return ctf;
	bt_current_thread_clear_error();
	ctf_free(ctf);
	return NULL;
}

/* Let the library take all that is kept. */
static void go_on(struct ctf *ctf)
{
	while (!ctf->error && ctf->first < ctf->end) {
		errno = 0;
		if (bt_graph_run_once(ctf->graph) < 0)
			fail(ctf);
	}
	ctf->first = ctf->end = 0;
}

static void keep(struct ctf *ctf, const bt_message *message)
{
	if (!message) {
		errno = ENOMEM;
		fail(ctf);
		return;
	}
	ctf->kept[ctf->end++] = message;
	if (ctf->end == KEPT_MESSAGES)
		go_on(ctf);
}

/* --- streams and packets -------------------------------------------------------------- */

static struct channel *get_channel(struct ctf *ctf, unsigned int cpu)
{
	struct channel *channel;
	char name[32];

	if (cpu >= ctf->channels->len)
		g_array_set_size(ctf->channels, cpu + 1);
	channel = &g_array_index(ctf->channels, struct channel, cpu);
	if (channel->stream)
		return channel;
	channel->stream = bt_stream_create(ctf->stream_class, ctf->trace);
	g_snprintf(name, sizeof(name), "channel0_%u", cpu);
	bt_stream_set_name(channel->stream, name);
	keep(ctf, bt_message_stream_beginning_create(ctf->iterator, channel->stream));
	return channel;
}

static void begin_packet(struct ctf *ctf, struct channel *channel, unsigned int cpu,
			 uint64_t ts_ns)
{
	bt_field *context;

	channel->packet = bt_packet_create(channel->stream);
	context = bt_packet_borrow_context_field(channel->packet);
	bt_field_integer_unsigned_set_value(
		bt_field_structure_borrow_member_field_by_index(context, 0), cpu);
	keep(ctf, bt_message_packet_beginning_create_with_default_clock_snapshot(
		ctf->iterator, channel->packet, ts_ns));
	channel->events = 0;
	channel->begun = true;
	channel->last_ns = ts_ns;
}

static void end_packet(struct ctf *ctf, struct channel *channel)
{
	if (!channel->packet)
		return;
	keep(ctf, bt_message_packet_end_create_with_default_clock_snapshot(
		ctf->iterator, channel->packet, channel->last_ns));
	bt_packet_put_ref(channel->packet);
	channel->packet = NULL;
}

static void empty_packet(struct ctf *ctf, struct channel *channel, unsigned int cpu, int64_t ts_ns)
{
	begin_packet(ctf, channel, cpu, ts_ns);
	end_packet(ctf, channel);
}

/* Between two packets, of which neither has an event of that time. */
void ctf_discarded(struct ctf *ctf, unsigned int cpu, int64_t from_ns, int64_t to_ns,
		   int64_t count)
{
	struct channel *channel = get_channel(ctf, cpu);
	bt_message *message;

	if (!channel->begun)
		empty_packet(ctf, channel, cpu, from_ns);
	end_packet(ctf, channel);
	message = bt_message_discarded_events_create(ctf->iterator, channel->stream);
	if (message && count > 0)
		bt_message_discarded_events_set_count(message, count);
	keep(ctf, message);
	empty_packet(ctf, channel, cpu, to_ns);
}

/* --- events --------------------------------------------------------------------------- */

struct ctf_class *ctf_class_new(struct ctf *ctf, const char *name, const struct ctf_field *fields,
				unsigned int count)
{
	struct ctf_class *class = g_new(struct ctf_class, 1);
	bt_field_class *payload = new_structure(ctf->trace_class, fields, count);

	*class = (struct ctf_class) {
		.event_class = bt_event_class_create(ctf->stream_class), .count = count,
		.types = g_new(enum ctf_type, count),
	};
	for (unsigned int nr = 0; nr < count; nr++)
		class->types[nr] = fields[nr].type;
	bt_event_class_set_name(class->event_class, name);
	bt_event_class_set_payload_field_class(class->event_class, payload);
	bt_field_class_put_ref(payload);
	g_ptr_array_add(ctf->classes, class);
	return class;
}

static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text & 0x80)
			return false;
	return true;
}

static void set_text(bt_field *field, const char *text)
{
	char *valid;

	if (!text || is_plain(text)) {
		bt_field_string_set_value(field, text ? text : "");
		return;
	}
	valid = g_utf8_make_valid(text, -1);
	bt_field_string_set_value(field, valid);
	g_free(valid);
}

static void set_payload(bt_field *payload, const struct ctf_class *class,
			const union ctf_value *values)
{
	for (unsigned int nr = 0; nr < class->count; nr++) {
		bt_field *field = bt_field_structure_borrow_member_field_by_index(payload, nr);

		if (class->types[nr] == CTF_UNSIGNED)
			bt_field_integer_unsigned_set_value(field, values[nr].number);
		else if (class->types[nr] == CTF_SIGNED)
			bt_field_integer_signed_set_value(field, values[nr].number);
		else
			set_text(field, values[nr].text);
	}
}

int ctf_event(struct ctf *ctf, const struct ctf_class *class, const struct ctf_place *place,
	       const union ctf_value *values)
{
	struct channel *channel = get_channel(ctf, place->cpu);
	bt_message *message;
	bt_event *event;
	bt_field *context;

	if (channel->packet && channel->events == PACKET_EVENTS)
		end_packet(ctf, channel);
	if (!channel->packet)
		begin_packet(ctf, channel, place->cpu, place->ts_ns);
	message = bt_message_event_create_with_packet_and_default_clock_snapshot(
		ctf->iterator, class->event_class, channel->packet, place->ts_ns);
	if (message) {
		event = bt_message_event_borrow_event(message);
		context = bt_event_borrow_common_context_field(event);
		bt_field_integer_signed_set_value(
			bt_field_structure_borrow_member_field_by_index(context, 0), place->tid);
		set_payload(bt_event_borrow_payload_field(event), class, values);
	}
	keep(ctf, message);
	channel->events++;
	channel->last_ns = place->ts_ns;
	return ctf->error;
}

/* --- the end --------------------------------------------------------------------------- */

static void end_streams(struct ctf *ctf)
{
	for (unsigned int cpu = 0; cpu < ctf->channels->len; cpu++) {
		struct channel *channel = &g_array_index(ctf->channels, struct channel, cpu);

		if (!channel->stream)
			continue;
		end_packet(ctf, channel);
		keep(ctf, bt_message_stream_end_create(ctf->iterator, channel->stream));
	}
}

int ctf_end(struct ctf *ctf)
{
	int status = BT_GRAPH_RUN_ONCE_STATUS_OK;

	end_streams(ctf);
	go_on(ctf);
	ctf->over = true;
	while (!ctf->error && status != BT_GRAPH_RUN_ONCE_STATUS_END) {
		errno = 0;
		status = bt_graph_run_once(ctf->graph);
		if (status < 0)
			fail(ctf);
	}
	return ctf->error;
}

static void free_channels(GArray *channels)
{
	for (unsigned int cpu = 0; cpu < channels->len; cpu++) {
		const struct channel *channel = &g_array_index(channels, struct channel, cpu);

		bt_packet_put_ref(channel->packet);
		bt_stream_put_ref(channel->stream);
	}
	g_array_free(channels, TRUE);
}

static void free_classes(GPtrArray *classes)
{
	for (unsigned int nr = 0; nr < classes->len; nr++) {
		struct ctf_class *class = classes->pdata[nr];

		bt_event_class_put_ref(class->event_class);
		g_free(class->types);
		g_free(class);
	}
	g_ptr_array_free(classes, TRUE);
}

/* The metadata is written when nobody refers to the trace any more. */
void ctf_free(struct ctf *ctf)
{
	free_channels(ctf->channels);
	free_classes(ctf->classes);
	bt_trace_put_ref(ctf->trace);
	bt_stream_class_put_ref(ctf->stream_class);
	bt_trace_class_put_ref(ctf->trace_class);
	bt_graph_put_ref(ctf->graph);
	g_free(ctf);
}
