/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a host's kernel counts the energy of the GPU (RAPL's power plane 1, "uncore").
 */
#ifndef GVT_STAT_SAMPLING_SOURCE_H
#define GVT_STAT_SAMPLING_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/energy-sample.h"

struct energy_source;

/**
 * energy_source_open - the first counter that can be read, of
 * perf's power/energy-gpu/, powercap's zone "uncore", and the register MSR_PP1_ENERGY_STATUS
 * @sysroot: directory with sys and dev, "" for the running system
 * @why: set if there is none: for each of them what is missing and how to allow it, in one line;
 *       the caller frees
 *
 * Returns NULL if there is none; energy_source_close() frees.
 */
struct energy_source *energy_source_open(const char *sysroot, char **why);
void energy_source_close(struct energy_source *source);

/**
 * energy_source_counter - what its counts mean; lives as long as the source
 */
const struct energy_counter *energy_source_counter(const struct energy_source *source);

/**
 * energy_source_read - read the counter
 *
 * Returns false if the kernel refuses.
 */
bool energy_source_read(const struct energy_source *source, uint64_t *count);

#endif
