// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "trace/util.h"
#include "facts.h"
#include "waterfill.h"

/* Tolerance for both ends of the window, and for incidental execution. */
#define FORGIVEN_PERCENT	2
#define WORTH_PERCENT		1
#define DIFFER_TIMES		4

struct facts {
	GArray *queues;			/* struct queue_facts, by vgpu_engine.index */
	GPtrArray *engines;		/* char *, their names, by gpu_engine.index */
};

double facts_percent(const struct check *check, double ns)
{
	const struct window *window = &check->follow->window;
	double length_ns = window->to_ns - window->from_ns;

	return length_ns > 0 ? 100 * ns / length_ns : 0;
}

const char *facts_engine(const struct check *check, const struct gpu_engine *engine)
{
	return check->facts->engines->pdata[engine->index];
}

const struct sched_info *facts_settings(const struct check *check, int64_t dev)
{
	return held_settings(check->held, dev);
}

const struct vgpu_settings *facts_set(const struct check *check, const struct vgpu *vgpu)
{
	return held_vgpu_settings(check->held, vgpu);
}

bool facts_policy_is(const struct check *check, int64_t dev, const char *policy)
{
	const struct sched_info *info = facts_settings(check, dev);

	return info && !g_strcmp0(info->policy, policy);
}

bool facts_dispatch_is(const struct check *check, int64_t dev, const char *dispatch)
{
	const struct sched_info *info = facts_settings(check, dev);

	return info && !g_strcmp0(info->dispatch, dispatch);
}

const struct queue_facts *facts_of(const struct facts *facts, const struct vgpu_engine *queue)
{
	return &g_array_index(facts->queues, struct queue_facts, queue->index);
}

bool facts_switched(const struct check *check, int64_t dev, enum switch_reason reason)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];
		const struct slices_row *row = slices_of(check->slices, dev, vgpu->id);

		if (vgpu->dev == dev && row && row->reasons[reason])
			return true;
	}
	return false;
}

int64_t facts_exec_ns(const struct check *check, int64_t dev, const struct vgpu *vgpu)
{
	const GArray *queues = check->facts->queues;
	int64_t sum = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct queue_facts *facts = &g_array_index(queues, struct queue_facts, nr);

		if (facts->queue->vgpu->dev == dev && (!vgpu || facts->queue->vgpu == vgpu))
			sum += facts->exec_ns;
	}
	return sum;
}

bool facts_shared(const struct check *check, const struct vgpu *vgpu)
{
	double others = facts_exec_ns(check, vgpu->dev, NULL) -
			facts_exec_ns(check, vgpu->dev, vgpu);

	return facts_percent(check, others) > WORTH_PERCENT;
}

bool facts_lengths_differ(const struct check *check, int64_t dev)
{
	const GArray *queues = check->facts->queues;
	int64_t shortest = INT64_MAX, longest = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct queue_facts *facts = &g_array_index(queues, struct queue_facts, nr);
		int64_t exec_ns = facts->demand->longest_exec_ns;

		if (facts->queue->vgpu->dev != dev || !exec_ns ||
		    facts_percent(check, facts->exec_ns) <= WORTH_PERCENT)
			continue;
		shortest = MIN(shortest, exec_ns);
		longest = MAX(longest, exec_ns);
	}
	return longest / DIFFER_TIMES > shortest;
}

int64_t facts_longest_piece(const struct check *check, const struct vgpu *vgpu,
			    const struct gpu_engine *engine, bool *failed)
{
	const GPtrArray *queues = vgpu->gpu->queues;
	bool any = !engine || !engine->gpu->per_engine;
	int64_t longest = 0, longest_failed = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		const struct demand_row *demand = facts_of(check->facts, queue)->demand;

		if (queue->vgpu != vgpu || !(any || queue->engine == engine))
			continue;
		longest = MAX(longest, demand->longest_piece_ns);
		longest_failed = MAX(longest_failed, demand->longest_failed_ns);
	}
	*failed = longest_failed && longest_failed >= longest;
	return MAX(longest, longest_failed);
}

/* weight with nice, as in the scheduler; NAN if unknown */
static double share_of(const struct check *check, const struct vgpu *vgpu)
{
	int64_t nice = facts_set(check, vgpu)->nice;

	return waterfill_weight(vgpu->weight, nice);
}

static bool same_number(const struct vgpu *one, const struct vgpu *other)
{
	return one->dev == other->dev && vgpu_number(one->id) == vgpu_number(other->id);
}

/* Of vGPUs that shared a number in turn, only the last counts; @vgpu stands for its number's. */
static bool is_beside(const GPtrArray *vgpus, unsigned int nr, const struct vgpu *vgpu)
{
	const struct vgpu *other = vgpus->pdata[nr];

	if (other == vgpu)
		return true;
	if (other->dev != vgpu->dev || same_number(other, vgpu))
		return false;
	while (++nr < vgpus->len)
		if (same_number(other, vgpus->pdata[nr]))
			return false;
	return true;
}

double facts_slice_percent(const struct check *check, const struct vgpu *vgpu)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);
	double sum = 0;

	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (is_beside(vgpus, nr, vgpu))
			sum += share_of(check, vgpus->pdata[nr]);
	return 100 * share_of(check, vgpu) / sum;
}

static void add_waits(struct facts *facts, const struct check *check)
{
	const GPtrArray *rows = blame_rows(check->blame);

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		g_array_index(facts->queues, struct queue_facts, row->queue->index)
			.waits_ns[row->class] += row->wait_ns;
	}
}

/*
 * The part of the window in which it would have run if alone. In a closed loop with
 * thinking, pauses are proportional to execution: a vGPU that gets g and has no work for p
 * of the time would get g / (g + p). A vGPU whose work comes at fixed times gets g, which
 * is less: it does not count as wanting more than it would get.
 */
static double want_of(const struct check *check, const struct queue_facts *facts)
{
	double got = facts_percent(check, facts->exec_ns);
	double pause = facts_percent(check, facts->demand->without_ns) - FORGIVEN_PERCENT;

	return pause > 0 ? 100 * got / (got + pause) : 100;
}

/* upper limit of its due share, regardless of other vGPUs */
static double limit_of(const struct check *check, const struct vgpu *vgpu)
{
	int64_t cap = facts_set(check, vgpu)->cap;
	double limit = known(cap) && cap > 0 ? cap : 100;

	if (facts_policy_is(check, vgpu->dev, "strict"))
		limit = fmin(limit, facts_slice_percent(check, vgpu));
	return limit;
}

static double claim_of(const struct check *check, const struct queue_facts *facts)
{
	return fmax(fmin(facts->want_percent, limit_of(check, facts->queue->vgpu)),
		    facts_percent(check, facts->exec_ns));
}

/*
 * Capacity of the engine if all work had been there: other idle time is the cost of
 * sharing, which is due to no vGPU.
 */
static double capacity_ns(const struct check *check, const struct gpu_engine *engine)
{
	static const enum idle_reason reasons[] = {
		IDLE_BUSY, IDLE_EMPTY, IDLE_THROTTLED, IDLE_CAPPED
	};
	const struct idle_row *row = idle_of(check->idle, engine);
	double sum = 0;

	for (size_t nr = 0; nr < G_N_ELEMENTS(reasons); nr++)
		sum += row->time_ns[reasons[nr]];
	return sum;
}

/* Other vGPUs cause a vGPU's lack only as far as they exceeded their due share. */
static void note_taken(struct facts *facts, const struct gpu_engine *engine)
{
	double sum = 0;

	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct queue_facts *queue = facts_of(facts, engine->queues->pdata[nr]);

		sum += fmax(queue->exec_ns - queue->due_ns, 0);
	}
	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		g_array_index(facts->queues, struct queue_facts, queue->index).taken_ns = sum;
	}
}

/* Each engine is shared separately: time on one is no substitute for time on another. */
static void share_out(struct facts *facts, const struct check *check,
		      const struct gpu_engine *engine)
{
	const GPtrArray *queues = engine->queues;
	const struct window *window = &check->follow->window;
	struct claim *claims = g_new(struct claim, queues->len + 1);
	int64_t engine_ns = metrics_of_engine(check->metrics, engine->index)->exec_ns;
	double weights = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct queue_facts *queue = facts_of(facts, queues->pdata[nr]);

		claims[nr] = (struct claim) {
			.want = claim_of(check, queue) / 100 * (window->to_ns - window->from_ns),
			.weight = share_of(check, queue->queue->vgpu), .due = NAN,
			.satisfied = true,
		};
		weights += claims[nr].weight;
	}
	if (weights > 0)
		waterfill(claims, queues->len, capacity_ns(check, engine));
	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		struct queue_facts *to = &g_array_index(facts->queues, struct queue_facts,
							queue->index);

		to->due_ns = claims[nr].due;
		to->wants_more = !claims[nr].satisfied || to->want_percent > claim_of(check, to);
		to->engine_ns = engine_ns;
	}
	g_free(claims);
	note_taken(facts, engine);
}

struct facts *facts_new(struct check *check)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);
	const GPtrArray *engines = model_engines(check->follow->model);
	struct facts *facts = g_new0(struct facts, 1);

	facts->queues = g_array_new(FALSE, TRUE, sizeof(struct queue_facts));
	g_array_set_size(facts->queues, queues->len);
	for (unsigned int nr = 0; nr < queues->len; nr++)
		g_array_index(facts->queues, struct queue_facts, nr) = (struct queue_facts) {
			.queue = queues->pdata[nr],
			.demand = demand_of(check->demand, nr),
			.exec_ns = metrics_of_vgpu_engine(check->metrics, nr)->exec_ns,
		};
	add_waits(facts, check);
	for (unsigned int nr = 0; nr < queues->len; nr++) {
		struct queue_facts *queue = &g_array_index(facts->queues, struct queue_facts, nr);

		queue->want_percent = want_of(check, queue);
	}
	facts->engines = g_ptr_array_new_with_free_func(g_free);
	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		share_out(facts, check, engine);
		g_ptr_array_add(facts->engines, model_gpus(check->follow->model)->len < 2 ?
				g_strdup(engine->name) :
				g_strdup_printf("%s of GPU %" PRId64, engine->name, engine->dev));
	}
	return facts;
}

void facts_free(struct facts *facts)
{
	g_ptr_array_free(facts->engines, TRUE);
	g_array_free(facts->queues, TRUE);
	g_free(facts);
}
