/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock of the simulation, and what is to happen when */
#ifndef GVT_SIM_HEAP_H
#define GVT_SIM_HEAP_H

#include <linux/kernel-more.h>

/**
 * typedef sim_action - something that happens
 * @subject: what it happens to
 * @token: as was given to sim_at(), to know by what is out of date
 */
typedef void (*sim_action)(void *subject, u64 token);

/**
 * sim_at - have something happen
 * @at: when; not before now. What is to happen at one time happens in the order of these calls
 * @action: what
 * @subject: to whom
 * @token: given to @action
 */
void sim_at(u64 at, sim_action action, void *subject, u64 token);

/**
 * sim_after - have something happen after a while
 */
void sim_after(u64 ns, sim_action action, void *subject, u64 token);

/**
 * sim_step - let what is next happen
 * @end: if that is before this time
 *
 * Return: false, at the time @end, if nothing happens before.
 */
bool sim_step(u64 end);

/**
 * sim_advance - let everything happen that happens before a time, which it is then
 */
void sim_advance(u64 to);

/**
 * sim_set_clock - let it be a time; nothing of what was to happen does
 *
 * For those who follow a trace, which tells what happens.
 */
void sim_set_clock(u64 now);

/**
 * sim_events - how much has happened
 */
u64 sim_events(void);

#endif
