// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "engine.h"
#include "util.h"

#define MS(ns)		((double)(ns) / NSEC_PER_MSEC)
#define SECONDS		"%" PRId64 ".%06" PRId64
#define SECONDS_OF(ns)	((ns) / NSEC_PER_SEC), ((ns) % NSEC_PER_SEC / 1000)

static double window_ns(const struct check *check)
{
	return check->follow->window.to_ns - check->follow->window.from_ns;
}

static double percent(const struct check *check, double ns)
{
	return window_ns(check) > 0 ? 100 * ns / window_ns(check) : 0;
}

static const char *engine_text(const struct gpu_engine *engine, char name[ENGINE_NAME_LEN])
{
	return engine_name(name, engine->class, engine->instance);
}

static const struct sched_info *settings(const struct check *check, int64_t dev)
{
	const GPtrArray *infos = model_sched_infos(check->follow->model);

	for (unsigned int nr = 0; nr < infos->len; nr++)
		if (((struct sched_info *)infos->pdata[nr])->dev == dev)
			return infos->pdata[nr];
	return NULL;
}

static bool has_policy(const struct check *check, int64_t dev, const char *policy)
{
	const struct sched_info *info = settings(check, dev);

	return info && info->policy && !strcmp(info->policy, policy);
}

/* how the GPU is dispatched, NULL if its kernel knows but one way */
static const char *dispatch_of(const struct check *check, int64_t dev)
{
	const struct sched_info *info = settings(check, dev);

	return info ? info->dispatch : NULL;
}

/*
 * Against a workload that runs on although another vGPU should run. Whether it can be
 * preempted shows only when it is.
 */
static const char *long_work_remedy(const struct check *check, int64_t dev)
{
	const char *dispatch = dispatch_of(check, dev);
	bool fair = has_policy(check, dev, "fair");

	if (!dispatch)
		return fair ? "shorter batches in the guest that is waited for, or a kernel that can preempt its workloads (it has the file gvt_sched/dispatch of the GPU)" :
			      "share by measured execution time, so that long workloads cost their vGPU its next turns: 'gvt-stat policy fair' (file gvt_sched/policy of the GPU); no policy shortens a workload that runs";
	if (!strcmp(dispatch, "preemptive"))
		return "shorter batches in the guest that is waited for: its commands have no point at which the GPU can preempt them, unless its files preempt or arbitration in intel_vgpu are 0";
	return fair ? "take long workloads off their engine when it is another vGPU's turn: 'gvt-stat policy dispatch=preemptive' (file gvt_sched/dispatch of the GPU); of those without a point to preempt them, shorter batches in the guest" :
		      "share by measured execution time, and take long workloads off their engine when it is another vGPU's turn: 'gvt-stat policy fair dispatch=preemptive' (files gvt_sched/policy and dispatch of the GPU); of those without a point to preempt them, shorter batches in the guest";
}

/* against engines that wait for each other */
static const char *other_engines_remedy(const struct check *check, int64_t dev)
{
	if (!dispatch_of(check, dev))
		return "a kernel that lets engines serve different vGPUs at the same time (it has the file gvt_sched/dispatch of the GPU)";
	return "let engines serve different vGPUs at the same time: 'gvt-stat policy dispatch=per-engine' (file gvt_sched/dispatch of the GPU)";
}

/* execution on all engines of a GPU, of one vGPU or with NULL of all */
static int64_t exec_ns(const struct check *check, int64_t dev, const struct vgpu *vgpu)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);
	int64_t sum = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu->dev == dev && (!vgpu || queue->vgpu == vgpu))
			sum += metrics_of_vgpu_engine(check->metrics, nr)->exec_ns;
	}
	return sum;
}

/* its part of all weights, in per cent, or NAN */
static double weight_share(const struct check *check, const struct vgpu *vgpu)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);
	double sum = 0;

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *other = vgpus->pdata[nr];

		if (other->dev == vgpu->dev)
			sum += known(other->weight) ? other->weight : NAN;
	}
	return sum > 0 ? 100 * vgpu->weight / sum : NAN;
}

/* whose work on an engine waited longest for a slice, or if none did, for others */
static const struct blame_row *worst_row(const struct check *check, const struct gpu_engine *engine)
{
	const GPtrArray *rows = blame_rows(check->blame);
	const struct blame_row *worst = NULL;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->queue->engine != engine ||
		    (row->class != WAIT_THROTTLED && row->class != WAIT_OTHER))
			continue;
		if (!worst || row->wait_ns > worst->wait_ns)
			worst = row;
	}
	return worst;
}

/* those that leave unused what they are entitled to, while the engine is idle */
static void tell_idle_vgpus(const struct check *check, const struct vgpu *but, GString *text)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];
		double used = percent(check, exec_ns(check, vgpu->dev, vgpu));
		double share = weight_share(check, vgpu);

		if (vgpu == but || vgpu->dev != but->dev || !(used < share))
			continue;
		g_string_append_printf(text, "; %s executed for %.1f %% of the time and may have %.1f %%",
				       vgpu->label, used, share);
	}
}

static char *throttled_evidence(const struct check *check, const struct gpu_engine *engine)
{
	const struct idle_row *idle = idle_of(check->idle, engine);
	const struct blame_row *row = worst_row(check, engine);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%.1f ms in all, at the longest %.1f ms at " SECONDS " s",
			       MS(idle->time_ns[IDLE_THROTTLED]),
			       MS(idle->longest_ns[IDLE_THROTTLED]),
			       SECONDS_OF(idle->longest_at_ns[IDLE_THROTTLED]));
	if (row) {
		g_string_append_printf(text, "; mostly with work of %s",
				       row->queue->vgpu->label);
		tell_idle_vgpus(check, row->queue->vgpu, text);
	}
	return g_string_free(text, FALSE);
}

static void find_throttled(struct check *check, const struct rule *rule)
{
	const GPtrArray *engines = model_engines(check->follow->model);
	char name[ENGINE_NAME_LEN];

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];
		double value = percent(check, idle_of(check->idle, engine)->time_ns[IDLE_THROTTLED]);
		const struct blame_row *row = worst_row(check, engine);

		if (value <= check_threshold(rule))
			continue;
		check_add(check, &(struct finding) {
			.rule = rule, .dev = engine->dev, .engine = engine, .value = value,
			.impact = value, .vgpu_id = row ? row->queue->vgpu->id : UNKNOWN,
			.problem = g_strdup_printf("%s was idle for %.1f %% of the time with work waiting, because its vGPU had no slice left",
						   engine_text(engine, name), value),
			.evidence = throttled_evidence(check, engine),
			.remedy = g_strdup("let vGPUs use what others leave: 'gvt-stat policy work-conserving', or 'fair' where lengths of workloads differ much (file gvt_sched/policy of the GPU)"),
		});
	}
}

static void add_capped(struct check *check, const struct rule *rule, const struct blame_row *row)
{
	const struct vgpu *vgpu = row->queue->vgpu;
	double value = percent(check, row->wait_ns);

	check_add(check, &(struct finding) {
		.rule = rule, .dev = vgpu->dev, .vgpu_id = vgpu->id, .engine = row->queue->engine,
		.value = value, .impact = value,
		.problem = g_strdup_printf("work of %s waited for %.1f %% of the time because its cap of %" PRId64 " %% was reached, while the GPU was nobody's",
					   vgpu->label, value, vgpu->cap),
		.evidence = g_strdup_printf("%" PRId64 " such waits, %.1f ms together, at the longest %.1f ms at " SECONDS " s; it executed for %.1f %% of the time",
					    row->count, MS(row->wait_ns), MS(row->worst_ns),
					    SECONDS_OF(row->worst_at_ns),
					    percent(check, exec_ns(check, vgpu->dev, vgpu))),
		.remedy = g_strdup("if that is not what the cap is for: a larger one, 'gvt-stat policy --vgpu ID cap=PERCENT', or none, cap=0 (file cap of the vGPU)"),
	});
}

static void find_capped(struct check *check, const struct rule *rule)
{
	const GPtrArray *rows = blame_rows(check->blame);

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->class == WAIT_CAPPED &&
		    percent(check, row->wait_ns) > check_threshold(rule))
			add_capped(check, rule, row);
	}
}

typedef const char *(*remedy_fn)(const struct check *check, int64_t dev);

/* reasons for which an engine is idle that need no more than to be told */
static void find_idle(struct check *check, const struct rule *rule, unsigned int reasons,
		      const char *problem, remedy_fn remedy)
{
	const GPtrArray *engines = model_engines(check->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];
		const struct idle_row *row = idle_of(check->idle, engine);
		GString *evidence = g_string_new(NULL);
		char name[ENGINE_NAME_LEN];
		int64_t sum = 0;

		for (enum idle_reason reason = 0; reason < IDLE_REASONS; reason++) {
			if (!(reasons & (1u << reason)) || !row->time_ns[reason])
				continue;
			sum += row->time_ns[reason];
			g_string_append_printf(evidence, "%s%s %.1f ms, at the longest %.3f ms at " SECONDS " s",
					       evidence->len ? "; " : "", idle_reason_name(reason),
					       MS(row->time_ns[reason]), MS(row->longest_ns[reason]),
					       SECONDS_OF(row->longest_at_ns[reason]));
		}
		if (percent(check, sum) <= check_threshold(rule)) {
			g_string_free(evidence, TRUE);
			continue;
		}
		check_add(check, &(struct finding) {
			.rule = rule, .dev = engine->dev, .vgpu_id = UNKNOWN, .engine = engine,
			.value = percent(check, sum), .impact = percent(check, sum),
			.problem = g_strdup_printf("%s was idle for %.1f %% of the time %s",
						   engine_text(engine, name), percent(check, sum),
						   problem),
			.evidence = g_string_free(evidence, FALSE),
			.remedy = g_strdup(remedy(check, engine->dev)),
		});
	}
}

static void find_stranded(struct check *check, const struct rule *rule)
{
	find_idle(check, rule, 1u << IDLE_STRANDED,
		  "with work of a vGPU that may run, because it was the turn of another one that had none for it",
		  other_engines_remedy);
}

static const char *held_remedy(const struct check *check, int64_t dev)
{
	(void)check;
	(void)dev;
	return "wait for less long, at the cost of that vGPU's share: 'gvt-stat policy anticipation_ms=MS' (file gvt_sched/anticipation_ms of the GPU)";
}

static void find_held(struct check *check, const struct rule *rule)
{
	find_idle(check, rule, 1u << IDLE_HELD, "because another vGPU was waited for", held_remedy);
}

static const char *host_remedy(const struct check *check, int64_t dev)
{
	(void)check;
	(void)dev;
	return "the shorter workloads are, the more each costs: larger batches in the guests; and give the kernel's threads gvt:ENGINE CPU time: see what else runs on the host ('gvt-stat vcpu'), or raise their priority with chrt";
}

static void find_host(struct check *check, const struct rule *rule)
{
	find_idle(check, rule,
		  1u << IDLE_DISPATCH | 1u << IDLE_COMPLETION | 1u << IDLE_I915,
		  "because the host's CPUs had not submitted or completed its work", host_remedy);
}

static void find_switching(struct check *check, const struct rule *rule)
{
	find_idle(check, rule, 1u << IDLE_SWITCHING,
		  "while other engines finished work of a vGPU whose turn was over, or the scheduler had yet to switch",
		  other_engines_remedy);
}

static char *drain_evidence(const struct slices_row *row)
{
	return g_strdup_printf("the longest until " SECONDS " s; %" PRId64 " switches away from it took %.3f ms in the mean, %.1f ms together",
			       SECONDS_OF(row->drain_max_at_ns), row->drains,
			       MS(row->drain_ns) / row->drains, MS(row->drain_ns));
}

/* for how long work that waited for this vGPU did, where it was longest */
static int64_t blamed_ns(const struct check *check, const struct vgpu *culprit)
{
	const GPtrArray *rows = blame_rows(check->blame);
	int64_t longest = 0;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->culprit == culprit)
			longest = MAX(longest, row->wait_ns);
	}
	return longest;
}

/* It matters as far as others wait for it: who does, and why, is to be told first. */
static void find_drain(struct check *check, const struct rule *rule)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];
		const struct slices_row *row = slices_of(check->slices, vgpu->dev, vgpu->id);

		if (!row || MS(row->drain_max_ns) <= check_threshold(rule))
			continue;
		check_add(check, &(struct finding) {
			.rule = rule, .dev = vgpu->dev, .vgpu_id = vgpu->id,
			.value = MS(row->drain_max_ns),
			.impact = percent(check, MIN(row->drain_ns, blamed_ns(check, vgpu))),
			.problem = g_strdup_printf("work of %s ran on for up to %.1f ms when its turn was over",
						   vgpu->label, MS(row->drain_max_ns)),
			.evidence = drain_evidence(row),
			.remedy = g_strdup(long_work_remedy(check, vgpu->dev)),
		});
	}
}

/* execution of one vGPU's workloads: the longest, and the mean of that engine */
static char *culprit_text(const struct check *check, const struct vgpu *culprit)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);
	struct summary longest = { .max_ns = UNKNOWN, .mean_ns = NAN };

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		struct summary exec;

		if (((struct vgpu_engine *)queues->pdata[nr])->vgpu != culprit)
			continue;
		exec = series_summary(metrics_of_vgpu_engine(check->metrics, nr)->exec);
		if (exec.max_ns > longest.max_ns)
			longest = exec;
	}
	if (!known(longest.max_ns))
		return g_strdup("");
	return g_strdup_printf("; workloads of %s execute for %.3f ms in the mean, %.3f ms at the longest",
			       culprit->label, longest.mean_ns / NSEC_PER_MSEC, MS(longest.max_ns));
}

static void add_blocked(struct check *check, const struct rule *rule, const struct blame_row *row)
{
	char *culprit = culprit_text(check, row->culprit);
	char name[ENGINE_NAME_LEN];

	check_add(check, &(struct finding) {
		.rule = rule, .dev = row->queue->vgpu->dev, .vgpu_id = row->queue->vgpu->id,
		.engine = row->queue->engine, .value = MS(row->worst_ns),
		.impact = percent(check, row->wait_ns),
		.problem = g_strdup_printf("work of %s on %s had to wait for %s for up to %.1f ms",
					   row->queue->vgpu->label,
					   engine_text(row->queue->engine, name),
					   row->culprit->label, MS(row->worst_ns)),
		.evidence = g_strdup_printf("worst at " SECONDS " s; %" PRId64 " such waits, %.1f ms together%s",
					    SECONDS_OF(row->worst_at_ns), row->count,
					    MS(row->wait_ns), culprit),
		.remedy = g_strdup(long_work_remedy(check, row->queue->vgpu->dev)),
	});
	g_free(culprit);
}

static void find_blocked(struct check *check, const struct rule *rule)
{
	const GPtrArray *rows = blame_rows(check->blame);

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if ((row->class == WAIT_OTHER || row->class == WAIT_PREEMPTED) && row->culprit &&
		    MS(row->worst_ns) > check_threshold(rule))
			add_blocked(check, rule, row);
	}
}

/* for how long work in a queue waited for others, or for the scheduler */
static int64_t waited_ns(const struct check *check, const struct vgpu_engine *queue)
{
	const GPtrArray *rows = blame_rows(check->blame);
	int64_t sum = 0;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->queue == queue && row->class != WAIT_CURRENT)
			sum += row->wait_ns;
	}
	return sum;
}

/*
 * A vGPU's part of an engine's execution, and what is due to it by its weight; per cent,
 * or NAN. Engines count each by itself: time on one is no substitute for time on another.
 */
struct portion {
	double exec_ns;
	double all_ns;
	double has;
	double due;
	double missing;			/* per cent of what is due */
};

static struct portion portion_of(const struct check *check, const struct vgpu_engine *queue)
{
	struct portion portion = {
		.exec_ns = metrics_of_vgpu_engine(check->metrics, queue->index)->exec_ns,
		.all_ns = metrics_of_engine(check->metrics, queue->engine->index)->exec_ns,
		.due = weight_share(check, queue->vgpu),
	};

	portion.has = portion.all_ns > 0 ? 100 * portion.exec_ns / portion.all_ns : NAN;
	portion.missing = 100 * (portion.due - portion.has) / portion.due;
	return portion;
}

#define FORGIVEN_PERCENT	2

/*
 * Would a vGPU have used at least its share, had it been alone? Without waiting, it
 * has work for a part d of the time; in a closed loop with thinking, one that gets g
 * has none for g (1 - d) / d of the time. So one with d >= share has had work, which
 * waited or executed, for at least 1 - g (1 - share) / share. One whose work comes by
 * the clock, and is all done, has less. Beginning and end of the window are forgiven.
 */
static bool wants_share(const struct check *check, const struct vgpu_engine *queue,
			const struct portion *portion)
{
	double got = percent(check, portion->exec_ns), due = portion->due;

	return got + percent(check, waited_ns(check, queue)) + FORGIVEN_PERCENT >=
	       100 - got * (100 - due) / due;
}

static void add_unfair(struct check *check, const struct rule *rule,
		       const struct vgpu_engine *queue, const struct portion *portion)
{
	char name[ENGINE_NAME_LEN];

	check_add(check, &(struct finding) {
		.rule = rule, .dev = queue->vgpu->dev, .vgpu_id = queue->vgpu->id,
		.engine = queue->engine, .value = portion->missing,
		.impact = portion->due - portion->has,
		.problem = g_strdup_printf("%s wanted more and got %.1f %% of the execution on %s, by its weight %.1f %% are due",
					   queue->vgpu->label, portion->has,
					   engine_text(queue->engine, name), portion->due),
		.evidence = g_strdup_printf("it executed for %.1f ms of %.1f ms, and waited for others for %.1f %% of the time",
					    MS(portion->exec_ns), MS(portion->all_ns),
					    percent(check, waited_ns(check, queue))),
		.remedy = g_strdup(has_policy(check, queue->vgpu->dev, "fair") ?
				   "see whether its workloads come too late to hold its place: a larger anticipation_ms, or a lower nice ('gvt-stat policy --vgpu ID nice=N')" :
				   "share by measured execution time: 'gvt-stat policy fair' (file gvt_sched/policy of the GPU)"),
	});
}

static void find_unfair(struct check *check, const struct rule *rule)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		struct portion portion = portion_of(check, queue);

		if (portion.missing > check_threshold(rule) && wants_share(check, queue, &portion))
			add_unfair(check, rule, queue, &portion);
	}
}

/* one workload of each other vGPU on the engine, at the longest */
static double round_ns(const struct check *check, const struct vgpu_engine *queue)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);
	double sum = 0;

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *other = queues->pdata[nr];
		int64_t max_ns;

		if (other == queue || other->engine != queue->engine)
			continue;
		max_ns = series_summary(metrics_of_vgpu_engine(check->metrics, nr)->exec).max_ns;
		sum += known(max_ns) ? max_ns : 0;
	}
	return sum;
}

/*
 * One that needs less than its share, such as a desktop beside a batch job, is owed its
 * turn whenever its work comes: it should not wait for more than what cannot be avoided
 * without preemption, a workload of each other vGPU.
 */
static void add_delayed(struct check *check, const struct rule *rule,
			const struct vgpu_engine *queue, const struct portion *portion,
			const struct summary *other)
{
	double round = round_ns(check, queue);
	char name[ENGINE_NAME_LEN];

	check_add(check, &(struct finding) {
		.rule = rule, .dev = queue->vgpu->dev, .vgpu_id = queue->vgpu->id,
		.engine = queue->engine, .value = other->p95_ns / round,
		.impact = percent(check, waited_ns(check, queue)),
		.problem = g_strdup_printf("%s needs less than its share, and yet its work on %s waits for several workloads of others in a row",
					   queue->vgpu->label, engine_text(queue->engine, name)),
		.evidence = g_strdup_printf("5 %% of its workloads waited for others for %.1f ms or more, the longest for %.1f ms at " SECONDS " s; one workload of each of the others takes %.1f ms at the most; it got %.1f %% of the execution, by its weight %.1f %% are due",
					    other->p95_ns / NSEC_PER_MSEC, MS(other->max_ns),
					    SECONDS_OF(other->max_at_ns), round / NSEC_PER_MSEC,
					    portion->has, portion->due),
		.remedy = g_strdup(has_policy(check, queue->vgpu->dev, "fair") ?
				   "a lower nice for it: 'gvt-stat policy --vgpu ID nice=N' (file nice of the vGPU)" :
				   "let who is owed time go first: 'gvt-stat policy fair' (file gvt_sched/policy of the GPU)"),
	});
}

/*
 * One that needs less than its share, such as a desktop beside a batch job, is owed its
 * turn whenever its work comes: it should not wait for more than what cannot be avoided
 * without preemption, a workload of each other vGPU.
 */
static void find_delayed(struct check *check, const struct rule *rule)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		struct portion portion = portion_of(check, queue);
		struct summary other =
			series_summary(metrics_of_vgpu_engine(check->metrics, nr)->other);

		if (portion.missing > 0 && !wants_share(check, queue, &portion) &&
		    other.p95_ns > check_threshold(rule) * round_ns(check, queue) &&
		    round_ns(check, queue) > 0)
			add_delayed(check, rule, queue, &portion, &other);
	}
}

static int64_t throttled_ns(const struct check *check, const struct vgpu *vgpu)
{
	const GPtrArray *rows = blame_rows(check->blame);
	int64_t longest = 0;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->queue->vgpu == vgpu && row->class == WAIT_THROTTLED)
			longest = MAX(longest, row->wait_ns);
	}
	return longest;
}

/* the largest that it was told to have, on all engines or on one */
static int64_t told_slice_ns(const struct vgpu *vgpu)
{
	int64_t slice_ns = UNKNOWN;

	for (unsigned int nr = 0; nr < vgpu->slices->len; nr++)
		slice_ns = MAX(slice_ns, g_array_index(vgpu->slices, struct slice, nr).slice_ns);
	return slice_ns;
}

/* Debt of more than a slice keeps a vGPU off the GPU for a whole period or more. */
static void find_debt(struct check *check, const struct rule *rule)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];
		const struct slices_row *row = slices_of(check->slices, vgpu->dev, vgpu->id);
		double value = percent(check, throttled_ns(check, vgpu));
		int64_t slice_ns = told_slice_ns(vgpu);
		char *culprit;

		if (!row || !known(row->left_min_ns) || !known(slice_ns) ||
		    row->left_min_ns > -slice_ns || value <= check_threshold(rule))
			continue;
		culprit = culprit_text(check, vgpu);
		check_add(check, &(struct finding) {
			.rule = rule, .dev = vgpu->dev, .vgpu_id = vgpu->id, .value = value,
			.impact = value,
			.problem = g_strdup_printf("%s was kept waiting for %.1f %% of the time while the GPU was nobody's, to pay for having run over its slice",
						   vgpu->label, value),
			.evidence = g_strdup_printf("debt of up to %.1f ms with a slice of %.1f ms%s",
						    MS(-row->left_min_ns), MS(slice_ns), culprit),
			.remedy = g_strdup("do not carry debt on, 'gvt-stat policy carry_over=0', or share by measured execution time, 'gvt-stat policy fair' (files gvt_sched/carry_over and policy of the GPU)"),
		});
		g_free(culprit);
	}
}

static void find_starved(struct check *check, const struct rule *rule)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);
	char name[ENGINE_NAME_LEN];

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		struct summary wait =
			series_summary(metrics_of_vgpu_engine(check->metrics, nr)->wait);

		if (!known(wait.max_ns) || MS(wait.max_ns) <= check_threshold(rule))
			continue;
		check_add(check, &(struct finding) {
			.rule = rule, .dev = queue->vgpu->dev, .vgpu_id = queue->vgpu->id,
			.engine = queue->engine, .value = MS(wait.max_ns),
			.impact = percent(check, wait.max_ns),
			.problem = g_strdup_printf("a workload of %s on %s waited for %.1f ms; after about 2 s, guests reset their GPU",
						   queue->vgpu->label,
						   engine_text(queue->engine, name), MS(wait.max_ns)),
			.evidence = g_strdup_printf("workload %" PRId64 ", from " SECONDS " s on",
						    wait.max_workload_id,
						    SECONDS_OF(wait.max_at_ns)),
			.remedy = g_strdup(has_policy(check, queue->vgpu->dev, "fair") ?
					   "bound the wait more: 'gvt-stat policy max_wait_ms=MS' (file gvt_sched/max_wait_ms of the GPU), and see 'gvt-stat blame' for whom it waited" :
					   "bound the wait: 'gvt-stat policy fair max_wait_ms=1000' (files gvt_sched/policy and max_wait_ms of the GPU), and see 'gvt-stat blame' for whom it waited"),
		});
	}
}

/* " of vGPU 2, which kept the GPU busy for 60.0 % of the time" */
static char *vm_text(const struct check *check, const struct vcpu *vcpu)
{
	const struct vgpu *vgpu = vcpu && known(vcpu->vgpu_id) ?
				  model_vgpu(check->follow->model, vcpu->dev, vcpu->vgpu_id) : NULL;

	if (!vgpu)
		return g_strdup("");
	return g_strdup_printf(" of the VM of %s, which executed for %.1f %% of the time",
			       vgpu->label, percent(check, exec_ns(check, vgpu->dev, vgpu)));
}

static void add_preempted(struct check *check, const struct rule *rule, const struct vcpu *vcpu,
			  const struct preemptor *by)
{
	char *victim = vm_text(check, vcpu);
	char *culprit = vm_text(check, vcpus_find(check->vcpus, by->pid));

	check_add(check, &(struct finding) {
		.rule = rule, .dev = vcpu->dev, .vgpu_id = vcpu->vgpu_id,
		.value = percent(check, by->time_ns), .impact = percent(check, by->time_ns),
		.problem = g_strdup_printf("vCPU thread %" PRId64 " was kept off the CPU for %.1f %% of the time by %s %" PRId64,
					   vcpu->pid, percent(check, by->time_ns),
					   by->comm, by->pid),
		.evidence = g_strdup_printf("%" PRId64 " preemptions, %.1f ms together; thread %" PRId64 " is a vCPU%s, thread %" PRId64 " one%s",
					    by->count, MS(by->time_ns), vcpu->pid, victim,
					    by->pid, culprit),
		.remedy = g_strdup("give the VMs CPUs of their own (pin their vCPUs), or the one that should wait a higher nice or a smaller cpu.weight; 'gvt-stat vcpu' shows who preempts whom"),
	});
	g_free(victim);
	g_free(culprit);
}

static bool same_vm(const struct vcpu *a, const struct vcpu *b)
{
	return known(a->vgpu_id) && a->vgpu_id == b->vgpu_id && a->dev == b->dev;
}

/*
 * A VM that is slow although its vGPU is not: another VM has its CPU
 * (A. Belkhiri and M. Dagenais 2024, 5.3).
 */
static void find_preempted(struct check *check, const struct rule *rule)
{
	const GPtrArray *vcpus = check->vcpus ? vcpus_list(check->vcpus) : NULL;

	for (unsigned int nr = 0; vcpus && nr < vcpus->len; nr++) {
		const struct vcpu *vcpu = vcpus->pdata[nr];

		for (unsigned int pos = 0; pos < vcpu->preemptors->len; pos++) {
			const struct preemptor *by = vcpu->preemptors->pdata[pos];
			const struct vcpu *other = known(by->pid) ?
						   vcpus_find(check->vcpus, by->pid) : NULL;

			if (other && !same_vm(vcpu, other) &&
			    percent(check, by->time_ns) > check_threshold(rule))
				add_preempted(check, rule, vcpu, by);
		}
	}
}

static void find_failed(struct check *check, const struct rule *rule)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);
	char name[ENGINE_NAME_LEN];

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		const struct metrics_row *row = metrics_of_vgpu_engine(check->metrics, nr);

		if (row->failed <= check_threshold(rule))
			continue;
		check_add(check, &(struct finding) {
			.rule = rule, .dev = queue->vgpu->dev, .vgpu_id = queue->vgpu->id,
			.engine = queue->engine, .value = row->failed,
			.impact = IMPACT_FAILURE,
			.problem = g_strdup_printf("%" PRId64 " workload%s of %s on %s failed",
						   row->failed, row->failed > 1 ? "s" : "",
						   queue->vgpu->label,
						   engine_text(queue->engine, name)),
			.evidence = g_strdup_printf("%" PRId64 " completed, %" PRId64 " were cancelled; 'gvt-stat workloads' has their status (-5: the GPU hung)",
						    row->completed, row->cancelled),
			.remedy = g_strdup("look for 'gvt' and 'GPU HANG' in the host's kernel log and the guest's, and update the guest's driver"),
		});
	}
}

static void find_lost(struct check *check, const struct rule *rule)
{
	const struct trace_info *trace = check->follow->trace;
	double value = trace->lost_events + trace->lost_uncounted;

	if (value <= check_threshold(rule))
		return;
	check_add(check, &(struct finding) {
		.rule = rule, .dev = UNKNOWN, .vgpu_id = UNKNOWN, .value = value,
		.impact = IMPACT_TRACE,
		.problem = g_strdup_printf("at least %.0f events were lost while recording", value),
		.evidence = g_strdup_printf("%" PRIu64 " gaps; %" PRIu64 " workloads were alive in one, so that their numbers may be wrong",
					    trace->lost_gaps, model_tainted(check->follow->model)),
		.remedy = g_strdup("record with larger buffers, 'gvt-stat record -b KIB' or 'trace-cmd record -b KIB', or fewer events"),
	});
}

static void find_missing(struct check *check, const struct rule *rule)
{
	const struct trace_info *trace = check->follow->trace;
	/* events of CPUs take a larger preset, and are a matter of choice */
	event_set needed = quantities_need(check->follow->options->quantities) &
			   MODEL_EVENTS;
	GString *off = g_string_new(NULL), *absent = g_string_new(NULL);
	int count = 0;

	for (enum event_id id = 0; id < EVENT_COUNT; id++) {
		GString *list = trace->described[id] ? off : absent;

		if (!(needed & EVENT_BIT(id)) || !event_missing(trace, id))
			continue;
		g_string_append_printf(list, "%s%s", list->len ? ", " : "", event_name(id));
		count++;
	}
	if (count > check_threshold(rule))
		check_add(check, &(struct finding) {
			.rule = rule, .dev = UNKNOWN, .vgpu_id = UNKNOWN, .value = count,
			.impact = IMPACT_TRACE,
			.problem = g_strdup_printf("%d kinds of events are missing, so that rules could not be checked",
						   count),
			.evidence = g_strdup_printf("%s%s%s%s%s", absent->len ? "not in the file: " : "",
						    absent->str, absent->len && off->len ? "; " : "",
						    off->len ? "none recorded: " : "", off->str),
			.remedy = g_strdup(absent->len ?
					   "the kernel that was traced has another kvmgt.ko: install this project's ('make kvmgt', 'make install') and load it" :
					   "record all of them: 'gvt-stat record', or 'trace-cmd record -e gvt'"),
		});
	g_string_free(off, TRUE);
	g_string_free(absent, TRUE);
}

#define NEEDS_IDLE	QUANTITY_BIT(QUANTITY_IDLE)
#define NEEDS_BLAME	QUANTITY_BIT(QUANTITY_BLAME)
#define NEEDS_SLICES	QUANTITY_BIT(QUANTITY_SLICES)

const struct rule rules[] = {
	{ "throttled", "an engine is idle because vGPUs with work have no slice left",
	  "%", 3, NEEDS_IDLE | NEEDS_BLAME, find_throttled },
	{ "capped", "a vGPU waits while the GPU is nobody's, as its cap is reached",
	  "%", 3, NEEDS_BLAME, find_capped },
	{ "debt", "a vGPU waits while the GPU is nobody's, as it ran over its slice before",
	  "%", 3, NEEDS_BLAME | NEEDS_SLICES, find_debt },
	{ "blocked", "work waits long for one other vGPU",
	  "ms", 100, NEEDS_BLAME | QUANTITY_BIT(QUANTITY_EXECUTION), find_blocked },
	{ "unfair", "a vGPU that waits gets less than its weight, in per cent of what is due",
	  "%", 15, NEEDS_BLAME | QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_VGPUS),
	  find_unfair },
	{ "delayed", "a vGPU that needs less than its share waits for several workloads of others",
	  "x", 1.5, NEEDS_BLAME | QUANTITY_BIT(QUANTITY_WAIT) | QUANTITY_BIT(QUANTITY_VGPUS),
	  find_delayed },
	{ "starved", "a workload waits so long that its guest may reset the GPU",
	  "ms", 1500, QUANTITY_BIT(QUANTITY_WAIT), find_starved },
	{ "drain", "a vGPU's work runs on for long when its turn is over",
	  "ms", 100, NEEDS_SLICES, find_drain },
	{ "switching", "an engine is idle while others finish work before a switch",
	  "%", 10, NEEDS_IDLE, find_switching },
	{ "stranded", "an engine is idle, as it is the turn of a vGPU without work for it",
	  "%", 3, NEEDS_IDLE, find_stranded },
	{ "held", "an engine is kept idle for a vGPU that is expected",
	  "%", 20, NEEDS_IDLE, find_held },
	{ "host", "an engine is idle because the host's CPUs are slow to serve it",
	  "%", 5, NEEDS_IDLE, find_host },
	{ "preempted", "a vCPU is kept off the CPU by one of another VM",
	  "%", 5, QUANTITY_BIT(QUANTITY_GUEST) | QUANTITY_BIT(QUANTITY_PREEMPTION), find_preempted },
	{ "failed", "workloads fail", "", 0, QUANTITY_BIT(QUANTITY_COMPLETIONS), find_failed },
	{ "lost", "events were lost while recording", "", 0, 0, find_lost },
	{ "missing", "events are not in the trace", "", 0, 0, find_missing },
	{ 0 }
};
