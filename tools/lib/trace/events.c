// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <glib.h>

#include "events.h"
#include "inside.h"
#include "trace-private.h"
#include "util.h"

#define MAX_FIELDS	EVENT_FIELDS_MAX
/* a number with at most this many decimal digits is below 2^63 */
#define SURE_DIGITS	18
/* numbers are read in words of this many bytes */
#define WORD		8
/* common_type is an unsigned short in every kernel */
#define MAX_TYPES	65536

enum field_kind {
	FIELD_NUMBER,		/* may be missing: UNKNOWN then */
	FIELD_NEEDED,		/* number without which the event is useless */
	FIELD_TEXT,		/* may be missing: NULL then */
	FIELD_REST,		/* string up to the end of the record */
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

/*
 * Position of a number in this file's records: within a 64-bit word, below @above bits
 * of other data. No word reaches beyond the number, as the record may end there;
 * before it there is room, as records begin with the eight common bytes.
 */
struct number_place {
	uint16_t word;
	uint16_t member;	/* of struct event */
	uint8_t above;
	uint8_t spare;		/* 64 - size of the number in bits */
};

struct text_place {
	unsigned int offset;
	unsigned int size;	/* 0: up to the end of the record */
	bool dynamic;		/* located by a __data_loc word */
	size_t member;
};

struct event_place {
	bool present;
	unsigned int min_size;	/* minimum size of a record with all our fields */
	int nr_texts;
	unsigned int nr_numbers;
	unsigned int nr_signed;	/* signed ones, which come first */
	struct number_place numbers[MAX_FIELDS + 1];	/* and the common_pid */
	struct text_place texts[MAX_FIELDS];
	struct event event;	/* last one read; missing fields are unknown */
};

struct event_map {
	struct tep_handle *tep;
	const char *path;
	bool swap;			/* the file's byte order is not the host's */
	struct event_place places[EVENT_COUNT];
	unsigned char by_type[MAX_TYPES];	/* as in the file; enum event_id + 1, 0: not ours */
};

#define MEMBER(part, field)	offsetof(struct event, part.field)
#define NUMBER(part, field)	{ #field, MEMBER(part, field), FIELD_NUMBER }
#define NEEDED(part, field)	{ #field, MEMBER(part, field), FIELD_NEEDED }
#define TEXT(part, field)	{ #field, MEMBER(part, field), FIELD_TEXT }

#define WORKLOAD_FIELDS		NEEDED(workload, dev), NEEDED(workload, vgpu_id), \
				NEEDED(workload, workload_id), NEEDED(workload, class), \
				NEEDED(workload, instance)
#define WAKEUP_FIELDS		TEXT(wakeup, comm), NEEDED(wakeup, pid), \
				NUMBER(wakeup, prio), NUMBER(wakeup, target_cpu), \
				{ "common_flags", MEMBER(wakeup, flags), FIELD_NUMBER }
#define INFO_FIELD(type, member, ...)	type(sched_info, member),
#define VGPU_FIELD(member)	NUMBER(vgpu_info, member),
#define HEALTH_FIELD(member)	NUMBER(health, member),
#define SETTING_FIELD(member, ...)	{ #member, MEMBER(vgpu_info, set.member), FIELD_NUMBER },
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
	[EVENT_WORKLOAD_STATE] = { "gvt", "gvt_workload_state", {
		WORKLOAD_FIELDS, NEEDED(workload, state), NUMBER(workload, age_ns),
		NUMBER(workload, exec_ns) } },
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
	[EVENT_HOST_START] = { "gvt", "gvt_host_start", {
		NEEDED(host, dev), NUMBER(host, holder), NEEDED(host, class),
		NEEDED(host, instance), NUMBER(host, ctx), NUMBER(host, waited_ns),
		NUMBER(host, seqno) } },
	[EVENT_HOST_STOP] = { "gvt", "gvt_host_stop", {
		NEEDED(host, dev), NEEDED(host, class), NEEDED(host, instance),
		NUMBER(host, exec_ns) } },
	[EVENT_HOST_STATE] = { "gvt", "gvt_host_state", {
		NEEDED(host, dev), NEEDED(host, class), NEEDED(host, instance),
		NEEDED(host, running), NUMBER(host, exec_ns), NUMBER(host, wait_ns) } },
	[EVENT_VGPU_INFO] = { "gvt", "gvt_vgpu_info", {
		NEEDED(vgpu_info, dev), NEEDED(vgpu_info, vgpu_id),
		VGPU_NUMBERS(VGPU_FIELD) VGPU_SETTINGS(SETTING_FIELD)
		TEXT(vgpu_info, type), TEXT(vgpu_info, uuid) } },
	[EVENT_SCHED_INFO] = { "gvt", "gvt_sched_info", {
		NEEDED(sched_info, dev), SCHED_INFO(INFO_FIELD) } },
	[EVENT_VGPU_HEALTH] = { "gvt", "gvt_vgpu_health", {
		NEEDED(health, dev), NEEDED(health, vgpu_id),
		HEALTH_COUNTS(HEALTH_FIELD) NUMBER(health, failsafe) } },
	[EVENT_SPT_ALLOC] = { "gvt", "spt_alloc", {
		NEEDED(spt, id), NEEDED(spt, spt) } },
	[EVENT_SPT_FREE] = { "gvt", "spt_free", {
		NEEDED(spt, id), NEEDED(spt, spt) } },
	[EVENT_GEM_CREATE] = { "i915", "i915_gem_object_create", {
		NEEDED(gem, obj), NEEDED(gem, size) } },
	[EVENT_GEM_DESTROY] = { "i915", "i915_gem_object_destroy", {
		NEEDED(gem, obj) } },
	[EVENT_REQUEST_ADD] = { "i915", "i915_request_add", {
		NEEDED(host, dev), NEEDED(host, class), NEEDED(host, instance),
		NEEDED(host, ctx), NEEDED(host, seqno) } },
	[EVENT_MARK] = { "ftrace", "print", { { "buf", MEMBER(mark, text), FIELD_REST } } },
	[EVENT_READ_MSR] = { "msr", "read_msr", { NEEDED(msr, msr), NEEDED(msr, val), NUMBER(msr, failed) } },
	[EVENT_TASK_SWITCH] = { "sched", "sched_switch", {
		TEXT(task_switch, prev_comm), NEEDED(task_switch, prev_pid),
		NUMBER(task_switch, prev_prio), NEEDED(task_switch, prev_state),
		TEXT(task_switch, next_comm), NEEDED(task_switch, next_pid),
		NUMBER(task_switch, next_prio) } },
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

static void place_number(struct event_map *map, struct event_place *place,
			 const struct tep_format_field *field, size_t member)
{
	unsigned int end = MAX(field->offset + field->size, WORD), word = end - WORD;
	unsigned int before = field->offset - word;
	unsigned int behind = end - field->offset - field->size;
	struct number_place *number = place->numbers + place->nr_numbers++;

	if (field->flags & TEP_FIELD_IS_SIGNED) {
		*number = place->numbers[place->nr_signed];
		number = place->numbers + place->nr_signed++;
	}
	*number = (struct number_place) {
		.word = word,
		.member = member,
		.above = 8 * (tep_is_file_bigendian(map->tep) ? before : behind),
		.spare = 64 - 8 * field->size,
	};
	place->min_size = MAX(place->min_size, end);
}

/* A field that extends to the end of the record has no size in its format: "char buf[]". */
static void place_text(struct event_place *place, const struct tep_format_field *field,
		       const struct field_desc *desc)
{
	struct text_place text = {
		.offset = field->offset,
		.size = desc->kind == FIELD_REST ? 0 : field->size,
		.dynamic = desc->kind == FIELD_TEXT && (field->flags & TEP_FIELD_IS_DYNAMIC),
		.member = desc->member,
	};

	place->texts[place->nr_texts++] = text;
	place->min_size = MAX(place->min_size, text.offset + text.size);
}

static bool can_place(const struct tep_format_field *field, enum field_kind kind)
{
	if (field->offset < 0 || field->offset > UINT16_MAX)
		return false;
	if (kind == FIELD_REST)
		return true;
	if (field->size <= 0 || field->size > UINT16_MAX)
		return false;
	return kind == FIELD_TEXT ? is_text(field) : is_number(field);
}

static void find_field(struct event_map *map, enum event_id id, const struct field_desc *desc,
		       struct tep_event *format)
{
	struct tep_format_field *field = tep_find_any_field(format, desc->name);
	bool number = desc->kind == FIELD_NUMBER || desc->kind == FIELD_NEEDED;

	if (!field && desc->kind == FIELD_NEEDED)
		fatal("%s: event %s has no field '%s': the traced kernel's event format differs from the documented one; use the gvt-stat that belongs to that kernel",
		      map->path, event_name(id), desc->name);
	if (!field)
		return;
	if (!can_place(field, desc->kind))
		fatal("%s: field '%s' of event %s is not a %s (offset %d, size %d): the traced kernel's event format differs from the documented one; use the gvt-stat that belongs to that kernel",
		      map->path, desc->name, event_name(id), number ? "number" : "text",
		      field->offset, field->size);
	if (number)
		place_number(map, &map->places[id], field, desc->member);
	else
		place_text(&map->places[id], field, desc);
}

static void find_pid(struct event_map *map, enum event_id id, struct tep_event *format)
{
	struct tep_format_field *field = tep_find_common_field(format, "common_pid");

	if (field && can_place(field, FIELD_NUMBER))
		place_number(map, &map->places[id], field, offsetof(struct event, pid));
}

/* Some events share a struct, but do not carry all of its members. */
static void blank_event(struct event *event, enum event_id id)
{
	struct workload_event *workload = &event->workload;

	event->id = id;
	event->pid = UNKNOWN;
	event->kvm.exit_reason = UNKNOWN;
	if (id <= EVENT_WORKLOAD_CANCEL)
		workload->guest_lrca = workload->ctx = workload->seqno = workload->lrca =
		workload->completed = workload->status = workload->reason = UNKNOWN;
	for (const struct field_desc *desc = events[id].fields; desc->name; desc++)
		if (desc->kind == FIELD_NUMBER)
			*(int64_t *)((char *)event + desc->member) = UNKNOWN;
		else if (desc->kind != FIELD_NEEDED)
			*(const char **)((char *)event + desc->member) = NULL;
}

static const struct event_desc *find_desc(const char *name)
{
	for (enum event_id id = 0; id <= EVENT_SCHED_INFO; id++)
		if (!strcmp(events[id].name, name))
			return &events[id];
	return NULL;
}

/* NULL-terminated NAME=VALUE words of a line, usually in order: searched from the last hit */
struct words {
	char *const *all;
	char *const *next;
};

/* the value of NAME=VALUE, NULL if missing */
static char *find_word(struct words *words, const char *name)
{
	char *const *from = *words->next ? words->next : words->all, *const *word = from;
	size_t len = strlen(name);

	if (!*word)
		return NULL;
	do {
		if (!strncmp(*word, name, len) && (*word)[len] == '=') {
			words->next = word + 1;
			return *word + len + 1;
		}
		word = word[1] ? word + 1 : words->all;
	} while (word != from);
	return NULL;
}

/* Fast path: nearly all numbers are decimal, and a simulation has many millions. */
static int64_t number_of(const char *text)
{
	const char *first = text + (*text == '-'), *digit = first;
	int64_t number = 0;

	for (; g_ascii_isdigit(*digit) && digit - first < SURE_DIGITS; digit++)
		number = 10 * number + (*digit - '0');
	if (*digit || digit == first || (*first == '0' && digit - first > 1))
		return g_ascii_strtoll(text, NULL, 0);
	return first > text ? -number : number;
}

static bool take_field(const struct field_desc *desc, struct words *words, struct event *event)
{
	char *text = find_word(words, desc->name), *member = (char *)event + desc->member;

	if (desc->kind == FIELD_TEXT || desc->kind == FIELD_REST) {
		*(const char **)member = text;
		return true;
	}
	*(int64_t *)member = text ? number_of(text) : UNKNOWN;
	return text || desc->kind != FIELD_NEEDED;
}

/* split @line into its words, NULL-terminated */
static void split_words(char *line, char **words, int most)
{
	int nr = 0;

	line[strcspn(line, "\n")] = '\0';
	while (nr < most - 1) {
		while (*line == ' ')
			*line++ = '\0';
		if (!*line)
			break;
		words[nr++] = line;
		line = strchrnul(line, ' ');
	}
	*line = '\0';
	words[nr] = NULL;
}

bool event_from_text(char *line, struct event *event)
{
	char *words[3 + 2 * MAX_FIELDS];
	struct words fields = { words + 3, words + 3 };
	const struct event_desc *desc;

	split_words(line, words, G_N_ELEMENTS(words));
	if (!words[0] || !words[1] || !words[2])
		return false;
	desc = find_desc(words[2]);
	if (!desc)
		return false;
	blank_event(event, desc - events);
	event->ts_ns = g_ascii_strtoll(words[0], NULL, 10);
	event->cpu = 0;
	for (const struct field_desc *field = desc->fields; field->name; field++)
		if (!take_field(field, &fields, event))
			return false;
	return true;
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
	blank_event(&map->places[id].event, id);
	for (const struct field_desc *field = desc->fields; field->name; field++)
		find_field(map, id, field, format);
	find_pid(map, id, format);
	map->places[id].present = true;
	map->by_type[map->swap ? __builtin_bswap16(format->id) : format->id] = id + 1;
}

/* The reader spends a tenth of its time here: no branches on size and sign. */
#define READ_NUMBERS(type, last)							\
	for (end = place->numbers + (last); number < end; number++) {			\
		uint64_t word;								\
											\
		memcpy(&word, data + number->word, sizeof(word));			\
		*(int64_t *)(event + number->member) =					\
			(type)(NATIVE(word) << number->above) >> number->spare;		\
	}

static void read_numbers(struct event_place *place, const char *data)
{
	const struct number_place *number = place->numbers, *end;
	char *event = (char *)&place->event;

#define NATIVE(word)	(word)
	READ_NUMBERS(int64_t, place->nr_signed)
	READ_NUMBERS(uint64_t, place->nr_numbers)
#undef NATIVE
}

/* the same from the other byte order */
static void read_swapped(struct event_place *place, const char *data)
{
	const struct number_place *number = place->numbers, *end;
	char *event = (char *)&place->event;

#define NATIVE(word)	__builtin_bswap64(word)
	READ_NUMBERS(int64_t, place->nr_signed)
	READ_NUMBERS(uint64_t, place->nr_numbers)
#undef NATIVE
}

/* Without gvt_host_start and _stop, nothing is known of the host's own work. */
static bool can_follow_host(struct tep_handle *tep)
{
	return tep_find_event_by_name(tep, "gvt", events[EVENT_HOST_START].name) &&
	       tep_find_event_by_name(tep, "gvt", events[EVENT_HOST_STOP].name);
}

struct event_map *event_map_new(struct tep_handle *tep, const char *path, event_set wanted)
{
	struct event_map *map = g_new0(struct event_map, 1);

	map->tep = tep;
	map->path = path;
	map->swap = tep_is_file_bigendian(tep) != tep_is_local_bigendian(tep);
	if (!can_follow_host(tep))
		wanted &= ~HOST_EVENTS;
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

const unsigned char *event_map_types(const struct event_map *map)
{
	return map->by_type;
}

unsigned int event_map_fields(const struct event_map *map, enum event_id id,
			      struct event_field fields[EVENT_FIELDS_MAX])
{
	const struct event_desc *desc = &events[id];
	struct tep_event *format = tep_find_event_by_name(map->tep, desc->system, desc->name);
	unsigned int count = 0;

	for (const struct field_desc *one = desc->fields; format && one->name; one++) {
		const struct tep_format_field *field = tep_find_field(format, one->name);

		if (field)
			fields[count++] = (struct event_field) {
				.name = one->name, .member = one->member,
				.is_text = one->kind == FIELD_TEXT || one->kind == FIELD_REST,
				.is_signed = field->flags & TEP_FIELD_IS_SIGNED,
				.bits = 8 * field->size,
			};
	}
	return count;
}

/* The string must end inside the record: a damaged file may contain anything. */
static const char *read_text(const struct event_map *map, const struct text_place *place,
			     const struct tep_record *record)
{
	unsigned int offset = place->offset, size = place->size;
	const char *data = record->data;
	uint32_t loc;

	if (place->dynamic) {
		memcpy(&loc, data + offset, sizeof(loc));
		loc = map->swap ? __builtin_bswap32(loc) : loc;
		offset = loc & 0xffff;
		size = loc >> 16;
	} else if (!size) {
		size = record->size - offset;
	}
	if (offset + size > (unsigned int)record->size || !memchr(data + offset, '\0', size))
		return NULL;
	return data + offset;
}

/* common_type is the first field of every event in every kernel */
static unsigned int type_of(const struct tep_record *record)
{
	uint16_t type;

	memcpy(&type, record->data, sizeof(type));
	return type;
}

static void check_size(const struct event_map *map, enum event_id id,
		       const struct tep_record *record)
{
	if ((unsigned int)record->size < map->places[id].min_size)
		fatal("%s: a %s record at byte %llu is %d bytes long, its format needs %u: the file is corrupted; record the trace again",
		      map->path, event_name(id), record->offset, record->size,
		      map->places[id].min_size);
}

static void read_texts(const struct event_map *map, struct event_place *place,
		       const struct tep_record *record)
{
	for (int nr = 0; nr < place->nr_texts; nr++)
		*(const char **)((char *)&place->event + place->texts[nr].member) =
			read_text(map, &place->texts[nr], record);
}

struct event *event_map_decode(struct event_map *map, const struct tep_record *record)
{
	unsigned int index = map->by_type[type_of(record)];
	struct event_place *place;

	if (!index)
		return NULL;
	place = &map->places[index - 1];
	check_size(map, index - 1, record);
	place->event.cpu = record->cpu;
	if (map->swap)
		read_swapped(place, record->data);
	else
		read_numbers(place, record->data);
	if (place->nr_texts)
		read_texts(map, place, record);
	return &place->event;
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
