// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The row of a vGPU: its columns and their values.
 */
#include "analysis/waterfill.h"
#include "report-build.h"

#define VGPU_COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct report_vgpu, member), ##__VA_ARGS__ }
#define VGPU_MIN_MAX(key, member) \
	{ key "_min", COLUMN_REAL, offsetof(struct report_vgpu, member.min) }, \
	{ key "_max", COLUMN_REAL, offsetof(struct report_vgpu, member.max) }
/* last columns of the table of slices, if there is room */
#define VGPU_SETTING_COLUMN(member, title, ...) \
	{ #member, COLUMN_INTEGER, offsetof(struct report_vgpu, set.member), SLICES(9 + \
	  (offsetof(struct report_vgpu, set.member) - offsetof(struct report_vgpu, set)) / sizeof(int64_t), \
	  title), .spare = true },
#define ENDED_COLUMN(reason, name) \
	{ "slices_ended_" name, COLUMN_INTEGER, offsetof(struct report_vgpu, ended[reason]) }

/* place and title of a column in the tables of slices and of memory */
#define SLICES(place, title)		title, UNIT_PLAIN, REPORT_SLICES, place
#define SLICES_MS(place, title)		title, UNIT_MS, REPORT_SLICES, place
#define MEMORY(place, title, unit)	title, UNIT_##unit, REPORT_MEMORY, place

const struct column report_vgpu_columns[] = {
	VGPU_COLUMN(INTEGER, dev),
	VGPU_COLUMN(INTEGER, vgpu_id),
	VGPU_COLUMN(TEXT, uuid, MEMORY(8, "UUID", PLAIN)),
	VGPU_COLUMN(TEXT, type, MEMORY(1, "TYPE", PLAIN)),
	VGPU_COLUMN(INTEGER, weight, SLICES(1, "WEIGHT")),
	VGPU_COLUMN(INTEGER, fences),
	VGPU_COLUMN(INTEGER, owner_pid),
	VGPU_COLUMN(FLAG, id_reused),
	{ "vgpu_exec_ns", COLUMN_INTEGER, offsetof(struct report_vgpu, exec_ns) },
	{ "exec_share_percent", COLUMN_BOUNDS, offsetof(struct report_vgpu, exec_share), SLICES(3, "OF-ALL%") },
	VGPU_MIN_MAX("exec_share_percent", exec_share),
	VGPU_COLUMN(REAL, weight_share_percent, SLICES(2, "WEIGHT%")),
	VGPU_COLUMN(INTEGER, slices, SLICES(5, "SLICES")),
	VGPU_COLUMN(REAL, slice_mean_ns, SLICES_MS(6, "SLICE-ms")),
	VGPU_COLUMN(INTEGER, scheduled_ns),
	VGPU_MIN_MAX("scheduled_ns", scheduled),
	VGPU_COLUMN(BOUNDS, scheduled_percent, SLICES(4, "SCHED%")),
	VGPU_MIN_MAX("scheduled_percent", scheduled_percent),
	VGPU_COLUMN(REAL, drain_mean_ns, SLICES_MS(7, "DRAIN-ms")),
	VGPU_COLUMN(INTEGER, left_min_ns, SLICES_MS(8, "LEAST-LEFT-ms")),
	ENDED_COLUMN(SWITCH_IDLE, "idle"),
	ENDED_COLUMN(SWITCH_TURN, "turn"),
	ENDED_COLUMN(SWITCH_SLICE, "slice"),
	ENDED_COLUMN(SWITCH_BOOST, "boost"),
	ENDED_COLUMN(SWITCH_STOP, "stop"),
	ENDED_COLUMN(SWITCH_OWED, "owed"),
	ENDED_COLUMN(SWITCH_BORROW, "borrow"),
	ENDED_COLUMN(SWITCH_OVERDUE, "overdue"),
	VGPU_COLUMN(INTEGER, aperture_bytes, MEMORY(2, "APERTURE-MiB", MIB)),
	VGPU_COLUMN(INTEGER, hidden_bytes, MEMORY(3, "HIDDEN-MiB", MIB)),
	VGPU_COLUMN(INTEGER, spt_allocated, MEMORY(4, "SPT-ALLOC", PLAIN)),
	VGPU_COLUMN(INTEGER, spt_freed, MEMORY(5, "SPT-FREE", PLAIN)),
	VGPU_COLUMN(INTEGER, spt_bytes_min, MEMORY(6, "SPT-KiB", KIB)),
	VGPU_COLUMN(INTEGER, spt_peak_bytes_min, MEMORY(7, "SPT-PEAK-KiB", KIB)),
	VGPU_COLUMN(TEXT, vm),
	VGPU_SETTINGS(VGPU_SETTING_COLUMN)
	{ 0 }
};

static double mean(int64_t sum, int64_t count)
{
	return count ? (double)sum / count : NAN;
}

static GPtrArray *vgpu_engines(const struct report_source *source, const struct vgpu *vgpu)
{
	const GPtrArray *queues = model_vgpu_engines(source->follow->model);
	GPtrArray *engines = g_ptr_array_new_with_free_func(g_free);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu == vgpu && selection_engine(source->follow->selection, queue->engine))
			g_ptr_array_add(engines,
					report_build_engine(source, queue->engine,
						   metrics_of_vgpu_engine(source->metrics, nr)));
	}
	g_ptr_array_sort(engines, report_compare_engines);
	return engines;
}

/*
 * The share of a vGPU in per cent while all vGPUs of its GPU are backlogged: by weight, nice and
 * cap. NAN if any weight is unknown.
 */
static double entitlement(const struct model *model, const struct vgpu *of)
{
	GArray *claims = g_array_new(FALSE, FALSE, sizeof(struct claim));
	const GPtrArray *vgpus = model_vgpus(model);
	unsigned int place = 0;
	double due = 0;

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];
		struct claim claim = {
			.want = known(vgpu->set.cap) && vgpu->set.cap > 0 ? vgpu->set.cap : 100,
			.weight = waterfill_weight(vgpu->weight, vgpu->set.nice),
		};

		if (vgpu == of)
			place = claims->len;
		if (vgpu->dev == of->dev)
			g_array_append_val(claims, claim);
		if (vgpu->dev == of->dev && !(claim.weight > 0))
			due = NAN;
	}
	if (!isnan(due)) {
		waterfill((struct claim *)claims->data, claims->len, 100);
		due = g_array_index(claims, struct claim, place).due;
	}
	g_array_free(claims, TRUE);
	return due;
}

/* execution on all engines of the GPU: of the vGPU, or of all other vGPUs */
static struct bounds sum_of_execution(const struct report_source *source, const struct vgpu *vgpu,
				      bool others)
{
	const GPtrArray *queues = vgpu->gpu->queues;
	struct bounds sum = { 0, 0 };

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		struct bounds exec;

		if ((queue->vgpu != vgpu) != others)
			continue;
		exec = report_exec(source, metrics_of_vgpu_engine(source->metrics, queue->index),
				   queue->engine);
		sum.min += exec.min;
		sum.max += exec.max;
	}
	return sum;
}

/* Execution missing from the trace may belong to a vGPU with no recorded work on any engine. */
static struct bounds own_execution(const struct report_source *source, const struct vgpu *vgpu)
{
	struct bounds sum = sum_of_execution(source, vgpu, false);

	if (sum.max == 0 && workloads_left_out(source->follow->trace))
		sum.max = source->follow->window.to_ns - source->follow->window.from_ns;
	return sum;
}

/* Uncertain execution may belong to the vGPU, or to the others. */
static struct bounds share(struct bounds own, struct bounds others)
{
	return (struct bounds) {
		report_percent(own.min, own.min + others.max), report_percent(own.max, own.max + others.min)
	};
}

static bool all_hold(const struct report_source *source, const struct gpu *gpu)
{
	for (unsigned int nr = 0; nr < gpu->engines->len; nr++)
		if (!report_engine_holds(source, gpu->engines->pdata[nr]))
			return false;
	return true;
}

static void fill_shares(const struct report_source *source, struct report_vgpu *to,
			const struct vgpu *vgpu)
{
	static const struct bounds unknown = { NAN, NAN };
	struct bounds own = own_execution(source, vgpu);
	bool told = report_can_tell(source, QUANTITY_EXECUTION) && all_hold(source, vgpu->gpu);

	to->exec = told ? own : unknown;
	to->exec_ns = told && own.min == own.max ? (int64_t)own.min : UNKNOWN;
	to->exec_share = told ? share(own, sum_of_execution(source, vgpu, true)) : unknown;
	to->weight_share_percent = entitlement(source->follow->model, vgpu);
}

static void forget_slices(struct report_vgpu *to)
{
	static const struct bounds unknown = { NAN, NAN };

	to->slices = UNKNOWN;
	to->scheduled_ns = UNKNOWN;
	to->left_min_ns = UNKNOWN;
	to->slice_mean_ns = NAN;
	to->scheduled = to->scheduled_percent = unknown;
	to->drain_mean_ns = NAN;
	for (int reason = 0; reason < SWITCH_REASONS; reason++)
		to->ended[reason] = UNKNOWN;
}

static void fill_scheduled(const struct report_source *source, struct report_vgpu *to, int64_t ns)
{
	int64_t length = source->follow->window.to_ns - source->follow->window.from_ns;

	to->scheduled = report_scheduled(source, to->dev, ns);
	to->scheduled_ns = to->scheduled.min == to->scheduled.max ? ns : UNKNOWN;
	to->scheduled_percent = (struct bounds) {
		report_percent(to->scheduled.min, length), report_percent(to->scheduled.max, length)
	};
}

static void fill_slices(const struct report_source *source, struct report_vgpu *to,
			const struct vgpu *vgpu)
{
	static const struct slices_row none = { .left_min_ns = UNKNOWN };
	const struct slices_row *row = slices_of(source->slices, vgpu->dev, vgpu->id);

	if (!report_turns_told(source)) {
		forget_slices(to);
		return;
	}
	row = row ? row : &none;
	to->slices = row->turns;
	to->slice_mean_ns = mean(row->whole_turns_ns, row->whole_turns);
	fill_scheduled(source, to, row->scheduled_ns);
	to->drain_mean_ns = mean(row->drain_ns, row->drains);
	to->left_min_ns = row->left_min_ns;
	for (int reason = 0; reason < SWITCH_REASONS; reason++)
		to->ended[reason] = row->reasons[reason];
}

bool report_several_gpus(const struct model *model)
{
	const GPtrArray *vgpus = model_vgpus(model);

	for (unsigned int nr = 1; nr < vgpus->len; nr++)
		if (((struct vgpu *)vgpus->pdata[nr])->dev != ((struct vgpu *)vgpus->pdata[0])->dev)
			return true;
	return false;
}

/* spt_* events have no GPU, so the ids of their vGPUs are ambiguous with several GPUs */
static void fill_spt(const struct report_source *source, struct report_vgpu *to)
{
	static const struct memory_use none;
	const struct memory_use *use = memory_of_vgpu(source->memory, to->vgpu_id);
	bool told = report_can_tell(source, QUANTITY_SPT) && !report_several_gpus(source->follow->model);

	use = use ? use : &none;
	to->spt_allocated = told ? use->created : UNKNOWN;
	to->spt_freed = told ? use->destroyed : UNKNOWN;
	to->spt_bytes_min = told ? memory_alive_bytes(use) : UNKNOWN;
	to->spt_peak_bytes_min = told ? use->peak_bytes : UNKNOWN;
}

static struct report_vgpu *new_vgpu(const struct report_source *source, const struct vgpu *vgpu)
{
	struct report_vgpu *to = g_new0(struct report_vgpu, 1);

	to->dev = vgpu->dev;
	to->vgpu_id = vgpu->id;
	to->uuid = vgpu->uuid;
	to->type = vgpu->type;
	to->vm = vgpu->vm;
	to->weight = vgpu->weight;
	to->set = vgpu->set;
	to->fences = vgpu->fences;
	to->owner_pid = vgpu->owner_pid;
	to->id_reused = vgpu->reused;
	to->aperture_bytes = vgpu->aperture_bytes;
	to->hidden_bytes = vgpu->hidden_bytes;
	fill_shares(source, to, vgpu);
	fill_slices(source, to, vgpu);
	fill_spt(source, to);
	to->engines = vgpu_engines(source, vgpu);
	return to;
}

static int compare_vgpus(const void *a, const void *b)
{
	const struct report_vgpu *va = *(struct report_vgpu *const *)a;
	const struct report_vgpu *vb = *(struct report_vgpu *const *)b;

	if (va->dev != vb->dev)
		return va->dev < vb->dev ? -1 : 1;
	return (va->vgpu_id > vb->vgpu_id) - (va->vgpu_id < vb->vgpu_id);
}

static void free_vgpu(void *data)
{
	struct report_vgpu *vgpu = data;

	g_ptr_array_free(vgpu->engines, TRUE);
	g_free(vgpu);
}

/* omits a vGPU that got the number of another one only after the window */
static bool is_shown(const struct report_source *source, const struct vgpu *vgpu)
{
	return selection_vgpu(source->follow->selection, vgpu) &&
	       !(vgpu->reused && vgpu->since_ns > source->follow->window.to_ns);
}

GPtrArray *report_build_vgpus(const struct report_source *source)
{
	const GPtrArray *vgpus = model_vgpus(source->follow->model);
	GPtrArray *list = g_ptr_array_new_with_free_func(free_vgpu);

	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (is_shown(source, vgpus->pdata[nr]))
			g_ptr_array_add(list, new_vgpu(source, vgpus->pdata[nr]));
	g_ptr_array_sort(list, compare_vgpus);
	return list;
}
