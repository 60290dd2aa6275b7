/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interfaces of analyses for lanes and for each other.
 *
 * Private to the library.
 */
#ifndef GVTTRACE_ANALYSIS_INSIDE_H
#define GVTTRACE_ANALYSIS_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "series.h"
#include "slices.h"
#include "vcpus.h"

/* a turn that has ended, or its known part */
struct slices_turn {
	int64_t dev;
	int64_t class;			/* negative or UNKNOWN: all engines */
	int64_t instance;
	int64_t vgpu_id;		/* 0: no vGPU's */
	int64_t from_ns;
	int64_t to_ns;
	bool begun;			/* the switch to it was traced */
	bool resumed;			/* events were lost before: may have begun earlier */
	bool lost;			/* events were lost from @to_ns on: may last longer */
	bool open;			/* it continues after the window */
};

/**
 * slices_listen - call @turn, with @ctx, for each turn when it ends
 *
 * Also for turns cut short by lost events, which are in no row.
 */
void slices_listen(struct slices *slices,
		   void (*turn)(void *ctx, const struct slices_turn *turn), void *ctx);

/**
 * vcpus_listen - call @spent, with @ctx, for each interval that a thread spent in a state
 *
 * In chronological order per thread; the state is vcpu->state, and intervals are clipped to
 * the window. vcpus_finish() reports the last ones.
 */
void vcpus_listen(struct vcpus *vcpus,
		  void (*spent)(void *ctx, const struct vcpu *vcpu, int64_t from_ns, int64_t to_ns),
		  void *ctx);

/**
 * vcpus_lost - were events lost anywhere in the trace?
 * vcpus_missed - and in the window? Final after vcpus_finish()
 */
bool vcpus_lost(const struct vcpus *vcpus);
bool vcpus_missed(const struct vcpus *vcpus);

/**
 * series_merge - add all durations of another series
 *
 * Of equal maxima, reports the one with the earlier @at_ns.
 */
void series_merge(struct series *to, const struct series *from);

#endif
