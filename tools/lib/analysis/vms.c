// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "trace/inside.h"
#include "trace/util.h"
#include "blocks-private.h"
#include "inside.h"
#include "vms.h"

#define IDLE_PERCENT		10.0
#define DOMINANT_RATIO		2.0
#define IDLE_TIME_PERCENT	90.0
#define CLASS_SHARE		(2.0 / 3)

/*
 * A VM's phase: idle below 10 % of both; CPU or GPU if that is at least twice
 * the other, each counted up to 100 %.
 */
static enum vm_phase vm_phase_of(double cpu_percent, double gpu_percent)
{
	/* NAN: no bound */
	double cpu = fmin(cpu_percent, 100), gpu = fmin(gpu_percent, 100);

	if (cpu < IDLE_PERCENT && gpu < IDLE_PERCENT)
		return VM_IDLE;
	if (cpu >= DOMINANT_RATIO * gpu)
		return VM_CPU;
	if (gpu >= DOMINANT_RATIO * cpu)
		return VM_GPU;
	return VM_BOTH;
}

/*
 * The phase common to all possible shares. The shares of each phase are a convex set, so that
 * checking the extremes is enough.
 */
static enum vm_phase certain_phase(const struct bounds *cpu, const struct bounds *gpu)
{
	enum vm_phase phase = vm_phase_of(cpu->min, gpu->min);

	return vm_phase_of(cpu->min, gpu->max) == phase &&
	       vm_phase_of(cpu->max, gpu->min) == phase &&
	       vm_phase_of(cpu->max, gpu->max) == phase ? phase : VM_UNKNOWN;
}

/*
 * A VM's class: idle if it is so for at least 90 % of the time; CPU- or GPU-intensive if
 * such phases are at least two thirds of the rest; else alternating (VM_BOTH).
 */
static enum vm_phase vm_class_of(const double *phase_percent)
{
	double busy = 100 - phase_percent[VM_IDLE];

	if (phase_percent[VM_IDLE] >= IDLE_TIME_PERCENT)
		return VM_IDLE;
	if (phase_percent[VM_CPU] >= CLASS_SHARE * busy)
		return VM_CPU;
	if (phase_percent[VM_GPU] >= CLASS_SHARE * busy)
		return VM_GPU;
	return VM_BOTH;
}

/* The class that holds for any phase of the unknown time; -1: none. */
static int certain_class(const double *phase_percent)
{
	int class = -1;

	for (enum vm_phase phase = 0; phase < VM_UNKNOWN; phase++) {
		double percent[VM_PHASES];
		int possible;

		memcpy(percent, phase_percent, sizeof(percent));
		percent[phase] += percent[VM_UNKNOWN];
		possible = vm_class_of(percent);
		if (class >= 0 && possible != class)
			return -1;
		class = possible;
	}
	return class;
}

const char *vm_phase_name(enum vm_phase phase)
{
	static const char *const names[VM_PHASES] = { "idle", "cpu", "gpu", "both" };

	return names[phase];
}

const char *vm_class_name(int class)
{
	static const char *const names[VM_PHASES] = {
		"idle", "CPU-intensive", "GPU-intensive", "alternating"
	};

	return class < 0 ? NULL : names[class];
}

static void free_vm(void *data)
{
	struct vm *vm = data;

	g_free(vm->name);
	g_ptr_array_free(vm->vcpus, TRUE);
	g_ptr_array_free(vm->vgpus, TRUE);
	g_array_free(vm->phases, TRUE);
	g_free(vm);
}

/* owner_pid 0: the vGPU is not open, so has no process */
static int64_t owner(const struct vgpu *vgpu)
{
	return vgpu->owner_pid > 0 ? vgpu->owner_pid : UNKNOWN;
}

static struct vm *find_by_pid(const GPtrArray *vms, int64_t pid)
{
	for (unsigned int nr = 0; known(pid) && nr < vms->len; nr++) {
		struct vm *vm = vms->pdata[nr];

		if (vm->pid == pid)
			return vm;
	}
	return NULL;
}

static char *make_name(const struct vm_source *source, int64_t pid, const struct vgpu *vgpu)
{
	const char *name = known(pid) ? recorded_vm(source->recorded, pid) : NULL;

	if (name)
		return g_strdup(name);
	if (known(pid))
		return g_strdup_printf("pid-%" PRId64, pid);
	/* vGPUs that share a number are named by UUID */
	if (vgpu->reused && vgpu->uuid)
		return g_strdup(vgpu->uuid);
	if (model_gpus(source->model)->len > 1)
		return g_strdup_printf("gpu-%" PRId64 "-vgpu-%" PRId64, vgpu->dev, vgpu_number(vgpu->id));
	return g_strdup_printf("vgpu-%" PRId64, vgpu_number(vgpu->id));
}

static void add_vgpu(GPtrArray *vms, struct vgpu *vgpu, const struct vm_source *source)
{
	struct vm *vm = find_by_pid(vms, owner(vgpu));

	if (!vm) {
		vm = g_new0(struct vm, 1);
		*vm = (struct vm) {
			.pid = owner(vgpu), .vcpus = g_ptr_array_new(),
			.vgpus = g_ptr_array_new(), .class = -1,
			.phases = g_array_new(FALSE, FALSE, sizeof(struct vm_stretch)),
		};
		vm->name = make_name(source, vm->pid, vgpu);
		g_ptr_array_add(vms, vm);
	}
	g_ptr_array_add(vm->vgpus, vgpu);
}

static struct vm *find_by_vgpu(const GPtrArray *vms, int64_t dev, int64_t vgpu_id)
{
	for (unsigned int nr = 0; known(vgpu_id) && nr < vms->len; nr++) {
		struct vm *vm = vms->pdata[nr];

		for (unsigned int pos = 0; pos < vm->vgpus->len; pos++) {
			const struct vgpu *vgpu = vm->vgpus->pdata[pos];

			if (vgpu->id == vgpu_id && vgpu->dev == dev)
				return vm;
		}
	}
	return NULL;
}

const struct vm *vms_of_vcpu(const GPtrArray *vms, const struct vcpu *vcpu)
{
	return find_by_vgpu(vms, vcpu->dev, vcpu->vgpu_id);
}

/* Returns threads that may belong to any VM, as the link may have been lost. */
static GPtrArray *add_vcpus(GPtrArray *vms, const struct vcpus *source)
{
	const GPtrArray *vcpus = vcpus_list(source);
	GPtrArray *strays = g_ptr_array_new();

	for (unsigned int nr = 0; nr < vcpus->len; nr++) {
		struct vcpu *vcpu = vcpus->pdata[nr];
		struct vm *vm = find_by_vgpu(vms, vcpu->dev, vcpu->vgpu_id);

		if (vm)
			g_ptr_array_add(vm->vcpus, vcpu);
		else if (vcpus_lost(source))
			g_ptr_array_add(strays, vcpu);
	}
	return strays;
}

static void count(struct vm *vm, const struct vcpus *vcpus, const GPtrArray *strays)
{
	vm->nr_vcpus = strays->len ? UNKNOWN : vm->vcpus->len;
	for (unsigned int nr = 0; nr < vm->vcpus->len; nr++)
		vm->preemptions += ((const struct vcpu *)vm->vcpus->pdata[nr])->preemptions;
	if (strays->len || vcpus_missed(vcpus))
		vm->preemptions = UNKNOWN;
}

static int64_t on_cpu_ns(const GPtrArray *vcpus, const struct vm_source *source, int64_t block)
{
	int64_t sum_ns = 0;

	for (unsigned int nr = 0; nr < vcpus->len; nr++)
		sum_ns += blocks_sum_ns(source->blocks,
					((const struct vcpu *)vcpus->pdata[nr])->line, block);
	return sum_ns;
}

static int64_t doubt_ns(const GPtrArray *vcpus, const struct vm_source *source, int64_t block)
{
	int64_t sum_ns = 0;

	for (unsigned int nr = 0; nr < vcpus->len; nr++)
		sum_ns += blocks_sum_ns(source->blocks,
					((const struct vcpu *)vcpus->pdata[nr])->doubt_line, block);
	return sum_ns;
}

static struct bounds cpu_ns(const struct vm *vm, const GPtrArray *strays,
			    const struct vm_source *source, int64_t block)
{
	int64_t least_ns = on_cpu_ns(vm->vcpus, source, block);

	return (struct bounds) {
		least_ns, least_ns + doubt_ns(vm->vcpus, source, block) +
			  on_cpu_ns(strays, source, block) + doubt_ns(strays, source, block)
	};
}

static struct bounds percent_of(const struct bounds *ns, int64_t whole_ns)
{
	if (whole_ns <= 0)
		return (struct bounds) { NAN, NAN };
	return (struct bounds) { 100.0 * ns->min / whole_ns, 100.0 * ns->max / whole_ns };
}

static void add(struct bounds *to, const struct bounds *from)
{
	to->min += from->min;
	to->max += from->max;
}

static struct bounds mean(const struct bounds *a, double a_ns, const struct bounds *b, double b_ns)
{
	return (struct bounds) {
		(a->min * a_ns + b->min * b_ns) / (a_ns + b_ns),
		(a->max * a_ns + b->max * b_ns) / (a_ns + b_ns)
	};
}

/* add a block; a stretch's shares are the mean of its blocks */
static void add_stretch(struct vm *vm, const struct vm_stretch *next)
{
	struct vm_stretch *last = vm->phases->len ?
		&g_array_index(vm->phases, struct vm_stretch, vm->phases->len - 1) : NULL;
	double old_ns, new_ns = next->to_ns - next->from_ns;

	if (!last || last->phase != next->phase) {
		g_array_append_vals(vm->phases, next, 1);
		return;
	}
	old_ns = last->to_ns - last->from_ns;
	last->cpu_percent = mean(&last->cpu_percent, old_ns, &next->cpu_percent, new_ns);
	last->gpu_percent = mean(&last->gpu_percent, old_ns, &next->gpu_percent, new_ns);
	last->to_ns = next->to_ns;
}

static void find_phases(struct vm *vm, const GPtrArray *strays, const struct vm_source *source)
{
	const int64_t whole_ns = source->window.to_ns - source->window.from_ns;
	const int64_t length_ns = blocks_length_ns(source->blocks);
	struct bounds cpu_sum_ns = { 0 }, gpu_sum_ns = { 0 };
	int64_t from_ns = source->window.from_ns, to_ns;

	for (int64_t block = 0; from_ns < source->window.to_ns; block++, from_ns = to_ns) {
		int64_t part_ns = MIN(length_ns, source->window.to_ns - from_ns);
		struct bounds cpu = cpu_ns(vm, strays, source, block);
		struct bounds gpu = gpu_time_bounds(source->gpu_time, vm->vgpus, block, part_ns);
		struct vm_stretch stretch = {
			.from_ns = from_ns, .to_ns = to_ns = from_ns + part_ns,
			.cpu_percent = percent_of(&cpu, part_ns),
			.gpu_percent = percent_of(&gpu, part_ns),
		};

		stretch.phase = certain_phase(&stretch.cpu_percent, &stretch.gpu_percent);
		add(&cpu_sum_ns, &cpu);
		add(&gpu_sum_ns, &gpu);
		add_stretch(vm, &stretch);
	}
	vm->cpu_percent = percent_of(&cpu_sum_ns, whole_ns);
	vm->gpu_percent = percent_of(&gpu_sum_ns, whole_ns);
}

static void find_class(struct vm *vm, const struct window *window)
{
	for (unsigned int nr = 0; nr < vm->phases->len; nr++) {
		const struct vm_stretch *stretch =
			&g_array_index(vm->phases, struct vm_stretch, nr);

		vm->phase_percent[stretch->phase] += 100.0 * (stretch->to_ns - stretch->from_ns) /
						     (window->to_ns - window->from_ns);
	}
	vm->class = vm->phases->len ? certain_class(vm->phase_percent) : -1;
}

/* Without a known vCPU, the use of CPUs is unknown, and so are the phases. */
static void forget_phases(struct vm *vm)
{
	vm->cpu_percent = (struct bounds) { NAN, NAN };
	vm->class = -1;
	g_array_set_size(vm->phases, 0);
	for (enum vm_phase phase = 0; phase < VM_PHASES; phase++)
		vm->phase_percent[phase] = NAN;
}

/* order by first vGPU: every VM has one */
static gint compare_vms(gconstpointer a, gconstpointer b)
{
	const struct vgpu *one = (*(struct vm *const *)a)->vgpus->pdata[0];
	const struct vgpu *two = (*(struct vm *const *)b)->vgpus->pdata[0];

	if (one->dev != two->dev)
		return one->dev < two->dev ? -1 : 1;
	return (one->id > two->id) - (one->id < two->id);
}

GPtrArray *vms_build(const struct vm_source *source)
{
	GPtrArray *vms = g_ptr_array_new_with_free_func(free_vm);
	const GPtrArray *vgpus = model_vgpus(source->model);
	GPtrArray *strays;

	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		add_vgpu(vms, vgpus->pdata[nr], source);
	g_ptr_array_sort(vms, compare_vms);
	strays = add_vcpus(vms, source->vcpus);
	blocks_cover(source->blocks, source->window.to_ns);
	for (unsigned int nr = 0; nr < vms->len; nr++) {
		struct vm *vm = vms->pdata[nr];

		count(vm, source->vcpus, strays);
		find_phases(vm, strays, source);
		find_class(vm, &source->window);
		if (!vm->vcpus->len)
			forget_phases(vm);
	}
	g_ptr_array_free(strays, TRUE);
	return vms;
}
