// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <glib.h>

#include "events.h"
#include "util.h"

#define MAX_FIELDS	12
/* common_type is an unsigned short in every kernel */
#define MAX_TYPES	65536

enum field_kind {
	FIELD_NUMBER,		/* may be missing: UNKNOWN then */
	FIELD_NEEDED,		/* a number without which the event is useless */
	FIELD_TEXT,		/* may be missing: NULL then */
	FIELD_REST,		/* a text up to the end of the record */
};

struct field_desc {
	const char *name;
	size_t member;
	enum field_kind kind;
};

struct event_desc {
	const char *system;
	const char *name;
	struct field_desc fields[MAX_FIELDS + 1];
};

/* where a field of this file's format lies in a record */
struct field_place {
	unsigned int offset;
	unsigned int size;	/* 0: the format has no such field */
	bool is_signed;
	bool dynamic;		/* a text behind a __data_loc word */
};

struct event_place {
	bool present;
	unsigned int min_size;	/* shortest record that holds all our fields */
	struct field_place pid;
	struct field_place fields[MAX_FIELDS];
};

struct event_map {
	struct tep_handle *tep;
	const char *path;
	bool swap;			/* the file's byte order is not ours */
	struct event_place places[EVENT_COUNT];
	unsigned char by_type[MAX_TYPES];	/* enum event_id + 1, 0: not ours */
};

#define MEMBER(part, field)	offsetof(struct event, part.field)
#define NUMBER(part, field)	{ #field, MEMBER(part, field), FIELD_NUMBER }
#define NEEDED(part, field)	{ #field, MEMBER(part, field), FIELD_NEEDED }
#define TEXT(part, field)	{ #field, MEMBER(part, field), FIELD_TEXT }

#define WORKLOAD_FIELDS		NEEDED(workload, dev), NEEDED(workload, vgpu_id), \
				NEEDED(workload, workload_id), NEEDED(workload, class), \
				NEEDED(workload, instance)
#define WAKEUP_FIELDS		NEEDED(wakeup, pid), NUMBER(wakeup, target_cpu), \
				TEXT(wakeup, comm)
#define SOFTIRQ_FIELDS		{ "vec", MEMBER(irq, irq), FIELD_NUMBER }

static const struct event_desc events[EVENT_COUNT] = {
	[EVENT_WORKLOAD_QUEUE] = { "gvt", "gvt_workload_queue", {
		WORKLOAD_FIELDS, NUMBER(workload, guest_lrca) } },
	[EVENT_WORKLOAD_SUBMIT] = { "gvt", "gvt_workload_submit", {
		WORKLOAD_FIELDS, NUMBER(workload, ctx), NUMBER(workload, seqno) } },
	[EVENT_WORKLOAD_START] = { "gvt", "gvt_workload_start", {
		WORKLOAD_FIELDS, NUMBER(workload, ctx), NUMBER(workload, seqno),
		NUMBER(workload, lrca) } },
	[EVENT_WORKLOAD_STOP] = { "gvt", "gvt_workload_stop", {
		WORKLOAD_FIELDS, NUMBER(workload, ctx), NUMBER(workload, seqno),
		NUMBER(workload, lrca), NEEDED(workload, completed) } },
	[EVENT_WORKLOAD_COMPLETE] = { "gvt", "gvt_workload_complete", {
		WORKLOAD_FIELDS, NEEDED(workload, status) } },
	[EVENT_WORKLOAD_CANCEL] = { "gvt", "gvt_workload_cancel", {
		WORKLOAD_FIELDS, NUMBER(workload, reason) } },
	[EVENT_SCHED_SWITCH] = { "gvt", "gvt_sched_switch", {
		NEEDED(sched_switch, dev), NEEDED(sched_switch, prev_vgpu_id),
		NEEDED(sched_switch, next_vgpu_id), NUMBER(sched_switch, prev_left_ns),
		NUMBER(sched_switch, prev_slice_ns), NUMBER(sched_switch, next_left_ns),
		NUMBER(sched_switch, next_slice_ns), NUMBER(sched_switch, drain_ns),
		NUMBER(sched_switch, reason), NUMBER(sched_switch, class),
		NUMBER(sched_switch, instance) } },
	[EVENT_SCHED_BALANCE] = { "gvt", "gvt_sched_balance", {
		NEEDED(balance, dev), NEEDED(balance, vgpu_id), NUMBER(balance, stage),
		NUMBER(balance, weight), NUMBER(balance, slice_ns),
		NUMBER(balance, left_ns), NUMBER(balance, class), NUMBER(balance, instance) } },
	[EVENT_SCHED_SETTING] = { "gvt", "gvt_sched_setting", {
		NEEDED(setting, dev), NEEDED(setting, vgpu_id), TEXT(setting, setting),
		TEXT(setting, old_value), TEXT(setting, new_value) } },
	[EVENT_SCHED_HOLD] = { "gvt", "gvt_sched_hold", {
		NEEDED(hold, dev), NEEDED(hold, vgpu_id), NEEDED(hold, held_vgpu_id),
		NEEDED(hold, held_ns), NUMBER(hold, window_ns), NUMBER(hold, result),
		NUMBER(hold, class), NUMBER(hold, instance) } },
	[EVENT_VGPU_INFO] = { "gvt", "gvt_vgpu_info", {
		NEEDED(vgpu_info, dev), NEEDED(vgpu_info, vgpu_id),
		NUMBER(vgpu_info, weight), NUMBER(vgpu_info, fences),
		NUMBER(vgpu_info, aperture_bytes), NUMBER(vgpu_info, hidden_bytes),
		NUMBER(vgpu_info, owner_pid), NUMBER(vgpu_info, nice), NUMBER(vgpu_info, cap),
		TEXT(vgpu_info, type), TEXT(vgpu_info, uuid) } },
	[EVENT_SCHED_INFO] = { "gvt", "gvt_sched_info", {
		NEEDED(sched_info, dev), NUMBER(sched_info, vgpus),
		NUMBER(sched_info, tick_ns), NUMBER(sched_info, period_ns),
		NUMBER(sched_info, stages), NUMBER(sched_info, boost_ns),
		TEXT(sched_info, policy), NUMBER(sched_info, carry_over),
		NUMBER(sched_info, leftover_max_ns), NUMBER(sched_info, max_wait_ns),
		NUMBER(sched_info, anticipation_ns), TEXT(sched_info, dispatch) } },
	[EVENT_SPT_ALLOC] = { "gvt", "spt_alloc", {
		NEEDED(spt, id), NEEDED(spt, spt) } },
	[EVENT_SPT_FREE] = { "gvt", "spt_free", {
		NEEDED(spt, id), NEEDED(spt, spt) } },
	[EVENT_GEM_CREATE] = { "i915", "i915_gem_object_create", {
		NEEDED(gem, obj), NEEDED(gem, size) } },
	[EVENT_GEM_DESTROY] = { "i915", "i915_gem_object_destroy", {
		NEEDED(gem, obj) } },
	[EVENT_MARK] = { "ftrace", "print", { { "buf", MEMBER(mark, text), FIELD_REST } } },
	[EVENT_TASK_SWITCH] = { "sched", "sched_switch", {
		NEEDED(task_switch, prev_pid), NEEDED(task_switch, prev_state),
		NEEDED(task_switch, next_pid), TEXT(task_switch, prev_comm),
		TEXT(task_switch, next_comm) } },
	[EVENT_TASK_WAKEUP] = { "sched", "sched_wakeup", { WAKEUP_FIELDS } },
	[EVENT_TASK_WAKEUP_NEW] = { "sched", "sched_wakeup_new", { WAKEUP_FIELDS } },
	[EVENT_TASK_WAKING] = { "sched", "sched_waking", { WAKEUP_FIELDS } },
	[EVENT_KVM_ENTRY] = { "kvm", "kvm_entry", { NUMBER(kvm, vcpu_id) } },
	[EVENT_KVM_EXIT] = { "kvm", "kvm_exit", {
		NUMBER(kvm, vcpu_id), NUMBER(kvm, exit_reason) } },
	[EVENT_IRQ_ENTRY] = { "irq", "irq_handler_entry", { NUMBER(irq, irq) } },
	[EVENT_IRQ_EXIT] = { "irq", "irq_handler_exit", { NUMBER(irq, irq) } },
	[EVENT_SOFTIRQ_ENTRY] = { "irq", "softirq_entry", { SOFTIRQ_FIELDS } },
	[EVENT_SOFTIRQ_EXIT] = { "irq", "softirq_exit", { SOFTIRQ_FIELDS } },
	[EVENT_HRTIMER_ENTRY] = { "timer", "hrtimer_expire_entry", { { 0 } } },
	[EVENT_HRTIMER_EXIT] = { "timer", "hrtimer_expire_exit", { { 0 } } },
};

const char *event_name(enum event_id id)
{
	static char names[EVENT_COUNT][64];

	if (!*names[id])
		g_snprintf(names[id], sizeof(names[id]), "%s:%s", events[id].system,
			   events[id].name);
	return names[id];
}

static bool is_number(const struct tep_format_field *field)
{
	if (field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_STRING))
		return false;
	return field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
}

static bool is_text(const struct tep_format_field *field)
{
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		return false;
	if (field->flags & TEP_FIELD_IS_DYNAMIC)
		return field->size == 4;
	return field->flags & TEP_FIELD_IS_ARRAY;
}

static void place_field(struct event_place *place, struct field_place *to,
			const struct tep_format_field *field)
{
	*to = (struct field_place) {
		.offset = field->offset,
		.size = field->size,
		.is_signed = field->flags & TEP_FIELD_IS_SIGNED,
		.dynamic = field->flags & TEP_FIELD_IS_DYNAMIC,
	};
	place->min_size = MAX(place->min_size, to->offset + to->size);
}

/* Its format has no size: "char buf[]". */
static void place_rest(struct event_place *place, struct field_place *to,
		       const struct tep_format_field *field)
{
	if (field->offset < 0 || field->offset > UINT16_MAX)
		return;
	*to = (struct field_place) { .offset = field->offset, .size = 1 };
	place->min_size = MAX(place->min_size, to->offset);
}

static void find_field(struct event_map *map, enum event_id id, int nr,
		       struct tep_event *format)
{
	const struct field_desc *desc = &events[id].fields[nr];
	struct tep_format_field *field = tep_find_field(format, desc->name);

	if (!field && desc->kind == FIELD_NEEDED)
		fatal("%s: event %s has no field '%s': the traced kernel's event format differs from the documented one; use the gvt-stat that belongs to that kernel",
		      map->path, event_name(id), desc->name);
	if (!field)
		return;
	if (desc->kind == FIELD_REST) {
		place_rest(&map->places[id], &map->places[id].fields[nr], field);
		return;
	}
	if (field->offset < 0 || field->size <= 0 || field->offset > UINT16_MAX ||
	    field->size > UINT16_MAX ||
	    !(desc->kind == FIELD_TEXT ? is_text(field) : is_number(field)))
		fatal("%s: field '%s' of event %s is not a %s (offset %d, size %d): the traced kernel's event format differs from the documented one; use the gvt-stat that belongs to that kernel",
		      map->path, desc->name, event_name(id),
		      desc->kind == FIELD_TEXT ? "text" : "number", field->offset, field->size);
	place_field(&map->places[id], &map->places[id].fields[nr], field);
}

static void find_pid(struct event_map *map, enum event_id id, struct tep_event *format)
{
	struct tep_format_field *field = tep_find_common_field(format, "common_pid");

	if (field && field->offset >= 0 && field->size == 4)
		place_field(&map->places[id], &map->places[id].pid, field);
}

static void find_event(struct event_map *map, enum event_id id)
{
	const struct event_desc *desc = &events[id];
	struct tep_event *format = tep_find_event_by_name(map->tep, desc->system, desc->name);

	if (!format)
		return;
	if (format->id < 0 || format->id >= MAX_TYPES)
		fatal("%s: event %s has the impossible id %d: the file is corrupted; record the trace again",
		      map->path, event_name(id), format->id);
	for (int nr = 0; desc->fields[nr].name; nr++)
		find_field(map, id, nr, format);
	find_pid(map, id, format);
	map->places[id].present = true;
	map->by_type[format->id] = id + 1;
}

struct event_map *event_map_new(struct tep_handle *tep, const char *path, event_set wanted)
{
	struct event_map *map = g_new0(struct event_map, 1);

	map->tep = tep;
	map->path = path;
	map->swap = tep_is_file_bigendian(tep) != tep_is_local_bigendian(tep);
	for (enum event_id id = 0; id < EVENT_COUNT; id++)
		if (wanted & EVENT_BIT(id))
			find_event(map, id);
	return map;
}

void event_map_free(struct event_map *map)
{
	g_free(map);
}

bool event_map_has(const struct event_map *map, enum event_id id)
{
	return map->places[id].present;
}

static uint64_t swap_bytes(uint64_t value, unsigned int size)
{
	return __builtin_bswap64(value) >> (64 - 8 * size);
}

static int64_t sign_extend(uint64_t value, unsigned int size)
{
	unsigned int shift = 64 - 8 * size;

	return (int64_t)(value << shift) >> shift;
}

/* tep_read_number(), without a call for each of a trace's numbers */
static uint64_t load_number(const struct event_map *map, const void *data, unsigned int size)
{
	uint64_t value = 0;

	switch (size) {
	case 1:
		return *(const uint8_t *)data;
	case 2:
		memcpy(&value, data, 2);
		break;
	case 4:
		memcpy(&value, data, 4);
		break;
	default:
		memcpy(&value, data, 8);
		break;
	}
	if (G_BYTE_ORDER == G_BIG_ENDIAN)
		value >>= 64 - 8 * size;
	return map->swap ? swap_bytes(value, size) : value;
}

static int64_t read_number(const struct event_map *map, const struct field_place *place,
			   const struct tep_record *record)
{
	uint64_t value;

	if (!place->size)
		return UNKNOWN;
	value = load_number(map, (const char *)record->data + place->offset, place->size);
	return place->is_signed ? sign_extend(value, place->size) : (int64_t)value;
}

/* The text must end inside the record: a damaged file may say anything. */
static const char *read_text(const struct event_map *map, const struct field_place *place,
			     const struct tep_record *record)
{
	unsigned int offset = place->offset, size = place->size;
	const char *data = record->data;
	uint32_t loc;

	if (!place->size)
		return NULL;
	if (place->dynamic) {
		loc = load_number(map, data + offset, 4);
		offset = loc & 0xffff;
		size = loc >> 16;
	}
	if (offset + size > (unsigned int)record->size || !memchr(data + offset, '\0', size))
		return NULL;
	return data + offset;
}

static const char *read_rest(const struct field_place *place, const struct tep_record *record)
{
	const char *data = record->data;

	if (!place->size || place->offset >= (unsigned int)record->size ||
	    !memchr(data + place->offset, '\0', record->size - place->offset))
		return NULL;
	return data + place->offset;
}

static void decode_field(const struct event_map *map, const struct field_desc *desc,
			 const struct field_place *place, const struct tep_record *record,
			 struct event *event)
{
	void *member = (char *)event + desc->member;

	if (desc->kind == FIELD_TEXT)
		*(const char **)member = read_text(map, place, record);
	else if (desc->kind == FIELD_REST)
		*(const char **)member = read_rest(place, record);
	else
		*(int64_t *)member = read_number(map, place, record);
}

/* Some events share a struct whose members not all of them carry. */
static void forget_optional_fields(struct event *event)
{
	struct workload_event *workload = &event->workload;

	event->kvm.exit_reason = UNKNOWN;
	if (event->id == EVENT_VGPU_INFO)
		event->vgpu_info.vm = NULL;
	if (event->id > EVENT_WORKLOAD_CANCEL)
		return;
	workload->guest_lrca = UNKNOWN;
	workload->ctx = UNKNOWN;
	workload->seqno = UNKNOWN;
	workload->lrca = UNKNOWN;
	workload->completed = UNKNOWN;
	workload->status = UNKNOWN;
	workload->reason = UNKNOWN;
}

bool event_map_decode(const struct event_map *map, struct tep_record *record,
		      struct event *event)
{
	unsigned int index = map->by_type[tep_data_type(map->tep, record) & (MAX_TYPES - 1)];
	const struct event_desc *desc;
	const struct event_place *place;

	if (!index)
		return false;
	event->id = index - 1;
	event->cpu = record->cpu;
	desc = &events[event->id];
	place = &map->places[event->id];
	if ((unsigned int)record->size < place->min_size)
		fatal("%s: a %s record at byte %llu is %d bytes long, its format needs %u: the file is corrupted; record the trace again",
		      map->path, event_name(event->id), record->offset, record->size,
		      place->min_size);
	event->pid = read_number(map, &place->pid, record);
	forget_optional_fields(event);
	for (int nr = 0; desc->fields[nr].name; nr++)
		decode_field(map, &desc->fields[nr], &place->fields[nr], record, event);
	return true;
}

/* FNV-1a's multiplication, a word at a time */
static uint64_t mix(uint64_t print, uint64_t value)
{
	print = (print ^ value) * 0x100000001b3;
	return print ^ print >> 29;
}

uint64_t event_fingerprint(const struct event *event)
{
	uint64_t print = 0xcbf29ce484222325;

	for (const struct field_desc *field = events[event->id].fields; field->name; field++) {
		const void *member = (const char *)event + field->member;
		const char *text = *(const char *const *)member;

		if (field->kind != FIELD_TEXT && field->kind != FIELD_REST)
			print = mix(print, *(const uint64_t *)member);
		else if (text)
			print = mix(print, g_str_hash(text));
	}
	return print;
}

bool sched_policy_sliced(const char *policy)
{
	return strcmp(policy, "fair") != 0;
}

bool sched_policy_lends(const char *policy)
{
	return !strcmp(policy, "work-conserving") || !strcmp(policy, "fair");
}
