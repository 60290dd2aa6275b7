// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/supervise.h"
#include "output/progress.h"
#include "predict/prediction.h"
#include "trace/util.h"
#include "whatif/mix.h"
#include "suitability.h"

#define SUFFIX		".profile"
/* see trial.h */
#define STRETCH		1.05

struct engine_key {
	int64_t class, instance;
};

struct suitability {
	const struct fleet *fleet;
	const struct suitability_options *options;
	const char *simulator;
	GHashTable *profiles;		/* name => struct profile */
	GPtrArray *kinds;		/* struct vm_kind */
	GHashTable *kind_numbers;	/* profile, type and limit as text => number + 1 in kinds */
	GArray *engines;		/* struct engine_key: all that profiles have */
	double *shares;			/* see struct place_problem */
	unsigned int *kind_of;		/* by VM */
	GPtrArray *classes;		/* const struct fleet_host: first host of each class */
	struct place_vm *vms;
	struct place_host *hosts;
	GHashTable *verdicts;		/* class and kinds => struct verdict[] */
};

/* --- kinds ----------------------------------------------------------------------------- */

static struct profile *find_profile(struct suitability *suitability, const struct fleet_vm *vm)
{
	struct profile *profile = g_hash_table_lookup(suitability->profiles, vm->profile);
	char *path;

	if (profile)
		return profile;
	path = g_strdup_printf("%s/%s" SUFFIX, suitability->options->profiles, vm->profile);
	if (access(path, R_OK))
		fatal("%s:%u: profile: %s: %s; make it with 'gvt-stat profile'",
		      suitability->fleet->path, vm->line, path, strerror(errno));
	supervise_allow(path);
	profile = profile_read(path);
	supervise_alive();
	g_hash_table_insert(suitability->profiles, profile->name, profile);
	g_free(path);
	return profile;
}

static double demand_of(const struct profile *profile)
{
	double demand = 0;

	for (unsigned int nr = 0; nr < profile->streams->len; nr++) {
		const struct profile_stream *stream = profile->streams->pdata[nr];

		demand += (double)stream->solo.exec_ns / profile->window_ns;
	}
	return demand;
}

/*
 * A VM within its limit takes at most so long for what it did in the profile's window: each workload may take
 * longer than alone by what the limit leaves, and delay all behind it; pauses differ by up to 5 % (see trial.h).
 * A p95 leaves the slowest workloads without a limit.
 */
static double stretched_ns(const struct profile *profile, const struct qos *qos)
{
	double stretched_ns = STRETCH * profile->window_ns;

	if (qos->measure != MEASURE_MEAN)
		return INFINITY;
	for (unsigned int nr = 0; nr < profile->streams->len; nr++) {
		const struct profile_solo *solo =
			&((const struct profile_stream *)profile->streams->pdata[nr])->solo;
		double limit_ns = fmin(qos->factor * solo->mean_ns, qos->limit_ns);

		/* exec_ns has a part of one more, which was under way at the window's end */
		stretched_ns += (solo->completed + 1) * fmax(0, limit_ns - solo->mean_ns);
	}
	return stretched_ns;
}

static struct qos parse_qos(const struct suitability *suitability, const struct fleet_vm *vm)
{
	const char *text = vm->qos ? vm->qos : suitability->options->qos, *problem;
	struct qos qos;

	if (!text)
		fatal("%s:%u: qos: no limit is given; give one here such as qos=2x, or --qos for all",
		      suitability->fleet->path, vm->line);
	problem = qos_parse(text, &qos);
	if (!problem && known(qos.vgpu_id))
		problem = "give a limit without an id, such as 2x";
	if (problem && vm->qos)
		fatal("%s:%u: qos: %s", suitability->fleet->path, vm->line, problem);
	if (problem)
		usage_error("--qos %s: %s", text, problem);
	return qos;
}

static unsigned int find_kind(struct suitability *suitability, const struct fleet_vm *vm)
{
	struct vm_kind kind = {
		find_profile(suitability, vm), vm->type, parse_qos(suitability, vm), 0, 0,
	};
	char *key = g_strdup_printf("%s/%s/%s", vm->profile, vm->type->name, kind.qos.text);
	unsigned int number = GPOINTER_TO_UINT(g_hash_table_lookup(suitability->kind_numbers, key));

	if (number) {
		g_free(key);
		return number - 1;
	}
	kind.demand = demand_of(kind.profile);
	kind.stretched_ns = stretched_ns(kind.profile, &kind.qos);
	g_ptr_array_add(suitability->kinds, g_memdup2(&kind, sizeof(kind)));
	g_hash_table_insert(suitability->kind_numbers, key, GUINT_TO_POINTER(suitability->kinds->len));
	return suitability->kinds->len - 1;
}

/* --- classes of hosts -------------------------------------------------------------------- */

static bool same_settings(const struct fleet_host *one, const struct fleet_host *other)
{
	if (one->settings->len != other->settings->len)
		return false;
	for (unsigned int nr = 0; nr < one->settings->len; nr++)
		if (strcmp(one->settings->pdata[nr], other->settings->pdata[nr]))
			return false;
	return true;
}

static unsigned int find_class(struct suitability *suitability, const struct fleet_host *host)
{
	for (unsigned int nr = 0; nr < suitability->classes->len; nr++)
		if (same_settings(suitability->classes->pdata[nr], host))
			return nr;
	g_ptr_array_add(suitability->classes, (void *)host);
	return suitability->classes->len - 1;
}

/* --- sets ------------------------------------------------------------------------------------ */

static int compare_kinds(const void *a, const void *b)
{
	const struct verdict *one = a, *other = b;

	return one->kind < other->kind ? -1 : one->kind > other->kind;
}

/* keeps the engine that is nearest to its limit */
static void judge(struct verdict *verdict, const struct qos *qos, const struct predicted *predicted)
{
	struct qos_answer answer = qos_answer(qos, predicted);
	double strain = answer.expected_ns / answer.limit_ns;

	if (isnan(strain))
		strain = INFINITY;
	if (strain < verdict->strain)
		return;
	verdict->strain = strain;
	verdict->answer = answer;
}

/* the verdicts on a set as its prediction goes on */
struct judged {
	const struct suitability *suitability;
	struct verdict *verdicts;
	unsigned int count;
};

/* Returns whether one of them is beyond its limit already: it stays so, as the worst phase decides. */
static bool judge_all(void *ctx, const GArray *predicted)
{
	const struct judged *judged = ctx;
	bool beyond = false;

	for (unsigned int nr = 0; nr < judged->count; nr++)
		judged->verdicts[nr].strain = 0;
	for (unsigned int nr = 0; nr < predicted->len; nr++) {
		const struct predicted *of = &g_array_index(predicted, struct predicted, nr);
		struct verdict *verdict = &judged->verdicts[of->vgpu - 1];
		const struct vm_kind *kind = judged->suitability->kinds->pdata[verdict->kind];

		judge(verdict, &kind->qos, of);
		beyond |= verdict->strain > 1;
	}
	return beyond;
}

static void predict(struct suitability *suitability, unsigned int class,
		    struct verdict *verdicts, unsigned int count, bool whole)
{
	struct judged judged = { suitability, verdicts, count };
	const struct fleet_host *host = suitability->classes->pdata[class];
	struct profile *profiles[MIX_MOST_VGPUS];
	struct whatif whatif;
	GArray *predicted;

	whatif_init(&whatif);
	for (unsigned int nr = 0; nr < host->settings->len; nr += 2)
		whatif_set(&whatif, host->settings->pdata[nr], host->settings->pdata[nr + 1]);
	for (unsigned int nr = 0; nr < count; nr++) {
		const struct vm_kind *kind = suitability->kinds->pdata[verdicts[nr].kind];

		profiles[nr] = kind->profile;
		whatif_vgpu(&whatif, nr + 1)->weight = kind->type->weight;
	}
	predicted = prediction_run(profiles, count, &whatif, suitability->options->phases,
				   MODEL_SIMULATION, suitability->simulator,
				   whole ? NULL : judge_all, &judged);
	if (judge_all(&judged, predicted) && !whole)
		for (unsigned int nr = 0; nr < count; nr++)
			verdicts[nr].at_least = true;
	g_array_free(predicted, TRUE);
	whatif_clear(&whatif);
}

/* Fixed VMs may exceed the vGPUs of a GPU: their performance is then unknown. */
static void fill(struct suitability *suitability, unsigned int class, struct verdict *verdicts,
		 unsigned int count, bool whole)
{
	if (count <= MIX_MOST_VGPUS)
		predict(suitability, class, verdicts, count, whole);
	else
		verdicts[0].strain = INFINITY;
}

static GBytes *key_of(unsigned int class, const struct verdict *verdicts, unsigned int count)
{
	unsigned int *key = g_new(unsigned int, count + 1);

	key[0] = class;
	for (unsigned int nr = 0; nr < count; nr++)
		key[nr + 1] = verdicts[nr].kind;
	return g_bytes_new_take(key, (count + 1) * sizeof(*key));
}

const struct verdict *suitability_verdicts(struct suitability *suitability, unsigned int class,
					   const unsigned int *vms, unsigned int count, bool whole)
{
	struct verdict *verdicts = g_new0(struct verdict, count), *found;
	GBytes *key;

	for (unsigned int nr = 0; nr < count; nr++)
		verdicts[nr].kind = suitability->kind_of[vms[nr]];
	qsort(verdicts, count, sizeof(*verdicts), compare_kinds);
	key = key_of(class, verdicts, count);
	found = g_hash_table_lookup(suitability->verdicts, key);
	if (found && !(whole && found[0].at_least)) {
		g_free(verdicts);
		g_bytes_unref(key);
		return found;
	}
	progress_count("sets of VMs predicted", g_hash_table_size(suitability->verdicts));
	fill(suitability, class, verdicts, count, whole);
	g_hash_table_insert(suitability->verdicts, key, verdicts);
	return verdicts;
}

static double strain(void *ctx, unsigned int class, const unsigned int *vms, unsigned int count)
{
	const struct verdict *verdicts = suitability_verdicts(ctx, class, vms, count, false);
	double worst = 0;

	for (unsigned int nr = 0; nr < count; nr++)
		worst = fmax(worst, verdicts[nr].strain);
	return worst;
}

/* --- the problem for the search --------------------------------------------------------------- */

/* flavors follow the VMs, beyond the number of VMs that the search uses */
static unsigned int count_all(const struct fleet *fleet)
{
	return fleet->vms->len + fleet->flavors->len;
}

static unsigned int engine_number(const struct suitability *suitability, const struct gpu_engine *engine)
{
	unsigned int nr = 0;

	for (; nr < suitability->engines->len; nr++) {
		const struct engine_key *key = &g_array_index(suitability->engines, struct engine_key, nr);

		if (key->class == engine->class && key->instance == engine->instance)
			break;
	}
	return nr;
}

static void fill_vms(struct suitability *suitability)
{
	for (unsigned int nr = 0; nr < count_all(suitability->fleet); nr++) {
		const struct fleet_vm *vm = fleet_vm_at(suitability->fleet, nr);
		const struct vm_kind *kind;

		suitability->kind_of[nr] = find_kind(suitability, vm);
		kind = suitability->kinds->pdata[suitability->kind_of[nr]];
		suitability->vms[nr] = (struct place_vm) {
			.kind = suitability->kind_of[nr], .demand = kind->demand, .fixed = vm->host,
		};
		memcpy(suitability->vms[nr].needs, vm->type->needs, sizeof(vm->type->needs));
	}
}

static void fill_hosts(struct suitability *suitability)
{
	for (unsigned int nr = 0; nr < suitability->fleet->hosts->len; nr++) {
		const struct fleet_host *host = suitability->fleet->hosts->pdata[nr];

		suitability->hosts[nr].class = find_class(suitability, host);
		memcpy(suitability->hosts[nr].has, host->has, sizeof(host->has));
	}
}

static void note_engines(struct suitability *suitability, const struct profile *profile)
{
	for (unsigned int nr = 0; nr < profile->streams->len; nr++) {
		const struct gpu_engine *engine =
			&((const struct profile_stream *)profile->streams->pdata[nr])->engine;
		const struct engine_key key = { engine->class, engine->instance };

		if (engine_number(suitability, engine) == suitability->engines->len)
			g_array_append_val(suitability->engines, key);
	}
}

static void fill_shares(struct suitability *suitability)
{
	unsigned int engines;

	for (unsigned int nr = 0; nr < suitability->kinds->len; nr++)
		note_engines(suitability, ((const struct vm_kind *)suitability->kinds->pdata[nr])->profile);
	engines = suitability->engines->len;
	suitability->shares = g_new0(double, (size_t)count_all(suitability->fleet) * engines);
	for (unsigned int vm = 0; vm < count_all(suitability->fleet); vm++) {
		const struct vm_kind *kind = suitability->kinds->pdata[suitability->kind_of[vm]];

		for (unsigned int nr = 0; nr < kind->profile->streams->len; nr++) {
			const struct profile_stream *stream = kind->profile->streams->pdata[nr];

			suitability->shares[(size_t)vm * engines + engine_number(suitability, &stream->engine)] +=
				stream->solo.exec_ns / kind->stretched_ns;
		}
	}
}

static void free_profile(void *profile)
{
	profile_free(profile);
}

static void free_key(void *key)
{
	g_bytes_unref(key);
}

struct suitability *suitability_new(const struct fleet *fleet,
				    const struct suitability_options *options,
				    const char *simulator)
{
	struct suitability *suitability = g_new(struct suitability, 1);

	*suitability = (struct suitability) {
		.fleet = fleet, .options = options, .simulator = simulator,
		.profiles = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_profile),
		.kind_numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.engines = g_array_new(FALSE, FALSE, sizeof(struct engine_key)),
		.kinds = g_ptr_array_new_with_free_func(g_free),
		.kind_of = g_new(unsigned int, count_all(fleet)),
		.classes = g_ptr_array_new(),
		.vms = g_new(struct place_vm, count_all(fleet)),
		.hosts = g_new(struct place_host, fleet->hosts->len),
		.verdicts = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, free_key, g_free),
	};
	fill_vms(suitability);
	fill_hosts(suitability);
	fill_shares(suitability);
	return suitability;
}

void suitability_free(struct suitability *suitability)
{
	g_hash_table_destroy(suitability->verdicts);
	g_ptr_array_free(suitability->classes, TRUE);
	g_ptr_array_free(suitability->kinds, TRUE);
	g_hash_table_destroy(suitability->kind_numbers);
	g_hash_table_destroy(suitability->profiles);
	g_array_free(suitability->engines, TRUE);
	g_free(suitability->shares);
	g_free(suitability->kind_of);
	g_free(suitability->vms);
	g_free(suitability->hosts);
	g_free(suitability);
}

const GPtrArray *suitability_kinds(const struct suitability *suitability)
{
	return suitability->kinds;
}

unsigned int suitability_kind_of(const struct suitability *suitability, unsigned int vm)
{
	return suitability->kind_of[vm];
}

struct place_problem suitability_problem(struct suitability *suitability)
{
	return (struct place_problem) {
		.vms = suitability->vms, .nr_vms = suitability->fleet->vms->len,
		.hosts = suitability->hosts, .nr_hosts = suitability->fleet->hosts->len,
		.shares = suitability->shares, .nr_engines = suitability->engines->len,
		.strain = strain, .ctx = suitability,
	};
}
