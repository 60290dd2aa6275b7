// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include <glib.h>

#include "settings.h"
#include "util.h"

#define IS_TEXT_NUMBER	false
#define IS_TEXT_TEXT	true
#define GPU_SETTING(type, member, file, range, help) \
	{ file, IS_TEXT_##type, offsetof(struct sched_info, member), NULL, range, help },
#define VGPU_SETTING(member, title, range, help) \
	{ #member, false, offsetof(struct vgpu_settings, member), title, range, help },

const struct setting_desc settings_of_gpus[] = {
	SCHED_SETTINGS(GPU_SETTING)
	{ 0 }
};

const struct setting_desc settings_of_vgpus[] = {
	VGPU_SETTINGS(VGPU_SETTING)
	{ 0 }
};

static char *value_text(const struct sched_info *info, const struct setting_desc *desc)
{
	const void *value = (const char *)info + desc->offset;
	/* the event has ns, the file ms */
	int64_t unit = g_str_has_suffix(desc->name, "_ms") ? NSEC_PER_MSEC : 1;
	const char *text;
	int64_t number;

	if (desc->is_text) {
		text = *(const char *const *)value;
		return text && *text ? g_strdup(text) : NULL;
	}
	number = *(const int64_t *)value;
	/* the range begins with the minimum */
	if (!known(number) || (!number && g_ascii_strtoll(desc->range, NULL, 10) > 0))
		return NULL;
	return g_strdup_printf("%" PRId64, number / unit);
}

char *sched_setting(const struct sched_info *info, const char *name)
{
	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++)
		if (!strcmp(desc->name, name))
			return value_text(info, desc);
	return NULL;
}

int64_t *vgpu_setting(struct vgpu_settings *set, const struct setting_desc *desc)
{
	return (int64_t *)((char *)set + desc->offset);
}

#define INFO_MEMBER(type, member, ...) \
	{ #member, IS_TEXT_##type, offsetof(struct sched_info, member) },

const struct told_desc sched_info_members[] = {
	SCHED_INFO(INFO_MEMBER)
	{ 0 }
};

#define UNKNOWN_NUMBER	UNKNOWN
#define UNKNOWN_TEXT	NULL
#define UNKNOWN_INFO(type, member, ...)	.member = UNKNOWN_##type,
#define UNKNOWN_SETTING(member, ...)	.member = UNKNOWN,

const struct sched_info sched_info_unknown = { .dev = UNKNOWN, SCHED_INFO(UNKNOWN_INFO) };
const struct vgpu_settings vgpu_settings_unknown = { VGPU_SETTINGS(UNKNOWN_SETTING) };
