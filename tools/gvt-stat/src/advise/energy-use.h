/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy and finished work, predicted from coefficients: of a recording, or of a simulation.
 */
#ifndef GVT_STAT_ENERGY_USE_H
#define GVT_STAT_ENERGY_USE_H

#include "joules/coef.h"
#include "whatif/mix.h"
#include "whatif/whatif.h"

/* whose energy: guests by number, then */
#define ENERGY_HOST(mix)	((mix)->guests->len)
#define ENERGY_IDLE(mix)	((mix)->guests->len + 1)
#define ENERGY_TOTAL(mix)	((mix)->guests->len + 2)

/* unknown energies are NAN */
struct energy_use {
	unsigned int windows;
	unsigned int whose;		/* number of those whose energy it is */
	double *nj, *bound_nj;		/* by energy_use_cell() */
	double *done;			/* finished workloads, by the same */
	/* by stream of the mix; energies also of the host, behind them */
	unsigned int streams;
	double *stream_nj;		/* of all windows */
	double *stream_done;		/* by window, then by stream */
	/* how far off is all energy of all windows if a coefficient is by its bound? */
	unsigned int terms;
	double *off_nj;			/* by coefficient, in the same order for all of a mix */
};

/* to be set in struct whatif before traces are read */
extern const struct whatif_observer energy_use_observer;

/**
 * energy_use_recorded, energy_use_simulated - what the first trace of the mix took, and a case of a simulation
 *
 * energy_use_clear() frees.
 */
struct energy_use energy_use_recorded(const struct mix *mix, const struct coef *coef);
struct energy_use energy_use_simulated(const struct mix *mix, const struct coef *coef,
				       const struct whatif_result *result);
void energy_use_clear(struct energy_use *use);

/**
 * energy_use_cell - the number of somebody's energy in a window
 * @whose: such as ENERGY_TOTAL()
 */
unsigned int energy_use_cell(const struct energy_use *use, unsigned int window, unsigned int whose);

#endif
