// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules about the host's own work, which shares the engines with that of vGPUs.
 */
#include "trace/util.h"
#include "blame-host.h"
#include "rules.h"

/* limit for evidence; more would not help the user */
#define MAX_TOLD	3

/* how long the row's work would not have waited without the host */
static int64_t host_wait_ns(const struct check *check, const struct blame_row *row)
{
	return row->wait_ns - blame_aside_ns(check->blame, row->queue);
}

/* the engine's queue whose work waited longest for the host, and how long; NULL: none did */
static const struct blame_row *most_hit(const struct check *check, const struct gpu_engine *engine,
					int64_t *most_ns)
{
	const GPtrArray *rows = blame_rows(check->blame);
	const struct blame_row *most = NULL;
	int64_t host_ns;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->class != WAIT_HOST || row->queue->engine != engine)
			continue;
		host_ns = host_wait_ns(check, row);
		if (!most || host_ns > *most_ns) {
			most = row;
			*most_ns = host_ns;
		}
	}
	return most;
}

static void tell_others(const struct check *check, const struct blame_row *but, GString *text)
{
	const GPtrArray *rows = blame_rows(check->blame);
	int told = 0;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row == but || row->class != WAIT_HOST || row->queue->engine != but->queue->engine)
			continue;
		if (told++ < MAX_TOLD)
			g_string_append_printf(text, "; work of %s for %.1f %%",
					       row->queue->vgpu->label,
					       facts_percent(check, host_wait_ns(check, row)));
	}
	if (told > MAX_TOLD)
		g_string_append_printf(text, "; likewise %d others", told - MAX_TOLD);
}

static char *work_evidence(const struct check *check, const struct blame_row *row, int64_t host_ns)
{
	const struct gpu_engine *engine = row->queue->engine;
	const struct metrics_host *host = metrics_host(check->metrics, engine);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%" PRId64 " waits while the host executed, %.1f ms in total, longest %.1f ms at " SECONDS " s; the host executed for %.1f %% of the time, all vGPUs for %.1f %%",
			       row->count, MS(row->wait_ns), MS(row->worst_ns),
			       SECONDS_OF(row->worst_at_ns), facts_percent(check, host->exec_ns),
			       facts_percent(check, metrics_of_engine(check->metrics, engine->index)->exec_ns));
	if (row->wait_ns > host_ns)
		g_string_append_printf(text, "; without the host it would have waited for %.1f ms of these in others' turns",
				       MS(row->wait_ns - host_ns));
	tell_others(check, row, text);
	return g_string_free(text, FALSE);
}

static void add_work(struct check *check, const struct rule *rule, const struct blame_row *row,
		     int64_t host_ns)
{
	const struct vgpu *vgpu = row->queue->vgpu;
	double value = facts_percent(check, host_ns);
	GArray *remedies = rules_remedies();

	rules_advise(remedies, REMEDY_HOST_GPU);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = vgpu->dev, .vgpu_id = vgpu->id, .engine = row->queue->engine,
		.value = value, .impact = value,
		.at_ns = row->worst_at_ns, .for_ns = row->worst_ns,
		.problem = g_strdup_printf("work of %s on %s waited for %.1f %% of the time while the host's own work executed there",
					   vgpu->label,
					   facts_engine(check, row->queue->engine), value),
		.evidence = work_evidence(check, row, host_ns),
		.remedies = remedies,
	});
}

/* Per engine, for the vGPU that suffers most. */
void find_host_work(struct check *check, const struct rule *rule)
{
	const GPtrArray *engines = model_engines(check->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		int64_t host_ns = 0;
		const struct blame_row *row = most_hit(check, engines->pdata[nr], &host_ns);

		if (row && facts_percent(check, host_ns) > check_threshold(rule))
			add_work(check, rule, row, host_ns);
	}
}

const struct vgpu_engine *rules_kept_by_host(const struct check *check, const struct vgpu *vgpu,
					     int64_t from_ns, int64_t length_ns, int64_t *host_ns)
{
	const GPtrArray *rows = blame_rows(check->blame);
	bool hang;

	if (facts_longest_piece(check, vgpu, NULL, &hang) >= MOST_OF * length_ns)
		return NULL;
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->class != WAIT_HOST || row->queue->vgpu != vgpu)
			continue;
		*host_ns = blame_host_ns(check->blame, row->queue, from_ns, from_ns + length_ns);
		if (*host_ns >= MOST_OF * length_ns)
			return row->queue;
	}
	return NULL;
}

/* The work of the vGPU with the turn that the host delayed meanwhile; NULL: none */
static const struct vgpu_engine *behind(const struct check *check, const struct blame_row *row,
					int64_t *host_ns)
{
	return row->class == WAIT_OTHER && row->culprit ?
	       rules_kept_by_host(check, row->culprit, row->worst_at_ns, row->worst_ns, host_ns) : NULL;
}

/* the engine's queue with the longest single wait; NULL: none */
static const struct blame_row *longest_hit(const struct check *check, const struct gpu_engine *engine)
{
	const GPtrArray *rows = blame_rows(check->blame);
	const struct blame_row *most = NULL;
	int64_t host_ns;

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		if (row->queue->engine == engine && (row->class == WAIT_HOST || behind(check, row, &host_ns)) &&
		    (!most || row->worst_ns > most->worst_ns))
			most = row;
	}
	return most;
}

static char *blocks_evidence(const struct check *check, const struct blame_row *row)
{
	int64_t host_ns;
	const struct vgpu_engine *first = behind(check, row, &host_ns);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "worst at " SECONDS " s; %" PRId64 " such waits, %.1f ms in total",
			       SECONDS_OF(row->worst_at_ns), row->count, MS(row->wait_ns));
	if (first)
		g_string_append_printf(text, "; it was the turn of %s, whose work on %s waited for the host's for %.1f ms of that",
				       row->culprit->label, facts_engine(check, first->engine),
				       MS(host_ns));
	return g_string_free(text, FALSE);
}

static void add_blocks(struct check *check, const struct rule *rule, const struct blame_row *row)
{
	const struct vgpu *vgpu = row->queue->vgpu;
	GArray *remedies = rules_remedies();

	rules_advise(remedies, REMEDY_HOST_BATCHES);
	if (row->class == WAIT_OTHER && facts_dispatch_is(check, vgpu->dev, "exclusive"))
		rules_propose(check, remedies, REMEDY_OVERLAP, vgpu->dev, "dispatch", "per-engine", NULL, NULL);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = vgpu->dev, .vgpu_id = vgpu->id, .engine = row->queue->engine,
		.value = MS(row->worst_ns), .impact = facts_percent(check, row->wait_ns),
		.at_ns = row->worst_at_ns, .for_ns = row->worst_ns,
		.problem = g_strdup_printf("work of %s on %s had to wait for the host's own work for up to %.1f ms",
					   vgpu->label, facts_engine(check, row->queue->engine),
					   MS(row->worst_ns)),
		.evidence = blocks_evidence(check, row),
		.remedies = remedies,
	});
}

void find_host_blocks(struct check *check, const struct rule *rule)
{
	const GPtrArray *engines = model_engines(check->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct blame_row *row = longest_hit(check, engines->pdata[nr]);

		if (row && MS(row->worst_ns) > check_threshold(rule))
			add_blocks(check, rule, row);
	}
}

static void add_waits(struct check *check, const struct rule *rule,
		      const struct gpu_engine *engine, const struct metrics_holder *holder)
{
	const struct vgpu *vgpu = holder->vgpu;
	GArray *remedies = rules_remedies();
	bool hang;
	int64_t piece_ns = facts_longest_piece(check, vgpu, engine, &hang);

	rules_against_work_before_host(check, remedies, vgpu, hang);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = vgpu->dev, .vgpu_id = vgpu->id, .engine = engine,
		.value = MS(holder->worst_ns), .impact = facts_percent(check, holder->wait_ns),
		.at_ns = holder->worst_at_ns, .for_ns = holder->worst_ns,
		.problem = g_strdup_printf("the host's own work on %s had to wait for %s for up to %.1f ms",
					   facts_engine(check, engine), vgpu->label,
					   MS(holder->worst_ns)),
		.evidence = g_strdup_printf("worst at " SECONDS " s; %.1f ms in total, which is %.1f %% of the time; its work executes for up to %.1f ms at a time",
					    SECONDS_OF(holder->worst_at_ns), MS(holder->wait_ns),
					    facts_percent(check, holder->wait_ns), MS(piece_ns)),
		.remedies = remedies,
	});
}

void find_host_waits(struct check *check, const struct rule *rule)
{
	const GPtrArray *engines = model_engines(check->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];
		const struct metrics_host *host = metrics_host(check->metrics, engine);

		for (unsigned int holder = 0; host && holder < host->holders->len; holder++) {
			const struct metrics_holder *one = &g_array_index(host->holders,
								struct metrics_holder, holder);

			if (one->vgpu && MS(one->worst_ns) > check_threshold(rule))
				add_waits(check, rule, engine, one);
		}
	}
}

/* the vGPU that the host waited longest for, in total; NULL: unknown, or one wait was long */
static const struct metrics_holder *main_holder(const struct metrics_host *host)
{
	const struct metrics_holder *most = NULL;

	for (unsigned int nr = 0; nr < host->holders->len; nr++) {
		const struct metrics_holder *one = &g_array_index(host->holders, struct metrics_holder, nr);

		if (MS(one->worst_ns) > HOST_WAITS_MS)
			return NULL;
		if (one->vgpu && (!most || one->wait_ns > most->wait_ns))
			most = one;
	}
	return most;
}

/* More than if the host and the vGPUs that use the engine took turns of the same length? */
static bool waits_long(const struct check *check, const struct gpu_engine *engine,
		       const struct metrics_host *host)
{
	int64_t users = 0;

	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		users += metrics_of_vgpu_engine(check->metrics, queue->index)->exec_ns > 0;
	}
	return host->wait_ns > users * host->exec_ns;
}

static void add_delayed(struct check *check, const struct rule *rule, const struct gpu_engine *engine,
			const struct metrics_host *host, const struct metrics_holder *holder)
{
	double value = facts_percent(check, host->wait_ns);
	GArray *remedies = rules_remedies();
	bool hang;

	facts_longest_piece(check, holder->vgpu, engine, &hang);
	if (!hang && facts_dispatch_is(check, holder->vgpu->dev, "preemptive"))
		rules_propose(check, remedies, REMEDY_HOST_FIRST, holder->vgpu->dev, "host_first", "1",
			      NULL, NULL);
	rules_against_work_before_host(check, remedies, holder->vgpu, hang);
	check_add(check, &(struct finding) {
		.rule = rule, .dev = holder->vgpu->dev, .vgpu_id = holder->vgpu->id, .engine = engine,
		.value = value, .impact = value, .at_ns = holder->worst_at_ns, .for_ns = holder->worst_ns,
		.problem = g_strdup_printf("the host's own work on %s waited for %.1f %% of the time for vGPUs",
					   facts_engine(check, engine), value),
		.evidence = g_strdup_printf("%" PRId64 " waits, %.1f ms in total, %.1f ms of that for %s, longest %.1f ms at " SECONDS " s; the host executed for %.1f %% of the time",
					    host->waits, MS(host->wait_ns), MS(holder->wait_ns),
					    holder->vgpu->label, MS(holder->worst_ns),
					    SECONDS_OF(holder->worst_at_ns), facts_percent(check, host->exec_ns)),
		.remedies = remedies,
	});
}

void find_host_delayed(struct check *check, const struct rule *rule)
{
	const GPtrArray *engines = model_engines(check->follow->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];
		const struct metrics_host *host = metrics_host(check->metrics, engine);
		const struct metrics_holder *holder = host ? main_holder(host) : NULL;

		if (holder && facts_percent(check, host->wait_ns) > check_threshold(rule) &&
		    waits_long(check, engine, host))
			add_delayed(check, rule, engine, host, holder);
	}
}
