// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "trace/inside.h"
#include "trace/util.h"
#include "model-private.h"
#include "turns.h"

static void replace_text(char **to, const char *text)
{
	if (!text || g_strcmp0(*to, text) == 0)
		return;
	g_free(*to);
	*to = make_printable(g_strdup(text));
}

static void set_vm(struct vgpu *vgpu, const char *vm)
{
	if (!g_strcmp0(vgpu->vm, vm))
		return;
	replace_text(&vgpu->vm, vm);
	g_free(vgpu->label);
	vgpu->label = g_strdup_printf("vGPU %" PRId64 " (%s)", vgpu_number(vgpu->id), vgpu->vm);
}

/* A report from after the window says nothing about it, if there was an earlier one. */
static bool is_later(const struct model *model, int64_t ts_ns)
{
	return ts_ns > model->until_ns;
}

static void note_cap(struct model *model, struct vgpu *vgpu, int64_t cap, int64_t ts_ns)
{
	if (!known(cap) || cap == vgpu->set.cap)
		return;
	vgpu->set.cap = cap;
	turns_setting(model, vgpu->gpu, ts_ns);
}

/* keep settings that @told lacks */
static void note_settings(struct model *model, struct vgpu *vgpu, struct vgpu_settings told,
			  int64_t ts_ns)
{
	for (const struct setting_desc *desc = settings_of_vgpus; desc->name; desc++)
		if (is_later(model, ts_ns) && known(*vgpu_setting(&vgpu->set, desc)))
			*vgpu_setting(&told, desc) = UNKNOWN;
	note_cap(model, vgpu, told.cap, ts_ns);
	for (const struct setting_desc *desc = settings_of_vgpus; desc->name; desc++)
		if (known(*vgpu_setting(&told, desc)))
			*vgpu_setting(&vgpu->set, desc) = *vgpu_setting(&told, desc);
}

/* vGPUs that share a number differ by name only: without the VM's name, use the UUID. */
void model_name_reused(struct model *model, int64_t dev, int64_t id, const char *uuid)
{
	struct vgpu *vgpu = model_get_vgpu(model, dev, id);

	vgpu->reused = true;
	if (!vgpu->vm && uuid)
		set_vm(vgpu, uuid);
}

void model_complete_vgpu(struct model *model, const struct recorded_vgpu *told)
{
	for (unsigned int nr = 0; nr < model->vgpus->len; nr++) {
		struct vgpu *vgpu = model->vgpus->pdata[nr];
		struct vgpu_settings set = told->set;

		if (g_strcmp0(vgpu->uuid, told->uuid))
			continue;
		for (const struct setting_desc *desc = settings_of_vgpus; desc->name; desc++)
			if (known(*vgpu_setting(&vgpu->set, desc)))
				*vgpu_setting(&set, desc) = UNKNOWN;
		note_settings(model, vgpu, set, model->last_ns);
		replace_text(&vgpu->gpu->address, told->gpu);
		if (told->vm)
			set_vm(vgpu, told->vm);
	}
}

#define TAKE_NUMBER(member)	vgpu->member = info->member;

static void on_vgpu_info(struct model *model, const struct event *event)
{
	const struct vgpu_info_event *info = &event->vgpu_info;
	struct vgpu *vgpu = model_get_vgpu(model, info->dev, info->vgpu_id);
	bool another = vgpu->uuid && info->uuid && strcmp(vgpu->uuid, info->uuid);

	if (another && is_later(model, event->ts_ns))
		return;
	if (!vgpu->uuid || !is_later(model, event->ts_ns)) {
		VGPU_NUMBERS(TAKE_NUMBER)
	}
	note_settings(model, vgpu, info->set, event->ts_ns);
	replace_text(&vgpu->type, info->type);
	replace_text(&vgpu->uuid, info->uuid);
	replace_text(&vgpu->gpu->address, info->gpu);
	if (info->vm)
		set_vm(vgpu, info->vm);
	if (info->reused)
		model_name_reused(model, info->dev, info->vgpu_id, vgpu->uuid);
}

/* engine of a scheduler event; NULL: all of the GPU */
static struct gpu_engine *get_scope(struct model *model, int64_t dev, int64_t class,
				    int64_t instance)
{
	return is_one_engine(class, instance) ? model_get_engine(model, dev, class, instance) : NULL;
}

static void on_switch(struct model *model, const struct event *event)
{
	const struct switch_event *told = &event->sched_switch;
	struct gpu_engine *scope = get_scope(model, told->dev, told->class, told->instance);
	struct gpu *gpu = model_get_gpu(model, told->dev);
	struct vgpu *prev = NULL, *next = NULL;

	if (told->prev_vgpu_id)
		prev = model_get_vgpu(model, told->dev, told->prev_vgpu_id);
	if (told->next_vgpu_id)
		next = model_get_vgpu(model, told->dev, told->next_vgpu_id);
	gpu->per_engine = scope;
	for (unsigned int nr = 0; !scope && told->reason != SWITCH_STOP && nr < gpu->engines->len; nr++)
		life_show_idle(model, gpu->engines->pdata[nr]);
	turns_switch(model, gpu, scope, prev, next, event);
}

static void on_balance(struct model *model, const struct event *event)
{
	const struct balance_event *balance = &event->balance;
	struct vgpu *vgpu = model_get_vgpu(model, balance->dev, balance->vgpu_id);

	if (known(balance->weight) && (!known(vgpu->weight) || !is_later(model, event->ts_ns)))
		vgpu->weight = balance->weight;
	turns_balance(model, vgpu, get_scope(model, balance->dev, balance->class,
					     balance->instance), event);
}

static void on_hold(struct model *model, const struct event *event)
{
	const struct hold_event *hold = &event->hold;

	turns_hold(model, model_get_gpu(model, hold->dev),
		   get_scope(model, hold->dev, hold->class, hold->instance),
		   model_get_vgpu(model, hold->dev, hold->vgpu_id), event);
}

static void free_sched_info(void *data)
{
	struct sched_info *info = data;

	g_free((char *)info->policy);
	g_free((char *)info->dispatch);
	g_free(info);
}

void told_init(struct model *model)
{
	model->sched_infos = g_ptr_array_new_with_free_func(free_sched_info);
	model->until_ns = INT64_MAX;
}

static struct sched_info *find_sched_info(const struct model *model, int64_t dev)
{
	for (unsigned int nr = 0; nr < model->sched_infos->len; nr++) {
		struct sched_info *info = model->sched_infos->pdata[nr];

		if (info->dev == dev)
			return info;
	}
	return NULL;
}

static void note_policy(struct model *model, struct sched_info *info, const char *policy,
			int64_t ts_ns)
{
	struct gpu *gpu = model_get_gpu(model, info->dev);

	if (!policy)
		return;
	if (!info->policy || !is_later(model, ts_ns))
		replace_text((char **)&info->policy, policy);
	gpu->policy_lost = false;
	if (gpu->lends == sched_policy_lends(policy))
		return;
	gpu->lends = sched_policy_lends(policy);
	turns_setting(model, gpu, ts_ns);
}

/* Each engine has its own turn in every dispatch mode but exclusive. */
static void note_dispatch(struct model *model, struct sched_info *info, const char *dispatch,
			  int64_t ts_ns)
{
	if (!dispatch)
		return;
	if (!info->dispatch || !is_later(model, ts_ns))
		replace_text((char **)&info->dispatch, dispatch);
	model_get_gpu(model, info->dev)->per_engine = *dispatch && strcmp(dispatch, "exclusive");
}

static struct sched_info *get_sched_info(struct model *model, int64_t dev)
{
	struct sched_info *info = find_sched_info(model, dev);

	if (info)
		return info;
	info = g_new(struct sched_info, 1);
	*info = sched_info_unknown;
	info->dev = dev;
	g_ptr_array_add(model->sched_infos, info);
	return info;
}

static void on_sched_info(struct model *model, const struct event *event)
{
	struct sched_info told = event->sched_info;
	bool first = !find_sched_info(model, told.dev);
	struct sched_info *info = get_sched_info(model, told.dev);

	/* changes of these have side effects: handled below, and kept if the event lacks them */
	told.policy = info->policy;
	told.dispatch = info->dispatch;
	if (first || !is_later(model, event->ts_ns))
		*info = told;
	model_get_gpu(model, told.dev)->traced = true;
	note_dispatch(model, info, event->sched_info.dispatch, event->ts_ns);
	note_policy(model, info, event->sched_info.policy, event->ts_ns);
}

static void on_setting_of_vgpu(struct model *model, const struct event *event)
{
	const struct setting_event *told = &event->setting;
	struct vgpu *vgpu = model_get_vgpu(model, told->dev, told->vgpu_id);
	struct vgpu_settings set = vgpu_settings_unknown;
	gint64 number;

	if (!g_ascii_string_to_signed(told->new_value, 10, INT32_MIN, INT32_MAX, &number, NULL))
		return;
	for (const struct setting_desc *desc = settings_of_vgpus; desc->name; desc++)
		if (!strcmp(told->setting, desc->name))
			*vgpu_setting(&set, desc) = number;
	note_settings(model, vgpu, set, event->ts_ns);
}

/* The next gvt_sched_info, once per second, is early enough for other settings. */
static void on_setting(struct model *model, const struct event *event)
{
	const struct setting_event *told = &event->setting;
	struct sched_info *info = find_sched_info(model, told->dev);

	if (!told->setting || !told->new_value)
		return;
	if (told->vgpu_id)
		on_setting_of_vgpu(model, event);
	else if (info && !strcmp(told->setting, "policy"))
		note_policy(model, info, told->new_value, event->ts_ns);
	else if (info && !strcmp(told->setting, "dispatch"))
		note_dispatch(model, info, told->new_value, event->ts_ns);
}

static void (*const tellers[EVENT_COUNT])(struct model *, const struct event *) = {
	[EVENT_SCHED_SWITCH] = on_switch,
	[EVENT_SCHED_BALANCE] = on_balance,
	[EVENT_SCHED_HOLD] = on_hold,
	[EVENT_HOST_START] = host_event,
	[EVENT_HOST_STOP] = host_event,
	[EVENT_HOST_STATE] = host_event,
	[EVENT_REQUEST_ADD] = host_request,
	[EVENT_SCHED_SETTING] = on_setting,
	[EVENT_VGPU_INFO] = on_vgpu_info,
	[EVENT_SCHED_INFO] = on_sched_info,
};

void model_look_until(struct model *model, int64_t ts_ns)
{
	model->until_ns = ts_ns;
}

void told_event(struct model *model, const struct event *event)
{
	if (tellers[event->id])
		tellers[event->id](model, event);
}

const struct sched_info *model_sched_info(const struct model *model, int64_t dev)
{
	const struct sched_info *info = find_sched_info(model, dev);

	return info ? info : &sched_info_unknown;
}

const GPtrArray *model_sched_infos(const struct model *model)
{
	return model->sched_infos;
}
