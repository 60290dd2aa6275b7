// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat export --format perfetto: the lanes of lanes.h as a trace for https://perfetto.dev
 *
 *   GPU 0                    turn, engines (vGPU that executes), their utilisation
 *   vGPU 1 (name of its VM)  for each engine the reasons of waits, and each workload; queue length,
 *                            slice left, utilisation
 *   the VM's process         vCPU threads: guest, VMM, ...
 *   events lost
 *   CPU 0...                 switches and wakeups of the CPU scheduler, as ftrace's own events
 *
 * A flow connects the stages of a workload: queued by a thread, waits, executes, completes.
 *
 * Packets need no order, except those of one time on one track. The trace names no clock: times are
 * unchanged.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "analysis/blame.h"
#include "trace/util.h"
#include "perfetto-fields.h"
#include "proto.h"
#include "drawing.h"
#include "export.h"

/* buffered bytes of packets before a write */
#define KEPT_BYTES	(1 << 18)

/* all packets have the same writer */
#define SEQUENCE		1

/* lowest bits of a track's uuid: lanes get small uuids, as each event contains one */
#define UUID_KIND_BITS	3
enum uuid_kind {
	UUID_LANE = 1,
	UUID_COUNTER,
	UUID_GPU,
	UUID_VGPU,
};

/* lists of InternedData, by field number */
enum interned {
	INTERNED_CATEGORY = 1,
	INTERNED_EVENT = 2,
	INTERNED_ANNOTATION = 3,
	INTERNED_KINDS
};

/* annotations of an event */
enum annotation {
	NOTE_WORKLOAD, NOTE_CTX, NOTE_SEQNO, NOTE_STATUS, NOTE_BEGIN, NOTE_END, NOTE_CULPRIT,
	NOTE_QUEUED_BEFORE, NOTE_STOPPED_BEFORE, NOTE_EXECUTED_BEFORE, NOTE_CANCELLED,
	ANNOTATIONS
};

static const char *const annotation_names[ANNOTATIONS] = {
	[NOTE_WORKLOAD] = "workload", [NOTE_CTX] = "ctx", [NOTE_SEQNO] = "seqno",
	[NOTE_STATUS] = "status", [NOTE_BEGIN] = "begin", [NOTE_END] = "end",
	[NOTE_CULPRIT] = "culprit", [NOTE_QUEUED_BEFORE] = "queued_before_ns",
	[NOTE_STOPPED_BEFORE] = "stopped_before_ns",
	[NOTE_EXECUTED_BEFORE] = "executed_before", [NOTE_CANCELLED] = "cancelled",
};

/* iids of constant texts; 0: not interned yet */
struct constants {
	uint64_t annotations[ANNOTATIONS];
	uint64_t states[LANE_STATES];
	uint64_t marks[MARK_KINDS];
	uint64_t waits[WAIT_CLASSES];	/* waits without culprit */
	uint64_t lanes[LANE_KINDS], classes[WAIT_CLASSES];	/* categories */
};

/* size of the cache of vGPU names, by id */
#define NAMED	8

/* cached iid of a name that contains the vGPU's label */
struct named {
	char *label;			/* NULL: empty */
	uint64_t iid;
};

/* a GPU or vGPU, whose track is the parent of others */
struct owner {
	uint64_t uuid;
	char *name;
};

struct perfetto {
	struct drawing drawing;
	FILE *file;
	const char *path;		/* of the output, for messages */
	gzFile gzip;			/* NULL: not compressed */
	GHashTable *texts[INTERNED_KINDS];	/* iid by text */
	struct constants constants;	/* iids of constant texts, without lookup */
	struct named runs[NAMED], waits_for[NAMED];	/* caches for vGPUs */
	GHashTable *owners;		/* struct owner by uuid */
	struct proto out;		/* packets not yet written */
	size_t packet, event;		/* begin of the current ones */
	struct proto interned, part;	/* texts first used by the current packet */
	GString *text;			/* buffer for composed names */
};

static uint64_t uuid_of(enum uuid_kind kind, uint64_t number)
{
	return number << UUID_KIND_BITS | (uint64_t)kind;
}

static _Noreturn void cannot_compress(const struct perfetto *perfetto)
{
	fatal("%s: cannot write: %s", perfetto->path, errno ? strerror(errno) : "no memory to compress it");
}

/* Write errors of an uncompressed file show when the file is closed. */
static void write_bytes(struct perfetto *perfetto, const void *data, size_t len)
{
	if (!perfetto->gzip)
		fwrite(data, 1, len, perfetto->file);
	else if (gzwrite(perfetto->gzip, data, len) != (int)len)
		cannot_compress(perfetto);
}

static void write_out(struct perfetto *perfetto)
{
	write_bytes(perfetto, perfetto->out.data, perfetto->out.len);
	proto_clear(&perfetto->out);
}

static void begin_packet(struct perfetto *perfetto)
{
	perfetto->packet = proto_begin(&perfetto->out, TRACE_PACKET);
	proto_number(&perfetto->out, PACKET_SEQUENCE_ID, SEQUENCE);
}

static void end_packet(struct perfetto *perfetto)
{
	if (perfetto->interned.len)
		proto_message(&perfetto->out, PACKET_INTERNED, &perfetto->interned);
	proto_end(&perfetto->out, perfetto->packet);
	if (perfetto->out.len > KEPT_BYTES)
		write_out(perfetto);
}

/* the iid of a text; the current packet defines a new text */
static uint64_t intern(struct perfetto *perfetto, enum interned kind, const char *text)
{
	GHashTable *texts = perfetto->texts[kind];
	gpointer iid = g_hash_table_lookup(texts, text);

	if (iid)
		return GPOINTER_TO_SIZE(iid);
	iid = GSIZE_TO_POINTER(g_hash_table_size(texts) + 1);
	g_hash_table_insert(texts, g_strdup(text), iid);
	proto_number(&perfetto->part, INTERNED_IID, GPOINTER_TO_SIZE(iid));
	proto_text(&perfetto->part, INTERNED_NAME, text);
	proto_message(&perfetto->interned, kind, &perfetto->part);
	return GPOINTER_TO_SIZE(iid);
}

/* intern() for a constant text: @iid caches its number */
static inline uint64_t intern_once(struct perfetto *perfetto, uint64_t *iid, enum interned kind,
				   const char *text)
{
	if (!*iid)
		*iid = intern(perfetto, kind, text);
	return *iid;
}

/* members of a track descriptor other than counters and threads */
struct track {
	uint64_t uuid;
	uint64_t parent;		/* uuid; 0: none */
	const char *name;
	int rank;			/* position among its siblings */
};

static void begin_track(struct perfetto *perfetto, const struct track *track)
{
	struct proto *out = &perfetto->out;

	begin_packet(perfetto);
	perfetto->event = proto_begin(out, PACKET_TRACK_DESCRIPTOR);
	proto_number(out, TRACK_UUID, track->uuid);
	if (track->parent)
		proto_number(out, TRACK_PARENT, track->parent);
	proto_text(out, TRACK_NAME, track->name);
	proto_number(out, TRACK_CHILD_ORDERING, CHILD_ORDERING_EXPLICIT);
	proto_number(out, TRACK_RANK, track->rank);
}

static void end_event(struct perfetto *perfetto)
{
	proto_end(&perfetto->out, perfetto->event);
	end_packet(perfetto);
}

static void write_track(struct perfetto *perfetto, const struct track *track)
{
	begin_track(perfetto, track);
	end_event(perfetto);
}

static void free_owner(void *data)
{
	struct owner *owner = data;

	g_free(owner->name);
	g_free(owner);
}

/* The VM's name may become known after the first work; the track keeps its first name. */
static const struct owner *get_owner(struct perfetto *perfetto, uint64_t uuid, int rank,
				     const struct gpu *gpu, const struct vgpu *vgpu)
{
	struct owner *owner = g_hash_table_lookup(perfetto->owners, &uuid);
	struct track track = { .uuid = uuid, .rank = rank };

	if (owner)
		return owner;
	owner = g_new(struct owner, 1);
	*owner = (struct owner) { uuid, drawing_owner(gpu, vgpu) };
	g_hash_table_insert(perfetto->owners, &owner->uuid, owner);
	track.name = owner->name;
	write_track(perfetto, &track);
	return owner;
}

/* the owner of a lane; NULL: the lane belongs to no GPU */
static const struct owner *owner_of(struct perfetto *perfetto, const struct gpu *gpu,
				    const struct vgpu *vgpu)
{
	if (vgpu)
		return get_owner(perfetto, uuid_of(UUID_VGPU, (uint64_t)vgpu->dev << 48 |
							      (uint32_t)vgpu->id),
				 2 + (vgpu->id & 0xffff), NULL, vgpu);
	return gpu ? get_owner(perfetto, uuid_of(UUID_GPU, gpu->dev + 1), 1, gpu, NULL) : NULL;
}

/*
 * "vGPU 1 rcs0 waits", "GPU 0 turn": full names, as versions of Perfetto without parent tracks
 * merge tracks of the same name.
 */
static void name_lane(const struct lane *lane, const struct owner *owner, GString *name)
{
	static const char *const names[LANE_KINDS] = {
		[LANE_TURNS] = " turn", [LANE_ENGINE] = "", [LANE_WAITS] = " waits",
		[LANE_LIVES] = " workloads", [LANE_LOST] = " events lost",
	};

	g_string_assign(name, owner ? owner->name : "");
	if (lane->engine)
		g_string_append_printf(name, " %s", lane->engine->name);
	g_string_append(name, names[lane->kind]);
	if (!owner)
		g_string_erase(name, 0, 1);
}

static void thread_track(struct perfetto *perfetto, const struct lane *lane)
{
	const struct vcpu *vcpu = lane->vcpu;
	const struct vgpu *vgpu = model_vgpu(perfetto->drawing.follow.model, vcpu->dev, vcpu->vgpu_id);
	int64_t pid = vgpu && known(vgpu->owner_pid) ? vgpu->owner_pid : vcpu->pid;
	struct track track = { .uuid = uuid_of(UUID_LANE, lane->index) };
	char name[64];
	size_t thread;

	if (known(vcpu->vcpu_id))
		g_snprintf(name, sizeof(name), "vCPU %" PRId64, vcpu->vcpu_id);
	else
		g_snprintf(name, sizeof(name), "vCPU thread");
	begin_track(perfetto, &track);
	thread = proto_begin(&perfetto->out, TRACK_THREAD);
	proto_number(&perfetto->out, THREAD_PID, pid);
	proto_number(&perfetto->out, THREAD_TID, vcpu->pid);
	proto_text(&perfetto->out, THREAD_NAME, *vcpu->comm ? vcpu->comm : name);
	proto_end(&perfetto->out, thread);
	end_event(perfetto);
}

static void on_lane(void *ctx, const struct lane *lane)
{
	struct perfetto *perfetto = ctx;
	struct track track = {
		.uuid = uuid_of(UUID_LANE, lane->index), .rank = 1 + 10 * lane->kind,
	};
	const struct owner *owner;

	if (lane->kind == LANE_VCPU) {
		thread_track(perfetto, lane);
		return;
	}
	owner = owner_of(perfetto, lane->gpu, lane->vgpu);
	track.parent = owner ? owner->uuid : 0;
	name_lane(lane, owner, perfetto->text);
	track.name = perfetto->text->str;
	write_track(perfetto, &track);
}

/* full names, as SQL does not show a counter's parent */
static void on_counter(void *ctx, const struct lane_counter *counter)
{
	struct perfetto *perfetto = ctx;
	const struct owner *owner = owner_of(perfetto, counter->gpu, counter->vgpu);
	char *name = g_strdup_printf("%s %s%s%s", owner->name,
				     counter->engine ? counter->engine->name : "",
				     counter->engine ? " " : "", counter_name(counter->kind));
	struct track track = {
		.uuid = uuid_of(UUID_COUNTER, counter->index), .name = name,
		.rank = 5 + 10 * counter->kind,
		.parent = owner->uuid,
	};
	size_t unit;

	begin_track(perfetto, &track);
	unit = proto_begin(&perfetto->out, TRACK_COUNTER);
	proto_text(&perfetto->out, COUNTER_UNIT_NAME, counter_unit(counter->kind));
	proto_end(&perfetto->out, unit);
	end_event(perfetto);
	g_free(name);
}

static uint64_t annotation_iid(struct perfetto *perfetto, enum annotation annotation)
{
	return intern_once(perfetto, &perfetto->constants.annotations[annotation],
			   INTERNED_ANNOTATION, annotation_names[annotation]);
}

/* two numbers, always short enough for a length of one byte */
static void annotate_number(struct perfetto *perfetto, enum annotation annotation, int64_t value)
{
	uint64_t iid;
	uint8_t *begin, *to;

	if (!known(value))
		return;
	iid = annotation_iid(perfetto, annotation);
	begin = proto_put_begin(proto_room(&perfetto->out, 5 * PROTO_MAX_VARINT), EVENT_ANNOTATIONS);
	to = proto_put_number(begin, ANNOTATION_NAME_IID, iid);
	to = proto_put_number(to, ANNOTATION_INT, value);
	begin[-1] = to - begin;
	perfetto->out.len = to - perfetto->out.data;
}

static void annotate_text(struct perfetto *perfetto, enum annotation annotation, const char *text)
{
	uint64_t iid = annotation_iid(perfetto, annotation);
	size_t begin = proto_begin(&perfetto->out, EVENT_ANNOTATIONS);

	proto_number(&perfetto->out, ANNOTATION_NAME_IID, iid);
	proto_text(&perfetto->out, ANNOTATION_TEXT, text);
	proto_end(&perfetto->out, begin);
}

/* marks an interval that is incomplete at this end */
static void annotate_limit(struct perfetto *perfetto, enum annotation which, enum lane_limit limit)
{
	if (limit == LIMIT_CUT)
		annotate_text(perfetto, which, "cut");
	if (limit == LIMIT_LOST)
		annotate_text(perfetto, which, "events lost");
}

/* annotations of a workload that was queued before the window */
static void annotate_past(struct perfetto *perfetto, const struct lane_interval *interval)
{
	const struct workload *w = interval->workload;

	annotate_number(perfetto, NOTE_QUEUED_BEFORE, difference(interval->from_ns, w->queue_ns));
	if (interval->state == LANE_COMPLETES)
		annotate_number(perfetto, NOTE_STOPPED_BEFORE,
				difference(interval->from_ns, workload_last_stop(w)));
	if (w->exec_unknown)
		annotate_text(perfetto, NOTE_EXECUTED_BEFORE, "unknown");
}

static void annotate(struct perfetto *perfetto, const struct lane_interval *interval)
{
	const struct workload *w = interval->workload;

	annotate_limit(perfetto, NOTE_BEGIN, interval->begin);
	annotate_limit(perfetto, NOTE_END, interval->end);
	if (interval->culprit)
		annotate_text(perfetto, NOTE_CULPRIT, interval->culprit->label);
	if (!w)
		return;
	annotate_number(perfetto, NOTE_WORKLOAD, w->id);
	annotate_number(perfetto, NOTE_CTX, w->ctx);
	annotate_number(perfetto, NOTE_SEQNO, w->seqno);
	annotate_number(perfetto, NOTE_STATUS, w->status);
	if (interval->lane->kind == LANE_LIVES && interval->begin == LIMIT_CUT)
		annotate_past(perfetto, interval);
	if (w->cancelled)
		annotate_text(perfetto, NOTE_CANCELLED, "yes");
	proto_number(&perfetto->out, EVENT_CORRELATION_ID, w->id);
}

/* A vGPU's label may change, so compare it with the cached one. */
static uint64_t intern_named(struct perfetto *perfetto, struct named *all, const char *before,
			     const struct vgpu *vgpu)
{
	struct named *named = &all[(uint64_t)vgpu->id % NAMED];

	if (named->label && !strcmp(named->label, vgpu->label))
		return named->iid;
	g_free(named->label);
	named->label = g_strdup(vgpu->label);
	g_string_assign(perfetto->text, before);
	g_string_append(perfetto->text, vgpu->label);
	named->iid = intern(perfetto, INTERNED_EVENT, perfetto->text->str);
	return named->iid;
}

static uint64_t wait_name(struct perfetto *perfetto, const struct lane_interval *interval)
{
	uint64_t *iid = &perfetto->constants.waits[interval->class];

	if (interval->culprit)
		return intern_named(perfetto, perfetto->waits_for, "waits for ", interval->culprit);
	if (!*iid) {
		g_string_assign(perfetto->text, "waits: ");
		g_string_append(perfetto->text, wait_class_name(interval->class));
		*iid = intern(perfetto, INTERNED_EVENT, perfetto->text->str);
	}
	return *iid;
}

/* "vGPU 1", "waits for vGPU 2", "waits: throttled" */
static uint64_t name_of(struct perfetto *perfetto, const struct lane_interval *interval)
{
	if (interval->state == LANE_RUNS || interval->state == LANE_TURN)
		return intern_named(perfetto, perfetto->runs, "", interval->vgpu);
	if (interval->lane->kind == LANE_WAITS)
		return wait_name(perfetto, interval);
	return intern_once(perfetto, &perfetto->constants.states[interval->state], INTERNED_EVENT,
			   lane_state_name(interval->state));
}

/* one chain per workload, in order of time, over the lanes that have edges */
static void add_flow(struct perfetto *perfetto, struct workload_key key, enum lane_edge edge)
{
	uint64_t id = (uint64_t)key.dev << 56 | ((uint64_t)key.id & (UINT64_MAX >> 8));

	if (edge != EDGE_NONE)
		proto_fixed64(&perfetto->out, edge == EDGE_END ? EVENT_TERMINATING_FLOW_IDS :
								  EVENT_FLOW_IDS, id);
}

/*
 * A packet that uses interned texts must say so, except the first, which clears them. As each
 * interval has two packets, room for their common fields is reserved once.
 */
static void begin_event(struct perfetto *perfetto, int64_t ts_ns, int type, uint64_t track)
{
	struct proto *out = &perfetto->out;
	uint8_t *data = proto_room(out, 12 * PROTO_MAX_VARINT) - out->len, *to = data + out->len;

	to = proto_put_begin(to, TRACE_PACKET);
	perfetto->packet = to - data;
	to = proto_put_number(to, PACKET_SEQUENCE_ID, SEQUENCE);
	to = proto_put_number(to, PACKET_TIMESTAMP, MAX(ts_ns, 0));
	to = proto_put_number(to, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
	to = proto_put_begin(to, PACKET_TRACK_EVENT);
	perfetto->event = to - data;
	to = proto_put_number(to, EVENT_TYPE, type);
	to = proto_put_number(to, EVENT_TRACK, track);
	out->len = to - data;
}

static uint64_t category_of(struct perfetto *perfetto, const struct lane_interval *interval)
{
	struct constants *constants = &perfetto->constants;
	enum lane_kind kind = interval->lane->kind;

	if (interval->class)
		return intern_once(perfetto, &constants->classes[interval->class],
				   INTERNED_CATEGORY, wait_class_name(interval->class));
	return intern_once(perfetto, &constants->lanes[kind], INTERNED_CATEGORY,
			   lane_kind_name(kind));
}

static void on_interval(void *ctx, const struct lane_interval *interval)
{
	struct perfetto *perfetto = ctx;
	uint64_t track = uuid_of(UUID_LANE, interval->lane->index), iid;

	begin_event(perfetto, interval->from_ns, TYPE_BEGIN, track);
	iid = name_of(perfetto, interval);
	proto_number(&perfetto->out, EVENT_NAME_IID, iid);
	iid = category_of(perfetto, interval);
	proto_number(&perfetto->out, EVENT_CATEGORY_IIDS, iid);
	if (interval->workload)
		add_flow(perfetto, interval->workload->key, interval->edge);
	annotate(perfetto, interval);
	end_event(perfetto);
	begin_event(perfetto, interval->to_ns, TYPE_END, track);
	end_event(perfetto);
}

static void on_mark(void *ctx, const struct lane_mark *mark)
{
	struct perfetto *perfetto = ctx;
	uint64_t iid;

	if (!mark->lane)
		return;
	begin_event(perfetto, mark->at_ns, TYPE_INSTANT, uuid_of(UUID_LANE, mark->lane->index));
	iid = intern_once(perfetto, &perfetto->constants.marks[mark->kind], INTERNED_EVENT,
			  lane_mark_name(mark->kind));
	proto_number(&perfetto->out, EVENT_NAME_IID, iid);
	add_flow(perfetto, mark->workload, mark->edge);
	annotate_number(perfetto, NOTE_WORKLOAD, mark->workload.id);
	end_event(perfetto);
}

static void on_sample(void *ctx, const struct lane_counter *counter, int64_t at_ns, double value)
{
	struct perfetto *perfetto = ctx;

	begin_event(perfetto, at_ns, TYPE_COUNTER, uuid_of(UUID_COUNTER, counter->index));
	if (counter->kind >= COUNTER_BUSY)
		proto_double(&perfetto->out, EVENT_COUNTER_DOUBLE, value);
	else
		proto_number(&perfetto->out, EVENT_COUNTER_VALUE, (int64_t)value);
	end_event(perfetto);
}

/* events of the CPU scheduler in ftrace's own form */
static void put_switch(struct proto *out, const struct task_switch_event *task)
{
	proto_text(out, SWITCH_PREV_COMM, task->prev_comm);
	proto_number(out, SWITCH_PREV_PID, task->prev_pid);
	if (known(task->prev_state))
		proto_number(out, SWITCH_PREV_STATE, task->prev_state);
	proto_text(out, SWITCH_NEXT_COMM, task->next_comm);
	proto_number(out, SWITCH_NEXT_PID, task->next_pid);
}

static void put_waking(struct proto *out, const struct wakeup_event *wakeup)
{
	proto_text(out, WAKING_COMM, wakeup->comm);
	proto_number(out, WAKING_PID, wakeup->pid);
	if (known(wakeup->target_cpu))
		proto_number(out, WAKING_TARGET_CPU, wakeup->target_cpu);
}

static void write_ftrace(struct perfetto *perfetto, const struct event *event)
{
	bool is_switch = event->id == EVENT_TASK_SWITCH;
	struct proto *out = &perfetto->out;
	size_t bundle, one, kind;

	begin_packet(perfetto);
	bundle = proto_begin(out, PACKET_FTRACE);
	proto_number(out, BUNDLE_CPU, event->cpu);
	one = proto_begin(out, BUNDLE_EVENT);
	proto_number(out, FTRACE_TIMESTAMP, MAX(event->ts_ns, 0));
	proto_number(out, FTRACE_PID, known(event->pid) ? event->pid : 0);
	kind = proto_begin(out, is_switch ? FTRACE_SCHED_SWITCH : FTRACE_SCHED_WAKING);
	if (is_switch)
		put_switch(out, &event->task_switch);
	else
		put_waking(out, &event->wakeup);
	proto_end(out, kind);
	proto_end(out, one);
	proto_end(out, bundle);
	end_packet(perfetto);
}

static void on_task(void *ctx, const struct event *event)
{
	struct perfetto *perfetto = ctx;
	const struct window *window = &perfetto->drawing.follow.window;

	if (event->ts_ns >= window->from_ns && event->ts_ns <= window->to_ns)
		write_ftrace(perfetto, event);
}

static void attribute_number(struct perfetto *perfetto, const char *key, int64_t value)
{
	size_t attribute;

	if (!known(value))
		return;
	attribute = proto_begin(&perfetto->out, ATTRIBUTES_ATTRIBUTE);
	proto_text(&perfetto->out, ATTRIBUTE_KEY, key);
	proto_number(&perfetto->out, ATTRIBUTE_LONG, value);
	proto_end(&perfetto->out, attribute);
}

static void attribute_text(struct perfetto *perfetto, const char *key, const char *value)
{
	size_t attribute;

	if (!value || !*value)
		return;
	attribute = proto_begin(&perfetto->out, ATTRIBUTES_ATTRIBUTE);
	proto_text(&perfetto->out, ATTRIBUTE_KEY, key);
	proto_text(&perfetto->out, ATTRIBUTE_TEXT, value);
	proto_end(&perfetto->out, attribute);
}

static void write_attributes(struct perfetto *perfetto)
{
	const struct follow *follow = &perfetto->drawing.follow;
	const struct trace_info *trace = follow->trace;
	const GPtrArray *infos = model_sched_infos(follow->model);

	begin_packet(perfetto);
	perfetto->event = proto_begin(&perfetto->out, PACKET_ATTRIBUTES);
	attribute_text(perfetto, "gvt_stat", GVT_STAT_VERSION);
	attribute_text(perfetto, "file", trace->path);
	attribute_text(perfetto, "clock", trace->clock);
	attribute_text(perfetto, "kernel", follow->recorded->kernel);
	attribute_number(perfetto, "window_start_ns", follow->window.from_ns);
	attribute_number(perfetto, "window_end_ns", follow->window.to_ns);
	attribute_number(perfetto, "lost_gaps", trace->lost_gaps);
	attribute_number(perfetto, "lost_events_min", trace->lost_events + trace->lost_uncounted);
	attribute_number(perfetto, "intervals_dropped", lanes_dropped(perfetto->drawing.lanes));
	for (unsigned int nr = 0; nr < infos->len; nr++) {
		const struct sched_info *info = infos->pdata[nr];

		attribute_text(perfetto, "policy", info->policy);
		attribute_text(perfetto, "dispatch", info->dispatch);
	}
	end_event(perfetto);
}

static void write_first(struct perfetto *perfetto)
{
	begin_packet(perfetto);
	proto_number(&perfetto->out, PACKET_FIRST_ON_SEQUENCE, 1);
	proto_number(&perfetto->out, PACKET_SEQUENCE_FLAGS, SEQUENCE_CLEARED);
	end_packet(perfetto);
}

static void clear(struct perfetto *perfetto)
{
	struct proto *const messages[] = {
		&perfetto->out, &perfetto->interned, &perfetto->part,
	};

	for (size_t nr = 0; nr < sizeof(messages) / sizeof(messages[0]); nr++)
		proto_free(messages[nr]);
	for (int kind = 0; kind < INTERNED_KINDS; kind++)
		g_hash_table_destroy(perfetto->texts[kind]);
	for (int nr = 0; nr < NAMED; nr++) {
		g_free(perfetto->runs[nr].label);
		g_free(perfetto->waits_for[nr].label);
	}
	g_hash_table_destroy(perfetto->owners);
	g_string_free(perfetto->text, TRUE);
}

/* gzip gets a duplicate of the descriptor, so that closing gzip leaves @out open */
static void open_gzip(struct perfetto *perfetto)
{
	errno = 0;
	perfetto->gzip = gzdopen(dup(fileno(perfetto->file)), "wb1");
	if (!perfetto->gzip)
		cannot_compress(perfetto);
	gzbuffer(perfetto->gzip, 1 << 17);
}

static void convert(struct perfetto *perfetto, const struct options *options)
{
	static const struct lanes_ops ops = {
		.lane = on_lane, .interval = on_interval, .mark = on_mark,
		.counter = on_counter, .sample = on_sample,
	};
	const struct analysis tasks = {
		.events = EVENT_BIT(EVENT_TASK_SWITCH) | EVENT_BIT(EVENT_TASK_WAKING),
		.event = on_task, .ctx = perfetto,
	};

	drawing_open(&perfetto->drawing, options, &ops, perfetto);
	follow_add(&perfetto->drawing.follow, tasks);
	write_first(perfetto);
	drawing_run(&perfetto->drawing);
	write_attributes(perfetto);
	drawing_close(&perfetto->drawing);
}

void export_perfetto(const struct options *options, FILE *out, const struct export_how *how)
{
	struct perfetto perfetto = {
		.file = out, .path = how->path,
		.owners = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_owner),
		.text = g_string_new(NULL),
	};

	for (int kind = 0; kind < INTERNED_KINDS; kind++)
		perfetto.texts[kind] = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (how->compress)
		open_gzip(&perfetto);
	convert(&perfetto, options);
	write_out(&perfetto);
	clear(&perfetto);
	if (perfetto.gzip && gzclose(perfetto.gzip) != Z_OK)
		cannot_compress(&perfetto);
}
