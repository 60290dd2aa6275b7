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
 * tenants_new - none told yet; tenants_free() frees
 */
struct tenants *tenants_new(void);
void tenants_free(struct tenants *tenants);

/**
 * tenants_note - a gvt_vgpu_info of the trace: all of them come in the order of time
 * @tenants: struct tenants
 */
void tenants_note(void *tenants, const struct event *event);

/**
 * tenants_settle - all are told: look for when numbers were given to others
 * @opened: the trace
 */
void tenants_settle(struct tenants *tenants, const struct reader *opened);

/**
 * tenants_reuse - was any number given to another vGPU? Else an id is the number.
 */
bool tenants_reuse(const struct tenants *tenants);

/**
 * tenants_name - the event with ids instead of numbers: see vgpu_number()
 * @told: as it is in the trace
 *
 * Events come in the order of time, or again from the beginning.
 */
void tenants_name(const struct tenants *tenants, const struct event *told, struct event *event);

/**
 * tenants_uuid - of a vGPU whose number another one has, too; by its id; NULL: it is no such
 */
const char *tenants_uuid(const struct tenants *tenants, int64_t dev, int64_t id);

#endif
