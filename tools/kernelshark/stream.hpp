/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace that is open in KernelShark.
 *
 * While it is loaded, its events tell which rows there may be, and those of engines are moved to
 * them. What the rows hold, and their names, gvt-stat tells, which reads the trace at the same
 * time: that is waited for when a name or a picture is asked for.
 */
#ifndef GVT_KERNELSHARK_STREAM_HPP
#define GVT_KERNELSHARK_STREAM_HPP

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <event-parse.h>
#include <libkshark.h>
#include <libkshark-plugin.h>

#include "pids.hpp"
#include "reader.hpp"
#include "rows.hpp"

namespace gvt {

class Stream {
public:
	explicit Stream(kshark_data_stream *stream);
	~Stream();

	/** has_gvt - are there events that tell rows? */
	bool has_gvt() const { return !events.empty(); }

	/** read - have gvt-stat begin; false: it cannot be started */
	bool read();

	/** attach - from now on KernelShark calls this, by find_stream() */
	void attach();

	/** see - an event while the trace is loaded */
	void see(const tep_record *record, kshark_entry *entry);

	/** name - the task of an entry; a stream_get_str_func */
	char *name(const kshark_entry *entry);

	/** rows - wait for them; NULL: there are none */
	const Rows *rows();

private:
	/* a vGPU on an engine, as events tell it: GPU, vGPU, class and instance of the engine */
	using Queue = std::array<int64_t, 4>;

	/* an event that tells a row */
	struct Event {
		int id;
		bool of_queue;		/* else of a GPU's turns */
		bool moves;		/* to the row */
		std::array<const tep_format_field *, 4> fields;	/* NULL: nowhere, then it is 0 */
	};

	/* what is known of a queue while the trace is loaded */
	struct Place {
		int pid;		/* of its row; 0: it has none */
		std::string engine;
		bool moved;		/* there are events on its row */
	};

	/* one that was asked for */
	struct Recent {
		Queue queue;
		Place *place;		/* NULL: none was */
	};

	void add_event(const char *name, bool of_queue, bool moves);
	const Event *find_event(int id) const;
	int64_t read_field(const tep_record *record, const tep_format_field *field) const;
	bool read_queue(const tep_record *record, const Event &event, Queue *queue) const;
	Place &place_of(const Queue &queue);
	Place &get_place(const Queue &queue);
	void announce(int64_t dev, int64_t vgpu, const std::string &engine, int slot);
	void settle();
	void list_rows();
	void list_row(int pid, const std::string &name, std::set<int> *kept);
	void withdraw(const std::set<int> &kept);

	kshark_data_stream *stream;
	kshark_generic_stream_interface *interface;
	decltype(kshark_generic_stream_interface::get_task) get_task;
	bool attached = false;
	bool swapped = false;		/* numbers of the file are not as this machine's */
	std::vector<Event> events;
	Pids pids;
	std::map<Queue, Place> places;
	Place nowhere = {};		/* of more queues than there can be */
	std::array<Recent, 64> recent = {};
	std::set<int64_t> turns;	/* GPUs whose row of turns is announced */
	std::set<int> announced;	/* pids of rows that there may be */
	std::unique_ptr<Reader> reader;
	std::once_flag settled;
	bool known = false;		/* what rows there are */
	std::unique_ptr<Rows> all;	/* then */
};

/** find_stream - by KernelShark's number; NULL: it has nothing of ours */
Stream *find_stream(int sd);

}

#endif
