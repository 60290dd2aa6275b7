/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes marks about the recording's host into the trace; trace/recorded.h describes the marks.
 */
#ifndef GVT_STAT_METADATA_H
#define GVT_STAT_METADATA_H

#include <stdint.h>

#include "host/sysfs.h"

struct metadata {
	const char *kernel;
	const char *preset;
	const char *clock;
	const char *command;		/* NULL: none */
	int64_t tsc_khz;		/* 0: the clock is in ns, or its rate is unknown */
	const struct sysfs *host;
};

/**
 * metadata_system - the system's name and version, for @kernel; the caller frees
 */
char *metadata_system(void);

/**
 * metadata_write - call @write with every mark, also the boot id and the wall-clock time
 */
void metadata_write(const struct metadata *metadata,
		    void (*write)(void *ctx, const char *mark), void *ctx);

#endif
