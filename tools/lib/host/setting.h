/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings of GVT-g's scheduler: the files in a GPU's gvt_sched directory, and the files of a
 * vGPU that trace/settings.h names.
 */
#ifndef GVTTRACE_SETTING_H
#define GVTTRACE_SETTING_H

#include <stdbool.h>

#include <glib.h>

#include "trace/settings.h"

/* a file of a directory of settings */
struct setting {
	char *name;
	char *value;			/* the active word of a choice; NULL: unreadable */
	char **choices;			/* ends with NULL; NULL: a number */
	const char *range;		/* valid values; NULL: unknown setting */
	bool is_text;			/* a word; the kernel may know further ones */
	const char *meaning;		/* NULL: unknown setting */
};

/**
 * settings_of_gpu - all files in a gvt_sched directory
 *
 * In the order of the documentation, then unknown ones by name. Returns an owning array of struct
 * setting.
 */
GPtrArray *settings_of_gpu(const char *dir);

/**
 * settings_of_vgpu - the settings among a vGPU's files
 */
GPtrArray *settings_of_vgpu(const char *dir);

/**
 * setting_find - the setting with this name; NULL: none
 */
const struct setting *setting_find(const GPtrArray *settings, const char *name);

/**
 * setting_allows - may @value be a value of the setting?
 *
 * A word must be one of the choices, a number must be an integer. The kernel checks the range.
 */
bool setting_allows(const struct setting *setting, const char *value);

/**
 * setting_allowed - valid values, for messages; the caller frees
 */
char *setting_allowed(const struct setting *setting);

/**
 * setting_desc_find - a setting by its name; NULL: none
 * @settings: settings_of_gpus or settings_of_vgpus
 */
const struct setting_desc *setting_desc_find(const struct setting_desc *settings, const char *name);

/**
 * setting_desc_allows - does the driver of this version accept the value?
 */
bool setting_desc_allows(const struct setting_desc *desc, const char *value);

#endif
