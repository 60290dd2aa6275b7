/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every command does with a trace: open it, choose the window, move the
 * model and the command's analyses along its events, and see that the choices
 * made on the command line were possible.
 */
#ifndef GVTTRACE_FOLLOW_H
#define GVTTRACE_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "model/model.h"
#include "trace/info.h"
#include "trace/quantities.h"
#include "trace/recorded.h"
#include "trace/timespan.h"

/*
 * What of a trace is asked for: which file, which window, which GPUs, vGPUs and engines.
 * Messages name it as gvt-stat's options do: --time, --gpu, --vgpu, --engine.
 */

/* what is asked for */
struct selection {
	const char *input;		/* path of the trace */
	struct timespan span;
	char **gpus;			/* numbers and PCI addresses; NULL: all */
	char **vgpus;			/* numbers, UUIDs and names of VMs; NULL: all */
	char **engines;			/* names; NULL: all */
	int64_t tsc_khz;		/* 0: as the trace tells */
	quantity_set quantities;	/* to be told: which events are needed */
	quantity_set beside;		/* not told, but made use of: their events are read, too */
	/* called often while a trace is read, and at its end; may be NULL */
	void (*alive)(const struct trace_info *trace);
	void (*done)(void);
};

/**
 * selection_init - everything in ./trace.dat; selection_clear() frees the lists
 */
void selection_init(struct selection *selection);
void selection_clear(struct selection *selection);

/**
 * selection_gpu - is it asked for, by number or, where 'gvt-stat record' told it, by address?
 * selection_vgpu - the same, by number, UUID or name of the VM, and its GPU
 * selection_engine - the same, by name, and its GPU
 * selection_queue - are both asked for, its vGPU and its engine?
 */
bool selection_gpu(const struct selection *selection, const struct gpu *gpu);
bool selection_vgpu(const struct selection *selection, const struct vgpu *vgpu);
bool selection_engine(const struct selection *selection, const struct gpu_engine *engine);
bool selection_queue(const struct selection *selection, const struct vgpu_engine *queue);

/**
 * selection_check_known - end the program if a GPU, vGPU or engine asked for is in no event
 * @model: of a trace that was read to its end
 */
void selection_check_known(const struct selection *selection, const struct model *model);

/*
 * One consumer of events beside the model; most listen to the model instead.
 * Events reach it in the order of time, after the model has moved. Those outside
 * of MODEL_EVENTS must be in the needs of one of the command's quantities, or
 * they are not read.
 */
struct analysis {
	event_set events;		/* those it takes */
	void (*event)(void *ctx, const struct event *event);
	/* such may have been lost from now on, and until now; both may be NULL */
	void (*lost)(void *ctx, int64_t ts_ns);
	void (*found)(void *ctx, int64_t ts_ns);
	void *ctx;
};

#define FOLLOW_ANALYSES	12

struct reader;
struct prologue;
struct tenants;

/* a trace that is being read */
struct follow {
	const struct selection *selection;
	struct reader *reader;
	const struct trace_info *trace;
	struct window window;		/* its end is final after follow_run() */
	struct model *model;
	struct tenants *tenants;	/* which vGPU had which number */
	struct prologue *prologue;	/* what was there before the trace */
	struct recorded *recorded;	/* what 'gvt-stat record' told of the host */
	GArray *contradictions;		/* struct contradiction: of analyses */
	struct analysis analyses[FOLLOW_ANALYSES];
	int nr_analyses;
	/* those that take an event, then NULL */
	const struct analysis *takers[EVENT_COUNT][FOLLOW_ANALYSES + 1];
};

/**
 * follow_open - open the trace that is asked for
 * @selection: must outlive @follow
 *
 * Ends the program with a message on any error.
 */
void follow_open(struct follow *follow, const struct selection *selection);

/**
 * follow_close - free what follow_open() made
 * follow_add - have an analysis called in follow_run(), after the model
 * follow_has_any - is any of these events anywhere in the trace? It is read ahead for that.
 */
void follow_close(struct follow *follow);
void follow_add(struct follow *follow, const struct analysis *analysis);
bool follow_has_any(const struct follow *follow, event_set events);

/**
 * follow_run - read the trace to its end
 *
 * What is alive then is still in the model: analyses may have to know the end of
 * the window before model_finish().
 */
void follow_run(struct follow *follow);

/*
 * Sums that must hold in every trace: an engine executes one workload at a time, its times
 * are those of the window, who waits for others is in a queue, and the parts of a workload's
 * time make the whole. Where one does not hold, the trace contradicts itself, or what is
 * concluded from it is wrong; then what depends on it is not shown as a number.
 *
 * What events that were lost can explain is no contradiction.
 */

/* what does not hold */
enum sum {
	SUM_EXECUTION,			/* one workload at a time is on the engine */
	SUM_ENGINE,			/* busy and idle times sum to the window */
	SUM_WAITS,			/* waits are times in which there is a queue */
	SUM_PARTS,			/* the parts of a workload's time sum to the whole */
	SUMS
};

/* where and when a sum did not hold, for the first time */
struct contradiction {
	enum sum sum;
	const struct gpu_engine *engine;
	const struct vgpu *vgpu;	/* NULL: it is about the engine */
	int64_t at_ns;
};

/**
 * contradiction_at - when did a sum not hold at this place? UNKNOWN: it did
 * @vgpu: NULL: it is about the engine
 *
 * The model is finished.
 */
int64_t contradiction_at(const struct follow *follow, enum sum sum,
			 const struct gpu_engine *engine, const struct vgpu *vgpu);

/**
 * contradictions_all - all of struct contradiction, by time; the caller frees
 */
GArray *contradictions_all(const struct follow *follow);

/**
 * contradiction_name - the name of a sum, for programs: "execution"
 */
const char *contradiction_name(enum sum sum);

/**
 * contradiction_text - what does not hold where and when, for people; the caller frees
 */
char *contradiction_text(const struct contradiction *contradiction);

#endif
