/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock of the simulation, and its future events */
#ifndef GVT_SIM_HEAP_H
#define GVT_SIM_HEAP_H

#include <linux/kernel-more.h>

/**
 * typedef sim_action - a callback at a simulated time
 * @subject: as given to sim_at()
 * @token: as given to sim_at(); lets the callback recognize an outdated call
 */
typedef void (*sim_action)(void *subject, u64 token);

/**
 * sim_at - schedule a callback
 * @at: time, not before now; callbacks for the same time run in the order of these calls
 * @action: the callback
 * @subject: passed to @action
 * @token: passed to @action
 */
void sim_at(u64 at, sim_action action, void *subject, u64 token);

/**
 * sim_after - schedule a callback after a delay
 */
void sim_after(u64 ns, sim_action action, void *subject, u64 token);

/**
 * sim_step - run the next callback
 * @end: only if its time is before @end
 *
 * Return: false if there is none before @end; the clock is then at @end.
 */
bool sim_step(u64 end);

/**
 * sim_advance - run all callbacks before @to, and set the clock to @to
 */
void sim_advance(u64 to);

/**
 * sim_set_clock - set the clock without running callbacks
 *
 * For replays, whose events come from the trace.
 */
void sim_set_clock(u64 now);

/**
 * sim_events - number of callbacks so far
 */
u64 sim_events(void);

#endif
