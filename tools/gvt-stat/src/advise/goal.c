// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "analysis/waterfill.h"
#include "trace/timespan.h"
#include "trace/util.h"
#include "goal-energy.h"
#include "goal.h"

/* at least this ratio to the fair share counts as fair: windows differ by as much anyway */
#define FAIR_PERCENT	98.0

/* a latency that grows by more than this is worse: windows differ by as much anyway */
#define WORSE		1.05

/* the least differences that justify a change: of values in per cent, of costs as a ratio */
#define WORTH_LATENCY	1.0
#define WORTH_FAIR	0.5
#define WORTH_BUSY	0.5
#define WORTH_ENERGY	0.5
#define WORTH_COST	0.05

#define MJ_PER_J	1e3

/* a share of an engine below this, in per cent, is no demand */
#define LEAST_WANT	0.5

static const struct latency_word {
	const char *word;
	enum measure_id measure;
} latency_words[] = {
	{ "mean", MEASURE_MEAN },
	{ "p50", MEASURE_P50 },
	{ "p95", MEASURE_P95 },
	{ "p99", MEASURE_P99 },
	{ "worst", MEASURE_WORST },
};

/* demands and latencies in one case, see cases.h */
struct basis {
	char *name;			/* of the case; NULL: the most likely one */
	GArray *due;			/* double: fair share in per cent, by stream */
	GArray *base_ns;		/* double: mean latency now, by stream */
	struct energy_now *energy;	/* NULL unless the goal is energy */
};

struct judge {
	const struct goal *goal;
	const struct mix *mix;
	const struct coef *coef;	/* NULL unless the goal is energy */
	double most_cost;		/* the highest acceptable cost for other vGPUs */
	GPtrArray *bases;		/* struct basis; the first is the most likely case */
	double base_worst;		/* the "worst" score of the current settings */
	double off;			/* by which part their simulation misses the recording */
	double under;			/* the same if the simulation is below the recording, or 0 */
};

/* --- text ------------------------------------------------------------------------------ */

static const struct latency_word *find_word(const char *text, size_t len)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(latency_words); nr++)
		if (strlen(latency_words[nr].word) == len &&
		    !strncmp(latency_words[nr].word, text, len))
			return &latency_words[nr];
	return NULL;
}

static const char *parse_latency(const char *text, struct goal *goal)
{
	const struct latency_word *word = find_word(text, strcspn(text, ":"));
	char **parts = g_strsplit_set(text, ":=", 3);
	guint64 id = 0;
	int64_t limit_ns = 0;
	bool good = word && g_strv_length(parts) == 3 &&
		    g_ascii_string_to_unsigned(parts[1], 10, 1, MIX_MOST_VGPUS, &id, NULL) &&
		    timespan_length(parts[2], &limit_ns);

	g_strfreev(parts);
	*goal = (struct goal) {
		.kind = GOAL_LATENCY, .measure = word ? word->measure : MEASURE_P99,
		.vgpu_id = id, .limit_ns = limit_ns,
	};
	return good ? NULL : "give fair, throughput, energy, or mean, p50, p95, p99 or worst of a vGPU with a limit, such as p99:2=20ms";
}

static const struct {
	const char *word;
	enum goal_kind kind;
} plain_goals[] = {
	{ "fair", GOAL_FAIR }, { "throughput", GOAL_THROUGHPUT }, { "energy", GOAL_ENERGY },
};

const char *goal_parse(const char *text, struct goal *goal)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(plain_goals); nr++)
		if (!strcmp(text, plain_goals[nr].word)) {
			*goal = (struct goal) { .kind = plain_goals[nr].kind, .vgpu_id = UNKNOWN };
			return NULL;
		}
	return parse_latency(text, goal);
}

static const char *measure_word(enum measure_id measure)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(latency_words); nr++)
		if (latency_words[nr].measure == measure)
			return latency_words[nr].word;
	g_assert_not_reached();
}

char *goal_text(const struct goal *goal)
{
	switch (goal->kind) {
	case GOAL_LATENCY:
		return g_strdup_printf("%s latency of vGPU %" PRId64 " at most %.3f ms",
				       measure_word(goal->measure), goal->vgpu_id,
				       goal->limit_ns / NSEC_PER_MSEC);
	case GOAL_FAIR:
		return g_strdup("each vGPU gets its due of each engine (in %: what the worst-off vGPU gets of its due)");
	case GOAL_THROUGHPUT:
		return g_strdup("the engines execute as much as possible (in %: of the time)");
	case GOAL_ENERGY:
		return g_strdup("a finished workload takes as few joules as possible (in mJ: all that the GPU draws, by the work done)");
	}
	g_assert_not_reached();
}

char *goal_value_text(const struct goal *goal, double value)
{
	if (isnan(value) || isinf(value))
		return g_strdup("none");
	switch (goal->kind) {
	case GOAL_LATENCY:
		return g_strdup_printf("%.3f ms", value / NSEC_PER_MSEC);
	case GOAL_FAIR:
		return g_strdup_printf("%.1f %%", value);
	case GOAL_THROUGHPUT:
		return g_strdup_printf("%.2f %%", value);
	case GOAL_ENERGY:
		return g_strdup_printf("%.3f mJ", value * MJ_PER_J);
	}
	g_assert_not_reached();
}

/* --- fair shares ------------------------------------------------------------------------ */

static double share_then(const struct judge *judge, const struct whatif_result *result,
			 const struct stream *stream, unsigned int window)
{
	const struct vgpu_engine *queue =
		whatif_queue(result, mix_guest(judge->mix, stream)->id, stream->engine);
	int64_t length_ns = result->window_ns * (window == result->windows ? result->windows : 1);

	return queue ? 100.0 * tally_of(result->tally, queue->index, window)->exec_ns / length_ns : 0;
}

static void free_basis(void *data)
{
	struct basis *basis = data;

	g_array_free(basis->base_ns, TRUE);
	g_array_free(basis->due, TRUE);
	if (basis->energy)
		energy_now_free(basis->energy);
	g_free(basis->name);
	g_free(basis);
}

static struct basis *find_basis(const struct judge *judge, const char *name)
{
	for (unsigned int nr = 0; nr < judge->bases->len; nr++) {
		struct basis *basis = judge->bases->pdata[nr];

		if (!g_strcmp0(basis->name, name))
			return basis;
	}
	return NULL;
}

static struct basis *make_basis(struct judge *judge, const char *name)
{
	struct basis *basis = find_basis(judge, name);

	if (basis)
		return basis;
	basis = g_new0(struct basis, 1);
	basis->name = g_strdup(name);
	basis->due = g_array_new(FALSE, TRUE, sizeof(double));
	basis->base_ns = g_array_new(FALSE, TRUE, sizeof(double));
	g_array_set_size(basis->due, judge->mix->streams->len);
	g_array_set_size(basis->base_ns, judge->mix->streams->len);
	g_ptr_array_add(judge->bases, basis);
	return basis;
}

/* A case that the current settings do not have is compared with the most likely case. */
static const struct basis *basis_of(const struct judge *judge, const char *name)
{
	const struct basis *basis = find_basis(judge, name);

	return basis ? basis : judge->bases->pdata[0];
}

/* calls @call for the most likely case, then for all others */
static void each_case(struct judge *judge, const struct whatif_result *result,
		      void (*call)(struct judge *judge, const struct whatif_result *result))
{
	call(judge, result);
	for (unsigned int nr = 0; nr < result->others->len; nr++)
		call(judge, result->others->pdata[nr]);
}

static void note_wants(struct judge *judge, const struct whatif_result *result)
{
	struct basis *basis = make_basis(judge, result->name);

	for (unsigned int nr = 0; nr < judge->mix->streams->len; nr++) {
		const struct stream *stream = judge->mix->streams->pdata[nr];

		if (whatif_queue(result, mix_guest(judge->mix, stream)->id, stream->engine))
			g_array_index(basis->due, double, nr) =
				share_then(judge, result, stream, result->windows);
	}
}

/* A vGPU's demand for an engine is the share that the vGPU gets alone. */
static void learn_wants(struct judge *judge, const struct whatif_guest *guest,
			const char *simulator, const struct whatif *told)
{
	const struct mix *mix = judge->mix;
	struct whatif_result *result;
	struct whatif alone;

	whatif_copy(&alone, told);
	for (unsigned int nr = 0; nr < mix->guests->len; nr++) {
		const struct whatif_guest *other = &g_array_index(mix->guests, struct whatif_guest, nr);

		whatif_vgpu(&alone, other->id)->without = other != guest;
	}
	result = mix_simulate(mix, &alone, simulator);
	each_case(judge, result, note_wants);
	whatif_result_free(result);
	whatif_clear(&alone);
}

static bool same_engine(const struct gpu_engine *one, const struct gpu_engine *other)
{
	return one->class == other->class && one->instance == other->instance;
}

/* turns the demands for an engine into fair shares */
static void share_out(const struct judge *judge, struct basis *basis, const struct gpu_engine *engine)
{
	const GPtrArray *streams = judge->mix->streams;
	struct claim *claims = g_new0(struct claim, streams->len);

	for (unsigned int nr = 0; nr < streams->len; nr++) {
		const struct stream *stream = streams->pdata[nr];
		double weight = waterfill_weight(stream->vgpu->weight, stream->vgpu->set.nice);

		claims[nr] = (struct claim) {
			.want = same_engine(stream->engine, engine) ?
				g_array_index(basis->due, double, nr) : 0,
			.weight = isnan(weight) ? 1 : weight,
		};
	}
	waterfill(claims, streams->len, 100);
	for (unsigned int nr = 0; nr < streams->len; nr++)
		if (same_engine(((const struct stream *)streams->pdata[nr])->engine, engine))
			g_array_index(basis->due, double, nr) = claims[nr].due;
	g_free(claims);
}

static bool is_first_of_engine(const GPtrArray *streams, unsigned int nr)
{
	const struct gpu_engine *engine = ((const struct stream *)streams->pdata[nr])->engine;

	for (unsigned int before = 0; before < nr; before++)
		if (same_engine(((const struct stream *)streams->pdata[before])->engine, engine))
			return false;
	return true;
}

/* gvt-sim cannot simulate a vGPU without work */
static bool works(const struct mix *mix, const struct whatif_guest *guest)
{
	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (stream->vgpu == guest->vgpu && stream->work->len)
			return true;
	}
	return false;
}

static void share_out_all(const struct judge *judge, struct basis *basis)
{
	const GPtrArray *streams = judge->mix->streams;

	for (unsigned int nr = 0; nr < streams->len; nr++)
		if (is_first_of_engine(streams, nr))
			share_out(judge, basis, ((const struct stream *)streams->pdata[nr])->engine);
}

static void learn_due(struct judge *judge, const char *simulator, const struct whatif *told)
{
	const struct mix *mix = judge->mix;

	for (unsigned int nr = 0; nr < mix->guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(mix->guests, struct whatif_guest, nr);

		if (works(mix, guest))
			learn_wants(judge, guest, simulator, told);
	}
	for (unsigned int nr = 0; nr < judge->bases->len; nr++)
		share_out_all(judge, judge->bases->pdata[nr]);
}

struct judge *judge_new(const struct goal *goal, const struct mix *mix, const char *simulator,
			const struct whatif *told, const struct coef *coef, double others_percent)
{
	struct judge *judge = g_new0(struct judge, 1);

	judge->goal = goal;
	judge->mix = mix;
	judge->coef = coef;
	judge->most_cost = 1 + others_percent / 100;
	judge->base_worst = NAN;
	judge->bases = g_ptr_array_new_with_free_func(free_basis);
	make_basis(judge, NULL);
	if (goal->kind == GOAL_FAIR)
		learn_due(judge, simulator, told);
	return judge;
}

void judge_free(struct judge *judge)
{
	g_ptr_array_free(judge->bases, TRUE);
	g_free(judge);
}

/* --- scores ----------------------------------------------------------------------------- */

/* of a stream's queue in one window, or in all; false: the stream was not simulated */
static bool measure_then(const struct judge *judge, const struct whatif_result *result,
			 const struct stream *stream, unsigned int window, double values[MEASURES])
{
	const struct vgpu_engine *queue =
		whatif_queue(result, mix_guest(judge->mix, stream)->id, stream->engine);

	if (!queue)
		return false;
	measure_all(tally_of(result->tally, queue->index, window), result->window_ns, values);
	return true;
}

/* the longest on any engine; infinite if nothing completes */
static double latency_in(const struct judge *judge, const struct whatif_result *result,
			 unsigned int window)
{
	double longest = 0, values[MEASURES];

	for (unsigned int nr = 0; nr < judge->mix->streams->len; nr++) {
		const struct stream *stream = judge->mix->streams->pdata[nr];
		double value;

		if (!stream->work->len ||
		    mix_guest(judge->mix, stream)->id != judge->goal->vgpu_id ||
		    !measure_then(judge, result, stream, window, values))
			continue;
		value = values[judge->goal->measure];
		longest = fmax(longest, isnan(value) ? INFINITY : value);
	}
	return longest;
}

static double part_in(const struct judge *judge, const struct whatif_result *result,
		      unsigned int window)
{
	const struct basis *basis = basis_of(judge, result->name);
	double least = 100;

	for (unsigned int nr = 0; nr < judge->mix->streams->len; nr++) {
		double due = g_array_index(basis->due, double, nr);

		if (due >= LEAST_WANT)
			least = fmin(least, 100 * share_then(judge, result,
					judge->mix->streams->pdata[nr], window) / due);
	}
	return least;
}

static unsigned int engines_of(const struct mix *mix)
{
	unsigned int engines = 0;

	for (unsigned int nr = 0; nr < mix->streams->len; nr++)
		engines += is_first_of_engine(mix->streams, nr);
	return engines;
}

static double busy_in(const struct judge *judge, const struct whatif_result *result,
		      unsigned int window)
{
	double sum = 0;

	for (unsigned int nr = 0; nr < judge->mix->streams->len; nr++)
		sum += share_then(judge, result, judge->mix->streams->pdata[nr], window);
	return sum / engines_of(judge->mix);
}

typedef double (*value_fn)(const struct judge *judge, const struct whatif_result *result,
			   unsigned int window);

static const value_fn value_in[] = {
	[GOAL_LATENCY] = latency_in,
	[GOAL_FAIR] = part_in,
	[GOAL_THROUGHPUT] = busy_in,
};

static double mean_of(const struct judge *judge, const struct whatif_result *result,
		      const struct stream *stream)
{
	double values[MEASURES];

	return measure_then(judge, result, stream, result->windows, values) ?
	       values[MEASURE_MEAN] : NAN;
}

static void note_base(struct judge *judge, const struct whatif_result *result)
{
	struct basis *basis = make_basis(judge, result->name);

	for (unsigned int nr = 0; nr < judge->mix->streams->len; nr++)
		g_array_index(basis->base_ns, double, nr) =
			mean_of(judge, result, judge->mix->streams->pdata[nr]);
	if (judge->coef) {
		struct energy_use use = energy_use_simulated(judge->mix, judge->coef, result);

		basis->energy = energy_now_new(&use);
		energy_use_clear(&use);
	}
}

/* the cost for the goal's vGPU (@own), or the highest of all others */
static double cost_of(const struct judge *judge, const struct whatif_result *result, bool own)
{
	const struct basis *basis = basis_of(judge, result->name);
	double cost = NAN;

	for (unsigned int nr = 0; nr < judge->mix->streams->len; nr++) {
		const struct stream *stream = judge->mix->streams->pdata[nr];
		double base_ns = g_array_index(basis->base_ns, double, nr), then_ns;

		if (isnan(base_ns) || !(base_ns > 0) ||
		    (mix_guest(judge->mix, stream)->id == judge->goal->vgpu_id) != own)
			continue;
		then_ns = mean_of(judge, result, stream);
		cost = fmax(cost, isnan(then_ns) ? INFINITY : then_ns / base_ns);
	}
	return cost;
}

/* a latency or an energy */
static bool less_is_better(const struct goal *goal)
{
	return goal->kind == GOAL_LATENCY || goal->kind == GOAL_ENERGY;
}

bool goal_has_limit(const struct goal *goal)
{
	return goal->kind == GOAL_LATENCY || goal->kind == GOAL_FAIR;
}

/* cases take different energy now: each has the range of its change, as if now were as in the most likely case */
static struct score score_energy(const struct judge *judge, const struct whatif_result *result)
{
	const struct energy_now *now = basis_of(judge, result->name)->energy, *likely = basis_of(judge, NULL)->energy;
	struct energy_use use = energy_use_simulated(judge->mix, judge->coef, result);
	struct energy_each each = energy_each(now, &use, result->window_ns);
	double scale = likely->joules / now->joules, most = each.most * scale;

	energy_use_clear(&use);
	most = isnan(most) ? INFINITY : most;
	return (struct score) {
		.value = each.joules * scale, .least = each.least * scale, .most = most, .worst = most, .watts = each.watts,
		.cost = cost_of(judge, result, false), .own_cost = cost_of(judge, result, true),
	};
}

/* of a value in each window */
static struct score score_windows(const struct judge *judge, const struct whatif_result *result)
{
	value_fn value = value_in[judge->goal->kind];
	double *values = g_new(double, result->windows);
	struct score score = {
		.value = value(judge, result, result->windows),
		.cost = cost_of(judge, result, false), .own_cost = cost_of(judge, result, true),
		.watts = NAN,
	};

	for (unsigned int nr = 0; nr < result->windows; nr++)
		values[nr] = value(judge, result, nr);
	measure_reach(values, result->windows, &score.least, &score.most);
	g_free(values);
	if (judge->goal->kind != GOAL_LATENCY)
		score.most = fmin(score.most, 100);
	/* quantiles over all windows may be rounded more coarsely than those of one window */
	score.least = fmin(score.least, score.value);
	score.most = fmax(score.most, score.value);
	score.worst = judge->goal->kind == GOAL_LATENCY ? score.most : score.value;
	return score;
}

/* scores one case, without rank */
static struct score score_case(const struct judge *judge, const struct whatif_result *result)
{
	return judge->coef ? score_energy(judge, result) : score_windows(judge, result);
}

/* assumes the error of the current settings' simulation for others, too */
static bool reaches(const struct judge *judge, double worst)
{
	const struct goal *goal = judge->goal;

	return (goal->kind == GOAL_LATENCY && worst * (1 + judge->under) <= goal->limit_ns) ||
	       (goal->kind == GOAL_FAIR && worst >= FAIR_PERCENT);
}

static enum score_rank rank_of(const struct judge *judge, const struct score *score,
			       double likeliest_worst)
{
	const struct goal *goal = judge->goal;

	if (fmax(score->cost, score->own_cost) > judge->most_cost ||
	    (goal->kind == GOAL_LATENCY && score->worst > judge->base_worst * WORSE))
		return SCORE_HARMFUL;
	if (reaches(judge, score->worst))
		return SCORE_MET;
	return reaches(judge, likeliest_worst) ? SCORE_POSSIBLE : SCORE_SHORT;
}

struct score judge_score(const struct judge *judge, const struct whatif_result *result)
{
	struct score score = score_case(judge, result);
	double likeliest_worst = score.worst;

	for (unsigned int nr = 0; nr < result->others->len; nr++) {
		struct score other = score_case(judge, result->others->pdata[nr]);

		score.least = fmin(score.least, other.least);
		score.most = fmax(score.most, other.most);
		score.cost = fmax(score.cost, other.cost);
		score.own_cost = fmax(score.own_cost, other.own_cost);
		score.worst = less_is_better(judge->goal) ? fmax(score.worst, other.worst) :
							    fmin(score.worst, other.worst);
	}
	score.rank = rank_of(judge, &score, likeliest_worst);
	if (isfinite(score.least))
		score.least *= fmax(1 - judge->off, 0);
	score.most *= 1 + judge->off;
	if (judge->goal->kind == GOAL_LATENCY)
		score.worst *= 1 + judge->under;
	else if (judge->goal->kind == GOAL_ENERGY)
		score.worst = score.most;
	else
		score.most = fmin(score.most, 100);
	return score;
}

/* the longest recorded latency on any engine */
static double recorded_latency(const struct judge *judge)
{
	double longest = NAN, values[MEASURES];

	for (unsigned int nr = 0; nr < judge->mix->streams->len; nr++) {
		const struct stream *stream = judge->mix->streams->pdata[nr];
		const struct whatif_guest *guest = mix_guest(judge->mix, stream);

		if (guest->id != judge->goal->vgpu_id)
			continue;
		measure_all(mix_recorded(judge->mix, stream), guest->window_ns, values);
		longest = fmax(longest, values[judge->goal->measure]);
	}
	return longest;
}

static double recorded_share(const struct judge *judge, const struct stream *stream)
{
	return 100.0 * mix_recorded(judge->mix, stream)->exec_ns / judge->mix->window_ns;
}

static double recorded_energy(const struct judge *judge, const struct energy_now *now)
{
	struct energy_use use = energy_use_recorded(judge->mix, judge->coef);
	double joules = energy_each(now, &use, judge->mix->window_ns).joules;

	energy_use_clear(&use);
	return joules;
}

double judge_recorded(const struct judge *judge)
{
	const struct basis *basis = judge->bases->pdata[0];
	double least = 100, sum = 0;

	if (judge->goal->kind == GOAL_LATENCY)
		return recorded_latency(judge);
	if (judge->coef)
		return recorded_energy(judge, basis->energy);
	for (unsigned int nr = 0; nr < judge->mix->streams->len; nr++) {
		double share = recorded_share(judge, judge->mix->streams->pdata[nr]);
		double due = g_array_index(basis->due, double, nr);

		sum += share;
		if (due >= LEAST_WANT)
			least = fmin(least, 100 * share / due);
	}
	return judge->goal->kind == GOAL_FAIR ? least : sum / engines_of(judge->mix);
}

void judge_base(struct judge *judge, const struct whatif_result *result)
{
	struct score base;
	double off;

	each_case(judge, result, note_base);
	base = judge_score(judge, result);
	judge->base_worst = base.worst;
	off = judge_recorded(judge) / base.value - 1;
	/* a part of the fair share is no time, to which an error would be in proportion */
	if (!isfinite(off) || judge->goal->kind == GOAL_FAIR)
		return;
	judge->off = fabs(off);
	judge->under = fmax(off, 0);
}

/* --- comparison -------------------------------------------------------------------------- */

/* counts an unknown cost as none */
static bool costs_less(const struct score *one, const struct score *other)
{
	return fmax(one->cost, 0) < fmax(other->cost, 0) * (1 - WORTH_COST);
}

static bool shorter(const struct score *one, const struct score *other)
{
	return one->worst < other->worst * (1 - WORTH_LATENCY / 100);
}

/* if both may meet the goal, prefers the lower cost for others; otherwise the nearer one */
static bool prefers_latency(const struct score *one, const struct score *other)
{
	if (one->rank >= SCORE_POSSIBLE && (costs_less(one, other) || costs_less(other, one)))
		return costs_less(one, other);
	if (one->rank == SCORE_MET)
		return false;
	return shorter(one, other) || (!shorter(other, one) && costs_less(one, other));
}

/* prefers the larger value; if values hardly differ, the lower cost */
static bool prefers_value(const struct score *one, const struct score *other, double worth)
{
	if (fabs(one->worst - other->worst) > worth)
		return one->worst > other->worst;
	return costs_less(one, other) && one->worst > other->worst - worth;
}

/* prefers the smaller energy; if energies hardly differ, the lower cost */
static bool prefers_energy(const struct score *one, const struct score *other)
{
	double worth = WORTH_ENERGY / 100 * other->value;

	if (!(fabs(one->worst - other->worst) <= worth))
		return one->worst < other->worst;
	return costs_less(one, other) && one->worst < other->worst + worth;
}

bool goal_nearer(const struct goal *goal, const struct score *one, const struct score *other)
{
	if (goal->kind == GOAL_LATENCY)
		return shorter(one, other);
	/* the range of one is its change from the other's value */
	if (goal->kind == GOAL_ENERGY)
		return one->worst < other->value * (1 - WORTH_ENERGY / 100);
	return one->worst > other->worst + (goal->kind == GOAL_FAIR ? WORTH_FAIR : WORTH_BUSY);
}

bool goal_likely_nearer(const struct goal *goal, const struct score *one, const struct score *other)
{
	struct score likely[] = { *one, *other };

	likely[0].worst = one->value;
	likely[1].worst = other->value;
	return goal_nearer(goal, &likely[0], &likely[1]);
}

bool goal_prefers(const struct goal *goal, const struct score *one, const struct score *other)
{
	if (one->rank != other->rank)
		return one->rank > other->rank;
	if (goal->kind == GOAL_LATENCY)
		return prefers_latency(one, other);
	if (goal->kind == GOAL_ENERGY)
		return prefers_energy(one, other);
	return prefers_value(one, other, goal->kind == GOAL_FAIR ? WORTH_FAIR : WORTH_BUSY);
}
