// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "trace/util.h"
#include "forecast-host.h"

#define TEXT_LEN	48

static const struct {
	enum measure_id id;
	struct measure measure;
} rows[] = {
	{ MEASURE_SHARE, { "utilization_percent", "UTIL%", 1 } },
	{ MEASURE_MEAN, { "wait_mean_ns", "wait, mean ms", 1e-6 } },
	{ MEASURE_P99, { "wait_p99_ns", "wait, p99 ms", 1e-6 } },
	{ MEASURE_WORST, { "wait_max_ns", "wait, worst ms", 1e-6 } },
};

/* the host's own work on an engine; with @guest, its waits for this vGPU */
static struct forecast_stream forecast_of(const struct forecast *forecast,
					  const struct host_work *work,
					  const struct whatif_guest *guest)
{
	const struct mix *mix = forecast->mix;
	const struct mix_source *source = mix->sources->pdata[0];

	return (struct forecast_stream) {
		.host = work->engine, .dev = mix->info->dev, .id = guest ? guest->id : 0,
		.recorded = tally_host(source->tally, work->engine, guest ? guest->vgpu->id : 0),
		.window_ns = mix->window_ns, .result = forecast->result,
		.whole = forecast->whatif->line, .rehearsed = mix->rehearsed,
	};
}

static void compare_waits(const struct forecast *forecast, const struct host_work *work,
			  const struct whatif_guest *guest, forecast_host_fn call, void *to)
{
	const struct forecast_stream of = forecast_of(forecast, work, guest);
	char name[TEXT_LEN], title[TEXT_LEN];
	const struct measure measure = { name, title, 1 };
	struct compared compared;

	compare_stream(&of, &compared);
	if (!(compared.now[MEASURE_SHARE] > 0 || compared.then[MEASURE_SHARE] > 0))
		return;
	g_snprintf(name, sizeof(name), "wait_for_vgpu_%" PRId64 "_percent", guest->id);
	g_snprintf(title, sizeof(title), "waits for %" PRId64 ", %%", guest->id);
	call(to, &of, &compared, MEASURE_SHARE, &measure);
}

static void compare_work(const struct forecast *forecast, const struct host_work *work,
			 forecast_host_fn call, void *to)
{
	const struct forecast_stream of = forecast_of(forecast, work, NULL);
	const GArray *guests = forecast->mix->guests;
	struct compared compared;

	compare_stream(&of, &compared);
	for (size_t nr = 0; nr < G_N_ELEMENTS(rows); nr++)
		call(to, &of, &compared, rows[nr].id, &rows[nr].measure);
	for (unsigned int nr = 0; nr < guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(guests, struct whatif_guest, nr);

		/* vGPUs of other traces have no waits in this one */
		if (!guest->added)
			compare_waits(forecast, work, guest, call, to);
	}
}

void forecast_host_each(const struct forecast *forecast, forecast_host_fn call, void *to)
{
	const GPtrArray *host = forecast->mix->host;

	for (unsigned int nr = 0; nr < host->len; nr++) {
		const struct host_work *work = host->pdata[nr];

		if (work->pieces->len)
			compare_work(forecast, work, call, to);
	}
}

static void add_doubt(const struct host_work *work, const char *what, void *doubts)
{
	json_array_append_new(doubts, json_pack("{s:I, s:i, s:s, s:s}",
		"dev", (json_int_t)work->engine->gpu->dev, "vgpu_id", 0,
		"engine", work->engine->name, "what", what));
}

void forecast_host_doubts(const GPtrArray *works, json_t *doubts)
{
	host_works_doubts(works, add_doubt, doubts);
}
