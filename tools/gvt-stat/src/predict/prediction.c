// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "host/supervise.h"
#include "trace/util.h"
#include "whatif/cases.h"
#include "fcfs.h"
#include "outlook.h"
#include "prediction.h"
#include "trial.h"

/* simulate the other cases in every 5th phase only */
#define CASES_EACH	5

double degradation(double beside_ns, double alone_ns)
{
	return (beside_ns - alone_ns) / alone_ns;
}

/* --- settings --------------------------------------------------------------------------- */

/*
 * starts from the first profile's settings; no start boost, as the applications have run for long
 */
static void combine(struct whatif *to, const struct whatif *from, const struct profile *first)
{
	whatif_init(to);
	to->windows = 1;
	for (unsigned int nr = 0; nr < first->settings->len; nr += 2)
		if (strcmp(first->settings->pdata[nr], "boost_ms"))
			whatif_set(to, first->settings->pdata[nr], first->settings->pdata[nr + 1]);
	for (unsigned int nr = 0; nr < from->settings->len; nr += 2)
		whatif_set(to, from->settings->pdata[nr], from->settings->pdata[nr + 1]);
	for (unsigned int nr = 0; nr < from->vgpus->len; nr++) {
		const struct whatif_vgpu *vgpu = &g_array_index(from->vgpus, struct whatif_vgpu, nr);

		*whatif_vgpu(to, vgpu->id) = *vgpu;
	}
}

/* --- results ------------------------------------------------------------------------------ */

static void measure_in(const struct predicted *predicted, const struct whatif_result *result,
		       double values[MEASURES])
{
	const struct vgpu_engine *queue =
		whatif_queue(result, predicted->vgpu, &predicted->stream->engine);

	for (int id = 0; id < MEASURES; id++)
		values[id] = NAN;
	if (queue)
		measure_all(tally_of(result->tally, queue->index, 0), result->window_ns, values);
}

/* predicts each of @all in a phase */
typedef void (*predict_fn)(const struct trial *trial, const struct whatif *whatif,
			   const char *simulator, const GArray *all, struct outlook *const *outlooks);

static void note(unsigned int phase, const struct whatif_result *result, const GArray *all,
		 struct outlook *const *outlooks)
{
	for (unsigned int nr = 0; nr < all->len; nr++) {
		double values[MEASURES];

		measure_in(&g_array_index(all, struct predicted, nr), result, values);
		outlook_add(outlooks[nr], phase, result->name, values);
	}
}

static void simulate(const struct trial *trial, const struct whatif *whatif, const char *simulator,
		     const GArray *all, struct outlook *const *outlooks)
{
	const struct mixture mixture = {
		&sched_info_unknown, trial->guests, trial->streams, trial->window_ns,
		trial->memory, NULL,
	};
	char *problem;
	struct whatif_result *result = (trial->number % CASES_EACH ? whatif_run : cases_run)
					(whatif, simulator, &mixture, &problem);

	if (!result)
		fatal("%s", problem);
	note(trial->number, result, all, outlooks);
	for (unsigned int other = 0; other < result->others->len; other++)
		note(trial->number, result->others->pdata[other], all, outlooks);
	whatif_result_free(result);
}

static void replay(const struct trial *trial, const struct whatif *whatif, const char *simulator,
		   const GArray *all, struct outlook *const *outlooks)
{
	GArray *cells = fcfs_replay(whatif, trial->guests, trial->streams, WHATIF_WARMUP_NS,
				    trial->window_ns);

	(void)simulator;
	for (unsigned int nr = 0; nr < all->len; nr++) {
		double values[MEASURES];

		measure_all(&g_array_index(cells, struct tally_cell, nr), trial->window_ns, values);
		outlook_add(outlooks[nr], trial->number, NULL, values);
	}
	fcfs_free(cells);
}

static const predict_fn models[MODELS] = {
	[MODEL_SIMULATION] = simulate,
	[MODEL_PROPHET] = replay,
};

static GArray *nothing_yet(struct profile *const *profiles, unsigned int count)
{
	GArray *all = g_array_new(FALSE, TRUE, sizeof(struct predicted));

	for (unsigned int nr = 0; nr < count; nr++)
		for (unsigned int pos = 0; pos < profiles[nr]->streams->len; pos++) {
			const struct predicted predicted = {
				.vgpu = nr + 1, .stream = profiles[nr]->streams->pdata[pos],
			};

			g_array_append_val(all, predicted);
		}
	return all;
}

static int64_t longest_window(struct profile *const *profiles, unsigned int count)
{
	int64_t window_ns = 0;

	for (unsigned int nr = 0; nr < count; nr++)
		window_ns = MAX(window_ns, profiles[nr]->window_ns);
	return window_ns;
}

static void conclude(struct predicted *predicted, const struct outlook *outlook, int64_t window_ns)
{
	double alone_ns = predicted->stream->solo.mean_ns;
	const struct spread *mean = &predicted->measures[MEASURE_MEAN];

	outlook_conclude(outlook, window_ns, predicted);
	predicted->degradation = (struct spread) {
		degradation(mean->mean, alone_ns), degradation(mean->least, alone_ns),
		degradation(mean->most, alone_ns),
	};
}

static void conclude_all(GArray *all, struct outlook *const *outlooks, int64_t window_ns)
{
	for (unsigned int nr = 0; nr < all->len; nr++)
		conclude(&g_array_index(all, struct predicted, nr), outlooks[nr], window_ns);
}

GArray *prediction_run(struct profile *const *profiles, unsigned int count,
		       const struct whatif *whatif, unsigned int phases,
		       enum prediction_model model, const char *simulator,
		       prediction_enough_fn enough, void *ctx)
{
	int64_t window_ns = longest_window(profiles, count);
	GArray *all = nothing_yet(profiles, count);
	struct outlook **outlooks = g_new(struct outlook *, all->len);
	struct whatif combined;

	for (unsigned int nr = 0; nr < all->len; nr++)
		outlooks[nr] = outlook_new();
	combine(&combined, whatif, profiles[0]);
	for (unsigned int number = 0; number < phases; number++) {
		struct trial trial;

		trial_begin(&trial, profiles, count, number, phases, &combined);
		models[model](&trial, &combined, simulator, all, outlooks);
		trial_end(&trial);
		supervise_alive();
		if (!enough)
			continue;
		conclude_all(all, outlooks, window_ns);
		if (enough(ctx, all))
			break;
	}
	conclude_all(all, outlooks, window_ns);
	for (unsigned int nr = 0; nr < all->len; nr++)
		outlook_free(outlooks[nr]);
	g_free(outlooks);
	whatif_clear(&combined);
	return all;
}
