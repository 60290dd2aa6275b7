// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules about guests, and about the trace itself.
 */
#include "trace/util.h"
#include "rules.h"

/* A guest that declares its GPU hung has waited for about this long. */
#define PATIENCE_MS	1000

static GArray *advice(enum remedy_id id)
{
	GArray *remedies = rules_remedies();

	rules_advise(remedies, id);
	return remedies;
}

/* " of vGPU 2, which kept the GPU busy for 60.0 % of the time" */
static char *vm_text(const struct check *check, const struct vcpu *vcpu)
{
	const struct vgpu *vgpu = vcpu && known(vcpu->vgpu_id) ?
				  model_vgpu(check->follow->model, vcpu->dev, vcpu->vgpu_id) : NULL;

	if (!vgpu)
		return g_strdup("");
	return g_strdup_printf(" of the VM of %s, which executed for %.1f %% of the time",
			       vgpu->label, facts_percent(check, facts_exec_ns(check, vgpu->dev, vgpu)));
}

static void add_preempted(struct check *check, const struct rule *rule, const struct vcpu *vcpu,
			  const struct preemptor *by)
{
	char *victim = vm_text(check, vcpu);
	char *culprit = vm_text(check, vcpus_find(check->vcpus, by->pid));
	/* lost events may hide more preemptions */
	const char *least = vcpu->tainted ? "at least " : "";

	check_add(check, &(struct finding) {
		.rule = rule, .dev = vcpu->dev, .vgpu_id = vcpu->vgpu_id,
		.value = facts_percent(check, by->time_ns), .impact = facts_percent(check, by->time_ns),
		.at_ns = by->worst_at_ns, .for_ns = by->worst_ns,
		.problem = g_strdup_printf("vCPU thread %" PRId64 " was kept off the CPU for %s%.1f %% of the time by %s %" PRId64,
					   vcpu->pid, least, facts_percent(check, by->time_ns),
					   by->comm, by->pid),
		.evidence = g_strdup_printf("%s%" PRId64 " preemptions, %.1f ms in total; thread %" PRId64 " is a vCPU%s, thread %" PRId64 " one%s",
					    least, by->count, MS(by->time_ns), vcpu->pid, victim,
					    by->pid, culprit),
		.remedies = advice(REMEDY_GUEST_CPU),
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
void find_preempted(struct check *check, const struct rule *rule)
{
	const GPtrArray *vcpus = check->vcpus ? vcpus_list(check->vcpus) : NULL;

	for (unsigned int nr = 0; vcpus && nr < vcpus->len; nr++) {
		const struct vcpu *vcpu = vcpus->pdata[nr];

		for (unsigned int pos = 0; pos < vcpu->preemptors->len; pos++) {
			const struct preemptor *by = vcpu->preemptors->pdata[pos];
			const struct vcpu *other = known(by->pid) ?
						   vcpus_find(check->vcpus, by->pid) : NULL;

			if (other && !same_vm(vcpu, other) &&
			    facts_percent(check, by->time_ns) > check_threshold(rule))
				add_preempted(check, rule, vcpu, by);
		}
	}
}

/* Did its work wait until the guest gave up, or was it running? */
static void add_resets(struct check *check, const struct rule *rule,
		       const struct queue_facts *facts)
{
	const struct vgpu_engine *queue = facts->queue;
	const struct demand_row *demand = facts->demand;
	GArray *remedies = rules_remedies();

	if (MS(demand->reset_wait_ns) >= PATIENCE_MS)
		rules_against_wait(check, remedies, facts, demand->worst.class);
	rules_advise(remedies, REMEDY_RESET);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = queue->vgpu->dev, .vgpu_id = queue->vgpu->id,
		.engine = queue->engine, .value = demand->resets, .impact = IMPACT_FAILURE,
		.at_ns = demand->first_reset_ns - demand->reset_wait_ns,
		.for_ns = demand->last_reset_ns - demand->first_reset_ns + demand->reset_wait_ns,
		.problem = g_strdup_printf("the guest of %s reset %s %" PRId64 " time%s, which cancelled %" PRId64 " workload%s",
					   queue->vgpu->label,
					   facts_engine(check, queue->engine),
					   demand->resets, demand->resets > 1 ? "s" : "",
					   demand->cancelled[CANCEL_RESET],
					   demand->cancelled[CANCEL_RESET] > 1 ? "s" : ""),
		.evidence = g_strdup_printf("the first at " SECONDS " s, the last at " SECONDS " s; the oldest cancelled workload had waited for %.1f ms",
					    SECONDS_OF(demand->first_reset_ns),
					    SECONDS_OF(demand->last_reset_ns),
					    MS(demand->reset_wait_ns)),
		.remedies = remedies,
	});
}

void find_resets(struct check *check, const struct rule *rule)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct queue_facts *facts = facts_of(check->facts, queues->pdata[nr]);

		if (facts->demand->resets > check_threshold(rule))
			add_resets(check, rule, facts);
	}
}

/* GVT-g completes work on a hung engine with -EIO. */
static const char *status_text(int64_t status)
{
	if (status == -EIO)
		return "the GPU hung";
	return status < 0 && status > -4096 ? g_strerror(-status) : "no error number";
}

void find_failed(struct check *check, const struct rule *rule)
{
	const GPtrArray *queues = model_vgpu_engines(check->follow->model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		const struct metrics_row *row = metrics_of_vgpu_engine(check->metrics, nr);

		if (row->failed <= check_threshold(rule))
			continue;
		check_add(check, &(struct finding) {
			.rule = rule, .dev = queue->vgpu->dev, .vgpu_id = queue->vgpu->id,
			.engine = queue->engine, .value = row->failed,
			.impact = IMPACT_FAILURE,
			.at_ns = row->failed_at_ns, .for_ns = row->failed_for_ns,
			.problem = g_strdup_printf("%" PRId64 " workload%s of %s on %s failed",
						   row->failed, row->failed > 1 ? "s" : "",
						   queue->vgpu->label,
						   facts_engine(check, queue->engine)),
			.evidence = g_strdup_printf("%" PRId64 " completed, %" PRId64 " were cancelled; 'gvt-stat list' has their status, the first one's is %" PRId64 " (%s)",
						    row->completed, row->cancelled, row->failed_status,
						    status_text(row->failed_status)),
			.remedies = advice(REMEDY_FAILED),
		});
	}
}

/* the reason of failsafe mode, as numbered in gvt_vgpu_health */
static const char *failsafe_text(int64_t reason)
{
	static const char *const texts[] = {
		NULL, "its guest's driver is not supported", "its aperture or fences do not suffice",
		"an error of its guest"
	};

	return reason > 0 && reason < (int64_t)G_N_ELEMENTS(texts) ? texts[reason] : "unknown reason";
}

/* Rows exist only for vGPUs in the model. */
static const char *label_of(const struct check *check, const struct health_row *row)
{
	return model_vgpu(check->follow->model, row->dev, row->vgpu_id)->label;
}

static char *times_text(int64_t times)
{
	return known(times) ? g_strdup_printf("%" PRId64 " time%s", times, times == 1 ? "" : "s") :
	       g_strdup("an unknown number of times");
}

void find_failsafe(struct check *check, const struct rule *rule)
{
	const GArray *rows = health_rows(check->health);

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct health_row *row = &g_array_index(rows, struct health_row, nr);
		char *times;

		if (!known(row->failsafe) || row->failsafe <= check_threshold(rule))
			continue;
		times = times_text(row->told[HEALTH_failsafe_entries]);
		check_add(check, &(struct finding) {
			.rule = rule, .dev = row->dev, .vgpu_id = row->vgpu_id,
			.value = row->failsafe, .impact = IMPACT_FAILURE,
			.at_ns = row->failsafe_ns,
			.problem = g_strdup_printf("%s is in failsafe mode: nothing of it executes (%s)",
						   label_of(check, row), failsafe_text(row->failsafe)),
			.evidence = g_strdup_printf("reported first at " SECONDS " s; put in failsafe mode %s since the vGPU was made",
						    SECONDS_OF(row->failsafe_ns), times),
			.remedies = advice(REMEDY_FAILSAFE),
		});
		g_free(times);
	}
}

/* The other counts show in the workloads: failures, resets. */
static const enum health_kind misuses[] = {
	HEALTH_bad_entries, HEALTH_reused_roots, HEALTH_refused_submits,
};

static int64_t misuse(const struct health_row *row, GString *list)
{
	int64_t sum = 0;

	for (unsigned int nr = 0; nr < G_N_ELEMENTS(misuses); nr++) {
		int64_t risen = row->risen[misuses[nr]];

		if (risen)
			g_string_append_printf(list, "%s%s %" PRId64, list->len ? ", " : "",
					       health_name(misuses[nr]), risen);
		sum += risen;
	}
	return sum;
}

void find_misuse(struct check *check, const struct rule *rule)
{
	const GArray *rows = health_rows(check->health);

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct health_row *row = &g_array_index(rows, struct health_row, nr);
		GString *list = g_string_new(NULL);
		int64_t count = misuse(row, list);
		char *times = times_text(count);

		if (count > check_threshold(rule))
			check_add(check, &(struct finding) {
				.rule = rule, .dev = row->dev, .vgpu_id = row->vgpu_id,
				.value = count, .impact = 0,
				.at_ns = row->first_ns, .for_ns = row->last_ns - row->first_ns,
				.problem = g_strdup_printf("the guest of %s did what GVT-g refuses or repairs %s",
							   label_of(check, row), times),
				.evidence = g_strdup_printf("%s; reported first at " SECONDS " s, last at " SECONDS " s",
							    list->str, SECONDS_OF(row->first_ns),
							    SECONDS_OF(row->last_ns)),
				.remedies = advice(REMEDY_MISUSE),
			});
		g_free(times);
		g_string_free(list, TRUE);
	}
}

void find_lost(struct check *check, const struct rule *rule)
{
	const struct trace_info *trace = check->follow->trace;
	double value = trace->lost_events + trace->lost_uncounted;

	if (value <= check_threshold(rule))
		return;
	check_add(check, &(struct finding) {
		.rule = rule, .dev = UNKNOWN, .vgpu_id = UNKNOWN, .value = value,
		.impact = IMPACT_TRACE,
		.at_ns = check->gap.from_ns, .for_ns = MAX(check->gap.to_ns - check->gap.from_ns, 0),
		.problem = g_strdup_printf("at least %.0f events were lost while recording", value),
		.evidence = g_strdup_printf("%" PRIu64 " gaps; %" PRIu64 " workloads were alive in one, so that their numbers may be wrong%s",
					    trace->lost_gaps, model_tainted(check->follow->model),
					    trace->incomplete ? "; buffers of CPUs do not hold all of the recording" : ""),
		.remedies = advice(REMEDY_BUFFERS),
	});
}

static void add_left_out(struct check *check, const struct rule *rule)
{
	uint64_t count = workloads_left_out(check->follow->trace);

	if (count > check_threshold(rule))
		check_add(check, &(struct finding) {
			.rule = rule, .dev = UNKNOWN, .vgpu_id = UNKNOWN, .value = count,
			.impact = IMPACT_TRACE,
			.problem = g_strdup("some of the workloads are not in the trace, so that rules could not be checked"),
			.evidence = g_strdup_printf("%" PRIu64 " ids are missing among those of queued workloads: a filter was set, or tracing was off for a while",
						    count),
			.remedies = advice(REMEDY_ALL_EVENTS),
		});
}

void find_missing(struct check *check, const struct rule *rule)
{
	const struct trace_info *trace = check->follow->trace;
	/* the CPUs' events need a larger preset, and are optional */
	event_set needed = quantities_need(check->quantities) & MODEL_EVENTS;
	GString *off = g_string_new(NULL), *absent = g_string_new(NULL);
	int count = 0;

	for (enum event_id id = 0; id < EVENT_COUNT; id++) {
		GString *list = trace->described[id] ? off : absent;

		if (!(needed & EVENT_BIT(id)) || !event_missing(trace, id))
			continue;
		g_string_append_printf(list, "%s%s", list->len ? ", " : "", event_name(id));
		count++;
	}
	add_left_out(check, rule);
	if (count > check_threshold(rule))
		check_add(check, &(struct finding) {
			.rule = rule, .dev = UNKNOWN, .vgpu_id = UNKNOWN, .value = count,
			.impact = IMPACT_TRACE,
			.problem = g_strdup_printf("%d kind%s of events %s missing, so that rules could not be checked",
						   count, count == 1 ? "" : "s", count == 1 ? "is" : "are"),
			.evidence = g_strdup_printf("%s%s%s%s%s", absent->len ? "not in the file: " : "",
						    absent->str, absent->len && off->len ? "; " : "",
						    off->len ? "none recorded: " : "", off->str),
			.remedies = advice(absent->len ? REMEDY_OTHER_KERNEL : REMEDY_ALL_EVENTS),
		});
	g_string_free(off, TRUE);
	g_string_free(absent, TRUE);
}

