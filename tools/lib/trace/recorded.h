/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace should tell of the host it was recorded on: marks in the trace,
 * one "gvt-stat-meta KEY VALUE" each, that every reader shows as text.
 *
 *   kernel TEXT                    uname
 *   preset NAME, clock NAME, command TEXT
 *   tsc_khz N                      rate of the clock x86-tsc
 *   gt_requests N                  the memory controller's counter of the GPU's requests of
 *                                  64 bytes, of 32 bits
 *   setting GPU NAME VALUE         a setting of the scheduler
 *   vgpu UUID KEY=VALUE...         id, gpu, type, weight, its settings, pid, vm
 */
#ifndef GVTTRACE_RECORDED_H
#define GVTTRACE_RECORDED_H

#include <stdint.h>

#include <glib.h>

#include "settings.h"

#define RECORDED_PREFIX		"gvt-stat-meta "

/* what the marks of a trace told; texts are NULL when they did not */
struct recorded {
	char *kernel;
	char *preset;
	char *clock;
	char *command;
	int64_t tsc_khz;		/* 0: not told */
	int64_t gt_requests;		/* the last one told, or UNKNOWN */
	int64_t gt_bytes;		/* from the first of these to that, or UNKNOWN */
	GPtrArray *settings;		/* struct recorded_setting */
	GPtrArray *vgpus;		/* struct recorded_vgpu */
};

/* a setting of a GPU, as its file read */
struct recorded_setting {
	char *gpu;			/* address */
	char *name;
	char *value;
};

/* what is not told is NULL or UNKNOWN */
struct recorded_vgpu {
	char *uuid;
	char *gpu;
	char *type;
	char *vm;			/* name of its VM */
	int64_t id;
	int64_t pid;			/* of the VM's process */
	int64_t weight;
	struct vgpu_settings set;
};

/**
 * recorded_vgpu - what was told of the vGPU with this UUID, or NULL
 * @uuid: NULL: the answer is NULL
 */
const struct recorded_vgpu *recorded_vgpu(const struct recorded *recorded, const char *uuid);

#endif
