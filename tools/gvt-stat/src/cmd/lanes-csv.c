// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat export --format csv: the lanes of lanes.h as lines, one for each interval and each
 * mark, for programs. What is told of a lane is in the order of time, of several it is not.
 *
 * A trace gives about as many lines as it has events, so numbers are written by hand.
 */
#include <string.h>

#include "analysis/blame.h"
#include "output/column.h"
#include "trace/engine.h"
#include "trace/util.h"
#include "drawing.h"
#include "export.h"

struct lanes_csv {
	struct drawing drawing;
	FILE *out;
	GPtrArray *owners;		/* what the lines of a lane begin with, by lane.index */
	GString *line;
};

static const char *const limit_names[] = {
	[LIMIT_SEEN] = "seen", [LIMIT_CUT] = "cut", [LIMIT_LOST] = "lost",
};

static const char *const edge_names[] = {
	[EDGE_NONE] = "", [EDGE_BEGIN] = "begin", [EDGE_STEP] = "step", [EDGE_END] = "end",
};

static void add_field(GString *line, const char *text)
{
	g_string_append(line, text);
	g_string_append_c(line, ',');
}

/* an unknown number is an empty field */
static void add_number(GString *line, int64_t value)
{
	char digits[24], *at = digits + sizeof(digits);
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;

	*--at = ',';
	if (known(value)) {
		do
			*--at = '0' + rest % 10;
		while (rest /= 10);
		if (value < 0)
			*--at = '-';
	}
	g_string_append_len(line, at, digits + sizeof(digits) - at);
}

/* "kind,slot,dev,engine,tid," */
static void on_lane(void *ctx, const struct lane *lane)
{
	struct lanes_csv *csv = ctx;
	GString *owner = g_string_new(NULL);
	char engine[ENGINE_NAME_LEN] = "";

	if (lane->engine)
		engine_name(engine, lane->engine->class, lane->engine->instance);
	add_field(owner, lane_kind_name(lane->kind));
	add_number(owner, lane->slot);
	add_number(owner, lane->gpu ? lane->gpu->dev : lane->vcpu ? lane->vcpu->dev : UNKNOWN);
	add_field(owner, engine);
	add_number(owner, lane->vcpu ? lane->vcpu->pid : UNKNOWN);
	g_ptr_array_add(csv->owners, g_string_free(owner, FALSE));
}

static void end_line(struct lanes_csv *csv, enum lane_edge edge, const struct vgpu *vgpu)
{
	bool first = true;

	add_field(csv->line, edge_names[edge]);
	fwrite(csv->line->str, 1, csv->line->len, csv->out);
	csv_text(csv->out, vgpu ? vgpu->label : "", &first);
	csv_end_line(csv->out);
}

static void on_interval(void *ctx, const struct lane_interval *interval)
{
	struct lanes_csv *csv = ctx;
	GString *line = csv->line;
	const struct workload *w = interval->workload;

	g_string_assign(line, csv->owners->pdata[interval->lane->index]);
	add_number(line, interval->vgpu ? interval->vgpu->id : UNKNOWN);
	add_field(line, lane_state_name(interval->state));
	add_number(line, interval->from_ns);
	add_number(line, interval->to_ns);
	add_field(line, limit_names[interval->begin]);
	add_field(line, limit_names[interval->end]);
	add_field(line, interval->class ? wait_class_name(interval->class) : "");
	add_number(line, interval->culprit ? interval->culprit->id : UNKNOWN);
	add_number(line, w ? w->id : UNKNOWN);
	if (w && w->cancelled)
		add_field(line, "cancelled");
	else
		add_number(line, w ? w->status : UNKNOWN);
	end_line(csv, interval->edge, interval->vgpu);
}

/* an interval without length, of the thread if that is a vCPU */
static void on_mark(void *ctx, const struct lane_mark *mark)
{
	struct lanes_csv *csv = ctx;
	GString *line = csv->line;

	if (!mark->lane)
		return;
	g_string_assign(line, csv->owners->pdata[mark->lane->index]);
	add_number(line, mark->vgpu ? mark->vgpu->id : UNKNOWN);
	add_field(line, lane_mark_name(mark->kind));
	add_number(line, mark->at_ns);
	add_number(line, mark->at_ns);
	add_field(line, limit_names[LIMIT_SEEN]);
	add_field(line, limit_names[LIMIT_SEEN]);
	g_string_append(line, ",,");
	add_number(line, mark->workload.id);
	g_string_append_c(line, ',');
	end_line(csv, mark->edge, mark->vgpu);
}

static void print_head(const struct lanes_csv *csv)
{
	int64_t khz = csv->drawing.follow.trace->tsc_khz;

	if (khz)
		fprintf(csv->out, "# tsc_khz %" PRId64 "\n", khz);
	fputs("kind,slot,dev,engine,tid,vgpu_id,state,start_ns,end_ns,start,end,reason,culprit_vgpu_id,workload_id,status,edge,vgpu\n",
	      csv->out);
}

void export_csv(const struct options *options, FILE *out, bool compress)
{
	static const struct lanes_ops ops = {
		.lane = on_lane, .interval = on_interval, .mark = on_mark,
	};
	struct lanes_csv csv = {
		.out = out, .owners = g_ptr_array_new_with_free_func(g_free),
		.line = g_string_new(NULL),
	};

	(void)compress;
	drawing_open(&csv.drawing, options, &ops, &csv);
	print_head(&csv);
	drawing_run(&csv.drawing);
	drawing_close(&csv.drawing);
	g_string_free(csv.line, TRUE);
	g_ptr_array_free(csv.owners, TRUE);
}
