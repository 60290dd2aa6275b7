// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat export --format ctf: the events of a trace, with added fields from the lanes of lanes.h,
 * under the names that LTTng gives kernel events, as Trace Compass expects them.
 *
 * Facts about the workload or queue of an event are fields of this event. Facts about others, for
 * example after a lost stop, get an event of their own, gvt_stat_told.
 */
#include <string.h>

#include "trace/engine.h"
#include "trace/util.h"
#include "ctf-writer.h"
#include "drawing.h"
#include "export.h"

/* fields added to those of the trace */
enum added {
	ADDED_ENGINE,
	ADDED_LANE,
	ADDED_QUEUE_LEN,
	ADDED_FIRST,
	ADDED_EXEC,
	ADDED_WAIT,
	ADDED_SERIAL,
	ADDED_LABEL,
	ADDED_PREV,
	ADDED_NEXT,
	ADDED_COUNT
};

#define ADDED_BIT(added)	(1u << (added))

static const struct ctf_field added_fields[ADDED_COUNT] = {
	[ADDED_ENGINE] = { "engine", CTF_TEXT, 0 },	/* "rcs0", "all" */
	[ADDED_LANE] = { "lane", CTF_SIGNED, 16 },	/* lane.slot; -1: no free slot */
	[ADDED_QUEUE_LEN] = { "queue_len", CTF_SIGNED, 32 },	/* after the event; -1: unknown */
	[ADDED_FIRST] = { "first", CTF_UNSIGNED, 8 },	/* first start on the engine */
	[ADDED_EXEC] = { "exec_ns", CTF_UNSIGNED, 64 },	/* on the engine, as in report */
	[ADDED_WAIT] = { "wait_ns", CTF_SIGNED, 64 },	/* total wait; -1: unknown */
	[ADDED_SERIAL] = { "serial", CTF_UNSIGNED, 16 },	/* earlier vGPUs with this id */
	[ADDED_LABEL] = { "vgpu", CTF_TEXT, 0 },	/* "vGPU 1 (name of its VM)" */
	[ADDED_PREV] = { "prev_vgpu", CTF_TEXT, 0 },	/* the previous vGPU, or "" */
	[ADDED_NEXT] = { "next_vgpu", CTF_TEXT, 0 },
};

/* The kernel reuses ids of removed vGPUs: these fields tell the vGPUs apart. */
#define ADDED_VGPU		(ADDED_BIT(ADDED_SERIAL) | ADDED_BIT(ADDED_LABEL))

/* added to all events of workloads */
#define ADDED_WORKLOAD		(ADDED_BIT(ADDED_ENGINE) | ADDED_BIT(ADDED_LANE) | \
				 ADDED_BIT(ADDED_QUEUE_LEN) | ADDED_VGPU)

static const unsigned int added_to[EVENT_COUNT] = {
	[EVENT_WORKLOAD_QUEUE] = ADDED_WORKLOAD,
	[EVENT_WORKLOAD_SUBMIT] = ADDED_WORKLOAD,
	[EVENT_WORKLOAD_START] = ADDED_WORKLOAD | ADDED_BIT(ADDED_FIRST),
	[EVENT_WORKLOAD_STOP] = ADDED_WORKLOAD | ADDED_BIT(ADDED_EXEC),
	[EVENT_WORKLOAD_COMPLETE] = ADDED_WORKLOAD | ADDED_BIT(ADDED_WAIT),
	[EVENT_WORKLOAD_CANCEL] = ADDED_WORKLOAD,
	[EVENT_WORKLOAD_STATE] = ADDED_WORKLOAD,
	[EVENT_SCHED_SWITCH] = ADDED_BIT(ADDED_ENGINE) | ADDED_BIT(ADDED_PREV) | ADDED_BIT(ADDED_NEXT),
	[EVENT_SCHED_BALANCE] = ADDED_VGPU,
	[EVENT_SCHED_SETTING] = ADDED_VGPU,
	[EVENT_SCHED_HOLD] = ADDED_VGPU,
	[EVENT_HOST_START] = ADDED_BIT(ADDED_ENGINE),
	[EVENT_HOST_STOP] = ADDED_BIT(ADDED_ENGINE),
	[EVENT_HOST_STATE] = ADDED_BIT(ADDED_ENGINE),
	[EVENT_VGPU_INFO] = ADDED_VGPU,
	[EVENT_VGPU_HEALTH] = ADDED_VGPU,
};

/* names that differ between LTTng and the kernel */
static const struct renamed {
	const char *event;		/* NULL: all other events */
	const char *field;		/* NULL: renames the event itself */
	const char *name;
} renamed[] = {
	{ "sched_switch", "prev_pid", "prev_tid" },
	{ "sched_switch", "next_pid", "next_tid" },
	{ "sched_wakeup", "pid", "tid" },
	{ "sched_wakeup_new", "pid", "tid" },
	{ "sched_waking", "pid", "tid" },
	{ "kvm_entry", NULL, "kvm_x86_entry" },
	{ "kvm_exit", NULL, "kvm_x86_exit" },
	{ "softirq_entry", NULL, "irq_softirq_entry" },
	{ "softirq_exit", NULL, "irq_softirq_exit" },
	{ "hrtimer_expire_entry", NULL, "timer_hrtimer_expire_entry" },
	{ "hrtimer_expire_exit", NULL, "timer_hrtimer_expire_exit" },
	{ NULL }
};

/* fields of gvt_stat_told */
static const struct ctf_field told_fields[] = {
	{ "dev", CTF_UNSIGNED, 32 }, { "vgpu_id", CTF_UNSIGNED, 32 },
	{ "workload_id", CTF_UNSIGNED, 64 },	/* 0: about the queue only */
	{ "engine", CTF_TEXT, 0 }, { "queue_len", CTF_SIGNED, 32 },
	{ "exec_ns", CTF_UNSIGNED, 64 }, { "wait_ns", CTF_SIGNED, 64 },
	{ "serial", CTF_UNSIGNED, 16 }, { "vgpu", CTF_TEXT, 0 },
};

#define MAX_VALUES	(EVENT_FIELDS_MAX + ADDED_COUNT)

/* a kind of event in the trace; its class is NULL until first used */
struct kind {
	struct ctf_class *class;
	unsigned int count;		/* of the trace's own fields */
	struct event_field fields[EVENT_FIELDS_MAX];
	unsigned int nr_vgpus;
	unsigned int vgpus[EVENT_FIELDS_MAX];	/* indices of fields with vGPU ids */
	unsigned int nr_added;
	enum added added[ADDED_COUNT];
};

/* a vGPU's queue */
struct queue {
	const struct vgpu *vgpu;
	const struct gpu_engine *engine;
	int64_t length;			/* -1: unknown */
	bool changed;			/* since last written */
};

/* a workload in flight */
struct alive {
	struct workload_key key;
	struct queue *queue;
	int64_t lane;
	bool started;
};

/* a fact about a workload that the current event implies */
struct fact {
	struct queue *queue;
	int64_t workload;
	int64_t exec_ns;		/* 0: not about execution */
	int64_t wait_ns;		/* -1: not about waits */
};

/* slots of the fast lookup; more workloads are rarely in flight at once */
#define PLACES	256

struct ctf_export {
	struct drawing drawing;
	struct ctf *ctf;
	const char *path;		/* for messages */
	struct kind kinds[EVENT_COUNT];
	struct ctf_class *told;
	GPtrArray *queues;
	GPtrArray *by_counter;		/* struct queue by lane_counter.index */
	struct alive *alive[PLACES];	/* by id; NULL: free */
	GHashTable *displaced;		/* workloads that lost their slot to another */
	GArray *facts;			/* of the current event */
	bool changed;			/* some queue has changed */
	struct ctf_place place;		/* of the last written event */
	int64_t lost_ns;		/* begin of the last gap */
};

/* --- callbacks of the lanes --------------------------------------------------------- */

static struct queue *get_queue(struct ctf_export *export, const struct vgpu *vgpu,
			       const struct gpu_engine *engine)
{
	struct queue *queue;

	for (unsigned int nr = 0; nr < export->queues->len; nr++) {
		queue = export->queues->pdata[nr];
		if (queue->vgpu == vgpu && queue->engine == engine)
			return queue;
	}
	queue = g_new0(struct queue, 1);
	*queue = (struct queue) { .vgpu = vgpu, .engine = engine, .length = -1 };
	g_ptr_array_add(export->queues, queue);
	return queue;
}

static guint hash_key(gconstpointer data)
{
	const struct workload_key *key = data;

	return (guint)key->id * 31 + (guint)key->dev;
}

static gboolean same_key(gconstpointer a, gconstpointer b)
{
	const struct workload_key *x = a, *y = b;

	return x->id == y->id && x->dev == y->dev;
}

static struct alive **place_of(struct ctf_export *export, const struct workload_key *key)
{
	return &export->alive[(uint64_t)key->id % PLACES];
}

static struct alive *find_alive(struct ctf_export *export, struct workload_key key)
{
	struct alive *alive = *place_of(export, &key);

	if (alive && same_key(&alive->key, &key))
		return alive;
	return g_hash_table_size(export->displaced) ?
	       g_hash_table_lookup(export->displaced, &key) : NULL;
}

/* The newest workload gets the slot, as it is likely to be looked up soon. */
static void add_alive(struct ctf_export *export, struct alive *alive)
{
	struct alive **place = place_of(export, &alive->key);

	if (*place)
		g_hash_table_add(export->displaced, *place);
	*place = alive;
}

static void remove_alive(struct ctf_export *export, struct alive *alive)
{
	struct alive **place = place_of(export, &alive->key);

	if (*place != alive) {
		g_hash_table_remove(export->displaced, &alive->key);
		return;
	}
	g_free(alive);
	*place = NULL;
}

static void on_life(void *ctx, const struct lane *lane, const struct workload *w)
{
	struct ctf_export *export = ctx;
	struct alive *alive = find_alive(export, w->key);

	/* the end of a workload with the same id was lost */
	if (alive)
		remove_alive(export, alive);
	alive = g_new(struct alive, 1);
	*alive = (struct alive) {
		.key = w->key, .lane = lane->slot, .started = known(w->start_ns),
		.queue = get_queue(export, lane->vgpu, lane->engine),
	};
	add_alive(export, alive);
}

static void on_interval(void *ctx, const struct lane_interval *interval)
{
	struct ctf_export *export = ctx;
	const struct workload *w = interval->workload;
	struct fact fact = { .wait_ns = -1 };
	int64_t wait_ns;

	/* the host's own work has no workload; the trace's own events show that work */
	if (!w)
		return;
	if (interval->state == LANE_RUNS) {
		fact.exec_ns = interval->to_ns - interval->from_ns;
	} else if (interval->state == LANE_COMPLETES && w->completed && !w->status &&
		   /* the whole interval; the last stop may be later, as CPU clocks differ */
		   interval->to_ns == MAX(w->end_ns, w->stop_ns)) {
		wait_ns = workload_wait(w);
		fact.wait_ns = known(wait_ns) ? wait_ns : -1;
	}
	/* lanes of engines include vGPUs that were not selected */
	if ((!fact.exec_ns && fact.wait_ns < 0) ||
	    !selection_vgpu(export->drawing.follow.selection, interval->vgpu))
		return;
	fact.queue = get_queue(export, interval->vgpu, interval->lane->engine);
	fact.workload = w->id;
	g_array_append_val(export->facts, fact);
}

static void on_counter(void *ctx, const struct lane_counter *counter)
{
	struct ctf_export *export = ctx;
	g_ptr_array_add(export->by_counter, get_queue(export, counter->vgpu, counter->engine));
}

static void on_sample(void *ctx, const struct lane_counter *counter, int64_t at_ns, double value)
{
	struct ctf_export *export = ctx;
	struct queue *queue = export->by_counter->pdata[counter->index];

	(void)at_ns;
	queue->length = value;
	queue->changed = export->changed = true;
}

/* --- classes of events ----------------------------------------------------------------- */

static const char *rename_of(const char *event, const char *field)
{
	for (const struct renamed *one = renamed; one->event; one++)
		if (!strcmp(one->event, event) && !g_strcmp0(one->field, field))
			return one->name;
	return field ? field : event;
}

static void add_added(struct kind *kind, struct ctf_field *fields, unsigned int added)
{
	for (enum added nr = 0; nr < ADDED_COUNT; nr++)
		if (added & ADDED_BIT(nr)) {
			fields[kind->nr_added] = added_fields[nr];
			kind->added[kind->nr_added++] = nr;
		}
}

static void make_kind(struct ctf_export *export, enum event_id id)
{
	const char *name = strchr(event_name(id), ':') + 1;
	struct kind *kind = &export->kinds[id];
	struct ctf_field fields[MAX_VALUES];

	kind->count = event_map_fields(export->drawing.follow.trace->map, id, kind->fields);
	for (unsigned int nr = 0; nr < kind->count; nr++) {
		const struct event_field *field = &kind->fields[nr];

		fields[nr] = (struct ctf_field) {
			rename_of(name, field->name),
			field->is_text ? CTF_TEXT : field->is_signed ? CTF_SIGNED : CTF_UNSIGNED,
			field->bits,
		};
		if (g_str_has_suffix(field->name, "vgpu_id"))
			kind->vgpus[kind->nr_vgpus++] = nr;
	}
	add_added(kind, fields + kind->count, added_to[id]);
	kind->class = ctf_class_new(export->ctf, rename_of(name, NULL), fields,
				    kind->count + kind->nr_added);
}

/* --- events ------------------------------------------------------------------------------ */

static void end_if(const struct ctf_export *export, int error)
{
	if (error)
		fatal("%s: cannot write: %s", export->path, strerror(error));
}

static void write_event(struct ctf_export *export, struct ctf_class *class,
			const union ctf_value *values)
{
	end_if(export, ctf_event(export->ctf, class, &export->place, values));
}

/* the number of earlier vGPUs with this id */
static int64_t serial_of(int64_t id)
{
	return known(id) && id > 0 ? id >> VGPU_NUMBER_BITS : 0;
}

static void tell(struct ctf_export *export, struct queue *queue, int64_t workload,
		 int64_t exec_ns, int64_t wait_ns)
{
	const union ctf_value values[G_N_ELEMENTS(told_fields)] = {
		{ queue->vgpu->dev }, { vgpu_number(queue->vgpu->id) }, { workload },
		{ .text = queue->engine->name }, { queue->length }, { exec_ns }, { wait_ns },
		{ serial_of(queue->vgpu->id) }, { .text = queue->vgpu->label },
	};

	write_event(export, export->told, values);
	queue->changed = false;
}

/* writes facts that did not fit into the event itself */
static void tell_rest(struct ctf_export *export)
{
	for (unsigned int nr = 0; nr < export->facts->len; nr++) {
		const struct fact *fact = &g_array_index(export->facts, struct fact, nr);

		if (fact->exec_ns || fact->wait_ns >= 0)
			tell(export, fact->queue, fact->workload, fact->exec_ns, fact->wait_ns);
	}
	if (export->facts->len)
		g_array_set_size(export->facts, 0);
	for (unsigned int nr = 0; export->changed && nr < export->queues->len; nr++) {
		struct queue *queue = export->queues->pdata[nr];

		if (queue->changed)
			tell(export, queue, 0, 0, -1);
	}
	export->changed = false;
}

/* consumes the fact about the event's own workload */
static int64_t take_exec(struct ctf_export *export, const struct alive *alive)
{
	for (unsigned int nr = 0; alive && nr < export->facts->len; nr++) {
		struct fact *fact = &g_array_index(export->facts, struct fact, nr);
		int64_t exec_ns = fact->exec_ns;

		if (fact->queue == alive->queue && fact->workload == alive->key.id && exec_ns) {
			fact->exec_ns = 0;
			return exec_ns;
		}
	}
	return 0;
}

static int64_t take_wait(struct ctf_export *export, const struct alive *alive)
{
	for (unsigned int nr = 0; alive && nr < export->facts->len; nr++) {
		struct fact *fact = &g_array_index(export->facts, struct fact, nr);
		int64_t wait_ns = fact->wait_ns;

		if (fact->queue == alive->queue && fact->workload == alive->key.id && wait_ns >= 0) {
			fact->wait_ns = -1;
			return wait_ns;
		}
	}
	return -1;
}

static int64_t take_length(struct alive *alive)
{
	if (!alive)
		return -1;
	alive->queue->changed = false;
	return alive->queue->length;
}

/* returns static text, valid until the next call */
static const char *engine_of(const struct event *event)
{
	static char name[ENGINE_NAME_LEN];
	bool is_switch = event->id == EVENT_SCHED_SWITCH;
	int64_t class = is_switch ? event->sched_switch.class : event->workload.class;

	if (event->id >= EVENT_HOST_START && event->id <= EVENT_HOST_STATE)
		return engine_name(name, event->host.class, event->host.instance);
	if (is_switch && class < 0)
		return "all";
	return engine_name(name, class, is_switch ? event->sched_switch.instance :
						    event->workload.instance);
}

/* the vGPU of an event, if it has one */
static int64_t vgpu_of(const struct event *event)
{
	switch (event->id) {
	case EVENT_SCHED_BALANCE:
		return event->balance.vgpu_id;
	case EVENT_SCHED_SETTING:
		return event->setting.vgpu_id;
	case EVENT_SCHED_HOLD:
		return event->hold.vgpu_id;
	case EVENT_VGPU_INFO:
		return event->vgpu_info.vgpu_id;
	case EVENT_VGPU_HEALTH:
		return event->health.vgpu_id;
	default:
		return event->workload.vgpu_id;
	}
}

/* @id: of a vGPU of the event's GPU */
static const char *label_of(const struct ctf_export *export, const struct event *event, int64_t id)
{
	/* all of these events begin with the GPU's number */
	const struct vgpu *vgpu = model_vgpu(export->drawing.follow.model, event->workload.dev, id);

	return vgpu ? vgpu->label : NULL;
}

static union ctf_value added_value(struct ctf_export *export, const struct event *event,
				   struct alive *alive, enum added added)
{
	switch (added) {
	case ADDED_ENGINE:
		return (union ctf_value) { .text = alive ? alive->queue->engine->name : engine_of(event) };
	case ADDED_LANE:
		return (union ctf_value) { alive ? alive->lane : -1 };
	case ADDED_QUEUE_LEN:
		return (union ctf_value) { take_length(alive) };
	case ADDED_FIRST:
		return (union ctf_value) { alive && !alive->started };
	case ADDED_EXEC:
		return (union ctf_value) { take_exec(export, alive) };
	case ADDED_WAIT:
		return (union ctf_value) { take_wait(export, alive) };
	case ADDED_SERIAL:
		return (union ctf_value) { serial_of(vgpu_of(event)) };
	case ADDED_PREV:
		return (union ctf_value) { .text = label_of(export, event,
							    event->sched_switch.prev_vgpu_id) };
	case ADDED_NEXT:
		return (union ctf_value) { .text = label_of(export, event,
							    event->sched_switch.next_vgpu_id) };
	default:
		return (union ctf_value) { .text = alive ? alive->queue->vgpu->label :
						   label_of(export, event, vgpu_of(event)) };
	}
}

static bool is_of_workload(const struct event *event)
{
	return added_to[event->id] & ADDED_BIT(ADDED_LANE);
}

static void write_own(struct ctf_export *export, const struct event *event, struct alive *alive)
{
	struct kind *kind = &export->kinds[event->id];
	union ctf_value values[MAX_VALUES];
	unsigned int count = 0;

	if (!kind->class)
		make_kind(export, event->id);
	for (; count < kind->count; count++)
		memcpy(&values[count], (const char *)event + kind->fields[count].member,
		       sizeof(values[count]));
	for (unsigned int nr = 0; nr < kind->nr_vgpus; nr++)
		values[kind->vgpus[nr]].number = vgpu_number(values[kind->vgpus[nr]].number);
	for (unsigned int nr = 0; nr < kind->nr_added; nr++)
		values[count++] = added_value(export, event, alive, kind->added[nr]);
	write_event(export, kind->class, values);
}

/* Selects events of vGPUs and of engines' turns; keeps all events of CPUs. */
static bool is_wanted(const struct ctf_export *export, const struct event *event)
{
	const struct follow *follow = &export->drawing.follow;
	const struct selection *selection = follow->selection;
	const struct workload_event *told = &event->workload;
	const struct gpu_engine *engine;
	const struct vgpu *vgpu;

	if (!is_of_workload(event) || !(selection->gpus || selection->vgpus || selection->engines))
		return true;
	engine = model_engine(follow->model, told->dev, told->class, told->instance);
	vgpu = model_vgpu(follow->model, told->dev, told->vgpu_id);
	return engine && vgpu && selection_engine(selection, engine) &&
	       selection_vgpu(selection, vgpu);
}

/* A workload from before the trace may stop as its first event. */
static void follow_alive(struct ctf_export *export, const struct event *event,
			 struct alive *alive)
{
	if (event->id == EVENT_WORKLOAD_START || event->id == EVENT_WORKLOAD_STOP)
		alive->started = true;
	if (event->id == EVENT_WORKLOAD_COMPLETE || event->id == EVENT_WORKLOAD_CANCEL)
		remove_alive(export, alive);
}

static void set_place(struct ctf_export *export, const struct event *event)
{
	const struct window *window = &export->drawing.follow.window;

	export->place = (struct ctf_place) {
		.cpu = event->cpu, .tid = known(event->pid) ? event->pid : -1,
		.ts_ns = CLAMP(event->ts_ns, window->from_ns, window->to_ns),
	};
}

static void on_event(void *ctx, const struct event *event)
{
	struct ctf_export *export = ctx;
	const struct window *window = &export->drawing.follow.window;
	struct alive *alive = NULL;

	set_place(export, event);
	if (is_of_workload(event))
		alive = find_alive(export, (struct workload_key) { event->workload.dev,
								    event->workload.workload_id });
	if (event->ts_ns >= window->from_ns && event->ts_ns <= window->to_ns &&
	    is_wanted(export, event))
		write_own(export, event, alive);
	if (export->facts->len || export->changed)
		tell_rest(export);
	if (alive)
		follow_alive(export, event, alive);
}

static void on_lost(void *ctx, int64_t ts_ns)
{
	struct ctf_export *export = ctx;

	export->lost_ns = ts_ns;
}

static void on_found(void *ctx, int64_t ts_ns)
{
	struct ctf_export *export = ctx;
	const struct follow *follow = &export->drawing.follow;
	const struct trace_info *trace = follow->trace;

	if (ts_ns >= follow->window.from_ns && ts_ns <= follow->window.to_ns)
		end_if(export, ctf_discarded(export->ctf, trace->lost_cpu,
					     MAX(export->lost_ns, follow->window.from_ns), ts_ns,
					     known(trace->lost_count) ? trace->lost_count : -1));
}

/* --- the whole trace ------------------------------------------------------------------------ */

static void convert(struct ctf_export *export, const struct options *options, const char *dir)
{
	static const struct lanes_ops ops = {
		.life = on_life, .interval = on_interval, .counter = on_counter,
		.sample = on_sample,
		.no_counters = 1 << COUNTER_LEFT | 1 << COUNTER_BUSY | COUNTERS_OF_POWER, .at_once = true,
	};
	const struct analysis events = {
		.events = EVENTS_ALL, .event = on_event, .lost = on_lost, .found = on_found,
		.ctx = export,
	};
	const struct trace_info *trace;

	drawing_open(&export->drawing, options, &ops, export);
	trace = export->drawing.follow.trace;
	follow_add(&export->drawing.follow, events);
	const struct ctf_fact facts[] = {
		/* Trace Compass recognizes kernel traces by these */
		{ "domain", "kernel", 0 }, { "tracer_name", "lttng-modules", 0 },
		{ "tracer_major", NULL, 2 }, { "tracer_minor", NULL, 13 },
		{ "gvt_stat", GVT_STAT_VERSION, 0 },
		{ "trace_clock", trace->clock, 0 }, { "tsc_khz", NULL, trace->tsc_khz },
		{ NULL }
	};
	export->ctf = ctf_open(dir, facts);
	export->told = ctf_class_new(export->ctf, "gvt_stat_told", told_fields,
				     G_N_ELEMENTS(told_fields));
	drawing_run(&export->drawing);
	export->place.ts_ns = MAX(export->place.ts_ns, export->drawing.follow.window.to_ns);
	tell_rest(export);
	drawing_close(&export->drawing);
}

void export_ctf(const struct options *options, const char *path, struct newdir *dir)
{
	struct options all = *options;
	struct ctf_export export = {
		.path = path,
		.queues = g_ptr_array_new_with_free_func(g_free),
		.by_counter = g_ptr_array_new(),
		.displaced = g_hash_table_new_full(hash_key, same_key, g_free, NULL),
		.facts = g_array_new(FALSE, FALSE, sizeof(struct fact)),
	};

	all.selection.beside |= QUANTITY_BIT(QUANTITY_PATH) | QUANTITY_BIT(QUANTITY_SPT) |
				QUANTITY_BIT(QUANTITY_GEM) | QUANTITY_BIT(QUANTITY_THREADS);
	convert(&export, &all, dir->inside);
	end_if(&export, ctf_close(export.ctf));
	g_array_free(export.facts, TRUE);
	for (int place = 0; place < PLACES; place++)
		g_free(export.alive[place]);
	g_hash_table_destroy(export.displaced);
	g_ptr_array_free(export.by_counter, TRUE);
	g_ptr_array_free(export.queues, TRUE);
}
