/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions on which a flight recording is kept, such as "p99:desktop>50ms": figures of the
 * driver's counters between two samples, with a limit.
 */
#ifndef GVT_STAT_CAUSE_H
#define GVT_STAT_CAUSE_H

#include <stdbool.h>

#include <glib.h>

#include "counts.h"

struct cause_kind;

struct cause {
	const struct cause_kind *kind;
	char *text;			/* as the user wrote it */
	char *vgpu;			/* id, UUID or name of the VM; NULL: all */
	double limit;			/* ns or per cent */
	bool holds;			/* did at the last cause_fires() */
};

/**
 * cause_parse - parse what the user wrote; cause_free() frees
 * @why: set to what is wrong with it, and what is right, if NULL is returned; the caller frees
 */
struct cause *cause_parse(const char *text, char **why);
void cause_free(void *cause);

/**
 * cause_needs - the parts of samples that it is about, of enum counts_part
 */
unsigned int cause_needs(const struct cause *cause);

/**
 * cause_has_vgpu - is the vGPU or VM that it is about among them? True if it is about all
 * @vgpus: of struct sysfs_vgpu
 */
bool cause_has_vgpu(const struct cause *cause, const GPtrArray *vgpus);

/**
 * cause_fires - does it hold, and did not before?
 * @samples: struct counts, the oldest first, the last one is new
 * @whole: they cover the time to look back; before, conditions on it do not fire
 * @told: set to what was seen, if it fires; the caller frees
 */
bool cause_fires(struct cause *cause, GQueue *samples, bool whole, char **told);

/**
 * cause_note - what a user may not expect of it, or NULL; the caller frees
 */
char *cause_note(const struct cause *cause);

#endif
