// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/streams.h"
#include "trace/util.h"
#include "whatif/cases.h"
#include "whatif/host-work.h"
#include "whatif/rehearsal.h"
#include "whatif/simulator.h"
#include "whatif/tally.h"
#include "whatif/whatif.h"
#include "forecast-host.h"
#include "proof.h"

/* enough for a range, yet quick */
#define WINDOWS	5
/* the beginning of a long trace suffices: every 'check' tries remedies, so keep this quick */
#define MOST_WORKLOADS	(1u << 14)

struct proof {
	struct follow *follow;
	const struct whatif *told;	/* facts about its vGPUs */
	struct tally *now;
	struct streams *collected;
	struct host_works *host_works;
	const GPtrArray *streams;	/* NULL: not inferred yet */
	GHashTable *results;		/* settings as text -> struct whatif_result; NULL: cannot be simulated */
	char *simulator;		/* NULL: there is none */
	GHashTable *tried;		/* struct finding -> char *: result of its trials */
};

static void free_result(void *data)
{
	if (data)
		whatif_result_free(data);
}

struct proof *proof_new(struct follow *follow, const struct whatif *told)
{
	struct proof *proof = g_new0(struct proof, 1);

	proof->simulator = simulator_path();
	proof->follow = follow;
	proof->told = told;
	proof->now = tally_new(follow->model, follow->window, 1, 0);
	proof->collected = streams_new(follow->model);
	streams_keep(proof->collected, MOST_WORKLOADS);
	tally_as_streams(proof->now, proof->collected);
	proof->host_works = host_works_new(follow->model);
	proof->results = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_result);
	proof->tried = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return proof;
}

bool proof_can(const struct proof *proof)
{
	return proof->simulator;
}

void proof_free(struct proof *proof)
{
	g_hash_table_destroy(proof->tried);
	g_hash_table_destroy(proof->results);
	host_works_free(proof->host_works);
	streams_free(proof->collected);
	tally_free(proof->now);
	g_free(proof->simulator);
	g_free(proof);
}

/* "1 nice=-5" or "policy=fair dispatch=preemptive" */
static char *settings_text(const struct remedy *remedy)
{
	GString *text = g_string_new(NULL);

	for (unsigned int nr = 0; nr < remedy->count; nr++)
		g_string_append_printf(text, "%s%s=%s", nr ? " " : "", remedy->settings[nr].name,
				       remedy->settings[nr].value);
	if (remedy->vgpu)
		g_string_append_printf(text, " of %s", remedy->vgpu->label);
	return g_string_free(text, FALSE);
}

/* settings of a vGPU that can be simulated */
static bool change_vgpu(struct whatif *whatif, const struct remedy *remedy,
			const struct remedy_setting *setting)
{
	struct whatif_vgpu *vgpu = whatif_vgpu(whatif, remedy->vgpu->id);
	int64_t value = g_ascii_strtoll(setting->value, NULL, 10);

	if (!g_strcmp0(setting->name, "nice"))
		vgpu->nice = value;
	else if (!g_strcmp0(setting->name, "cap"))
		vgpu->cap = value;
	else if (!g_strcmp0(setting->name, "preempt"))
		vgpu->preempt = value;
	else
		return false;
	return true;
}

static bool fill_whatif(struct whatif *whatif, const struct remedy *remedy)
{
	for (unsigned int nr = 0; nr < remedy->count; nr++) {
		const struct remedy_setting *setting = &remedy->settings[nr];

		if (!remedy->vgpu)
			whatif_set(whatif, setting->name, setting->value);
		else if (!change_vgpu(whatif, remedy, setting))
			return false;
	}
	return true;
}

static GPtrArray *streams_of(struct proof *proof, int64_t dev)
{
	GPtrArray *streams = g_ptr_array_new();

	if (!proof->streams) {
		whatif_tell(proof->told, proof->collected);
		proof->streams = streams_infer(proof->collected, proof->follow->window);
	}
	for (unsigned int nr = 0; nr < proof->streams->len; nr++) {
		struct stream *stream = proof->streams->pdata[nr];

		if (stream->vgpu->dev == dev && stream->work->len)
			g_ptr_array_add(streams, stream);
	}
	return streams;
}

static int64_t window_of(const struct proof *proof)
{
	return proof->follow->window.to_ns - proof->follow->window.from_ns;
}

static struct mixture mixture_of(const struct proof *proof, int64_t dev, const GPtrArray *streams)
{
	const struct model *model = proof->follow->model;

	return (struct mixture) {
		model_sched_info(model, dev), whatif_guests(model, dev, window_of(proof)), streams,
		window_of(proof), NULL, host_works_of(proof->host_works, dev, proof->follow->window),
	};
}

static void clear_mixture(struct mixture *mixture)
{
	g_array_free((GArray *)mixture->guests, TRUE);
}

static struct whatif_result *simulate(struct proof *proof, const struct remedy *remedy,
				      const GPtrArray *streams, char **problem)
{
	struct mixture mixture = mixture_of(proof, remedy->dev, streams);
	struct whatif_result *result = NULL;
	struct whatif whatif;

	whatif_copy(&whatif, proof->told);
	whatif.windows = WINDOWS;
	if (streams->len && fill_whatif(&whatif, remedy))
		result = cases_run(&whatif, proof->simulator, &mixture, problem);
	whatif_clear(&whatif);
	clear_mixture(&mixture);
	return result;
}

static const struct vgpu_engine *queue_now(const struct proof *proof, const struct stream *stream)
{
	const GPtrArray *queues = model_vgpu_engines(proof->follow->model);
	unsigned int nr = 0;

	while (((const struct vgpu_engine *)queues->pdata[nr])->vgpu != stream->vgpu ||
	       ((const struct vgpu_engine *)queues->pdata[nr])->engine != stream->engine)
		nr++;
	return queues->pdata[nr];
}

static const struct tally_cell *recorded_of(const void *ctx, const struct stream *stream)
{
	const struct proof *proof = ctx;

	return tally_of(proof->now, queue_now(proof, stream)->index, 0);
}

static struct whatif_result *rehearse_gpu(struct proof *proof, int64_t dev, const GPtrArray *streams)
{
	struct mixture mixture = mixture_of(proof, dev, streams);
	struct whatif_result *result;
	struct whatif nothing;

	whatif_copy(&nothing, proof->told);
	nothing.windows = WINDOWS;
	result = rehearse(&nothing, &mixture, proof->simulator, recorded_of, proof);
	whatif_clear(&nothing);
	clear_mixture(&mixture);
	return result;
}

/* simulates the recording of a GPU once; NULL: impossible */
static const struct whatif_result *rehearsed_of(struct proof *proof, int64_t dev,
						const GPtrArray *streams)
{
	char *key = g_strdup_printf("%" PRId64, dev);
	const struct whatif_result *result;

	if (streams->len && !g_hash_table_contains(proof->results, key))
		g_hash_table_insert(proof->results, g_strdup(key),
				    rehearse_gpu(proof, dev, streams));
	result = g_hash_table_lookup(proof->results, key);
	g_free(key);
	return result;
}

/* the simulation of a remedy */
struct tried {
	char *settings;
	GPtrArray *streams;		/* struct stream, of its GPU */
	const struct whatif_result *rehearsed;	/* recording, simulated; NULL: impossible */
	struct whatif_result *result;	/* NULL: cannot be simulated */
	char *problem;			/* what the trace lacks for a simulation; NULL: nothing */
};

static struct whatif_result *result_of(struct proof *proof, const struct remedy *remedy,
				       struct tried *tried)
{
	char *key = g_strdup_printf("%" PRId64 " %s", remedy->dev, tried->settings);
	struct whatif_result *result = g_hash_table_lookup(proof->results, key);

	if (!result) {
		result = simulate(proof, remedy, tried->streams, &tried->problem);
		if (result)
			g_hash_table_insert(proof->results, g_strdup(key), result);
	}
	g_free(key);
	return result;
}

/*
 * Preemption points matter only under preemptive dispatch. The host's own work is simulated, and
 * its doubts are reported separately.
 */
static bool has_doubt(const struct stream *stream, const struct whatif_result *result,
		      enum stream_doubt doubt)
{
	const struct sched_info *then = model_sched_info(result->model, 0);

	return stream->doubts & 1u << doubt && doubt != STREAM_HOST &&
	       (!whatif_is_of_preemption(doubt) || !g_strcmp0(then->dispatch, "preemptive"));
}

static void print_doubts(const struct stream *stream, const struct whatif_result *result, FILE *out)
{
	for (enum stream_doubt doubt = 0; doubt < STREAM_DOUBTS; doubt++)
		if (has_doubt(stream, result, doubt)) {
			char *text = stream_doubt_text(stream, doubt);

			fprintf(out, "       doubtful: %s\n", text);
			g_free(text);
		}
}

static void print_change(const char *what, double now, double then, FILE *out)
{
	if (!isnan(now) && !isnan(then))
		fprintf(out, ", %s %.1f -> %.1f ms", what, now / NSEC_PER_MSEC,
			then / NSEC_PER_MSEC);
}

static struct forecast_stream forecast_of(const struct proof *proof, const struct tried *tried,
					  const struct stream *stream)
{
	return (struct forecast_stream) {
		.stream = stream, .dev = stream->vgpu->dev, .id = stream->vgpu->id,
		.recorded = recorded_of(proof, stream),
		.window_ns = window_of(proof), .result = tried->result,
		.rehearsed = tried->rehearsed,
	};
}

static void print_stream(struct proof *proof, const struct tried *tried, const struct stream *stream,
			 FILE *out)
{
	const struct forecast_stream of = forecast_of(proof, tried, stream);
	struct compared compared;

	if (!whatif_queue(tried->result, stream->vgpu->id, stream->engine))
		return;
	compare_stream(&of, &compared);
	fprintf(out, "     vGPU %s %s: %.1f -> %.1f %% of the time (%.1f to %.1f)",
		vgpu_name(stream->vgpu), stream->engine->name,
		compared.now[MEASURE_SHARE], compared.then[MEASURE_SHARE],
		compared.least[MEASURE_SHARE], compared.most[MEASURE_SHARE]);
	print_change("mean latency", compared.now[MEASURE_MEAN], compared.then[MEASURE_MEAN], out);
	print_change("p99", compared.now[MEASURE_P99], compared.then[MEASURE_P99], out);
	fputc('\n', out);
	print_doubts(stream, tried->result, out);
}

static bool is_about(const struct finding *finding, const struct stream *stream)
{
	return (!known(finding->vgpu_id) || finding->vgpu_id == stream->vgpu->id) &&
	       (!finding->engine || finding->engine == stream->engine);
}

static const GPtrArray *host_of(const struct proof *proof, const struct remedy *remedy)
{
	return host_works_of(proof->host_works, remedy->dev, proof->follow->window);
}

static void print_host_doubt(const struct host_work *work, const char *what, void *out)
{
	fprintf(out, "     host %s: doubtful: %s\n", work->engine->name, what);
}

static bool try_remedy(struct proof *proof, const struct remedy *remedy, struct tried *tried)
{
	if (!proof->simulator || !remedy->count || !known(remedy->dev))
		return false;
	tried->settings = settings_text(remedy);
	tried->streams = streams_of(proof, remedy->dev);
	tried->rehearsed = rehearsed_of(proof, remedy->dev, tried->streams);
	tried->result = result_of(proof, remedy, tried);
	return true;
}

static void clear_tried(struct tried *tried)
{
	g_ptr_array_free(tried->streams, TRUE);
	g_free(tried->settings);
	g_free(tried->problem);
}

void proof_print(struct proof *proof, const struct finding *finding, const struct remedy *remedy,
		 FILE *out)
{
	struct tried tried = { 0 };

	if (!try_remedy(proof, remedy, &tried))
		return;
	if (tried.result)
		fprintf(out, "   Simulated with %s:\n", tried.settings);
	else if (tried.problem)
		fprintf(out, "   Not simulated: %s\n", tried.problem);
	for (unsigned int nr = 0; tried.result && nr < tried.streams->len; nr++)
		if (is_about(finding, tried.streams->pdata[nr]))
			print_stream(proof, &tried, tried.streams->pdata[nr], out);
	if (tried.result)
		host_works_doubts(host_of(proof, remedy), print_host_doubt, out);
	clear_tried(&tried);
}

static void add_json_line(void *lines, const void *line)
{
	json_array_append_new(lines, columns_to_json(forecast_columns, line));
}

static void add_json_doubts(const struct whatif_result *result, const struct stream *stream,
			    json_t *doubts)
{
	for (enum stream_doubt doubt = 0; doubt < STREAM_DOUBTS; doubt++) {
		char *text;

		if (!has_doubt(stream, result, doubt))
			continue;
		text = stream_doubt_text(stream, doubt);
		json_array_append_new(doubts, json_pack("{s:I, s:I, s:s, s:s}",
			"dev", (json_int_t)stream->vgpu->dev, "vgpu_id", (json_int_t)stream->vgpu->id,
			"engine", stream->engine->name, "what", text));
		g_free(text);
	}
}

json_t *proof_json(struct proof *proof, const struct finding *finding, const struct remedy *remedy)
{
	struct forecast_stream compared;
	json_t *lines, *doubts, *problem;
	struct tried tried = { 0 };

	if (!try_remedy(proof, remedy, &tried))
		return json_null();
	lines = json_array();
	doubts = json_array();
	for (unsigned int nr = 0; tried.result && nr < tried.streams->len; nr++) {
		if (!is_about(finding, tried.streams->pdata[nr]))
			continue;
		compared = forecast_of(proof, &tried, tried.streams->pdata[nr]);
		forecast_stream_each(&compared, add_json_line, lines);
		add_json_doubts(tried.result, tried.streams->pdata[nr], doubts);
	}
	if (tried.result)
		forecast_host_doubts(host_of(proof, remedy), doubts);
	problem = tried.problem ? json_string(tried.problem) : json_null();
	clear_tried(&tried);
	return json_pack("{s:i, s:o, s:o, s:o}", "windows", WINDOWS, "simulated", lines,
			 "doubts", doubts, "problem", problem);
}

/* --- does a remedy help? ------------------------------------------------------------------ */

/* the least improvement: relative, and for shares and idle time also in points */
#define HELPS_PART	0.05
#define HELPS_POINTS	0.5
/* the most that a mean latency may grow to reduce idle time or the host's wait */
#define MOST_COST	2.0
/* the simulated recording shows a finding if its figure reaches this part of the recorded one */
#define SHOWN_PART	0.5
/* print the recorded figure, too, if the simulated one differs by more than this part */
#define CLOSE_PART	0.1
/* figures this close, in points, are equally good: the lower cost for others decides */
#define AS_GOOD_POINTS	1.0

enum help {
	HELPS_NOT,
	HELPS_PERHAPS,			/* helps in the likeliest case, and harms in no other */
	HELPS,				/* helps in every case */
};

/* settings that were simulated for a finding */
struct trial {
	struct remedy remedy;
	double recorded;		/* the finding's figure */
	double now, then;		/* simulated figures, in the most likely case */
	double worst;			/* in the worst case */
	double cost;			/* largest growth factor of a mean latency, worst case */
	bool done;
	enum help help;
};

static bool is_better_larger(const struct finding *finding)
{
	return finding->rule->figure == FIGURE_SHARE;
}

/* the finding's engine in a simulation; NULL: no simulated work used the engine */
static const struct gpu_engine *engine_in(const struct finding *finding,
					  const struct whatif_result *result)
{
	const GPtrArray *engines = model_engines(result->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		if (engine->class == finding->engine->class && engine->instance == finding->engine->instance)
			return engine;
	}
	return NULL;
}

static double idle_percent(const struct finding *finding, const struct whatif_result *result)
{
	const struct gpu_engine *engine = engine_in(finding, result);

	return engine ? 100.0 * tally_idle_ns(result->tally, engine, result->windows) /
			(result->windows * result->window_ns) : 0;
}

static double longest_wait(const struct tally_cell *cell, int64_t window_ns)
{
	double values[MEASURES];

	measure_all(cell, window_ns, values);
	return values[MEASURE_WORST];
}

static double host_wait(const struct finding *finding, const struct whatif_result *result)
{
	const struct gpu_engine *engine = engine_in(finding, result);

	return engine ? longest_wait(&tally_host(result->tally, engine, 0)[result->windows],
				     result->windows * result->window_ns) : 0;
}

/* the figure of one stream */
static double figure_in(const struct finding *finding, const struct tally_cell *cell, int64_t window_ns)
{
	static const enum measure_id measures_of[FIGURES] = {
		[FIGURE_SHARE] = MEASURE_SHARE, [FIGURE_MEAN] = MEASURE_MEAN, [FIGURE_WORST] = MEASURE_WORST,
	};
	double values[MEASURES];

	measure_all(cell, window_ns, values);
	return values[measures_of[finding->rule->figure]];
}

/* of several streams, the worst one has the figure: the longest latency, or the least share */
static double worse_figure(const struct finding *finding, double one, double other)
{
	return is_better_larger(finding) ? fmin(one, other) : fmax(one, other);
}

static double stream_figure(const struct finding *finding, const GPtrArray *streams,
			    const struct whatif_result *result)
{
	double figure = NAN;

	for (unsigned int nr = 0; nr < streams->len; nr++) {
		const struct stream *stream = streams->pdata[nr];
		const struct vgpu_engine *queue = whatif_queue(result, stream->vgpu->id, stream->engine);

		if (!queue || !is_about(finding, stream))
			continue;
		figure = worse_figure(finding, figure,
				      figure_in(finding, tally_of(result->tally, queue->index, result->windows),
						result->windows * result->window_ns));
	}
	return figure;
}

/* the recorded figure; for idle time, only the part that the rule is about */
static double recorded_figure(const struct proof *proof, const struct finding *finding,
			      const GPtrArray *streams)
{
	double figure = NAN;

	if (finding->rule->figure == FIGURE_IDLE)
		return finding->value;
	if (finding->rule->figure == FIGURE_HOST)
		return longest_wait(tally_host(proof->now, finding->engine, 0), window_of(proof));
	for (unsigned int nr = 0; nr < streams->len; nr++)
		if (is_about(finding, streams->pdata[nr]))
			figure = worse_figure(finding, figure,
					      figure_in(finding, recorded_of(proof, streams->pdata[nr]),
							window_of(proof)));
	return figure;
}

/* A simulation that does not show the problem cannot judge remedies. */
static bool is_shown(const struct finding *finding, double recorded, double simulated)
{
	return is_better_larger(finding) ? simulated * SHOWN_PART <= recorded :
					   simulated >= recorded * SHOWN_PART;
}

static double figure_of(const struct finding *finding, const GPtrArray *streams,
			const struct whatif_result *result)
{
	switch (finding->rule->figure) {
	case FIGURE_IDLE:
		return idle_percent(finding, result);
	case FIGURE_HOST:
		return host_wait(finding, result);
	default:
		return stream_figure(finding, streams, result);
	}
}

/* Idle engines and the host's waits concern no single vGPU: every vGPU may pay for a remedy. */
static bool is_of_vgpu(const struct finding *finding)
{
	return finding->rule->figure != FIGURE_IDLE && finding->rule->figure != FIGURE_HOST;
}

static double mean_of(const struct whatif_result *result, const struct stream *stream)
{
	const struct vgpu_engine *queue = whatif_queue(result, stream->vgpu->id, stream->engine);
	double values[MEASURES];

	if (!queue)
		return NAN;
	measure_all(tally_of(result->tally, queue->index, result->windows),
		    result->windows * result->window_ns, values);
	return values[MEASURE_MEAN];
}

static double cost_of(const struct finding *finding, const GPtrArray *streams,
		      const struct whatif_result *result, const struct whatif_result *rehearsed)
{
	double cost = NAN;

	for (unsigned int nr = 0; nr < streams->len; nr++) {
		const struct stream *stream = streams->pdata[nr];
		double now_ns = mean_of(rehearsed, stream), then_ns = mean_of(result, stream);

		if (isnan(now_ns) || (is_of_vgpu(finding) && is_about(finding, stream)))
			continue;
		cost = fmax(cost, isnan(then_ns) ? INFINITY : then_ns / now_ns);
	}
	return cost;
}

static bool is_in_points(const struct finding *finding)
{
	return finding->rule->figure == FIGURE_IDLE || finding->rule->figure == FIGURE_SHARE;
}

/* judges by the milder "now": in a simulation that exaggerates a problem, everything would help */
static bool improves(const struct finding *finding, const struct trial *trial, double figure)
{
	double now = is_better_larger(finding) ? fmax(trial->now, trial->recorded) :
						 fmin(trial->now, trial->recorded);
	double least = HELPS_PART * now, by = now - figure;

	if (is_better_larger(finding))
		by = -by;
	if (is_in_points(finding))
		least = fmax(least, HELPS_POINTS);
	return by >= least;
}

static bool is_worse(const struct finding *finding, const struct trial *trial, double figure)
{
	double by = is_better_larger(finding) ? trial->now - figure : figure - trial->now;

	return by > fmax(HELPS_PART * trial->now, is_in_points(finding) ? AS_GOOD_POINTS : 0);
}

static enum help help_of(const struct finding *finding, const struct trial *trial)
{
	if (!is_of_vgpu(finding) && trial->cost > MOST_COST)
		return HELPS_NOT;
	if (improves(finding, trial, trial->worst))
		return HELPS;
	return improves(finding, trial, trial->then) && !is_worse(finding, trial, trial->worst) ?
	       HELPS_PERHAPS : HELPS_NOT;
}

static struct trial try_once(struct proof *proof, const struct finding *finding,
			     const struct remedy *remedy)
{
	struct trial trial = { .remedy = *remedy };
	struct tried tried = { 0 };

	if (try_remedy(proof, remedy, &tried)) {
		trial.done = tried.result && tried.rehearsed;
		if (trial.done) {
			trial.recorded = recorded_figure(proof, finding, tried.streams);
			trial.now = figure_of(finding, tried.streams, tried.rehearsed);
			trial.then = trial.worst = figure_of(finding, tried.streams, tried.result);
			trial.cost = cost_of(finding, tried.streams, tried.result, tried.rehearsed);
		}
		for (unsigned int nr = 0; trial.done && nr < tried.result->others->len; nr++) {
			const struct whatif_result *other = tried.result->others->pdata[nr];
			double figure = figure_of(finding, tried.streams, other);

			trial.worst = worse_figure(finding, trial.worst, figure);
			trial.cost = fmax(trial.cost, cost_of(finding, tried.streams, other, tried.rehearsed));
		}
		trial.help = trial.done ? help_of(finding, &trial) : HELPS_NOT;
		clear_tried(&tried);
	}
	return trial;
}

/* prefers more help, then the better figure; for similar idle times, the lower cost */
static bool is_better(const struct finding *finding, const struct trial *one, const struct trial *other)
{
	double by = other->worst - one->worst;

	if (one->help != other->help)
		return one->help > other->help;
	if (finding->rule->figure == FIGURE_IDLE && fabs(by) < AS_GOOD_POINTS)
		return one->cost < other->cost * (1 - HELPS_PART);
	return is_better_larger(finding) ? by < 0 : by > 0;
}

static void try_into(struct proof *proof, const struct finding *finding, const struct remedy *remedy,
		     GArray *trials)
{
	struct trial trial = try_once(proof, finding, remedy);

	if (trial.done && !isnan(trial.now) && !isnan(trial.worst))
		g_array_append_val(trials, trial);
}

static bool differs(const struct sched_info *info, const char *name, const char *value)
{
	char *now = sched_setting(info, name);
	bool other = now && strcmp(now, value);

	g_free(now);
	return other;
}

/*
 * Tries each policy with each dispatch mode, except the current pair. Tries strict only where
 * strict is the current policy, as strict wastes idle time by design.
 */
static void try_modes(struct proof *proof, const struct finding *finding, GArray *trials)
{
	static const char *const policies[] = { "strict", "work-conserving", "fair" };
	static const char *const dispatches[] = { "exclusive", "per-engine", "preemptive" };
	const struct sched_info *info = model_sched_info(proof->follow->model, finding->dev);
	bool several = model_gpus(proof->follow->model)->len > 1;

	for (size_t nr = differs(info, "policy", policies[0]) ? G_N_ELEMENTS(dispatches) : 0;
	     nr < G_N_ELEMENTS(policies) * G_N_ELEMENTS(dispatches); nr++) {
		const char *policy = policies[nr / G_N_ELEMENTS(dispatches)];
		const char *dispatch = dispatches[nr % G_N_ELEMENTS(dispatches)];
		struct remedy remedy = remedy_tried(finding->dev, several,
						    differs(info, "policy", policy) ? policy : NULL,
						    differs(info, "dispatch", dispatch) ? dispatch : NULL);

		if (remedy.count)
			try_into(proof, finding, &remedy, trials);
	}
}

static const struct trial *best_of(const struct finding *finding, const GArray *trials)
{
	const struct trial *best = NULL;

	for (unsigned int nr = 0; nr < trials->len; nr++) {
		const struct trial *trial = &g_array_index(trials, struct trial, nr);

		if (!best || is_better(finding, trial, best))
			best = trial;
	}
	return best;
}

static const struct {
	const char *what, *unit;
	double by;
} figures[FIGURES] = {
	[FIGURE_IDLE] = { "idle with work waiting", "%", 1 },
	[FIGURE_SHARE] = { "share", "%", 1 },
	[FIGURE_MEAN] = { "mean latency", "ms", 1e-6 },
	[FIGURE_WORST] = { "longest latency", "ms", 1e-6 },
	[FIGURE_HOST] = { "longest wait of the host", "ms", 1e-6 },
};

static char *not_shown_text(const struct finding *finding, const struct trial *trial)
{
	enum rule_figure figure = finding->rule->figure;

	return g_strdup_printf("Not tried: the simulation does not show the problem: %s %.1f instead of %.1f %s",
			       figures[figure].what, trial->now * figures[figure].by,
			       trial->recorded * figures[figure].by, figures[figure].unit);
}

static void add_figure(const struct finding *finding, const struct trial *trial, GString *text)
{
	enum rule_figure figure = finding->rule->figure;

	g_string_append_printf(text, "%s %.1f", figures[figure].what, trial->now * figures[figure].by);
	/* for idle time, the recorded figure is only the part that the rule is about */
	if (figure != FIGURE_IDLE && fabs(trial->now - trial->recorded) > CLOSE_PART * trial->recorded)
		g_string_append_printf(text, " (recorded: %.1f)", trial->recorded * figures[figure].by);
	g_string_append_printf(text, " -> %.1f %s", trial->then * figures[figure].by,
			       figures[figure].unit);
	if (fabs(trial->worst - trial->then) > 0.01 * trial->then)
		g_string_append_printf(text, " (%.1f at worst)", trial->worst * figures[figure].by);
	if (trial->cost > 1 + HELPS_PART)
		g_string_append_printf(text, ", another mean latency up to %.2f times as long", trial->cost);
}

static void drop_settings(GArray *remedies)
{
	for (unsigned int nr = remedies->len; nr-- > 0; )
		if (g_array_index(remedies, struct remedy, nr).count)
			g_array_remove_index(remedies, nr);
}

static void add_host_doubt(const struct host_work *work, const char *what, void *text)
{
	g_string_append_printf(text, "; doubtful: the host's work on %s: %s", work->engine->name, what);
}

/* keeps only remedies that help, the best one first */
static char *conclude(struct proof *proof, struct finding *finding, const GArray *trials)
{
	const struct trial *best = best_of(finding, trials);
	GString *text = g_string_new(NULL);

	drop_settings(finding->remedies);
	if (best->help) {
		struct remedy remedy = best->remedy;

		remedy.perhaps = best->help == HELPS_PERHAPS;
		g_array_prepend_val(finding->remedies, remedy);
		g_string_append(text, remedy.perhaps ? "Tried, in the likeliest case: " : "Tried: ");
	} else {
		char *settings = settings_text(&best->remedy);

		g_string_append_printf(text, "Tried: none of %u settings helps without harm; the nearest, %s: ",
				       trials->len, settings);
		g_free(settings);
	}
	add_figure(finding, best, text);
	host_works_doubts(host_of(proof, &best->remedy), add_host_doubt, text);
	return g_string_free(text, FALSE);
}

/* does a remedy change this setting, or any setting if @name is NULL? */
static bool sets(const struct finding *finding, const char *name)
{
	for (unsigned int nr = 0; nr < finding->remedies->len; nr++) {
		const struct remedy *remedy = &g_array_index(finding->remedies, struct remedy, nr);

		for (unsigned int of = 0; of < remedy->count; of++)
			if (!name || !strcmp(remedy->settings[of].name, name))
				return true;
	}
	return false;
}

/* repeating only a few workloads proves nothing */
static bool knows_too_little(struct proof *proof, int64_t dev)
{
	GPtrArray *streams = streams_of(proof, dev);
	bool little = !streams->len;

	for (unsigned int nr = 0; nr < streams->len; nr++)
		little |= ((const struct stream *)streams->pdata[nr])->doubts & 1u << STREAM_SHORT;
	g_ptr_array_free(streams, TRUE);
	return little;
}

static const char *why_not_tried(struct proof *proof, const struct finding *finding)
{
	if (!proof->simulator)
		return "Not tried: gvt-sim is not there";
	if (finding->rule->figure == FIGURE_NONE)
		return "Not tried: a simulation does not show what this finding is about";
	if (whatif_missing(proof->follow->trace))
		return "Not tried: events are missing from the trace";
	if (sets(finding, "boost_ms"))
		return "Not tried: what is simulated runs for long, without a boost";
	if (knows_too_little(proof, finding->dev))
		return "Not tried: too few workloads began and ended in the trace";
	return NULL;
}

static char *settle(struct proof *proof, struct finding *finding)
{
	GArray *trials = g_array_new(FALSE, FALSE, sizeof(struct trial));
	const char *why_not = why_not_tried(proof, finding);
	const struct trial *first;
	char *text;

	for (unsigned int nr = 0; !why_not && nr < finding->remedies->len; nr++)
		try_into(proof, finding, &g_array_index(finding->remedies, struct remedy, nr), trials);
	first = trials->len ? &g_array_index(trials, struct trial, 0) : NULL;
	if (first && !is_shown(finding, first->recorded, first->now)) {
		text = not_shown_text(finding, first);
	} else if (first) {
		/* idle engines concern every vGPU: compare all modes */
		if (finding->rule->figure == FIGURE_IDLE || !best_of(finding, trials)->help)
			try_modes(proof, finding, trials);
		text = conclude(proof, finding, trials);
	} else {
		text = g_strdup(why_not ? why_not : "Not tried: the trace shows too little of what is submitted");
	}
	g_array_free(trials, TRUE);
	return text;
}

void proof_settle(struct proof *proof, struct check *check)
{
	for (unsigned int nr = 0; nr < check->findings->len; nr++) {
		struct finding *finding = check->findings->pdata[nr];

		if (sets(finding, NULL))
			g_hash_table_insert(proof->tried, finding, settle(proof, finding));
	}
}

const char *proof_tried(const struct proof *proof, const struct finding *finding)
{
	return g_hash_table_lookup(proof->tried, finding);
}
