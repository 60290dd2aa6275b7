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

/* coefficients, and the simulation that they are for */
struct energy_target {
	struct coef *coef;
	struct whatif_result *result;
};

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
