// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat export --format csv: the lanes of lanes.h, a line for each interval and each mark, for
 * programs. The lines of one lane are in order of time; lines of different lanes may not be.
 *
 * A trace gives about as many lines as it has events, so lines are formatted in a large buffer
 * without printf(). Short fields are copied with a fixed size, which is faster than their actual
 * size; the next field overwrites the surplus.
 */
#include <string.h>

#include "analysis/blame.h"
#include "output/column.h"
#include "trace/util.h"
#include "drawing.h"
#include "export.h"

/* buffer size; a line without its vGPU's label is shorter than LINE_BYTES */
#define KEPT_BYTES	(1 << 18)
#define LINE_BYTES	1024
#define FIELD_BYTES	16
#define LABEL_BYTES	128
#define TIME_BYTES	24
/* sizes of the caches of formatted labels and times */
#define LABELS		8
#define TIMES		64

/* a formatted time: an event may begin and end several intervals */
struct moment {
	int64_t ns;
	size_t len;			/* 0: empty */
	char text[TIME_BYTES];		/* with its comma */
};

/* a formatted text that is used repeatedly */
struct field {
	size_t len;
	char text[FIELD_BYTES];		/* with its comma */
};

struct lanes_csv {
	struct drawing drawing;
	FILE *out;
	GPtrArray *owners;		/* prefixes of the lanes' lines, by lane.index */
	struct field states[LANE_STATES];
	struct field classes[WAIT_CLASSES];
	char labels[LABELS][LABEL_BYTES];	/* cache of labels without quotes, by vGPU id */
	struct moment times[TIMES];	/* cache, by the lowest bits of the time */
	char *kept;			/* buffer of KEPT_BYTES */
	char *at;			/* end of the buffered text */
};

#define FIELD(text) { sizeof(text ",") - 1, text "," }

static const struct field limit_fields[] = {
	[LIMIT_SEEN] = FIELD("seen"), [LIMIT_CUT] = FIELD("cut"), [LIMIT_LOST] = FIELD("lost"),
};

static const struct field edge_fields[] = {
	[EDGE_NONE] = FIELD(""), [EDGE_BEGIN] = FIELD("begin"), [EDGE_STEP] = FIELD("step"),
	[EDGE_END] = FIELD("end"),
};

static void write_kept(struct lanes_csv *csv)
{
	fwrite(csv->kept, 1, csv->at - csv->kept, csv->out);
	csv->at = csv->kept;
}

static char *put_field(char *at, const struct field *field)
{
	memcpy(at, field->text, FIELD_BYTES);
	return at + field->len;
}

static char *put_text(char *at, const char *text)
{
	at = stpcpy(at, text);
	*at++ = ',';
	return at;
}

#define EIGHT_DIGITS	100000000	/* numbers below this have at most eight digits */

/*
 * The digits of a number below EIGHT_DIGITS, one in each byte, the first one lowest. The number
 * is split into two of four digits, these into four of two, these into eight of one. Multiplying
 * and shifting divides all of them at once; the masks remove what the shift moves into a
 * neighbour.
 */
static uint64_t eight_digits(uint32_t value)
{
	uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
	uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007f;
	uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
	uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000f;

	return tens | (twos - 10 * tens) << 8;
}

static char *put_eight(char *at, uint64_t digits, unsigned int zeros)
{
	digits = GUINT64_TO_LE((digits | 0x3030303030303030) >> 8 * zeros);
	memcpy(at, &digits, sizeof(digits));
	return at + sizeof(digits) - zeros;
}

static char *put_digits(char *at, uint64_t value)
{
	uint64_t digits;

	if (value < 10) {
		*at = '0' + value;
		return at + 1;
	}
	if (value >= EIGHT_DIGITS) {
		at = put_digits(at, value / EIGHT_DIGITS);
		return put_eight(at, eight_digits(value % EIGHT_DIGITS), 0);
	}
	digits = eight_digits(value);
	return put_eight(at, digits, __builtin_ctzll(digits) / 8);
}

/* UNKNOWN gives an empty field */
static char *put_number(char *at, int64_t value)
{
	if (value < 0 && known(value))
		*at++ = '-';
	if (known(value))
		at = put_digits(at, value < 0 ? -(uint64_t)value : (uint64_t)value);
	*at++ = ',';
	return at;
}

static char *put_time(struct lanes_csv *csv, char *at, int64_t ns)
{
	struct moment *moment = &csv->times[(uint64_t)ns % TIMES];

	if (moment->ns != ns || !moment->len) {
		moment->ns = ns;
		moment->len = put_number(moment->text, ns) - moment->text;
	}
	memcpy(at, moment->text, TIME_BYTES);
	return at + moment->len;
}

/* "kind,slot,dev,engine,tid," */
static void on_lane(void *ctx, const struct lane *lane)
{
	struct lanes_csv *csv = ctx;
	char owner[LINE_BYTES], *at = owner;

	at = put_text(at, lane_kind_name(lane->kind));
	at = put_number(at, lane->slot);
	at = put_number(at, lane->gpu ? lane->gpu->dev : lane->vcpu ? lane->vcpu->dev : UNKNOWN);
	at = put_text(at, lane->engine ? lane->engine->name : "");
	at = put_number(at, lane->vcpu ? lane->vcpu->pid : UNKNOWN);
	g_ptr_array_add(csv->owners, g_strndup(owner, at - owner));
}

static void make_room(struct lanes_csv *csv)
{
	if (csv->at > csv->kept + KEPT_BYTES - LINE_BYTES)
		write_kept(csv);
}

static char *begin_line(struct lanes_csv *csv, const struct lane *lane, const struct vgpu *vgpu)
{
	make_room(csv);
	return put_number(stpcpy(csv->at, csv->owners->pdata[lane->index]),
			  vgpu ? vgpu_number(vgpu->id) : UNKNOWN);
}

/* The vGPU of a thread may be unknown at first, but is known when the thread queues work. */
static char *begin_mark(struct lanes_csv *csv, const struct lane_mark *mark)
{
	char *at;

	make_room(csv);
	at = put_text(csv->at, lane_kind_name(mark->lane->kind));
	at = put_number(at, mark->lane->slot);
	at = put_number(at, mark->workload.dev);
	*at++ = ',';
	at = put_number(at, mark->lane->vcpu->pid);
	return put_number(at, mark->vgpu ? vgpu_number(mark->vgpu->id) : UNKNOWN);
}

/* can the label be written without quotes? Long labels are not cached */
static bool is_plain(char last[LABEL_BYTES], const char *label)
{
	if (!strcmp(label, last))
		return true;
	if (strlen(label) >= LABEL_BYTES || csv_needs_quotes(label))
		return false;
	strcpy(last, label);
	return true;
}

static void end_line(struct lanes_csv *csv, char *at, enum lane_edge edge,
		     const struct vgpu *vgpu)
{
	const char *label = vgpu ? vgpu->label : "";

	csv->at = put_field(at, &edge_fields[edge]);
	if (is_plain(csv->labels[vgpu ? (uint64_t)vgpu->id % LABELS : 0], label)) {
		csv->at = stpcpy(csv->at, label);
		*csv->at++ = '\n';
		return;
	}
	write_kept(csv);
	csv_text(csv->out, label);
	fputc('\n', csv->out);
}

static void on_interval(void *ctx, const struct lane_interval *interval)
{
	struct lanes_csv *csv = ctx;
	const struct workload *w = interval->workload;
	char *at = begin_line(csv, interval->lane, interval->vgpu);

	at = put_field(at, &csv->states[interval->state]);
	at = put_time(csv, at, interval->from_ns);
	at = put_time(csv, at, interval->to_ns);
	at = put_field(at, &limit_fields[interval->begin]);
	at = put_field(at, &limit_fields[interval->end]);
	at = put_field(at, &csv->classes[interval->class]);
	at = put_number(at, interval->culprit ? vgpu_number(interval->culprit->id) : UNKNOWN);
	at = put_number(at, w ? w->id : UNKNOWN);
	if (w && w->cancelled)
		at = put_text(at, "cancelled");
	else
		at = put_number(at, w ? w->status : UNKNOWN);
	end_line(csv, at, interval->edge, interval->vgpu);
}

/* an interval of length 0, on the thread's lane if the thread is a vCPU */
static void on_mark(void *ctx, const struct lane_mark *mark)
{
	struct lanes_csv *csv = ctx;
	char *at;

	if (!mark->lane)
		return;
	at = begin_mark(csv, mark);
	at = put_text(at, lane_mark_name(mark->kind));
	at = put_number(at, mark->at_ns);
	at = put_number(at, mark->at_ns);
	at = put_field(at, &limit_fields[LIMIT_SEEN]);
	at = put_field(at, &limit_fields[LIMIT_SEEN]);
	*at++ = ',';
	*at++ = ',';
	at = put_number(at, mark->workload.id);
	*at++ = ',';
	end_line(csv, at, mark->edge, mark->vgpu);
}

static struct field new_field(const char *text)
{
	struct field field;

	field.len = g_snprintf(field.text, FIELD_BYTES, "%s,", text);
	g_assert(field.len < FIELD_BYTES);
	return field;
}

static void make_fields(struct lanes_csv *csv)
{
	for (enum lane_state state = 0; state < LANE_STATES; state++)
		csv->states[state] = new_field(lane_state_name(state));
	for (enum wait_class class = 0; class < WAIT_CLASSES; class++)
		csv->classes[class] = new_field(class ? wait_class_name(class) : "");
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
		.kept = g_malloc(KEPT_BYTES),
	};

	(void)how;
	csv.at = csv.kept;
	make_fields(&csv);
	drawing_open(&csv.drawing, options, &ops, &csv);
	print_head(&csv);
	drawing_run(&csv.drawing);
	write_kept(&csv);
	drawing_close(&csv.drawing);
	g_ptr_array_free(csv.owners, TRUE);
	g_free(csv.kept);
}
