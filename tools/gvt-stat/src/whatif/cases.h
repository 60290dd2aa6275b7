/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace does not show when a guest submits, how many workloads the guest can queue, or where
 * workloads can be preempted. Each possibility is a case, and each case is simulated.
 */
#ifndef GVT_STAT_CASES_H
#define GVT_STAT_CASES_H

#include "whatif.h"

/**
 * cases_run - whatif_run(), repeated for every other case
 *
 * The other cases are in the "others" of the result. "others" is empty if @whatif->line takes every
 * event. Values that the user gave for a vGPU have no other cases.
 */
struct whatif_result *cases_run(const struct whatif *whatif, const char *simulator,
				const struct mixture *mixture, char **problem);

/**
 * cases_settle - drop streams' alternatives that the recording contradicts
 * @rehearsed: simulation under the recorded settings
 * @recorded: returns the recorded measures of a stream's queue
 *
 * Simulates each alternative under the recorded settings, and drops those that miss the recording
 * by far more than the first choice.
 */
void cases_settle(const struct whatif *whatif, const char *simulator, const struct mixture *mixture,
		  const struct whatif_result *rehearsed,
		  const struct tally_cell *(*recorded)(const void *ctx, const struct stream *stream),
		  const void *ctx);

#endif
