// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "trace/util.h"
#include "check.h"
#include "held.h"

/* Limits for traces with many changes: later settings replace the last period's. */
#define MAX_PERIODS	64
#define MAX_CHANGES	1024

/* settings in force at the same time; of a GPU, or of a vGPU */
union state {
	struct sched_info info;		/* strings are interned */
	struct vgpu_settings set;
};

struct period {
	int64_t from_ns;
	union state state;
};

/* the owner of settings */
struct owner {
	int64_t dev;
	const struct vgpu *vgpu;	/* NULL: the GPU */
	char *uuid;			/* of the vGPU; NULL: unknown */
	GArray *periods;		/* struct period */
	const union state *longest;	/* set after reading the trace */
};

struct held {
	struct follow *follow;
	GPtrArray *owners;		/* struct owner */
	GArray *changes;		/* struct setting_change */
};

static void free_owner(void *data)
{
	struct owner *owner = data;

	g_array_free(owner->periods, TRUE);
	g_free(owner->uuid);
	g_free(owner);
}

static void clear_change(void *data)
{
	struct setting_change *change = data;

	g_free(change->old_value);
	g_free(change->new_value);
}

static struct owner *find(const struct held *held, int64_t dev, const struct vgpu *vgpu)
{
	for (unsigned int nr = 0; nr < held->owners->len; nr++) {
		struct owner *owner = held->owners->pdata[nr];

		if (owner->dev == dev && owner->vgpu == vgpu)
			return owner;
	}
	return NULL;
}

/* The model limits the number of GPUs and vGPUs. */
static struct owner *get(struct held *held, int64_t dev, const struct vgpu *vgpu)
{
	struct owner *owner = find(held, dev, vgpu);

	if (owner)
		return owner;
	owner = g_new0(struct owner, 1);
	owner->dev = dev;
	owner->vgpu = vgpu;
	owner->periods = g_array_new(FALSE, FALSE, sizeof(struct period));
	g_ptr_array_add(held->owners, owner);
	return owner;
}

/* the value of a setting as in its file; NULL: unknown */
static char *value_of(const struct owner *owner, const union state *state,
		      const struct setting_desc *desc)
{
	int64_t number;

	if (!owner->vgpu)
		return sched_setting(&state->info, desc->name);
	number = *vgpu_setting((struct vgpu_settings *)&state->set, desc);
	return known(number) ? g_strdup_printf("%" PRId64, number) : NULL;
}

static void note_change(struct held *held, const struct setting_change *change)
{
	const struct window *window = &held->follow->window;

	if (change->at_ns > window->from_ns && change->at_ns <= window->to_ns &&
	    held->changes->len < MAX_CHANGES)
		g_array_append_val(held->changes, *change);
	else
		clear_change((void *)change);
}

/* The first known value is no change. */
static bool note_changes(struct held *held, const struct owner *owner, const union state *old,
			 const union state *now, int64_t ts_ns)
{
	const struct setting_desc *desc = owner->vgpu ? settings_of_vgpus : settings_of_gpus;
	bool changed = false;

	for (; desc->name; desc++) {
		struct setting_change change = {
			.at_ns = ts_ns, .dev = owner->dev, .vgpu = owner->vgpu,
			.setting = desc->name, .old_value = value_of(owner, old, desc),
			.new_value = value_of(owner, now, desc),
		};

		if (!change.old_value || !change.new_value ||
		    !strcmp(change.old_value, change.new_value)) {
			clear_change(&change);
			continue;
		}
		note_change(held, &change);
		changed = true;
	}
	return changed;
}

/* Another vGPU has the number now: differences from its predecessor are no changes. */
static bool is_reused(struct owner *owner)
{
	const char *uuid = owner->vgpu ? owner->vgpu->uuid : NULL;
	bool told = owner->uuid;

	if (!uuid || !g_strcmp0(owner->uuid, uuid))
		return false;
	g_free(owner->uuid);
	owner->uuid = g_strdup(uuid);
	return told;
}

static void note_state(struct held *held, struct owner *owner, const union state *now,
		       int64_t ts_ns)
{
	bool reused = is_reused(owner), changed;
	struct period period = { .from_ns = ts_ns, .state = *now };
	struct period *last;

	if (!owner->periods->len)
		period.from_ns = held->follow->trace->start_ns;
	last = owner->periods->len ? &g_array_index(owner->periods, struct period,
						    owner->periods->len - 1) : NULL;
	changed = !last || reused || note_changes(held, owner, &last->state, now, ts_ns);
	if (last && (!changed || owner->periods->len == MAX_PERIODS))
		last->state = *now;
	else
		g_array_append_val(owner->periods, period);
}

static void on_gpu(struct held *held, int64_t dev, int64_t ts_ns)
{
	union state state = { .info = *model_sched_info(held->follow->model, dev) };

	if (!known(state.info.dev))
		return;
	state.info.policy = g_intern_string(state.info.policy);
	state.info.dispatch = g_intern_string(state.info.dispatch);
	note_state(held, get(held, dev, NULL), &state, ts_ns);
}

static void on_vgpu(struct held *held, int64_t dev, int64_t id, int64_t ts_ns)
{
	const struct vgpu *vgpu = model_vgpu(held->follow->model, dev, id);
	union state state;

	if (!vgpu)
		return;
	state.set = vgpu->set;
	note_state(held, get(held, dev, vgpu), &state, ts_ns);
}

static void on_event(void *ctx, const struct event *event)
{
	struct held *held = ctx;

	if (event->id == EVENT_SCHED_INFO)
		on_gpu(held, event->sched_info.dev, event->ts_ns);
	else if (event->id == EVENT_VGPU_INFO)
		on_vgpu(held, event->vgpu_info.dev, event->vgpu_info.vgpu_id, event->ts_ns);
	else if (event->setting.vgpu_id)
		on_vgpu(held, event->setting.dev, event->setting.vgpu_id, event->ts_ns);
	else
		on_gpu(held, event->setting.dev, event->ts_ns);
}

struct held *held_new(struct follow *follow)
{
	struct held *held = g_new0(struct held, 1);

	held->follow = follow;
	held->owners = g_ptr_array_new_with_free_func(free_owner);
	held->changes = g_array_new(FALSE, FALSE, sizeof(struct setting_change));
	g_array_set_clear_func(held->changes, clear_change);
	follow_add(follow, (struct analysis) {
		.events = EVENT_BIT(EVENT_SCHED_INFO) | EVENT_BIT(EVENT_SCHED_SETTING) |
			  EVENT_BIT(EVENT_VGPU_INFO),
		.event = on_event, .ctx = held,
	});
	return held;
}

void held_free(struct held *held)
{
	g_array_free(held->changes, TRUE);
	g_ptr_array_free(held->owners, TRUE);
	g_free(held);
}

static bool is_same(const struct owner *owner, const union state *a, const union state *b)
{
	const struct setting_desc *desc = owner->vgpu ? settings_of_vgpus : settings_of_gpus;

	for (; desc->name; desc++) {
		char *va = value_of(owner, a, desc), *vb = value_of(owner, b, desc);
		bool same = !g_strcmp0(va, vb);

		g_free(va);
		g_free(vb);
		if (!same)
			return false;
	}
	return true;
}

static int64_t overlap(const struct window *window, const struct owner *owner, unsigned int nr)
{
	const struct period *periods = (const struct period *)owner->periods->data;
	int64_t to_ns = nr + 1 < owner->periods->len ? periods[nr + 1].from_ns : INT64_MAX;

	return MAX(MIN(to_ns, window->to_ns) - MAX(periods[nr].from_ns, window->from_ns), 0);
}

/* The same settings may have been in force several times. Of equals, takes the last. */
static const union state *find_longest(const struct window *window, const struct owner *owner)
{
	const struct period *periods = (const struct period *)owner->periods->data;
	const union state *longest = NULL;
	int64_t longest_ns = -1;

	for (unsigned int nr = 0; nr < owner->periods->len; nr++) {
		int64_t sum = 0;

		for (unsigned int other = 0; other < owner->periods->len; other++)
			if (is_same(owner, &periods[nr].state, &periods[other].state))
				sum += overlap(window, owner, other);
		if (sum >= longest_ns) {
			longest_ns = sum;
			longest = &periods[nr].state;
		}
	}
	return longest;
}

void held_finish(struct held *held)
{
	for (unsigned int nr = 0; nr < held->owners->len; nr++) {
		struct owner *owner = held->owners->pdata[nr];

		owner->longest = find_longest(&held->follow->window, owner);
	}
	while (held->changes->len &&
	       g_array_index(held->changes, struct setting_change, held->changes->len - 1).at_ns >
	       held->follow->window.to_ns)
		g_array_set_size(held->changes, held->changes->len - 1);
}

const struct sched_info *held_settings(const struct held *held, int64_t dev)
{
	const struct owner *owner = find(held, dev, NULL);

	return owner ? &owner->longest->info : NULL;
}

const struct vgpu_settings *held_vgpu_settings(const struct held *held, const struct vgpu *vgpu)
{
	const struct owner *owner = find(held, vgpu->dev, vgpu);

	return owner ? &owner->longest->set : &vgpu->set;
}

const GArray *held_changes(const struct held *held)
{
	return held->changes;
}
