/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the host did itself beside what it would do: how much it executed, how long it waited and
 * for which vGPUs.
 */
#ifndef GVT_STAT_FORECAST_HOST_H
#define GVT_STAT_FORECAST_HOST_H

#include "forecast.h"

/**
 * typedef forecast_host_fn - told one measure
 * @id: which one of @compared it is
 * @measure: how it is told
 */
typedef void (*forecast_host_fn)(void *to, const struct forecast_stream *of,
				 const struct compared *compared, enum measure_id id,
				 const struct measure *measure);

/**
 * forecast_host_each - call @call for each measure of each engine on which the host executed
 */
void forecast_host_each(const struct forecast *forecast, forecast_host_fn call, void *to);

/**
 * forecast_host_cells - what the simulated host did on an engine; NULL: nothing
 * @engine: of the trace
 * @holder: as in tally_host()
 */
const struct tally_cell *forecast_host_cells(const struct whatif_result *result,
					       const struct gpu_engine *engine, int64_t holder);

/**
 * forecast_host_doubts - append what is doubtful about the host's own work to a JSON array
 * @works: as host_works_of() returns them
 */
void forecast_host_doubts(const GPtrArray *works, json_t *doubts);

#endif
