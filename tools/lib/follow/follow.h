/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every command does with a trace: open it, choose the window, feed its
 * events to the model and to the command's analyses, and check that the
 * choices made on the command line were possible.
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
 * The selection: which file, window, GPUs, vGPUs and engines. Messages
 * name them as gvt-stat's options do: --time, --gpu, --vgpu, --engine.
 */

/* the selected part of a trace */
struct selection {
	const char *input;		/* path of the trace */
	struct timespan span;
	char **gpus;			/* numbers and PCI addresses; NULL: all */
	char **vgpus;			/* numbers, UUIDs and names of VMs; NULL: all */
	char **engines;			/* names; NULL: all */
	int64_t tsc_khz;		/* 0: as recorded in the trace */
	quantity_set quantities;	/* to be reported; determine the events needed */
	quantity_set beside;		/* not reported, but used: their events are read, too */
	/* called often while reading a trace, and at its end; may be NULL */
	void (*alive)(const struct trace_info *trace);
	void (*done)(void);
};

/**
 * selection_init - select all of ./trace.dat; selection_clear() frees the lists
 */
void selection_init(struct selection *selection);
void selection_clear(struct selection *selection);

/**
 * selection_gpu - is it selected, by number or by the address that 'gvt-stat record' noted?
 * selection_vgpu - is it selected, by number, UUID or name of the VM, and its GPU?
 * selection_engine - is it selected, by name, and its GPU?
 * selection_queue - are its vGPU and its engine both selected?
 */
bool selection_gpu(const struct selection *selection, const struct gpu *gpu);
bool selection_vgpu(const struct selection *selection, const struct vgpu *vgpu);
bool selection_engine(const struct selection *selection, const struct gpu_engine *engine);
bool selection_queue(const struct selection *selection, const struct vgpu_engine *queue);

/**
 * selection_check_known - end the program if no event has a selected GPU, vGPU or engine
 * @model: of a trace that was read to its end
 */
void selection_check_known(const struct selection *selection, const struct model *model);

/*
 * A consumer of events; most analyses listen to the model instead. Events
 * come in chronological order, after the model has processed them. Events
 * outside of MODEL_EVENTS must be needed by one of the command's quantities,
 * or they are not read.
 */
struct analysis {
	event_set events;		/* events to deliver */
	void (*event)(void *ctx, const struct event *event);
	/* events of these kinds may be lost from now on; until now; both may be NULL */
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
	struct prologue *prologue;	/* work from before the trace */
	struct recorded *recorded;	/* the host's data from 'gvt-stat record' */
	struct follow *ahead;		/* of follow_look_ahead(); else NULL */
	GArray *contradictions;		/* struct contradiction, found by analyses */
	struct analysis analyses[FOLLOW_ANALYSES];
	int nr_analyses;
	/* analyses per event, NULL-terminated */
	const struct analysis *takers[EVENT_COUNT][FOLLOW_ANALYSES + 1];
};

/**
 * follow_open - open the selected trace
 * @selection: must outlive @follow
 *
 * Ends the program with a message on any error.
 */
void follow_open(struct follow *follow, const struct selection *selection);

/**
 * follow_close - free everything that follow_open() allocated
 * follow_add - let follow_run() call an analysis, after the model
 * follow_has_any - does the trace contain any of these events? Reads ahead.
 */
void follow_close(struct follow *follow);
void follow_add(struct follow *follow, struct analysis analysis);
bool follow_has_any(const struct follow *follow, event_set events);

/**
 * follow_look_ahead - learn the names of all vGPUs, for who writes single lines while reading
 * @host: also where and when it was recorded, and the names of VMs; reads all of a trace without that
 *
 * Of the result's model and recorded, only these are of use. @follow owns it.
 */
const struct follow *follow_look_ahead(struct follow *follow, bool host);

/**
 * follow_run - read the trace to its end
 *
 * Live workloads stay in the model: analyses may need the end of the window
 * before model_finish().
 */
void follow_run(struct follow *follow);

/*
 * Sums that must hold in every trace: an engine runs one workload at a time, its times sum to
 * the window, a vGPU's work waits only while queued, and the parts of a workload's time sum to
 * the whole. If a sum does not hold, the trace contradicts itself or a conclusion from it is
 * wrong; values that depend on it are then not shown.
 *
 * Anything that lost events can explain is no contradiction.
 */

/* the sums */
enum sum {
	SUM_EXECUTION,			/* one workload at a time runs on the engine */
	SUM_ENGINE,			/* busy and idle times sum to the window */
	SUM_WAITS,			/* waits fit into the time with a non-empty queue */
	SUM_PARTS,			/* the parts of a workload's time sum to the whole */
	SUMS
};

/* the first time that a sum did not hold at a place */
struct contradiction {
	enum sum sum;
	const struct gpu_engine *engine;
	const struct vgpu *vgpu;	/* NULL: the engine's sum */
	int64_t at_ns;
};

/**
 * contradiction_at - when did a sum first not hold at this place? UNKNOWN: it always held
 * @vgpu: NULL: the engine's sum
 *
 * Call after model_finish().
 */
int64_t contradiction_at(const struct follow *follow, enum sum sum,
			 const struct gpu_engine *engine, const struct vgpu *vgpu);

/**
 * contradictions_all - all struct contradiction in chronological order; the caller frees
 */
GArray *contradictions_all(const struct follow *follow);

/**
 * contradiction_name - name of a sum, for programs: "execution"
 */
const char *contradiction_name(enum sum sum);

/**
 * contradiction_text - describe a contradiction to users; the caller frees
 */
char *contradiction_text(const struct contradiction *contradiction);

#endif
