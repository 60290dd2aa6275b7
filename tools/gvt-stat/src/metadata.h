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

#include <glib.h>

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

/* what the marks of a trace told; texts are NULL when they did not */
struct recorded {
	char *kernel;
	char *preset;
	char *command;
	GHashTable *vms;		/* process id (int64_t) -> name of its VM */
};

struct recorded *recorded_new(void);
void recorded_free(struct recorded *recorded);

/**
 * recorded_mark - take a mark of the trace; others than ours are ignored
 * @text: of the event ftrace:print; NULL: unreadable
 */
void recorded_mark(struct recorded *recorded, const char *text);

/**
 * recorded_vm - name of the VM of a process, NULL if it was not told
 */
const char *recorded_vm(const struct recorded *recorded, int64_t pid);

#endif
