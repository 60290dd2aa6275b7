// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "trace/util.h"
#include "remedy-private.h"

struct wording {
	const char *name;
	const char *text;
	const char *but;		/* after the command; or NULL */
};

static const struct wording wordings[REMEDY_IDS] = {
	[REMEDY_LEND] = { "lend", "let vGPUs use others' unused time", NULL },
	[REMEDY_SHARE] = { "share", "share by measured execution time", NULL },
	[REMEDY_PREEMPT] = { "preempt",
		"preempt long-running workloads as soon as it is another vGPU's turn",
		"if they have no preemption points, submit shorter batches in the guest" },
	[REMEDY_ALLOW_PREEMPTION] = { "allow-preemption",
		"let preemptive dispatch preempt its workloads", NULL },
	[REMEDY_ENGINES] = { "engines",
		"let engines serve different vGPUs at the same time", NULL },
	[REMEDY_OVERLAP] = { "overlap",
		"prepare the next workload while one executes", NULL },
	[REMEDY_SWITCH] = { "switch",
		"switch as soon as a vGPU has no work, not with the next tick", NULL },
	[REMEDY_PERIOD] = { "period", "use shorter slices, and so shorter turns", NULL },
	[REMEDY_BOOST] = { "boost", "do not let a vGPU that starts go first", NULL },
	[REMEDY_WAIT_LESS] = { "wait-less", "limit the wait", NULL },
	[REMEDY_WAIT_MORE] = { "wait-more",
		"let others wait longer, until a vGPU that is owed time has caught up", NULL },
	[REMEDY_HOLD_LESS] = { "hold-less",
		"hold the GPU for less long, at the expense of the vGPU that it is held for", NULL },
	[REMEDY_HOLD_MORE] = { "hold-more",
		"hold the GPU for it until its next workload arrives", NULL },
	[REMEDY_NICE] = { "nice", "give it a larger share", NULL },
	[REMEDY_CAP] = { "cap", "unless this is what the cap is for, change it", NULL },
	[REMEDY_HOST_PREEMPT] = { "host-preempt",
		"let i915 preempt workloads of vGPUs for the host's own work after a timeslice",
		"if they have no preemption points, submit shorter batches in the guest" },
	[REMEDY_HOST_FIRST] = { "host-first",
		"let i915 preempt workloads of vGPUs for the host's own work at once", NULL },
	[REMEDY_TRIED] = { "tried", "of the settings that were tried, the best", NULL },
	[REMEDY_KERNEL] = { "kernel",
		"install this project's kvmgt.ko, whose scheduler has settings ('make kvmgt', 'make install')",
		NULL },
	[REMEDY_BATCHES] = { "batches",
		"submit shorter batches in the guest that others wait for: its commands have no preemption points",
		NULL },
	[REMEDY_OWN_BATCHES] = { "own-batches",
		"keep fewer or shorter batches in flight in this guest: it waits for its own work", NULL },
	[REMEDY_LARGER_BATCHES] = { "larger-batches",
		"submit larger batches in the guests: the shorter workloads are, the larger the overhead of each",
		NULL },
	[REMEDY_HANG] = { "hang",
		"look for 'GPU HANG' in the host's kernel log: the workload that others waited for did not end by itself",
		NULL },
	[REMEDY_FAILED] = { "failed",
		"look for 'gvt' and 'GPU HANG' in the host's kernel log and the guest's, and update the guest's driver",
		NULL },
	[REMEDY_RESET] = { "reset",
		"look in the guest's kernel log for why it resets its GPU ('GPU HANG', 'Resetting')",
		NULL },
	[REMEDY_FAILSAFE] = { "failsafe",
		"restart the VM, which ends failsafe mode; the host's kernel log says what the guest did ('failsafe')",
		NULL },
	[REMEDY_MISUSE] = { "misuse",
		"update the guest's kernel and graphics driver; other VMs are not affected, as GVT-g refuses or repairs what the guest did",
		NULL },
	[REMEDY_HOST_CPU] = { "host-cpu",
		"give the kernel threads gvt:ENGINE more CPU time: see what else runs on the host ('gvt-stat why vcpus'), or raise their priority with chrt",
		NULL },
	[REMEDY_GUEST_CPU] = { "guest-cpu",
		"give the VMs CPUs of their own (pin their vCPUs), or the one that should wait a higher nice or a smaller cpu.weight; 'gvt-stat why vcpus' shows who preempts whom",
		NULL },
	[REMEDY_HOST_GPU] = { "host-gpu",
		"let the host's own programs render less (limit their frame rate, turn effects of the desktop off), or on another GPU",
		NULL },
	[REMEDY_HOST_BATCHES] = { "host-batches",
		"let the host's program that submits such long work submit less at once, or use another GPU; if it hung, the host's kernel log names the program",
		NULL },
	[REMEDY_BUFFERS] = { "buffers",
		"record with larger buffers, 'gvt-stat record -b KIB' or 'trace-cmd record -b KIB', or fewer events",
		NULL },
	[REMEDY_ALL_EVENTS] = { "all-events",
		"record all of them: 'gvt-stat record', or 'trace-cmd record -e gvt'", NULL },
	[REMEDY_OTHER_KERNEL] = { "other-kernel",
		"record them: 'gvt-stat record', or 'trace-cmd record -e gvt' (trace-cmd keeps only the formats of recorded events); if the host does not have them, its kvmgt.ko is the wrong one: install this project's ('make kvmgt', 'make install')",
		NULL },
	[REMEDY_SEE_BLAME] = { "see-blame", "'gvt-stat why waits' shows for whom it waited", NULL },
};

struct remedy remedy_tried(int64_t dev, bool name_gpu, const char *policy, const char *dispatch)
{
	struct remedy remedy = { .id = REMEDY_TRIED, .dev = dev, .name_gpu = name_gpu };

	if (policy)
		remedy_set(&remedy, "policy", policy);
	if (dispatch)
		remedy_set(&remedy, "dispatch", dispatch);
	return remedy;
}

void remedy_set(struct remedy *remedy, const char *name, const char *value)
{
	struct remedy_setting *setting = &remedy->settings[remedy->count++];

	g_assert(remedy->count <= REMEDY_SETTINGS);
	setting->name = name;
	g_strlcpy(setting->value, value, sizeof(setting->value));
}

void remedy_set_number(struct remedy *remedy, const char *name, int64_t value)
{
	char text[24];

	g_snprintf(text, sizeof(text), "%" PRId64, value);
	remedy_set(remedy, name, text);
}

const char *remedy_name(const struct remedy *remedy)
{
	return wordings[remedy->id].name;
}

/* A policy is a word by itself, as users write it. */
static void append_setting(GString *text, const struct remedy_setting *setting)
{
	if (!strcmp(setting->name, "policy"))
		g_string_append_printf(text, " %s", setting->value);
	else
		g_string_append_printf(text, " %s=%s", setting->name, setting->value);
}

char *remedy_command(const struct remedy *remedy)
{
	GString *text;

	if (!remedy->count)
		return NULL;
	text = g_string_new("gvt-stat policy");
	if (remedy->name_gpu)
		g_string_append_printf(text, " --gpu %" PRId64, remedy->dev);
	if (remedy->vgpu)
		g_string_append_printf(text, " --vgpu %" PRId64, vgpu_number(remedy->vgpu->id));
	for (unsigned int nr = 0; nr < remedy->count; nr++)
		append_setting(text, &remedy->settings[nr]);
	return g_string_free(text, FALSE);
}

char *remedy_file(const struct remedy *remedy, const struct remedy_setting *setting)
{
	if (!remedy->vgpu)
		return g_strdup_printf("/sys/class/drm/card%" PRId64 "/device/gvt_sched/%s",
				       remedy->dev, setting->name);
	return g_strdup_printf("/sys/bus/mdev/devices/%s/intel_vgpu/%s",
			       remedy->vgpu->uuid ? remedy->vgpu->uuid : "UUID", setting->name);
}

/* ": 'gvt-stat policy dispatch=per-engine' (file ...)" */
static void append_command(GString *text, const struct remedy *remedy)
{
	char *command = remedy_command(remedy), *file;

	g_string_append_printf(text, ": '%s' (", command);
	for (unsigned int nr = 0; nr < remedy->count; nr++) {
		file = remedy_file(remedy, &remedy->settings[nr]);
		g_string_append_printf(text, "%s%s", nr ? ", " : "", file);
		g_free(file);
	}
	g_string_append_c(text, ')');
	g_free(command);
}

char *remedy_text(const struct remedy *remedy)
{
	const struct wording *wording = &wordings[remedy->id];
	GString *text = g_string_new(remedy->perhaps ? "may help: " : NULL);

	g_string_append(text, wording->text);
	if (remedy->count)
		append_command(text, remedy);
	if (wording->but)
		g_string_append_printf(text, "; %s", wording->but);
	return g_string_free(text, FALSE);
}

char *remedies_text(const GArray *remedies)
{
	GString *text = g_string_new(NULL);

	for (unsigned int nr = 0; nr < remedies->len; nr++) {
		char *one = remedy_text(&g_array_index(remedies, struct remedy, nr));

		g_string_append_printf(text, "%s%s", nr ? "; " : "", one);
		g_free(one);
	}
	return g_string_free(text, FALSE);
}
