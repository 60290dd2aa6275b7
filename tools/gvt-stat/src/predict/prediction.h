/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What applications would have of a GPU beside each other, from their profiles.
 *
 * When each of them starts beside the others is not known, and may decide what they have: it is
 * simulated for several phases, in each of which they start at other times.
 */
#ifndef GVT_STAT_PREDICTION_H
#define GVT_STAT_PREDICTION_H

#include <glib.h>

#include "whatif/measure.h"
#include "whatif/whatif.h"
#include "profile-file.h"

/* who predicts */
enum prediction_model {
	MODEL_SIMULATION,		/* the driver's own scheduler, see whatif.h */
	MODEL_PROPHET,			/* Prophet's, see fcfs.h: settings have no part in it */
	MODELS
};

/* of all phases; NAN: unknown */
struct spread {
	double mean, least, most;
};

/* what an application would have of one engine */
struct predicted {
	unsigned int vgpu;		/* which of the applications, from 1 on */
	const struct profile_stream *stream;	/* of its profile */
	struct spread measures[MEASURES];
	/*
	 * By which part of its latency alone the mean latency is longer: Chen et al., Prophet
	 * (ASPLOS 2017), equation 10
	 */
	struct spread degradation;
};

/**
 * prediction_run - predict
 * @profiles: of the applications; one may be there several times
 * @count: how many, from 1 to MIX_MOST_VGPUS
 * @whatif: settings that are other than the first profile's, and what is different of the
 *          vGPUs, whose ids are 1 to @count
 * @phases: how many
 * @model: by which
 * @simulator: path of gvt-sim
 *
 * Returns struct predicted for each stream, in the order of the profiles, which have to live as
 * long; the caller frees with g_array_free(). Ends the program if gvt-sim refuses to simulate it.
 */
GArray *prediction_run(struct profile *const *profiles, unsigned int count,
		       const struct whatif *whatif, unsigned int phases,
		       enum prediction_model model, const char *simulator);

/**
 * degradation - of a latency beside others, against the one alone; NAN if it is not known
 *
 * Prophet, equation 10, but below 0 where it is shorter.
 */
double degradation(double beside_ns, double alone_ns);

#endif
