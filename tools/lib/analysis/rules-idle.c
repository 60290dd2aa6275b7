// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules about engines that are idle.
 */
#include <math.h>

#include "trace/util.h"
#include "rules.h"

#define REASON(reason)	(1u << IDLE_##reason)
#define TURN(turn)	(1u << IDLE_TURN_##turn)
#define ANY_TURN	((1u << IDLE_TURNS) - 1)

/* limit for evidence; more would not help the user */
#define MAX_TOLD	3

/* reasons, and turns during these, with a common cause */
struct cause {
	unsigned int reasons;
	unsigned int turns;
};

static int64_t time_of(const struct check *check, const struct gpu_engine *engine,
		       enum idle_reason reason, unsigned int turns)
{
	int64_t sum = 0;

	for (enum idle_turn turn = 0; turn < IDLE_TURNS; turn++)
		if (turns & 1u << turn)
			sum += idle_in_turn(check->idle, engine, reason, turn);
	return sum;
}

/* the sum over several causes; describes it in @evidence */
static int64_t add_up(const struct check *check, const struct gpu_engine *engine,
		      const struct cause *causes, unsigned int n, GString *evidence)
{
	const struct idle_row *row = idle_of(check->idle, engine);
	int64_t sum = 0;

	for (enum idle_reason reason = 0; reason < IDLE_REASONS; reason++) {
		unsigned int turns = 0;
		int64_t time_ns;

		for (unsigned int nr = 0; nr < n; nr++)
			if (causes[nr].reasons & 1u << reason)
				turns |= causes[nr].turns;
		time_ns = time_of(check, engine, reason, turns);
		if (!time_ns)
			continue;
		sum += time_ns;
		g_string_append_printf(evidence, "%s%s %.1f ms, longest %.3f ms at " SECONDS " s",
				       evidence->len ? "; " : "", idle_reason_name(reason),
				       MS(time_ns), MS(MIN(row->longest_ns[reason], time_ns)),
				       SECONDS_OF(row->longest_at_ns[reason]));
	}
	return sum;
}

/* the causes' reason with the longest single idle time of the engine */
static enum idle_reason longest_of(const struct check *check, const struct gpu_engine *engine,
				   const struct cause *causes, unsigned int n)
{
	const struct idle_row *row = idle_of(check->idle, engine);
	enum idle_reason longest = 0;
	unsigned int reasons = 0;

	for (unsigned int nr = 0; nr < n; nr++)
		reasons |= causes[nr].reasons;
	while (!(reasons & 1u << longest))
		longest++;
	for (enum idle_reason reason = longest; reason < IDLE_REASONS; reason++)
		if (reasons & 1u << reason && row->longest_ns[reason] > row->longest_ns[longest])
			longest = reason;
	return longest;
}

typedef void (*advise_fn)(const struct check *check, GArray *remedies,
			  const struct gpu_engine *engine);

/* report an engine that was idle for these causes for longer than the threshold */
static void find_cause(struct check *check, const struct rule *rule,
		       const struct gpu_engine *engine, const struct cause *causes,
		       unsigned int n, const char *problem, advise_fn advise)
{
	GString *evidence = g_string_new(NULL);
	double value = facts_percent(check, add_up(check, engine, causes, n, evidence));
	const struct vgpu *whose = idle_whose(check->idle, engine, causes[0].reasons,
					      causes[0].turns);
	const struct idle_row *row = idle_of(check->idle, engine);
	enum idle_reason longest;
	GArray *remedies;

	if (value <= check_threshold(rule)) {
		g_string_free(evidence, TRUE);
		return;
	}
	if (whose)
		g_string_append_printf(evidence, "; mostly with work of %s", whose->label);
	remedies = rules_remedies();
	advise(check, remedies, engine);
	longest = longest_of(check, engine, causes, n);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = engine->dev, .vgpu_id = UNKNOWN, .engine = engine,
		.value = value, .impact = value,
		.at_ns = row->longest_at_ns[longest], .for_ns = row->longest_ns[longest],
		.problem = g_strdup_printf("%s was idle for %.1f %% of the time %s",
					   facts_engine(check, engine), value, problem),
		.evidence = g_string_free(evidence, FALSE),
		.remedies = remedies,
	});
}

/* lists vGPUs that do not use their share while the engine is idle */
static void tell_idle_vgpus(const struct check *check, const struct vgpu *but, GString *text)
{
	const GPtrArray *vgpus = model_vgpus(check->follow->model);
	int told = 0;

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];
		double used = facts_percent(check, facts_exec_ns(check, vgpu->dev, vgpu));
		double share = facts_slice_percent(check, vgpu);

		if (vgpu == but || vgpu->dev != but->dev || !(used < share))
			continue;
		if (told++ < MAX_TOLD)
			g_string_append_printf(text, "; %s executed for %.1f %% of the time and is entitled to %.1f %%",
					       vgpu->label, used, share);
	}
	if (told > MAX_TOLD)
		g_string_append_printf(text, "; likewise %d others", told - MAX_TOLD);
}

/* no vGPU's turn, or that of a vGPU without any work */
#define UNUSED_TURNS	(TURN(NONE) | TURN(OWN) | TURN(VACANT))

/* A separate rule reports vGPUs in debt. */
static int64_t throttled_ns(const struct check *check, const struct gpu_engine *engine,
			    const struct vgpu **most)
{
	int64_t sum = 0, most_ns = 0;

	*most = NULL;
	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];
		const struct vgpu *vgpu = queue->vgpu;
		int64_t time_ns = idle_for(check->idle, queue, REASON(THROTTLED), UNUSED_TURNS);

		if (!time_ns || is_in_debt(check, vgpu))
			continue;
		sum += time_ns;
		if (time_ns > most_ns) {
			most_ns = time_ns;
			*most = vgpu;
		}
	}
	return sum;
}

static char *throttled_evidence(const struct check *check, const struct gpu_engine *engine,
				const struct vgpu *whose, int64_t time_ns)
{
	const struct idle_row *idle = idle_of(check->idle, engine);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%.1f ms in total, longest %.1f ms at " SECONDS " s; mostly with work of %s",
			       MS(time_ns), MS(MIN(idle->longest_ns[IDLE_THROTTLED], time_ns)),
			       SECONDS_OF(idle->longest_at_ns[IDLE_THROTTLED]), whose->label);
	tell_idle_vgpus(check, whose, text);
	return g_string_free(text, FALSE);
}

static void add_throttled(struct check *check, const struct rule *rule,
			  const struct gpu_engine *engine, const struct vgpu *whose,
			  int64_t time_ns)
{
	const struct idle_row *idle = idle_of(check->idle, engine);
	double value = facts_percent(check, time_ns);
	GArray *remedies = rules_remedies();

	rules_propose_lending(check, remedies, engine->dev);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = engine->dev, .engine = engine, .value = value,
		.impact = value, .vgpu_id = whose->id,
		.at_ns = idle->longest_at_ns[IDLE_THROTTLED],
		.for_ns = idle->longest_ns[IDLE_THROTTLED],
		.problem = g_strdup_printf("%s was idle for %.1f %% of the time with work waiting, because its vGPU had no slice left",
					   facts_engine(check, engine), value),
		.evidence = throttled_evidence(check, engine, whose, time_ns),
		.remedies = remedies,
	});
}

void find_throttled(struct check *check, const struct rule *rule)
{
	const GPtrArray *engines = model_engines(check->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];
		const struct vgpu *whose;
		int64_t time_ns = throttled_ns(check, engine, &whose);

		if (whose && facts_percent(check, time_ns) > check_threshold(rule))
			add_throttled(check, rule, engine, whose, time_ns);
	}
}

/* Under strict, an engine with its own turn would still wait for slices. */
static void against_stranded(const struct check *check, GArray *remedies,
			     const struct gpu_engine *engine)
{
	rules_propose(check, remedies, REMEDY_ENGINES, engine->dev,
		      "policy", rules_lending_policy(check, engine->dev),
		      "dispatch", "per-engine");
}

/*
 * All engines share one turn: an engine is unused while the vGPU with the turn works on
 * another engine, or has to finish there. Even if the waiting vGPU has no slice, that is not
 * the reason of its wait.
 */
void find_stranded(struct check *check, const struct rule *rule)
{
	static const struct cause causes[] = {
		{ REASON(STRANDED) | REASON(SWITCHING) | REASON(THROTTLED), TURN(AT_WORK) },
	};
	const GPtrArray *engines = model_engines(check->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++)
		find_cause(check, rule, engines->pdata[nr], causes, G_N_ELEMENTS(causes),
			   "with work of a vGPU waiting, because it was the turn of another one, which had work on another engine",
			   against_stranded);
}

static void against_switching(const struct check *check, GArray *remedies,
			      const struct gpu_engine *engine)
{
	if (rules_propose(check, remedies, REMEDY_SWITCH, engine->dev, "policy",
			  rules_lending_policy(check, engine->dev), NULL, NULL))
		return;
	if (facts_dispatch_is(check, engine->dev, "exclusive"))
		rules_propose(check, remedies, REMEDY_OVERLAP, engine->dev, "dispatch",
			      "per-engine", NULL, NULL);
	else
		rules_advise(remedies, REMEDY_HOST_CPU);
}

void find_switching(struct check *check, const struct rule *rule)
{
	static const struct cause causes[] = {
		{ REASON(SWITCHING), TURN(NONE) | TURN(OWN) | TURN(VACANT) },
		{ REASON(STRANDED), TURN(VACANT) },
	};
	const GPtrArray *engines = model_engines(check->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++)
		find_cause(check, rule, engines->pdata[nr], causes, G_N_ELEMENTS(causes),
			   "with work of an eligible vGPU waiting, because the scheduler had yet to switch to it",
			   against_switching);
}

/*
 * In ms: if most holds are in vain, they need not last longer than the successful ones
 * did; if most succeed, a larger limit changes nothing.
 */
static int64_t shorter_anticipation(const struct holds_row *holds, int64_t now_ns)
{
	int64_t needed_ms = ceil(MS(holds->came_max_ns));

	if (holds->expired_ns <= holds->came_ns || !known(now_ns))
		return 0;
	return needed_ms < now_ns / NSEC_PER_MSEC ? needed_ms : 0;
}

static void against_held(const struct check *check, GArray *remedies,
			 const struct gpu_engine *engine)
{
	const struct sched_info *info = facts_settings(check, engine->dev);
	struct holds_row holds = holds_of(check->holds, engine->dev);

	rules_propose_number(check, remedies, REMEDY_HOLD_LESS, engine->dev, "anticipation_ms",
			     shorter_anticipation(&holds, info ? info->anticipation_ns : UNKNOWN));
}

void find_held(struct check *check, const struct rule *rule)
{
	static const struct cause causes[] = { { REASON(HELD), ANY_TURN } };
	const GPtrArray *engines = model_engines(check->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++)
		find_cause(check, rule, engines->pdata[nr], causes, G_N_ELEMENTS(causes),
			   "because it was held for another vGPU", against_held);
}

static void against_host(const struct check *check, GArray *remedies,
			 const struct gpu_engine *engine)
{
	if (facts_dispatch_is(check, engine->dev, "exclusive"))
		rules_propose(check, remedies, REMEDY_OVERLAP, engine->dev, "dispatch",
			      "per-engine", NULL, NULL);
	rules_advise(remedies, REMEDY_LARGER_BATCHES);
	rules_advise(remedies, REMEDY_HOST_CPU);
}

void find_host(struct check *check, const struct rule *rule)
{
	static const struct cause causes[] = {
		{ REASON(DISPATCH) | REASON(COMPLETION) | REASON(I915), ANY_TURN },
	};
	const GPtrArray *engines = model_engines(check->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++)
		find_cause(check, rule, engines->pdata[nr], causes, G_N_ELEMENTS(causes),
			   "because the host's CPUs had not submitted or completed its work",
			   against_host);
}
