/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace does not tell has several cases, and each is simulated: when a guest submits, how many
 * workloads it can have queued, and where they can be taken off an engine.
 */
#ifndef GVT_STAT_CASES_H
#define GVT_STAT_CASES_H

#include "whatif.h"

/**
 * cases_run - as whatif_run(), and the same in every other case
 *
 * The others of what is returned are of these. There are none if every event is told. What is said of a
 * vGPU is no case.
 */
struct whatif_result *cases_run(const struct whatif *whatif, const char *simulator,
				const struct mixture *mixture, char **problem);

/**
 * cases_settle - leave out what streams may be as well if what was recorded contradicts it
 * @rehearsed: the settings as they were, simulated
 * @recorded: what a stream's queue did
 *
 * Each is simulated under the settings that were; one that misses what was recorded by far more than
 * the first kind does is none.
 */
void cases_settle(const struct whatif *whatif, const char *simulator, const struct mixture *mixture,
		  const struct whatif_result *rehearsed,
		  const struct tally_cell *(*recorded)(const void *ctx, const struct stream *stream),
		  const void *ctx);

#endif
