// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules about the vGPUs' shares, compared with their weights.
 */
#include <math.h>

#include "trace/util.h"
#include "rules.h"

#define NICE_MIN		-20
/* about twice the share */
#define NICE_STEPS		3
#define ANTICIPATION_MAX_MS	100
#define MAX_WAIT_MAX_MS		1900

/* a vGPU's actual and due share of an engine's time, in per cent */
struct portion {
	double has;
	double due;
	double missing;			/* taken by other vGPUs, per cent of the due share */
	double missing_ns;
};

static struct portion portion_of(const struct check *check, const struct queue_facts *facts)
{
	double due_ns = facts->due_ns;
	double missing_ns = fmin(due_ns - facts->exec_ns, facts->taken_ns);

	return (struct portion) {
		.has = facts_percent(check, facts->exec_ns),
		.due = facts_percent(check, due_ns),
		.missing = 100 * missing_ns / due_ns,
		.missing_ns = missing_ns,
	};
}

/*
 * The window cuts the turns at its ends: the missing time may be only one workload at
 * each end.
 */
static double edge_ns(const struct check *check, const struct vgpu_engine *queue)
{
	const GPtrArray *queues = queue->engine->queues;
	int64_t longest = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++)
		longest = MAX(longest,
			      facts_of(check->facts, queues->pdata[nr])->demand->longest_piece_ns);
	return longest;
}

/* It may have run in gaps. */
static double unseen_ns(const struct check *check, const struct vgpu_engine *queue)
{
	const struct metrics_row *row = metrics_of_vgpu_engine(check->metrics, queue->index);
	struct bounds exec = metrics_exec(check->metrics, row, queue->engine);

	return exec.max - exec.min;
}

static void raise_share(const struct check *check, GArray *remedies, const struct vgpu *vgpu)
{
	int64_t told = facts_set(check, vgpu)->nice, nice = known(told) ? told : 0;

	rules_propose_vgpu(remedies, REMEDY_NICE, vgpu, "nice", MAX(nice - NICE_STEPS, NICE_MIN));
}

/* its mean pause in ms, if longer than the GPU is held for it; else 0 */
static int64_t longer_anticipation(const struct check *check, const struct queue_facts *facts)
{
	const struct sched_info *info = facts_settings(check, facts->queue->vgpu->dev);
	const struct demand_row *demand = facts->demand;
	int64_t pause_ms;

	if (!info || !known(info->anticipation_ns) || !demand->pauses)
		return 0;
	pause_ms = ceil(MS(demand->pauses_ns) / demand->pauses);
	return pause_ms > info->anticipation_ns / NSEC_PER_MSEC && pause_ms <= ANTICIPATION_MAX_MS ?
	       pause_ms : 0;
}

static void against_unfair(const struct check *check, GArray *remedies,
			   const struct queue_facts *facts)
{
	const struct vgpu *vgpu = facts->queue->vgpu;
	int64_t pause_ms = longer_anticipation(check, facts);

	if (!facts_policy_is(check, vgpu->dev, "fair"))
		rules_propose(check, remedies, REMEDY_SHARE, vgpu->dev, "policy", "fair",
			      NULL, NULL);
	else if (pause_ms)
		rules_propose_number(check, remedies, REMEDY_HOLD_MORE, vgpu->dev,
				     "anticipation_ms", pause_ms);
	else if (facts_switched(check, vgpu->dev, SWITCH_OVERDUE))
		rules_propose_number(check, remedies, REMEDY_WAIT_MORE, vgpu->dev, "max_wait_ms",
				     MAX_WAIT_MAX_MS);
	if (!remedies->len)
		raise_share(check, remedies, vgpu);
}

static int64_t waited_ns(const struct queue_facts *facts)
{
	int64_t sum = 0;

	for (enum wait_class class = 0; class < WAIT_CLASSES; class++)
		sum += class == WAIT_CURRENT ? 0 : facts->waits_ns[class];
	return sum;
}

static void add_unfair(struct check *check, const struct rule *rule,
		       const struct queue_facts *facts, const struct portion *portion)
{
	const struct vgpu_engine *queue = facts->queue;
	const struct blame_row *wait = rules_longest_wait(check, queue->vgpu, queue->engine,
							  WAIT_CLASSES);
	GArray *remedies = rules_remedies();

	against_unfair(check, remedies, facts);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = queue->vgpu->dev, .vgpu_id = queue->vgpu->id,
		.engine = queue->engine, .value = portion->missing,
		.impact = portion->due - portion->has,
		.at_ns = wait ? wait->worst_at_ns : 0, .for_ns = wait ? wait->worst_ns : 0,
		.problem = g_strdup_printf("%s wanted more than the %.1f %% of the time for which it executed on %s; its due, by the weights of the vGPUs with work, is %.1f %%",
					   queue->vgpu->label, portion->has,
					   facts_engine(check, queue->engine), portion->due),
		.evidence = g_strdup_printf("it executed for %.1f of the %.1f ms of all vGPUs, and waited for others for %.1f %% of the time",
					    MS(facts->exec_ns), MS(facts->engine_ns),
					    facts_percent(check, waited_ns(facts))),
		.remedies = remedies,
	});
}

void find_unfair(struct check *check, const struct rule *rule)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct queue_facts *facts = facts_of(check->facts, queues->pdata[nr]);
		struct portion portion = portion_of(check, facts);

		if (facts->wants_more && portion.missing > check_threshold(rule) &&
		    portion.missing_ns > MAX(edge_ns(check, facts->queue),
					     unseen_ns(check, facts->queue)))
			add_unfair(check, rule, facts, &portion);
	}
}

/* sum of the longest workload of each other vGPU on the engine */
static double round_ns(const struct check *check, const struct vgpu_engine *queue)
{
	const GPtrArray *queues = queue->engine->queues;
	double sum = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++)
		if (queues->pdata[nr] != queue)
			sum += facts_of(check->facts, queues->pdata[nr])->demand->longest_exec_ns;
	return sum;
}

static void add_delayed(struct check *check, const struct rule *rule,
			const struct queue_facts *facts, const struct summary *other,
			double round)
{
	const struct vgpu_engine *queue = facts->queue;
	struct portion portion = portion_of(check, facts);
	GArray *remedies = rules_remedies();

	if (!rules_propose(check, remedies, REMEDY_SHARE, queue->vgpu->dev, "policy", "fair",
			   NULL, NULL))
		raise_share(check, remedies, queue->vgpu);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = queue->vgpu->dev, .vgpu_id = queue->vgpu->id,
		.engine = queue->engine, .value = other->p95_ns / round,
		.at_ns = other->max_at_ns, .for_ns = other->max_ns,
		.impact = facts_percent(check, waited_ns(facts)),
		.problem = g_strdup_printf("%s needs less than its share, but its work on %s waits for several workloads of others in a row",
					   queue->vgpu->label,
					   facts_engine(check, queue->engine)),
		.evidence = g_strdup_printf("5 %% of its workloads waited for others for %.1f ms or more, the longest for %.1f ms at " SECONDS " s; one workload of each of the others takes at most %.1f ms; it executed for %.1f %% of the time",
					    other->p95_ns / NSEC_PER_MSEC, MS(other->max_ns),
					    SECONDS_OF(other->max_at_ns), round / NSEC_PER_MSEC,
					    portion.has),
		.remedies = remedies,
	});
}

/*
 * A vGPU that needs less than its share, such as a desktop beside a batch job, is due a
 * turn whenever its work comes: it should only wait for the unavoidable without
 * preemption, one workload of each other vGPU.
 */
void find_delayed(struct check *check, const struct rule *rule)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct queue_facts *facts = facts_of(check->facts, queues->pdata[nr]);
		double round = round_ns(check, facts->queue);
		struct summary other;

		if (isnan(facts->due_ns) || facts->wants_more || !facts->exec_ns ||
		    round <= 0)
			continue;
		other = series_summary(metrics_of_vgpu_engine(check->metrics, nr)->other);
		if (other.p95_ns > check_threshold(rule) * round)
			add_delayed(check, rule, facts, &other, round);
	}
}
