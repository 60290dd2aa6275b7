/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulates the streams of a trace with gvt-sim under other settings, for several windows as long
 * as the trace.
 */
#ifndef GVT_STAT_WHATIF_H
#define GVT_STAT_WHATIF_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "analysis/streams.h"
#include "trace/info.h"
#include "tally.h"

/* simulated before the first window, and not counted */
#define WHATIF_WARMUP_NS	(3 * NSEC_PER_SEC)

/*
 * Not counted, between two windows: shifts the phase of each stream against the other streams and
 * the scheduler's periods, and lets the phases settle that lock to each other.
 */
#define WHATIF_GAP_NS		NSEC_PER_SEC

/*
 * A guest's pauses are CPU time, which other settings change a little, and a policy that weighs
 * them may decide otherwise: windows and phases cover pauses of +-5 %
 */
#define WHATIF_VARY_PPM	50000

/* workloads of all streams and windows: of more, the load hardly differs between windows */
#define WHATIF_MOST_RESAMPLED	500000

/* the changes to a vGPU; UNKNOWN: unchanged */
struct whatif_vgpu {
	int64_t id;
	int64_t weight;
	int64_t nice;
	int64_t cap;
	int64_t preempt;
	int64_t piece_ns;
	int64_t depth;
	int64_t period_ns;		/* of its timetable */
	enum stream_arrivals arrivals;	/* known from the user */
	double speed;			/* 2: workloads execute in half the time; NAN: unchanged */
	bool without;			/* not simulated */
};

/* a vGPU to simulate */
struct whatif_guest {
	const struct vgpu *vgpu;
	int64_t id;			/* in the simulation */
	int64_t window_ns;		/* length of its trace */
	bool added;			/* from another trace: phase against the others unknown */
	int64_t start_ns;		/* start time in the warm-up */
};

/* what else is to be learned from each model, recorded or simulated */
struct whatif_observer {
	void *(*begin)(struct model *model);	/* before any event; returns what it will see */
	void (*free)(void *seen);
};

/* the changes to simulate */
struct whatif {
	GPtrArray *settings;		/* pairs of char *: name as in sysfs, value */
	GArray *vgpus;			/* struct whatif_vgpu */
	double speed;			/* of the host's own work; NAN: unchanged */
	unsigned int windows;
	const struct whatif_observer *observer;	/* NULL: none */
	/* gets every event as a line of text; NULL: gvt-sim writes only the counted events */
	void (*line)(void *ctx, const char *line);
	void *ctx;
};

/* a point of a sensitivity curve: the others' memory demand, and the resulting slowdown */
struct whatif_point {
	int64_t mbps;
	int64_t ppm;			/* execution time in millionths of that when alone */
};

/* a stream's memory demand, and its sensitivity to the demand of others */
struct whatif_memory {
	int64_t mbps;			/* demand while the stream executes; UNKNOWN */
	GArray *points;			/* struct whatif_point, by mbps; none: not sensitive */
};

/* everything to simulate */
struct mixture {
	const struct sched_info *info;	/* recorded settings; if dev is unknown, no trace's */
	const GArray *guests;		/* struct whatif_guest */
	const GPtrArray *streams;	/* struct stream *, of these guests */
	int64_t window_ns;		/* length of a window */
	const GArray *memory;		/* struct whatif_memory, for each stream; NULL: unknown */
	const GPtrArray *host;		/* struct host_work; NULL: not simulated */
};

/* a finished simulation */
struct whatif_result {
	struct model *model;
	struct tally *tally;
	unsigned int windows;
	int64_t window_ns;
	int64_t gap_ns;			/* between two windows */
	char *name;			/* of the case; NULL: the most likely one */
	const struct whatif_observer *observer;
	void *seen;			/* by the observer */
	GPtrArray *others;		/* struct whatif_result: the other cases, see cases_run() */
};

/**
 * whatif_init, whatif_clear - begin with no changes; free all changes
 */
void whatif_init(struct whatif *whatif);
void whatif_clear(struct whatif *whatif);

/**
 * struct whatif_word - a property of a vGPU that takes an integer
 * @unit: factor from the user's value to the stored one
 */
struct whatif_word {
	const char *name;
	int64_t least;
	int64_t most;
	size_t offset;			/* in struct whatif_vgpu */
	int64_t unit;
};

/* ends with an entry without name */
extern const struct whatif_word whatif_words[];

/**
 * whatif_missing - the name of an event that the trace lacks and a simulation needs; NULL: none
 */
const char *whatif_missing(const struct trace_info *info);

/**
 * whatif_set - change a setting of the scheduler
 */
void whatif_set(struct whatif *whatif, const char *name, const char *value);

/**
 * whatif_vgpu - the changes to a vGPU, for writing; valid until the next call
 */
struct whatif_vgpu *whatif_vgpu(struct whatif *whatif, int64_t id);

/**
 * whatif_gap_ns - simulated time between two windows that is not counted
 *
 * 0 if @whatif->line takes every event: a trace of the simulation has no gaps.
 */
int64_t whatif_gap_ns(const struct whatif *whatif);

/**
 * whatif_find_vgpu - the changes to a vGPU; NULL: none
 */
const struct whatif_vgpu *whatif_find_vgpu(const struct whatif *whatif, int64_t id);

/**
 * whatif_copy - copy the changes, but not the line function
 * @to: filled; whatif_clear() frees
 */
void whatif_copy(struct whatif *to, const struct whatif *from);

/**
 * whatif_tell - pass the user's facts about vGPUs' arrivals on to streams_infer()
 */
void whatif_tell(const struct whatif *whatif, struct streams *streams);

/**
 * whatif_value - the value of a setting with the changes; NULL: unknown
 * @info: the recorded settings
 *
 * The caller frees with g_free().
 */
char *whatif_value(const struct whatif *whatif, const struct sched_info *info, const char *name);

/**
 * whatif_is_of_preemption - does the doubt concern preemption points?
 *
 * Such a doubt matters only under preemptive dispatch.
 */
bool whatif_is_of_preemption(enum stream_doubt doubt);

/**
 * whatif_guests - the vGPUs of a GPU
 * @window_ns: length of the trace
 *
 * Returns an array of struct whatif_guest; the caller frees.
 */
GArray *whatif_guests(const struct model *model, int64_t dev, int64_t window_ns);

/**
 * whatif_guest_of - the guest for a vGPU; NULL: none
 */
const struct whatif_guest *whatif_guest_of(const GArray *guests, const struct vgpu *vgpu);

/**
 * whatif_run - simulate
 * @simulator: path of gvt-sim
 * @problem: where NULL is returned, the reason and a remedy; the caller frees
 *
 * Ends the program with a message if gvt-sim fails. whatif_result_free() frees.
 */
struct whatif_result *whatif_run(const struct whatif *whatif, const char *simulator,
				 const struct mixture *mixture, char **problem);
void whatif_result_free(struct whatif_result *result);

/**
 * whatif_queue - a vGPU's queue for an engine in the simulated model; NULL: it has none
 * @id: of the vGPU in the simulation
 */
const struct vgpu_engine *whatif_queue(const struct whatif_result *result, int64_t id,
				       const struct gpu_engine *engine);

#endif
