// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * plugin_gvt - shows the scheduling events of GVT-g (trace system "gvt")
 *
 * The events can be read without a plugin. This one adds what their own text
 * cannot say: engine names, the time since the same workload was queued,
 * submitted and started, slices in ms and per cent, names of statuses. It works
 * in every program that prints events with libtraceevent: trace-cmd report,
 * perf script, KernelShark.
 *
 * perf carries a libtraceevent of its own and exports only some functions of it.
 * Only those are used here, otherwise perf could not load the plugin.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#define EXPORT		__attribute__((visibility("default")))
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* ------------------------------------------------------------------------
 * Options
 */

enum {
	OPT_RAW,
	OPT_ENGINE,
	OPT_DURATIONS,
	OPT_UNIT,
	OPT_TSC_KHZ,
	NR_OPTS
};

/* What the string options are until the user says otherwise. */
static const char * const option_defaults[NR_OPTS] = {
	[OPT_ENGINE]	= "names",
	[OPT_DURATIONS]	= "on",
	[OPT_UNIT]	= "us",
	[OPT_TSC_KHZ]	= "0",
};

static struct tep_plugin_option options[NR_OPTS + 1] = {
	[OPT_RAW] = {
		.name		= "raw",
		.plugin_alias	= "gvt",
		.description	= "Print gvt events as the kernel does (boolean)",
	},
	[OPT_ENGINE] = {
		.name		= "engine",
		.plugin_alias	= "gvt",
		.description	= "Show engines as: names (rcs0), numbers (0:0)",
	},
	[OPT_DURATIONS] = {
		.name		= "durations",
		.plugin_alias	= "gvt",
		.description	= "Show the time since a workload's earlier steps: on, off",
	},
	[OPT_UNIT] = {
		.name		= "unit",
		.plugin_alias	= "gvt",
		.description	= "Unit of durations: us, ms",
	},
	[OPT_TSC_KHZ] = {
		.name		= "tsc-khz",
		.plugin_alias	= "gvt",
		.description	= "Timestamps are TSC ticks of that many kHz (0: they are ns)",
	},
};

struct unit {
	const char	*name;
	uint64_t	ns;
	int		digits;
};

static const struct unit unit_us = { "us", 1000, 3 };
static const struct unit unit_ms = { "ms", 1000000, 6 };

/* What the options mean; worked out anew for each event as they may change. */
struct settings {
	bool			raw;
	bool			engine_numbers;
	bool			durations;
	const struct unit	*unit;
	uint64_t		tsc_khz;
};

static bool warned[NR_OPTS];

static void warn_option(int opt, const char *accepted)
{
	if (warned[opt])
		return;
	warned[opt] = true;
	fprintf(stderr, "plugin_gvt: option gvt:%s=%s: use %s; taking %s\n",
		options[opt].name, options[opt].value, accepted, option_defaults[opt]);
}

/* True if the option has the value @other, false if it has its default. */
static bool option_is(int opt, const char *other)
{
	char accepted[64];

	if (!strcmp(options[opt].value, other))
		return true;
	if (strcmp(options[opt].value, option_defaults[opt])) {
		snprintf(accepted, sizeof(accepted), "%s or %s", option_defaults[opt], other);
		warn_option(opt, accepted);
	}
	return false;
}

static uint64_t option_number(int opt)
{
	const char *value = options[opt].value;
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (errno || end == value || *end || strchr(value, '-')) {
		warn_option(opt, "a whole number");
		return 0;
	}
	return number;
}

static void read_settings(struct settings *set)
{
	set->raw = options[OPT_RAW].set;
	set->engine_numbers = option_is(OPT_ENGINE, "numbers");
	set->durations = !option_is(OPT_DURATIONS, "off");
	set->unit = option_is(OPT_UNIT, "ms") ? &unit_ms : &unit_us;
	set->tsc_khz = option_number(OPT_TSC_KHZ);
}

static void reset_options(void)
{
	for (int i = 0; i < NR_OPTS; i++) {
		options[i].value = option_defaults[i];
		options[i].set = 0;
		warned[i] = false;
	}
}

/* ------------------------------------------------------------------------
 * What was seen of each workload
 */

enum stage {
	STAGE_NONE,
	STAGE_QUEUE,
	STAGE_SUBMIT,
	STAGE_START,
	STAGE_STOP,
	STAGE_END,		/* completed or cancelled */
};

/*
 * Timestamps of a workload's steps, of the latest one if a step is repeated.
 * 0: not seen, and all that perf script passes on.
 */
struct workload {
	uint64_t	id;
	uint64_t	queued;
	uint64_t	submitted;
	uint64_t	started;
	uint64_t	stopped;
	uint64_t	ended;
	uint64_t	touched;
	uint32_t	dev;
};

/*
 * Ids are given out in ascending order, so a table indexed by their low bits
 * always holds the latest workloads. A workload's entry is lost only when this
 * many others were queued after it, many times what GVT-g can have in flight.
 */
#define NR_WORKLOADS	16384

/* State of one tep handle: a program may read several traces at once. */
struct gvt {
	struct gvt		*next;
	struct tep_handle	*tep;
	uint64_t		lost;	/* when records were last found to be missing */
	struct workload		workloads[NR_WORKLOADS];
};

static struct gvt *handles;

static void restart_workload(struct workload *w, uint32_t dev, uint64_t id)
{
	*w = (struct workload) { .dev = dev, .id = id };
}

/*
 * Finds or makes the entry of a workload. NULL if a workload that is newer in
 * time has it: KernelShark prints records in any order.
 */
static struct workload *get_workload(struct gvt *gvt, uint32_t dev, uint64_t id, uint64_t ts)
{
	struct workload *w = &gvt->workloads[(id + dev * 4099ULL) % NR_WORKLOADS];
	bool other = w->dev != dev || w->id != id;

	if (other && w->touched > ts)
		return NULL;
	/* The same id after its workload's end: kvmgt was loaded anew. */
	if (other || (w->ended && w->ended < ts))
		restart_workload(w, dev, id);
	if (w->touched < ts)
		w->touched = ts;
	return w;
}

static void note_stage(struct workload *w, enum stage stage, uint64_t ts)
{
	switch (stage) {
	case STAGE_QUEUE:
		if (w->queued != ts)
			restart_workload(w, w->dev, w->id);
		w->queued = ts;
		w->touched = ts;
		break;
	case STAGE_SUBMIT:
		w->submitted = ts;
		break;
	case STAGE_START:
		w->started = ts;
		break;
	case STAGE_STOP:
		w->stopped = ts;
		break;
	case STAGE_END:
		w->ended = ts;
		break;
	case STAGE_NONE:
		break;
	}
}

/*
 * The latest start seen is the one that belongs to a record at @ts unless the
 * workload was seen to stop in between, or events were lost since.
 */
static bool start_is_known(const struct gvt *gvt, const struct workload *w, enum stage stage,
			   uint64_t ts)
{
	if (w->started < gvt->lost)
		return false;
	return stage != STAGE_STOP || w->stopped < w->started || w->stopped >= ts;
}

/* ------------------------------------------------------------------------
 * Fields, by name
 */

/* The record that is being printed. */
struct view {
	struct trace_seq	*s;
	struct tep_record	*record;
	struct tep_event	*event;
	struct settings		set;
};

static bool in_record(const struct view *v, uint64_t offset, uint64_t size)
{
	return v->record->size >= 0 && offset + size <= (uint64_t)v->record->size;
}

static bool is_number(const struct tep_format_field *field)
{
	if (field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING | TEP_FIELD_IS_DYNAMIC))
		return false;
	return field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
}

/* The value of a field that is known to lie in the record, not sign-extended. */
static uint64_t read_raw(const struct view *v, const struct tep_format_field *field)
{
	return tep_read_number(v->event->tep, (char *)v->record->data + field->offset, field->size);
}

static bool read_number(const struct view *v, const struct tep_format_field *field, int64_t *value)
{
	int unused_bits;

	if (!field || !is_number(field) || field->offset < 0 ||
	    !in_record(v, field->offset, field->size))
		return false;

	*value = read_raw(v, field);
	if (field->flags & TEP_FIELD_IS_SIGNED) {
		unused_bits = 64 - 8 * field->size;
		*value = (int64_t)((uint64_t)*value << unused_bits) >> unused_bits;
	}
	return true;
}

static bool get_number(const struct view *v, const char *name, int64_t *value)
{
	return read_number(v, tep_find_field(v->event, name), value);
}

static bool is_dynamic_string(const struct tep_format_field *field)
{
	const unsigned long wanted = TEP_FIELD_IS_STRING | TEP_FIELD_IS_DYNAMIC;

	return (field->flags & (wanted | TEP_FIELD_IS_RELATIVE)) == wanted && field->size == 4;
}

/* Finds a __data_loc string: the field holds its offset and, shifted by 16, its length. */
static bool read_string(const struct view *v, const struct tep_format_field *field,
			const char **string, int *len)
{
	uint64_t loc;

	if (!field || !is_dynamic_string(field) || field->offset < 0 ||
	    !in_record(v, field->offset, field->size))
		return false;

	loc = read_raw(v, field);
	if (!in_record(v, loc & 0xffff, loc >> 16))
		return false;
	*string = (char *)v->record->data + (loc & 0xffff);
	*len = loc >> 16;
	return true;
}

/* ------------------------------------------------------------------------
 * Columns: how a field is shown
 */

/*
 * One item of an event's text, shown as "label=...". If @show cannot show it,
 * for example for want of the field, "label=!" is printed.
 */
struct column {
	const char	*label;
	const char	*field;
	const char	*other;		/* second field, if @show needs one */
	bool		(*show)(const struct view *v, const struct column *col);
};

static void put_time(struct trace_seq *s, int64_t ns, const struct unit *unit)
{
	uint64_t magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	trace_seq_printf(s, "%s%llu.%0*llu%s", ns < 0 ? "-" : "",
			 (unsigned long long)(magnitude / unit->ns), unit->digits,
			 (unsigned long long)(magnitude % unit->ns), unit->name);
}

static bool show_unsigned(const struct view *v, const struct column *col)
{
	int64_t value;

	if (!get_number(v, col->field, &value))
		return false;
	trace_seq_printf(v->s, "%llu", (unsigned long long)value);
	return true;
}

static bool show_signed(const struct view *v, const struct column *col)
{
	int64_t value;

	if (!get_number(v, col->field, &value))
		return false;
	trace_seq_printf(v->s, "%lld", (long long)value);
	return true;
}

static bool show_hex(const struct view *v, const struct column *col)
{
	int64_t value;

	if (!get_number(v, col->field, &value))
		return false;
	trace_seq_printf(v->s, "0x%08llx", (unsigned long long)value);
	return true;
}

static bool show_nice(const struct view *v, const struct column *col)
{
	return show_signed(v, col);
}

static bool show_cap(const struct view *v, const struct column *col)
{
	if (!show_unsigned(v, col))
		return false;
	trace_seq_putc(v->s, '%');
	return true;
}

static bool show_string(const struct view *v, const struct column *col)
{
	const char *string;
	int len;

	if (!read_string(v, tep_find_field(v->event, col->field), &string, &len))
		return false;
	trace_seq_printf(v->s, "%.*s", len, string);
	return true;
}

/* Engines as i915 numbers them for user space: enum drm_i915_gem_engine_class. */
static bool show_engine(const struct view *v, const struct column *col)
{
	static const char * const names[] = { "rcs", "bcs", "vcs", "vecs", "ccs" };
	int64_t class, instance;

	if (!get_number(v, col->field, &class) || !get_number(v, col->other, &instance))
		return false;
	if (v->set.engine_numbers || class < 0 || (uint64_t)class >= ARRAY_SIZE(names))
		trace_seq_printf(v->s, "%lld:%lld", (long long)class, (long long)instance);
	else
		trace_seq_printf(v->s, "%s%lld", names[class], (long long)instance);
	return true;
}

/* Of the scheduler: negative numbers stand for all engines of the GPU. */
static bool show_engine_or_all(const struct view *v, const struct column *col)
{
	int64_t class;

	if (!get_number(v, col->field, &class) || class >= 0)
		return show_engine(v, col);
	trace_seq_puts(v->s, "all");
	return true;
}

/* A number, or what its 0 stands for. */
static bool show_unless_0(const struct view *v, const struct column *col, const char *zero)
{
	int64_t value;

	if (!get_number(v, col->field, &value))
		return false;
	if (value)
		trace_seq_printf(v->s, "%lld", (long long)value);
	else
		trace_seq_puts(v->s, zero);
	return true;
}

static bool show_vgpu_or_idle(const struct view *v, const struct column *col)
{
	return show_unless_0(v, col, "idle");
}

static bool show_vgpu_or_all(const struct view *v, const struct column *col)
{
	return show_unless_0(v, col, "all");
}

static bool show_owner(const struct view *v, const struct column *col)
{
	return show_unless_0(v, col, "none");
}

static bool show_duration(const struct view *v, const struct column *col)
{
	int64_t ns;

	if (!get_number(v, col->field, &ns))
		return false;
	put_time(v->s, ns, v->set.unit);
	return true;
}

/* Slices and the scheduler's other settings are of the order of 100 ms, whatever the unit. */
static bool show_slice(const struct view *v, const struct column *col)
{
	int64_t ns;

	if (!get_number(v, col->field, &ns))
		return false;
	trace_seq_printf(v->s, "%.3fms", ns / 1e6);
	return true;
}

/* What is left of a slice, also in per cent of the allocated one if there is one. */
static bool show_left(const struct view *v, const struct column *col)
{
	int64_t left, slice;

	if (!get_number(v, col->field, &left))
		return false;
	trace_seq_printf(v->s, "%.3fms", left / 1e6);
	if (get_number(v, col->other, &slice) && slice > 0)
		trace_seq_printf(v->s, " (%.1f%%)", 100.0 * left / slice);
	return true;
}

static bool show_bytes(const struct view *v, const struct column *col)
{
	const uint64_t mib = 1 << 20;
	int64_t value;
	uint64_t bytes;

	if (!get_number(v, col->field, &value))
		return false;
	bytes = value;
	if (bytes % mib)
		trace_seq_printf(v->s, "%lluB", (unsigned long long)bytes);
	else
		trace_seq_printf(v->s, "%lluMiB", (unsigned long long)(bytes / mib));
	return true;
}

/* The statuses that GVT-g gives a workload. */
static const struct status {
	int		error;
	const char	*name;
	const char	*meaning;
} statuses[] = {
	{ EIO,		"EIO",		"hang" },
	{ ECANCELED,	"ECANCELED",	"cancelled" },
	{ EBADRQC,	"EBADRQC",	"unknown command" },
	{ EFAULT,	"EFAULT",	"invalid address" },
	{ EPERM,	"EPERM",	"not allowed" },
	{ EINVAL,	"EINVAL",	"invalid" },
	{ ENOMEM,	"ENOMEM",	"out of memory" },
	{ ENOSPC,	"ENOSPC",	"no space" },
	{ ENODEV,	"ENODEV",	"no device" },
	{ ENOENT,	"ENOENT",	"not found" },
	{ EAGAIN,	"EAGAIN",	"try again" },
	{ EINTR,	"EINTR",	"interrupted" },
	{ EINPROGRESS,	"EINPROGRESS",	"not run" },
	{ ETIMEDOUT,	"ETIMEDOUT",	"timed out" },
};

static bool show_status(const struct view *v, const struct column *col)
{
	int64_t value;

	if (!get_number(v, col->field, &value))
		return false;
	if (!value) {
		trace_seq_puts(v->s, "ok");
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++) {
		if (value != -statuses[i].error)
			continue;
		trace_seq_printf(v->s, "-%s (%s)", statuses[i].name, statuses[i].meaning);
		return true;
	}
	trace_seq_printf(v->s, "%lld", (long long)value);
	return true;
}

/* The names that the event's own format gives to the values of a field. */
static const struct tep_print_flag_sym *find_symbols(const struct tep_event *event,
						     const char *field)
{
	const struct tep_print_arg *arg, *of;

	for (arg = event->print_fmt.args; arg; arg = arg->next) {
		if (arg->type != TEP_PRINT_SYMBOL)
			continue;
		of = arg->symbol.field;
		while (of && of->type == TEP_PRINT_TYPE)
			of = of->typecast.item;
		if (of && of->type == TEP_PRINT_FIELD && !strcmp(of->field.name, field))
			return arg->symbol.symbols;
	}
	return NULL;
}

static bool show_symbol(const struct view *v, const struct column *col)
{
	const struct tep_print_flag_sym *sym;
	int64_t value;

	if (!get_number(v, col->field, &value))
		return false;
	for (sym = find_symbols(v->event, col->field); sym; sym = sym->next) {
		if (strtoll(sym->value, NULL, 0) != value)
			continue;
		trace_seq_puts(v->s, sym->str);
		return true;
	}
	trace_seq_printf(v->s, "%lld", (long long)value);
	return true;
}

/* ------------------------------------------------------------------------
 * Events
 */

#define WORKLOAD_COLUMNS						\
	{ "dev", "dev", NULL, show_unsigned },				\
	{ "vgpu", "vgpu_id", NULL, show_unsigned },			\
	{ "workload", "workload_id", NULL, show_unsigned },		\
	{ "engine", "class", "instance", show_engine }

/* Kernels that dispatch per engine tell which one the scheduler's events are about. */
#define SCOPE_COLUMN							\
	{ "engine", "class", "instance", show_engine_or_all }

#define REQUEST_COLUMNS							\
	WORKLOAD_COLUMNS,						\
	{ "ctx", "ctx", NULL, show_unsigned },				\
	{ "seqno", "seqno", NULL, show_unsigned }

static const struct column queue_columns[] = {
	WORKLOAD_COLUMNS,
	{ "guest_lrca", "guest_lrca", NULL, show_hex },
	{ NULL }
};

static const struct column submit_columns[] = {
	REQUEST_COLUMNS,
	{ NULL }
};

static const struct column start_columns[] = {
	REQUEST_COLUMNS,
	{ "lrca", "lrca", NULL, show_hex },
	{ NULL }
};

static const struct column stop_columns[] = {
	REQUEST_COLUMNS,
	{ "lrca", "lrca", NULL, show_hex },
	{ "completed?", "completed", NULL, show_unsigned },
	{ NULL }
};

static const struct column complete_columns[] = {
	WORKLOAD_COLUMNS,
	{ "status", "status", NULL, show_status },
	{ NULL }
};

static const struct column cancel_columns[] = {
	WORKLOAD_COLUMNS,
	{ "reason", "reason", NULL, show_symbol },
	{ NULL }
};

static const struct column switch_columns[] = {
	{ "dev", "dev", NULL, show_unsigned },
	{ "prev", "prev_vgpu_id", NULL, show_vgpu_or_idle },
	{ "next", "next_vgpu_id", NULL, show_vgpu_or_idle },
	{ "prev_left", "prev_left_ns", "prev_slice_ns", show_left },
	{ "prev_slice", "prev_slice_ns", NULL, show_slice },
	{ "next_left", "next_left_ns", "next_slice_ns", show_left },
	{ "next_slice", "next_slice_ns", NULL, show_slice },
	{ "drain", "drain_ns", NULL, show_duration },
	{ "reason", "reason", NULL, show_symbol },
	SCOPE_COLUMN,
	{ NULL }
};

static const struct column balance_columns[] = {
	{ "dev", "dev", NULL, show_unsigned },
	{ "vgpu", "vgpu_id", NULL, show_unsigned },
	{ "stage", "stage", NULL, show_unsigned },
	{ "weight", "weight", NULL, show_unsigned },
	{ "slice", "slice_ns", NULL, show_slice },
	{ "left", "left_ns", "slice_ns", show_left },
	SCOPE_COLUMN,
	{ NULL }
};

static const struct column vgpu_info_columns[] = {
	{ "dev", "dev", NULL, show_unsigned },
	{ "vgpu", "vgpu_id", NULL, show_unsigned },
	{ "weight", "weight", NULL, show_unsigned },
	{ "fences", "fences", NULL, show_unsigned },
	{ "aperture", "aperture_bytes", NULL, show_bytes },
	{ "hidden", "hidden_bytes", NULL, show_bytes },
	{ "owner_pid", "owner_pid", NULL, show_owner },
	{ "type", "type", NULL, show_string },
	{ "uuid", "uuid", NULL, show_string },
	{ "nice", "nice", NULL, show_nice },
	{ "cap", "cap", NULL, show_cap },
	{ NULL }
};

static const struct column sched_info_columns[] = {
	{ "dev", "dev", NULL, show_unsigned },
	{ "vgpus", "vgpus", NULL, show_unsigned },
	{ "tick", "tick_ns", NULL, show_slice },
	{ "period", "period_ns", NULL, show_slice },
	{ "stages", "stages", NULL, show_unsigned },
	{ "boost", "boost_ns", NULL, show_slice },
	{ "policy", "policy", NULL, show_string },
	{ "carry_over", "carry_over", NULL, show_unsigned },
	{ "leftover_max", "leftover_max_ns", NULL, show_slice },
	{ "max_wait", "max_wait_ns", NULL, show_slice },
	{ "anticipation", "anticipation_ns", NULL, show_slice },
	{ "dispatch", "dispatch", NULL, show_string },
	{ "host_first", "host_first", NULL, show_unsigned },
	{ NULL }
};

static const struct column sched_state_columns[] = {
	{ "dev", "dev", NULL, show_unsigned },
	{ "vgpu", "vgpu_id", NULL, show_unsigned },
	SCOPE_COLUMN,
	{ "order", "order", NULL, show_unsigned },
	{ "current", "current_vgpu_id", NULL, show_vgpu_or_idle },
	{ "stage", "stage", NULL, show_unsigned },
	{ "left", "left_ns", "slice_ns", show_left },
	{ "slice", "slice_ns", NULL, show_slice },
	{ "cap_left", "cap_left_ns", NULL, show_slice },
	{ "period_left", "period_left_ns", NULL, show_slice },
	{ "boost_left", "boost_left_ns", NULL, show_slice },
	{ "vruntime", "vruntime", NULL, show_unsigned },
	{ "min_vruntime", "min_vruntime", NULL, show_unsigned },
	{ "lag", "lag_ns", NULL, show_slice },
	{ "service", "service_ns", NULL, show_duration },
	{ "think", "think_ns", NULL, show_duration },
	{ "way", "way_ns", NULL, show_duration },
	{ "busy", "busy", NULL, show_unsigned },
	{ "preempt", "preempt", NULL, show_unsigned },
	{ "arbitration", "arbitration", NULL, show_unsigned },
	{ NULL }
};

static const struct column workload_state_columns[] = {
	WORKLOAD_COLUMNS,
	{ "guest_lrca", "guest_lrca", NULL, show_hex },
	{ "ctx", "ctx", NULL, show_unsigned },
	{ "seqno", "seqno", NULL, show_unsigned },
	{ "state", "state", NULL, show_symbol },
	{ "age", "age_ns", NULL, show_duration },
	{ "exec", "exec_ns", NULL, show_duration },
	{ NULL }
};

static const struct column setting_columns[] = {
	{ "dev", "dev", NULL, show_unsigned },
	{ "vgpu", "vgpu_id", NULL, show_vgpu_or_all },
	{ "setting", "setting", NULL, show_string },
	{ "old", "old_value", NULL, show_string },
	{ "new", "new_value", NULL, show_string },
	{ NULL }
};

static const struct column hold_columns[] = {
	{ "dev", "dev", NULL, show_unsigned },
	{ "vgpu", "vgpu_id", NULL, show_unsigned },
	{ "held", "held_vgpu_id", NULL, show_unsigned },
	{ "idle", "held_ns", NULL, show_duration },
	{ "window", "window_ns", NULL, show_duration },
	{ "result", "result", NULL, show_symbol },
	SCOPE_COLUMN,
	{ NULL }
};

static const struct column health_columns[] = {
	{ "dev", "dev", NULL, show_unsigned },
	{ "vgpu", "vgpu_id", NULL, show_unsigned },
	{ "bad_entries", "bad_entries", NULL, show_unsigned },
	{ "reused_roots", "reused_roots", NULL, show_unsigned },
	{ "refused_submits", "refused_submits", NULL, show_unsigned },
	{ "refused_workloads", "refused_workloads", NULL, show_unsigned },
	{ "hangs", "hangs", NULL, show_unsigned },
	{ "engine_resets", "engine_resets", NULL, show_unsigned },
	{ "device_resets", "device_resets", NULL, show_unsigned },
	{ "failsafe_entries", "failsafe_entries", NULL, show_unsigned },
	{ "failsafe", "failsafe", NULL, show_symbol },
	{ NULL }
};

/* The host's own work on an engine. */
#define HOST_COLUMNS							\
	{ "dev", "dev", NULL, show_unsigned },				\
	{ "engine", "class", "instance", show_engine }

static const struct column host_start_columns[] = {
	HOST_COLUMNS,
	{ "ctx", "ctx", NULL, show_unsigned },
	{ "seqno", "seqno", NULL, show_unsigned },
	{ "waited", "waited_ns", NULL, show_duration },
	{ "holder", "holder", NULL, show_owner },
	{ NULL }
};

static const struct column host_stop_columns[] = {
	HOST_COLUMNS,
	{ "exec", "exec_ns", NULL, show_duration },
	{ NULL }
};

static const struct column host_state_columns[] = {
	HOST_COLUMNS,
	{ "running", "running", NULL, show_unsigned },
	{ "exec", "exec_ns", NULL, show_duration },
	{ "wait", "wait_ns", NULL, show_duration },
	{ NULL }
};

static const struct event_desc {
	const char		*name;
	enum stage		stage;
	const struct column	*columns;
} events[] = {
	{ "gvt_workload_queue",		STAGE_QUEUE,	queue_columns },
	{ "gvt_workload_submit",	STAGE_SUBMIT,	submit_columns },
	{ "gvt_workload_start",		STAGE_START,	start_columns },
	{ "gvt_workload_stop",		STAGE_STOP,	stop_columns },
	{ "gvt_workload_complete",	STAGE_END,	complete_columns },
	{ "gvt_workload_cancel",	STAGE_END,	cancel_columns },
	{ "gvt_sched_switch",		STAGE_NONE,	switch_columns },
	{ "gvt_sched_balance",		STAGE_NONE,	balance_columns },
	{ "gvt_vgpu_info",		STAGE_NONE,	vgpu_info_columns },
	{ "gvt_sched_info",		STAGE_NONE,	sched_info_columns },
	{ "gvt_sched_state",		STAGE_NONE,	sched_state_columns },
	{ "gvt_workload_state",		STAGE_NONE,	workload_state_columns },
	{ "gvt_sched_setting",		STAGE_NONE,	setting_columns },
	{ "gvt_sched_hold",		STAGE_NONE,	hold_columns },
	{ "gvt_vgpu_health",		STAGE_NONE,	health_columns },
	{ "gvt_host_start",		STAGE_NONE,	host_start_columns },
	{ "gvt_host_stop",		STAGE_NONE,	host_stop_columns },
	{ "gvt_host_state",		STAGE_NONE,	host_state_columns },
};

static const struct event_desc *find_event(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		if (!strcmp(events[i].name, name))
			return &events[i];
	}
	return NULL;
}

/* Fields that older kernels lack, then left out. */
static bool is_optional(const struct column *col)
{
	return col->show == show_engine_or_all || col->show == show_nice ||
	       col->show == show_cap;
}

static void print_columns(const struct view *v, const struct column *columns)
{
	for (const struct column *col = columns; col->label; col++) {
		if (is_optional(col) && !tep_find_field(v->event, col->field))
			continue;
		trace_seq_printf(v->s, "%s%s=", col == columns ? "" : ", ", col->label);
		if (!col->show(v, col))
			trace_seq_putc(v->s, '!');
	}
}

static bool has_column(const struct column *columns, const char *field)
{
	for (const struct column *col = columns; col->label; col++) {
		if (!strcmp(col->field, field) || (col->other && !strcmp(col->other, field)))
			return true;
	}
	return false;
}

/* Fields that a newer kernel has added. */
static void print_added(const struct view *v, const struct column *columns)
{
	const struct tep_format_field *field;

	for (field = v->event->format.fields; field; field = field->next) {
		struct column col = { field->name, field->name, NULL, show_unsigned };

		if (has_column(columns, field->name))
			continue;
		if (field->flags & TEP_FIELD_IS_STRING)
			col.show = show_string;
		else if (field->flags & TEP_FIELD_IS_SIGNED)
			col.show = show_signed;
		trace_seq_printf(v->s, ", %s=", field->name);
		if (!col.show(v, &col))
			trace_seq_putc(v->s, '!');
	}
}

static void print_since(const struct view *v, const char *label, uint64_t since)
{
	uint64_t ts = v->record->ts;
	uint64_t khz = v->set.tsc_khz;
	uint64_t time = ts - since;

	if (!since || since > ts)
		return;
	if (khz)
		time = time / khz * 1000000 + time % khz * 1000000 / khz;
	trace_seq_printf(v->s, ", %s=", label);
	put_time(v->s, time, v->set.unit);
}

static void print_durations(const struct view *v, const struct gvt *gvt, const struct workload *w,
			    enum stage stage)
{
	if (stage > STAGE_QUEUE)
		print_since(v, "since_queue", w->queued);
	if (stage > STAGE_SUBMIT)
		print_since(v, "since_submit", w->submitted);
	if (stage > STAGE_START && start_is_known(gvt, w, stage, v->record->ts))
		print_since(v, "since_start", w->started);
}

static void track_workload(const struct view *v, struct gvt *gvt, enum stage stage)
{
	uint64_t ts = v->record->ts;
	struct workload *w;
	int64_t dev, id;

	if (!get_number(v, "dev", &dev) || !get_number(v, "workload_id", &id))
		return;
	w = get_workload(gvt, dev, id, ts);
	if (!w)
		return;
	if (v->set.durations)
		print_durations(v, gvt, w, stage);
	note_stage(w, stage, ts);
}

static int gvt_handler(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context)
{
	const struct event_desc *desc = find_event(event->name);
	struct view v = { .s = s, .record = record, .event = event };
	struct gvt *gvt = context;

	read_settings(&v.set);
	/* Not 0: libtraceevent prints by the kernel's format, or says what is wrong with it. */
	if (!desc || v.set.raw || !event->format.fields)
		return 1;

	if (record->missed_events)
		gvt->lost = record->ts;
	print_columns(&v, desc->columns);
	print_added(&v, desc->columns);
	if (desc->stage != STAGE_NONE)
		track_workload(&v, gvt, desc->stage);
	return 0;
}

/* ------------------------------------------------------------------------
 * Loading
 */

EXPORT int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	struct gvt *gvt = calloc(1, sizeof(*gvt));

	if (!gvt)
		return -1;

	/* Once only: libtraceevent toggles booleans each time it is given the options. */
	if (!handles) {
		reset_options();
		tep_plugin_add_options("gvt", options);
	}
	gvt->tep = tep;
	gvt->next = handles;
	handles = gvt;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		tep_register_event_handler(tep, -1, "gvt", events[i].name, gvt_handler, gvt);
	return 0;
}

EXPORT void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	struct gvt **link = &handles;
	struct gvt *gvt;

	while (*link && (*link)->tep != tep)
		link = &(*link)->next;
	gvt = *link;
	if (!gvt)
		return;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		tep_unregister_event_handler(tep, -1, "gvt", events[i].name, gvt_handler, gvt);
	*link = gvt->next;
	free(gvt);
	if (!handles)
		tep_plugin_remove_options(options);
}
