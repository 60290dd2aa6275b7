// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/supervise.h"
#include "trace/settings.h"
#include "trace/util.h"
#include "search.h"

/* number of best attempts around which other settings are tried */
#define NEIGHBOURHOODS	2

/* a setting, and the values to try; the others stay unchanged */
struct dimension {
	const char *name;
	const char *const *values;
	bool (*matters)(const char *policy);	/* does the setting have an effect under @policy? */
};

static bool always(const char *policy)
{
	(void)policy;
	return true;
}

static bool is_fair(const char *policy)
{
	return !strcmp(policy, "fair");
}

static bool is_sliced(const char *policy)
{
	return !is_fair(policy);
}

/* smaller and larger values of each setting; tests/limits.t of gvt-sim parses this table */
static const struct dimension dimensions[] = {
	{ "period_ms", (const char *const []){ "20", "50", "100", "200", NULL }, always },
	{ "carry_over", (const char *const []){ "0", "1", NULL }, is_sliced },
	{ "leftover_max_ms", (const char *const []){ "0", "100", "1000", NULL }, is_sliced },
	{ "anticipation_ms", (const char *const []){ "0", "5", "20", "50", NULL }, is_fair },
	{ "max_wait_ms", (const char *const []){ "100", "300", "1000", "1900", NULL }, is_fair },
};

static const int64_t nices[] = { -5, -10, -20 };

/* state of a search */
struct searcher {
	const struct goal *goal;
	const struct mix *mix;
	struct judge *judge;
	const char *simulator;
	const struct whatif *told;
	struct search *search;
	GHashTable *tried;		/* texts of the changes, as in struct attempt */
};

static void free_attempt(void *data)
{
	struct attempt *attempt = data;

	whatif_clear(&attempt->whatif);
	g_free(attempt->text);
	g_free(attempt);
}

/* --- an attempt --------------------------------------------------------------------------- */

/* describes and counts the changes */
static void describe(struct attempt *attempt, const struct sched_info *info)
{
	GString *text = g_string_new(NULL);

	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++) {
		char *now = sched_setting(info, desc->name);
		char *then = whatif_value(&attempt->whatif, info, desc->name);

		if (g_strcmp0(now, then)) {
			g_string_append_printf(text, "%s%s=%s", text->len ? " " : "", desc->name,
					       then);
			attempt->changes++;
		}
		g_free(then);
		g_free(now);
	}
	for (unsigned int nr = 0; nr < attempt->whatif.vgpus->len; nr++) {
		const struct whatif_vgpu *vgpu =
			&g_array_index(attempt->whatif.vgpus, struct whatif_vgpu, nr);

		if (!known(vgpu->nice))
			continue;
		g_string_append_printf(text, "%snice=%" PRId64 " of vGPU %" PRId64,
				       text->len ? " " : "", vgpu->nice, vgpu->id);
		attempt->changes++;
	}
	attempt->text = g_string_free(text, FALSE);
}

static void show_progress(const struct search *search)
{
	supervise_alive();
	if (can_draw(STDERR_FILENO))
		fprintf(stderr, "\rgvt-stat: %u settings simulated\033[K", search->attempts->len);
}

/* However cheap, an attempt must meet the goal or come nearer to it. */
static bool gains(const struct searcher *searcher, const struct attempt *attempt)
{
	const struct score *now = &search_as_it_is(searcher->search)->score;

	return attempt->score.rank > now->rank || goal_nearer(searcher->goal, &attempt->score, now);
}

/* Among equally good settings, the first one stays: it has the fewest changes. */
static void choose(struct searcher *searcher, const struct attempt *attempt)
{
	struct search *search = searcher->search;

	if (!search->best || (gains(searcher, attempt) &&
			      goal_prefers(searcher->goal, &attempt->score, &search->best->score)))
		search->best = attempt;
}

/* takes @attempt; NULL: these settings were tried before */
static struct attempt *try(struct searcher *searcher, struct attempt *attempt)
{
	struct search *search = searcher->search;
	struct whatif_result *result;

	describe(attempt, searcher->mix->info);
	if (!g_hash_table_add(searcher->tried, g_strdup(attempt->text))) {
		free_attempt(attempt);
		return NULL;
	}
	result = mix_simulate(searcher->mix, &attempt->whatif, searcher->simulator);
	if (!search->attempts->len)
		judge_base(searcher->judge, result);
	attempt->score = judge_score(searcher->judge, result);
	whatif_result_free(result);
	g_ptr_array_add(search->attempts, attempt);
	choose(searcher, attempt);
	show_progress(search);
	return attempt;
}

/* @other: NULL: the current settings */
static struct attempt *attempt_like(const struct searcher *searcher, const struct attempt *other)
{
	struct attempt *attempt = g_new0(struct attempt, 1);

	whatif_copy(&attempt->whatif, other ? &other->whatif : searcher->told);
	return attempt;
}

static void try_setting(struct searcher *searcher, const struct attempt *around,
			const char *name, const char *value)
{
	struct attempt *attempt = attempt_like(searcher, around);

	whatif_set(&attempt->whatif, name, value);
	try(searcher, attempt);
}

/* --- the search ----------------------------------------------------------------------------- */

/* the values of a setting that is a word; the caller frees */
static char **words_of(const char *setting)
{
	const struct setting_desc *desc = settings_of_gpus;

	while (strcmp(desc->name, setting))
		desc++;
	return g_strsplit(desc->range, ", ", 0);
}

static void try_mode(struct searcher *searcher, const char *policy, const char *dispatch)
{
	struct attempt *attempt = attempt_like(searcher, NULL);

	whatif_set(&attempt->whatif, "policy", policy);
	whatif_set(&attempt->whatif, "dispatch", dispatch);
	try(searcher, attempt);
}

static void try_modes(struct searcher *searcher)
{
	char **policies = words_of("policy"), **dispatches = words_of("dispatch");

	for (char **policy = policies; *policy; policy++)
		for (char **dispatch = dispatches; *dispatch; dispatch++)
			try_mode(searcher, *policy, *dispatch);
	g_strfreev(dispatches);
	g_strfreev(policies);
}

/* skips settings that the trace does not contain: the kernel may not have them */
static void try_values(struct searcher *searcher, const struct attempt *around,
		       const struct dimension *dimension)
{
	char *now = whatif_value(&around->whatif, searcher->mix->info, dimension->name);

	for (const char *const *value = dimension->values; now && *value; value++)
		if (strcmp(*value, now))
			try_setting(searcher, around, dimension->name, *value);
	g_free(now);
}

static void try_around(struct searcher *searcher, const struct attempt *around)
{
	char *policy = whatif_value(&around->whatif, searcher->mix->info, "policy");

	for (size_t nr = 0; nr < G_N_ELEMENTS(dimensions); nr++)
		if (dimensions[nr].matters(policy))
			try_values(searcher, around, &dimensions[nr]);
	g_free(policy);
}

/* the best attempt that is not one of @better */
static const struct attempt *next_best(const struct searcher *searcher,
				       const struct attempt *const *better, unsigned int count)
{
	const struct attempt *best = NULL;

	for (unsigned int nr = 0; nr < searcher->search->attempts->len; nr++) {
		const struct attempt *attempt = searcher->search->attempts->pdata[nr];
		bool is_better = false;

		for (unsigned int of = 0; of < count; of++)
			is_better |= better[of] == attempt;
		if (!is_better && (!best || goal_prefers(searcher->goal, &attempt->score,
							 &best->score)))
			best = attempt;
	}
	return best;
}

static void try_neighbours(struct searcher *searcher)
{
	const struct attempt *around[NEIGHBOURHOODS];
	unsigned int count = 0;

	while (count < NEIGHBOURHOODS && (around[count] = next_best(searcher, around, count)))
		count++;
	for (unsigned int nr = 0; nr < count; nr++)
		try_around(searcher, around[nr]);
}

/* the last resort, as other vGPUs lose the share that a nicer vGPU gains */
static void try_nices(struct searcher *searcher)
{
	const struct attempt *around = searcher->search->best;

	for (size_t nr = 0; nr < G_N_ELEMENTS(nices); nr++) {
		struct attempt *attempt = attempt_like(searcher, around);

		whatif_vgpu(&attempt->whatif, searcher->goal->vgpu_id)->nice = nices[nr];
		try(searcher, attempt);
		if (searcher->search->best->score.rank == SCORE_MET)
			return;
	}
}

struct search *search_run(const struct goal *goal, const struct mix *mix, struct judge *judge,
			  const char *simulator, const struct whatif *told)
{
	struct search *search = g_new0(struct search, 1);
	struct searcher searcher = { goal, mix, judge, simulator, told, search,
				     g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };

	search->attempts = g_ptr_array_new_with_free_func(free_attempt);
	try(&searcher, attempt_like(&searcher, NULL));
	if (search->best->score.rank != SCORE_MET) {
		try_modes(&searcher);
		try_neighbours(&searcher);
	}
	if (search->best->score.rank != SCORE_MET && goal->kind == GOAL_LATENCY)
		try_nices(&searcher);
	if (can_draw(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	g_hash_table_destroy(searcher.tried);
	return search;
}

const struct attempt *search_likely(const struct search *search, const struct goal *goal, bool harmful)
{
	const struct attempt *likely = search_as_it_is(search);

	for (unsigned int nr = 1; nr < search->attempts->len; nr++) {
		const struct attempt *attempt = search->attempts->pdata[nr];

		if ((harmful || attempt->score.rank != SCORE_HARMFUL) &&
		    goal_likely_nearer(goal, &attempt->score, &likely->score))
			likely = attempt;
	}
	return likely == search_as_it_is(search) ? NULL : likely;
}

void search_free(struct search *search)
{
	g_ptr_array_free(search->attempts, TRUE);
	g_free(search);
}

const struct attempt *search_as_it_is(const struct search *search)
{
	return search->attempts->pdata[0];
}
