/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lanes are told by analyses, and these tell each other.
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

/* a turn that is over, or as far as it is known */
struct slices_turn {
	int64_t dev;
	int64_t class;			/* negative or UNKNOWN: on all engines */
	int64_t instance;
	int64_t vgpu_id;		/* 0: nobody's */
	int64_t from_ns;
	int64_t to_ns;
	bool begun;			/* the switch to it was seen */
	bool resumed;			/* events were lost up to @from_ns: it may have begun before */
	bool lost;			/* events were lost from @to_ns on: it may go on */
	bool open;			/* it goes on behind the window */
};

/**
 * slices_listen - call @turn, with @ctx, for each turn when it is over
 *
 * Beside those of the rows, also for turns up to where events were lost.
 */
void slices_listen(struct slices *slices,
		   void (*turn)(void *ctx, const struct slices_turn *turn), void *ctx);

/**
 * vcpus_listen - call @spent, with @ctx, for each time that a thread spent in a state
 *
 * In the order of time for each thread; the state is vcpu->state, and nothing is told from
 * outside of the window. The last one is told in vcpus_finish().
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
 * series_merge - note all durations of another series
 *
 * Of equal maxima, that with the earlier moment to look at is reported.
 */
void series_merge(struct series *to, const struct series *from);

#endif
