// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A plugin of KernelShark: rows for vGPUs and engines, see rows.hpp.
 *
 * It uses what the program has of libkshark-plot and is not linked with it, as the name of that
 * library changes with each version.
 */
#include <array>
#include <cstdio>
#include <map>
#include <new>

#include <event-parse.h>
#include <libkshark-tepdata.h>

#include "plugin.hpp"

extern "C" {
#include "trace/engine.h"
}

/* a vGPU on an engine, as events tell it: GPU, vGPU, class and instance of the engine */
using Queue = std::array<int64_t, 4>;

/* where an event has these; NULL: nowhere, then it is 0 */
using Fields = std::array<const tep_format_field *, 4>;

/* a stream that is open */
struct Stream {
	std::unique_ptr<gvt::Rows> rows;
	int start, stop;		/* ids of events */
	Fields start_fields, stop_fields;
	std::map<Queue, int> pids;	/* of rows that were looked for; 0: there is none */
};

static std::map<int, Stream> streams;

const gvt::Rows *gvt_kshark_rows(int sd)
{
	auto found = streams.find(sd);

	return found == streams.end() ? nullptr : found->second.rows.get();
}

static Fields fields_of(kshark_data_stream *stream, int id)
{
	static const char *const names[] = { "dev", "vgpu_id", "class", "instance" };
	tep_event *event = tep_find_event(kshark_get_tep(stream), id);
	Fields fields = {};

	for (size_t nr = 0; event && nr < fields.size(); nr++)
		fields[nr] = tep_find_field(event, names[nr]);
	return fields;
}

/* A damaged trace may have shorter events than it says. */
static bool read_queue(tep_handle *tep, const tep_record *record, const Fields &fields, Queue *queue)
{
	for (size_t nr = 0; nr < fields.size(); nr++) {
		const tep_format_field *field = fields[nr];

		(*queue)[nr] = 0;
		if (!field)
			continue;
		if (field->offset < 0 || field->size < 0 || record->size < 0 ||
		    static_cast<int64_t>(field->offset) + field->size > record->size)
			return false;
		(*queue)[nr] = tep_read_number(tep, static_cast<char *>(record->data) + field->offset,
					       field->size);
	}
	return true;
}

static int pid_of(Stream &open, const Queue &queue)
{
	auto [found, is_new] = open.pids.try_emplace(queue, 0);
	char engine[ENGINE_NAME_LEN];
	const gvt::Row *row;

	if (is_new) {
		row = open.rows->of_queue(queue[0], queue[1],
					  engine_name(engine, queue[2], queue[3]));
		found->second = row ? row->pid : 0;
	}
	return found->second;
}

/* What an engine begins and ends is an event of the vGPU's row, not of the task that it met. */
static void move_event(kshark_data_stream *stream, void *record, kshark_entry *entry)
{
	auto found = streams.find(stream->stream_id);
	Queue queue;
	int pid;

	if (found == streams.end())
		return;
	Stream &open = found->second;
	if (!read_queue(kshark_get_tep(stream), static_cast<tep_record *>(record),
			entry->event_id == open.start ? open.start_fields : open.stop_fields, &queue))
		return;
	pid = pid_of(open, queue);
	if (pid)
		entry->pid = pid;
}

static void add_tasks(kshark_data_stream *stream, const gvt::Rows &rows)
{
	for (auto &row : rows.all()) {
		kshark_hash_id_add(stream->tasks, row->pid);
		tep_register_comm(kshark_get_tep(stream), row->name.c_str(), row->pid);
	}
}

static int begin(kshark_data_stream *stream)
{
	int start, stop;

	if (!kshark_is_tep(stream))
		return 0;
	start = kshark_find_event_id(stream, "gvt/gvt_workload_start");
	stop = kshark_find_event_id(stream, "gvt/gvt_workload_stop");
	if (start < 0 || stop < 0)
		return 0;
	auto rows = gvt::read_trace(stream->file);
	if (!rows)
		return 0;
	add_tasks(stream, *rows);
	streams[stream->stream_id] = {
		std::move(rows), start, stop, fields_of(stream, start), fields_of(stream, stop), {},
	};
	kshark_register_event_handler(stream, start, move_event);
	kshark_register_event_handler(stream, stop, move_event);
	kshark_register_draw_handler(stream, gvt_kshark_draw);
	return 1;
}

static int end(kshark_data_stream *stream)
{
	auto found = streams.find(stream->stream_id);

	if (found == streams.end())
		return 0;
	kshark_unregister_event_handler(stream, found->second.start, move_event);
	kshark_unregister_event_handler(stream, found->second.stop, move_event);
	kshark_unregister_draw_handler(stream, gvt_kshark_draw);
	streams.erase(found);
	return 1;
}

extern "C" __attribute__((visibility("default")))
int KSHARK_PLOT_PLUGIN_INITIALIZER(kshark_data_stream *stream)
{
	end(stream);
	try {
		return begin(stream);
	} catch (const std::bad_alloc &) {
		fprintf(stderr, "plugin-gvt: not enough memory\n");
		return 0;
	}
}

extern "C" __attribute__((visibility("default")))
int KSHARK_PLOT_PLUGIN_DEINITIALIZER(kshark_data_stream *stream)
{
	return end(stream);
}
