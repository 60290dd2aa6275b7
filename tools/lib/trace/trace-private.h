/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files that read a trace.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_TRACE_PRIVATE_H
#define GVTTRACE_TRACE_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

/**
 * event_map_has - does the trace describe this wanted event at all?
 */
bool event_map_has(const struct event_map *map, enum event_id id);

/**
 * event_map_types - by common_type: not 0 if event_map_decode() reads the record
 *
 * The type has the byte order of the record.
 */
const unsigned char *event_map_types(const struct event_map *map);

/**
 * event_fingerprint - a hash of all fields but time and CPU
 */
uint64_t event_fingerprint(const struct event *event);

/**
 * sched_policy_sliced - does this policy give each vGPU a slice per period?
 */
bool sched_policy_sliced(const char *policy);

/**
 * quiet_begin - discard stdout and stderr of libraries until quiet_end()
 *
 * libtracecmd prints remarks about damaged files wherever it likes, also on
 * stdout and whatever its log level. fatal() and warn() still get through.
 */
void quiet_begin(void);
void quiet_end(void);

#endif
