/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Streams on engines that take workloads in the order in which they come, and have no scheduler: what
 * Prophet's schedule predictor makes of profiles, section 6 of the paper that prophet.h names.
 */
#ifndef GVT_STAT_FCFS_H
#define GVT_STAT_FCFS_H

#include <stdint.h>

#include <glib.h>

#include "whatif/tally.h"
#include "whatif/whatif.h"

/**
 * fcfs_replay - replay streams beside each other
 * @whatif: depth and speed of vGPUs that are different; the rest is of schedulers
 * @guests: struct whatif_guest, which submit them
 * @streams: struct stream *
 * @warmup_ns: replayed before anything counts
 * @window_ns: that counts, after that
 *
 * Returns struct tally_cell for each stream; fcfs_free() frees.
 */
GArray *fcfs_replay(const struct whatif *whatif, const GArray *guests, const GPtrArray *streams,
		    int64_t warmup_ns, int64_t window_ns);
void fcfs_free(GArray *cells);

#endif
