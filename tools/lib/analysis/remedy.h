/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remedies of findings: settings with values, which a tool can try in a simulation, and
 * texts for users.
 */
#ifndef GVTTRACE_REMEDY_H
#define GVTTRACE_REMEDY_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "model/model.h"

/* a setting and its new value */
struct remedy_setting {
	const char *name;		/* file in sysfs, such as "policy" */
	char value[24];			/* as written to the file */
};

/* maximum number of settings in a remedy */
#define REMEDY_SETTINGS		6

/* one remedy */
struct remedy {
	int id;				/* for remedy_name() and remedy_text() */
	int64_t dev;			/* UNKNOWN: not specific to a GPU */
	bool name_gpu;			/* name the GPU in the command: there are several */
	const struct vgpu *vgpu;	/* owner of the settings; NULL: the GPU */
	bool perhaps;			/* as simulated, it helps in the likeliest case only */
	unsigned int count;		/* number of settings; 0: advice only */
	struct remedy_setting settings[REMEDY_SETTINGS];
};

/**
 * remedy_tried - settings that no rule proposes, but a simulation tries
 * @policy, @dispatch: NULL: unchanged
 */
struct remedy remedy_tried(int64_t dev, bool name_gpu, const char *policy, const char *dispatch);

/**
 * remedy_set - add a setting; @value is copied
 */
void remedy_set(struct remedy *remedy, const char *name, const char *value);

/**
 * remedy_set_number - add a numeric setting
 */
void remedy_set_number(struct remedy *remedy, const char *name, int64_t value);

/**
 * remedy_name - the name of a remedy, for programs
 */
const char *remedy_name(const struct remedy *remedy);

/**
 * remedy_command - the command that applies it, NULL if advice only; the caller frees
 */
char *remedy_command(const struct remedy *remedy);

/**
 * remedy_file - path of a setting's file; the caller frees
 *
 * A vGPU's directory is unknown without its UUID.
 */
char *remedy_file(const struct remedy *remedy, const struct remedy_setting *setting);

/**
 * remedy_text - the action, its reason and its command; the caller frees
 */
char *remedy_text(const struct remedy *remedy);

/**
 * remedies_text - texts of all in the array, separated by semicolons; the caller frees
 */
char *remedies_text(const GArray *remedies);

#endif
