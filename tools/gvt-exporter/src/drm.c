// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/util.h"
#include "spelling.h"

static const struct metric info = {
	"drm_info", "GPU.", METRIC_GAUGE
};
static const struct metric utilisation = {
	"drm_engine_utilization_ratio", "Part of the time for which the engine worked for the vGPU, or for the host itself.",
	METRIC_GAUGE, SCALE_ONE, "ratio"
};
static const struct metric frequency = {
	"drm_frequency_hertz", "Frequency of the GPU.", METRIC_GAUGE, SCALE_MHZ, "hertz"
};

static void write_info(struct exposition *x, const GPtrArray *gpus)
{
	for (unsigned int nr = 0; nr < gpus->len; nr++) {
		GString *labels = g_string_new(NULL);

		label_add(labels, "device", ((const struct sysfs_gpu *)gpus->pdata[nr])->address);
		label_add(labels, "vendor", "Intel");
		label_add(labels, "driver", "i915");
		exposition_sample(x, &info, labels->str, 1);
		g_string_free(labels, TRUE);
	}
}

static GString *labels_of(const struct vgpu_counters *vgpu)
{
	GString *labels = g_string_new(NULL);

	label_add(labels, "device", vgpu->gpu);
	label_add(labels, "vm", vgpu->vm);
	if (counters_is_host(vgpu))
		return labels;
	label_add_number(labels, "vgpu", vgpu->id);
	label_add(labels, "uuid", vgpu->uuid);
	return labels;
}

static void write_engines(struct exposition *x, const struct collector *collector, const struct vgpu_counters *vgpu)
{
	const struct vgpu_counters *old = counters_find(collector->old, vgpu->uuid);
	GString *labels = labels_of(vgpu);
	size_t len = labels->len;

	for (unsigned int nr = 0; nr < vgpu->engines->len; nr++) {
		const struct engine_counters *engine = vgpu->engines->pdata[nr];

		label_add(labels, "engine", engine->name);
		exposition_real(x, &utilisation, labels->str, rate_of_engine(old, vgpu, engine).exec_percent / 100);
		g_string_truncate(labels, len);
	}
	g_string_free(labels, TRUE);
}

static void write_frequency(struct exposition *x, const struct sysfs_gpu *gpu, const char *kind, const char *file)
{
	GString *labels = g_string_new(NULL);

	label_add(labels, "device", gpu->address);
	label_add(labels, "domain", "gt0");
	label_add(labels, "kind", kind);
	exposition_sample(x, &frequency, labels->str, sysfs_frequency(gpu, file));
	g_string_free(labels, TRUE);
}

void drm_write(struct exposition *x, const struct collector *collector)
{
	const GPtrArray *gpus = collector->watch.sysfs->gpus;

	write_info(x, gpus);
	for (unsigned int nr = 0; nr < collector->now->len; nr++)
		write_engines(x, collector, collector->now->pdata[nr]);
	for (unsigned int nr = 0; nr < gpus->len; nr++) {
		write_frequency(x, gpus->pdata[nr], "actual", "gt_act_freq_mhz");
		write_frequency(x, gpus->pdata[nr], "max", "gt_max_freq_mhz");
	}
}
