/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be done about a finding: settings and their values, for a tool that tries
 * them in a simulation, and the words for people.
 */
#ifndef GVTTRACE_REMEDY_H
#define GVTTRACE_REMEDY_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "model/model.h"

/* a setting and its new value */
struct remedy_setting {
	const char *name;		/* of the file in sysfs, such as "policy" */
	char value[24];			/* as it is written there */
};

/* to be set together */
#define REMEDY_SETTINGS		6

/* one advice */
struct remedy {
	int id;				/* for remedy_name() and remedy_text() */
	int64_t dev;			/* UNKNOWN: it is not about a GPU */
	bool name_gpu;			/* in the command: there are several */
	const struct vgpu *vgpu;	/* whose settings; NULL: the GPU's */
	unsigned int count;		/* of settings; 0: it is no setting */
	struct remedy_setting settings[REMEDY_SETTINGS];
};

/**
 * remedy_tried - settings that no rule proposes, and a simulation does
 * @policy, @dispatch: NULL: it stays
 */
struct remedy remedy_tried(int64_t dev, bool name_gpu, const char *policy, const char *dispatch);

/**
 * remedy_set - one more setting; @value is copied
 */
void remedy_set(struct remedy *remedy, const char *name, const char *value);

/**
 * remedy_set_number - the same for a number
 */
void remedy_set_number(struct remedy *remedy, const char *name, int64_t value);

/**
 * remedy_name - the name of a remedy, for programs
 */
const char *remedy_name(const struct remedy *remedy);

/**
 * remedy_command - the command that sets it, NULL if it is no setting; the caller frees
 */
char *remedy_command(const struct remedy *remedy);

/**
 * remedy_file - the file of one of its settings; the caller frees
 *
 * Without its UUID, a vGPU's directory is not known.
 */
char *remedy_file(const struct remedy *remedy, const struct remedy_setting *setting);

/**
 * remedy_text - what to do, why, and by which command; the caller frees
 */
char *remedy_text(const struct remedy *remedy);

/**
 * remedies_text - of all in the array, separated by semicolons; the caller frees
 */
char *remedies_text(const GArray *remedies);

#endif
