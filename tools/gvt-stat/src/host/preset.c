// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <string.h>

#include "trace/util.h"
#include "preset.h"

/* how much an event is needed */
enum need {
	NEEDED,			/* the recording would be useless */
	WANTED,			/* some results are missing: warn the user */
	WELCOME,		/* only some kernels have it: do not warn */
};

struct entry {
	const char *system;
	const char *event;
	enum need need;
};

static const struct entry gvt_entries[] = {
	{ "gvt", "gvt_workload_queue", NEEDED },
	{ "gvt", "gvt_workload_submit", NEEDED },
	{ "gvt", "gvt_workload_start", NEEDED },
	{ "gvt", "gvt_workload_stop", NEEDED },
	{ "gvt", "gvt_workload_complete", NEEDED },
	{ "gvt", "gvt_workload_cancel", WANTED },
	{ "gvt", "gvt_sched_switch", WANTED },
	{ "gvt", "gvt_sched_balance", WANTED },
	{ "gvt", "gvt_sched_info", WANTED },
	{ "gvt", "gvt_vgpu_info", WANTED },
	{ "gvt", "gvt_sched_setting", WELCOME },
	{ "gvt", "gvt_sched_hold", WELCOME },
	{ "gvt", "gvt_workload_state", WELCOME },
	{ "gvt", "gvt_sched_state", WELCOME },
	{ "gvt", "gvt_vgpu_health", WELCOME },
	{ "gvt", "gvt_host_start", WELCOME },
	{ "gvt", "gvt_host_stop", WELCOME },
	{ "gvt", "gvt_host_state", WELCOME },
	{ "i915", "i915_request_add", WANTED },	/* when the host starts to wait */
	{ 0 }
};

/* attribution of memory to vGPUs */
static const struct entry memory_entries[] = {
	{ "gvt", "spt_alloc", WANTED },
	{ "gvt", "spt_free", WANTED },
	{ "i915", "i915_gem_object_create", WANTED },
	{ "i915", "i915_gem_object_destroy", WANTED },
	{ 0 }
};

/* the low-level events need CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS */
static const struct entry gpu_entries[] = {
	{ "i915", "i915_request_queue", WANTED },
	{ "i915", "i915_request_retire", WANTED },
	{ "i915", "i915_request_wait_begin", WANTED },
	{ "i915", "i915_request_wait_end", WANTED },
	{ "i915", "i915_request_submit", WELCOME },
	{ "i915", "i915_request_execute", WELCOME },
	{ "i915", "i915_request_in", WELCOME },
	{ "i915", "i915_request_out", WELCOME },
	{ "i915", "intel_gpu_freq_change", WELCOME },
	{ 0 }
};

static const struct entry cpu_entries[] = {
	{ "sched", "sched_switch", WANTED },
	{ "sched", "sched_waking", WANTED },
	{ "sched", "sched_wakeup", WANTED },
	{ "sched", "sched_wakeup_new", WANTED },
	{ "kvm", "kvm_entry", WANTED },
	{ "kvm", "kvm_exit", WANTED },
	{ "irq", "irq_handler_entry", WANTED },
	{ "irq", "irq_handler_exit", WANTED },
	{ "irq", "softirq_entry", WANTED },
	{ "irq", "softirq_exit", WANTED },
	{ "timer", "hrtimer_expire_entry", WANTED },
	{ "timer", "hrtimer_expire_exit", WANTED },
	{ 0 }
};

#define MAX_PARTS	4

static const struct {
	const char *name;
	const struct entry *parts[MAX_PARTS + 1];
} presets[] = {
	{ "gvt", { gvt_entries, memory_entries } },
	{ "gpu", { gvt_entries, memory_entries, gpu_entries } },
	{ "simulate", { gvt_entries } },
	{ "full", { gvt_entries, memory_entries, gpu_entries, cpu_entries } },
	{ "none", { NULL } },
};

static void free_event(void *data)
{
	struct preset_event *event = data;

	g_free(event->system);
	g_free(event->event);
	g_free(event);
}

static bool has_event(const char *tracing, const char *system, const char *event)
{
	char *path = g_build_filename(tracing, "events", system, event, "format", NULL);
	bool result = g_file_test(path, G_FILE_TEST_EXISTS);

	g_free(path);
	return result;
}

static bool has_system(const char *tracing, const char *system)
{
	char *path = g_build_filename(tracing, "events", system, NULL);
	bool result = *system && g_file_test(path, G_FILE_TEST_IS_DIR);

	g_free(path);
	return result;
}

void preset_add(GPtrArray *events, const char *system, const char *name)
{
	struct preset_event *event;

	for (unsigned int nr = 0; nr < events->len; nr++) {
		event = events->pdata[nr];
		if (!strcmp(event->system, system) && !strcmp(event->event, name))
			return;
	}
	event = g_new0(struct preset_event, 1);
	event->system = g_strdup(system);
	event->event = g_strdup(name);
	g_ptr_array_add(events, event);
}

_Noreturn static void tell_why(const char *tracing, const struct entry *entry)
{
	if (!has_system(tracing, entry->system))
		fatal("there are no %s events, so no vGPU can be traced: is kvmgt loaded? 'modprobe kvmgt'",
		      entry->system);
	fatal("the loaded kvmgt has no event %s:%s: load one that is built with this project's patches",
	      entry->system, entry->event);
}

static void add_entries(GPtrArray *events, const char *tracing, const struct entry *entry,
			GString *missing)
{
	for (; entry->system; entry++) {
		if (has_event(tracing, entry->system, entry->event))
			preset_add(events, entry->system, entry->event);
		else if (entry->need == NEEDED)
			tell_why(tracing, entry);
		else if (entry->need == WANTED)
			g_string_append_printf(missing, "%s%s:%s", missing->len ? ", " : "",
					       entry->system, entry->event);
	}
}

static void add_preset(GPtrArray *events, const char *tracing, const char *preset)
{
	GString *missing = g_string_new(NULL);
	size_t nr;

	for (nr = 0; nr < G_N_ELEMENTS(presets); nr++)
		if (!strcmp(presets[nr].name, preset))
			break;
	if (nr == G_N_ELEMENTS(presets) && !strcmp(preset, "energy"))
		fatal("'%s' is no preset, but an option: --energy", preset);
	if (nr == G_N_ELEMENTS(presets))
		fatal("'%s' is no preset: give " PRESET_NAMES, preset);
	for (int part = 0; presets[nr].parts[part]; part++)
		add_entries(events, tracing, presets[nr].parts[part], missing);
	if (missing->len)
		warn("this kernel lacks events of preset %s: %s", preset, missing->str);
	g_string_free(missing, TRUE);
}

static void add_system(GPtrArray *events, const char *tracing, const char *system)
{
	char *path = g_build_filename(tracing, "events", system, NULL);
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (has_event(tracing, system, name))
			preset_add(events, system, name);
	if (dir)
		g_dir_close(dir);
	g_free(path);
}

static void add_more(GPtrArray *events, const char *tracing, const char *item)
{
	char **parts = g_strsplit(item, ":", 2);

	if (!has_system(tracing, parts[0]) || strchr(item, '/'))
		fatal("-e %s: this kernel has no events of that system; 'ls %s/events' lists them",
		      item, tracing);
	if (parts[1] && !has_event(tracing, parts[0], parts[1]))
		fatal("-e %s: this kernel has no such event; 'ls %s/events/%s' lists those of %s",
		      item, tracing, parts[0], parts[0]);
	if (parts[1])
		preset_add(events, parts[0], parts[1]);
	else
		add_system(events, tracing, parts[0]);
	g_strfreev(parts);
}

GPtrArray *preset_new(void)
{
	return g_ptr_array_new_with_free_func(free_event);
}

GPtrArray *preset_events(const char *tracing, const char *preset, char *const *more)
{
	GPtrArray *events = preset_new();

	add_preset(events, tracing, preset);
	for (; more && *more; more++)
		add_more(events, tracing, *more);
	if (!events->len)
		fatal("nothing to record: give events with -e, or another preset than %s", preset);
	return events;
}
