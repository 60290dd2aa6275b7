// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "prompts.h"
#include "silence.h"

/* a GPU, or an engine of it; damaged traces may contain any number */
struct place {
	int64_t dev, class, instance;	/* UNKNOWN: all engines */
	bool exclusive;			/* a GPU: one vGPU at a time has all engines */
	int64_t holder, before;		/* vGPU with the turn, previous one; 0: none; or UNKNOWN */
	int64_t since_ns;		/* last evidence of this */
	int64_t prompted_ns;		/* last completion or scheduler decision; or UNKNOWN */
};

#define PLACES_MAX	256

/* a missing event: the cause of a submission at @to_ns, or of a turn that began by then */
struct lack {
	int64_t dev, id, vgpu_id, class, instance;
	int64_t from_ns, to_ns;
	bool turn;			/* the switch is missing, not only a cause */
};

/* more would add nothing */
#define LACKS_MAX	4096

struct prompts {
	const struct silences *silences;
	GArray *places;			/* struct place */
	GArray *lacks;			/* struct lack */
	int64_t start_ns;		/* of the trace, or end of the last loss */
	int64_t now_ns;
};

/* a host thread submits at most this late, even if page tables have to be shadowed first */
#define SLOW_NS		(5 * NSEC_PER_MSEC)

struct prompts *prompts_new(const struct silences *silences)
{
	struct prompts *prompts = g_new0(struct prompts, 1);

	prompts->silences = silences;
	prompts->places = g_array_new(FALSE, FALSE, sizeof(struct place));
	prompts->lacks = g_array_new(FALSE, FALSE, sizeof(struct lack));
	prompts->start_ns = UNKNOWN;
	prompts->now_ns = UNKNOWN;
	return prompts;
}

void prompts_free(struct prompts *prompts)
{
	g_array_free(prompts->places, TRUE);
	g_array_free(prompts->lacks, TRUE);
	g_free(prompts);
}

/* NULL: too many */
static struct place *get_place(struct prompts *prompts, int64_t dev, int64_t class,
			       int64_t instance)
{
	struct place place = {
		.dev = dev, .class = class < 0 ? UNKNOWN : class,
		.instance = class < 0 ? UNKNOWN : instance,
		.holder = UNKNOWN, .before = UNKNOWN, .since_ns = UNKNOWN, .prompted_ns = UNKNOWN,
	};

	for (unsigned int nr = 0; nr < prompts->places->len; nr++) {
		struct place *one = &g_array_index(prompts->places, struct place, nr);

		if (one->dev == dev && one->class == place.class && one->instance == place.instance)
			return one;
	}
	if (prompts->places->len == PLACES_MAX)
		return NULL;
	g_array_append_val(prompts->places, place);
	return &g_array_index(prompts->places, struct place, prompts->places->len - 1);
}

static struct place *get_gpu(struct prompts *prompts, int64_t dev)
{
	return get_place(prompts, dev, UNKNOWN, UNKNOWN);
}

static void add_lack(struct prompts *prompts, const struct lack *lack)
{
	if (prompts->lacks->len < LACKS_MAX &&
	    silences_doubt(prompts->silences, lack->from_ns, lack->to_ns))
		g_array_append_vals(prompts->lacks, lack, 1);
}

static bool may_prompt(const struct lack *lack, const struct event *event)
{
	const struct workload_event *work = &event->workload;

	if (event->id == EVENT_SCHED_SWITCH)
		return lack->dev == event->sched_switch.dev &&
		       lack->vgpu_id == event->sched_switch.next_vgpu_id;
	if (event->id == EVENT_WORKLOAD_QUEUE)
		return lack->dev == work->dev && lack->id == work->workload_id;
	return lack->dev == work->dev && lack->class == work->class &&
	       lack->instance == work->instance && lack->id != work->workload_id &&
	       event->ts_ns - lack->to_ns <= LATE_NS;
}

/* A late event from a CPU whose clock is behind is the cause thought missing. */
static void explain(struct prompts *prompts, const struct event *event)
{
	for (unsigned int nr = prompts->lacks->len; nr-- > 0; ) {
		const struct lack *lack = &g_array_index(prompts->lacks, struct lack, nr);

		if (event->ts_ns - lack->to_ns > LATE_NS)
			break;
		if (may_prompt(lack, event))
			g_array_remove_index(prompts->lacks, nr);
	}
}

static void take_turn(struct place *place, int64_t vgpu_id, int64_t ts_ns)
{
	place->before = place->holder;
	place->holder = vgpu_id;
	place->since_ns = ts_ns;
}

static void on_switch(struct prompts *prompts, const struct event *event)
{
	const struct switch_event *told = &event->sched_switch;
	struct place *place = get_place(prompts, told->dev, told->class, told->instance);

	if (!place)
		return;
	explain(prompts, event);
	take_turn(place, told->next_vgpu_id, event->ts_ns);
	place->prompted_ns = event->ts_ns;
}

static void note_prompt(struct prompts *prompts, int64_t dev, int64_t class, int64_t instance)
{
	struct place *place = get_place(prompts, dev, class, instance);

	if (place)
		place->prompted_ns = prompts->now_ns;
}

static void on_complete(struct prompts *prompts, const struct event *event)
{
	const struct workload_event *work = &event->workload;

	explain(prompts, event);
	note_prompt(prompts, work->dev, work->class, work->instance);
}

static void on_sched_info(struct prompts *prompts, const struct event *event)
{
	const struct sched_info *told = &event->sched_info;
	struct place *gpu = get_gpu(prompts, told->dev);

	if (gpu)
		gpu->exclusive = !told->dispatch || !*told->dispatch ||
				 !strcmp(told->dispatch, "exclusive");
}

/* It had the turn until just now: a clock that is ahead may hide that it still has. */
static bool was_just_before(const struct place *gpu, int64_t vgpu_id, int64_t ts_ns)
{
	return gpu->before == vgpu_id && ts_ns - gpu->since_ns <= LATE_NS;
}

/* The submitting vGPU got its turn unseen. */
static void check_turn(struct prompts *prompts, struct place *gpu, const struct event *event)
{
	int64_t vgpu_id = event->workload.vgpu_id;

	if (!gpu || !gpu->exclusive || was_just_before(gpu, vgpu_id, event->ts_ns))
		return;
	if (known(gpu->holder) && gpu->holder != vgpu_id)
		add_lack(prompts, &(struct lack) {
			.dev = gpu->dev, .id = UNKNOWN, .vgpu_id = vgpu_id, .class = UNKNOWN,
			.from_ns = gpu->since_ns, .to_ns = event->ts_ns, .turn = true,
		});
	if (gpu->holder != vgpu_id)
		take_turn(gpu, vgpu_id, event->ts_ns);
	gpu->since_ns = event->ts_ns;
}

/* @prompt_ns: last cause for the CPU to submit */
static void check_prompt(struct prompts *prompts, int64_t prompt_ns, const struct event *event)
{
	const struct workload_event *work = &event->workload;
	int64_t from_ns = MAX(prompt_ns, prompts->start_ns);

	if (event->ts_ns - from_ns > SLOW_NS)
		add_lack(prompts, &(struct lack) {
			work->dev, work->workload_id, work->vgpu_id, work->class, work->instance,
			from_ns, event->ts_ns, false,
		});
}

static void on_submit(struct prompts *prompts, const struct event *event, int64_t queue_ns)
{
	const struct workload_event *told = &event->workload;
	const struct place *engine = get_place(prompts, told->dev, told->class, told->instance);
	int64_t prompt_ns = MAX(queue_ns, engine ? engine->prompted_ns : UNKNOWN);
	struct place *gpu = get_gpu(prompts, told->dev);

	check_prompt(prompts, MAX(prompt_ns, gpu ? gpu->prompted_ns : UNKNOWN), event);
	check_turn(prompts, gpu, event);
}

void prompts_event(struct prompts *prompts, const struct event *event, int64_t queue_ns)
{
	prompts->now_ns = event->ts_ns;
	if (!known(prompts->start_ns))
		prompts->start_ns = event->ts_ns;
	if (event->id == EVENT_WORKLOAD_QUEUE)
		explain(prompts, event);
	else if (event->id == EVENT_WORKLOAD_SUBMIT)
		on_submit(prompts, event, queue_ns);
	else if (event->id == EVENT_WORKLOAD_COMPLETE)
		on_complete(prompts, event);
	else if (event->id == EVENT_SCHED_SWITCH)
		on_switch(prompts, event);
	else if (event->id == EVENT_SCHED_BALANCE)
		note_prompt(prompts, event->balance.dev, event->balance.class, event->balance.instance);
	else if (event->id == EVENT_SCHED_HOLD)
		note_prompt(prompts, event->hold.dev, event->hold.class, event->hold.instance);
	else if (event->id == EVENT_SCHED_INFO)
		on_sched_info(prompts, event);
}

void prompts_lost(struct prompts *prompts)
{
	g_array_set_size(prompts->places, 0);
	prompts->start_ns = prompts->now_ns;
}

static bool is_missing(const struct lack *lack, const struct silence *silence)
{
	int64_t from_ns = lack->turn ? lack->from_ns : MAX(lack->from_ns, lack->to_ns - SLOW_NS);

	return silence_holds(silence, from_ns, lack->to_ns);
}

/* Weight relative to missing steps, which chance may explain: all other steps are traced here. */
#define WEIGHT	2

unsigned int prompts_missed(const struct prompts *prompts, const struct silence *silence)
{
	unsigned int count = 0;

	for (unsigned int nr = 0; nr < prompts->lacks->len; nr++)
		count += WEIGHT * is_missing(&g_array_index(prompts->lacks, struct lack, nr), silence);
	return count;
}
