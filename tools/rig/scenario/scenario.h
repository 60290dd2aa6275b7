/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scenarios of the rig as data: the vGPUs, their work, the duration, and the
 * events to record.  README.md in this directory is the reference
 * of the text format; this is the parsed form.
 */
#ifndef RIG_SCENARIO_H
#define RIG_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum scenario_arrival {
	SCENARIO_CLOSED,	/* next workload a think time after completion */
	SCENARIO_PERIODIC,	/* one every period */
	SCENARIO_POISSON,	/* exponential gaps with the period as mean */
};

/* The names of the above, NULL-terminated. */
extern const char *const scenario_arrivals[];

/* Kinds of workloads; in the order of the words. */
enum scenario_command {
	SCENARIO_NOOP,		/* MI_NOOPs that take time */
	SCENARIO_WALKER,	/* GPGPU_WALKERs, preemptible inside */
	SCENARIO_ENDLESS,	/* a preemptible loop, until the guest ends it */
};

/* Acts of a vGPU on itself, even with work in flight; in the order of the words. */
enum scenario_act {
	SCENARIO_NO_ACT = -1,
	SCENARIO_ENGINE_RESET,	/* GDRST, then continues */
	SCENARIO_ENGINE_STOP,	/* GDRST, continues at the next act */
	SCENARIO_DEVICE_RESET,	/* VFIO_DEVICE_RESET, as for a reboot */
	SCENARIO_CLOSE,		/* its VM is killed, and another one opens the vGPU */
};

/* One stream of workloads on one engine of a vGPU. */
struct scenario_stream {
	const char *name;
	const char *engine;	/* rcs0, bcs0, vcs0, vecs0 */
	enum scenario_arrival arrival;
	unsigned int pieces;	/* number of commands that share the execution time */
	unsigned int depth;	/* workloads in flight at most */
	uint64_t exec_ns;	/* modelled execution time of one workload */
	uint64_t think_ns;	/* closed: from completion to next submission */
	uint64_t period_ns;	/* periodic, poisson */
	uint64_t count;		/* workloads in all, 0 = until the end */
	uint64_t seed;		/* poisson */
	unsigned int burst;	/* closed: workloads between two thinks */
	uint64_t start_ns;	/* after the start of the run */
	enum scenario_command command;
	unsigned int mbps;	/* memory bandwidth when alone; 0: none */
	unsigned int bound_percent;	/* part of the time that waits for memory */
	bool arbitration_off;	/* in the ring around each workload, as in a Linux guest */
	uint64_t hang_at;	/* this workload (1, 2, ...) hangs, 0 = none */
	int line;		/* where the section ends, for messages */
};

/* A value for one file in sysfs. */
struct scenario_setting {
	const char *path;	/* relative, see scenario and vGPU */
	const char *value;
};

/* A vGPU type of the kernel (intel_vgpu_configs in gvt/vgpu.c). */
struct scenario_vgpu_type {
	const char *name;	/* V5_8 */
	unsigned int low_mb;	/* share of the aperture */
	unsigned int high_mb;	/* share of the hidden graphics memory */
	unsigned int weight;
};

struct scenario_vgpu {
	const char *name;
	const struct scenario_vgpu_type *type;
	bool guest;		/* a real guest VM, else played by rig-load */
	enum scenario_act act;
	uint64_t act_every_ns;	/* 0: no act */
	uint64_t acthd_every_ns;	/* how often it reads its engines' ACTHD; 0: never */
	unsigned int guest_memory_mb;
	const char *command;	/* runs in the guest beside its streams, or NULL */
	size_t n_streams, n_settings;
	struct scenario_stream *streams;
	struct scenario_setting *settings;	/* below the mdev's directory */
	int line;
};

struct scenario {
	char *name;		/* file name without directory and .conf */
	const char *file;
	const char *description, *source;
	unsigned int aperture_mb, memory_mb, cpus, icount_shift;
	uint64_t warmup_ns, duration_ns;
	size_t n_events, n_settings, n_gpu, n_vgpus;
	const char **events;			/* system:name, * allowed */
	struct scenario_setting *settings;	/* below the GPU's PCI device */
	struct scenario_setting *gpu;		/* properties of the emulated GPU */
	struct scenario_vgpu *vgpus;
	struct scenario_vgpu host;		/* only its name, streams and line */
	void *config;		/* owns the strings */
};

/**
 * scenario_load - read and check a scenario file
 * @file: path of the file
 * @errors: receives one line with file, line, word and remedy if the scenario is invalid
 *
 * Not thread-safe (libconfuse error callbacks carry no context).
 *
 * Returns: the scenario, to be freed by scenario_free(), or NULL on error.
 */
struct scenario *scenario_load(const char *file, FILE *errors);

void scenario_free(struct scenario *s);

/**
 * scenario_vgpu_find - look a vGPU up by name
 *
 * Returns: the vGPU, owned by @s, or NULL.
 */
const struct scenario_vgpu *scenario_vgpu_find(const struct scenario *s, const char *name);

/* scenario_act_name - the word for an act; static */
const char *scenario_act_name(enum scenario_act act);

/**
 * scenario_vgpu_type_find - look a vGPU type up by name ("V5_8")
 *
 * Returns: the type (static), or NULL.
 */
const struct scenario_vgpu_type *scenario_vgpu_type_find(const char *name);

#endif
