// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "lanes-private.h"

static void free_track(void *data)
{
	struct track *track = data;

	g_ptr_array_free(track->slots, TRUE);
	g_free(track);
}

GPtrArray *lanes_new_tracks(void)
{
	return g_ptr_array_new_with_free_func(free_track);
}

static bool same_owner(const struct lane *a, const struct lane *b)
{
	return a->kind == b->kind && a->gpu == b->gpu && a->engine == b->engine &&
	       a->vgpu == b->vgpu && a->vcpu == b->vcpu;
}

static struct track *new_track(struct lanes *lanes, const struct lane *owner)
{
	struct track *track = g_new0(struct track, 1);

	track->owner = *owner;
	track->slots = g_ptr_array_new_with_free_func(g_free);
	track->to_ns = INT64_MIN;
	g_ptr_array_add(lanes->tracks, track);
	return track;
}

struct track *lanes_track(struct lanes *lanes, const struct lane *owner)
{
	for (unsigned int nr = 0; nr < lanes->tracks->len; nr++) {
		struct track *track = lanes->tracks->pdata[nr];

		if (same_owner(&track->owner, owner))
			return track;
	}
	return new_track(lanes, owner);
}

/* Frequent tracks are found by index; NULL: not created yet. */
static struct track *indexed_track(const GPtrArray *by_index, unsigned int index)
{
	return index < by_index->len ? by_index->pdata[index] : NULL;
}

static struct track *new_indexed_track(struct lanes *lanes, GPtrArray *by_index,
				       unsigned int index, const struct lane *owner)
{
	if (index >= by_index->len)
		g_ptr_array_set_size(by_index, index + 1);
	by_index->pdata[index] = new_track(lanes, owner);
	return by_index->pdata[index];
}

struct track *lanes_track_of_queue(struct lanes *lanes, enum lane_kind kind,
				   const struct vgpu_engine *queue)
{
	struct track *track = indexed_track(lanes->by_queue[kind], queue->index);

	return track ? track : new_indexed_track(lanes, lanes->by_queue[kind], queue->index,
						 &(const struct lane) {
		.kind = kind, .gpu = queue->vgpu->gpu, .engine = queue->engine, .vgpu = queue->vgpu,
	});
}

struct track *lanes_track_of_engine(struct lanes *lanes, enum lane_kind kind,
				    const struct gpu_engine *engine)
{
	struct track *track = indexed_track(lanes->by_engine[kind], engine->index);

	return track ? track : new_indexed_track(lanes, lanes->by_engine[kind], engine->index,
						 &(const struct lane) {
		.kind = kind, .gpu = engine->gpu, .engine = engine,
	});
}

struct track *lanes_track_of_vcpu(struct lanes *lanes, const struct vcpu *vcpu)
{
	struct track *track = indexed_track(lanes->by_line, vcpu->line);

	return track ? track : new_indexed_track(lanes, lanes->by_line, vcpu->line,
						 &(const struct lane) {
		.kind = LANE_VCPU, .vcpu = vcpu,
	});
}

static struct slot *new_slot(struct lanes *lanes, struct track *track)
{
	struct slot *slot;

	if (track->slots->len == LANES_MAX)
		return NULL;
	slot = g_new0(struct slot, 1);
	slot->lane = track->owner;
	slot->lane.index = lanes->nr_lanes++;
	slot->lane.slot = track->slots->len;
	slot->until_ns = INT64_MIN;
	g_ptr_array_add(track->slots, slot);
	if (lanes->ops->lane)
		lanes->ops->lane(lanes->ctx, &slot->lane);
	return slot;
}

static struct slot *free_slot(struct lanes *lanes, struct track *track, int64_t from_ns)
{
	for (unsigned int nr = 0; nr < track->slots->len; nr++) {
		struct slot *slot = track->slots->pdata[nr];

		if (!slot->held && slot->until_ns <= from_ns)
			return slot;
	}
	return new_slot(lanes, track);
}

struct slot *lanes_hold(struct lanes *lanes, struct track *track, int64_t from_ns)
{
	struct slot *slot = free_slot(lanes, track, from_ns);

	if (slot)
		slot->held = true;
	return slot;
}

/* Returns false if nothing is inside the window. */
static bool clip(const struct lanes *lanes, struct lane_interval *interval)
{
	const struct window *window = &lanes->follow->window;

	if (!known(interval->from_ns) || interval->from_ns < window->from_ns) {
		interval->from_ns = window->from_ns;
		interval->begin = MAX(interval->begin, LIMIT_CUT);
	}
	if (!known(interval->to_ns) || interval->to_ns > window->to_ns) {
		interval->to_ns = window->to_ns;
		interval->end = MAX(interval->end, LIMIT_CUT);
	}
	return interval->from_ns < interval->to_ns ||
	       (interval->workload && interval->from_ns == interval->to_ns);
}

void lanes_put(struct lanes *lanes, struct track *track, struct slot *slot,
	       struct lane_interval *interval)
{
	if (!clip(lanes, interval))
		return;
	if (!slot)
		slot = free_slot(lanes, track, interval->from_ns);
	if (!slot) {
		lanes->dropped++;
		return;
	}
	slot->until_ns = interval->to_ns;
	interval->lane = &slot->lane;
	if (lanes->ops->interval)
		lanes->ops->interval(lanes->ctx, interval);
}
