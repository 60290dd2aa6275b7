/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GVT-g's counters per vGPU and engine in sysfs, and rates between two samples.
 */
#ifndef GVTTRACE_COUNTERS_H
#define GVTTRACE_COUNTERS_H

#include <stdint.h>

#include <glib.h>

#include "sysfs.h"

/* monotonic unless the vGPU was recreated; UNKNOWN where the kernel has no counter */
struct engine_counters {
	char *name;			/* "rcs0" */
	int64_t exec_ns;
	int64_t wait_ns;		/* of workloads, from queueing to their first start */
	int64_t workloads;		/* that ended */
	int64_t failed;
	int64_t cancelled;
	int64_t preempted;
	int64_t preempted_ns;		/* that workloads were off the engine between their pieces */
};

/* a line of a file with several counters */
struct named_counter {
	char *name;			/* "bad_entries" */
	int64_t count;
};

/* a vGPU, or the host on a GPU */
struct vgpu_counters {
	int64_t id;
	char *uuid;
	char *type;
	char *gpu;			/* address; NULL: unknown */
	char *vm;			/* NULL: unknown, or not yet searched for */
	int64_t at_ns;			/* time of the sample, CLOCK_MONOTONIC */
	int64_t weight;
	int64_t exec_ns;		/* time in which at least one engine executed */
	int64_t exec_percent;		/* over about the last second; readable by all users */
	int64_t left_ns;		/* a gauge */
	int64_t queued;			/* a gauge */
	int64_t errors;			/* of the guest, since the vGPU was created */
	GPtrArray *health;		/* struct named_counter, in the kernel's order */
	char *failsafe;			/* "no", or the reason for failsafe mode; NULL: unknown */
	GPtrArray *engines;		/* struct engine_counters, by name */
};

/* name of the host's row, which has id 0 and no workloads */
#define COUNTERS_HOST	"host"

/**
 * counters_read - sample the counters of all vGPUs, and of the host on each GPU
 *
 * Returns an owning array of struct vgpu_counters.
 */
GPtrArray *counters_read(const struct sysfs *sysfs);

/**
 * counters_waited_for - for whom a vGPU's workloads waited on an engine
 *
 * Returns an owning array of struct named_counter, in ns: "host", "vgpu1" to "vgpu7", "nobody". Empty
 * if the kernel does not count it, or the user may not read it.
 */
GPtrArray *counters_waited_for(const struct sysfs_vgpu *vgpu, const char *engine);

/**
 * counters_health - read a vGPU's health alone
 *
 * Returns an owning array of struct named_counter, empty if the kernel has none.
 */
GPtrArray *counters_health(const struct sysfs_vgpu *vgpu);

/**
 * counters_check - end the program with a message if no vGPU has counters
 */
void counters_check(const GPtrArray *vgpus, const char *sysroot);

/**
 * counters_warn_coarse - warn users without read permission that most values are unknown
 */
void counters_warn_coarse(const GPtrArray *vgpus);

/**
 * counters_is_host - is it the host's own work rather than a vGPU?
 */
bool counters_is_host(const struct vgpu_counters *vgpu);

/**
 * counters_wanted - is the vGPU in this --vgpu list?
 * @items: NULL: all are
 */
bool counters_wanted(const struct vgpu_counters *vgpu, char *const *items);

/**
 * counters_find - the counters of the vGPU with this UUID; NULL: none
 */
struct vgpu_counters *counters_find(const GPtrArray *vgpus, const char *uuid);

/* activity of a vGPU, or on one of its engines, between two samples */
struct rate {
	int64_t interval_ns;
	double exec_percent;		/* of the time; NAN: unknown */
	double done_per_second;		/* workloads that ended */
	double wait_mean_ns;		/* of these workloads; NAN if there were none */
	int64_t failed;
	int64_t cancelled;
};

/**
 * rate_of_vgpu, rate_of_engine - rates between two samples
 * @old: NULL: no earlier sample, so everything is unknown
 *
 * A counter that decreased belongs to a new vGPU with the same UUID: its rate is unknown.
 */
struct rate rate_of_vgpu(const struct vgpu_counters *old, const struct vgpu_counters *now);
struct rate rate_of_engine(const struct vgpu_counters *old, const struct vgpu_counters *now,
			   const struct engine_counters *engine);

/**
 * rate_wait_percent - the share of the time of a vGPU's workloads that they waited
 *
 * Of the waits and execution of all engines. NAN: unknown, or nothing executed.
 */
double rate_wait_percent(const struct vgpu_counters *old, const struct vgpu_counters *now);

#endif
