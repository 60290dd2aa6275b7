// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures the data that rules need, and applies the rules.
 */
#include <math.h>
#include <stdlib.h>

#include "trace/util.h"
#include "check.h"
#include "rules.h"

#define MAX_RULES	32
/* for the time of vCPUs on CPUs, which no rule uses */
#define MAX_BLOCKS	2

/* by index of the rule; NAN: the rule's own */
static double thresholds[MAX_RULES] = { [0 ... MAX_RULES - 1] = NAN };

void check_set_threshold(const struct rule *rule, double value)
{
	thresholds[rule - rules] = value;
}

double check_threshold(const struct rule *rule)
{
	double value = thresholds[rule - rules];

	return isnan(value) ? rule->threshold : value;
}

void check_add(struct check *check, const struct finding *finding)
{
	struct finding *copy = g_new(struct finding, 1);

	*copy = *finding;
	g_ptr_array_add(check->findings, copy);
}

static void free_finding(void *data)
{
	struct finding *finding = data;

	g_free(finding->problem);
	g_free(finding->evidence);
	g_array_free(finding->remedies, TRUE);
	g_free(finding);
}

bool check_can(const struct check *check, const struct rule *rule)
{
	for (enum quantity quantity = 0; quantity < QUANTITY_COUNT; quantity++)
		if (rule->needs & QUANTITY_BIT(quantity) &&
		    !quantity_known(check->follow->trace, quantity))
			return false;
	return true;
}

/* A finding based on sums that do not hold is dropped. */
static bool holds(const struct check *check, const struct finding *finding)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);
	const struct gpu_engine *engine = finding->engine;

	if (engine && (known(contradiction_at(check->follow, SUM_EXECUTION, engine, NULL)) ||
		       known(contradiction_at(check->follow, SUM_ENGINE, engine, NULL))))
		return false;
	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu->dev == finding->dev && queue->vgpu->id == finding->vgpu_id &&
		    (!engine || queue->engine == engine) &&
		    known(contradiction_at(check->follow, SUM_WAITS, queue->engine, queue->vgpu)))
			return false;
	}
	return true;
}

/* Alone on the GPU, a workload would still wait for its vGPU's own work, and for the CPU. */
static bool is_for_others(enum latency_part part)
{
	return part == PART_OTHER || part == PART_THROTTLED || part == PART_CAPPED ||
	       part == PART_HELD || part == PART_HOST || part == PART_SWITCHING || part == PART_PREEMPTED;
}

/* A vGPU is starved if nothing of it completed and its work waited for others for this part of the time. */
#define STARVED_PART	0.5

static const enum latency_part parts_of_waits[WAIT_CLASSES] = {
	[WAIT_UNKNOWN] = PART_UNKNOWN, [WAIT_OTHER] = PART_OTHER, [WAIT_THROTTLED] = PART_THROTTLED,
	[WAIT_CAPPED] = PART_CAPPED, [WAIT_SWITCHING] = PART_SWITCHING, [WAIT_HELD] = PART_HELD,
	[WAIT_HOST] = PART_HOST, [WAIT_PREEMPTED] = PART_PREEMPTED, [WAIT_CURRENT] = PART_OWN,
};

/* on its engine where it waited longest for others */
static int64_t longest_wait_ns(const struct check *check, const struct vgpu *vgpu, enum latency_part *mostly)
{
	const GPtrArray *rows = blame_rows(check->blame);
	const struct vgpu_engine *queue = NULL;
	int64_t sum_ns = 0, most_ns = 0, largest_ns = 0;

	/* rows come by queue */
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];
		enum latency_part part = parts_of_waits[row->class];

		if (row->queue->vgpu != vgpu || !is_for_others(part) ||
		    !selection_engine(check->follow->selection, row->queue->engine))
			continue;
		sum_ns = row->queue == queue ? sum_ns + row->wait_ns : row->wait_ns;
		queue = row->queue;
		most_ns = MAX(most_ns, sum_ns);
		if (row->wait_ns > largest_ns) {
			largest_ns = row->wait_ns;
			*mostly = part;
		}
	}
	return most_ns;
}

static struct slowdown without_completions(const struct check *check, const struct vgpu *vgpu)
{
	const struct window *window = &check->follow->window;
	const GPtrArray *queues = vgpu->gpu->queues;
	struct slowdown slowdown = { vgpu, NAN, NAN, PARTS };

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu == vgpu && metrics_of_vgpu_engine(check->metrics, queue->index)->completed)
			return slowdown;
	}
	if (quantity_known(check->follow->trace, QUANTITY_BLAME) &&
	    longest_wait_ns(check, vgpu, &slowdown.mostly) >= STARVED_PART * (window->to_ns - window->from_ns) &&
	    slowdown.mostly != PARTS)
		slowdown.times = INFINITY;
	else
		slowdown.mostly = PARTS;
	return slowdown;
}

struct slowdown check_slowdown(const struct check *check, const struct vgpu *vgpu)
{
	struct slowdown slowdown = { vgpu, NAN, NAN, PARTS };
	double parts_ns[PARTS] = { 0 }, others_ns = 0, alone_ns = 0, largest_ns = 0;
	const GPtrArray *queues = vgpu->gpu->queues;
	int64_t count = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		const struct metrics_row *row = metrics_of_vgpu_engine(check->metrics, queue->index);

		if (queue->vgpu != vgpu || !selection_engine(check->follow->selection, queue->engine))
			continue;
		count += row->split_count;
		for (int part = 0; part < PARTS; part++)
			parts_ns[part] += row->split_ns[part];
	}
	for (int part = 0; part < PARTS; part++) {
		if (!is_for_others(part)) {
			alone_ns += part == PART_UNKNOWN ? 0 : parts_ns[part];
			continue;
		}
		others_ns += parts_ns[part];
		if (parts_ns[part] > largest_ns) {
			largest_ns = parts_ns[part];
			slowdown.mostly = part;
		}
	}
	if (!count || !quantity_known(check->follow->trace, QUANTITY_SPLIT))
		return without_completions(check, vgpu);
	slowdown.times = alone_ns > 0 ? (alone_ns + others_ns) / alone_ns : NAN;
	slowdown.others_ns = others_ns / count;
	return slowdown;
}

bool check_slowest(const struct check *check, struct slowdown *slowest)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);

	*slowest = (struct slowdown) { NULL, 1, NAN, PARTS };
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		struct slowdown one = check_slowdown(check, vgpus->pdata[nr]);

		if (selection_vgpu(check->follow->selection, vgpus->pdata[nr]) &&
		    one.mostly != PARTS && one.times > slowest->times)
			*slowest = one;
	}
	return slowest->vgpu;
}

/* applies --gpu, --vgpu and --engine; findings specific to none of these are always wanted */
static bool is_wanted(const struct check *check, const struct finding *finding)
{
	const struct selection *selection = check->follow->selection;
	const struct gpu *gpu = model_gpu(check->follow->model, finding->dev);
	const struct vgpu *vgpu;

	if (gpu && !selection_gpu(selection, gpu))
		return false;
	if (finding->engine && !selection_engine(selection, finding->engine))
		return false;
	if (!known(finding->vgpu_id))
		return true;
	vgpu = model_vgpu(check->follow->model, finding->dev, finding->vgpu_id);
	return !vgpu || selection_vgpu(selection, vgpu);
}

/* then in the order of rules and engines, so that equal traces give equal output */
static int compare_findings(const void *a, const void *b)
{
	const struct finding *fa = *(struct finding *const *)a;
	const struct finding *fb = *(struct finding *const *)b;

	if (fa->impact != fb->impact)
		return fa->impact > fb->impact ? -1 : 1;
	return (fa->rule > fb->rule) - (fa->rule < fb->rule);
}

/* Numbers of vGPUs, and settings, belong to one GPU. */
static void name_gpus(const GArray *remedies)
{
	for (unsigned int nr = 0; nr < remedies->len; nr++) {
		struct remedy *remedy = &g_array_index(remedies, struct remedy, nr);

		remedy->name_gpu = known(remedy->dev);
	}
}

static void apply_rules(struct check *check)
{
	bool several_gpus = model_gpus(check->follow->model)->len > 1;

	for (const struct rule *rule = rules; rule->name; rule++)
		if (check_can(check, rule))
			rule->find(check, rule);
	for (unsigned int nr = check->findings->len; nr-- > 0; )
		if (!is_wanted(check, check->findings->pdata[nr]) ||
		    !holds(check, check->findings->pdata[nr]))
			g_ptr_array_remove_index(check->findings, nr);
	for (unsigned int nr = 0; several_gpus && nr < check->findings->len; nr++)
		name_gpus(((struct finding *)check->findings->pdata[nr])->remedies);
	g_ptr_array_sort(check->findings, compare_findings);
}

/* times of uncertainty for all engines: gaps; keeps the first one inside the window */
static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	struct check *check = ctx;
	const struct window *window = &check->follow->window;

	if (engine || check->gap.from_ns < check->gap.to_ns)
		return;
	check->gap.from_ns = MAX(from_ns, window->from_ns);	/* UNKNOWN is less than any */
	check->gap.to_ns = known(to_ns) ? MIN(to_ns, window->to_ns) : window->to_ns;
}

static void follow_vcpus(struct check *check, struct follow *follow)
{
	const bool *described = follow->trace->described;

	if (!described[EVENT_TASK_SWITCH] || !described[EVENT_KVM_ENTRY])
		return;
	check->vcpus = vcpus_new(NULL);
	check->blocks = blocks_new(follow->window.from_ns, MAX_BLOCKS);
	vcpus_follow(check->vcpus, follow, check->blocks);
}

void check_begin(struct check *check, struct follow *follow, quantity_set quantities)
{
	const struct model_listener losses = { .unsure = on_unsure, .ctx = check };

	*check = (struct check) { .follow = follow, .quantities = quantities };
	check->metrics = metrics_new(follow->model, follow->window, follow->trace->start_ns);
	check->slices = slices_new(follow->window);
	check->blame = blame_new(follow);
	check->findings = g_ptr_array_new_with_free_func(free_finding);
	slices_follow(check->slices, follow);
	check->demand = demand_new(follow);
	check->holds = holds_new(follow);
	check->health = health_new(follow);
	model_listen(follow->model, &losses);
	check->held = held_new(follow);
	check->idle = idle_new(follow);
	follow_vcpus(check, follow);
}

static void finish(struct check *check)
{
	struct follow *follow = check->follow;

	model_finish(follow->model);
	metrics_finish(check->metrics);
	slices_finish(check->slices, follow->window);
	idle_finish(check->idle);
	demand_finish(check->demand);
	held_finish(check->held);
	if (check->vcpus)
		vcpus_finish(check->vcpus, follow->window);
	check->facts = facts_new(check);
}

void check_end(struct check *check)
{
	finish(check);
	selection_check_known(check->follow->selection, check->follow->model);
	apply_rules(check);
}

void check_clear(struct check *check)
{
	if (check->vcpus) {
		vcpus_free(check->vcpus);
		blocks_free(check->blocks);
	}
	g_ptr_array_free(check->findings, TRUE);
	facts_free(check->facts);
	held_free(check->held);
	health_free(check->health);
	holds_free(check->holds);
	demand_free(check->demand);
	idle_free(check->idle);
	blame_free(check->blame);
	slices_free(check->slices);
	metrics_free(check->metrics);
}

const GArray *check_changes(const struct check *check)
{
	return held_changes(check->held);
}
