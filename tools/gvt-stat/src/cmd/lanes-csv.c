// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat export --format csv: the lanes of lanes.h as lines, one for each interval and each
 * mark, for programs. What is told of a lane is in the order of time, of several it is not.
 *
 * A trace gives about as many lines as it has events: they are put together by hand, in
 * memory, and written when there are many.
 */
#include <string.h>

#include "analysis/blame.h"
#include "output/column.h"
#include "trace/engine.h"
#include "trace/util.h"
#include "drawing.h"
#include "export.h"

/* what is kept before it is written; a line without its texts is shorter than the rest */
#define KEPT_BYTES	(1 << 16)
#define LINE_BYTES	1024

struct lanes_csv {
	struct drawing drawing;
	FILE *out;
	GPtrArray *owners;		/* what the lines of a lane begin with, by lane.index */
	char kept[KEPT_BYTES];
	char *at;			/* its end */
};

static const char *const limit_names[] = {
	[LIMIT_SEEN] = "seen,", [LIMIT_CUT] = "cut,", [LIMIT_LOST] = "lost,",
};

static const char *const edge_names[] = {
	[EDGE_NONE] = ",", [EDGE_BEGIN] = "begin,", [EDGE_STEP] = "step,", [EDGE_END] = "end,",
};

static void write_kept(struct lanes_csv *csv)
{
	fwrite(csv->kept, 1, csv->at - csv->kept, csv->out);
	csv->at = csv->kept;
}

static char *put_text(char *at, const char *text)
{
	while (*text)
		*at++ = *text++;
	return at;
}

static char *put_field(char *at, const char *text)
{
	at = put_text(at, text);
	*at++ = ',';
	return at;
}

/* two digits at a time, from the last one on */
static char *put_digits(char *at, uint64_t value)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324"
		"25262728293031323334353637383940414243444546474849"
		"50515253545556575859606162636465666768697071727374"
		"75767778798081828384858687888990919293949596979899";
	char digits[20], *first = digits + sizeof(digits);

	for (; value >= 100; value /= 100) {
		first -= 2;
		memcpy(first, pairs + 2 * (value % 100), 2);
	}
	if (value >= 10) {
		first -= 2;
		memcpy(first, pairs + 2 * value, 2);
	} else {
		*--first = '0' + value;
	}
	while (first < digits + sizeof(digits))
		*at++ = *first++;
	return at;
}

/* an unknown number is an empty field */
static char *put_number(char *at, int64_t value)
{
	if (value < 0 && known(value))
		*at++ = '-';
	if (known(value))
		at = put_digits(at, value < 0 ? -(uint64_t)value : (uint64_t)value);
	*at++ = ',';
	return at;
}

/* "kind,slot,dev,engine,tid," */
static void on_lane(void *ctx, const struct lane *lane)
{
	struct lanes_csv *csv = ctx;
	char owner[LINE_BYTES], engine[ENGINE_NAME_LEN] = "", *at = owner;

	if (lane->engine)
		engine_name(engine, lane->engine->class, lane->engine->instance);
	at = put_field(at, lane_kind_name(lane->kind));
	at = put_number(at, lane->slot);
	at = put_number(at, lane->gpu ? lane->gpu->dev : lane->vcpu ? lane->vcpu->dev : UNKNOWN);
	at = put_field(at, engine);
	at = put_number(at, lane->vcpu ? lane->vcpu->pid : UNKNOWN);
	g_ptr_array_add(csv->owners, g_strndup(owner, at - owner));
}

static void make_room(struct lanes_csv *csv)
{
	if (csv->at > csv->kept + sizeof(csv->kept) - LINE_BYTES)
		write_kept(csv);
}

static char *begin_line(struct lanes_csv *csv, const struct lane *lane, const struct vgpu *vgpu)
{
	make_room(csv);
	return put_number(put_text(csv->at, csv->owners->pdata[lane->index]),
			  vgpu ? vgpu->id : UNKNOWN);
}

/* Whose a thread is need not be known when its lane is told, but is when it queues work. */
static char *begin_mark(struct lanes_csv *csv, const struct lane_mark *mark)
{
	char *at;

	make_room(csv);
	at = put_field(csv->at, lane_kind_name(mark->lane->kind));
	at = put_number(at, mark->lane->slot);
	at = put_number(at, mark->workload.dev);
	*at++ = ',';
	at = put_number(at, mark->lane->vcpu->pid);
	return put_number(at, mark->vgpu ? mark->vgpu->id : UNKNOWN);
}

static void end_line(struct lanes_csv *csv, char *at, enum lane_edge edge,
		     const struct vgpu *vgpu)
{
	const char *label = vgpu ? vgpu->label : "";
	bool first = true;

	csv->at = put_text(at, edge_names[edge]);
	/* it may be as long as it likes */
	if (strlen(label) < LINE_BYTES / 2 && !csv_needs_quotes(label)) {
		csv->at = put_text(csv->at, label);
		*csv->at++ = '\n';
		return;
	}
	write_kept(csv);
	csv_text(csv->out, label, &first);
	csv_end_line(csv->out);
}

static void on_interval(void *ctx, const struct lane_interval *interval)
{
	struct lanes_csv *csv = ctx;
	const struct workload *w = interval->workload;
	char *at = begin_line(csv, interval->lane, interval->vgpu);

	at = put_field(at, lane_state_name(interval->state));
	at = put_number(at, interval->from_ns);
	at = put_number(at, interval->to_ns);
	at = put_text(at, limit_names[interval->begin]);
	at = put_text(at, limit_names[interval->end]);
	at = put_field(at, interval->class ? wait_class_name(interval->class) : "");
	at = put_number(at, interval->culprit ? interval->culprit->id : UNKNOWN);
	at = put_number(at, w ? w->id : UNKNOWN);
	if (w && w->cancelled)
		at = put_field(at, "cancelled");
	else
		at = put_number(at, w ? w->status : UNKNOWN);
	end_line(csv, at, interval->edge, interval->vgpu);
}

/* an interval without length, of the thread if that is a vCPU */
static void on_mark(void *ctx, const struct lane_mark *mark)
{
	struct lanes_csv *csv = ctx;
	char *at;

	if (!mark->lane)
		return;
	at = begin_mark(csv, mark);
	at = put_field(at, lane_mark_name(mark->kind));
	at = put_number(at, mark->at_ns);
	at = put_number(at, mark->at_ns);
	at = put_text(at, limit_names[LIMIT_SEEN]);
	at = put_text(at, limit_names[LIMIT_SEEN]);
	at = put_text(at, ",,");
	at = put_number(at, mark->workload.id);
	*at++ = ',';
	end_line(csv, at, mark->edge, mark->vgpu);
}

static void print_head(const struct lanes_csv *csv)
{
	int64_t khz = csv->drawing.follow.trace->tsc_khz;

	if (khz)
		fprintf(csv->out, "# tsc_khz %" PRId64 "\n", khz);
	fputs("kind,slot,dev,engine,tid,vgpu_id,state,start_ns,end_ns,start,end,reason,culprit_vgpu_id,workload_id,status,edge,vgpu\n",
	      csv->out);
}

void export_csv(const struct options *options, FILE *out, const struct export_how *how)
{
	static const struct lanes_ops ops = {
		.lane = on_lane, .interval = on_interval, .mark = on_mark,
	};
	struct lanes_csv csv = {
		.out = out, .owners = g_ptr_array_new_with_free_func(g_free),
	};

	(void)how;
	csv.at = csv.kept;
	drawing_open(&csv.drawing, options, &ops, &csv);
	print_head(&csv);
	drawing_run(&csv.drawing);
	write_kept(&csv);
	drawing_close(&csv.drawing);
	g_ptr_array_free(csv.owners, TRUE);
}
