// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "trace/engine.h"
#include "trace/quantities.h"
#include "trace/util.h"
#include "whatif.h"

static const struct whatif_vgpu unchanged = {
	.weight = UNKNOWN, .nice = UNKNOWN, .cap = UNKNOWN, .preempt = UNKNOWN,
	.piece_ns = UNKNOWN, .depth = UNKNOWN, .period_ns = UNKNOWN, .speed = NAN,
};

const struct whatif_word whatif_words[] = {
	{ "weight", 1, 16, offsetof(struct whatif_vgpu, weight), 1 },
	{ "nice", -20, 19, offsetof(struct whatif_vgpu, nice), 1 },
	{ "cap", 0, 100, offsetof(struct whatif_vgpu, cap), 1 },
	{ "preempt", 0, 1, offsetof(struct whatif_vgpu, preempt), 1 },
	{ "depth", 1, STREAM_NO_LIMIT, offsetof(struct whatif_vgpu, depth), 1 },
	{ "pieces_us", 0, 1000000, offsetof(struct whatif_vgpu, piece_ns), 1000 },
	{ 0 }
};

const char *whatif_missing(const struct trace_info *info)
{
	static const enum event_id needed[] = {
		EVENT_WORKLOAD_QUEUE, EVENT_WORKLOAD_START, EVENT_WORKLOAD_STOP,
		EVENT_WORKLOAD_COMPLETE,
	};

	/* completed workloads were queued and executed, so missing events were not recorded */
	for (size_t nr = 0; nr < G_N_ELEMENTS(needed); nr++)
		if (!info->recorded[needed[nr]] &&
		    (info->recorded[EVENT_WORKLOAD_COMPLETE] || event_missing(info, needed[nr])))
			return event_name(needed[nr]);
	return NULL;
}

void whatif_init(struct whatif *whatif)
{
	*whatif = (struct whatif) {
		.settings = g_ptr_array_new_with_free_func(g_free),
		.vgpus = g_array_new(FALSE, FALSE, sizeof(struct whatif_vgpu)),
		.speed = NAN,
	};
}

void whatif_clear(struct whatif *whatif)
{
	g_ptr_array_free(whatif->settings, TRUE);
	g_array_free(whatif->vgpus, TRUE);
}

void whatif_set(struct whatif *whatif, const char *name, const char *value)
{
	g_ptr_array_add(whatif->settings, g_strdup(name));
	g_ptr_array_add(whatif->settings, g_strdup(value));
}

static struct whatif_vgpu *find_vgpu(const struct whatif *whatif, int64_t id)
{
	for (unsigned int nr = 0; nr < whatif->vgpus->len; nr++) {
		struct whatif_vgpu *vgpu = &g_array_index(whatif->vgpus, struct whatif_vgpu, nr);

		if (vgpu->id == id)
			return vgpu;
	}
	return NULL;
}

const struct whatif_vgpu *whatif_find_vgpu(const struct whatif *whatif, int64_t id)
{
	return find_vgpu(whatif, id);
}

struct whatif_vgpu *whatif_vgpu(struct whatif *whatif, int64_t id)
{
	struct whatif_vgpu *vgpu = find_vgpu(whatif, id);

	if (vgpu)
		return vgpu;
	g_array_append_val(whatif->vgpus, unchanged);
	vgpu = &g_array_index(whatif->vgpus, struct whatif_vgpu, whatif->vgpus->len - 1);
	vgpu->id = id;
	return vgpu;
}

void whatif_tell(const struct whatif *whatif, struct streams *streams)
{
	for (unsigned int nr = 0; nr < whatif->vgpus->len; nr++) {
		const struct whatif_vgpu *vgpu = &g_array_index(whatif->vgpus, struct whatif_vgpu, nr);
		const struct stream_told told = {
			vgpu->arrivals, known(vgpu->period_ns) ? vgpu->period_ns : 0,
			known(vgpu->depth) ? vgpu->depth : 0,
		};

		if (told.arrivals != STREAM_ANY || told.period_ns || told.depth)
			streams_tell(streams, vgpu->id, &told);
	}
}

char *whatif_value(const struct whatif *whatif, const struct sched_info *info, const char *name)
{
	for (unsigned int nr = whatif->settings->len; nr; nr -= 2)
		if (!strcmp(whatif->settings->pdata[nr - 2], name))
			return g_strdup(whatif->settings->pdata[nr - 1]);
	return sched_setting(info, name);
}

void whatif_copy(struct whatif *to, const struct whatif *from)
{
	whatif_init(to);
	to->windows = from->windows;
	to->speed = from->speed;
	to->observer = from->observer;
	for (unsigned int nr = 0; nr < from->settings->len; nr += 2)
		whatif_set(to, from->settings->pdata[nr], from->settings->pdata[nr + 1]);
	for (unsigned int nr = 0; nr < from->vgpus->len; nr++) {
		struct whatif_vgpu vgpu = g_array_index(from->vgpus, struct whatif_vgpu, nr);

		*whatif_vgpu(to, vgpu.id) = vgpu;
	}
}

bool whatif_is_of_preemption(enum stream_doubt doubt)
{
	return doubt == STREAM_GUESSED_PIECES || doubt == STREAM_NEVER_PREEMPTED;
}

static bool has_guest(const GPtrArray *vgpus, const GArray *guests, int64_t id)
{
	for (unsigned int nr = 0; nr < guests->len; nr++)
		if (g_array_index(guests, struct whatif_guest, nr).id == id)
			return true;
	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (((const struct vgpu *)vgpus->pdata[nr])->id == id)
			return true;
	return false;
}

/* A vGPU that reuses the number of another gets a free id, as all are simulated at once. */
static int64_t guest_id(const GPtrArray *vgpus, const GArray *guests, const struct vgpu *vgpu)
{
	int64_t id = 1;

	if (vgpu->id == vgpu_number(vgpu->id))
		return vgpu->id;
	while (has_guest(vgpus, guests, id))
		id++;
	return id;
}

GArray *whatif_guests(const struct model *model, int64_t dev, int64_t window_ns)
{
	GArray *guests = g_array_new(FALSE, FALSE, sizeof(struct whatif_guest));
	const GPtrArray *vgpus = model_vgpus(model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];
		const struct whatif_guest guest = {
			.vgpu = vgpu, .id = guest_id(vgpus, guests, vgpu), .window_ns = window_ns,
		};

		if (vgpu->dev == dev)
			g_array_append_val(guests, guest);
	}
	return guests;
}

const struct whatif_guest *whatif_guest_of(const GArray *guests, const struct vgpu *vgpu)
{
	for (unsigned int nr = 0; nr < guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(guests, struct whatif_guest, nr);

		if (guest->vgpu == vgpu)
			return guest;
	}
	return NULL;
}

int64_t whatif_gap_ns(const struct whatif *whatif)
{
	return whatif->line || whatif->windows < 2 ? 0 : WHATIF_GAP_NS;
}
