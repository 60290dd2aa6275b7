// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/column.h"
#include "report.h"

#define ENGINE_COLUMN(type, member) \
	{ #member, COLUMN_##type, offsetof(struct report_engine, member) }
#define VGPU_COLUMN(type, member) \
	{ #member, COLUMN_##type, offsetof(struct report_vgpu, member) }
#define GPU_COLUMN(type, member) \
	{ #member, COLUMN_##type, offsetof(struct report_gpu, member) }
#define VGPU_SETTING_COLUMN(member, ...) \
	{ #member, COLUMN_INTEGER, offsetof(struct report_vgpu, set.member) },
#define COLUMN_NUMBER	COLUMN_INTEGER
#define SCHED_COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct report_gpu, sched.member) },
#define ENDED_COLUMN(reason, name) \
	{ "slices_ended_" name, COLUMN_INTEGER, offsetof(struct report_vgpu, ended[reason]) }

#define SUMMARY_COLUMN(type, key, series, member) \
	{ #series "_" key, COLUMN_##type, offsetof(struct report_engine, series.member) }
#define SUMMARY_COLUMNS(series)						\
	SUMMARY_COLUMN(INTEGER, "count", series, count),		\
	SUMMARY_COLUMN(REAL, "mean_ns", series, mean_ns),		\
	SUMMARY_COLUMN(REAL, "stderr_percent", series, stderr_percent),	\
	SUMMARY_COLUMN(REAL, "p50_ns", series, p50_ns),			\
	SUMMARY_COLUMN(REAL, "p95_ns", series, p95_ns),			\
	SUMMARY_COLUMN(REAL, "p99_ns", series, p99_ns),			\
	SUMMARY_COLUMN(INTEGER, "max_ns", series, max_ns),		\
	SUMMARY_COLUMN(INTEGER, "max_at_ns", series, max_at_ns),	\
	SUMMARY_COLUMN(INTEGER, "max_workload_id", series, max_workload_id)

#define SPLIT_COLUMN(part, name) \
	{ "split_" name "_ns", COLUMN_INTEGER, offsetof(struct report_engine, split_ns[part]) }

/* what lost events leave uncertain */
#define BOUND_COLUMNS(min_key, max_key, member)					\
	{ min_key, COLUMN_REAL, offsetof(struct report_engine, member.min) },	\
	{ max_key, COLUMN_REAL, offsetof(struct report_engine, member.max) }

const struct column report_engine_columns[] = {
	ENGINE_COLUMN(TEXT, engine),
	ENGINE_COLUMN(INTEGER, class),
	ENGINE_COLUMN(INTEGER, instance),
	ENGINE_COLUMN(REAL, utilization_percent),
	BOUND_COLUMNS("utilization_percent_min", "utilization_percent_max", utilization),
	ENGINE_COLUMN(INTEGER, exec_ns),
	BOUND_COLUMNS("exec_ns_min", "exec_ns_max", exec_bounds),
	ENGINE_COLUMN(REAL, queue_len_mean),
	BOUND_COLUMNS("queue_len_mean_min", "queue_len_mean_max", queue_len),
	ENGINE_COLUMN(INTEGER, queue_len_max),
	ENGINE_COLUMN(INTEGER, queued),
	ENGINE_COLUMN(INTEGER, completed),
	ENGINE_COLUMN(INTEGER, failed),
	ENGINE_COLUMN(INTEGER, cancelled),
	ENGINE_COLUMN(INTEGER, open),
	ENGINE_COLUMN(INTEGER, partial),
	ENGINE_COLUMN(INTEGER, tainted),
	SUMMARY_COLUMNS(wait),
	SUMMARY_COLUMNS(latency),
	SUMMARY_COLUMNS(exec),
	SUMMARY_COLUMNS(turnaround),
	ENGINE_COLUMN(INTEGER, split_count),
	ENGINE_COLUMN(INTEGER, split_total_ns),
	SPLIT_COLUMN(PART_OTHER, "other"),
	SPLIT_COLUMN(PART_THROTTLED, "throttled"),
	SPLIT_COLUMN(PART_CAPPED, "capped"),
	SPLIT_COLUMN(PART_HELD, "held"),
	SPLIT_COLUMN(PART_SWITCHING, "switching"),
	SPLIT_COLUMN(PART_OWN, "own"),
	SPLIT_COLUMN(PART_DISPATCH, "dispatch"),
	SPLIT_COLUMN(PART_I915, "i915"),
	SPLIT_COLUMN(PART_EXEC, "exec"),
	SPLIT_COLUMN(PART_PREEMPTED, "preempted"),
	SPLIT_COLUMN(PART_COMPLETION, "completion"),
	SPLIT_COLUMN(PART_UNKNOWN, "unknown"),
	{ 0 }
};

const struct column report_vgpu_columns[] = {
	VGPU_COLUMN(INTEGER, dev),
	VGPU_COLUMN(INTEGER, vgpu_id),
	VGPU_COLUMN(TEXT, uuid),
	VGPU_COLUMN(TEXT, type),
	VGPU_COLUMN(INTEGER, weight),
	VGPU_COLUMN(INTEGER, fences),
	VGPU_COLUMN(INTEGER, owner_pid),
	VGPU_COLUMN(FLAG, id_reused),
	{ "vgpu_exec_ns", COLUMN_INTEGER, offsetof(struct report_vgpu, exec_ns) },
	VGPU_COLUMN(REAL, exec_share_percent),
	{ "exec_share_percent_min", COLUMN_REAL, offsetof(struct report_vgpu, exec_share.min) },
	{ "exec_share_percent_max", COLUMN_REAL, offsetof(struct report_vgpu, exec_share.max) },
	VGPU_COLUMN(REAL, weight_share_percent),
	VGPU_COLUMN(INTEGER, slices),
	VGPU_COLUMN(REAL, slice_mean_ns),
	VGPU_COLUMN(INTEGER, scheduled_ns),
	VGPU_COLUMN(REAL, scheduled_percent),
	VGPU_COLUMN(REAL, drain_mean_ns),
	VGPU_COLUMN(INTEGER, left_min_ns),
	ENDED_COLUMN(SWITCH_IDLE, "idle"),
	ENDED_COLUMN(SWITCH_TURN, "turn"),
	ENDED_COLUMN(SWITCH_SLICE, "slice"),
	ENDED_COLUMN(SWITCH_BOOST, "boost"),
	ENDED_COLUMN(SWITCH_STOP, "stop"),
	ENDED_COLUMN(SWITCH_OWED, "owed"),
	ENDED_COLUMN(SWITCH_BORROW, "borrow"),
	ENDED_COLUMN(SWITCH_OVERDUE, "overdue"),
	VGPU_COLUMN(INTEGER, aperture_bytes),
	VGPU_COLUMN(INTEGER, hidden_bytes),
	VGPU_COLUMN(INTEGER, spt_allocated),
	VGPU_COLUMN(INTEGER, spt_freed),
	VGPU_COLUMN(INTEGER, spt_bytes_min),
	VGPU_COLUMN(INTEGER, spt_peak_bytes_min),
	VGPU_COLUMN(TEXT, vm),
	VGPU_SETTINGS(VGPU_SETTING_COLUMN)
	{ 0 }
};

/* without the GPU's number, which CSV has in the columns of vGPUs already */
const struct column report_gpu_columns[] = {
	SCHED_SETTINGS(SCHED_COLUMN)
	SCHED_COLUMN(NUMBER, tick_ns)
	SCHED_COLUMN(NUMBER, stages)
	GPU_COLUMN(INTEGER, idle_ns),
	GPU_COLUMN(INTEGER, gem_created),
	GPU_COLUMN(INTEGER, gem_created_bytes),
	GPU_COLUMN(INTEGER, gem_destroyed),
	GPU_COLUMN(INTEGER, gem_bytes_min),
	GPU_COLUMN(INTEGER, gem_peak_bytes_min),
	{ 0 }
};
