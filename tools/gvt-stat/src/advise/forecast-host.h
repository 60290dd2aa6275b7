/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the host's own work as recorded and as simulated: its execution and its waits for each
 * vGPU.
 */
#ifndef GVT_STAT_FORECAST_HOST_H
#define GVT_STAT_FORECAST_HOST_H

#include "forecast.h"

/**
 * typedef forecast_host_fn - gets one measure
 * @id: index of the measure in @compared
 * @measure: its name and unit for output
 */
typedef void (*forecast_host_fn)(void *to, const struct forecast_stream *of,
				 const struct compared *compared, enum measure_id id,
				 const struct measure *measure);

/**
 * forecast_host_each - call @call for each measure of each engine on which the host executed
 */
void forecast_host_each(const struct forecast *forecast, forecast_host_fn call, void *to);

/**
 * forecast_host_doubts - append the doubts about the host's own work to a JSON array
 * @works: as host_works_of() returns them
 */
void forecast_host_doubts(const GPtrArray *works, json_t *doubts);

#endif
