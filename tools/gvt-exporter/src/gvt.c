// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "host/setting.h"
#include "trace/util.h"
#include "spelling.h"

/* a number of a vGPU, or of one of its engines */
struct counter_metric {
	struct metric metric;
	size_t offset;			/* of an int64_t in struct vgpu_counters or engine_counters */
};

static const struct metric build = {
	"gvt_exporter_build", "Version of gvt-exporter.", METRIC_INFO
};
static const struct metric unreadable = {
	"gvt_exporter_unreadable_vgpus",
	"vGPUs whose counters gvt-exporter may not read: it has to be in the group gvt-stat.", METRIC_GAUGE
};
static const struct metric vgpu_info = {
	"gvt_vgpu", "vGPU, its type, and the VM that uses it.", METRIC_INFO
};

static const struct counter_metric of_vgpus[] = {
	{ { "gvt_vgpu_busy_seconds", "Time for which at least one engine worked for the vGPU.",
	    METRIC_COUNTER, SCALE_NS, "seconds" }, offsetof(struct vgpu_counters, exec_ns) },
	{ { "gvt_vgpu_busy_ratio", "The same as a part of the time between the last two reads by anyone that were a second or more apart.",
	    METRIC_GAUGE, SCALE_PERCENT, "ratio" }, offsetof(struct vgpu_counters, exec_percent) },
	{ { "gvt_vgpu_queued_workloads", "Workloads that are queued or on an engine.", METRIC_GAUGE },
	  offsetof(struct vgpu_counters, queued) },
	{ { "gvt_vgpu_slice_left_seconds", "Remainder of the slice, negative for debt; meaningless under the policy fair.",
	    METRIC_GAUGE, SCALE_NS, "seconds" }, offsetof(struct vgpu_counters, left_ns) },
	{ { "gvt_vgpu_weight", "Weight of the vGPU's type: shares are proportional to weights, before nice values.",
	    METRIC_GAUGE }, offsetof(struct vgpu_counters, weight) },
};

static const struct counter_metric of_engines[] = {
	{ { "gvt_vgpu_engine_busy_seconds", "Time for which the engine worked for the vGPU.",
	    METRIC_COUNTER, SCALE_NS, "seconds" }, offsetof(struct engine_counters, exec_ns) },
	{ { "gvt_vgpu_engine_wait_seconds", "Time from queueing until first on the engine, of finished workloads.",
	    METRIC_COUNTER, SCALE_NS, "seconds" }, offsetof(struct engine_counters, wait_ns) },
	{ { "gvt_vgpu_engine_preempted_seconds", "Time for which workloads that had begun were off the engine.",
	    METRIC_COUNTER, SCALE_NS, "seconds" }, offsetof(struct engine_counters, preempted_ns) },
	{ { "gvt_vgpu_engine_preemptions", "Times that a workload left the engine unfinished.", METRIC_COUNTER },
	  offsetof(struct engine_counters, preempted) },
	{ { "gvt_vgpu_engine_workloads", "Finished workloads, whatever the result.", METRIC_COUNTER },
	  offsetof(struct engine_counters, workloads) },
	{ { "gvt_vgpu_engine_failed_workloads", "Of the finished workloads, those that failed.", METRIC_COUNTER },
	  offsetof(struct engine_counters, failed) },
	{ { "gvt_vgpu_engine_cancelled_workloads", "Workloads that were dropped from the queue.", METRIC_COUNTER },
	  offsetof(struct engine_counters, cancelled) },
};

static const struct metric waited_for = {
	"gvt_wait_seconds", "Wait of finished workloads of the vGPU waiter, by who had the engine meanwhile: holder.",
	METRIC_COUNTER, SCALE_NS, "seconds"
};

static const struct counter_metric of_host[] = {
	{ { "gvt_host_engine_busy_seconds", "Time for which the engine worked for the host itself.",
	    METRIC_COUNTER, SCALE_NS, "seconds" }, offsetof(struct engine_counters, exec_ns) },
	{ { "gvt_host_engine_wait_seconds", "Time for which the host's work waited for the engine.",
	    METRIC_COUNTER, SCALE_NS, "seconds" }, offsetof(struct engine_counters, wait_ns) },
};

static const struct metric health = {
	"gvt_vgpu_health_events", "Errors of the guest and their consequences, by kind.", METRIC_COUNTER
};
static const struct metric failsafe = {
	"gvt_vgpu_failsafe", "1 in failsafe mode, in which nothing executes, with the reason.", METRIC_GAUGE
};
static const struct metric nice_value = {
	"gvt_vgpu_nice", "Nice value: each step up divides the weight by about 1.25.", METRIC_GAUGE
};
static const struct metric cap = {
	"gvt_vgpu_cap_ratio", "Limit of the vGPU's part of the time; absent without one.", METRIC_GAUGE, SCALE_PERCENT, "ratio"
};
static const struct metric vgpu_settings = {
	"gvt_vgpu_settings", "Settings of the vGPU.", METRIC_INFO
};
static const struct metric gpu_settings = {
	"gvt_gpu_settings", "Policy, dispatch mode and other settings of the scheduler.", METRIC_INFO
};
static const struct metric frequency = {
	"gvt_gpu_frequency_hertz", "Frequency now; 0: asleep.", METRIC_GAUGE, SCALE_MHZ, "hertz"
};
static const struct metric frequency_max = {
	"gvt_gpu_frequency_max_hertz", "Highest frequency.", METRIC_GAUGE, SCALE_MHZ, "hertz"
};

static void write_build(struct exposition *x)
{
	exposition_sample(x, &build, "version=\"" GVT_EXPORTER_VERSION "\"", 1);
}

static void write_unreadable(struct exposition *x, const GPtrArray *vgpus)
{
	int64_t number = 0;

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu_counters *vgpu = vgpus->pdata[nr];

		number += !known(vgpu->exec_ns) && known(vgpu->exec_percent);
	}
	exposition_sample(x, &unreadable, "", number);
}

static void write_info(struct exposition *x, const GPtrArray *vgpus)
{
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu_counters *vgpu = vgpus->pdata[nr];
		GString *labels = collector_labels(vgpu);

		if (!counters_is_host(vgpu)) {
			label_add(labels, "vm", vgpu->vm);
			label_add(labels, "type", vgpu->type);
			exposition_sample(x, &vgpu_info, labels->str, 1);
		}
		g_string_free(labels, TRUE);
	}
}

static int64_t value_at(const void *counters, size_t offset)
{
	return *(const int64_t *)((const char *)counters + offset);
}

static void write_vgpus(struct exposition *x, const GPtrArray *vgpus, const struct counter_metric *m)
{
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu_counters *vgpu = vgpus->pdata[nr];
		GString *labels = collector_labels(vgpu);

		if (!counters_is_host(vgpu))
			exposition_sample(x, &m->metric, labels->str, value_at(vgpu, m->offset));
		g_string_free(labels, TRUE);
	}
}

static void write_engines_of(struct exposition *x, const struct vgpu_counters *vgpu, const struct counter_metric *m)
{
	GString *labels = collector_labels(vgpu);
	size_t len = labels->len;

	for (unsigned int nr = 0; nr < vgpu->engines->len; nr++) {
		const struct engine_counters *engine = vgpu->engines->pdata[nr];

		label_add(labels, "engine", engine->name);
		exposition_sample(x, &m->metric, labels->str, value_at(engine, m->offset));
		g_string_truncate(labels, len);
	}
	g_string_free(labels, TRUE);
}

static void write_engines(struct exposition *x, const GPtrArray *vgpus, const struct counter_metric *m, bool of_host_only)
{
	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (counters_is_host(vgpus->pdata[nr]) == of_host_only)
			write_engines_of(x, vgpus->pdata[nr], m);
}

static void write_holders(struct exposition *x, GString *labels, const GPtrArray *holders)
{
	size_t len = labels->len;

	for (unsigned int nr = 0; nr < holders->len; nr++) {
		const struct named_counter *holder = holders->pdata[nr];

		label_add(labels, "holder", holder->name);
		exposition_sample(x, &waited_for, labels->str, holder->count);
		g_string_truncate(labels, len);
	}
}

static void write_waited_for_of(struct exposition *x, const struct sysfs_vgpu *vgpu, const struct vgpu_counters *counters)
{
	GString *labels = collector_labels(counters);
	char waiter[32];
	size_t len;

	g_snprintf(waiter, sizeof(waiter), "vgpu%" PRId64, vgpu->id);
	label_add(labels, "waiter", waiter);
	len = labels->len;
	for (unsigned int nr = 0; nr < counters->engines->len; nr++) {
		const struct engine_counters *engine = counters->engines->pdata[nr];
		GPtrArray *holders = counters_waited_for(vgpu, engine->name);

		label_add(labels, "engine", engine->name);
		write_holders(x, labels, holders);
		g_string_truncate(labels, len);
		g_ptr_array_free(holders, TRUE);
	}
	g_string_free(labels, TRUE);
}

static void write_waited_for(struct exposition *x, const struct collector *collector)
{
	for (unsigned int nr = 0; nr < collector->watch.sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = collector->watch.sysfs->vgpus->pdata[nr];

		if (known(vgpu->id))
			write_waited_for_of(x, vgpu, counters_find(collector->now, vgpu->uuid));
	}
}

static void write_health_of(struct exposition *x, const struct vgpu_counters *vgpu)
{
	GString *labels = collector_labels(vgpu);
	size_t len = labels->len;

	for (unsigned int nr = 0; nr < vgpu->health->len; nr++) {
		const struct named_counter *counter = vgpu->health->pdata[nr];

		label_add(labels, "event", counter->name);
		exposition_sample(x, &health, labels->str, counter->count);
		g_string_truncate(labels, len);
	}
	g_string_free(labels, TRUE);
}

static void write_health(struct exposition *x, const GPtrArray *vgpus)
{
	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		write_health_of(x, vgpus->pdata[nr]);
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu_counters *vgpu = vgpus->pdata[nr];
		GString *labels = collector_labels(vgpu);

		label_add(labels, "reason", vgpu->failsafe);
		if (vgpu->failsafe)
			exposition_sample(x, &failsafe, labels->str, strcmp(vgpu->failsafe, "no") != 0);
		g_string_free(labels, TRUE);
	}
}

/* the settings of one vGPU, with the labels that its counters have */
struct vgpu_setting {
	GString *labels;
	GPtrArray *settings;		/* struct setting */
};

static void free_settings(void *data)
{
	struct vgpu_setting *of = data;

	g_string_free(of->labels, TRUE);
	g_ptr_array_free(of->settings, TRUE);
	g_free(of);
}

static GPtrArray *read_settings(const struct collector *collector)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(free_settings);

	for (unsigned int nr = 0; nr < collector->watch.sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = collector->watch.sysfs->vgpus->pdata[nr];
		const struct vgpu_counters *counters = counters_find(collector->now, vgpu->uuid);
		struct vgpu_setting *of = g_new(struct vgpu_setting, 1);

		of->labels = collector_labels(counters);
		of->settings = settings_of_vgpu(vgpu->dir);
		g_ptr_array_add(all, of);
	}
	return all;
}

static int64_t number_of(const struct setting *setting)
{
	gint64 number;

	return setting && setting->value &&
	       g_ascii_string_to_signed(setting->value, 10, -INT32_MAX, INT32_MAX, &number, NULL) ? number : UNKNOWN;
}

static void write_number(struct exposition *x, const GPtrArray *vgpus, const struct metric *metric, const char *name,
			 int64_t none)
{
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu_setting *of = vgpus->pdata[nr];
		int64_t number = number_of(setting_find(of->settings, name));

		if (number != none)
			exposition_sample(x, metric, of->labels->str, number);
	}
}

static void write_settings(struct exposition *x, const struct metric *metric, GString *labels, const GPtrArray *settings)
{
	for (unsigned int nr = 0; nr < settings->len; nr++) {
		const struct setting *setting = settings->pdata[nr];

		label_add(labels, setting->name, setting->value);
	}
	if (settings->len)
		exposition_sample(x, metric, labels->str, 1);
}

static void write_vgpu_settings(struct exposition *x, const struct collector *collector)
{
	GPtrArray *vgpus = read_settings(collector);

	write_number(x, vgpus, &nice_value, "nice", UNKNOWN);
	write_number(x, vgpus, &cap, "cap", 0);
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		struct vgpu_setting *of = vgpus->pdata[nr];

		write_settings(x, &vgpu_settings, of->labels, of->settings);
	}
	g_ptr_array_free(vgpus, TRUE);
}

static void write_gpu_settings(struct exposition *x, const GPtrArray *gpus)
{
	for (unsigned int nr = 0; nr < gpus->len; nr++) {
		const struct sysfs_gpu *gpu = gpus->pdata[nr];
		GPtrArray *settings = gpu->settings ? settings_of_gpu(gpu->settings) : NULL;
		GString *labels = g_string_new(NULL);

		label_add(labels, "pdev", gpu->address);
		if (settings) {
			write_settings(x, &gpu_settings, labels, settings);
			g_ptr_array_free(settings, TRUE);
		}
		g_string_free(labels, TRUE);
	}
}

static void write_frequency(struct exposition *x, const GPtrArray *gpus, const struct metric *metric, const char *file)
{
	for (unsigned int nr = 0; nr < gpus->len; nr++) {
		const struct sysfs_gpu *gpu = gpus->pdata[nr];
		GString *labels = g_string_new(NULL);

		label_add(labels, "pdev", gpu->address);
		/* without a maximum, the frequency is unknown; its 0 does not mean asleep */
		if (sysfs_frequency(gpu, "gt_max_freq_mhz") > 0)
			exposition_sample(x, metric, labels->str, sysfs_frequency(gpu, file));
		g_string_free(labels, TRUE);
	}
}

void gvt_write(struct exposition *x, const struct collector *collector)
{
	const GPtrArray *vgpus = collector->now, *gpus = collector->watch.sysfs->gpus;

	write_build(x);
	write_unreadable(x, vgpus);
	write_info(x, vgpus);
	for (unsigned int nr = 0; nr < G_N_ELEMENTS(of_vgpus); nr++)
		write_vgpus(x, vgpus, &of_vgpus[nr]);
	for (unsigned int nr = 0; nr < G_N_ELEMENTS(of_engines); nr++)
		write_engines(x, vgpus, &of_engines[nr], false);
	write_waited_for(x, collector);
	for (unsigned int nr = 0; nr < G_N_ELEMENTS(of_host); nr++)
		write_engines(x, vgpus, &of_host[nr], true);
	write_health(x, vgpus);
	write_vgpu_settings(x, collector);
	write_gpu_settings(x, gpus);
	write_frequency(x, gpus, &frequency, "gt_act_freq_mhz");
	write_frequency(x, gpus, &frequency_max, "gt_max_freq_mhz");
	joules_write(x, collector);
}
