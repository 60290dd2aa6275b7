// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <glib.h>

#include "model/model.h"
#include "trace/util.h"
#include "tenants.h"

/* a vGPU that had a number, according to gvt_vgpu_info, once per second */
struct tenant {
	int64_t dev, number;
	char *uuid;
	int64_t serial;			/* earlier vGPUs with the number */
	int64_t told_ns;		/* first and last report */
	int64_t last_ns;
	/* start of its tenancy: end of the longest time without work and events of its number */
	int64_t from_ns;
	/* during the search: last event, longest such time, live workloads */
	int64_t event_ns, quiet_ns, alive;
};

/* damaged traces may contain any number */
#define TENANTS_MAX	4096

struct tenants {
	GArray *list;			/* struct tenant, in the order of first reports */
	bool reused;			/* a number was reused */
	unsigned int named;		/* of @list, of those at its begin the model knows the UUID */
};

static struct tenant *find_last(const struct tenants *tenants, int64_t dev, int64_t number)
{
	for (unsigned int nr = tenants->list->len; nr-- > 0; ) {
		struct tenant *tenant = &g_array_index(tenants->list, struct tenant, nr);

		if (tenant->number == number && tenant->dev == dev)
			return tenant;
	}
	return NULL;
}

void tenants_note(void *ctx, const struct event *event)
{
	const struct vgpu_info_event *told = &event->vgpu_info;
	struct tenants *tenants = ctx;
	struct tenant *last = find_last(tenants, told->dev, told->vgpu_id);
	struct tenant next = {
		.dev = told->dev, .number = told->vgpu_id, .told_ns = event->ts_ns,
		.last_ns = event->ts_ns, .from_ns = event->ts_ns, .event_ns = UNKNOWN,
	};

	if (!told->uuid || told->vgpu_id <= 0 || told->vgpu_id > VGPU_NUMBER_MAX)
		return;
	if (last && !strcmp(last->uuid, told->uuid)) {
		last->last_ns = event->ts_ns;
		return;
	}
	if (tenants->list->len == TENANTS_MAX)
		return;
	next.serial = last ? last->serial + 1 : 0;
	next.event_ns = last ? last->last_ns : UNKNOWN;
	next.uuid = g_strdup(told->uuid);
	tenants->reused |= last != NULL;
	g_array_append_val(tenants->list, next);
}

/* An event between the last report of the previous tenant and the first of the next, new one. */
static void note_event(const struct tenants *tenants, int64_t dev, int64_t number,
		       const struct event *event)
{
	bool ends = event->id == EVENT_WORKLOAD_COMPLETE || event->id == EVENT_WORKLOAD_CANCEL;
	int64_t ts_ns = event->ts_ns;

	for (unsigned int nr = 0; nr < tenants->list->len; nr++) {
		struct tenant *next = &g_array_index(tenants->list, struct tenant, nr);

		if (!next->serial || next->number != number || next->dev != dev ||
		    ts_ns < next->event_ns || ts_ns > next->told_ns)
			continue;
		if (!next->alive && ts_ns - next->event_ns >= next->quiet_ns) {
			next->quiet_ns = ts_ns - next->event_ns;
			next->from_ns = ts_ns;
		}
		next->event_ns = ts_ns;
		next->alive = MAX(next->alive + (event->id == EVENT_WORKLOAD_QUEUE) - ends, 0);
	}
}

static void on_event(void *ctx, const struct event *event)
{
	if (event->id == EVENT_VGPU_INFO)
		note_event(ctx, event->vgpu_info.dev, event->vgpu_info.vgpu_id, event);
	else if (event->id <= EVENT_WORKLOAD_CANCEL)
		note_event(ctx, event->workload.dev, event->workload.vgpu_id, event);
}

struct tenants *tenants_new(void)
{
	struct tenants *tenants = g_new0(struct tenants, 1);

	tenants->list = g_array_new(FALSE, FALSE, sizeof(struct tenant));
	return tenants;
}

void tenants_settle(struct tenants *tenants, const struct reader *opened)
{
	static const struct reader_ops ops = { .event = on_event };
	const struct reader_options options = {
		.events = EVENT_BIT(EVENT_VGPU_INFO) | (EVENT_BIT(EVENT_WORKLOAD_CANCEL + 1) - 1),
		.any_events = true, .complete = true, .alive = reader_alive(opened),
	};
	struct reader *reader;

	if (!tenants->reused)
		return;
	reader = reader_again(opened, &options);
	reader_run(reader, &ops, tenants);
	reader_close(reader);
}

void tenants_free(struct tenants *tenants)
{
	for (unsigned int nr = 0; nr < tenants->list->len; nr++)
		g_free(g_array_index(tenants->list, struct tenant, nr).uuid);
	g_array_free(tenants->list, TRUE);
	g_free(tenants);
}

/* the id of a vGPU; @serial: number of earlier vGPUs with its number */
static int64_t vgpu_id_of(int64_t serial, int64_t number)
{
	return serial && number > 0 && number <= VGPU_NUMBER_MAX ?
	       serial << VGPU_NUMBER_BITS | number : number;
}

static int64_t id_of(const struct tenants *tenants, int64_t dev, int64_t number, int64_t ts_ns)
{
	int64_t serial = 0;

	for (unsigned int nr = 0; nr < tenants->list->len; nr++) {
		const struct tenant *tenant = &g_array_index(tenants->list, struct tenant, nr);

		if (tenant->serial && tenant->number == number && tenant->dev == dev &&
		    tenant->from_ns <= ts_ns)
			serial = tenant->serial;
	}
	return vgpu_id_of(serial, number);
}

/* did, or will, another vGPU have the number? */
static bool is_reused(const struct tenants *tenants, int64_t dev, int64_t number)
{
	for (unsigned int nr = 0; nr < tenants->list->len; nr++) {
		const struct tenant *tenant = &g_array_index(tenants->list, struct tenant, nr);

		if (tenant->serial && tenant->number == number && tenant->dev == dev)
			return true;
	}
	return false;
}

bool tenants_reuse(const struct tenants *tenants)
{
	return tenants->reused;
}

void tenants_name(const struct tenants *tenants, const struct event *told, struct event *event)
{
	int64_t dev = told->workload.dev;	/* first member of all of these */

	*event = *told;
	if (!tenants->reused)
		return;
	if (told->id <= EVENT_WORKLOAD_CANCEL || told->id == EVENT_WORKLOAD_STATE) {
		event->workload.vgpu_id = id_of(tenants, dev, told->workload.vgpu_id, told->ts_ns);
	} else if (told->id == EVENT_SCHED_SWITCH) {
		event->sched_switch.prev_vgpu_id =
			id_of(tenants, dev, told->sched_switch.prev_vgpu_id, told->ts_ns);
		event->sched_switch.next_vgpu_id =
			id_of(tenants, dev, told->sched_switch.next_vgpu_id, told->ts_ns);
	} else if (told->id == EVENT_SCHED_BALANCE) {
		event->balance.vgpu_id = id_of(tenants, dev, told->balance.vgpu_id, told->ts_ns);
	} else if (told->id == EVENT_SCHED_SETTING) {
		event->setting.vgpu_id = id_of(tenants, dev, told->setting.vgpu_id, told->ts_ns);
	} else if (told->id == EVENT_SCHED_HOLD) {
		event->hold.vgpu_id = id_of(tenants, dev, told->hold.vgpu_id, told->ts_ns);
		event->hold.held_vgpu_id = id_of(tenants, dev, told->hold.held_vgpu_id, told->ts_ns);
	} else if (told->id == EVENT_HOST_START) {
		event->host.holder = id_of(tenants, dev, told->host.holder, told->ts_ns);
	} else if (told->id == EVENT_VGPU_INFO) {
		event->vgpu_info.vgpu_id = id_of(tenants, dev, told->vgpu_info.vgpu_id, told->ts_ns);
		event->vgpu_info.reused = is_reused(tenants, dev, told->vgpu_info.vgpu_id);
	} else if (told->id == EVENT_VGPU_HEALTH) {
		event->health.vgpu_id = id_of(tenants, dev, told->health.vgpu_id, told->ts_ns);
	} else if (told->id == EVENT_SPT_ALLOC || told->id == EVENT_SPT_FREE) {
		/* these name no GPU: the first one that reuses the number counts */
		event->spt.id = id_of(tenants, g_array_index(tenants->list, struct tenant, 0).dev,
				     told->spt.id, told->ts_ns);
	}
}

bool tenants_named(struct tenants *tenants, const struct model *model)
{
	for (; tenants->named < tenants->list->len; tenants->named++) {
		const struct tenant *tenant = &g_array_index(tenants->list, struct tenant, tenants->named);
		const struct vgpu *vgpu = model_vgpu(model, tenant->dev, vgpu_id_of(tenant->serial, tenant->number));

		if (!vgpu || !vgpu->uuid)
			return false;
	}
	return true;
}

const char *tenants_uuid(const struct tenants *tenants, int64_t dev, int64_t id)
{
	for (unsigned int nr = 0; tenants->reused && nr < tenants->list->len; nr++) {
		const struct tenant *tenant = &g_array_index(tenants->list, struct tenant, nr);

		if (tenant->dev == dev && vgpu_id_of(tenant->serial, tenant->number) == id &&
		    is_reused(tenants, dev, tenant->number))
			return tenant->uuid;
	}
	return NULL;
}
