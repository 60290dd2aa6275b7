// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>

#include "analysis/streams.h"
#include "host/simulator.h"
#include "trace/engine.h"
#include "trace/util.h"
#include "comparison.h"
#include "proof.h"
#include "rehearsal.h"
#include "tally.h"
#include "whatif.h"

/* enough for a range, and soon done */
#define WINDOWS	5

struct proof {
	struct follow *follow;
	struct tally *now;
	struct streams *collected;
	const GPtrArray *streams;	/* NULL: not inferred yet */
	GHashTable *results;		/* settings as text -> struct whatif_result; NULL: cannot be simulated */
	char *simulator;
};

static void free_result(void *data)
{
	if (data)
		whatif_result_free(data);
}

struct proof *proof_new(struct follow *follow)
{
	struct proof *proof = g_new0(struct proof, 1);

	proof->simulator = simulator_path();
	if (!proof->simulator)
		fatal(SIMULATOR_MISSING);
	proof->follow = follow;
	proof->now = tally_new(follow->model, follow->window, 1, 0);
	proof->collected = streams_new(follow->model);
	tally_as_streams(proof->now, proof->collected);
	proof->results = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_result);
	return proof;
}

void proof_free(struct proof *proof)
{
	g_hash_table_destroy(proof->results);
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
		g_string_append_printf(text, " of vGPU %" PRId64, remedy->vgpu->id);
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

	if (!proof->streams)
		proof->streams = streams_infer(proof->collected, proof->follow->window);
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
		window_of(proof), NULL,
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

	whatif_init(&whatif);
	whatif.windows = WINDOWS;
	if (streams->len && fill_whatif(&whatif, remedy))
		result = whatif_run(&whatif, proof->simulator, &mixture, problem);
	whatif_clear(&whatif);
	clear_mixture(&mixture);
	return result;
}

static struct whatif_result *rehearse_gpu(struct proof *proof, int64_t dev, const GPtrArray *streams)
{
	struct mixture mixture = mixture_of(proof, dev, streams);
	struct whatif_result *result;
	struct whatif nothing;

	whatif_init(&nothing);
	nothing.windows = WINDOWS;
	result = rehearse(&nothing, &mixture, proof->simulator);
	whatif_clear(&nothing);
	clear_mixture(&mixture);
	return result;
}

/* what was recorded of a GPU, simulated once; NULL: it cannot be */
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

/* what a remedy was simulated with */
struct tried {
	char *settings;
	GPtrArray *streams;		/* struct stream, of its GPU */
	const struct whatif_result *rehearsed;	/* what was recorded of it; NULL: it cannot be simulated */
	struct whatif_result *result;	/* NULL: it cannot be simulated */
	char *problem;			/* what the trace lacks for that; NULL: nothing */
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

static const struct vgpu_engine *queue_now(const struct proof *proof, const struct stream *stream)
{
	const GPtrArray *queues = model_vgpu_engines(proof->follow->model);
	unsigned int nr = 0;

	while (((const struct vgpu_engine *)queues->pdata[nr])->vgpu != stream->vgpu ||
	       ((const struct vgpu_engine *)queues->pdata[nr])->engine != stream->engine)
		nr++;
	return queues->pdata[nr];
}

/* Where work can be taken off an engine matters only where that is done */
static bool has_doubt(const struct stream *stream, const struct whatif_result *result,
		      enum stream_doubt doubt)
{
	const struct sched_info *then = model_sched_info(result->model, 0);

	return stream->doubts & 1u << doubt &&
	       (!whatif_is_of_preemption(doubt) || !g_strcmp0(then->dispatch, "preemptive"));
}

static void print_doubts(const struct stream *stream, const struct whatif_result *result, FILE *out)
{
	for (enum stream_doubt doubt = 0; doubt < STREAM_DOUBTS; doubt++)
		if (has_doubt(stream, result, doubt))
			fprintf(out, "       doubtful: %s\n", stream_doubt_text(doubt));
}

static void print_change(const char *what, double now, double then, FILE *out)
{
	if (!isnan(now) && !isnan(then))
		fprintf(out, ", %s %.1f -> %.1f ms", what, now / NSEC_PER_MSEC,
			then / NSEC_PER_MSEC);
}

static struct compared_stream compared_of(const struct proof *proof, const struct tried *tried,
					  const struct stream *stream)
{
	return (struct compared_stream) {
		.stream = stream, .dev = stream->vgpu->dev, .id = stream->vgpu->id,
		.recorded = tally_of(proof->now, queue_now(proof, stream)->index, 0),
		.window_ns = window_of(proof), .result = tried->result,
		.rehearsed = tried->rehearsed,
	};
}

static void print_stream(struct proof *proof, const struct tried *tried, const struct stream *stream,
			 FILE *out)
{
	const struct compared_stream of = compared_of(proof, tried, stream);
	char engine[ENGINE_NAME_LEN];
	struct compared compared;

	if (!whatif_queue(tried->result, stream->vgpu->id, stream->engine))
		return;
	compare_stream(&of, &compared);
	fprintf(out, "     vGPU %s %s: %.1f -> %.1f %% of the time (%.1f to %.1f)",
		vgpu_name(stream->vgpu),
		engine_name(engine, stream->engine->class, stream->engine->instance),
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

static bool try_remedy(struct proof *proof, const struct remedy *remedy, struct tried *tried)
{
	if (!remedy->count || !known(remedy->dev))
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
	clear_tried(&tried);
}

static void add_json_line(void *lines, const void *line)
{
	json_array_append_new(lines, columns_to_json(comparison_columns, line));
}

static void add_json_doubts(const struct whatif_result *result, const struct stream *stream,
			    json_t *doubts)
{
	char engine[ENGINE_NAME_LEN];

	for (enum stream_doubt doubt = 0; doubt < STREAM_DOUBTS; doubt++)
		if (has_doubt(stream, result, doubt))
			json_array_append_new(doubts, json_pack("{s:I, s:I, s:s, s:s}",
				"dev", (json_int_t)stream->vgpu->dev,
				"vgpu_id", (json_int_t)stream->vgpu->id, "engine",
				engine_name(engine, stream->engine->class, stream->engine->instance),
				"what", stream_doubt_text(doubt)));
}

json_t *proof_json(struct proof *proof, const struct finding *finding, const struct remedy *remedy)
{
	struct compared_stream compared;
	json_t *lines, *doubts, *problem;
	struct tried tried = { 0 };

	if (!try_remedy(proof, remedy, &tried))
		return json_null();
	lines = json_array();
	doubts = json_array();
	for (unsigned int nr = 0; tried.result && nr < tried.streams->len; nr++) {
		if (!is_about(finding, tried.streams->pdata[nr]))
			continue;
		compared = compared_of(proof, &tried, tried.streams->pdata[nr]);
		compared_stream_each(&compared, add_json_line, lines);
		add_json_doubts(tried.result, tried.streams->pdata[nr], doubts);
	}
	problem = tried.problem ? json_string(tried.problem) : json_null();
	clear_tried(&tried);
	return json_pack("{s:i, s:o, s:o, s:o}", "windows", WINDOWS, "simulated", lines,
			 "doubts", doubts, "problem", problem);
}
