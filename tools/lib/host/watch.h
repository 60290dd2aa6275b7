/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The GPUs and vGPUs of a host for who looks again and again: names of VMs are kept, as finding
 * them means looking at every process.
 */
#ifndef GVTTRACE_WATCH_H
#define GVTTRACE_WATCH_H

#include <stdint.h>

#include "sysfs.h"

/* all members are NULL or 0 at first, apart from @sysroot */
struct watch {
	const char *sysroot;		/* directory with sys and proc; "" for the running system */
	struct sysfs *sysfs;		/* as of the last scan, with names of VMs; vGPUs have an id */
	int64_t named_ns;		/* when all processes were last looked at */
};

/**
 * watch_scan - look again; what was there before is freed
 */
void watch_scan(struct watch *watch);

/**
 * watch_clear - free what it holds
 */
void watch_clear(struct watch *watch);

#endif
