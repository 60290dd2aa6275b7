/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What would have been under other settings: the streams of a trace, simulated by gvt-sim for
 * several windows as long as the trace's.
 */
#ifndef GVT_STAT_WHATIF_H
#define GVT_STAT_WHATIF_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "analysis/streams.h"
#include "trace/info.h"
#include "tally.h"

/* simulated before anything counts */
#define WHATIF_WARMUP_NS	(3 * NSEC_PER_SEC)

/*
 * Between two windows: by then all streams go on in another phase beside each other and the scheduler's
 * periods, which settled for some of these
 */
#define WHATIF_GAP_NS		NSEC_PER_SEC

/* what is to be different of a vGPU; UNKNOWN: nothing */
struct whatif_vgpu {
	int64_t id;
	int64_t weight;
	int64_t nice;
	int64_t cap;
	int64_t preempt;
	int64_t piece_ns;
	int64_t depth;
	int64_t period_ns;		/* of its timetable */
	enum stream_arrivals arrivals;	/* what is known of when it submits */
	double speed;			/* NAN; of 2, all executes in half the time */
	bool without;			/* it is not there */
};

/* a vGPU that is simulated */
struct whatif_guest {
	const struct vgpu *vgpu;
	int64_t id;			/* in the simulation */
	int64_t window_ns;		/* of the trace that it is from */
	bool added;			/* of another trace: its clocks do not go with the others' */
	int64_t start_ns;		/* when it begins in the warm-up */
};

/* what is to be different */
struct whatif {
	GPtrArray *settings;		/* pairs of char *: name as in sysfs, value */
	GArray *vgpus;			/* struct whatif_vgpu */
	double speed;			/* of what the host does itself; NAN: as it was */
	unsigned int windows;
	/* told every event, as a line of text, instead of only those that are counted; or NULL */
	void (*line)(void *ctx, const char *line);
	void *ctx;
};

/* a point of a curve of these: what others ask of the memory, and how much longer things take */
struct whatif_point {
	int64_t mbps;
	int64_t ppm;			/* millionths of what it is alone */
};

/* how a stream shares the memory with others */
struct whatif_memory {
	int64_t mbps;			/* it asks for while it executes; UNKNOWN: nothing is known */
	GArray *points;			/* struct whatif_point, by mbps; none: others do not slow it down */
};

/* what is simulated */
struct mixture {
	const struct sched_info *info;	/* the scheduler as it was; without dev, of no trace */
	const GArray *guests;		/* struct whatif_guest */
	const GPtrArray *streams;	/* struct stream *, of these */
	int64_t window_ns;		/* length of a window */
	const GArray *memory;		/* struct whatif_memory, of each stream; NULL: nothing is known */
	const GPtrArray *host;		/* struct host_work, of the host itself; NULL: it is left out */
};

/* what came of it */
struct whatif_result {
	struct model *model;
	struct tally *tally;
	unsigned int windows;
	int64_t window_ns;
	char *name;			/* of the case; NULL: the likeliest one */
	GPtrArray *others;		/* struct whatif_result: the other cases, see cases_run() */
};

/**
 * whatif_init, whatif_clear - nothing is different
 */
void whatif_init(struct whatif *whatif);
void whatif_clear(struct whatif *whatif);

/**
 * struct whatif_word - what can be said of a vGPU with a whole number
 * @unit: so many of the number that is kept are one
 */
struct whatif_word {
	const char *name;
	int64_t least;
	int64_t most;
	size_t offset;			/* in struct whatif_vgpu */
	int64_t unit;
};

/* ends with one without name */
extern const struct whatif_word whatif_words[];

/**
 * whatif_missing - name of an event that a trace lacks, and without which it tells nothing of what
 * its guests do; NULL: it has all of these
 */
const char *whatif_missing(const struct trace_info *info);

/**
 * whatif_set - another setting of the scheduler
 */
void whatif_set(struct whatif *whatif, const char *name, const char *value);

/**
 * whatif_vgpu - what is different of a vGPU, to be changed; valid until the next call
 */
struct whatif_vgpu *whatif_vgpu(struct whatif *whatif, int64_t id);

/**
 * whatif_gap_ns - what is simulated between two windows, and is not counted
 *
 * Nothing if every event is told: they are of windows in one go then.
 */
int64_t whatif_gap_ns(const struct whatif *whatif);

/**
 * whatif_find_vgpu - what is different of a vGPU; NULL: nothing
 */
const struct whatif_vgpu *whatif_find_vgpu(const struct whatif *whatif, int64_t id);

/**
 * whatif_copy - the same is different, but nobody is told the events
 * @to: filled; whatif_clear() frees
 */
void whatif_copy(struct whatif *to, const struct whatif *from);

/**
 * whatif_tell - what is said of when vGPUs submit, for who infers that
 */
void whatif_tell(const struct whatif *whatif, struct streams *streams);

/**
 * whatif_value - a setting's value as it would be, NULL if it is not known
 * @info: as it was
 *
 * The caller frees with g_free().
 */
char *whatif_value(const struct whatif *whatif, const struct sched_info *info, const char *name);

/**
 * whatif_is_of_preemption - is it about where workloads can be taken off an engine?
 *
 * That matters only where it is done.
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
 * whatif_guest_of - the guest that a vGPU is; NULL: it is none
 */
const struct whatif_guest *whatif_guest_of(const GArray *guests, const struct vgpu *vgpu);

/**
 * whatif_run - simulate
 * @simulator: path of gvt-sim
 * @problem: why that cannot be, and what to do, where NULL is returned; the caller frees
 *
 * Ends the program with a message if gvt-sim fails. whatif_result_free() frees.
 */
struct whatif_result *whatif_run(const struct whatif *whatif, const char *simulator,
				 const struct mixture *mixture, char **problem);
void whatif_result_free(struct whatif_result *result);

/**
 * whatif_queue - where a vGPU's queue for an engine is in the simulated model; NULL: nowhere
 * @id: of the vGPU in the simulation
 */
const struct vgpu_engine *whatif_queue(const struct whatif_result *result, int64_t id,
				       const struct gpu_engine *engine);

#endif
