/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TRUTH_MATCH_H
#define RIG_TRUTH_MATCH_H

#include "piece.h"

/**
 * match_pieces - join the two sides one to one
 * @truth: struct truth_piece; the order changes
 * @traced: struct traced_piece; the order changes
 * @late_ns: maximum time from a truth piece's stop to its traced piece's start, if i915 saw
 *	the piece only when it was over
 *
 * Both sides have the same clock. A traced piece and a truth piece are the same
 * stretch of execution when engine and context (descriptor bits 31:12) are equal
 * and their times overlap; an unknown time reaches to the end of the trace. One
 * context is on one engine at a time, so nothing overlaps twice unless a side
 * is wrong, and then what comes first in time is taken and the rest stays
 * unmatched. Afterwards @match of both sides is set, and every truth piece of a
 * context that the trace knows has the vGPU that used the context last before
 * it (a context's address is given to another one when it is gone).
 *
 * Several stays are one traced piece if i915 took a workload off for another request,
 * such as a barrier of GVT-g, and resubmitted it before reporting that any context had
 * left, for example in one run of its tasklet: the workload went on where its ring had
 * been left, to the same tail, the traced piece covers both stays, and in between were
 * only contexts of the host and pieces whose traced stop comes after.
 */
void match_pieces(GArray *truth, GArray *traced, double late_ns);

/**
 * truth_is_due - must the trace hold this piece?
 *
 * Yes if it belongs to a vGPU and lies within the window as a whole; one that
 * is cut by an edge may be there or not.
 */
bool truth_is_due(const struct truth_piece *t, const struct covered *w);

#endif
