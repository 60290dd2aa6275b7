// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "host-spans.h"
#include "model-private.h"

struct host *host_new(const struct model *model, const struct gpu *gpu)
{
	struct host *host = g_new0(struct host, 1);

	/* an earlier execution would have had an event */
	host->known = gpu->host_told && !model->had_gap;
	host->told_ns = model->had_gap ? model->gap_end_ns : UNKNOWN;
	host->beside_ns = host->waits_ns = UNKNOWN;
	host->spans = g_array_new(FALSE, FALSE, sizeof(struct span));
	host->requests = g_array_new(FALSE, FALSE, sizeof(struct request));
	host->met = g_array_new(FALSE, FALSE, sizeof(struct met));
	return host;
}

void host_free(struct host *host)
{
	g_array_free(host->met, TRUE);
	g_array_free(host->requests, TRUE);
	g_array_free(host->spans, TRUE);
	g_free(host);
}

bool host_runs(const struct gpu_engine *engine)
{
	return host_stays(engine->host) && !engine->running;
}

bool host_unsure(const struct gpu_engine *engine)
{
	return engine->gpu->host_told && !engine->host->known;
}

int64_t host_told_ns(const struct gpu_engine *engine)
{
	return engine->host->told_ns;
}

/* is @from_ns inside @span? Lowers @to_ns to the end of the part with this answer. */
static bool is_in(const struct span *span, int64_t from_ns, int64_t *to_ns)
{
	bool inside = span->from_ns <= from_ns;

	*to_ns = MIN(*to_ns, inside ? span->to_ns : span->from_ns);
	return inside;
}

bool host_may(const struct gpu_engine *engine, int64_t from_ns, int64_t *to_ns)
{
	const struct span unsure = { engine->host->told_ns, INT64_MAX };

	return host_unsure(engine) && is_in(&unsure, from_ns, to_ns);
}

/* it runs, as far as known without a vGPU's work */
bool host_stays(const struct host *host)
{
	return host->on && !known(host->beside_ns);
}

bool host_at(const struct gpu_engine *engine, int64_t from_ns, int64_t *to_ns)
{
	const struct host *host = engine->host;
	struct span open = { host->since_ns, INT64_MAX };
	unsigned int nr = host->spans->len;

	while (nr && g_array_index(host->spans, struct span, nr - 1).to_ns > from_ns)
		nr--;
	if (nr < host->spans->len)
		return is_in(&g_array_index(host->spans, struct span, nr), from_ns, to_ns);
	return host_stays(host) && is_in(&open, from_ns, to_ns);
}

bool host_open(const struct gpu_engine *engine)
{
	const struct host *host = engine->host;

	return host_stays(host) || host_unsure(engine);
}

int64_t host_between(const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	int64_t sum_ns = 0;

	while (from_ns < to_ns) {
		int64_t until_ns = to_ns;

		if (host_at(engine, from_ns, &until_ns))
			sum_ns += until_ns - from_ns;
		from_ns = until_ns;
	}
	return sum_ns;
}
