// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One stream as it was recorded and as it is simulated.
 */
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics.h>

#include "trace/util.h"
#include "forecast.h"

static void set_unknown(double values[MEASURES])
{
	for (int id = 0; id < MEASURES; id++)
		values[id] = NAN;
}

static void widen(struct compared *compared, int id, double least, double most)
{
	compared->least[id] = fmin(compared->least[id], least);
	compared->most[id] = fmax(compared->most[id], most);
}

/* the known values of each window, by measure */
struct windows {
	double *values[MEASURES];
	unsigned int known[MEASURES];
};

static void measure_windows(const struct whatif_result *result, const struct tally_cell *cells,
			    struct windows *windows)
{
	double values[MEASURES];

	*windows = (struct windows) { 0 };
	for (int id = 0; id < MEASURES; id++)
		windows->values[id] = g_new(double, result->windows);
	for (unsigned int nr = 0; nr < result->windows; nr++) {
		measure_all(&cells[nr], result->window_ns, values);
		for (int id = 0; id < MEASURES; id++)
			if (!isnan(values[id]))
				windows->values[id][windows->known[id]++] = values[id];
	}
}

static void clear_windows(struct windows *windows)
{
	for (int id = 0; id < MEASURES; id++)
		g_free(windows->values[id]);
}

/* sorts the windows */
static void widen_by_windows(struct windows *windows, struct compared *compared)
{
	double least, most;

	for (int id = 0; id < MEASURES; id++) {
		if (!windows->known[id])
			continue;
		measure_reach(windows->values[id], windows->known[id], &least, &most);
		widen(compared, id, least, most);
	}
}

/*
 * The median of the windows, which are sorted, stands for one window as long as the trace. Windows
 * in which vGPUs lock to each other in different phases differ, and a quantile over all windows
 * would only show the worst windows.
 */
static void measure_typical(const struct windows *windows, double then[MEASURES])
{
	for (int id = MEASURE_MEAN; id < MEASURES; id++)
		then[id] = windows->known[id] ?
			   gsl_stats_median_from_sorted_data(windows->values[id], 1, windows->known[id]) : NAN;
}

/* one cell for each window, then one for all windows; NULL: unknown */
static const struct tally_cell *host_cells(const struct whatif_result *result,
					   const struct gpu_engine *engine, int64_t holder)
{
	const GPtrArray *engines = model_engines(result->model);

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *of = engines->pdata[nr];

		if (of->class == engine->class && of->instance == engine->instance)
			return tally_host(result->tally, of, holder);
	}
	return NULL;
}

static const struct tally_cell *cells_of(const struct whatif_result *result,
					 const struct forecast_stream *of)
{
	const struct vgpu_engine *queue;

	if (of->host)
		return host_cells(result, of->host, of->id);
	queue = whatif_queue(result, of->id, of->stream->engine);
	return queue ? tally_of(result->tally, queue->index, 0) : NULL;
}

static void measure_result(const struct forecast_stream *of, const struct whatif_result *result,
			   const struct tally_cell *cells, struct compared *compared)
{
	struct windows windows;

	measure_windows(result, cells, &windows);
	widen_by_windows(&windows, compared);
	measure_all(&cells[result->windows], result->windows * result->window_ns, compared->then);
	if (!of->whole)
		measure_typical(&windows, compared->then);
	for (int id = 0; of->whole && id < MEASURES; id++)
		widen(compared, id, compared->then[id], compared->then[id]);
	clear_windows(&windows);
}

/* another case is possible, too, if less likely */
static void widen_by(const struct whatif_result *other, const struct forecast_stream *of,
		     struct compared *compared)
{
	const struct tally_cell *cells = cells_of(other, of);
	struct windows windows;

	if (!cells)
		return;
	measure_windows(other, cells, &windows);
	widen_by_windows(&windows, compared);
	clear_windows(&windows);
}

static void measure_queue(const struct whatif_result *result, const struct forecast_stream *of,
			  struct compared *compared)
{
	const struct tally_cell *cells = result ? cells_of(result, of) : NULL;

	set_unknown(compared->then);
	set_unknown(compared->least);
	set_unknown(compared->most);
	if (cells)
		measure_result(of, result, cells, compared);
	for (unsigned int nr = 0; cells && nr < result->others->len; nr++)
		widen_by(result->others->pdata[nr], of, compared);
}

/* --- errors of the rehearsal --------------------------------------------------------------- */

/*
 * No change: the ranges of both simulations overlap, and the simulations differ by less than the
 * rehearsal differs from the recording.
 */
static bool is_no_change(const struct compared *compared, const struct compared *rehearsed, int id)
{
	return rehearsed->least[id] <= compared->most[id] &&
	       compared->least[id] <= rehearsed->most[id] &&
	       fabs(compared->then[id] - rehearsed->then[id]) <=
	       fabs(compared->now[id] - rehearsed->then[id]);
}

/* assumes the error of the rehearsal for other simulations, too */
static void correct(const struct forecast_stream *of, struct compared *compared,
		    const struct compared *rehearsed)
{
	for (int id = 0; id < MEASURES; id++) {
		double off = fabs(compared->now[id] / rehearsed->then[id] - 1);

		if (!isfinite(off) || isnan(compared->then[id]))
			continue;
		if (!of->whole && is_no_change(compared, rehearsed, id))
			compared->then[id] = compared->now[id];
		compared->least[id] = fmin(compared->least[id] * fmax(1 - off, 0), compared->then[id]);
		compared->most[id] = fmax(compared->most[id] * (1 + off), compared->then[id]);
	}
	compared->most[MEASURE_SHARE] = fmin(compared->most[MEASURE_SHARE], 100);
}

void compare_stream(const struct forecast_stream *of, struct compared *compared)
{
	struct compared rehearsed;

	measure_all(of->recorded, of->window_ns, compared->now);
	measure_queue(of->result, of, compared);
	measure_queue(of->rehearsed, of, &rehearsed);
	correct(of, compared, &rehearsed);
	if (!of->whole && of->result)
		measure_blur(compared->then, of->result->window_ns, compared->least, compared->most);
}
