/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a trace is asked for: which file, which window, which GPUs, vGPUs and engines.
 * Messages name it as gvt-stat's options do: --time, --gpu, --vgpu, --engine.
 */
#ifndef GVTTRACE_SELECTION_H
#define GVTTRACE_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "trace/quantities.h"
#include "trace/reader.h"
#include "trace/timespan.h"

/* what is asked for */
struct selection {
	const char *input;		/* path of the trace */
	struct timespan span;
	char **gpus;			/* numbers and PCI addresses; NULL: all */
	char **vgpus;			/* ids and UUIDs; NULL: all */
	char **engines;			/* names; NULL: all */
	int64_t tsc_khz;		/* 0: as the trace tells */
	quantity_set quantities;	/* to be told: which events are needed */
	quantity_set beside;		/* not told, but made use of: their events are read, too */
	/* called often while a trace is read, and at its end; may be NULL */
	void (*alive)(const struct trace_info *trace);
	void (*done)(void);
};

/**
 * selection_init - everything in ./trace.dat
 */
void selection_init(struct selection *selection);

/**
 * selection_clear - free the lists
 */
void selection_clear(struct selection *selection);

/**
 * selection_gpu - is this GPU asked for, by number or address?
 *
 * Its address is known where 'gvt-stat record' told it.
 */
bool selection_gpu(const struct selection *selection, const struct gpu *gpu);

/**
 * selection_vgpu - is this vGPU asked for, by id or UUID, and its GPU?
 */
bool selection_vgpu(const struct selection *selection, const struct vgpu *vgpu);

/**
 * selection_engine - is this engine asked for, by name, and its GPU?
 */
bool selection_engine(const struct selection *selection, const struct gpu_engine *engine);

/**
 * selection_queue - are both asked for, its vGPU and its engine?
 */
bool selection_queue(const struct selection *selection, const struct vgpu_engine *queue);

/**
 * selection_names_known - has the model seen what is asked for by UUID or address?
 */
bool selection_names_known(const struct selection *selection, const struct model *model);

/**
 * selection_window - the window to observe in a trace that is about to be read
 *
 * Its end is not known yet: without --time it is the end of time. Ends the
 * program if the trace is empty or the window lies before it.
 */
struct window selection_window(const struct selection *selection, const struct trace_info *trace);

/**
 * selection_check_window - end the program if the window lies behind the trace
 * @trace: read to its end
 */
void selection_check_window(struct window window, const struct trace_info *trace);

/**
 * selection_check_known - end the program if a GPU, vGPU or engine asked for is in no event
 * @model: of a trace that was read to its end
 */
void selection_check_known(const struct selection *selection, const struct model *model);

#endif
