/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who executed when in a model, recorded or simulated, for predictions of energy.
 */
#ifndef GVT_STAT_JOULES_METER_H
#define GVT_STAT_JOULES_METER_H

#include <stdint.h>

#include "timeline/portions.h"
#include "model/model.h"

/**
 * meter_new - begin to collect; meter_free() frees
 *
 * Its memory grows with the model: 24 bytes for each stretch of execution.
 */
struct timeline *meter_new(struct model *model);
void meter_free(struct timeline *meter);

/**
 * meter_portions - an interval for each window, in order; portions_free() frees
 * @from_ns, @length_ns: of the first window
 * @gap_ns: between two windows
 * @dev: only the engines of this GPU; UNKNOWN: all
 */
struct portions *meter_portions(struct timeline *meter, int64_t from_ns, int64_t length_ns,
				int64_t gap_ns, unsigned int windows, int64_t dev);

#endif
