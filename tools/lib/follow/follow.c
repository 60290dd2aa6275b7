// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/inside.h"
#include "trace/inside.h"
#include "trace/util.h"
#include "follow-private.h"
#include "tenants.h"

/* fill in recorded settings that neither this event nor an earlier one carries */
static void complete_settings(struct vgpu_settings *set, struct vgpu_settings seen,
			      struct vgpu_settings told)
{
	for (const struct setting_desc *desc = settings_of_vgpus; desc->name; desc++)
		if (!known(*vgpu_setting(set, desc)) && !known(*vgpu_setting(&seen, desc)))
			*vgpu_setting(set, desc) = *vgpu_setting(&told, desc);
}

/*
 * The recorder may have what the kernel's event lacks: the name of the VM, and
 * settings at the time of recording, valid until a change of them was traced.
 */
static void complete_info(const struct follow *follow, struct event *event)
{
	struct vgpu_info_event *info = &event->vgpu_info;
	const struct recorded_vgpu *told = recorded_vgpu(follow->recorded, info->uuid);
	const struct vgpu *vgpu = model_vgpu(follow->model, info->dev, info->vgpu_id);

	info->vm = told ? told->vm : recorded_vm(follow->recorded, info->owner_pid);
	info->gpu = told ? told->gpu : NULL;
	if (told)
		complete_settings(&info->set, vgpu ? vgpu->set : vgpu_settings_unknown, told->set);
}

static __attribute__((cold)) void on_vgpu_info(struct follow *follow, const struct event *event)
{
	struct event complete = *event;

	complete_info(follow, &complete);
	model_event(follow->model, &complete);
}

/* A flight recorder notes what it knows of vGPUs at the end, behind the last gvt_vgpu_info. */
static void on_mark(struct follow *follow, const struct event *event)
{
	const GPtrArray *vgpus = follow->recorded->vgpus;

	recorded_mark(follow->recorded, event->ts_ns, event->mark.text);
	if (!event->mark.text || !g_str_has_prefix(event->mark.text, RECORDED_PREFIX "vgpu "))
		return;
	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		model_complete_vgpu(follow->model, vgpus->pdata[nr]);
}

static void name_vgpu(struct follow *follow, int64_t dev, int64_t id)
{
	const struct vgpu *vgpu = model_vgpu(follow->model, dev, id);
	const char *uuid;

	if (vgpu && vgpu->reused)
		return;
	uuid = tenants_uuid(follow->tenants, dev, id);
	if (uuid)
		model_name_reused(follow->model, dev, id, uuid);
}

/* A vGPU's work and turns may precede its first gvt_vgpu_info. */
static void name_reused(struct follow *follow, const struct event *event)
{
	if (event->id <= EVENT_WORKLOAD_CANCEL) {
		name_vgpu(follow, event->workload.dev, event->workload.vgpu_id);
	} else if (event->id == EVENT_SCHED_SWITCH) {
		name_vgpu(follow, event->sched_switch.dev, event->sched_switch.prev_vgpu_id);
		name_vgpu(follow, event->sched_switch.dev, event->sched_switch.next_vgpu_id);
	}
}

static void on_event(void *ctx, const struct event *event)
{
	struct follow *follow = ctx;

	if (event->id == EVENT_VGPU_INFO)
		on_vgpu_info(follow, event);
	else
		model_event(follow->model, event);
	if (event->id == EVENT_MARK)
		on_mark(follow, event);
	for (const struct analysis **taker = follow->takers[event->id]; *taker; taker++)
		(*taker)->event((*taker)->ctx, event);
}

/* used if vGPU numbers are reused */
static void on_reused_event(void *ctx, const struct event *told)
{
	struct follow *follow = ctx;
	struct event event;

	tenants_name(follow->tenants, told, &event);
	name_reused(follow, &event);
	on_event(follow, &event);
}

/* Losses concern analyses of events that can have been lost. */
static void on_gap_begin(void *ctx, int64_t ts_ns, event_set events)
{
	struct follow *follow = ctx;

	if (events & MODEL_EVENTS)
		model_gap_begin(follow->model, ts_ns);
	for (int nr = 0; nr < follow->nr_analyses; nr++) {
		const struct analysis *analysis = &follow->analyses[nr];

		if (analysis->lost && analysis->events & events)
			analysis->lost(analysis->ctx, ts_ns);
	}
}

static void on_gap_end(void *ctx, int64_t ts_ns, event_set events)
{
	struct follow *follow = ctx;

	if (events & MODEL_EVENTS)
		model_gap_end(follow->model, ts_ns);
	for (int nr = 0; nr < follow->nr_analyses; nr++) {
		const struct analysis *analysis = &follow->analyses[nr];

		if (analysis->found && analysis->events & events)
			analysis->found(analysis->ctx, ts_ns);
	}
}

static void learn_name(void *ctx, const struct event *told)
{
	struct follow *follow = ctx;
	struct event event;

	tenants_name(follow->tenants, told, &event);
	if (event.id == EVENT_VGPU_INFO)
		on_vgpu_info(follow, &event);
	else if (event.id == EVENT_MARK)
		on_mark(follow, &event);
}

static bool all_names_known(void *ctx)
{
	struct follow *follow = ctx;

	return selection_names_known(follow->selection, follow->model);
}

/* The prologue ends soon after the first GPU began to work: other GPUs may begin later. */
static void on_stranger(void *ctx, int64_t dev, int64_t ts_ns)
{
	struct follow *follow = ctx;
	int64_t id = prologue_first_id(follow->prologue, dev, ts_ns);

	if (known(id))
		model_first_id(follow->model, dev, id);
}

/* Blame needs all work that waited when the trace began. */
static void look_ahead(struct follow *follow)
{
	bool all = follow->selection->quantities & QUANTITY_BIT(QUANTITY_BLAME);
	const struct model_listener listener = { .stranger = on_stranger, .ctx = follow };

	follow->prologue = prologue_new(follow->reader, all);
	prologue_ids(follow->prologue, follow->model);
	model_listen(follow->model, &listener);
}

/* Read names and marks from the beginning, until it is enough. */
static void learn(struct follow *follow, bool (*enough)(void *ctx))
{
	const struct reader_ops ops = { .event = learn_name, .enough = enough };
	const struct reader_options options = {
		.events = MODEL_EVENTS | EVENT_BIT(EVENT_MARK), .alive = follow->selection->alive,
	};
	struct reader *reader = reader_again(follow->reader, &options);

	reader_run(reader, &ops, follow);
	reader_close(reader);
}

/*
 * Commands that print while reading must know which vGPU a UUID means, and which GPU an
 * address, before its first event: look ahead, usually to the first second.
 */
static void learn_names(struct follow *follow)
{
	learn(follow, all_names_known);
	/* the marks will be read again */
	recorded_free(follow->recorded);
	follow->recorded = recorded_new();
}

/* Events that only improve accuracy: without them, the host's times are less exact. */
static event_set better_known(const struct selection *selection)
{
	return selection->quantities & QUANTITY_BIT(QUANTITY_HOST) ? EVENT_BIT(EVENT_REQUEST_ADD) : 0;
}

void follow_open(struct follow *follow, const struct selection *selection)
{
	struct tenants *tenants = tenants_new();
	const struct reader_options options = {
		.path = selection->input,
		.tsc_khz = selection->tsc_khz,
		.events = MODEL_EVENTS | EVENT_BIT(EVENT_MARK) |
			  quantities_need(selection->quantities) | better_known(selection),
		.beside = quantities_need(selection->beside),
		.alive = selection->alive,
		.told = tenants_note,
		.told_ctx = tenants,
	};

	*follow = (struct follow) {
		.selection = selection, .model = model_new(), .recorded = recorded_new(),
		.tenants = tenants,
		.contradictions = g_array_new(FALSE, FALSE, sizeof(struct contradiction)),
	};
	follow->reader = reader_open(&options);
	tenants_settle(tenants, follow->reader);
	if (!all_names_known(follow))
		learn_names(follow);
	look_ahead(follow);
	follow->trace = reader_info(follow->reader);
	follow->window = selection_window(selection, follow->trace);
	model_look_until(follow->model, follow->window.to_ns);
}

static void find_any(void *found, const struct event *event)
{
	(void)event;
	*(bool *)found = true;
}

static bool is_found(void *found)
{
	return *(const bool *)found;
}

bool follow_has_any(const struct follow *follow, event_set events)
{
	static const struct reader_ops ops = { .event = find_any, .enough = is_found };
	const struct reader_options options = {
		.events = events, .any_events = true, .alive = follow->selection->alive,
	};
	struct reader *reader = reader_again(follow->reader, &options);
	bool found = false;

	reader_run(reader, &ops, &found);
	reader_close(reader);
	return found;
}

static bool are_vgpus_known(void *ctx)
{
	struct follow *follow = ctx;

	return tenants_named(follow->tenants, follow->model);
}

/* Marks name the VMs; a flight recorder writes these at the end of its file. */
static bool are_vms_named(const struct follow *follow)
{
	const GPtrArray *vgpus = model_vgpus(follow->model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];

		if (vgpu->uuid && !recorded_vgpu(follow->recorded, vgpu->uuid))
			return false;
	}
	return true;
}

/* The recorder writes the marks of vGPUs last, behind the time and the host. */
static bool is_all_known(void *ctx)
{
	const struct follow *follow = ctx;

	return known(follow->recorded->zero_unix_ns) && are_vgpus_known(ctx) && are_vms_named(follow);
}

const struct follow *follow_look_ahead(struct follow *follow, bool host)
{
	/* a model of its own: what is concluded later must not depend on this */
	follow->ahead = g_new(struct follow, 1);
	*follow->ahead = (struct follow) {
		.selection = follow->selection, .reader = follow->reader, .tenants = follow->tenants,
		.model = model_new(), .recorded = recorded_new(),
	};
	learn(follow->ahead, host ? is_all_known : are_vgpus_known);
	return follow->ahead;
}

void follow_close(struct follow *follow)
{
	if (follow->ahead) {
		recorded_free(follow->ahead->recorded);
		model_free(follow->ahead->model);
		g_free(follow->ahead);
	}
	g_array_free(follow->contradictions, TRUE);
	prologue_free(follow->prologue);
	tenants_free(follow->tenants);
	recorded_free(follow->recorded);
	model_free(follow->model);
	reader_close(follow->reader);
}

static void add_taker(const struct analysis **takers, const struct analysis *analysis)
{
	while (*takers)
		takers++;
	*takers = analysis;
}

void follow_add(struct follow *follow, struct analysis analysis)
{
	struct analysis *kept;

	g_assert(follow->nr_analyses < FOLLOW_ANALYSES);
	kept = &follow->analyses[follow->nr_analyses++];
	*kept = analysis;
	for (enum event_id id = 0; id < EVENT_COUNT; id++)
		if (kept->events & EVENT_BIT(id))
			add_taker(follow->takers[id], kept);
}

void follow_run(struct follow *follow)
{
	const struct reader_ops ops = {
		.event = tenants_reuse(follow->tenants) ? on_reused_event : on_event,
		.gap_begin = on_gap_begin,
		.gap_end = on_gap_end,
	};

	prologue_older(follow->prologue, follow->model, follow->trace->start_ns);
	reader_run(follow->reader, &ops, follow);
	model_reach(follow->model, follow->trace->end_ns);
	if (follow->selection->done)
		follow->selection->done();
	selection_check_window(follow->window, follow->trace);
	follow->window.to_ns = MIN(follow->window.to_ns, follow->trace->end_ns);
	model_look_until(follow->model, follow->window.to_ns);
}
