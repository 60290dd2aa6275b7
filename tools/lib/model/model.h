/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of workloads, vGPUs and engines, updated with each event of a trace.
 *
 *   gpu               whose turn it is
 *     gpu_engine      one engine of one GPU ("rcs0")
 *       vgpu_engine   one vGPU's queue for that engine, and why its work waits
 *         workload    alive from its first to its last event
 *
 * Analyses do not handle workload events themselves: they listen to the
 * model's conclusions. The model keeps live objects only.
 */
#ifndef GVTTRACE_MODEL_H
#define GVTTRACE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "trace/engine.h"
#include "trace/events.h"
#include "trace/util.h"

/* whose turn it is */
struct turn {
	bool known;			/* is @current known? */
	struct vgpu *current, *before;	/* NULL: no vGPU's; @before had the turn until @since_ns */
	int64_t since_ns;
};

/* a GPU with vGPUs; objects.c and told.c write it, turns.c its turn, alive.c its ids */
struct gpu {
	int64_t dev;
	char *address;			/* "0000:00:02.0"; NULL: unknown */
	bool traced, switched, unswitched;	/* saw settings/switches; a switch; missed one */
	bool lends;			/* the policy lets vGPUs run without a slice */
	bool policy_lost;		/* no policy seen, perhaps because of lost events */
	bool host_told;			/* gvt_host_* events are recorded */
	bool per_engine;		/* each engine has its own turn */
	struct turn turn;		/* if not @per_engine; engines seen later start with it */
	GPtrArray *engines;		/* struct gpu_engine */
	GPtrArray *queues;		/* struct vgpu_engine, of all engines */
	int64_t first_id;		/* lowest id with a queue event */
	int64_t last_id;		/* highest workload id so far */
	struct hidden *hidden;		/* work queued in a gap; hidden.c */
};

/* a vGPU's time per period on one engine, or on all */
struct slice {
	const struct gpu_engine *engine;	/* NULL: on all engines */
	int64_t slice_ns;		/* last reported; or UNKNOWN */
	int64_t left_ns;		/* left of it, last reported; or UNKNOWN */
	int64_t told_ns;		/* when @left_ns was reported */
};

/* a vGPU; objects.c and told.c write it */
struct vgpu {
	struct gpu *gpu;
	int64_t dev;
	int64_t id;			/* see vgpu_number() */
	VGPU_NUMBERS(VGPU_NUMBER_MEMBER)
	struct vgpu_settings set;
	GArray *slices;			/* struct slice; the first is for all engines */
	char *type;			/* NULL: unknown */
	char *uuid;			/* NULL: unknown */
	char *vm;			/* name of its VM; NULL: unknown */
	char *label;			/* "vGPU 1 (name of its VM)" or "vGPU 1" */
	unsigned int pending;		/* workloads not yet submitted; turns.c */
	int64_t since_ns;		/* when it was first seen */
	bool reused;			/* another vGPU in the trace has the same number */
};

/* an engine of a GPU; comments name the writers of the members below them */
struct gpu_engine {
	/* objects.c */
	struct gpu *gpu;
	int64_t dev;
	int64_t class;
	int64_t instance;
	char name[ENGINE_NAME_LEN];
	unsigned int index;		/* position in model's engines */
	GPtrArray *queues;		/* struct vgpu_engine */
	struct turn turn;		/* turns.c */
	struct host *host;		/* the host's own work on it; host.c */
	/* phase.c */
	GQueue unfinished;		/* completed, but their last stop is still missing */
	/* numbers of workloads by phase */
	int submitted;			/* in i915's queue, or preempted */
	int preempted;			/* of @submitted, preempted */
	int running;
	int finishing;			/* have executed, CPU has yet to notice */
	bool doubtful;			/* lost events may make these counts wrong; also gaps.c */
	const struct vgpu *started;	/* turns.c: whose work started last */
	/* life.c, gaps.c */
	bool evident;			/* what ran when the last gap ended is known */
	struct workload *latest;	/* last to start, while alive */
	int64_t ran_ns;			/* something certainly ran until then; UNKNOWN */
	int64_t overlap_ns;		/* when two workloads first overlapped; UNKNOWN: never */
};

/* why work that a vGPU queued but has not submitted, or that was preempted, waits */
enum wait_class {
	WAIT_NONE,			/* nothing waits */
	WAIT_UNKNOWN,			/* the turn is unknown */
	WAIT_OTHER,			/* another vGPU's turn */
	WAIT_THROTTLED,			/* no vGPU's turn, and its slice was used up */
	WAIT_CAPPED,			/* no vGPU's turn, and its cap was reached */
	WAIT_SWITCHING,			/* no vGPU's turn, but this vGPU was eligible */
	WAIT_HELD,			/* the GPU was held idle for another vGPU */
	WAIT_HOST,			/* not throttled or capped, but the host's work ran */
	WAIT_PREEMPTED,			/* some of its work was preempted */
	WAIT_CURRENT,			/* its turn: behind its own work, or the CPU was slow */
	WAIT_CLASSES
};

/* a vGPU's queue for an engine; comments name the writers of the members below them */
struct vgpu_engine {
	/* objects.c; evident, seen and parts_ns: life.c, gaps.c */
	struct vgpu *vgpu;
	struct gpu_engine *engine;
	unsigned int index;		/* position in model's vgpu_engines */
	bool evident, seen;		/* submitted work newer than the last gap; predates it */
	int64_t parts_ns;		/* when the parts of a workload's time first did */
					/* not sum to the whole; UNKNOWN: never */
	/* phase.c */
	int64_t left_id, submitted_id;	/* highest id that left; that reached i915 */
	int in_flight;			/* submitted, not completed */
	int64_t free_ns;		/* since when none is in flight; also turns.c */
	const struct workload *astray;	/* in flight in a gap, where it is now is unknown */
	/* turns.c: workloads not yet submitted, oldest first */
	struct workload *first;
	struct workload *last;
	int preempted;			/* of those in flight, preempted */
	int ahead;			/* in flight, submitted ahead of the vGPU's turn */
	int exposed;			/* in flight, not on the engine: may wait for the host */
	int64_t host_ns;		/* waited while the host ran, or may have run */
	/* turns.c, stretches.c: the current (open) wait */
	enum wait_class class;
	bool doubted;			/* work queued when a gap ended may have left in the gap */
	int64_t since_ns;
	const struct vgpu *culprit;	/* WAIT_OTHER: has the turn; WAIT_HELD: expected; */
					/* WAIT_PREEMPTED: ran since then, or NULL */
	int64_t spent_ns[WAIT_CLASSES];	/* in past waits */
	int64_t certain_ns;		/* from then on the queue certainly has work */
	GArray *unproven;		/* struct stretch: earlier waits that may not be real */
	GArray *undecided;		/* waits since a preemption that may be a completion */
};

/* how much of a workload's life was seen */
enum workload_state {
	WORKLOAD_COMPLETE,		/* seen from queue to end */
	WORKLOAD_CANCELLED,
	WORKLOAD_OPEN,			/* still alive when the trace ended */
	WORKLOAD_PARTIAL,		/* ended, but not all of its life was seen */
	WORKLOAD_UNKNOWN,		/* its end may have been lost */
};

/* a workload's phase of life */
enum phase {
	PHASE_NONE,			/* unknown, or ended */
	PHASE_PENDING,			/* queued, not yet submitted to i915 */
	PHASE_SUBMITTED,
	PHASE_RUNNING,
	PHASE_PREEMPTED,		/* switched out unfinished */
	PHASE_FINISHING,		/* executed, not yet completed */
	PHASES
};

/* the parts of the turnaround (queue to completion); workload_split() */
enum latency_part {
	PART_OTHER,			/* waits: as in enum wait_class */
	PART_THROTTLED,
	PART_CAPPED,
	PART_HELD,
	PART_HOST,			/* also while submitted or preempted */
	PART_SWITCHING,
	PART_OWN,			/* its vGPU's turn, but behind its own work */
	PART_DISPATCH,			/* its turn and next in its queue: waits for the CPU */
	PART_I915,			/* submitted, not yet running, for no reason above */
	PART_EXEC,
	PART_PREEMPTED,
	PART_COMPLETION,		/* from the last stop to completion */
	PART_UNKNOWN,			/* waited for an unknown reason */
	PARTS
};

/* ids are unique on one GPU */
struct workload_key {
	int64_t dev;
	int64_t id;
};

/* a workload; comments name the writers of the members below them */
struct workload {
	/* alive.c, life.c, in gaps gaps.c: from its events */
	union {
		struct workload_key key;
		struct {
			int64_t dev;
			int64_t id;
		};
	};
	struct vgpu_engine *queue;
	int64_t guest_lrca;
	int64_t ctx;
	int64_t seqno;
	int64_t lrca;
	int64_t queue_ns;
	int64_t submit_ns;
	int64_t start_ns;		/* first time on the engine */
	int64_t stop_ns;		/* last time off the engine */
	int64_t end_ns;			/* completion or cancellation */
	int64_t end_tid;		/* thread that ended it; or UNKNOWN */
	int64_t piece_ns;		/* start of the current or last piece */
	int64_t superseded_ns;		/* when another one started while this one ran; UNKNOWN */
	int64_t exec_ns;		/* sum of the finished pieces */
	int64_t status;			/* 0 or -errno; UNKNOWN before complete */
	int64_t pieces;
	bool from_before;		/* queued before the trace began */
	bool submitted_before;		/* also submitted before */
	bool waiting;			/* waits for the engine */
	bool running;			/* on the engine */
	bool exec_unknown;		/* a start or stop is missing, or may be lost */
	bool finished;			/* its last stop had completed set */
	bool stop_unsure;		/* may have run unseen since its last stop */
	bool never_back;		/* ended at its last stop: did not wait after it */
	bool completed;
	bool cancelled;
	bool tainted;			/* alive while events were lost */
	int64_t tainted_ns;		/* when it became tainted */
	/* set only if its end was lost, else UNKNOWN: */
	int64_t seen_ns;		/* it was certainly alive until then */
	int64_t gone_ns;		/* it had certainly ended by then */
	unsigned int nr;		/* number among live workloads; reused after its end */
	/* phase.c; turns.c resets the phase of work that a gap made doubtful */
	enum phase phase;
	int64_t phase_ns;		/* when the phase began */
	int64_t phases_ns[PHASES];	/* in past phases */
	bool in_flight;
	bool counted;			/* included in the engine's counts */
	/* turns.c */
	bool ahead;			/* included in its queue's count; also phase.c, in a gap */
	struct workload *prev, *next;	/* its queue's list, while pending */
	/* while pending: the queue's spent_ns at its arrival; later: how long it waited */
	int64_t waits_ns[WAIT_CLASSES];
	/* of waits_ns[WAIT_CURRENT]: at the head of the queue; of that, since the last gap */
	int64_t dispatch_ns, sure_dispatch_ns;
	int64_t ahead_ns;		/* of waits_ns: submitted ahead of its turn */
	bool exposed;			/* included in its queue's count */
	int64_t exposed_ns;		/* its queue's host_ns when that began */
	int64_t kept_ns[PHASES];	/* of phases_ns: waited for the host */
};

/* one uninterrupted execution on the engine */
struct piece {
	const struct workload *workload;
	int64_t start_ns;		/* UNKNOWN: not traced */
	int64_t stop_ns;		/* UNKNOWN: after the trace */
	int64_t completed;		/* 1; 0: preempted; UNKNOWN: still running */
	bool from_before;		/* has run since before the trace; if false, an */
					/* UNKNOWN start was lost */
};

/* an interval in which a queue's work, or part of it, waited for one reason */
struct stretch {
	const struct vgpu_engine *queue;
	enum wait_class class;
	const struct vgpu *culprit;	/* WAIT_OTHER, WAIT_HELD, WAIT_PREEMPTED; else NULL */
	const struct vgpu *behind;	/* WAIT_HOST: would be the culprit without the host */
	int64_t from_ns;
	int64_t to_ns;
};

/* states of the host's own work */
enum host_time {
	HOST_RAN,			/* ran on the engine */
	HOST_WAITED,			/* waited for the engine to become free */
	HOST_UNSURE,			/* may have run, outside of gaps */
};

/* how the reported queue may be wrong */
enum doubt {
	DOUBT_COUNTED,			/* a workload reported as waiting may not have waited */
	DOUBT_MISSED,			/* an unreported workload may have waited */
	DOUBT_UNSEEN,			/* workloads without any traced event may have waited */
};

/*
 * The calls to a listener; all pointers may be NULL. Every queue change is one
 * call of @waiting. A workload that has waited since before the trace is reported
 * with @delta +1 and @ts_ns UNKNOWN when it is first seen.
 */
struct model_listener {
	void (*arrived)(void *ctx, const struct workload *w, int64_t ts_ns);
	void (*waiting)(void *ctx, const struct workload *w, int64_t ts_ns, int delta);
	void (*piece)(void *ctx, const struct piece *piece);
	void (*ended)(void *ctx, const struct workload *w);
	/*
	 * @w certainly ran, from before the trace if @from_ns is UNKNOWN, to the end of the trace
	 * if @to_ns is. Nothing in gaps is certain. Intervals of one engine do not overlap. They
	 * may be empty.
	 */
	void (*ran)(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns);
	/* the host's own work, as @ran; @holder: the vGPU that it waited for, or NULL */
	void (*host)(void *ctx, const struct gpu_engine *engine, enum host_time what,
		     const struct vgpu *holder, int64_t from_ns, int64_t to_ns);
	/* what @engine (NULL: every engine) did is uncertain; UNKNOWN: from/to the trace's ends */
	void (*unsure)(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns);
	/* the queue's content is uncertain; @to_ns UNKNOWN: to the end of the trace */
	void (*unsure_wait)(void *ctx, const struct vgpu_engine *queue, enum doubt doubt,
			    int64_t from_ns, int64_t to_ns);
	/* since the last gap, unseen work waited for the engine, or reported work did not */
	void (*misled)(void *ctx, const struct gpu_engine *engine, int64_t ts_ns);
	/* a wait has ended and its reason is certain; in the order of their ends */
	void (*stretch)(void *ctx, const struct stretch *stretch);
	/* work first seen now that has been in @phase since before the trace */
	void (*older)(void *ctx, const struct workload *w, enum phase phase, int64_t ts_ns);
	void (*stranger)(void *ctx, int64_t dev, int64_t ts_ns);	/* queued unseen */
	/* end of trace, the window ends at @end_ns; precedes the calls for live workloads */
	void (*over)(void *ctx, int64_t end_ns);
	void *ctx;
};

/* the events that the model uses; a trace need not have all of them */
#define MODEL_EVENTS	(EVENT_BIT(EVENT_SCHED_INFO + 1) - 1)

/* the observed clock skew between CPUs */
struct skew {
	uint64_t events;		/* that preceded an event that they must follow */
	int64_t max_ns;			/* largest difference */
	GArray *kept;			/* struct event: early ones, awaiting their predecessors */
};

struct model;

/**
 * model_new - an empty model; model_free() frees
 */
struct model *model_new(void);
void model_free(struct model *model);

/**
 * model_listen - call @listener from now on; the struct is copied, its context is not
 */
void model_listen(struct model *model, const struct model_listener *listener);

/**
 * model_event - update the model with an event; events outside MODEL_EVENTS are ignored
 */
void model_event(struct model *model, const struct event *event);

/**
 * model_older - add a workload that was queued before the trace and alive when it began
 * @model: all listeners must be registered
 * @event: the workload's first event, or gvt_workload_state
 * @queue_ns: when it was queued; or UNKNOWN
 * @start_ns: of the trace; call before any event, per queue in the order of ids
 */
void model_older(struct model *model, const struct event *event, int64_t queue_ns,
		 int64_t start_ns);

/**
 * model_finish - report the end of the window and all live workloads to the listeners
 *
 * Workloads come in the order of their GPUs and ids.
 */
void model_finish(struct model *model);

/**
 * model_gpu - find a GPU by its number; NULL if not seen
 */
const struct gpu *model_gpu(const struct model *model, int64_t dev);

/**
 * model_engine - find the engine of a switch, balance or hold event
 *
 * Returns NULL if the event is for all engines of the GPU, or the engine was not seen yet.
 */
const struct gpu_engine *model_engine(const struct model *model, int64_t dev, int64_t class,
				      int64_t instance);

/**
 * model_vgpu - find a vGPU by GPU and id; NULL if not seen
 */
const struct vgpu *model_vgpu(const struct model *model, int64_t dev, int64_t id);

/**
 * model_on_engine - which vGPU's work runs on the engine now?
 * @vgpu: filled; NULL: none
 * @since_ns: filled, when it started; UNKNOWN if none
 *
 * Returns false if lost events leave this unknown.
 */
bool model_on_engine(const struct model *model, const struct gpu_engine *engine,
		     const struct vgpu **vgpu, int64_t *since_ns);

/**
 * model_knows_first - is it certain which workload heads the queue, or that there is none?
 */
bool model_knows_first(const struct model *model, const struct vgpu_engine *queue);

/* vGPU numbers fit in these bits; larger ones of damaged traces are kept as they are */
#define VGPU_NUMBER_BITS	32
#define VGPU_NUMBER_MAX		INT32_MAX

/**
 * vgpu_number - the kernel's number of a vGPU: the upper bits of an id count how many
 * vGPUs had that number before
 */
static inline int64_t vgpu_number(int64_t id)
{
	return known(id) && id >> VGPU_NUMBER_BITS > 0 ? id & VGPU_NUMBER_MAX : id;
}

/**
 * vgpu_name - "1 (name of its VM)" or "1"
 */
const char *vgpu_name(const struct vgpu *vgpu);

/**
 * model_gpus, model_vgpus, model_engines, model_vgpu_engines - all seen so far, arrays of
 * struct gpu, vgpu, gpu_engine and vgpu_engine; the model owns them
 * model_sched_infos - the last struct sched_info per GPU, inside the window if any; model-owned
 */
const GPtrArray *model_gpus(const struct model *model);
const GPtrArray *model_vgpus(const struct model *model);
const GPtrArray *model_engines(const struct model *model);
const GPtrArray *model_vgpu_engines(const struct model *model);
const GPtrArray *model_sched_infos(const struct model *model);

/**
 * model_sched_info - the known settings of a GPU's scheduler; never NULL
 */
const struct sched_info *model_sched_info(const struct model *model, int64_t dev);

/**
 * model_strays - number of events that contradict earlier ones, such as a second completion
 */
uint64_t model_strays(const struct model *model);

/**
 * model_skew - the clock skew between CPUs
 */
const struct skew *model_skew(const struct model *model);

/**
 * model_tainted - number of workloads alive while events were lost; final after model_finish()
 */
uint64_t model_tainted(const struct model *model);

/**
 * workload_state - how much of its life was seen; final after its end
 */
enum workload_state workload_state(const struct workload *w);

/**
 * workload_state_name - name as in columns: "complete"; NULL: unknown
 */
const char *workload_state_name(enum workload_state state);

/*
 * Durations of one workload in ns, UNKNOWN if the trace lacks the events.
 * Belkhiri and Dagenais 2024, 4.2.2 and figure 4: the wait W is the time in queues, from
 * gvt_workload_queue to the start, plus the time preempted; the latency is
 * W + E with E the execution, which is the time from queue to last stop. The
 * time after the last stop (the CPU noticing) is only in the turnaround, from
 * queue to gvt_workload_complete.
 */

/**
 * workload_exec - execution, the sum of the pieces
 * workload_last_stop - when it left the engine for the last time
 * workload_wait - from queue to start, plus the time preempted
 * workload_latency - wait and execution: from queue to last stop
 * workload_turnaround - from queue to gvt_workload_complete
 * workload_total - from gvt_workload_queue to the last event of its life
 */
int64_t workload_exec(const struct workload *w);
int64_t workload_last_stop(const struct workload *w);
int64_t workload_wait(const struct workload *w);
int64_t workload_latency(const struct workload *w);
int64_t workload_turnaround(const struct workload *w);
int64_t workload_total(const struct workload *w);

/**
 * workload_split - split a workload's time from queue to completion into its parts
 * @parts: filled; they sum to workload_total()
 *
 * Returns false, with all parts UNKNOWN, if some of its life was not seen, or the parts would
 * not sum to it.
 */
bool workload_split(const struct workload *w, int64_t parts[PARTS]);

/**
 * latency_part_name - name of a part, as in columns: "other" for other_ns
 */
const char *latency_part_name(enum latency_part part);

#endif
