/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulates engines without a scheduler, which execute workloads in order of arrival: Prophet's
 * schedule predictor for profiles, section 6 of the paper that prophet.h names.
 */
#ifndef GVT_STAT_FCFS_H
#define GVT_STAT_FCFS_H

#include <stdint.h>

#include <glib.h>

#include "whatif/tally.h"
#include "whatif/whatif.h"

/**
 * fcfs_replay - replay streams beside each other
 * @whatif: changed depths and speeds of vGPUs; scheduler settings have no effect
 * @guests: struct whatif_guest, which submit the streams
 * @streams: struct stream *
 * @warmup_ns: replayed first, and not counted
 * @window_ns: counted after the warm-up
 *
 * Returns struct tally_cell for each stream; fcfs_free() frees.
 */
GArray *fcfs_replay(const struct whatif *whatif, const GArray *guests, const GPtrArray *streams,
		    int64_t warmup_ns, int64_t window_ns);
void fcfs_free(GArray *cells);

#endif
