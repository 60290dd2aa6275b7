// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "trace/util.h"
#include "spelling.h"

static const struct metric utilisation = {
	"DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %): time for which at least one engine worked for the vGPU."
};
static const struct metric graphics = {
	"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "Ratio of time for which the render engine was active for the vGPU."
};
static const struct metric decoder = {
	"DCGM_FI_DEV_DEC_UTIL", "Decoder utilization (in %): of the busiest video engine, which also encodes."
};

static GString *labels_of(const struct vgpu_counters *vgpu)
{
	GString *labels = g_string_new(NULL);

	label_add_number(labels, "gpu", vgpu->id);
	label_add(labels, "UUID", vgpu->uuid);
	label_add(labels, "pci_bus_id", vgpu->gpu);
	label_add(labels, "modelName", vgpu->type);
	label_add(labels, "Hostname", g_get_host_name());
	return labels;
}

static double percent_of(const struct vgpu_counters *old, const struct vgpu_counters *vgpu)
{
	double percent = rate_of_vgpu(old, vgpu).exec_percent;

	return isnan(percent) && known(vgpu->exec_percent) ? vgpu->exec_percent : percent;
}

/* of the busiest engine whose name begins with @class */
static double percent_of_engine(const struct vgpu_counters *old, const struct vgpu_counters *vgpu, const char *class)
{
	double most = NAN;

	for (unsigned int nr = 0; nr < vgpu->engines->len; nr++) {
		const struct engine_counters *engine = vgpu->engines->pdata[nr];

		if (g_str_has_prefix(engine->name, class))
			most = fmax(most, rate_of_engine(old, vgpu, engine).exec_percent);
	}
	return most;
}

static double value_of(const struct metric *metric, const struct vgpu_counters *old, const struct vgpu_counters *vgpu)
{
	if (metric == &utilisation)
		return percent_of(old, vgpu);
	if (metric == &graphics)
		return percent_of_engine(old, vgpu, "rcs") / 100;
	return percent_of_engine(old, vgpu, "vcs");
}

void dcgm_write(struct exposition *x, const struct collector *collector)
{
	static const struct metric *const metrics[] = { &utilisation, &graphics, &decoder };

	for (unsigned int m = 0; m < G_N_ELEMENTS(metrics); m++) {
		for (unsigned int nr = 0; nr < collector->now->len; nr++) {
			const struct vgpu_counters *vgpu = collector->now->pdata[nr];
			GString *labels = labels_of(vgpu);

			if (!counters_is_host(vgpu))
				exposition_real(x, metrics[m], labels->str,
						value_of(metrics[m], counters_find(collector->old, vgpu->uuid), vgpu));
			g_string_free(labels, TRUE);
		}
	}
}
