// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "trace/util.h"
#include "counters.h"

#define HOST_EXEC	"_exec_ns"

static void free_engine(void *data)
{
	struct engine_counters *engine = data;

	g_free(engine->name);
	g_free(engine);
}

static void free_named(void *data)
{
	struct named_counter *counter = data;

	g_free(counter->name);
	g_free(counter);
}

static void free_vgpu(void *data)
{
	struct vgpu_counters *vgpu = data;

	g_free(vgpu->uuid);
	g_free(vgpu->type);
	g_free(vgpu->vm);
	g_free(vgpu->gpu);
	g_free(vgpu->failsafe);
	g_ptr_array_free(vgpu->health, TRUE);
	g_ptr_array_free(vgpu->engines, TRUE);
	g_free(vgpu);
}

static void add_engine(struct vgpu_counters *vgpu, const char *dir, const char *name)
{
	struct engine_counters *engine = g_new(struct engine_counters, 1);

	*engine = (struct engine_counters) {
		.name = make_printable(g_strdup(name)),
		.exec_ns = sysfs_read_number(dir, "exec_ns"),
		.wait_ns = sysfs_read_number(dir, "wait_ns"),
		.workloads = sysfs_read_number(dir, "workloads"),
		.failed = sysfs_read_number(dir, "failed"),
		.cancelled = sysfs_read_number(dir, "cancelled"),
		.preempted = sysfs_read_number(dir, "preempted"),
		.preempted_ns = sysfs_read_number(dir, "preempted_ns"),
	};
	g_ptr_array_add(vgpu->engines, engine);
}

static gint compare_engines(gconstpointer a, gconstpointer b)
{
	const struct engine_counters *one = *(struct engine_counters *const *)a;
	const struct engine_counters *two = *(struct engine_counters *const *)b;

	return strcmp(one->name, two->name);
}

/* The engines are subdirectories of "engine", beside the vGPU's own files. */
static char *engines_of(const char *vgpu_dir)
{
	char *mdev = g_path_get_dirname(vgpu_dir);
	char *path = g_build_filename(mdev, "engine", NULL);

	g_free(mdev);
	return path;
}

static void add_engines(struct vgpu_counters *vgpu, const char *vgpu_dir)
{
	char *path = engines_of(vgpu_dir);
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		char *engine = g_build_filename(path, name, NULL);

		add_engine(vgpu, engine, name);
		g_free(engine);
	}
	if (dir)
		g_dir_close(dir);
	g_free(path);
	g_ptr_array_sort(vgpu->engines, compare_engines);
}

/* faults of a guest that kvmgt counts: requests that it refused or repaired, and GPU hangs */
static const char *const errors[] = {
	"bad_entries", "reused_roots", "refused_submits", "refused_workloads", "hangs", NULL
};

/* a counter of at most @max; other values are left out */
static void add_named(GPtrArray *counters, const char *name, const char *value, int64_t max)
{
	struct named_counter *counter;
	gint64 number;

	if (!g_ascii_string_to_signed(value, 10, 0, max, &number, NULL))
		return;
	counter = g_new(struct named_counter, 1);
	*counter = (struct named_counter) { make_printable(g_strdup(name)), number };
	g_ptr_array_add(counters, counter);
}

/* calls @add for each line of a file, which has a name and a value */
static void read_lines(const char *dir, const char *file, void (*add)(void *data, const char *name, const char *value),
		       void *data)
{
	char *path = g_build_filename(dir, file, NULL);
	char *text, **lines;

	if (g_file_get_contents(path, &text, NULL, NULL)) {
		lines = g_strsplit(text, "\n", -1);
		for (char **line = lines; *line; line++) {
			char *value = strchr(*line, ' ');

			if (value) {
				*value++ = '\0';
				add(data, *line, value);
			}
		}
		g_strfreev(lines);
		g_free(text);
	}
	g_free(path);
}

static void add_health(void *data, const char *name, const char *value)
{
	struct vgpu_counters *vgpu = data;

	if (!strcmp(name, "failsafe")) {
		g_free(vgpu->failsafe);
		vgpu->failsafe = make_printable(g_strdup(value));
		return;
	}
	add_named(vgpu->health, name, value, UINT32_MAX);
}

static int64_t sum_errors(const GPtrArray *health)
{
	int64_t sum = UNKNOWN;

	for (unsigned int nr = 0; nr < health->len; nr++) {
		const struct named_counter *counter = health->pdata[nr];

		if (g_strv_contains(errors, counter->name))
			sum = known(sum) ? sum + counter->count : counter->count;
	}
	return sum;
}

static void read_health(struct vgpu_counters *vgpu, const char *dir)
{
	read_lines(dir, "health", add_health, vgpu);
	vgpu->errors = sum_errors(vgpu->health);
}

GPtrArray *counters_health(const struct sysfs_vgpu *from)
{
	struct vgpu_counters vgpu = { .health = g_ptr_array_new_with_free_func(free_named) };

	read_health(&vgpu, from->dir);
	g_free(vgpu.failsafe);
	return vgpu.health;
}

static void add_holder(void *data, const char *name, const char *value)
{
	add_named(data, name, value, INT64_MAX);
}

static struct vgpu_counters *read_vgpu(const struct sysfs_vgpu *from)
{
	struct vgpu_counters *vgpu = g_new(struct vgpu_counters, 1);

	*vgpu = (struct vgpu_counters) {
		.id = from->id, .uuid = g_strdup(from->uuid), .type = g_strdup(from->type),
		.gpu = g_strdup(from->gpu), .vm = g_strdup(from->vm), .at_ns = clock_ns(CLOCK_MONOTONIC),
		.weight = sysfs_read_number(from->dir, "weight"),
		.exec_ns = sysfs_read_number(from->dir, "exec_ns"),
		.exec_percent = sysfs_read_number(from->dir, "exec_percent"),
		.left_ns = sysfs_read_number(from->dir, "left_ns"),
		.queued = sysfs_read_number(from->dir, "queued"),
		.engines = g_ptr_array_new_with_free_func(free_engine),
		.health = g_ptr_array_new_with_free_func(free_named),
	};
	add_engines(vgpu, from->dir);
	read_health(vgpu, from->dir);
	return vgpu;
}

GPtrArray *counters_waited_for(const struct sysfs_vgpu *vgpu, const char *engine)
{
	GPtrArray *holders = g_ptr_array_new_with_free_func(free_named);
	char *engines = engines_of(vgpu->dir);
	char *dir = g_build_filename(engines, engine, NULL);

	read_lines(dir, "waited_for_ns", add_holder, holders);
	g_free(dir);
	g_free(engines);
	return holders;
}

/* "rcs0_exec_ns" */
static void add_host_engine(struct vgpu_counters *host, const char *dir, const char *file)
{
	struct engine_counters *engine;
	char *wait;

	if (!g_str_has_suffix(file, HOST_EXEC))
		return;
	engine = g_new(struct engine_counters, 1);
	*engine = (struct engine_counters) {
		.name = make_printable(g_strndup(file, strlen(file) - strlen(HOST_EXEC))),
		.exec_ns = sysfs_read_number(dir, file), .workloads = UNKNOWN,
		.failed = UNKNOWN, .cancelled = UNKNOWN, .preempted = UNKNOWN, .preempted_ns = UNKNOWN,
	};
	wait = g_strconcat(engine->name, "_wait_ns", NULL);
	engine->wait_ns = sysfs_read_number(dir, wait);
	g_free(wait);
	if (known(engine->exec_ns))
		g_ptr_array_add(host->engines, engine);
	else
		free_engine(engine);
}

/* adds the host's own work as a row like a vGPU's, as far as counters exist and are readable */
static void add_host(GPtrArray *vgpus, const struct sysfs_gpu *gpu)
{
	char *path = g_build_filename(gpu->dir, "gvt_host", NULL);
	GDir *dir = g_dir_open(path, 0, NULL);
	struct vgpu_counters *host = g_new(struct vgpu_counters, 1);
	const char *name;

	*host = (struct vgpu_counters) {
		.uuid = g_strdup_printf(COUNTERS_HOST "@%s", gpu->address),
		.vm = g_strdup(COUNTERS_HOST), .gpu = g_strdup(gpu->address), .at_ns = clock_ns(CLOCK_MONOTONIC),
		.weight = UNKNOWN, .exec_ns = UNKNOWN, .exec_percent = UNKNOWN,
		.left_ns = UNKNOWN, .queued = UNKNOWN, .errors = UNKNOWN,
		.engines = g_ptr_array_new_with_free_func(free_engine),
		.health = g_ptr_array_new_with_free_func(free_named),
	};
	while (dir && (name = g_dir_read_name(dir)))
		add_host_engine(host, path, name);
	if (dir)
		g_dir_close(dir);
	g_free(path);
	g_ptr_array_sort(host->engines, compare_engines);
	if (host->engines->len)
		g_ptr_array_add(vgpus, host);
	else
		free_vgpu(host);
}

bool counters_is_host(const struct vgpu_counters *vgpu)
{
	return !vgpu->id;
}

bool counters_wanted(const struct vgpu_counters *vgpu, char *const *items)
{
	const struct sysfs_vgpu key = { .id = vgpu->id, .uuid = vgpu->uuid };

	return sysfs_wants_vgpu(&key, items);
}

GPtrArray *counters_read(const struct sysfs *sysfs)
{
	GPtrArray *vgpus = g_ptr_array_new_with_free_func(free_vgpu);

	for (unsigned int nr = 0; nr < sysfs->gpus->len; nr++)
		add_host(vgpus, sysfs->gpus->pdata[nr]);

	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++)
		g_ptr_array_add(vgpus, read_vgpu(sysfs->vgpus->pdata[nr]));
	return vgpus;
}

void counters_check(const GPtrArray *vgpus, const char *sysroot)
{
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu_counters *vgpu = vgpus->pdata[nr];

		if (known(vgpu->exec_ns) || vgpu->engines->len)
			return;
	}
	if (vgpus->len)
		fatal("the vGPUs have no counters: load a kvmgt that is built with this project's patches (there is no exec_ns in %s/sys/bus/mdev/devices/*/intel_vgpu)",
		      sysroot);
}

void counters_warn_coarse(const GPtrArray *vgpus)
{
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu_counters *vgpu = vgpus->pdata[nr];

		if (known(vgpu->exec_ns) || !known(vgpu->exec_percent))
			continue;
		warn("the counters of vGPUs are for root and the group gvt-stat; you see how much of the GPU each vGPU uses, in whole per cent");
		return;
	}
}

struct vgpu_counters *counters_find(const GPtrArray *vgpus, const char *uuid)
{
	for (unsigned int nr = 0; vgpus && nr < vgpus->len; nr++) {
		struct vgpu_counters *vgpu = vgpus->pdata[nr];

		if (!strcmp(vgpu->uuid, uuid))
			return vgpu;
	}
	return NULL;
}

static const struct engine_counters *find_engine(const struct vgpu_counters *vgpu,
						 const char *name)
{
	for (unsigned int nr = 0; nr < vgpu->engines->len; nr++) {
		const struct engine_counters *engine = vgpu->engines->pdata[nr];

		if (!strcmp(engine->name, name))
			return engine;
	}
	return NULL;
}

/* A recreated vGPU may have the same UUID, but not the same id. */
static bool is_same(const struct vgpu_counters *old, const struct vgpu_counters *now)
{
	return old && old->id == now->id;
}

/* the increase of a counter, UNKNOWN if it decreased */
static int64_t advance(int64_t old, int64_t now)
{
	int64_t step = difference(now, old);

	return known(step) && step >= 0 ? step : UNKNOWN;
}

static double percent(int64_t part_ns, int64_t whole_ns)
{
	return known(part_ns) && whole_ns > 0 ? 100.0 * part_ns / whole_ns : NAN;
}

static double per_second(int64_t count, int64_t interval_ns)
{
	return known(count) && interval_ns > 0 ? (double)count * NSEC_PER_SEC / interval_ns : NAN;
}

static const struct rate unknown_rate = {
	UNKNOWN, NAN, NAN, NAN, UNKNOWN, UNKNOWN
};

struct rate rate_of_engine(const struct vgpu_counters *old, const struct vgpu_counters *now,
			   const struct engine_counters *engine)
{
	const struct engine_counters *was = is_same(old, now) ? find_engine(old, engine->name) :
					    NULL;
	struct rate rate = unknown_rate;
	int64_t done, wait;

	if (!was)
		return rate;
	done = advance(was->workloads, engine->workloads);
	wait = advance(was->wait_ns, engine->wait_ns);
	rate.interval_ns = now->at_ns - old->at_ns;
	rate.exec_percent = percent(advance(was->exec_ns, engine->exec_ns), rate.interval_ns);
	rate.done_per_second = per_second(done, rate.interval_ns);
	rate.wait_mean_ns = known(wait) && done > 0 ? (double)wait / done : NAN;
	rate.failed = advance(was->failed, engine->failed);
	rate.cancelled = advance(was->cancelled, engine->cancelled);
	return rate;
}

static int64_t add_known(int64_t sum, int64_t value)
{
	return known(sum) && known(value) ? sum + value : UNKNOWN;
}

/* sums over the engines; UNKNOWN if any engine's counter is */
static struct engine_counters sum_engines(const struct vgpu_counters *vgpu)
{
	struct engine_counters sum = { 0 };

	for (unsigned int nr = 0; nr < vgpu->engines->len; nr++) {
		const struct engine_counters *engine = vgpu->engines->pdata[nr];

		sum.wait_ns = add_known(sum.wait_ns, engine->wait_ns);
		sum.workloads = add_known(sum.workloads, engine->workloads);
		sum.failed = add_known(sum.failed, engine->failed);
		sum.cancelled = add_known(sum.cancelled, engine->cancelled);
	}
	return sum;
}

struct rate rate_of_vgpu(const struct vgpu_counters *old, const struct vgpu_counters *now)
{
	struct rate rate = unknown_rate;
	struct engine_counters was, is;
	int64_t done, wait;

	if (!is_same(old, now))
		return rate;
	was = sum_engines(old);
	is = sum_engines(now);
	done = advance(was.workloads, is.workloads);
	wait = advance(was.wait_ns, is.wait_ns);
	rate.interval_ns = now->at_ns - old->at_ns;
	rate.exec_percent = percent(advance(old->exec_ns, now->exec_ns), rate.interval_ns);
	if (!known(now->exec_ns) && known(now->exec_percent))
		rate.exec_percent = now->exec_percent;
	rate.done_per_second = per_second(done, rate.interval_ns);
	rate.wait_mean_ns = known(wait) && done > 0 ? (double)wait / done : NAN;
	rate.failed = advance(was.failed, is.failed);
	rate.cancelled = advance(was.cancelled, is.cancelled);
	return rate;
}

/* The counters do not tell waits for others from those behind work of the same vGPU. */
double rate_wait_percent(const struct vgpu_counters *old, const struct vgpu_counters *now)
{
	struct rate all = rate_of_vgpu(old, now);
	double wait_ns = all.wait_mean_ns * all.done_per_second, exec_ns = 0;

	for (unsigned int nr = 0; nr < now->engines->len; nr++) {
		struct rate rate = rate_of_engine(old, now, now->engines->pdata[nr]);

		exec_ns += rate.exec_percent / 100 * NSEC_PER_SEC;
	}
	return exec_ns > 0 ? 100 * wait_ns / (wait_ns + exec_ns) : NAN;
}
