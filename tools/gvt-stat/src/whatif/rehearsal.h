/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was recorded, simulated: how far that is off tells how far other settings may be, and what
 * was not seen in the trace may be told by it.
 */
#ifndef GVT_STAT_REHEARSAL_H
#define GVT_STAT_REHEARSAL_H

#include "whatif.h"

/**
 * rehearse - simulate under the settings that were
 * @whatif: of this, only what is said of how workloads are made and how many there can be is taken
 * @mixture: what is simulated; guests of other traces are left out
 * @recorded: what a stream's queue did
 *
 * Under preemptive dispatch, workloads of a stream may have been taken off the engine never. If some would
 * have been, they cannot be: that is noted in the stream. Otherwise it stays unknown where they can.
 *
 * What a stream may be as well, and then would not have done what was recorded, is left out.
 *
 * Returns NULL if what was cannot be simulated; whatif_result_free() frees.
 */
struct whatif_result *rehearse(const struct whatif *whatif, const struct mixture *mixture,
			       const char *simulator,
			       const struct tally_cell *(*recorded)(const void *ctx,
								    const struct stream *stream),
			       const void *ctx);

#endif
