/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A UUID identifies a vGPU: GVT-g reuses the number of a removed vGPU. The second and later vGPUs
 * with a number get another id from their first event on, so that no two vGPUs are confused.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_TENANTS_H
#define GVTTRACE_TENANTS_H

#include "trace/reader.h"

struct tenants;

/**
 * tenants_new - an empty table; tenants_free() frees
 */
struct tenants *tenants_new(void);
void tenants_free(struct tenants *tenants);

/**
 * tenants_note - note a gvt_vgpu_info; call for all of the trace, in chronological order
 * @tenants: struct tenants
 */
void tenants_note(void *tenants, const struct event *event);

/**
 * tenants_settle - after all tenants_note(): find when numbers changed hands
 * @opened: the trace
 */
void tenants_settle(struct tenants *tenants, const struct reader *opened);

/**
 * tenants_reuse - did several vGPUs share any number? If not, ids equal numbers.
 */
bool tenants_reuse(const struct tenants *tenants);

/**
 * tenants_named - does the model know the UUIDs of all?
 */
bool tenants_named(struct tenants *tenants, const struct model *model);

/**
 * tenants_name - copy an event with numbers replaced by ids: see vgpu_number()
 * @told: the event as traced
 *
 * Events come in chronological order, or again from the beginning.
 */
void tenants_name(const struct tenants *tenants, const struct event *told, struct event *event);

/**
 * tenants_uuid - the UUID of a vGPU, by id, whose number another one shares; NULL: none does
 */
const char *tenants_uuid(const struct tenants *tenants, int64_t dev, int64_t id);

#endif
