/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data on the host where a trace was recorded: marks in the trace, one
 * "gvt-stat-meta KEY VALUE" each, that every reader shows as text.
 *
 *   kernel TEXT                    uname; its second word names the host
 *   boot ID                        of the kernel's run, as in /proc/sys/kernel/random/boot_id
 *   unix_ns N                      the wall clock when the mark was written
 *   preset NAME, clock NAME, command TEXT
 *   tsc_khz N                      rate of the clock x86-tsc
 *   gt_requests N                  the memory controller's count, 32 bits wide, of the GPU's
 *                                  64-byte requests
 *   setting GPU NAME VALUE         a setting of the scheduler
 *   trigger TEXT                   why a flight recorder has kept it; readers show the mark alone
 *   vgpu UUID KEY=VALUE...         id, gpu, type, weight, its settings, pid, vm
 */
#ifndef GVTTRACE_RECORDED_H
#define GVTTRACE_RECORDED_H

#include <stdint.h>

#include <glib.h>

#include "settings.h"

#define RECORDED_PREFIX		"gvt-stat-meta "

/* the content of a trace's marks; strings are NULL if missing */
struct recorded {
	char *kernel, *boot;
	char *preset;
	char *clock;
	char *command;
	int64_t tsc_khz;		/* 0: unknown */
	int64_t zero_unix_ns;		/* wall clock at time 0 of the trace, since 1970; or UNKNOWN */
	int64_t gt_requests;		/* last recorded count, or UNKNOWN */
	int64_t gt_bytes;		/* bytes from the first count to the last, or UNKNOWN */
	GPtrArray *settings;		/* struct recorded_setting */
	GPtrArray *vgpus;		/* struct recorded_vgpu */
};

/* a GPU's setting, as read from its file */
struct recorded_setting {
	char *gpu;			/* address */
	char *name;
	char *value;
};

/* a vGPU; missing data is NULL or UNKNOWN */
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
 * recorded_vgpu - the recorded data of the vGPU with this UUID, or NULL
 * @uuid: NULL: the result is NULL
 */
const struct recorded_vgpu *recorded_vgpu(const struct recorded *recorded, const char *uuid);

#endif
