/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings of GVT-g's scheduler: the files of gvt_sched of a GPU, and
 * those of a vGPU that trace/settings.h names.
 */
#ifndef GVT_STAT_SETTING_H
#define GVT_STAT_SETTING_H

#include <stdbool.h>

#include <glib.h>

#include "trace/settings.h"

struct setting {
	char *name;
	char *value;			/* of those that are a choice, the active word; NULL: unreadable */
	char **choices;			/* ends with NULL; NULL: a number */
	const char *range;		/* what is allowed; NULL: not known to this program */
	bool is_text;			/* it is a word, which the kernel may know more of */
	const char *meaning;		/* NULL: not known to this program */
};

/**
 * settings_of_gpu - every file in a directory gvt_sched
 *
 * In the order of the documentation, then others by name. Returns an array of
 * struct setting that frees them.
 */
GPtrArray *settings_of_gpu(const char *dir);

/**
 * settings_of_vgpu - the settings among a vGPU's files that this kernel has
 */
GPtrArray *settings_of_vgpu(const char *dir);

/**
 * setting_find - the one of that name, NULL if there is none
 */
const struct setting *setting_find(const GPtrArray *settings, const char *name);

/**
 * setting_allows - could @value be a value of the setting?
 *
 * A word must be one of the choices, a number whole. Whether it is in range is
 * the kernel's to say.
 */
bool setting_allows(const struct setting *setting, const char *value);

/**
 * setting_allowed - what may be written, for messages; the caller frees
 */
char *setting_allowed(const struct setting *setting);

/**
 * setting_desc_find - a setting by its name; NULL: there is none
 * @settings: settings_of_gpus or settings_of_vgpus
 */
const struct setting_desc *setting_desc_find(const struct setting_desc *settings, const char *name);

/**
 * setting_desc_allows - may the driver of this version be given this value?
 */
bool setting_desc_allows(const struct setting_desc *desc, const char *value);

#endif
