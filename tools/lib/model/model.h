/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of workloads, vGPUs and engines as the events of a trace move it.
 *
 *   gpu               whose turn it is
 *     gpu_engine      one engine of one GPU ("rcs0")
 *       vgpu_engine   one vGPU's queue for that engine, and why its work waits
 *         workload    alive from its first to its last event
 *
 * Analyses do not look at workload events themselves: they listen to what the
 * model concludes from them. The model keeps only what is alive.
 */
#ifndef GVTTRACE_MODEL_H
#define GVTTRACE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "trace/events.h"
#include "trace/util.h"

/* whose turn it is */
struct turn {
	bool known;			/* do we know whose it is? */
	struct vgpu *current, *before;	/* NULL: nobody's; @before it, until @since_ns */
	int64_t since_ns;
};

/* a GPU with vGPUs; written by objects.c and told.c, its turn by turns.c, its ids by alive.c */
struct gpu {
	int64_t dev;
	char *address;			/* "0000:00:02.0"; NULL: not told */
	bool traced, switched, unswitched;	/* settings or switches; switches; turns without */
	bool lends;			/* the policy lets vGPUs run without slice */
	bool policy_lost;		/* no policy was told, perhaps for lost events */
	bool host_told;			/* events of the host's own work are recorded */
	bool per_engine, had_per_engine;	/* engines have turns of their own; or once had */
	struct turn turn;		/* unless they have; that of engines not seen yet */
	GPtrArray *engines;		/* struct gpu_engine */
	GPtrArray *queues;		/* struct vgpu_engine, of all engines */
	int64_t first_id;		/* of the first workload seen in its queue event */
	int64_t last_id;		/* the highest of all workloads so far */
	struct hidden *hidden;		/* work that was queued in a gap; hidden.c */
};

/* what a vGPU gets each period on an engine, or on all */
struct slice {
	const struct gpu_engine *engine;	/* NULL: on all */
	int64_t slice_ns;		/* as told last; or UNKNOWN */
	int64_t left_ns;		/* of it, when it was not its turn; or UNKNOWN */
	int64_t told_ns;		/* since when that is known */
};

/* a vGPU; written by objects.c and told.c */
struct vgpu {
	struct gpu *gpu;
	int64_t dev;
	int64_t id;			/* see vgpu_number() */
	VGPU_NUMBERS(VGPU_NUMBER_MEMBER)
	struct vgpu_settings set;
	GArray *slices;			/* struct slice; the first is on all engines */
	char *type;			/* NULL: not told */
	char *uuid;			/* NULL: not told */
	char *vm;			/* name of its VM; NULL: not told */
	char *label;			/* "vGPU 1 (name of its VM)" or "vGPU 1" */
	unsigned int pending;		/* workloads that wait to be submitted; turns.c */
	int64_t since_ns;		/* when it was seen first */
	bool reused;			/* another vGPU in the trace has the same number */
};

/* an engine of a GPU; who writes what is said above it */
struct gpu_engine {
	/* objects.c */
	struct gpu *gpu;
	int64_t dev;
	int64_t class;
	int64_t instance;
	unsigned int index;		/* position in model's engines */
	GPtrArray *queues;		/* struct vgpu_engine */
	struct turn turn;		/* turns.c */
	struct host *host;		/* the host's own work on it; host.c */
	/* phase.c */
	GQueue unfinished;		/* completed, but on the engine for all we know */
	/* workloads by what the engine has to do with them */
	int submitted;			/* in i915's queue, or switched out */
	int preempted;			/* of these, switched out unfinished */
	int running;
	int finishing;			/* have executed, wait for the CPU to notice */
	bool doubtful;			/* events were lost: these counts may be wrong; gaps.c, too */
	const struct vgpu *started;	/* turns.c: whose work was the last to start */
	/* life.c, gaps.c */
	bool evident;			/* what was on it when the last gap ended is known */
	struct workload *latest;	/* to start, while it is alive */
	int64_t ran_ns;			/* until when something was on it for certain; UNKNOWN */
	int64_t overlap_ns;		/* when two workloads first were at once; UNKNOWN: never */
};

/* why work of a vGPU waits that was queued and not yet submitted, or taken off unfinished */
enum wait_class {
	WAIT_NONE,			/* there is none */
	WAIT_UNKNOWN,			/* whose turn it was is not known */
	WAIT_OTHER,			/* it was another vGPU's turn */
	WAIT_THROTTLED,			/* nobody's turn, and it had no slice left */
	WAIT_CAPPED,			/* nobody's turn, and its cap was reached */
	WAIT_SWITCHING,			/* nobody's turn, but it could have been its */
	WAIT_HELD,			/* the GPU was kept idle for another vGPU */
	WAIT_HOST,			/* the host's own work executed on the engine */
	WAIT_PREEMPTED,			/* some of it was taken off the engine unfinished */
	WAIT_CURRENT,			/* its turn: other work of its was before, or the CPU slow */
	WAIT_CLASSES
};

/* a vGPU's queue for an engine; who writes what is said above it */
struct vgpu_engine {
	/* objects.c; evident, seen and parts_ns: life.c, gaps.c */
	struct vgpu *vgpu;
	struct gpu_engine *engine;
	unsigned int index;		/* position in model's vgpu_engines */
	bool evident, seen;		/* one that came after the last gap was submitted; it was before */
	int64_t parts_ns;		/* when first the parts of a workload's time did not */
					/* sum to the whole; UNKNOWN: they always do */
	/* phase.c */
	int64_t left_id, submitted_id;	/* the highest of those that left it; that got to i915 */
	int in_flight;			/* submitted, and not completed */
	int64_t free_ns;		/* since when there is none in flight; turns.c, too */
	const struct workload *astray;	/* was in flight in a gap; where it is is not known */
	/* turns.c: those that wait to be submitted, oldest first */
	struct workload *first;
	struct workload *last;
	int preempted;			/* of those in flight, taken off unfinished */
	int ahead;			/* of these, submitted ahead of their first turn */
	int exposed;			/* in flight, but not on the engine: the host may be the reason */
	int64_t host_ns;		/* of its waits: the host executed, or may have */
	/* turns.c, stretches.c: the wait that goes on now */
	enum wait_class class;
	bool doubted;			/* what was in it when a gap ended may have left in it */
	int64_t since_ns;
	const struct vgpu *culprit;	/* WAIT_OTHER: whose turn; WAIT_HELD: waited for; */
					/* WAIT_PREEMPTED: on the engine since, or NULL */
	int64_t spent_ns[WAIT_CLASSES];	/* in waits that are over */
	int64_t certain_ns;		/* from when on there is work in it for certain */
	GArray *unproven;		/* struct stretch: before that; perhaps nothing waited */
	GArray *undecided;		/* waits of what was taken off, which may have ended */
};

/* how much of a workload's life was seen */
enum workload_state {
	WORKLOAD_COMPLETE,		/* its whole life was seen */
	WORKLOAD_CANCELLED,
	WORKLOAD_OPEN,			/* still alive when the trace ended */
	WORKLOAD_PARTIAL,		/* ended, but an event of its life was not seen */
	WORKLOAD_UNKNOWN,		/* its end may have been lost */
};

/* where a workload is in its life */
enum phase {
	PHASE_NONE,			/* not known yet, or over */
	PHASE_PENDING,			/* queued, not yet submitted to i915 */
	PHASE_SUBMITTED,
	PHASE_RUNNING,
	PHASE_PREEMPTED,		/* switched out unfinished */
	PHASE_FINISHING,		/* executed, not yet completed */
	PHASES
};

/* the parts of the time from queue to completion; workload_split() */
enum latency_part {
	PART_OTHER,			/* waiting: as in enum wait_class */
	PART_THROTTLED,
	PART_CAPPED,
	PART_HELD,
	PART_HOST,			/* also of what was submitted, or preempted */
	PART_SWITCHING,
	PART_OWN,			/* its vGPU's turn, other work of its was before */
	PART_DISPATCH,			/* on the CPU: its turn and next in its queue */
	PART_I915,			/* submitted, not yet on the engine, for no reason above */
	PART_EXEC,
	PART_PREEMPTED,
	PART_COMPLETION,		/* from the last stop until completed */
	PART_UNKNOWN,			/* waited for a reason that the trace does not tell */
	PARTS
};

/* ids are unique on one GPU */
struct workload_key {
	int64_t dev;
	int64_t id;
};

/* a workload; who writes what is said above it */
struct workload {
	/* alive.c, life.c, in gaps gaps.c: what its events told */
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
	int64_t end_ns;			/* complete or cancel */
	int64_t end_tid;		/* in which thread that was; or UNKNOWN */
	int64_t piece_ns;		/* start of the running or last piece */
	int64_t superseded_ns;		/* when another one started while this one ran */
	int64_t exec_ns;		/* sum of the pieces that ended */
	int64_t status;			/* 0 or -errno; UNKNOWN before complete */
	int64_t pieces;
	bool from_before;		/* queued before the trace began */
	bool submitted_before;		/* and submitted */
	bool waiting;			/* in the queue, not on the engine */
	bool running;			/* on the engine */
	bool exec_unknown;		/* a start or stop was not seen, or may have been lost */
	bool finished;			/* its last stop was its end */
	bool stop_unsure;		/* it may have been back since its last stop, unseen */
	bool never_back;		/* it ended off it, and only seemed to wait since its stop */
	bool completed;
	bool cancelled;
	bool tainted;			/* alive while events were lost */
	int64_t tainted_ns;		/* since when */
	/* of one that does not end: alive until then; later it may have ended, or by @gone_ns has, */
	int64_t seen_ns;		/* unseen; UNKNOWN: it is alive to the end */
	int64_t gone_ns;
	unsigned int nr;		/* among those that are alive; when it ended, another one's */
	/* phase.c; turns.c puts a workload back to no phase when it comes */
	enum phase phase;
	int64_t phase_ns;		/* when the phase began */
	int64_t phases_ns[PHASES];	/* in phases that are over */
	bool in_flight;
	bool counted;			/* in the engine's counts */
	/* turns.c */
	bool ahead;			/* counted in its queue's; phase.c, too, in a gap */
	struct workload *prev, *next;	/* in the list of its queue, while pending */
	/* while pending: the queue's spent_ns when it came; then: how long it waited */
	int64_t waits_ns[WAIT_CLASSES];
	int64_t dispatch_ns, sure_dispatch_ns;	/* of waits_ns[WAIT_CURRENT]; since the last gap */
	int64_t ahead_ns;		/* of waits_ns: while submitted, but it was not its turn */
	bool exposed;			/* counted in its queue's */
	int64_t exposed_ns;		/* its queue's host_ns then */
	int64_t kept_ns[PHASES];	/* of phases_ns: for the host */
};

/* one stretch of time on the engine */
struct piece {
	const struct workload *workload;
	int64_t start_ns;		/* UNKNOWN: not seen */
	int64_t stop_ns;		/* UNKNOWN: after the trace */
	int64_t completed;		/* 1, 0: switched out, UNKNOWN: still running */
	bool from_before;		/* running since before the trace; else an unknown */
					/* start was lost */
};

/* for how long the work in a queue, or part of it, waited for one reason */
struct stretch {
	const struct vgpu_engine *queue;
	enum wait_class class;
	const struct vgpu *culprit;	/* WAIT_OTHER, WAIT_HELD, WAIT_PREEMPTED; else NULL */
	int64_t from_ns;
	int64_t to_ns;
};

/* what is told of the host's own work */
enum host_time {
	HOST_RAN,			/* it was on the engine */
	HOST_WAITED,			/* it was with the engine, which had yet to make way */
	HOST_UNSURE,			/* outside of gaps: it may have been on the engine */
};

/* how what is told of a queue may be wrong */
enum doubt {
	DOUBT_COUNTED,			/* one that was told as waiting may not have been there */
	DOUBT_MISSED,			/* one that was not told may have been */
	DOUBT_UNSEEN,			/* any whose events were all lost may have been */
};

/*
 * What a listener is told; all pointers may be NULL. Every queue change is one
 * call of @waiting. A workload that waits since before the trace began is told
 * with @delta +1 and @ts_ns UNKNOWN when it is first seen.
 */
struct model_listener {
	void (*arrived)(void *ctx, const struct workload *w, int64_t ts_ns);
	void (*waiting)(void *ctx, const struct workload *w, int64_t ts_ns, int delta);
	void (*piece)(void *ctx, const struct piece *piece);
	void (*ended)(void *ctx, const struct workload *w);
	/*
	 * It was on the engine for certain, from before the trace if @from_ns is UNKNOWN and to
	 * the end of the trace if @to_ns is. Of the time in gaps nothing is certain. No two
	 * times on one engine overlap. It may be 0 ns.
	 */
	void (*ran)(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns);
	/* the host's own work, as @ran; @holder: the vGPU that it waited for; or NULL */
	void (*host)(void *ctx, const struct gpu_engine *engine, enum host_time what,
		     const struct vgpu *holder, int64_t from_ns, int64_t to_ns);
	/* what the engine did, NULL: any, is uncertain; from and to the trace's ends if UNKNOWN */
	void (*unsure)(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns);
	/* what waited in the queue is uncertain; to the end if @to_ns is UNKNOWN */
	void (*unsure_wait)(void *ctx, const struct vgpu_engine *queue, enum doubt doubt,
			    int64_t from_ns, int64_t to_ns);
	/* since the last gap, work waited for the engine unseen, or none did that was told */
	void (*misled)(void *ctx, const struct gpu_engine *engine, int64_t ts_ns);
	/* a wait is over, and its reason certain; in the order of their ends */
	void (*stretch)(void *ctx, const struct stretch *stretch);
	/* work that has been in @phase since before the trace shows up only now */
	void (*older)(void *ctx, const struct workload *w, enum phase phase, int64_t ts_ns);
	void (*stranger)(void *ctx, int64_t dev, int64_t ts_ns);	/* the GPU's first, not queued */
	/* the trace is over, and nothing after @end_ns counts; before what is alive then is told */
	void (*over)(void *ctx, int64_t end_ns);
	void *ctx;
};

/* the events that move the model; it does without those that a trace lacks */
#define MODEL_EVENTS	(EVENT_BIT(EVENT_SCHED_INFO + 1) - 1)

/* how far the clocks of CPUs differ, as far as it shows */
struct skew {
	uint64_t events;		/* that came before the one that they follow */
	int64_t max_ns;			/* by so much at most */
	GArray *kept;			/* struct event: what they follow has not come yet */
};

struct model;

/**
 * model_new - nothing known yet; model_free() frees
 */
struct model *model_new(void);
void model_free(struct model *model);

/**
 * model_listen - call @listener from now on; copied, but not its context
 */
void model_listen(struct model *model, const struct model_listener *listener);

/**
 * model_event - move on by one event; others than those it knows are ignored
 */
void model_event(struct model *model, const struct event *event);

/**
 * model_older - a workload that was queued before the trace, and was alive when it began
 * @model: of which all listeners are known
 * @event: its first one, or gvt_workload_state
 * @queue_ns: when it was queued; UNKNOWN
 * @start_ns: of the trace; before all events, those of one queue in the order of their ids
 */
void model_older(struct model *model, const struct event *event, int64_t queue_ns,
		 int64_t start_ns);

/**
 * model_finish - the trace is over: tell the listeners where its window ends, and of what is
 *		  still alive
 *
 * Workloads come in the order of their GPUs and ids.
 */
void model_finish(struct model *model);

/**
 * model_gpu - a GPU by its number; NULL if it was not seen
 */
const struct gpu *model_gpu(const struct model *model, int64_t dev);

/**
 * model_engine - the engine that a switch, a balance or a hold is about
 *
 * Returns NULL if it is about all engines of the GPU, or not seen yet.
 */
const struct gpu_engine *model_engine(const struct model *model, int64_t dev, int64_t class,
				      int64_t instance);

/**
 * model_vgpu - a vGPU by GPU and id; NULL if it was not seen
 */
const struct vgpu *model_vgpu(const struct model *model, int64_t dev, int64_t id);

/**
 * model_on_engine - whose work is on the engine now?
 * @vgpu: NULL: nobody's
 * @since_ns: since when
 *
 * Returns false if it is not known, as events were lost.
 */
bool model_on_engine(const struct model *model, const struct gpu_engine *engine,
		     const struct vgpu **vgpu, int64_t *since_ns);

/**
 * model_knows_first - is the first one in the queue, or that there is none, certain?
 */
bool model_knows_first(const struct model *model, const struct vgpu_engine *queue);

/* numbers of vGPUs are below; what damaged traces have above is left as it is */
#define VGPU_NUMBER_BITS	32
#define VGPU_NUMBER_MAX		INT32_MAX

/**
 * vgpu_number - the number that the kernel gave to a vGPU: an id has in its upper bits how many
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
 * model_gpus, model_vgpus, model_engines, model_vgpu_engines - all that were seen, in that order,
 * of struct gpu, vgpu, gpu_engine and vgpu_engine; the model's
 * model_sched_infos - struct sched_info as told last of each GPU, in the window if in it; the model's
 */
const GPtrArray *model_gpus(const struct model *model);
const GPtrArray *model_vgpus(const struct model *model);
const GPtrArray *model_engines(const struct model *model);
const GPtrArray *model_vgpu_engines(const struct model *model);
const GPtrArray *model_sched_infos(const struct model *model);

/**
 * model_sched_info - what is known of the scheduler of a GPU; never NULL
 */
const struct sched_info *model_sched_info(const struct model *model, int64_t dev);

/**
 * model_strays - events that contradict what was known, for example a second completion
 */
uint64_t model_strays(const struct model *model);

/**
 * model_skew - how far the clocks of CPUs differ
 */
const struct skew *model_skew(const struct model *model);

/**
 * model_tainted - workloads that were alive while events were lost; final after model_finish()
 */
uint64_t model_tainted(const struct model *model);

/**
 * workload_state - how much of a life was seen; final once it ended
 */
enum workload_state workload_state(const struct workload *w);

/**
 * workload_state_name - its name, as in columns: "complete"; NULL: unknown
 */
const char *workload_state_name(enum workload_state state);

/*
 * Durations of one workload in ns, UNKNOWN when the trace does not tell.
 * Belkhiri and Dagenais 2024, 4.2.2 and figure 4: the wait W is the time in queues, from
 * gvt_workload_queue to the start, plus the time switched out; the latency is
 * W + E with E the execution, which is the time from queue to last stop. What
 * comes after the last stop (the CPU noticing) is only in the turnaround, from
 * queue to gvt_workload_complete.
 */

/**
 * workload_exec - execution, the sum of the pieces
 * workload_last_stop - when it left the engine for the last time
 * workload_wait - from queue to start, and switched out
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
 * workload_split - where the time of a workload went, from queue to completion
 * @parts: filled; they sum to workload_total()
 *
 * Returns false, with all parts UNKNOWN, if not all of its life was seen, or they would
 * not sum to it.
 */
bool workload_split(const struct workload *w, int64_t parts[PARTS]);

/**
 * latency_part_name - the name of a part, as in columns: "other" for other_ns
 */
const char *latency_part_name(enum latency_part part);

#endif
