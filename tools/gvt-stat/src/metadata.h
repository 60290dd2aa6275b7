/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace should tell of the host it was recorded on: marks in the trace,
 * one "gvt-stat-meta KEY VALUE" each, that every reader shows as text.
 *
 *   kernel TEXT                    uname
 *   preset NAME, clock NAME, command TEXT
 *   setting GPU NAME VALUE         a setting of the scheduler
 *   vgpu UUID KEY=VALUE...         id, gpu, type, weight, its settings, pid, vm
 */
#ifndef GVT_STAT_METADATA_H
#define GVT_STAT_METADATA_H

#include "sysfs.h"

#define METADATA_PREFIX		"gvt-stat-meta "

struct metadata {
	const char *kernel;
	const char *preset;
	const char *clock;
	const char *command;		/* NULL: none was run */
	const struct sysfs *host;
};

/**
 * metadata_write - call @write with every mark
 */
void metadata_write(const struct metadata *metadata,
		    void (*write)(void *ctx, const char *mark), void *ctx);

#endif
