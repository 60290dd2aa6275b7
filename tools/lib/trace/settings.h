/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings of GVT-g's scheduler, each defined once. These two tables generate the
 * members of struct sched_info and struct vgpu_settings, the fields that are read of
 * gvt_sched_info, what 'policy' knows, shows and lists (and completion asks it for),
 * the columns of 'report', the settings that 'compare' compares, and what 'record'
 * writes and its readers show.
 *
 * To add a setting: a row here, and one in gvt-stat-policy.1. If gvt_sched_info carries
 * it, its field in tools/traceevent/formats and a row in plugin_gvt.c, too.
 */
#ifndef GVTTRACE_SETTINGS_H
#define GVTTRACE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * SCHED_SETTINGS - settings of a GPU, as in gvt_sched_info
 *
 * X(TYPE, MEMBER, FILE, RANGE, HELP): TYPE is NUMBER or TEXT, MEMBER the event's field;
 * FILE is the name in the directory gvt_sched, and in gvt_sched_setting.
 */
#define SCHED_SETTINGS(X)							\
	X(TEXT, policy, "policy", "strict, work-conserving, fair", "who runs next") \
	X(TEXT, dispatch, "dispatch", "exclusive, per-engine, preemptive",	\
	  "who may use the engines at the same time")				\
	X(NUMBER, carry_over, "carry_over", "0, 1",				\
	  "carry debt and leftover from period to period")			\
	X(NUMBER, leftover_max_ns, "leftover_max_ms", "0..1000",		\
	  "limit of the leftover that is carried over")				\
	X(NUMBER, period_ns, "period_ms", "10..1000",				\
	  "period in which slices are distributed")				\
	X(NUMBER, boost_ns, "boost_ms", "0..10000",				\
	  "how long a starting vGPU goes first")				\
	X(NUMBER, max_wait_ns, "max_wait_ms", "100..1900",			\
	  "fair: a vGPU that has waited this long goes next")				\
	X(NUMBER, anticipation_ns, "anticipation_ms", "0..100",			\
	  "fair: how long the GPU may idle for a vGPU that is owed time")	\
	X(NUMBER, host_first, "host_first", "0, 1", "the host's own work goes before that of vGPUs")

/* and the other fields of gvt_sched_info */
#define SCHED_INFO(X)								\
	SCHED_SETTINGS(X)							\
	X(NUMBER, vgpus)							\
	X(NUMBER, tick_ns)							\
	X(NUMBER, stages)

/*
 * VGPU_SETTINGS - settings of one vGPU
 *
 * X(MEMBER, TITLE, RANGE, HELP): MEMBER is also the name of the file; TITLE heads
 * its column.
 */
#define VGPU_SETTINGS(X)							\
	X(nice, "NICE", "-20..19", "each step up divides the weight by 1.25")	\
	X(cap, "CAP%", "0..100", "maximum share of the GPU in per cent, 0: no cap")	\
	X(preempt, "PREEMPT", "0, 1",						\
	  "preemptive dispatch: its workloads may be preempted")	\
	X(arbitration, "ARBITRATION", "0, 1",					\
	  "preemptive dispatch: keep arbitration on where the guest turns it off")

/* types of members of the two structs below */
#define SETTING_TYPE_NUMBER	int64_t
#define SETTING_TYPE_TEXT	const char *
/* a row of SCHED_INFO as a member */
#define SCHED_INFO_MEMBER(type, member, ...)	SETTING_TYPE_##type member;
/* a row of VGPU_SETTINGS as a member */
#define VGPU_SETTINGS_MEMBER(member, ...)	int64_t member;

/**
 * struct sched_info - the known settings of a GPU's scheduler; else UNKNOWN and NULL
 * @dev: the GPU
 */
struct sched_info {
	int64_t dev;
	SCHED_INFO(SCHED_INFO_MEMBER)	/* every @stages periods, slices are reset */
};

/**
 * struct vgpu_settings - the known settings of a vGPU; else UNKNOWN
 */
struct vgpu_settings {
	VGPU_SETTINGS(VGPU_SETTINGS_MEMBER)
};

/**
 * struct setting_desc - a setting
 * @name: of its file
 * @is_text: its value is a const char *, else an int64_t
 * @offset: of its value, in struct sched_info or struct vgpu_settings
 * @title: heads its column in tables; NULL for a GPU's setting
 * @range: valid values; for a text, the known words, separated by ", "
 * @help: short description
 */
struct setting_desc {
	const char *name;
	bool is_text;
	size_t offset;
	const char *title;
	const char *range;
	const char *help;
};

/* both end with an entry without name */
extern const struct setting_desc settings_of_gpus[];
extern const struct setting_desc settings_of_vgpus[];

/**
 * sched_setting - the value of a setting, as in its file
 * @info: the known settings
 * @name: of the file
 *
 * Returns NULL if unknown, 0 where 0 is no valid value, or not a setting; the caller frees.
 */
char *sched_setting(const struct sched_info *info, const char *name);

/**
 * vgpu_setting - pointer to the value of one of settings_of_vgpus
 */
int64_t *vgpu_setting(struct vgpu_settings *set, const struct setting_desc *desc);

/**
 * struct told_desc - a member of struct sched_info that gvt_sched_info carries
 * @name: of the event's field
 * @is_text: const char *, else int64_t
 * @offset: in struct sched_info
 */
struct told_desc {
	const char *name;
	bool is_text;
	size_t offset;
};

/* all members but @dev; ends with an entry without name */
extern const struct told_desc sched_info_members[];

/* all members unknown */
extern const struct sched_info sched_info_unknown;
extern const struct vgpu_settings vgpu_settings_unknown;

#endif
