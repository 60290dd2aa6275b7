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
 * stretch of execution if engine and context (descriptor bits 31:12) are equal
 * and their times overlap; an unknown time reaches to the end of the trace. One
 * context is on one engine at a time, so nothing overlaps twice unless a side is
 * wrong; then the first in time matches and the others stay unmatched. Afterwards
 * @match of both sides is set, and every truth piece of a context in the trace has
 * the vGPU that used the context last before (a context's address is reused when
 * the context is freed).
 *
 * Several stays are one traced piece if i915 preempted a workload for another request,
 * such as a barrier of GVT-g, and resubmitted the workload before reporting that any
 * context had left, for example in one run of its tasklet: the workload continued in
 * its ring, to the same tail, the traced piece covers both stays, and in between were
 * only contexts of the host and pieces whose traced stop comes after.
 */
void match_pieces(GArray *truth, GArray *traced, double late_ns);

/**
 * truth_is_due - must the trace hold this piece?
 *
 * Yes if the piece belongs to a vGPU and lies completely within the window; a piece
 * that is cut by an edge may be missing.
 */
bool truth_is_due(const struct truth_piece *t, const struct covered *w);

#endif
