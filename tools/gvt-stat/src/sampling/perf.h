/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of the kernel that perf reads: those of a PMU that counts for all CPUs, by their names
 * in sysfs (Documentation/ABI/testing/sysfs-bus-event_source-devices-events).
 */
#ifndef GVT_STAT_SAMPLING_PERF_H
#define GVT_STAT_SAMPLING_PERF_H

#include <stdbool.h>
#include <stdint.h>

/* events that are read at once, at most */
#define PERF_GROUP_MAX		8
#define PERF_HOW_TO_ALLOW	"run as root, or with CAP_PERFMON, or set the sysctl kernel.perf_event_paranoid to 0"

/**
 * perf_text - the content of a small file without blanks around it; the caller frees
 *
 * Returns NULL with errno set.
 */
char *perf_text(const char *dir, const char *name);

/**
 * perf_number - the same, of a number; returns false if it is none
 */
bool perf_number(const char *dir, const char *name, uint64_t *number);

/**
 * perf_open - begin to count
 * @dir: of the PMU
 * @event: "energy-gpu", as below @dir/events
 * @leader: the first event of a group that is read at once; -1: this is one
 *
 * Returns the file to read and to close; negative with errno set, ENOENT if there is no such event.
 */
int perf_open(const char *dir, const char *event, int leader);

/**
 * perf_read - read the counts of a group, in the order in which they were opened
 * @count: how many, PERF_GROUP_MAX at most
 *
 * Returns false if there are others.
 */
bool perf_read(int leader, uint64_t *counts, unsigned int count);

#endif
