/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Coefficients: the powers that were fitted to a recording, in a file, for predictions where no
 * counter was sampled. gvt-stat-energy(1) documents the format.
 */
#ifndef GVT_STAT_JOULES_COEF_H
#define GVT_STAT_JOULES_COEF_H

#include <stdbool.h>

#include <glib.h>

#include "timeline/portions.h"
#include "model/model.h"

struct energy_result;
struct selection;

#define COEF_SCHEMA	"gvt-stat-coef/1"
#define COEF_HOST	"host"
/* beyond any GPU */
#define COEF_MOST_WATTS	1000.0
#define COEF_MOST_SPEED	1000.0

struct coef_watts {
	double watts;
	double bound;			/* off by no more, in W, with 95 % confidence */
};

/* of somebody on an engine */
struct coef_power {
	char *who;			/* a vGPU's UUID, or "host"; NULL: any vGPU */
	char *vm;			/* NULL: unknown */
	char *engine;			/* "rcs0" */
	struct coef_watts power;
};

/* what two powers need less at once */
struct coef_saving {
	guint a, b;			/* of the powers; @a < @b */
	struct coef_watts power;
};

struct coef {
	char *path;
	char *host;			/* where it was recorded; NULL: unknown */
	char *date;
	double condition;		/* of the fit; NAN: unknown */
	double residual;		/* in per cent; NAN: unknown */
	double speed;			/* of this GPU, relative to that of recordings to predict */
	struct coef_watts awake, idle;	/* see portions.h; NAN: it never was */
	GArray *powers;			/* struct coef_power */
	GArray *savings;		/* struct coef_saving */
};

/**
 * coef_new - without powers; coef_free() frees
 * @path: of its file, for messages; NULL: none
 */
struct coef *coef_new(const char *path);
void coef_free(struct coef *coef);

/**
 * coef_add - add a power, whose strings are copied; returns its number
 */
guint coef_add(struct coef *coef, const char *who, const char *vm, const char *engine,
	       struct coef_watts power);

/**
 * coef_of_fit - the coefficients that were fitted
 *
 * For vGPUs that were not recorded there is a power of each engine: the mean of those who executed
 * there, off by as much as they differ, or by all of it if there was one only.
 */
struct coef *coef_of_fit(const struct energy_result *result);

/**
 * coef_of_trace - the coefficients that fit a trace; coef_free() frees
 *
 * Returns NULL if the trace has no two samples of an energy counter; ends the program if no powers fit.
 */
struct coef *coef_of_trace(const struct selection *selection);

/**
 * coef_find - the power of a vGPU on an engine, by its UUID, else its VM, else by the engine alone;
 *	       the host's, else by the engine alone
 * @vgpu: NULL: the host
 *
 * Returns the number of the power; -1: there is none.
 */
int coef_find(const struct coef *coef, const struct vgpu *vgpu, const char *engine);

/**
 * coef_has_saving - is there one of exactly these two?
 */
bool coef_has_saving(const struct coef *coef, guint a, guint b);

/**
 * coef_saving - what two powers need less at once
 *
 * As fitted for these two; else for their engines; else, as they need the GPU out of RC6 only
 * once, what it draws awake without work, which may be off by all of it; if that is unknown, up to all
 * of the smaller power.
 */
struct coef_watts coef_saving(const struct coef *coef, guint a, guint b);

/**
 * coef_read - read a file, or end the program with a message that names file and field
 */
struct coef *coef_read(const char *path);

/**
 * coef_save - write a file, or end the program with a message; "-" is the standard output
 */
void coef_save(const struct coef *coef, const char *path);

/**
 * coef_result - the energy of all of the window, without a counter; energy_result_free() frees
 * @timeline: complete; its samples are replaced
 */
struct energy_result *coef_result(const struct coef *coef, struct timeline *timeline);

/* predicted energy of an interval, in nJ, by whose: see share.h */
struct coef_energy {
	double *nj;
	double *bound_nj;		/* if all coefficients are off to one side */
	double *off_nj;			/* of all, by quantity: how far off if its coefficient is by its bound */
};

/**
 * coef_energy - what coefficients make of an interval; coef_energy_clear() frees
 *
 * The sum of powers, each times the time for which it is drawn. As Piispanen, "Simulating timing and energy consumption
 * of accelerated processing" (Aalto, 2014), equation 6.2, with the time for which somebody has an engine as access rate, and a
 * constant power by state (6.1.1.3). Of the total of equation 6.1 it is the GPU's part; transfers are
 * work of an engine like any other.
 *
 * @powers: by consumer: the number of its power; negative: none, its energy is unknown (NAN)
 */
struct coef_energy coef_energy(const struct coef *coef, const struct portions *portions,
			       const struct stint *stint, const int *powers);
void coef_energy_clear(struct coef_energy *energy);

#endif
