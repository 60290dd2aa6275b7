// SPDX-License-Identifier: GPL-2.0-only

#include <string.h>

#include "die.h"
#include "heap.h"
#include "i915.h"
#include "lane_values.h"
#include "model.h"
#include "state.h"
#include "world.h"

/* Maximum number of lines of a state: seven vGPUs on five engines have 1500 */
#define LINES 4096
/* Maximum number of differences to print */
#define SHOWN 8

static struct told {
	struct line line[LINES];
	int n;
	int values;
} told;

static struct gvt_sched_data *sched_data(void)
{
	return sim_world.gvt.scheduler.sched_data;
}

/* --- collecting the lines ---------------------------------------------------------- */

static bool is_value(const struct line *line)
{
	return !strcmp(line->event, "lane_value");
}

void state_tell(const struct line *line)
{
	if (told.n == LINES)
		die("more than %d lines describe one state, at %llu", LINES, line->ns);
	told.line[told.n++] = *line;
	told.values += is_value(line);
}

bool state_told(void)
{
	return told.values;
}

void state_forget(void)
{
	while (told.n)
		free(told.line[--told.n].text);
	told.values = 0;
}

/* --- lane and vGPU of a line -------------------------------------------------------- */

struct gvt_sched_lane *state_lane(const struct line *line)
{
	const struct intel_engine_cs *engine =
		i915_engine_of_class((s16)line_number(line, "class"),
				     (s16)line_number(line, "instance"));
	struct gvt_sched_lane *lane =
		&sched_data()->lane[engine ? i915_engine_id(engine) : GVT_SCHED_EXCLUSIVE_LANE];

	return lane->engines ? lane : NULL;
}

struct intel_vgpu *state_vgpu(const struct line *line, const char *field)
{
	s64 id = line_number(line, field);

	return id > 0 && id < GVT_MAX_VGPU && sim_world.vgpu[id].gvt ? &sim_world.vgpu[id] : NULL;
}

static struct gvt_sched_entity *entity_of(struct gvt_sched_lane *lane, const struct line *line,
					  const char *field)
{
	struct intel_vgpu *vgpu = state_vgpu(line, field);

	return vgpu ? &gvt_lane_member(lane, vgpu)->entity : NULL;
}

/**
 * struct place - location of a value
 * @of: the object
 * @value: member of the object
 */
struct place {
	void *of;
	const struct gvt_lane_value *value;
};

static bool find_in(struct place *place, void *of, const struct gvt_lane_value *values,
		    const struct line *line)
{
	for (; values->name; values++) {
		if (!line_is(line, "name", values->name))
			continue;
		*place = (struct place) { of, values };
		return true;
	}

	return false;
}

static bool find(struct place *place, struct gvt_sched_lane *lane, const struct line *line)
{
	struct gvt_sched_entity *e = entity_of(lane, line, "vgpu_id");

	if (e)
		return find_in(place, e, gvt_entity_values, line);
	return !line_number(line, "vgpu_id") &&
	       (find_in(place, lane->data, gvt_data_values, line) ||
		find_in(place, lane, gvt_rq_values, line));
}

/* --- creating a GPU with the state ---------------------------------------------------- */

static void set_number(const char *trace, const struct line *info, const char *name, s64 value)
{
	if (!model_setting(name, value))
		die("%s: the setting %s cannot be %lld, at %llu", trace, name, value, info->ns);
}

static void set_settings(const struct line *info, const char *trace)
{
	static const struct {
		const char *setting, *field;
		s64 unit;
	} numbers[] = {
		{ "carry_over", "carry_over", 1 },
		{ "leftover_max_ms", "leftover_max_ns", NSEC_PER_MSEC },
		{ "period_ms", "period_ns", NSEC_PER_MSEC },
		{ "boost_ms", "boost_ns", NSEC_PER_MSEC },
		{ "max_wait_ms", "max_wait_ns", NSEC_PER_MSEC },
		{ "anticipation_ms", "anticipation_ns", NSEC_PER_MSEC },
		{ "host_first", "host_first", 1 },
	};
	struct gvt_sched_settings *set = &sim_world.set;
	int i;

	for (i = 0; i < GVT_SCHED_POLICIES; i++) {
		if (line_is(info, "policy", gvt_sched_policy_name(i)))
			set->policy = i;
	}
	for (i = 0; i < GVT_DISPATCHES; i++) {
		if (line_is(info, "dispatch", gvt_sched_dispatch_name(i)))
			set->dispatch = i;
	}
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		set_number(trace, info, numbers[i].setting,
			   line_number(info, numbers[i].field) / numbers[i].unit);
}

static void make_vgpu(const struct line *line, const char *trace)
{
	s64 id = line_number(line, "vgpu_id"), weight = line_number(line, "weight");

	if (id <= 0 || id >= GVT_MAX_VGPU || weight < 1 || weight > 16)
		die("%s: a vGPU that cannot be at %llu", trace, line->ns);
	if (!sim_world.vgpu[id].gvt)
		sim_world_vgpu(id, weight, clamp(line_number(line, "nice"), GVT_SCHED_NICE_MIN,
						 GVT_SCHED_NICE_MAX),
			       clamp(line_number(line, "cap"), 0, 100));
}

static bool is_state_of(const struct line *line, const char *event)
{
	return !strcmp(line->event, event);
}

static void set_value(const struct line *line, const char *trace)
{
	struct gvt_sched_lane *lane = state_lane(line);
	struct gvt_sched_entity *e;
	s64 number = line_number(line, "value");
	struct place place;
	void *at;

	if (!lane || !find(&place, lane, line))
		die("%s: the state of what is not there at %llu", trace, line->ns);
	e = entity_of(lane, line, "vgpu_id");
	/* The lines are in the order of turns */
	if (e && !gvt_sched_is_added(e))
		list_add_tail(&e->link, &lane->rq.entities);
	at = (char *)place.of + place.value->offset;
	if (place.value->is_vgpu)
		*(struct gvt_sched_entity **)at = entity_of(lane, line, "value");
	else if (place.value->size == sizeof(u8))
		*(u8 *)at = !!number;
	else
		memcpy(at, &number, place.value->size);
}

/* A damaged trace could make the driver read out of bounds */
static void check_lane(const struct gvt_sched_lane *lane, const char *trace)
{
	const struct gvt_sched_entity *const who[] = {
		lane->state.turn, lane->state.next, lane->rq.current_entity,
		lane->rq.hold.expected, lane->rq.hold.instead,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(who); i++) {
		if (who[i] && !gvt_sched_is_added(who[i]))
			die("%s: a turn of a vGPU that takes no part", trace);
	}
	if (!lane->rq.hold.expected != !lane->rq.hold.instead)
		die("%s: a wait for nobody", trace);
	if (lane->state.state > GVT_LANE_HANDING_OVER || lane->rq.stage >= GVT_SCHED_STAGES)
		die("%s: a state that there is not", trace);
}

static void each(const char *event, const char *trace,
		 void (*act)(const struct line *line, const char *trace))
{
	int i;

	for (i = 0; i < told.n; i++) {
		if (is_state_of(&told.line[i], event))
			act(&told.line[i], trace);
	}
}

static void need_engine(const struct line *line, const char *trace)
{
	const struct intel_engine_cs *engine =
		i915_engine_of_class((s16)line_number(line, "class"),
				     (s16)line_number(line, "instance"));

	if (engine)
		i915_needs(engine);
}

void state_set(const struct line *info, const char *trace)
{
	struct gvt_sched_lane *lane;

	sim_world.gvt = (struct intel_gvt) {};
	memset(sim_world.vgpu, 0, sizeof(sim_world.vgpu));
	set_settings(info, trace);
	each("lane_value", trace, need_engine);
	sim_world_begin();
	each("vgpu_info", trace, make_vgpu);
	each("lane_value", trace, set_value);
	for_each_lane(sched_data(), lane)
		check_lane(lane, trace);
}

/* --- comparison with the GPU ------------------------------------------------------------- */

static bool value_differs(const struct line *line, int shown)
{
	struct gvt_sched_lane *lane = state_lane(line);
	s64 was = line_number(line, "value"), is = 0;
	struct place place;
	bool found = lane && find(&place, lane, line);

	if (found)
		is = gvt_lane_value(place.of, place.value);
	if (found && is == was)
		return false;
	if (shown < SHOWN)
		printf("# at %llu vGPU %lld has another state: %s, but now %lld\n", line->ns,
		       line_number(line, "vgpu_id"), line_text(line, "name"), is);
	return true;
}

bool state_differs(const char *trace)
{
	int i, n = 0;

	for (i = 0; i < told.n; i++) {
		if (is_value(&told.line[i]))
			n += value_differs(&told.line[i], n);
	}

	return n;
}
