// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include <glib.h>

#include "trace/quantities.h"
#include "trace/util.h"
#include "notes.h"
#include "screen.h"

/* of continuation lines */
#define INDENT		2

/* a paragraph after an empty line */
#define print_note(out, ...)	(fputc('\n', out), screen_print(INDENT, out, __VA_ARGS__))

static void print_trace(const struct follow *follow, FILE *out)
{
	const struct trace_info *trace = follow->trace;
	char *path = make_printable(g_strdup(trace->path));

	screen_print(INDENT, out, "%s: %" PRIu64 " events of %d CPU%s in %d buffer%s, clock %s", path,
		     trace->records, trace->cpus, trace->cpus > 1 ? "s" : "", trace->buffers, trace->buffers > 1 ? "s" : "",
		     *trace->clock ? trace->clock : "unknown");
	g_free(path);
	screen_print(INDENT, out, "Observed: " SECONDS " s, from " SECONDS " to " SECONDS " s",
		     SECONDS_OF(follow->window.to_ns - follow->window.from_ns),
		     SECONDS_OF(follow->window.from_ns), SECONDS_OF(follow->window.to_ns));
}

static void print_text(GString *text, FILE *out)
{
	screen_fill(text->str, INDENT, screen_width(out), out);
	g_string_free(text, TRUE);
}

static void print_recorded(const struct recorded *recorded, FILE *out)
{
	GString *text;

	if (!recorded->kernel)
		return;
	text = g_string_new("Recorded on ");
	g_string_append(text, recorded->kernel);
	if (recorded->preset)
		g_string_append_printf(text, ", preset %s", recorded->preset);
	if (recorded->command)
		g_string_append_printf(text, ", while '%s' ran", recorded->command);
	print_text(text, out);
}

/* settings that have an effect only under some policies */
static void add_policy_settings(const struct sched_info *info, GString *text)
{
	if (!strcmp(info->policy, "fair")) {
		if (known(info->max_wait_ns))
			g_string_append_printf(text, ", longest wait %.0f ms",
					       (double)info->max_wait_ns / NSEC_PER_MSEC);
		if (known(info->anticipation_ns))
			g_string_append_printf(text, ", anticipation %.0f ms",
					       (double)info->anticipation_ns / NSEC_PER_MSEC);
	} else if (known(info->carry_over) && !info->carry_over) {
		g_string_append(text, ", debt and leftover not carried over");
	}
	if (info->dispatch)
		g_string_append_printf(text, ", dispatch %s", info->dispatch);
}

static void print_settings(const struct sched_info *info, FILE *out)
{
	GString *text;

	if (!info->policy)
		return;
	text = g_string_new(NULL);
	g_string_printf(text, "Scheduler of GPU %" PRId64 ": policy %s", info->dev, info->policy);
	if (known(info->tick_ns))
		g_string_append_printf(text, ", tick %.3f ms", (double)info->tick_ns / NSEC_PER_MSEC);
	if (known(info->period_ns))
		g_string_append_printf(text, ", period %.3f ms",
				       (double)info->period_ns / NSEC_PER_MSEC);
	if (known(info->stages))
		g_string_append_printf(text, ", slices reset every %" PRId64 " periods", info->stages);
	add_policy_settings(info, text);
	print_text(text, out);
}

static const struct gpu *gpu_of(const struct follow *follow, const struct sched_info *info)
{
	return model_gpu(follow->model, info->dev);
}

void notes_head(const struct follow *follow, FILE *out)
{
	const GPtrArray *infos = model_sched_infos(follow->model);

	print_trace(follow, out);
	print_recorded(follow->recorded, out);
	for (unsigned int nr = 0; nr < infos->len; nr++)
		if (selection_gpu(follow->selection, gpu_of(follow, infos->pdata[nr])))
			print_settings(infos->pdata[nr], out);
}

static void print_missing_event(const struct follow *follow, enum event_id id, FILE *out)
{
	const char *separator = "";
	GString *text = g_string_new(NULL);

	g_string_printf(text, "%s: %s; unknown: ", event_name(id), event_missing(follow->trace, id));
	for (enum quantity quantity = 0; quantity < QUANTITY_COUNT; quantity++) {
		if (!(follow->selection->quantities & QUANTITY_BIT(quantity)) ||
		    !quantity_needs(quantity, id))
			continue;
		g_string_append_printf(text, "%s%s", separator, quantity_name(quantity));
		separator = "; ";
	}
	print_text(text, out);
}

static void print_missing(const struct follow *follow, FILE *out)
{
	event_set needed = quantities_need(follow->selection->quantities);
	const char *heading = "\nMissing events\n";

	for (enum event_id id = 0; id < EVENT_COUNT; id++) {
		if (!(needed & EVENT_BIT(id)) || !event_missing(follow->trace, id))
			continue;
		fputs(heading, out);
		heading = "";
		print_missing_event(follow, id, out);
	}
}

static void print_left_out(const struct follow *follow, FILE *out)
{
	uint64_t count = workloads_left_out(follow->trace);

	if (count)
		print_note(out, "%" PRIu64 " workloads are not in the trace, as with a filter, or while tracing was off: engines have executed more, and why they were idle is unknown",
			   count);
}

static void print_lost(const struct follow *follow, FILE *out)
{
	const struct trace_info *trace = follow->trace;

	if (!trace->lost_gaps)
		return;
	print_note(out, "Lost: at least %" PRIu64 " events in %" PRIu64 " gaps (%" PRIu64 " of unknown size). %" PRIu64 " workloads were alive in a gap; report and vcpu mark their rows with '!'. There may have been more of what is counted. Use larger buffers: trace-cmd record -b KiB",
		     trace->lost_events + trace->lost_uncounted, trace->lost_gaps,
		     trace->lost_uncounted, model_tainted(follow->model));
}

/* A full ring overwrites events without a mark for lost events. */
static void print_incomplete(const struct follow *follow, FILE *out)
{
	unsigned int count = follow->trace->incomplete;

	if (count)
		print_note(out, "%u buffer%s of CPUs %s less than was recorded, as with 'trace-cmd record -m' or '-M', a full ring that was extracted, or a recorder that died: what %s CPU%s recorded of the rest is unknown, and counts as lost. Record with 'gvt-stat record'",
			   count, count > 1 ? "s" : "", count > 1 ? "hold" : "holds",
			   count > 1 ? "these" : "this", count > 1 ? "s" : "");
}

/* Clock "local" differs between CPUs by design; other clocks may, too. */
static void print_clocks(const struct follow *follow, FILE *out)
{
	const struct skew *skew = model_skew(follow->model);
	const struct trace_info *trace = follow->trace;

	if (skew->events)
		print_note(out, "Clocks of CPUs differ by at least %.3f us: %" PRIu64 " events came before what they follow; times are uncertain by as much. Record with 'gvt-stat record' or 'trace-cmd record -C mono'",
			     skew->max_ns / 1000.0, skew->events);
	else if (!*trace->clock)
		print_note(out, "Clock unknown: times are taken as ns; if they are cycles, give their rate with --tsc-khz");
	else if (trace->cpus > 1 && g_str_equal(trace->clock, "local"))
		print_note(out, "Clock local: CPUs' clocks may differ by microseconds, and so may times. Record with 'gvt-stat record' or 'trace-cmd record -C mono'");
}

/* An impossible number is worse than none. */
static void print_contradictions(const struct follow *follow, FILE *out)
{
	GArray *list = contradictions_all(follow);

	if (list->len)
		print_note(out, "Contradictions; what depends on them is not shown. If the trace is not damaged, this is an error of gvt-stat: please report it, with the trace");
	for (unsigned int nr = 0; nr < list->len; nr++) {
		char *text = contradiction_text(&g_array_index(list, struct contradiction, nr));

		screen_fill(text, INDENT, screen_width(out), out);
		g_free(text);
	}
	g_array_free(list, TRUE);
}

static void print_oddities(const struct follow *follow, FILE *out)
{
	const GPtrArray *vgpus = model_vgpus(follow->model);
	uint64_t strays = model_strays(follow->model);

	if (follow->trace->repeated)
		print_note(out, "%" PRIu64 " events are in several buffers; each was counted once",
			   follow->trace->repeated);
	if (strays)
		print_note(out, "%" PRIu64 " events contradict the others, such as a second completion; they were not used",
			   strays);
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];

		if (vgpu->reused)
			print_note(out, "vGPU %s: the number was given to another vGPU as well, which has rows of its own",
				   vgpu_name(vgpu));
	}
}

void notes_warn(const struct follow *follow)
{
	GArray *list = contradictions_all(follow);
	uint64_t left_out = workloads_left_out(follow->trace);

	if (left_out)
		warn("%s: %" PRIu64 " workloads are not in it, as with a filter; why engines were idle is unknown",
		     follow->trace->path, left_out);

	for (unsigned int nr = 0; nr < list->len; nr++) {
		char *text = contradiction_text(&g_array_index(list, struct contradiction, nr));

		warn("%s: contradiction: %s; what depends on it is unknown", follow->trace->path,
		     text);
		g_free(text);
	}
	g_array_free(list, TRUE);
}

void notes_tail(const struct follow *follow, FILE *out)
{
	print_missing(follow, out);
	print_left_out(follow, out);
	print_lost(follow, out);
	print_incomplete(follow, out);
	print_clocks(follow, out);
	print_contradictions(follow, out);
	print_oddities(follow, out);
}
