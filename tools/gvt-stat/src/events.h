/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace events gvt-stat understands: their fields are looked up by name
 * once per file and read by offset afterwards.
 */
#ifndef GVT_STAT_EVENTS_H
#define GVT_STAT_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct tep_handle;
struct tep_record;

enum event_id {
	EVENT_WORKLOAD_QUEUE,
	EVENT_WORKLOAD_SUBMIT,
	EVENT_WORKLOAD_START,
	EVENT_WORKLOAD_STOP,
	EVENT_WORKLOAD_COMPLETE,
	EVENT_WORKLOAD_CANCEL,
	EVENT_SCHED_SWITCH,
	EVENT_SCHED_BALANCE,
	EVENT_VGPU_INFO,
	EVENT_SCHED_INFO,
	EVENT_SPT_ALLOC,
	EVENT_SPT_FREE,
	EVENT_GEM_CREATE,
	EVENT_GEM_DESTROY,
	EVENT_COUNT
};

#define EVENT_BIT(id)	(1u << (id))

/* gvt_sched_switch: why the previous vGPU lost the GPU */
enum switch_reason {
	SWITCH_IDLE,
	SWITCH_TURN,
	SWITCH_SLICE,
	SWITCH_BOOST,
	SWITCH_STOP,
	SWITCH_REASONS
};

/* all gvt_workload_* events; a field that an event does not carry is UNKNOWN */
struct workload_event {
	int64_t dev;
	int64_t vgpu_id;
	int64_t workload_id;
	int64_t class;
	int64_t instance;
	int64_t guest_lrca;
	int64_t ctx;
	int64_t seqno;
	int64_t lrca;
	int64_t completed;
	int64_t status;
	int64_t reason;
};

struct switch_event {
	int64_t dev;
	int64_t prev_vgpu_id;
	int64_t next_vgpu_id;
	int64_t prev_left_ns;
	int64_t drain_ns;
	int64_t reason;
};

struct balance_event {
	int64_t dev;
	int64_t vgpu_id;
	int64_t weight;
};

struct vgpu_info_event {
	int64_t dev;
	int64_t vgpu_id;
	int64_t weight;
	int64_t fences;
	int64_t aperture_bytes;
	int64_t hidden_bytes;
	int64_t owner_pid;
	const char *type;		/* texts live as long as the record */
	const char *uuid;
};

struct sched_info_event {
	int64_t dev;
	int64_t vgpus;
	int64_t tick_ns;
	int64_t period_ns;
	int64_t stages;
	int64_t boost_ns;
	const char *policy;
};

struct spt_event {
	int64_t id;			/* vGPU; these events do not tell the GPU */
	int64_t spt;
};

struct gem_event {
	int64_t obj;
	int64_t size;
};

struct event {
	enum event_id id;
	int cpu;
	int64_t ts_ns;
	union {
		struct workload_event workload;
		struct switch_event sched_switch;
		struct balance_event balance;
		struct vgpu_info_event vgpu_info;
		struct sched_info_event sched_info;
		struct spt_event spt;
		struct gem_event gem;
	};
};

/* the events of one file: which record type is which event, where fields are */
struct event_map;

/**
 * event_map_new - find all known events in the formats of a trace
 * @tep: the trace's format database
 * @path: name of the trace, for messages
 *
 * Ends the program with a message that names event and field when a field
 * without which an event means nothing is missing or is not a number.
 * The map keeps no reference to @tep's owner; free it with event_map_free().
 */
struct event_map *event_map_new(struct tep_handle *tep, const char *path);
void event_map_free(struct event_map *map);

/**
 * event_map_has - does the trace describe this event at all?
 */
bool event_map_has(const struct event_map *map, enum event_id id);

/**
 * event_map_decode - read one record
 * @map: of the file the record is from
 * @record: the record
 * @event: filled, except for @ts_ns
 *
 * Returns true if the record is one of the known events. Ends the program with
 * a message when the record is shorter than its format says.
 */
bool event_map_decode(const struct event_map *map, struct tep_record *record,
		      struct event *event);

/**
 * event_fingerprint - a hash of all fields, but not of time and CPU
 */
uint64_t event_fingerprint(const struct event *event);

/**
 * event_name - "system:event" as trace-cmd's -e option takes it
 */
const char *event_name(enum event_id id);

#endif
