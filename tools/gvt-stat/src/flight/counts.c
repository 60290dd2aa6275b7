// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "host/counters.h"
#include "trace/util.h"
#include "counts.h"

/*
 * The kernel's names of what a user calls a reset or a hang. Resets of a whole vGPU are none of
 * them, as each start of a VM is one.
 */
static const char *const faults[] = { "hangs", "engine_resets", "failsafe_entries", NULL };

/* vGPUs come and go rarely, and to look for them is most of the work */
#define SAMPLES_OF_SCAN	5

static void clear_vgpu(void *data)
{
	struct vgpu_counts *vgpu = data;

	g_free(vgpu->uuid);
	g_free(vgpu->vm);
}

static void clear_gpu(void *data)
{
	g_free(((struct gpu_counts *)data)->gpu);
}

static GArray *new_gpus(void)
{
	GArray *gpus = g_array_new(FALSE, FALSE, sizeof(struct gpu_counts));

	g_array_set_clear_func(gpus, clear_gpu);
	return gpus;
}

void counter_clear(struct counter *counter)
{
	watch_clear(&counter->watch);
	if (counter->gpus)
		g_array_free(counter->gpus, TRUE);
	counter->gpus = NULL;
}

static struct gpu_counts *get_gpu(struct counter *counter, const char *address)
{
	struct gpu_counts gpu = { .gpu = g_strdup(address) };

	if (!counter->gpus)
		counter->gpus = new_gpus();
	for (unsigned int nr = 0; nr < counter->gpus->len; nr++) {
		struct gpu_counts *other = &g_array_index(counter->gpus, struct gpu_counts, nr);

		if (!strcmp(other->gpu, address)) {
			g_free(gpu.gpu);
			return other;
		}
	}
	g_array_append_val(counter->gpus, gpu);
	return &g_array_index(counter->gpus, struct gpu_counts, counter->gpus->len - 1);
}

static bool is_of(const struct sysfs_vgpu *vgpu, const struct sysfs_gpu *gpu)
{
	return !g_strcmp0(vgpu->gpu, gpu->address);
}

static bool has_queued(const struct sysfs *sysfs, const struct sysfs_gpu *gpu)
{
	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];

		if (is_of(vgpu, gpu) && sysfs_read_number(vgpu->dir, "queued") > 0)
			return true;
	}
	return false;
}

/* Does a counter of execution time grow? It does if it cannot be read: nothing is known of idle engines then. */
static bool grows(const char *dir, const char *name)
{
	int64_t before_ns = sysfs_read_number(dir, name);

	return !known(before_ns) || sysfs_read_number(dir, name) != before_ns;
}

static bool host_executes(const struct sysfs_gpu *gpu)
{
	char *dir = g_build_filename(gpu->dir, "gvt_host", NULL);
	GPtrArray *names = sysfs_names(dir);
	bool result = false;

	for (unsigned int nr = 0; !result && nr < names->len; nr++)
		result = g_str_has_suffix(names->pdata[nr], "_exec_ns") && grows(dir, names->pdata[nr]);
	g_ptr_array_free(names, TRUE);
	g_free(dir);
	return result;
}

static bool executes(const struct sysfs *sysfs, const struct sysfs_gpu *gpu)
{
	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];

		if (is_of(vgpu, gpu) && grows(vgpu->dir, "exec_ns"))
			return true;
	}
	return host_executes(gpu);
}

void counter_look(struct counter *counter)
{
	const struct sysfs *sysfs = counter->watch.sysfs;

	for (unsigned int nr = 0; sysfs && nr < sysfs->gpus->len; nr++) {
		const struct sysfs_gpu *gpu = sysfs->gpus->pdata[nr];
		struct gpu_counts *counts = get_gpu(counter, gpu->address);

		counts->looks++;
		/* still queued afterwards: it has not just ended */
		if (has_queued(sysfs, gpu) && !executes(sysfs, gpu) && has_queued(sysfs, gpu))
			counts->idle++;
	}
}

static int64_t count_faults(const struct sysfs_vgpu *vgpu)
{
	GPtrArray *health = counters_health(vgpu);
	int64_t count = health->len ? 0 : UNKNOWN;

	for (unsigned int nr = 0; nr < health->len; nr++) {
		const struct named_counter *counter = health->pdata[nr];

		if (g_strv_contains(faults, counter->name))
			count += counter->count;
	}
	g_ptr_array_free(health, TRUE);
	return count;
}

static void add_vgpu(struct counts *sample, const struct counter *counter, const struct sysfs_vgpu *from)
{
	struct vgpu_counts vgpu = {
		.id = from->id, .uuid = g_strdup(from->uuid), .vm = g_strdup(from->vm), .faults = UNKNOWN,
	};

	if (counter->parts & COUNTS_FAULTS)
		vgpu.faults = count_faults(from);
	if (counter->parts & COUNTS_WAITS)
		vgpu.has_waits = waits_read(counter->watch.sysroot, from, &vgpu.waits);
	g_array_append_val(sample->vgpus, vgpu);
}

struct counts *counts_take(struct counter *counter)
{
	struct counts *sample = g_new(struct counts, 1);

	if (counter->samples++ % SAMPLES_OF_SCAN == 0)
		watch_scan(&counter->watch);
	for (unsigned int nr = 0; nr < counter->watch.sysfs->gpus->len; nr++)
		get_gpu(counter, ((const struct sysfs_gpu *)counter->watch.sysfs->gpus->pdata[nr])->address);
	*sample = (struct counts) { g_array_new(FALSE, FALSE, sizeof(struct vgpu_counts)), new_gpus() };
	g_array_set_clear_func(sample->vgpus, clear_vgpu);
	for (unsigned int nr = 0; nr < counter->watch.sysfs->vgpus->len; nr++)
		add_vgpu(sample, counter, counter->watch.sysfs->vgpus->pdata[nr]);
	for (unsigned int nr = 0; counter->gpus && nr < counter->gpus->len; nr++) {
		struct gpu_counts gpu = g_array_index(counter->gpus, struct gpu_counts, nr);

		gpu.gpu = g_strdup(gpu.gpu);
		g_array_append_val(sample->gpus, gpu);
	}
	sysfs_close_unused();
	return sample;
}

void counts_free(struct counts *sample)
{
	g_array_free(sample->vgpus, TRUE);
	g_array_free(sample->gpus, TRUE);
	g_free(sample);
}

const struct vgpu_counts *counts_vgpu(const struct counts *sample, const struct vgpu_counts *vgpu)
{
	for (unsigned int nr = 0; nr < sample->vgpus->len; nr++) {
		const struct vgpu_counts *other = &g_array_index(sample->vgpus, struct vgpu_counts, nr);

		if (other->id == vgpu->id && !strcmp(other->uuid, vgpu->uuid))
			return other;
	}
	return NULL;
}

bool counts_is(const struct vgpu_counts *vgpu, const char *item)
{
	const struct sysfs_vgpu key = { .id = vgpu->id, .uuid = vgpu->uuid };

	return !g_strcmp0(vgpu->vm, item) || sysfs_is_vgpu(&key, item);
}
