/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every command does with a trace: open it, choose the window, move the
 * model and the command's analyses along its events, and see that the choices
 * made on the command line were possible.
 */
#ifndef GVTTRACE_FOLLOW_H
#define GVTTRACE_FOLLOW_H

#include <stdint.h>

#include "trace/recorded.h"
#include "model/model.h"
#include "trace/reader.h"
#include "trace/timespan.h"
#include "contradiction.h"
#include "selection.h"

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

#define FOLLOW_ANALYSES	10

struct prologue;

/* a trace that is being read */
struct follow {
	const struct selection *selection;
	struct reader *reader;
	const struct trace_info *trace;
	struct window window;		/* its end is final after follow_run() */
	struct model *model;
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
 */
void follow_close(struct follow *follow);

/**
 * follow_add - have an analysis called in follow_run(), after the model
 */
void follow_add(struct follow *follow, const struct analysis *analysis);

/**
 * follow_run - read the trace to its end
 *
 * What is alive then is still in the model: analyses may have to know the end of
 * the window before model_finish().
 */
void follow_run(struct follow *follow);

#endif
