// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A plugin of KernelShark: rows for vGPUs and engines, see rows.hpp.
 *
 * It uses what the program has of libkshark-plot and is not linked with it, as the name of that
 * library changes with each version.
 */
#include <cstdio>
#include <map>
#include <new>

#include <event-parse.h>
#include <libkshark-tepdata.h>

#include "plugin.hpp"

extern "C" {
#include "trace/engine.h"
}

/* a stream that is open */
struct Stream {
	std::unique_ptr<gvt::Rows> rows;
	int start, stop;		/* ids of events */
};

static std::map<int, Stream> streams;

const gvt::Rows *gvt_kshark_rows(int sd)
{
	auto found = streams.find(sd);

	return found == streams.end() ? nullptr : found->second.rows.get();
}

/* What an engine begins and ends is an event of the vGPU's row, not of the task that it met. */
static void move_event(kshark_data_stream *stream, void *record, kshark_entry *entry)
{
	const gvt::Rows *rows = gvt_kshark_rows(stream->stream_id);
	int64_t dev = 0, vgpu, engine_class, instance;
	char engine[ENGINE_NAME_LEN];
	const gvt::Row *row;

	if (!rows || kshark_read_record_field_int(stream, record, "vgpu_id", &vgpu) ||
	    kshark_read_record_field_int(stream, record, "class", &engine_class) ||
	    kshark_read_record_field_int(stream, record, "instance", &instance))
		return;
	kshark_read_record_field_int(stream, record, "dev", &dev);
	row = rows->of_queue(dev, vgpu, engine_name(engine, engine_class, instance));
	if (row)
		entry->pid = row->pid;
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
	streams[stream->stream_id] = { std::move(rows), start, stop };
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
