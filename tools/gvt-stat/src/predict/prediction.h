/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predicts from profiles how applications perform that share a GPU.
 *
 * The result may depend on when each application starts, which is unknown. Therefore several
 * phases with different start times are simulated.
 */
#ifndef GVT_STAT_PREDICTION_H
#define GVT_STAT_PREDICTION_H

#include <glib.h>

#include "whatif/measure.h"
#include "whatif/whatif.h"
#include "profile-file.h"

/* the model that predicts */
enum prediction_model {
	MODEL_SIMULATION,		/* the driver's own scheduler, see whatif.h */
	MODEL_PROPHET,			/* Prophet's, see fcfs.h: ignores scheduler settings */
	MODELS
};

/*
 * The mean of the phases if guests are as is most likely, and the ends of a prediction interval; NAN:
 * unknown
 */
struct spread {
	double mean, least, most;
};

/* what a recording of an application alone may not tell */
enum prediction_unknown {
	UNKNOWN_ARRIVALS,		/* when its guest submits */
	UNKNOWN_LIMITS,			/* how many workloads its guest can queue */
	UNKNOWN_PIECES,			/* where its workloads can be preempted */
	UNKNOWNS
};

/* a range that is wider than this part of the mean is reported */
#define PREDICTION_NARROW	0.1

/* the prediction for an application on one engine */
struct predicted {
	unsigned int vgpu;		/* number of the application, from 1 */
	const struct profile_stream *stream;	/* of its profile */
	struct spread measures[MEASURES];	/* over phases and all that guests may be */
	struct spread phases;		/* of the mean latency, if guests are as is most likely */
	double worst[MEASURES];		/* in the worst phase of the worst case; NAN: unknown */
	/* enum prediction_unknown bits: what the mean latency depends on by more than a narrow part */
	unsigned int unknown;
	/*
	 * Relative increase of the mean latency over that alone: Chen et al., Prophet
	 * (ASPLOS 2017), equation 10
	 */
	struct spread degradation;
};

/* may the prediction end, with these phases so far? */
typedef bool (*prediction_enough_fn)(void *ctx, const GArray *predicted);

/**
 * prediction_run - predict
 * @profiles: of the applications; the same profile may occur several times
 * @count: of the profiles, from 1 to MIX_MOST_VGPUS
 * @whatif: settings that differ from the first profile's, and changes to the vGPUs, whose ids are
 *          1 to @count
 * @phases: number of phases
 * @model: the model to use
 * @simulator: path of gvt-sim
 * @enough: asked after each phase; NULL: simulate all phases
 *
 * Returns struct predicted for each stream, in the order of the profiles, which must outlive the
 * result; the caller frees with g_array_free(). Ends the program if gvt-sim refuses the simulation.
 */
GArray *prediction_run(struct profile *const *profiles, unsigned int count,
		       const struct whatif *whatif, unsigned int phases,
		       enum prediction_model model, const char *simulator,
		       prediction_enough_fn enough, void *ctx);

/**
 * degradation - relative increase of a latency over that alone; NAN if unknown
 *
 * Prophet, equation 10, but below 0 where the latency is shorter.
 */
double degradation(double beside_ns, double alone_ns);

#endif
