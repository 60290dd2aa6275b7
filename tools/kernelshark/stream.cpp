// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <libkshark-tepdata.h>

#include "plugin.hpp"
#include "stream.hpp"

extern "C" {
#include "trace/engine.h"
}

namespace gvt {

static void see_event(kshark_data_stream *stream, void *record, kshark_entry *entry)
{
	Stream *open = find_stream(stream->stream_id);

	if (open)
		open->see(static_cast<tep_record *>(record), entry);
}

static char *name_task(kshark_data_stream *stream, const kshark_entry *entry)
{
	Stream *open = find_stream(stream->stream_id);

	return open ? open->name(entry) : nullptr;
}

Stream::Stream(kshark_data_stream *stream) : stream(stream)
{
	if (!kshark_is_tep(stream))
		return;
	interface = static_cast<kshark_generic_stream_interface *>(stream->interface);
	get_task = interface->get_task;
	swapped = tep_is_file_bigendian(kshark_get_tep(stream)) !=
		  tep_is_local_bigendian(kshark_get_tep(stream));
	add_event("gvt/gvt_workload_queue", true, false);
	add_event("gvt/gvt_workload_start", true, true);
	add_event("gvt/gvt_workload_stop", true, true);
	add_event("gvt/gvt_sched_switch", false, false);
}

Stream::~Stream()
{
	if (!attached)
		return;
	interface->get_task = get_task;
	for (auto &event : events)
		kshark_unregister_event_handler(stream, event.id, see_event);
	kshark_unregister_draw_handler(stream, gvt_kshark_draw);
}

void Stream::add_event(const char *name, bool of_queue, bool moves)
{
	static const char *const names[] = { "dev", "vgpu_id", "class", "instance" };
	Event event = { kshark_find_event_id(stream, name), of_queue, moves, {} };
	tep_event *format;

	if (event.id < 0)
		return;
	format = tep_find_event(kshark_get_tep(stream), event.id);
	for (size_t nr = 0; format && nr < event.fields.size(); nr++)
		event.fields[nr] = tep_find_field(format, names[nr]);
	events.push_back(event);
}

bool Stream::read()
{
	reader = std::make_unique<Reader>(stream->file);
	return reader->reads();
}

void Stream::attach()
{
	attached = true;
	interface->get_task = name_task;
	for (auto &event : events)
		kshark_register_event_handler(stream, event.id, see_event);
	kshark_register_draw_handler(stream, gvt_kshark_draw);
}

const Stream::Event *Stream::find_event(int id) const
{
	for (auto &event : events)
		if (event.id == id)
			return &event;
	return nullptr;
}

/* as tep_read_number() does it, which a million events would notice */
int64_t Stream::read_field(const tep_record *record, const tep_format_field *field) const
{
	const char *data = static_cast<char *>(record->data) + field->offset;
	uint32_t number;

	if (field->size != sizeof(number) || swapped)
		return tep_read_number(kshark_get_tep(stream), data, field->size);
	memcpy(&number, data, sizeof(number));
	return number;
}

/* A damaged trace may have shorter events than it says. */
bool Stream::read_queue(const tep_record *record, const Event &event, Queue *queue) const
{
	for (size_t nr = 0; nr < event.fields.size(); nr++) {
		const tep_format_field *field = event.fields[nr];

		(*queue)[nr] = 0;
		if (!field)
			continue;
		if (field->offset < 0 || field->size < 0 || record->size < 0 ||
		    static_cast<int64_t>(field->offset) + field->size > record->size)
			return false;
		(*queue)[nr] = read_field(record, field);
	}
	return true;
}

/* KernelShark is asked for rows, by their ids, before it is known which of them there are. */
void Stream::announce(int64_t dev, int64_t vgpu, const std::string &engine, int slot)
{
	int pid = pids.of(dev, vgpu, engine, slot);

	if (!pid || (known && !(all && all->of_pid(pid))))
		return;
	if (announced.insert(pid).second)
		kshark_hash_id_add(stream->tasks, pid);
}

/* Mostly it is one of few. */
Stream::Place &Stream::place_of(const Queue &queue)
{
	uint64_t sum = 0;

	for (int64_t part : queue)
		sum = 3 * sum + static_cast<uint64_t>(part);
	Recent &last = recent[sum % recent.size()];

	if (!last.place || last.queue != queue)
		last = { queue, &get_place(queue) };
	return *last.place;
}

Stream::Place &Stream::get_place(const Queue &queue)
{
	int64_t dev = queue[0], vgpu = queue[1];
	auto found = places.find(queue);
	char engine[ENGINE_NAME_LEN];

	if (found != places.end())
		return found->second;
	if (places.size() == MOST_ROWS)
		return nowhere;
	Place &place = places[queue];
	place.engine = engine_name(engine, queue[2], queue[3]);
	place.pid = pids.of(dev, vgpu, place.engine, -1);
	for (int slot = -1; slot < WORKLOAD_ROWS; slot++)
		announce(dev, vgpu, place.engine, slot);
	announce(dev, UNKNOWN, "", -1);
	announce(dev, UNKNOWN, place.engine, -1);
	announce(dev, UNKNOWN, place.engine, 0);
	return place;
}

/* What an engine begins and ends is an event of the vGPU's row, not of the task that it met. */
void Stream::see(const tep_record *record, kshark_entry *entry)
{
	const Event *event = find_event(entry->event_id);
	Queue queue;

	if (!event || !read_queue(record, *event, &queue))
		return;
	if (!event->of_queue) {
		if (turns.insert(queue[0]).second)
			announce(queue[0], UNKNOWN, "", -1);
		return;
	}
	Place &place = place_of(queue);
	if (event->moves && place.pid) {
		entry->pid = place.pid;
		place.moved = true;
	}
}

char *Stream::name(const kshark_entry *entry)
{
	/* of those that were moved KernelShark tells the task that they met */
	if (entry->pid >= FIRST_PID && entry->visible & KS_PLUGIN_UNTOUCHED_MASK)
		rows();
	return get_task(stream, entry);
}

const Rows *Stream::rows()
{
	std::call_once(settled, [this] { settle(); });
	return all.get();
}

void Stream::settle()
{
	try {
		all = reader->rows();
		list_rows();
	} catch (const std::exception &error) {
		fprintf(stderr, "plugin-gvt: %s\n", error.what());
	}
	known = true;
	reader.reset();
}

void Stream::list_rows()
{
	std::set<int> kept;

	if (all)
		all->identify(pids);
	for (size_t nr = 0; all && nr < all->all().size(); nr++) {
		const Row &row = *all->all()[nr];

		if (row.pid)
			list_row(row.pid, row.name, &kept);
	}
	/* there are events on these, whatever gvt-stat makes of them */
	for (auto &[queue, place] : places)
		if (place.moved && !kept.count(place.pid))
			list_row(place.pid, name_of({ 0, "", queue[0], queue[1], place.engine, -1, {} },
						    "vGPU " + std::to_string(queue[1])), &kept);
	withdraw(kept);
}

void Stream::list_row(int pid, const std::string &name, std::set<int> *kept)
{
	kshark_hash_id_add(stream->tasks, pid);
	tep_override_comm(kshark_get_tep(stream), name.c_str(), pid);
	kept->insert(pid);
}

/* of what was announced all that is not @kept */
void Stream::withdraw(const std::set<int> &kept)
{
	size_t count = stream->tasks->count;
	int *ids = kshark_hash_ids(stream->tasks);

	if (!ids)
		return;
	kshark_hash_id_clear(stream->tasks);
	for (size_t nr = 0; nr < count; nr++)
		if (kept.count(ids[nr]) || !announced.count(ids[nr]))
			kshark_hash_id_add(stream->tasks, ids[nr]);
	free(ids);
}

}
