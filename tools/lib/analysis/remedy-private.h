/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rules can advise.
 *
 * To add one: a value of the enumeration and a row in the table of texts in remedy.c.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_REMEDY_PRIVATE_H
#define GVTTRACE_REMEDY_PRIVATE_H

#include <stdint.h>

#include "remedy.h"

/* what can be advised */
enum remedy_id {
	/* settings */
	REMEDY_LEND,
	REMEDY_SHARE,
	REMEDY_PREEMPT,
	REMEDY_ALLOW_PREEMPTION,
	REMEDY_ENGINES,
	REMEDY_OVERLAP,
	REMEDY_SWITCH,
	REMEDY_PERIOD,
	REMEDY_BOOST,
	REMEDY_WAIT_LESS,
	REMEDY_WAIT_MORE,
	REMEDY_HOLD_LESS,
	REMEDY_HOLD_MORE,
	REMEDY_NICE,
	REMEDY_CAP,
	REMEDY_TRIED,
	/* what no setting does */
	REMEDY_KERNEL,
	REMEDY_BATCHES,
	REMEDY_OWN_BATCHES,
	REMEDY_LARGER_BATCHES,
	REMEDY_HANG,
	REMEDY_FAILED,
	REMEDY_RESET,
	REMEDY_FAILSAFE,
	REMEDY_MISUSE,
	REMEDY_HOST_CPU,
	REMEDY_GUEST_CPU,
	REMEDY_BUFFERS,
	REMEDY_ALL_EVENTS,
	REMEDY_OTHER_KERNEL,
	REMEDY_SEE_BLAME,
	REMEDY_IDS
};

#endif
