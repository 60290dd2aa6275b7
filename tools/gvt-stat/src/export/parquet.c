// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat export --format parquet: the lines of 'list workloads', the waits of 'why waits' and the
 * findings of 'check', with where and when, for engines that put many hosts' traces together.
 */
#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>

#include "analysis/blame.h"
#include "analysis/check.h"
#include "analysis/remedy.h"
#include "host/newfile.h"
#include "output/notes.h"
#include "read/contents.h"
#include "read/workloads.h"
#include "trace/util.h"
#include "export.h"
#include "parquet-writer.h"

/* rows that share row groups; the last is of few rows of several kinds */
enum sort {
	SORT_WORKLOADS,
	SORT_WAITS,
	SORT_OTHERS,
	SORTS
};

/* where and when the trace was recorded, as the user or the trace says */
struct place {
	char *host;			/* valid UTF-8; owned */
	const char *boot;		/* NULL: unknown */
	int64_t zero_unix_ns;		/* wall clock at time 0 of the trace */
};

/* a row of any kind; see gvt-stat-export(1) */
struct row {
	const char *kind;
	const char *host;
	const char *boot;
	int64_t zero_unix_ns;
	const char *uuid;
	const char *type;
	int64_t weight;
	struct vgpu_settings set;
	struct sched_info sched;
	struct workload_line workload;	/* its vGPU, GPU and engine are those of any row */
	int64_t from_ns;
	int64_t length_ns;
	const char *reason;
	int64_t culprit_vgpu_id;
	const char *culprit_vm;
	const char *culprit_uuid;
	const char *rule;
	double value;
	double threshold;
	const char *unit;
	const char *problem;
	const char *remedy;
	int64_t lost_gaps;
	int64_t lost_events;
};

#define COLUMN(type, member)	{ #member, COLUMN_##type, offsetof(struct row, member) }
#define VGPU_SETTING(member, ...) \
	{ #member, COLUMN_INTEGER, offsetof(struct row, set.member) },
#define COLUMN_NUMBER		COLUMN_INTEGER
#define GPU_SETTING(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct row, sched.member) },

/* and those of the workload */
static const struct column row_columns[] = {
	COLUMN(TEXT, kind),
	COLUMN(TEXT, host),
	COLUMN(TEXT, boot),
	COLUMN(INTEGER, zero_unix_ns),
	COLUMN(TEXT, uuid),
	COLUMN(TEXT, type),
	COLUMN(INTEGER, weight),
	VGPU_SETTINGS(VGPU_SETTING)
	SCHED_SETTINGS(GPU_SETTING)
	COLUMN(INTEGER, from_ns),
	COLUMN(INTEGER, length_ns),
	COLUMN(TEXT, reason),
	COLUMN(INTEGER, culprit_vgpu_id),
	COLUMN(TEXT, culprit_vm),
	COLUMN(TEXT, culprit_uuid),
	COLUMN(TEXT, rule),
	COLUMN(REAL, value),
	COLUMN(REAL, threshold),
	COLUMN(TEXT, unit),
	COLUMN(TEXT, problem),
	COLUMN(TEXT, remedy),
	COLUMN(INTEGER, lost_gaps),
	COLUMN(INTEGER, lost_events),
	{ 0 }
};

struct fleet {
	struct follow follow;
	struct check check;
	struct place place;
	int64_t begin_unix_ns;		/* of the window */
	const char *path;		/* of the directory */
	struct row unknown;		/* template: nothing is known */
	struct parquet *parquet;
};

/* @from_ns, @length_ns: UNKNOWN: a workload, which has its own times */
static struct row new_row(const struct fleet *fleet, const char *kind, int64_t from_ns, int64_t length_ns)
{
	struct row row = fleet->unknown;

	row.kind = kind;
	row.host = fleet->place.host;
	row.boot = fleet->place.boot;
	row.zero_unix_ns = fleet->place.zero_unix_ns;
	row.from_ns = from_ns;
	row.length_ns = length_ns;
	return row;
}

/* as known later, if not yet: the kernel tells names once a second; @vgpu_id: UNKNOWN: of no vGPU */
static const struct vgpu *named(const struct fleet *fleet, int64_t dev, int64_t vgpu_id)
{
	const struct vgpu *vgpu = known(vgpu_id) ? model_vgpu(fleet->follow.model, dev, vgpu_id) : NULL;

	return vgpu && !vgpu->uuid ? model_vgpu(fleet->follow.ahead->model, dev, vgpu_id) ?: vgpu : vgpu;
}

/* the name that is known later, if none is known yet: a flight recorder writes names at the end */
static const char *vm_of(const struct fleet *fleet, const struct vgpu *vgpu)
{
	const struct vgpu *later = model_vgpu(fleet->follow.ahead->model, vgpu->dev, vgpu->id);

	if (!later || !later->vm || g_strcmp0(vgpu->uuid, later->uuid))
		return vgpu->vm;
	return !vgpu->vm || !g_strcmp0(vgpu->vm, vgpu->uuid) ? later->vm : vgpu->vm;
}

static void fill_owner(const struct fleet *fleet, struct row *row, int64_t dev, int64_t vgpu_id)
{
	const struct vgpu *vgpu = named(fleet, dev, vgpu_id);

	row->workload.dev = dev;
	row->workload.vgpu_id = vgpu_number(vgpu_id);
	if (known(dev))
		row->sched = *model_sched_info(fleet->follow.model, dev);
	if (!vgpu)
		return;
	row->workload.vm = vm_of(fleet, vgpu);
	row->uuid = vgpu->uuid;
	row->type = vgpu->type;
	row->weight = vgpu->weight;
	row->set = vgpu->set;
}

static void write_row(struct fleet *fleet, enum sort sort, const struct row *row)
{
	int error = parquet_row(fleet->parquet, sort, row);

	if (error)
		fatal("%s: cannot write: %s", fleet->path, strerror(error));
}

/* a record_fn */
static void on_workload(void *to, const void *record)
{
	const struct workload_line *line = record;
	struct row row = new_row(to, "workload", UNKNOWN, UNKNOWN);

	row.workload = *line;
	fill_owner(to, &row, line->dev, line->vgpu_id);
	write_row(to, SORT_WORKLOADS, &row);
}

static void on_wait(void *ctx, const struct blame_moment *moment)
{
	struct fleet *fleet = ctx;
	struct row row = new_row(fleet, "wait", moment->from_ns, moment->length_ns);
	const struct vgpu *culprit = moment->culprit ?
				     named(fleet, moment->culprit->dev, moment->culprit->id) : NULL;

	if (!selection_queue(fleet->follow.selection, moment->queue))
		return;
	fill_owner(fleet, &row, moment->queue->vgpu->dev, moment->queue->vgpu->id);
	row.workload.engine = moment->queue->engine->name;
	row.reason = wait_class_name(moment->class);
	if (culprit) {
		row.culprit_vgpu_id = vgpu_number(culprit->id);
		row.culprit_vm = vm_of(fleet, culprit);
		row.culprit_uuid = culprit->uuid;
	}
	write_row(fleet, SORT_WAITS, &row);
}

/* As in 'why waits', which leaves out single queues: who reads single waits cannot know which. */
static bool waits_hold(const struct fleet *fleet)
{
	const GPtrArray *queues = model_vgpu_engines(fleet->follow.model);

	if (!quantity_partly_known(fleet->follow.trace, QUANTITY_BLAME))
		return false;
	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (known(contradiction_at(&fleet->follow, SUM_WAITS, queue->engine, queue->vgpu)))
			return false;
	}
	return true;
}

static void write_finding(struct fleet *fleet, const struct finding *finding)
{
	const struct window *window = &fleet->follow.window;
	struct row row = finding->for_ns ?
			 new_row(fleet, "finding", finding->at_ns, finding->for_ns) :
			 new_row(fleet, "finding", window->from_ns, window->to_ns - window->from_ns);
	char *remedy = remedies_text(finding->remedies);

	fill_owner(fleet, &row, finding->dev, finding->vgpu_id);
	row.workload.engine = finding->engine ? finding->engine->name : NULL;
	row.rule = finding->rule->name;
	row.value = finding->value;
	row.threshold = check_threshold(finding->rule);
	row.unit = finding->rule->unit;
	row.problem = finding->problem;
	row.remedy = *remedy ? remedy : NULL;
	write_row(fleet, SORT_OTHERS, &row);
	g_free(remedy);
}

/* what could not be checked is no good news */
static void write_unchecked(struct fleet *fleet)
{
	for (const struct rule *rule = rules; rule->name; rule++) {
		struct row row = new_row(fleet, "unchecked", fleet->follow.window.from_ns, UNKNOWN);

		row.rule = rule->name;
		if (!check_can(&fleet->check, rule))
			write_row(fleet, SORT_OTHERS, &row);
	}
}

static void write_trace(struct fleet *fleet)
{
	const struct trace_info *trace = fleet->follow.trace;
	const struct window *window = &fleet->follow.window;
	struct row row = new_row(fleet, "trace", window->from_ns, window->to_ns - window->from_ns);

	row.lost_gaps = MIN(trace->lost_gaps, INT64_MAX);
	row.lost_events = trace->lost_uncounted ? UNKNOWN : (int64_t)MIN(trace->lost_events, INT64_MAX);
	write_row(fleet, SORT_OTHERS, &row);
}

static void write_rows(struct fleet *fleet)
{
	struct workload_lines *lines = workload_lines_new(&fleet->follow, on_workload, fleet);

	check_begin(&fleet->check, &fleet->follow, CHECK_QUANTITIES);
	blame_tell(fleet->check.blame, on_wait, fleet);
	follow_run(&fleet->follow);
	check_end(&fleet->check);
	if (!waits_hold(fleet))
		parquet_forget(fleet->parquet, SORT_WAITS);
	for (unsigned int nr = 0; nr < fleet->check.findings->len; nr++)
		write_finding(fleet, fleet->check.findings->pdata[nr]);
	write_unchecked(fleet);
	write_trace(fleet);
	notes_warn(&fleet->follow);
	selection_check_known(fleet->follow.selection, fleet->follow.model);
	check_clear(&fleet->check);
	workload_lines_free(lines);
}

/* The second word of uname. */
static char *host_of(const char *kernel)
{
	char **words = g_strsplit(kernel ? kernel : "", " ", 3);
	char *host = g_strv_length(words) == 3 && *words[1] ? g_strdup(words[1]) : NULL;

	g_strfreev(words);
	return host;
}

static struct place find_place(struct follow *follow, const struct export_how *how, int64_t *begin_unix_ns)
{
	const struct recorded *told = follow_look_ahead(follow, !how->host || !known(how->begin_ns))->recorded;
	char *host = how->host ? g_strdup(how->host) : host_of(told->kernel);
	/* DuckDB reads no partition whose name is no UTF-8 */
	struct place place = { host ? g_utf8_make_valid(host, -1) : NULL, told->boot, told->zero_unix_ns };

	g_free(host);
	if (!place.host)
		fatal("%s: it does not name its host: give --host NAME", follow->trace->path);
	if (known(how->begin_ns) &&
	    __builtin_sub_overflow(how->begin_ns, follow->trace->start_ns, &place.zero_unix_ns))
		place.zero_unix_ns = UNKNOWN;
	if (!known(place.zero_unix_ns) ||
	    __builtin_add_overflow(place.zero_unix_ns, follow->window.from_ns, begin_unix_ns))
		fatal("%s: it has no time of recording: give --begin TIME, as 2026-11-30T12:00:00Z",
		      follow->trace->path);
	return place;
}

/* DIR/day=2026-11-30/host=NAME, whatever is in the name */
static char *partition_of(const struct fleet *fleet)
{
	GDateTime *time = g_date_time_new_from_unix_utc(fleet->begin_unix_ns / NSEC_PER_SEC);
	char *day = g_date_time_format(time, "%Y-%m-%d");
	char *host = g_uri_escape_string(fleet->place.host, NULL, FALSE);
	char *partition = g_strdup_printf("%s/day=%s/host=%s", fleet->path, day, host);

	g_free(host);
	g_free(day);
	g_date_time_unref(time);
	return partition;
}

/* Exported again, a trace replaces its file; another one of the host has another begin. */
static int put_into_place(const struct fleet *fleet, struct newfile *file)
{
	char *partition = partition_of(fleet);
	char *path = g_strdup_printf("%s/part-%" PRId64 ".parquet", partition, fleet->begin_unix_ns);
	int error = g_mkdir_with_parents(partition, 0777) ? errno : 0;

	if (error) {
		newfile_discard(file);
	} else {
		newfile_move(file, path);
		error = newfile_close(file);
	}
	g_free(path);
	g_free(partition);
	return error;
}

static int write_file(struct fleet *fleet, const struct column *columns)
{
	char *path = g_strdup_printf("%s/part.parquet", fleet->path);
	int error = g_mkdir_with_parents(fleet->path, 0777) ? errno : 0;
	struct newfile file;

	if (!error)
		error = newfile_open(&file, path);
	g_free(path);
	if (error)
		return error;
	fleet->parquet = parquet_open(file.stream, columns, SORTS);
	columns_clear(columns, &fleet->unknown);
	write_rows(fleet);
	error = parquet_close(fleet->parquet);
	if (!error)
		return put_into_place(fleet, &file);
	newfile_discard(&file);
	return error;
}

int export_parquet(const struct options *options, const char *path, const struct export_how *how)
{
	GArray *columns = g_array_new(TRUE, FALSE, sizeof(struct column));
	struct selection selection = options->selection;
	struct fleet fleet = { .path = path };
	int error;

	selection.beside = CHECK_QUANTITIES;
	follow_open(&fleet.follow, &selection);
	fleet.place = find_place(&fleet.follow, how, &fleet.begin_unix_ns);
	columns_join(columns, row_columns, 0);
	columns_join(columns, workload_columns, offsetof(struct row, workload));
	error = write_file(&fleet, (const struct column *)(void *)columns->data);
	g_free(fleet.place.host);
	g_array_free(columns, TRUE);
	follow_close(&fleet.follow);
	return error;
}
