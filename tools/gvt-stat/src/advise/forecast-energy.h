/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predicts the energy of a simulation from coefficients: see gvt-stat-energy(1).
 */
#ifndef GVT_STAT_FORECAST_ENERGY_H
#define GVT_STAT_FORECAST_ENERGY_H

#include <stdio.h>

#include <jansson.h>

#include "joules/coef.h"
#include "output/form.h"
#include "whatif/mix.h"
#include "whatif/whatif.h"

/* to be set in struct whatif before traces are read */
extern const struct whatif_observer forecast_energy_observer;

/* coefficients, and the simulation that they are for */
struct energy_target {
	struct coef *coef;
	struct whatif_result *result;
};

/* whose energy: guests by number, then */
#define ENERGY_HOST(mix)	((mix)->guests->len)
#define ENERGY_IDLE(mix)	((mix)->guests->len + 1)
#define ENERGY_TOTAL(mix)	((mix)->guests->len + 2)

/* an amount that is predicted for one more window; unknown numbers are NAN */
struct energy_range {
	double now;			/* as recorded, from the same coefficients */
	double then;			/* simulated, the mean of windows */
	double least, most;		/* of any window in any case, if all coefficients are off */
};

struct energy_forecast {
	struct energy_range joules;	/* of a window as long as the trace */
	struct energy_range per_workload;	/* joules of each finished workload */
};

/**
 * forecast_energy - of one of the guests, of the host, of idle time, or of all
 */
struct energy_forecast forecast_energy(const struct mix *mix, const struct energy_target *target,
				       unsigned int whose);

/**
 * forecast_energy_print - a table for people
 * @targets: struct energy_target
 */
void forecast_energy_print(const struct mix *mix, const GArray *targets);

/**
 * forecast_energy_json - an array of objects
 */
json_t *forecast_energy_json(const struct mix *mix, const GArray *targets);

#endif
