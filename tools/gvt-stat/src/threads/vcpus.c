// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/blocks.h"
#include "analysis/gpu-time.h"
#include "analysis/vcpus.h"
#include "analysis/vms.h"
#include "cmd/command.h"
#include "output/column.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/util.h"

/* enough for one block per second for an hour */
#define MAX_BLOCKS	4096

struct vcpu_report {
	const struct form *form;
	const struct follow *follow;	/* read to its end */
	const struct vcpus *vcpus;
	const GPtrArray *vms;		/* of struct vm */
};

/* characters per line of phases */
#define PHASE_LINE	64

/* a vCPU thread for output; values that the trace cannot give are unknown */
struct vcpu_row {
	const char *vm;
	int64_t vgpu_id;
	int64_t pid;
	const char *comm;
	int64_t vcpu_id;
	int64_t time_ns[VCPU_STATES];
	double percent[VCPU_STATES];
	int64_t preemptions;
	int64_t exits;
	bool tainted;
	const char *mark;		/* "!" if tainted */
};

/* one thread preempted by another */
struct preemption_row {
	const char *vm;
	int64_t pid;
	const char *by_vm;		/* if the other is a vCPU thread; else unknown */
	int64_t by_pid;
	const char *by_comm;
	int64_t count;			/* unknown if events may have been lost, */
	int64_t time_ns;
	int64_t least_count;		/* lower bounds in any case */
	int64_t least_ns;
};

struct vm_row {
	const char *name;
	int64_t pid;
	int64_t vcpus;
	struct bounds cpu_percent;
	struct bounds gpu_percent;
	double phase_percent[VM_PHASES];
	bool has_phases;
	const char *class;
	int64_t preemptions;
};

static const char *vm_name_of(const struct vcpu_report *report, const struct vcpu *vcpu)
{
	const struct vm *vm = vcpu ? vms_of_vcpu(report->vms, vcpu) : NULL;

	return vm ? vm->name : NULL;
}

/* --vgpu and --gpu select threads and VMs of these vGPUs only */
static bool wanted_vm(const struct vcpu_report *report, const struct vm *vm)
{
	for (unsigned int nr = 0; nr < vm->vgpus->len; nr++)
		if (selection_vgpu(report->follow->selection, vm->vgpus->pdata[nr]))
			return true;
	return false;
}

static bool wanted(const struct vcpu_report *report, const struct vcpu *vcpu)
{
	const struct vm *vm = vms_of_vcpu(report->vms, vcpu);

	const struct selection *selection = report->follow->selection;

	return vm ? wanted_vm(report, vm) : !selection->vgpus && !selection->gpus;
}

static bool can_tell(const struct vcpu_report *report, enum quantity quantity)
{
	return quantity_known(report->follow->trace, quantity);
}

/* The time in a state is known only if the events for this state were recorded. */
static bool state_known(const struct vcpu_report *report, enum vcpu_state state)
{
	switch (state) {
	case VCPU_GUEST:
	case VCPU_VMM:
		return can_tell(report, QUANTITY_GUEST) && can_tell(report, QUANTITY_PREEMPTION);
	case VCPU_PREEMPTED:
		return can_tell(report, QUANTITY_PREEMPTION);
	default:
		return can_tell(report, QUANTITY_RUNNABLE);
	}
}

static struct vcpu_row make_vcpu_row(const struct vcpu_report *report, const struct vcpu *vcpu)
{
	int64_t whole_ns = report->follow->window.to_ns - report->follow->window.from_ns;
	bool preemptions = can_tell(report, QUANTITY_PREEMPTION) && !vcpu->missed;
	bool exits = can_tell(report, QUANTITY_GUEST) && !vcpu->missed;
	struct vcpu_row row = {
		.vm = vm_name_of(report, vcpu), .vgpu_id = vcpu->vgpu_id, .pid = vcpu->pid,
		.comm = *vcpu->comm ? vcpu->comm : NULL, .vcpu_id = vcpu->vcpu_id,
		.preemptions = preemptions ? vcpu->preemptions : UNKNOWN,
		.exits = exits ? vcpu->exits : UNKNOWN,
		.tainted = vcpu->tainted, .mark = vcpu->tainted ? "!" : "",
	};

	for (enum vcpu_state state = 0; state < VCPU_STATES; state++) {
		bool known_state = state_known(report, state);

		row.time_ns[state] = known_state ? vcpu->time_ns[state] : UNKNOWN;
		row.percent[state] = known_state && whole_ns > 0 ?
				     100.0 * vcpu->time_ns[state] / whole_ns : NAN;
	}
	return row;
}

static struct preemption_row make_preemption_row(const struct vcpu_report *report,
						 const struct vcpu *victim,
						 const struct preemptor *preemptor)
{
	const struct vcpu *by = known(preemptor->pid) ?
				vcpus_find(report->vcpus, preemptor->pid) : NULL;

	return (struct preemption_row) {
		.vm = vm_name_of(report, victim), .pid = victim->pid,
		.by_vm = vm_name_of(report, by), .by_pid = preemptor->pid,
		.by_comm = *preemptor->comm ? preemptor->comm : NULL,
		.count = victim->missed ? UNKNOWN : preemptor->count,
		.time_ns = victim->tainted ? UNKNOWN : preemptor->time_ns,
		.least_count = preemptor->count, .least_ns = preemptor->time_ns,
	};
}

static struct vm_row make_vm_row(const struct vcpu_report *report, const struct vm *vm)
{
	static const struct bounds unknown = { NAN, NAN };
	struct vm_row row = {
		.name = vm->name, .pid = vm->pid, .vcpus = vm->nr_vcpus,
		.cpu_percent = vm->cpu_percent, .gpu_percent = vm->gpu_percent,
		.class = vm_class_name(vm->class), .has_phases = vm->phases->len,
		.preemptions = vm->vcpus->len && can_tell(report, QUANTITY_PREEMPTION) ?
			       vm->preemptions : UNKNOWN,
	};

	memcpy(row.phase_percent, vm->phase_percent, sizeof(row.phase_percent));
	if (!can_tell(report, QUANTITY_EXECUTION)) {
		row.gpu_percent = unknown;
		row.has_phases = false;
	}
	if (!can_tell(report, QUANTITY_PREEMPTION) || !can_tell(report, QUANTITY_GUEST)) {
		row.cpu_percent = unknown;
		row.has_phases = false;
	}
	if (!row.has_phases)
		row.class = NULL;
	for (enum vm_phase phase = 0; !row.has_phases && phase < VM_PHASES; phase++)
		row.phase_percent[phase] = NAN;
	return row;
}

static void each_vcpu(const struct vcpu_report *report, record_fn add, void *to)
{
	const GPtrArray *vcpus = vcpus_list(report->vcpus);

	for (unsigned int nr = 0; nr < vcpus->len; nr++) {
		struct vcpu_row row = make_vcpu_row(report, vcpus->pdata[nr]);

		if (wanted(report, vcpus->pdata[nr]))
			add(to, &row);
	}
}

static gint compare_preemptions(gconstpointer a, gconstpointer b)
{
	const struct preemption_row *one = a, *two = b;

	if (one->least_count != two->least_count)
		return one->least_count > two->least_count ? -1 : 1;
	return (one->pid > two->pid) - (one->pid < two->pid);
}

static void add_victim(const struct vcpu_report *report, const struct vcpu *victim, GArray *rows)
{
	for (unsigned int nr = 0; nr < victim->preemptors->len; nr++) {
		struct preemption_row row =
			make_preemption_row(report, victim, victim->preemptors->pdata[nr]);

		/* skips preemptions outside of the window */
		if (row.least_count || row.least_ns)
			g_array_append_val(rows, row);
	}
}

/* most frequent first */
static void each_preemption(const struct vcpu_report *report, record_fn add, void *to)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct preemption_row));
	const GPtrArray *vcpus = vcpus_list(report->vcpus);

	for (unsigned int nr = 0; nr < vcpus->len; nr++)
		if (wanted(report, vcpus->pdata[nr]))
			add_victim(report, vcpus->pdata[nr], rows);
	g_array_sort(rows, compare_preemptions);
	for (unsigned int nr = 0; nr < rows->len; nr++)
		add(to, &g_array_index(rows, struct preemption_row, nr));
	g_array_free(rows, TRUE);
}

static void each_vm(const struct vcpu_report *report, record_fn add, void *to)
{
	for (unsigned int nr = 0; nr < report->vms->len; nr++) {
		struct vm_row row = make_vm_row(report, report->vms->pdata[nr]);

		if (wanted_vm(report, report->vms->pdata[nr]))
			add(to, &row);
	}
}

/* times for programs, percentages for people */
#define STATE_COLUMN(key, title, state)						\
	{ key, COLUMN_INTEGER, offsetof(struct vcpu_row, time_ns[state]) },	\
	{ NULL, COLUMN_REAL, offsetof(struct vcpu_row, percent[state]), title }
#define VCPU_COLUMN(key, type, member, ...) \
	{ key, COLUMN_##type, offsetof(struct vcpu_row, member), ##__VA_ARGS__ }
#define PREEMPTION_COLUMN(key, type, member, ...) \
	{ key, COLUMN_##type, offsetof(struct preemption_row, member), ##__VA_ARGS__ }
#define VM_COLUMN(key, type, member, ...) \
	{ key, COLUMN_##type, offsetof(struct vm_row, member), ##__VA_ARGS__ }

static const struct column vcpu_columns[] = {
	VCPU_COLUMN("vm", TEXT, vm, "VM"),
	VCPU_COLUMN("vgpu_id", INTEGER, vgpu_id, "VGPU"),
	VCPU_COLUMN("tid", INTEGER, pid, "THREAD"),
	VCPU_COLUMN("comm", TEXT, comm, "COMMAND"),
	VCPU_COLUMN("vcpu_id", INTEGER, vcpu_id, "VCPU"),
	STATE_COLUMN("guest_ns", "GUEST%", VCPU_GUEST),
	STATE_COLUMN("vmm_ns", "VMM%", VCPU_VMM),
	STATE_COLUMN("preempted_ns", "PREEMPTED%", VCPU_PREEMPTED),
	STATE_COLUMN("runnable_ns", "RUNNABLE%", VCPU_RUNNABLE),
	STATE_COLUMN("blocked_ns", "BLOCKED%", VCPU_BLOCKED),
	STATE_COLUMN("unknown_ns", "UNKNOWN%", VCPU_UNKNOWN),
	VCPU_COLUMN("exits", INTEGER, exits, "EXITS"),
	VCPU_COLUMN("preemptions", INTEGER, preemptions, "PREEMPTIONS"),
	VCPU_COLUMN("tainted", FLAG, tainted),
	VCPU_COLUMN(NULL, TEXT, mark, "LOST"),
	{ 0 }
};

static const struct column preemption_columns[] = {
	PREEMPTION_COLUMN("vm", TEXT, vm, "VM"),
	PREEMPTION_COLUMN("tid", INTEGER, pid, "THREAD"),
	PREEMPTION_COLUMN("by_vm", TEXT, by_vm, "BY-VM"),
	PREEMPTION_COLUMN("by_tid", INTEGER, by_pid, "BY-THREAD"),
	PREEMPTION_COLUMN("by_comm", TEXT, by_comm, "BY-COMMAND"),
	PREEMPTION_COLUMN("count", INTEGER, count, "TIMES"),
	PREEMPTION_COLUMN("preempted_ns", INTEGER, time_ns, "PREEMPTED-ms", UNIT_MS),
	{ 0 }
};

/* further columns if events were lost */
static const struct column least_columns[] = {
	PREEMPTION_COLUMN("count_min", INTEGER, least_count, "LEAST-TIMES"),
	PREEMPTION_COLUMN("preempted_ns_min", INTEGER, least_ns, "LEAST-PREEMPTED-ms", UNIT_MS),
	{ 0 }
};

static const struct column vm_columns[] = {
	VM_COLUMN("vm", TEXT, name, "VM"),
	VM_COLUMN("pid", INTEGER, pid),
	VM_COLUMN("vcpus", INTEGER, vcpus, "VCPUS"),
	VM_COLUMN("cpu_percent", BOUNDS, cpu_percent, "CPU%"),
	VM_COLUMN("gpu_percent", BOUNDS, gpu_percent, "UTIL%"),
	VM_COLUMN("preemptions", INTEGER, preemptions, "PREEMPTIONS"),
	VM_COLUMN("idle_percent", REAL, phase_percent[VM_IDLE], "IDLE%"),
	VM_COLUMN("cpu_phase_percent", REAL, phase_percent[VM_CPU], "CPU-PHASE%"),
	VM_COLUMN("gpu_phase_percent", REAL, phase_percent[VM_GPU], "GPU-PHASE%"),
	VM_COLUMN("both_percent", REAL, phase_percent[VM_BOTH], "BOTH%"),
	VM_COLUMN("class", TEXT, class, "CLASS"),
	{ 0 }
};

/* further columns of threads if events were lost */
static const struct column doubt_columns[] = {
	VM_COLUMN("cpu_percent_min", REAL, cpu_percent.min),
	VM_COLUMN("cpu_percent_max", REAL, cpu_percent.max),
	VM_COLUMN("gpu_percent_min", REAL, gpu_percent.min),
	VM_COLUMN("gpu_percent_max", REAL, gpu_percent.max),
	VM_COLUMN("unknown_percent", REAL, phase_percent[VM_UNKNOWN], "UNKNOWN%"),
	{ 0 }
};

static bool differ(const struct bounds *bounds)
{
	return isfinite(bounds->min) && bounds->min != bounds->max;
}

/* did lost events make values of any thread or VM uncertain? */
static bool threads_in_doubt(const struct vcpu_report *report)
{
	const GPtrArray *vcpus = vcpus_list(report->vcpus);

	for (unsigned int nr = 0; nr < vcpus->len; nr++)
		if (((const struct vcpu *)vcpus->pdata[nr])->tainted)
			return true;
	return false;
}

static bool vms_in_doubt(const struct vcpu_report *report)
{
	for (unsigned int nr = 0; nr < report->vms->len; nr++) {
		struct vm_row row = make_vm_row(report, report->vms->pdata[nr]);

		if (differ(&row.cpu_percent) || differ(&row.gpu_percent))
			return true;
	}
	return false;
}

/* adds the columns @more only if @doubt; the caller frees */
static struct column *join(const struct column *columns, const struct column *more, bool doubt)
{
	GArray *joined = g_array_new(TRUE, FALSE, sizeof(struct column));

	columns_join(joined, columns, 0);
	if (doubt)
		columns_join(joined, more, 0);
	return (struct column *)g_array_free(joined, FALSE);
}

static struct column *columns_of_preemptions(const struct vcpu_report *report)
{
	return join(preemption_columns, least_columns, threads_in_doubt(report));
}

static struct column *columns_of_vms(const struct vcpu_report *report)
{
	return join(vm_columns, doubt_columns, vms_in_doubt(report));
}

static void print_table(const struct vcpu_report *report, const struct column *columns,
			void (*each)(const struct vcpu_report *, record_fn, void *),
			const char *heading, FILE *out)
{
	struct table *table = table_new(columns);

	each(report, table_line, table);
	table_print(table, heading, out);
}

static enum vm_phase phase_at(const struct vm *vm, int64_t ns)
{
	unsigned int nr = 0;

	while (nr + 1 < vm->phases->len &&
	       g_array_index(vm->phases, struct vm_stretch, nr).to_ns <= ns)
		nr++;
	return g_array_index(vm->phases, struct vm_stretch, nr).phase;
}

/* C, G, B, . or ? for the state in the middle of each part of the window */
static void print_phases(const struct vcpu_report *report, const struct vm *vm, FILE *out)
{
	static const char letters[VM_PHASES] = { '.', 'C', 'G', 'B', '?' };
	const struct window *window = &report->follow->window;
	double part_ns = (double)(window->to_ns - window->from_ns) / PHASE_LINE;

	fprintf(out, "%-12s ", vm->name);
	for (int nr = 0; nr < PHASE_LINE; nr++)
		fputc(letters[phase_at(vm, window->from_ns + (nr + 0.5) * part_ns)], out);
	fputc('\n', out);
}

static void print_timelines(const struct vcpu_report *report, FILE *out)
{
	const char *heading = vms_in_doubt(report) ?
		"\nVMs over time (C: CPU, G: GPU, B: both, .: idle, ?: unknown)\n" :
		"\nVMs over time (C: CPU, G: GPU, B: both, .: idle)\n";

	for (unsigned int nr = 0; nr < report->vms->len; nr++) {
		const struct vm *vm = report->vms->pdata[nr];

		if (!wanted_vm(report, vm) || !make_vm_row(report, vm).has_phases)
			continue;
		fputs(heading, out);
		heading = "";
		print_phases(report, vm, out);
	}
}

static void print_tables(const void *result)
{
	const struct vcpu_report *report = result;
	struct column *preemptions = columns_of_preemptions(report);
	struct column *vms = columns_of_vms(report);

	notes_head(report->follow, stdout);
	if (!vcpus_list(report->vcpus)->len)
		fputs("\nNo vCPU thread is in the trace: no VM ran, or kvm_entry and kvm_exit were not recorded ('gvt-stat record full' does)\n",
		      stdout);
	else
		print_table(report, vcpu_columns, each_vcpu, "vCPU threads", stdout);
	if (vcpus_list(report->vcpus)->len)
		print_table(report, preemptions, each_preemption, "Who preempted whom", stdout);
	print_table(report, vms, each_vm, "VMs", stdout);
	print_timelines(report, stdout);
	notes_tail(report->follow, stdout);
	g_free(preemptions);
	g_free(vms);
}

static json_t *rows_json(const struct vcpu_report *report, const struct column *columns,
			 void (*each)(const struct vcpu_report *, record_fn, void *))
{
	struct json_lines rows = { columns, json_array() };

	each(report, json_lines_add, &rows);
	return rows.lines;
}

static json_t *vgpus_json(const struct vm *vm)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < vm->vgpus->len; nr++) {
		const struct vgpu *vgpu = vm->vgpus->pdata[nr];

		json_array_append_new(array, json_integer(vgpu_number(vgpu->id)));
	}
	return array;
}

/* sets a number, or its lower and upper bounds */
static void set_bounds(json_t *object, const char *key, const struct bounds *bounds)
{
	char name[32];

	json_object_set_new(object, key, differ(bounds) ? json_null() : json_decimal(bounds->min));
	if (!differ(bounds))
		return;
	g_snprintf(name, sizeof(name), "%s_min", key);
	json_object_set_new(object, name, json_decimal(bounds->min));
	g_snprintf(name, sizeof(name), "%s_max", key);
	json_object_set_new(object, name, json_decimal(bounds->max));
}

static json_t *stretch_json(const struct vm_stretch *stretch)
{
	json_t *object = json_pack("{s:I, s:I, s:o}", "from_ns", (json_int_t)stretch->from_ns,
				   "to_ns", (json_int_t)stretch->to_ns,
				   "phase", json_text(vm_phase_name(stretch->phase)));

	set_bounds(object, "cpu_percent", &stretch->cpu_percent);
	set_bounds(object, "gpu_percent", &stretch->gpu_percent);
	return object;
}

static json_t *phases_json(const struct vm *vm)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < vm->phases->len; nr++)
		json_array_append_new(array, stretch_json(&g_array_index(vm->phases,
									 struct vm_stretch, nr)));
	return array;
}

static json_t *vms_json(const struct vcpu_report *report)
{
	struct column *columns = columns_of_vms(report);
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < report->vms->len; nr++) {
		const struct vm *vm = report->vms->pdata[nr];
		struct vm_row row = make_vm_row(report, vm);
		json_t *object;

		if (!wanted_vm(report, vm))
			continue;
		object = columns_to_json(columns, &row);
		json_object_set_new(object, "vgpu_ids", vgpus_json(vm));
		json_object_set_new(object, "phases", row.has_phases ? phases_json(vm) : json_null());
		json_array_append_new(array, object);
	}
	g_free(columns);
	return array;
}

static void print_json(const void *result)
{
	const struct vcpu_report *report = result;
	json_t *document = document_new(report->follow, report->form->command);
	struct column *preemptions = columns_of_preemptions(report);

	document_add_window(document, report->follow->window);
	json_object_set_new(document, "vcpus", rows_json(report, form_columns(report->form,
								    vcpu_columns), each_vcpu));
	json_object_set_new(document, "preemptions",
			    rows_json(report, preemptions, each_preemption));
	json_object_set_new(document, "vms", vms_json(report));
	document_print(document, stdout);
	g_free(preemptions);
}

static void print_lines(const void *result)
{
	const struct vcpu_report *report = result;
	struct sheet *sheet = sheet_begin(report->form, vcpu_columns);

	each_vcpu(report, sheet_line, sheet);
	sheet_end(sheet);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct follow follow;
	struct gpu_time *gpu_time;
	struct blocks *blocks;
	struct vcpus *vcpus;
	GPtrArray *vms;

	follow_open(&follow, &options->selection);
	vcpus = vcpus_new(&follow);
	blocks = blocks_new(follow.window.from_ns, MAX_BLOCKS);
	gpu_time = gpu_time_new(&follow, blocks);
	vcpus_follow(vcpus, &follow, blocks);
	follow_run(&follow);
	model_finish(follow.model);
	vcpus_finish(vcpus, follow.window);
	selection_check_known(&options->selection, follow.model);
	vms = vms_build(&(struct vm_source) {
		.vcpus = vcpus, .model = follow.model, .blocks = blocks,
		.recorded = follow.recorded,
		.gpu_time = gpu_time, .window = follow.window,
	});
	form_print(&options->form, &printers, &(struct vcpu_report) {
		&options->form, &follow, vcpus, vms,
	});
	g_ptr_array_free(vms, TRUE);
	gpu_time_free(gpu_time);
	blocks_free(blocks);
	vcpus_free(vcpus);
	follow_close(&follow);
	return EXIT_SUCCESS;
}

const struct command vcpus_command = {
	.name = "why vcpus",
	.doc = "Show the states of vCPU threads, who preempted them, and what each VM is busy with.",
	.quantities = QUANTITY_BIT(QUANTITY_GUEST) | QUANTITY_BIT(QUANTITY_PREEMPTION) |
		      QUANTITY_BIT(QUANTITY_RUNNABLE) | QUANTITY_BIT(QUANTITY_VMS) |
		      QUANTITY_BIT(QUANTITY_EXECUTION),
	.columns = TABLES(vcpu_columns),
	.run = run,
};
