/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A vGPU is its UUID: GVT-g gives the number of one that was removed to the next one. The second
 * vGPU with a number has another id from its first event on, so that nobody takes two for one.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_TENANTS_H
#define GVTTRACE_TENANTS_H

#include "trace/reader.h"

struct tenants;

/**
 * tenants_new - look through a trace for numbers that were given to another vGPU
 * @opened: the trace
 */
struct tenants *tenants_new(const struct reader *opened);
void tenants_free(struct tenants *tenants);

/**
 * tenants_name - the event with ids instead of numbers: see vgpu_number()
 * @room: for it, if it has to be changed
 *
 * Events come in the order of time, or again from the beginning.
 */
const struct event *tenants_name(const struct tenants *tenants, const struct event *event,
				 struct event *room);

/**
 * tenants_uuid - of a vGPU whose number another one has, too; by its id; NULL: it is no such
 */
const char *tenants_uuid(const struct tenants *tenants, int64_t dev, int64_t id);

#endif
