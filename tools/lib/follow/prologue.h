/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A look ahead at the beginning of a trace: what had been queued before it, so that the
 * model knows that from the start.
 *
 * Kernels that have gvt_workload_state tell shortly after the recording began. For others,
 * work that was queued before is found when it leaves; who waited for how long needs the whole
 * trace to be read for that.
 *
 * Private to this room.
 */
#ifndef GVT_PROLOGUE_H
#define GVT_PROLOGUE_H

#include <stdbool.h>

#include "model/model.h"
#include "trace/reader.h"

struct prologue;

/**
 * prologue_new, prologue_free - read the beginning of a trace
 * @options: of the reader
 * @all: read to the end if the kernel did not tell what was queued
 */
struct prologue *prologue_new(const struct reader_options *options, bool all);
void prologue_free(struct prologue *prologue);

/**
 * prologue_ids - tell the model from which ids on workloads were queued in the trace
 */
void prologue_ids(const struct prologue *prologue, struct model *model);

/**
 * prologue_older - tell the model of the workloads that were there before
 * @start_ns: of the trace
 *
 * Call when all listen to the model.
 */
void prologue_older(const struct prologue *prologue, struct model *model, int64_t start_ns);

#endif
