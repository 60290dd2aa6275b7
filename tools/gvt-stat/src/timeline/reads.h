/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads of RAPL's registers that others recorded (msr:read_msr), as samples of the counter: those of
 * MSR_PP1_ENERGY_STATUS, in the unit that a read of MSR_RAPL_POWER_UNIT shows (Intel SDM, volume 4).
 */
#ifndef GVT_STAT_TIMELINE_READS_H
#define GVT_STAT_TIMELINE_READS_H

#include <stdint.h>

#include <glib.h>

#include "trace/events.h"
#include "meters.h"

#define MSR_RAPL_POWER_UNIT	0x606

struct reads {
	GArray *early;			/* struct early_read: before the unit is known */
	double unit_nj;			/* 0: not known */
	uint64_t count;			/* of the last read */
	int64_t at_ns;			/* of it; UNKNOWN: none */
};

/**
 * reads_init, reads_clear - none yet
 */
void reads_init(struct reads *reads);
void reads_clear(struct reads *reads);

/**
 * reads_event - add a sample to @meters, if the event is one and has news
 * @event: msr:read_msr
 */
void reads_event(struct reads *reads, const struct event *event, GArray *meters);

#endif
