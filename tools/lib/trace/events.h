/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace events: decoding looks up fields by name once per file, then reads by offset.
 */
#ifndef GVTTRACE_EVENTS_H
#define GVTTRACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "settings.h"

struct tep_handle;
struct tep_record;

/* the known events */
enum event_id {
	EVENT_WORKLOAD_QUEUE,
	EVENT_WORKLOAD_SUBMIT,
	EVENT_WORKLOAD_START,
	EVENT_WORKLOAD_STOP,
	EVENT_WORKLOAD_COMPLETE,
	EVENT_WORKLOAD_CANCEL,
	EVENT_SCHED_SWITCH,
	EVENT_SCHED_BALANCE,
	EVENT_SCHED_SETTING,
	EVENT_SCHED_HOLD,
	EVENT_HOST_START,
	EVENT_HOST_STOP,
	EVENT_HOST_STATE,
	EVENT_VGPU_HEALTH,
	EVENT_WORKLOAD_STATE,
	EVENT_VGPU_INFO,
	EVENT_SCHED_INFO,		/* last of kvmgt's stable events */
	EVENT_SPT_ALLOC,
	EVENT_SPT_FREE,
	EVENT_GEM_CREATE,
	EVENT_GEM_DESTROY,
	EVENT_REQUEST_ADD,		/* i915:i915_request_add */
	EVENT_MARK,			/* text written to trace_marker */
	EVENT_READ_MSR,			/* msr:read_msr */
	EVENT_TASK_SWITCH,		/* sched:sched_switch, of the CPU scheduler */
	EVENT_TASK_WAKEUP,
	EVENT_TASK_WAKEUP_NEW,
	EVENT_TASK_WAKING,
	EVENT_KVM_ENTRY,
	EVENT_KVM_EXIT,
	EVENT_IRQ_ENTRY,
	EVENT_IRQ_EXIT,
	EVENT_SOFTIRQ_ENTRY,
	EVENT_SOFTIRQ_EXIT,
	EVENT_HRTIMER_ENTRY,
	EVENT_HRTIMER_EXIT,
	EVENT_COUNT
};

/* a set of events, of EVENT_BIT()s */
typedef uint64_t event_set;

/* the set of one event */
#define EVENT_BIT(id)	((event_set)1 << (id))
#define EVENTS_ALL	(EVENT_BIT(EVENT_COUNT) - 1)

/* gvt_sched_switch: why the previous vGPU lost the GPU, or the next one got it */
enum switch_reason {
	SWITCH_IDLE,
	SWITCH_TURN,
	SWITCH_SLICE,
	SWITCH_BOOST,
	SWITCH_STOP,
	SWITCH_OWED,			/* policy fair: the next vGPU is owed more */
	SWITCH_BORROW,			/* the next vGPU runs without a slice */
	SWITCH_OVERDUE,			/* policy fair: the next vGPU waited max_wait_ms */
	SWITCH_REASONS
};

/* gvt_sched_hold: how the wait of an idle GPU for a vGPU ended */
enum hold_result {
	HOLD_CAME,
	HOLD_EXPIRED,
	HOLD_STOPPED,
	HOLD_RESULTS
};

/* all gvt_workload_* events; UNKNOWN: not a field of the event */
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
	int64_t state;			/* gvt_workload_state: 0 queued, 1 submitted, 2 running */
	int64_t age_ns;			/* time since it was queued */
	int64_t exec_ns;		/* execution time so far */
};

/* gvt_sched_switch */
struct switch_event {
	int64_t dev;
	int64_t prev_vgpu_id;
	int64_t next_vgpu_id;
	int64_t prev_left_ns;
	int64_t prev_slice_ns;
	int64_t next_left_ns;
	int64_t next_slice_ns;
	int64_t drain_ns;
	int64_t reason;			/* enum switch_reason */
	int64_t class;			/* engine whose turn changes; negative or */
	int64_t instance;		/* UNKNOWN: all engines */
};

/* gvt_sched_balance */
struct balance_event {
	int64_t dev;
	int64_t vgpu_id;
	int64_t stage;
	int64_t weight;
	int64_t slice_ns;
	int64_t left_ns;
	int64_t class;			/* as in switch_event */
	int64_t instance;
};

/* a setting of the scheduler changed */
struct setting_event {
	int64_t dev;
	int64_t vgpu_id;		/* 0: a setting of the GPU */
	const char *setting;		/* strings live as long as the record */
	const char *old_value;
	const char *new_value;
};

/* the GPU, or one engine, was held idle for @held_ns up to the event */
struct hold_event {
	int64_t dev;
	int64_t vgpu_id;		/* vGPU that the hold is for */
	int64_t held_vgpu_id;		/* vGPU that could have run */
	int64_t held_ns;
	int64_t window_ns;		/* limit of @held_ns */
	int64_t result;			/* enum hold_result */
	int64_t class;			/* as in switch_event */
	int64_t instance;
};

/* numbers in gvt_vgpu_info beside the vGPU's settings: X(MEMBER) */
#define VGPU_NUMBERS(X)		\
	X(weight)		\
	X(fences)		\
	X(aperture_bytes)	\
	X(hidden_bytes)		\
	X(owner_pid)
/* a row as a struct member */
#define VGPU_NUMBER_MEMBER(member)	int64_t member;

/* gvt_vgpu_info */
struct vgpu_info_event {
	int64_t dev;
	int64_t vgpu_id;
	VGPU_NUMBERS(VGPU_NUMBER_MEMBER)
	struct vgpu_settings set;
	const char *type;		/* strings live as long as the record */
	const char *uuid;
	/* not from the kernel, see follow.c */
	const char *vm;
	const char *gpu;		/* its address */
	bool reused;			/* another vGPU in the trace has the same number */
};

#define HOST_LEAST_PART	1000		/* running less than 1/1000 of the time delays nobody */
/* gvt_host_*: the host's work on an engine, i915_request_add: any work; UNKNOWN: not a field */
struct host_event {
	int64_t dev;
	int64_t class, instance;
	int64_t ctx;
	int64_t seqno;
	int64_t holder;			/* vGPU that ran while it waited; 0: none */
	int64_t waited_ns;		/* time waited for the engine until the event */
	int64_t running;
	int64_t exec_ns;		/* execution that ends; gvt_host_state: sum */
	int64_t wait_ns;
};

/* gvt_vgpu_health's counts since the vGPU's creation, as in kvmgt's file: X(MEMBER) */
#define HEALTH_COUNTS(X)	\
	X(bad_entries) X(reused_roots) X(refused_submits) X(refused_workloads) \
	X(hangs) X(engine_resets) X(device_resets) X(failsafe_entries)

/* gvt_vgpu_health */
struct health_event {
	int64_t dev;
	int64_t vgpu_id;
	HEALTH_COUNTS(VGPU_NUMBER_MEMBER)
	int64_t failsafe;		/* 0: no; else the reason */
};

/* gvt:spt_alloc and spt_free */
struct spt_event {
	int64_t id;			/* vGPU; these events lack the GPU */
	int64_t spt;
};

/* i915_gem_object_create and _destroy */
struct gem_event {
	int64_t obj;
	int64_t size;
};

/* sched:sched_switch */
struct task_switch_event {
	int64_t prev_pid;
	int64_t prev_state;		/* 0: it was still runnable (preempted) */
	int64_t next_pid;
	int64_t prev_prio;
	int64_t next_prio;
	const char *prev_comm;		/* strings live as long as the record */
	const char *next_comm;
};

/* in common_flags, see include/linux/trace_events.h: inside an interrupt handler */
#define WAKEUP_INTERRUPT	0x18

/* sched:sched_wakeup, sched_wakeup_new and sched_waking; the waker is event.pid */
struct wakeup_event {
	int64_t pid;
	int64_t flags;			/* WAKEUP_*; or UNKNOWN */
	int64_t prio;
	int64_t target_cpu;
	const char *comm;
};

/* kvm:kvm_entry and kvm_exit, of the thread event.pid */
struct kvm_event {
	int64_t vcpu_id;
	int64_t exit_reason;		/* UNKNOWN in kvm_entry */
};

/* irq:* and timer:hrtimer_expire_*, on event.cpu */
struct irq_event {
	int64_t irq;			/* interrupt number, or softirq vector */
};

/* ftrace:print */
struct mark_event {
	const char *text;		/* lives as long as the record */
};

/* msr:read_msr: somebody read a register of the CPU */
struct msr_event {
	int64_t msr;
	int64_t val;			/* the 64 bits, whatever they mean */
	int64_t failed;			/* 0: it was read */
};

/* one event of a trace */
struct event {
	enum event_id id;
	int cpu;
	int64_t pid;			/* common_pid: task that traced it */
	int64_t ts_ns;
	union {
		struct workload_event workload;
		struct switch_event sched_switch;
		struct balance_event balance;
		struct vgpu_info_event vgpu_info;
		struct sched_info sched_info;	/* strings live as long as the record */
		struct setting_event setting;
		struct hold_event hold;
		struct host_event host;
		struct health_event health;
		struct spt_event spt;
		struct gem_event gem;
		struct mark_event mark;
		struct msr_event msr;
		struct task_switch_event task_switch;
		struct wakeup_event wakeup;
		struct kvm_event kvm;
		struct irq_event irq;
	};
};

/* a file's events: their record types and field offsets */
struct event_map;

/**
 * event_map_new - find the wanted events in the formats of a trace
 * @tep: the trace's format database
 * @path: name of the trace, for messages
 * @wanted: events that any consumer uses; all others are skipped undecoded
 *
 * Ends the program with a message that names event and field if a field
 * that the event is useless without is missing or is not a number.
 * The map keeps no reference to @tep's owner; free it with event_map_free().
 */
struct event_map *event_map_new(struct tep_handle *tep, const char *path, event_set wanted);
void event_map_free(struct event_map *map);

/**
 * event_map_decode - decode a record
 * @map: of the file that contains the record
 * @record: the record
 *
 * Returns the event, without its time, or NULL if it is not wanted. The map owns the event,
 * which the next one with the same id overwrites. Ends the program with a message if the
 * record is shorter than its format requires.
 */
struct event *event_map_decode(struct event_map *map, const struct tep_record *record);

/* a field of an event in a trace */
struct event_field {
	const char *name;
	size_t member;			/* offset in struct event: int64_t or const char * */
	bool is_text;
	bool is_signed;
	unsigned int bits;		/* of a number */
};

/* maximum number of fields */
#define EVENT_FIELDS_MAX	16

/**
 * event_map_fields - the fields of an event that the trace has and the decoder reads
 * @fields: filled, without the fields common to all events of a kernel
 *
 * Returns their number; 0 if the trace does not describe the event.
 */
unsigned int event_map_fields(const struct event_map *map, enum event_id id,
			      struct event_field fields[EVENT_FIELDS_MAX]);

/**
 * event_from_text - parse a GVT-g event from a line of text
 * @line: TIME CPU EVENT FIELD=VALUE..., the time in ns; modified, and holds the event's strings
 * @event: filled
 *
 * Returns false if the line is no event, or lacks a required field.
 */
bool event_from_text(char *line, struct event *event);

/**
 * event_name - "system:event" as trace-cmd's -e option takes it
 */
const char *event_name(enum event_id id);

#endif
