// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules about which vGPU waits for which, and how long.
 */
#include <math.h>

#include "trace/util.h"
#include "rules.h"

/* ranges of the setting files */
#define PERIOD_MIN_MS		10
#define MAX_WAIT_MIN_MS		100
#define MAX_WAIT_MAX_MS		1900

/* Guests declare the GPU hung a little later than this. */
#define BEARABLE_MS		1500

/* Step of proposed caps; a finer one would be meaningless. */
#define CAP_STEP		5


static int64_t wanted_cap(const struct check *check, const struct blame_row *row)
{
	const struct queue_facts *facts = facts_of(check->facts, row->queue);
	double want = facts_percent(check, facts->exec_ns + facts->waits_ns[WAIT_CAPPED]);
	int64_t cap = CAP_STEP * (int64_t)ceil(want / CAP_STEP);

	cap = MAX(cap, facts_set(check, row->queue->vgpu)->cap + CAP_STEP);
	return cap < 100 ? cap : 0;
}

#define CAP_TEXT_LEN	48

static const char *cap_text(const struct check *check, const struct vgpu *vgpu,
			    char text[CAP_TEXT_LEN])
{
	int64_t cap = facts_set(check, vgpu)->cap;

	if (cap <= 0)
		return "its cap";
	g_snprintf(text, CAP_TEXT_LEN, "its cap of %" PRId64 " %%", cap);
	return text;
}

static void add_capped(struct check *check, const struct rule *rule, const struct blame_row *row)
{
	const struct vgpu *vgpu = row->queue->vgpu;
	double value = facts_percent(check, row->wait_ns);
	char cap[CAP_TEXT_LEN];
	GArray *remedies = rules_remedies();

	if (vgpu->set.cap)
		rules_propose_vgpu(remedies, REMEDY_CAP, vgpu, "cap", wanted_cap(check, row));
	else
		rules_advise(remedies, REMEDY_SEE_BLAME);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = vgpu->dev, .vgpu_id = vgpu->id, .engine = row->queue->engine,
		.value = value, .impact = value,
		.at_ns = row->worst_at_ns, .for_ns = row->worst_ns,
		.problem = g_strdup_printf("work of %s on %s waited for %.1f %% of the time because %s was reached, although it was nobody's turn",
					   vgpu->label, facts_engine(check, row->queue->engine),
					   value, cap_text(check, vgpu, cap)),
		.evidence = g_strdup_printf("%" PRId64 " such waits, %.1f ms in total, longest %.1f ms at " SECONDS " s; it executed for %.1f %% of the time",
					    row->count, MS(row->wait_ns), MS(row->worst_ns),
					    SECONDS_OF(row->worst_at_ns),
					    facts_percent(check, facts_exec_ns(check, vgpu->dev, vgpu))),
		.remedies = remedies,
	});
}

void find_capped(struct check *check, const struct rule *rule)
{
	const GPtrArray *rows = blame_rows(check->blame);

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->class == WAIT_CAPPED &&
		    facts_percent(check, row->wait_ns) > check_threshold(rule))
			add_capped(check, rule, row);
	}
}

/* the longest wait among its queues */
static int64_t throttled_ns(const struct check *check, const struct vgpu *vgpu)
{
	const GPtrArray *queues = vgpu->gpu->queues;
	int64_t longest = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct queue_facts *facts = facts_of(check->facts, queues->pdata[nr]);

		if (facts->queue->vgpu == vgpu)
			longest = MAX(longest, facts->waits_ns[WAIT_THROTTLED]);
	}
	return longest;
}

/* the largest reported slice, on all engines or on one */
static int64_t told_slice_ns(const struct vgpu *vgpu)
{
	int64_t slice_ns = UNKNOWN;

	for (unsigned int nr = 0; nr < vgpu->slices->len; nr++)
		slice_ns = MAX(slice_ns, g_array_index(vgpu->slices, struct slice, nr).slice_ns);
	return slice_ns;
}

/* Debt of more than a slice keeps a vGPU off the GPU for a whole period or more. */
static bool has_debt(const struct check *check, const struct vgpu *vgpu)
{
	const struct slices_row *row = slices_of(check->slices, vgpu->dev, vgpu->id);
	int64_t slice_ns = told_slice_ns(vgpu);

	return row && known(row->left_min_ns) && known(slice_ns) && row->left_min_ns <= -slice_ns;
}

static bool pays_debt(const struct check *check, const struct rule *rule,
		      const struct vgpu *vgpu)
{
	return has_debt(check, vgpu) &&
	       facts_percent(check, throttled_ns(check, vgpu)) > check_threshold(rule);
}

bool is_in_debt(const struct check *check, const struct vgpu *vgpu)
{
	for (const struct rule *rule = rules; rule->name; rule++)
		if (rule->find == find_debt)
			return pays_debt(check, rule, vgpu);
	return false;
}

/* describes the execution times of a vGPU's workloads: the longest, and that engine's mean */
static char *culprit_text(const struct check *check, const struct vgpu *culprit)
{
	const GPtrArray *queues = culprit->gpu->queues;
	const struct vgpu_engine *longest = NULL;
	int64_t longest_ns = 0;
	double mean_ns;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		int64_t exec_ns = facts_of(check->facts, queue)->demand->longest_exec_ns;

		if (queue->vgpu == culprit && exec_ns > longest_ns) {
			longest_ns = exec_ns;
			longest = queue;
		}
	}
	if (!longest)
		return g_strdup("");
	mean_ns = series_summary(metrics_of_vgpu_engine(check->metrics, longest->index)->exec).mean_ns;
	if (isnan(mean_ns))
		return g_strdup_printf("; a workload of %s executes for %.3f ms", culprit->label,
				       MS(longest_ns));
	return g_strdup_printf("; workloads of %s execute for %.3f ms on average, at most %.3f ms",
			       culprit->label, mean_ns / NSEC_PER_MSEC, MS(longest_ns));
}

static void add_debt(struct check *check, const struct rule *rule, const struct vgpu *vgpu)
{
	const struct slices_row *row = slices_of(check->slices, vgpu->dev, vgpu->id);
	const struct blame_row *wait = rules_longest_wait(check, vgpu, NULL, WAIT_THROTTLED);
	double value = facts_percent(check, throttled_ns(check, vgpu));
	char *culprit = culprit_text(check, vgpu);
	GArray *remedies = rules_remedies();

	/* beside other vGPUs, it would run on at their cost */
	if (facts_shared(check, vgpu))
		rules_propose(check, remedies, REMEDY_SHARE, vgpu->dev, "policy", "fair",
			      NULL, NULL);
	else
		rules_propose(check, remedies, REMEDY_LEND, vgpu->dev, "policy",
			      "work-conserving", NULL, NULL);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = vgpu->dev, .vgpu_id = vgpu->id, .value = value,
		.impact = value,
		.at_ns = wait ? wait->worst_at_ns : 0, .for_ns = wait ? wait->worst_ns : 0,
		.problem = g_strdup_printf("%s waited for %.1f %% of the time although it was nobody's turn, to pay for having overrun its slice",
					   vgpu->label, value),
		.evidence = g_strdup_printf("debt of up to %.1f ms with a slice of %.1f ms%s",
					    MS(-row->left_min_ns), MS(told_slice_ns(vgpu)), culprit),
		.remedies = remedies,
	});
	g_free(culprit);
}

void find_debt(struct check *check, const struct rule *rule)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (pays_debt(check, rule, vgpus->pdata[nr]))
			add_debt(check, rule, vgpus->pdata[nr]);
}

/* The period with which the wait would have been half of @limit_ms. */
static int64_t shorter_period_ms(const struct sched_info *info, int64_t wait_ns, double limit_ms)
{
	int64_t period_ms = info->period_ns / NSEC_PER_MSEC;

	return MAX(PERIOD_MIN_MS, (int64_t)(period_ms * limit_ms / 2 / MS(wait_ns)));
}

/*
 * Did the culprit's start boost cause the longest wait? If lost events hide the cause of a turn,
 * known turns by a start boost are taken as evidence.
 */
static bool was_boosted(const struct check *check, const struct blame_row *row)
{
	const struct slices_row *turns = slices_of(check->slices, row->queue->vgpu->dev,
						   row->culprit->id);
	int64_t from_ns, to_ns;

	if (!turns || !turns->boosted_to_ns)
		return false;
	from_ns = MAX(turns->boosted_from_ns, row->worst_at_ns);
	to_ns = MIN(turns->boosted_to_ns, row->worst_at_ns + row->worst_ns);
	return to_ns - from_ns >= MOST_OF * row->worst_ns || check->follow->trace->lost_gaps;
}

/* against many short workloads in a row */
static void against_long_turn(const struct check *check, GArray *remedies,
			      const struct blame_row *row, double limit_ms)
{
	int64_t dev = row->queue->vgpu->dev, nice;
	const struct sched_info *info = facts_settings(check, dev);

	if (facts_policy_is(check, dev, "fair")) {
		nice = facts_set(check, row->queue->vgpu)->nice;
		rules_propose_vgpu(remedies, REMEDY_NICE, row->queue->vgpu, "nice",
				   MAX((known(nice) ? nice : 0) - 3, -20));
		return;
	}
	if (was_boosted(check, row))
		rules_propose_number(check, remedies, REMEDY_BOOST, dev, "boost_ms", 0);
	else if (info && known(info->period_ns) && row->worst_ns < 2 * info->period_ns)
		rules_propose_number(check, remedies, REMEDY_PERIOD, dev, "period_ms",
				     shorter_period_ms(info, row->worst_ns, limit_ms));
	if (!remedies->len)
		rules_propose(check, remedies, REMEDY_SHARE, dev, "policy", "fair", NULL, NULL);
}

/* was the wait for one workload, or for many in a row? */
static void against_culprit(const struct check *check, GArray *remedies,
			    const struct blame_row *row, double limit_ms)
{
	bool hang;
	int64_t piece_ns = facts_longest_piece(check, row->culprit, row->queue->engine, &hang);

	if (piece_ns >= MOST_OF * row->worst_ns)
		rules_against_long_work(check, remedies, row->culprit, hang);
	else
		against_long_turn(check, remedies, row, limit_ms);
}

static void add_blocked(struct check *check, const struct rule *rule, const struct blame_row *row)
{
	char *culprit = culprit_text(check, row->culprit);
	GArray *remedies = rules_remedies();

	against_culprit(check, remedies, row, check_threshold(rule));
	check_add(check, &(struct finding) {
		.rule = rule, .dev = row->queue->vgpu->dev, .vgpu_id = row->queue->vgpu->id,
		.engine = row->queue->engine, .value = MS(row->worst_ns),
		.at_ns = row->worst_at_ns, .for_ns = row->worst_ns,
		.impact = facts_percent(check, row->wait_ns),
		.problem = g_strdup_printf("work of %s on %s had to wait for %s for up to %.1f ms",
					   row->queue->vgpu->label,
					   facts_engine(check, row->queue->engine),
					   row->culprit->label, MS(row->worst_ns)),
		.evidence = g_strdup_printf("worst at " SECONDS " s; %" PRId64 " such waits, %.1f ms in total%s",
					    SECONDS_OF(row->worst_at_ns), row->count,
					    MS(row->wait_ns), culprit),
		.remedies = remedies,
	});
	g_free(culprit);
}

void find_blocked(struct check *check, const struct rule *rule)
{
	const GPtrArray *rows = blame_rows(check->blame);
	int64_t host_ns;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if ((row->class == WAIT_OTHER || row->class == WAIT_PREEMPTED) && row->culprit &&
		    MS(row->worst_ns) > check_threshold(rule) &&
		    !rules_kept_by_host(check, row->culprit, row->worst_at_ns, row->worst_ns, &host_ns))
			add_blocked(check, rule, row);
	}
}

static char *drain_evidence(const struct slices_row *row)
{
	return g_strdup_printf("longest until " SECONDS " s; %" PRId64 " switches away from it took %.3f ms on average, %.1f ms in total",
			       SECONDS_OF(row->drain_max_at_ns), row->drains,
			       MS(row->drain_ns) / row->drains, MS(row->drain_ns));
}

/* the longest total wait of a queue for this vGPU; its worst single wait */
static int64_t blamed_ns(const struct check *check, const struct vgpu *culprit,
			 int64_t *worst_ns)
{
	const GPtrArray *rows = blame_rows(check->blame);
	int64_t longest = 0;

	*worst_ns = 0;
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->culprit != culprit)
			continue;
		longest = MAX(longest, row->wait_ns);
		*worst_ns = MAX(*worst_ns, row->worst_ns);
	}
	return longest;
}

static void add_drain(struct check *check, const struct rule *rule, const struct vgpu *vgpu,
		      const struct slices_row *row, int64_t waited_ns)
{
	GArray *remedies = rules_remedies();
	bool hang;

	facts_longest_piece(check, vgpu, NULL, &hang);
	rules_against_long_work(check, remedies, vgpu, hang);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = vgpu->dev, .vgpu_id = vgpu->id,
		.value = MS(row->drain_max_ns),
		.at_ns = row->drain_max_at_ns - row->drain_max_ns, .for_ns = row->drain_max_ns,
		.impact = facts_percent(check, MIN(row->drain_ns, waited_ns)),
		.problem = g_strdup_printf("work of %s ran on for up to %.1f ms after its turn was over",
					   vgpu->label, MS(row->drain_max_ns)),
		.evidence = drain_evidence(row),
		.remedies = remedies,
	});
}

/* Matters only as far as others wait for it: a finding on the waiting vGPU comes first. */
void find_drain(struct check *check, const struct rule *rule)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];
		const struct slices_row *row = slices_of(check->slices, vgpu->dev, vgpu->id);
		int64_t waited_ns, worst_ns, host_ns;

		if (!row || MS(row->drain_max_ns) <= check_threshold(rule) ||
		    rules_kept_by_host(check, vgpu, row->drain_max_at_ns - row->drain_max_ns,
				       row->drain_max_ns, &host_ns))
			continue;
		waited_ns = blamed_ns(check, vgpu, &worst_ns);
		if (MS(worst_ns) > check_threshold(rule))
			add_drain(check, rule, vgpu, row, waited_ns);
	}
}

/* the worst of the vGPUs whose turn, or preemption, made the queue's work wait */
static const struct blame_row *worst_culprit(const struct check *check,
					     const struct vgpu_engine *queue)
{
	const GPtrArray *rows = blame_rows(check->blame);
	const struct blame_row *worst = NULL;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->queue == queue && row->culprit && row->class != WAIT_HELD &&
		    (!worst || row->worst_ns > worst->worst_ns))
			worst = row;
	}
	return worst;
}

/* propose a max_wait that leaves time for one more workload */
static void bound_wait(const struct check *check, GArray *remedies, int64_t dev,
		       int64_t piece_ns)
{
	const struct sched_info *info = facts_settings(check, dev);
	int64_t now_ms = info && known(info->max_wait_ns) ? info->max_wait_ns / NSEC_PER_MSEC :
							    MAX_WAIT_MAX_MS;
	int64_t bound_ms = CLAMP((int64_t)(BEARABLE_MS - MS(piece_ns)) / 100 * 100, MAX_WAIT_MIN_MS,
				 1000);
	char value[24];

	g_snprintf(value, sizeof(value), "%" PRId64, MIN(bound_ms, now_ms));
	rules_propose(check, remedies, REMEDY_WAIT_LESS, dev, "policy", "fair", "max_wait_ms",
		      value);
}

static void against_others(const struct check *check, GArray *remedies,
			   const struct queue_facts *facts)
{
	const struct blame_row *row = worst_culprit(check, facts->queue);
	int64_t dev = facts->queue->vgpu->dev, piece_ns = 0;
	bool hang = false;

	if (row)
		piece_ns = facts_longest_piece(check, row->culprit, facts->queue->engine, &hang);
	if (hang || (row && piece_ns >= MOST_OF * row->worst_ns))
		rules_against_long_work(check, remedies, row->culprit, hang);
	if (!hang)
		bound_wait(check, remedies, dev, piece_ns);
	rules_advise(remedies, REMEDY_SEE_BLAME);
}

void rules_against_wait(const struct check *check, GArray *remedies,
			const struct queue_facts *facts, enum wait_class class)
{
	const struct vgpu *vgpu = facts->queue->vgpu;

	if (class == WAIT_THROTTLED)
		rules_propose_lending(check, remedies, vgpu->dev);
	else if (class == WAIT_CAPPED)
		rules_propose_vgpu(remedies, REMEDY_CAP, vgpu, "cap", 0);
	else if (class == WAIT_CURRENT)
		rules_advise(remedies, REMEDY_OWN_BATCHES);
	else if (class == WAIT_HOST)
		rules_advise(remedies, REMEDY_HOST_GPU);
	else
		against_others(check, remedies, facts);
}

static void add_starved(struct check *check, const struct rule *rule,
			const struct queue_facts *facts)
{
	static const char *const ends[] = {
		[WAIT_STARTED] = "", [WAIT_CANCELLED] = " and was cancelled",
		[WAIT_OPEN] = " and was still waiting at the end",
	};
	const struct vgpu_engine *queue = facts->queue;
	const struct demand_wait *worst = &facts->demand->worst;
	GArray *remedies = rules_remedies();

	rules_against_wait(check, remedies, facts, worst->class);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = queue->vgpu->dev, .vgpu_id = queue->vgpu->id,
		.engine = queue->engine, .value = MS(worst->wait_ns),
		.at_ns = worst->from_ns, .for_ns = worst->wait_ns,
		.impact = facts_percent(check, worst->wait_ns),
		.problem = g_strdup_printf("a workload of %s on %s waited for %.1f ms%s; after about 2 s, guests reset their GPU",
					   queue->vgpu->label,
					   facts_engine(check, queue->engine),
					   MS(worst->wait_ns), ends[worst->end]),
		.evidence = g_strdup_printf("workload %" PRId64 ", from " SECONDS " s on, mostly %s",
					    worst->workload_id, SECONDS_OF(worst->from_ns),
					    wait_class_name(worst->class)),
		.remedies = remedies,
	});
}

void find_starved(struct check *check, const struct rule *rule)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct queue_facts *facts = facts_of(check->facts, queues->pdata[nr]);
		int64_t wait_ns = facts->demand->worst.wait_ns;

		if (known(wait_ns) && MS(wait_ns) > check_threshold(rule))
			add_starved(check, rule, facts);
	}
}
