// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat export --format html: embeds a trace in the page of page/. The data has three parts,
 * which page/page.js reads: the exact intervals of the lanes of lanes.h and the samples of its
 * counters, see page-intervals.h, written while the trace is read; a JSON document with the
 * contents of report, check and blame; and the rest of the lanes, packed.
 *
 * The meaning of an interval depends on the kind of the lane:
 *
 *   turns, engine   number of the vGPU
 *   waits           reason, plus 16 times (number of the culprit + 1)
 *   workloads       state; + 8: of another workload than the last interval, whose id is
 *                   written; + 16: the workload failed
 *   vcpu            state
 *   lost            0
 *
 * The limits of an interval are 4 times that of its begin, plus that of its end (enum lane_limit).
 *
 * The rest has, for a vCPU, its marks: the signed time since the last mark, enum lane_mark_kind,
 * and the difference of the workload's id to that of the last mark.
 *
 * Sums of further intervals follow and, for a lane of workloads, their latencies: see page-bins.h.
 * There the meaning for workloads is the state alone.
 */
#include <string.h>

#include "analysis/blocks.h"
#include "analysis/check.h"
#include "analysis/memory.h"
#include "cmd/command.h"
#include "lanes/lanes.h"
#include "output/column.h"
#include "output/document.h"
#include "output/stash.h"
#include "read/contents.h"
#include "read/report-build.h"
#include "trace/util.h"
#include "packed.h"
#include "export.h"
#include "page-bins.h"
#include "page-intervals.h"

/* average number of exact intervals per bin, for the choice of the width */
#define INTERVALS_PER_BIN	1000
#define LEAST_BINS		16
#define MOST_BINS		2048
/* larger pages are refused */
#define MAX_BYTES	(256 << 20)
#define CHECK_EVERY	1024		/* exact intervals */

/* defined in page.S */
extern const char page_text[], page_text_end[];

/* the data of one lane or counter */
struct page_row {
	unsigned int nr;		/* common numbering of lanes and counters */
	struct page_lane *exact;	/* its exact intervals or samples */
	int64_t count;			/* of @exact */
	const struct lane *lane;
	int64_t last;			/* id of the last workload */
	struct page_bins *bins;		/* NULL: no intervals in bins */
	struct page_values *latencies;	/* of workloads; NULL: none in bins */
	int64_t nr_bins, nr_latencies;	/* set at the end */
	struct byte_stream *marks;
	int64_t nr_marks;
	int64_t marked_ns, marked;	/* time and workload of the last mark */
	const struct lane_counter *counter;
	int64_t sampled_ns;
};

struct page {
	const struct options *options;
	struct follow follow;
	struct check check;
	struct memory *memory;
	struct vcpus *vcpus;		/* NULL: the trace has no vCPU events */
	struct blocks *blocks;		/* of @vcpus */
	struct lanes *lanes;
	struct lanes_ops ops;
	struct page_intervals *exact_ones;
	struct stash *stash;		/* stores columns and bins */
	GPtrArray *rows;		/* struct page_row of lanes, by lane.index */
	GPtrArray *counters;		/* struct page_row, by lane_counter.index */
	GPtrArray *vgpus;		/* struct vgpu, by number in the page */
	int64_t intervals;		/* number of exact intervals */
	json_t *older;			/* workloads queued before the window whose age is known: */
					/*
					 * GPU, id, and age at the begin of the window, or at their
					 */
					/* last stop if they had already executed */
	const struct export_how *how;	/* limits for exact intervals; further ones go to bins */
	struct bin_width bin_width;	/* of the last bins */
	int64_t first_bin_ns;		/* width of the first bins; 0: there are none */
	int64_t bins_from_ns;		/* begin of the first binned interval; UNKNOWN: none */
};

static void free_row(void *data)
{
	struct page_row *row = data;

	bytes_free(row->marks);
	if (row->bins)
		page_bins_free(row->bins);
	if (row->latencies)
		page_values_free(row->latencies);
	g_free(row);
}

static struct page_row *new_row(const struct page *page, GPtrArray *rows)
{
	struct page_row *row = g_new0(struct page_row, 1);

	row->nr = page->rows->len + page->counters->len;
	row->exact = page_intervals_lane(page->exact_ones);
	row->marks = bytes_new(page->stash);
	row->sampled_ns = row->marked_ns = page->follow.window.from_ns;
	g_ptr_array_add(rows, row);
	return row;
}

static void on_lane(void *ctx, const struct lane *lane)
{
	struct page *page = ctx;

	new_row(page, page->rows)->lane = lane;
}

static void on_counter(void *ctx, const struct lane_counter *counter)
{
	struct page *page = ctx;

	new_row(page, page->counters)->counter = counter;
}

static uint64_t number_of(struct page *page, const struct vgpu *vgpu)
{
	for (unsigned int nr = 0; nr < page->vgpus->len; nr++)
		if (page->vgpus->pdata[nr] == vgpu)
			return nr;
	g_ptr_array_add(page->vgpus, (void *)vgpu);
	return page->vgpus->len - 1;
}

#define WAIT_BITS	4		/* of a reason */
#define ANOTHER		8		/* workload */
#define FAILED		16

static bool is_another(const struct page_row *row, const struct lane_interval *interval)
{
	return interval->lane->kind == LANE_LIVES && (!row->count || row->last != interval->workload->id);
}

static bool has_failed(const struct workload *w)
{
	return w->cancelled || (w->completed && w->status);
}

/* @another: the workload differs from that of the last interval */
static inline uint64_t meaning(struct page *page, const struct lane_interval *interval, bool another)
{
	switch (interval->lane->kind) {
	case LANE_TURNS:
	case LANE_ENGINE:
		return number_of(page, interval->vgpu);
	case LANE_WAITS:
		return interval->class |
		       (interval->culprit ? number_of(page, interval->culprit) + 1 : 0) << WAIT_BITS;
	case LANE_LIVES:
		return (interval->state - LANE_WAITING) | (another ? ANOTHER : 0) |
		       (has_failed(interval->workload) ? FAILED : 0);
	case LANE_VCPU:
		return interval->state == LANE_UNSEEN ? LANE_STATES - LANE_GUEST :
							interval->state - LANE_GUEST;
	default:
		return 0;
	}
}

static size_t row_size(const struct page_row *row)
{
	size_t size = bytes_size(row->marks);

	if (row->bins)
		size += bytes_size(page_bins_stream(row->bins));
	if (row->latencies)
		size += bytes_size(page_values_stream(row->latencies));
	return size;
}

/* Gaps of lost events stay exact, as averaging them makes no sense. */
static bool is_for_bins(const struct page *page, const struct lane_interval *interval)
{
	return interval->lane->kind != LANE_LOST &&
	       (page->intervals >= page->how->exact ||
		page_intervals_size(page->exact_ones) >= page->how->exact_bytes);
}

static void add_latency(struct page *page, struct page_row *row,
			const struct lane_interval *interval)
{
	int64_t latency_ns = workload_latency(interval->workload);

	/* the workload completes after the window */
	if (interval->state != LANE_COMPLETES || interval->end == LIMIT_CUT || !known(latency_ns))
		return;
	if (!row->latencies)
		row->latencies = page_values_new(&page->bin_width, page->stash,
						 page->follow.window.from_ns);
	page_values_add(row->latencies, interval->to_ns, latency_ns);
}

static void check_size(const struct page *page)
{
	if (stash_size(page->stash) + page_intervals_size(page->exact_ones) > MAX_BYTES)
		fatal("%s: too long for a page: choose a part of it with --time",
		      page->follow.trace->path);
}

static void add_to_bins(struct page *page, struct page_row *row,
			const struct lane_interval *interval)
{
	bool is_life = interval->lane->kind == LANE_LIVES;

	if (!page->bin_width.ns) {
		bin_width_choose(&page->bin_width, page->follow.window.from_ns, interval->to_ns,
				 CLAMP(page->intervals / INTERVALS_PER_BIN, LEAST_BINS, MOST_BINS));
		page->first_bin_ns = page->bin_width.ns;
	}
	if (!row->bins)
		row->bins = page_bins_new(&page->bin_width, page->stash,
					  page->follow.window.from_ns);
	page_bins_add(row->bins, is_life ? (uint64_t)(interval->state - LANE_WAITING) :
					   meaning(page, interval, false),
		      interval->from_ns, interval->to_ns);
	if (is_life)
		add_latency(page, row, interval);
	/* intervals arrive in order of their ends, so a later one may begin earlier */
	if (!known(page->bins_from_ns) || interval->from_ns < page->bins_from_ns)
		page->bins_from_ns = interval->from_ns;
	check_size(page);
}

/* For a workload that only completes in the window, the age at its last stop is its latency. */
static void keep_age(struct page *page, const struct lane_interval *interval)
{
	const struct workload *w = interval->workload;
	bool executed = interval->state == LANE_COMPLETES;
	int64_t age_ns = difference(executed ? workload_last_stop(w) : interval->from_ns, w->queue_ns);

	if (interval->lane->kind == LANE_LIVES && interval->begin == LIMIT_CUT && known(age_ns))
		json_array_append_new(page->older, json_pack("[I, I, I]", (json_int_t)w->dev,
			(json_int_t)w->id, (json_int_t)age_ns));
}

static void add_exact(struct page *page, struct page_row *row,
		      const struct lane_interval *interval)
{
	bool another = is_another(row, interval);

	page_intervals_add(page->exact_ones, row->exact, meaning(page, interval, another),
			   (unsigned int)interval->begin << 2 | interval->end,
			   interval->from_ns, interval->to_ns,
			   another ? &interval->workload->id : NULL);
	if (another) {
		keep_age(page, interval);
		row->last = interval->workload->id;
	}
	row->count++;
	if (++page->intervals % CHECK_EVERY == 0)
		check_size(page);
}

static void on_interval(void *ctx, const struct lane_interval *interval)
{
	struct page *page = ctx;
	struct page_row *row = page->rows->pdata[interval->lane->index];

	if (is_for_bins(page, interval))
		add_to_bins(page, row, interval);
	else
		add_exact(page, row, interval);
}

/* from this time on, the page has no single workloads */
static bool is_in_bins(const struct page *page, int64_t ns)
{
	return known(page->bins_from_ns) && ns >= page->bins_from_ns;
}

static void on_mark(void *ctx, const struct lane_mark *mark)
{
	struct page *page = ctx;
	struct page_row *row;

	if (!mark->lane || is_in_bins(page, mark->at_ns))
		return;
	row = page->rows->pdata[mark->lane->index];
	packed_signed(row->marks, mark->at_ns - row->marked_ns);
	packed_number(row->marks, mark->kind);
	packed_signed(row->marks, (int64_t)((uint64_t)mark->workload.id - (uint64_t)row->marked));
	row->marked_ns = mark->at_ns;
	row->marked = mark->workload.id;
	row->nr_marks++;
}

/* the largest integer that is exact in JavaScript */
#define MAX_SAMPLE	0x1p53

static void on_sample(void *ctx, const struct lane_counter *counter, int64_t at_ns, double value)
{
	struct page *page = ctx;
	struct page_row *row = page->counters->pdata[counter->index];

	if (at_ns < row->sampled_ns)
		return;
	/* keep only the first sample of each bin */
	if (is_in_bins(page, at_ns) && at_ns - row->sampled_ns < page->bin_width.ns)
		return;
	page_intervals_sample(page->exact_ones, row->exact, at_ns,
			      CLAMP(value, -MAX_SAMPLE, MAX_SAMPLE));
	row->sampled_ns = at_ns;
	row->count++;
}

static json_t *vgpus_json(const struct page *page)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < page->vgpus->len; nr++) {
		const struct vgpu *vgpu = page->vgpus->pdata[nr];
		json_t *json = json_pack("{s:I, s:I}", "dev", (json_int_t)vgpu->dev,
					 "id", (json_int_t)vgpu->id);

		json_object_set_new(json, "label", json_text(vgpu->label));
		json_array_append_new(array, json);
	}
	return array;
}

static json_t *number_json(struct page *page, const struct vgpu *vgpu)
{
	return vgpu ? json_integer(number_of(page, vgpu)) : json_null();
}

static json_t *row_json(struct page *page, const struct page_row *row, const char *kind,
			const struct gpu *gpu, const struct gpu_engine *engine,
			const struct vgpu *vgpu)
{
	return json_pack("{s:s, s:i, s:o, s:o, s:o, s:I, s:I, s:I, s:I}", "kind", kind,
			 "nr", row->nr,
			 "dev", gpu ? json_integer(gpu->dev) : json_null(),
			 "engine", json_text(engine ? engine->name : NULL), "vgpu", number_json(page, vgpu),
			 "count", (json_int_t)row->count, "bins", (json_int_t)row->nr_bins,
			 "latency_bins", (json_int_t)row->nr_latencies,
			 "bytes", (json_int_t)row_size(row));
}

static json_t *lanes_json(struct page *page)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < page->rows->len; nr++) {
		const struct page_row *row = page->rows->pdata[nr];
		const struct lane *lane = row->lane;
		const struct vcpu *vcpu = lane->vcpu;
		const struct vgpu *vgpu = !vcpu ? lane->vgpu :
			model_vgpu(page->follow.model, vcpu->dev, vcpu->vgpu_id);
		json_t *json = row_json(page, row, lane_kind_name(lane->kind), lane->gpu,
					lane->engine, vgpu);

		json_object_set_new(json, "slot", json_integer(lane->slot));
		if (vcpu) {
			json_object_set_new(json, "tid", json_integer(vcpu->pid));
			json_object_set_new(json, "vcpu", json_number(vcpu->vcpu_id));
			json_object_set_new(json, "comm", json_text(vcpu->comm));
			json_object_set_new(json, "marks", json_integer(row->nr_marks));
		}
		json_array_append_new(array, json);
	}
	return array;
}

static json_t *counters_json(struct page *page)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < page->counters->len; nr++) {
		const struct page_row *row = page->counters->pdata[nr];
		const struct lane_counter *counter = row->counter;

		json_array_append_new(array, row_json(page, row, counter_name(counter->kind),
						      counter->gpu, counter->engine, counter->vgpu));
	}
	return array;
}

/* names for the numbers in the packed part */
static json_t *names_json(void)
{
	json_t *states = json_array(), *classes = json_array();

	for (enum lane_state state = 0; state < LANE_STATES; state++)
		json_array_append_new(states, json_string(lane_state_name(state)));
	for (enum wait_class class = 0; class < WAIT_CLASSES; class++)
		json_array_append_new(classes, json_string(wait_class_name(class)));
	return json_pack("{s:o, s:o}", "states", states, "reasons", classes);
}

/* adds the time of each finding, relative to the window's begin */
static void add_moments(const struct page *page, json_t *document)
{
	json_t *findings = json_object_get(document, "findings");

	for (unsigned int nr = 0; nr < page->check.findings->len; nr++) {
		const struct finding *finding = page->check.findings->pdata[nr];
		json_t *json = json_array_get(findings, nr);

		if (!finding->for_ns)
			continue;
		json_object_set_new(json, "at_ns", json_integer(finding->at_ns));
		json_object_set_new(json, "for_ns", json_integer(finding->for_ns));
	}
}

static json_t *document_of(struct page *page)
{
	const struct form form = { .command = "export" };
	const struct report_source source = {
		.follow = &page->follow, .metrics = page->check.metrics,
		.slices = page->check.slices, .memory = page->memory,
	};
	struct report report = {
		.form = &form, .follow = &page->follow, .gpus = report_build_gpus(&source),
		.vgpus = report_build_vgpus(&source),
	};
	json_t *document = document_new(&page->follow, form.command);

	document_add_window(document, page->follow.window);
	report_add_json(document, &report);
	check_add_json(document, &form, &page->check);
	add_moments(page, document);
	blame_add_json(document, &form, &page->follow, page->check.blame);
	json_object_set_new(document, "bins_from_ns", json_number(page->bins_from_ns));
	json_object_set_new(document, "first_bin_ns", json_integer(page->first_bin_ns));
	json_object_set_new(document, "bin_ns", json_integer(page->bin_width.ns));
	json_object_set_new(document, "dropped", json_integer(lanes_dropped(page->lanes)));
	json_object_set_new(document, "older", json_incref(page->older));
	json_object_set_new(document, "names", names_json());
	json_object_set_new(document, "lanes", lanes_json(page));
	json_object_set_new(document, "counters", counters_json(page));
	/* comes last, when all vGPUs have their numbers */
	json_object_set_new(document, "numbered_vgpus", vgpus_json(page));
	g_ptr_array_free(report.vgpus, TRUE);
	g_ptr_array_free(report.gpus, TRUE);
	return document;
}

/* escapes markup in texts */
static int put_escaped(const char *text, size_t size, void *out)
{
	for (size_t nr = 0; nr < size; nr++)
		if (text[nr] == '<')
			fputs("\\u003c", out);
		else
			putc(text[nr], out);
	return 0;
}

static void finish_bins(const struct page *page)
{
	for (unsigned int nr = 0; nr < page->rows->len; nr++) {
		struct page_row *row = page->rows->pdata[nr];

		if (row->bins)
			row->nr_bins = page_bins_finish(row->bins, page->follow.window.to_ns);
		if (row->latencies)
			row->nr_latencies = page_values_finish(row->latencies);
	}
}

void export_document(const json_t *document, const char *id, FILE *out)
{
	fprintf(out, "<script type=\"application/json\" id=\"%s\">", id);
	json_dump_callback(document, put_escaped, out, JSON_COMPACT | JSON_ENSURE_ASCII | DOCUMENT_REALS);
	fputs("</script>\n", out);
}

static void pack_rows(struct packer *packer, const GPtrArray *rows)
{
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct page_row *row = rows->pdata[nr];

		/* times are nearly random, so there is no use in a search for repetitions */
		packer_add_stream(packer, row->marks, false);
		if (row->bins)
			packer_add_stream(packer, page_bins_stream(row->bins), true);
		if (row->latencies)
			packer_add_stream(packer, page_values_stream(row->latencies), true);
	}
}

static void print_rows(const struct page *page, FILE *out)
{
	struct packer *packer;

	fputs("<script type=\"application/octet-stream\" id=\"lanes\">", out);
	packer = packer_new(out);
	pack_rows(packer, page->rows);
	packer_free(packer);
	fputs("</script>\n", out);
}

/* The rules know threads from their first event on; the page needs the data of vcpu. */
static void follow_vcpus(struct page *page)
{
	if (!page->follow.trace->described[EVENT_KVM_ENTRY])
		return;
	page->vcpus = vcpus_new(&page->follow);
	page->blocks = blocks_new(page->follow.window.from_ns, 2);
	vcpus_follow(page->vcpus, &page->follow, page->blocks);
}

static void read_trace(struct page *page)
{
	check_begin(&page->check, &page->follow, CHECK_QUANTITIES);
	page->memory = memory_new(&page->follow);
	follow_vcpus(page);
	page->ops = (struct lanes_ops) {
		.lane = on_lane, .interval = on_interval,
		/* marks of other threads have no lane */
		.mark = page->vcpus ? on_mark : NULL,
		.counter = on_counter, .sample = on_sample,
		/* the page computes these from its lanes, and has no rows for those of energy */
		.no_counters = 1 << COUNTER_QUEUE | 1 << COUNTER_BUSY | COUNTERS_OF_POWER,
	};
	page->lanes = lanes_new(&page->follow, page->check.slices, page->vcpus, &page->ops, page);
	follow_run(&page->follow);
	check_end(&page->check);
	if (page->vcpus)
		vcpus_finish(page->vcpus, page->follow.window);
	lanes_finish(page->lanes);
}

#define DATA_MARK	"<!-- data -->\n"

/* returns the text that follows the trace's data */
static const char *print_begin(FILE *out)
{
	const char *mark = g_strstr_len(page_text, page_text_end - page_text, DATA_MARK);

	g_assert(mark);
	fwrite(page_text, 1, mark - page_text, out);
	return mark + strlen(DATA_MARK);
}

/* writes the intervals while the trace is read, which saves memory */
static void print_intervals(struct page *page, FILE *out)
{
	fputs("<script type=\"application/octet-stream\" id=\"intervals\">", out);
	page->exact_ones = page_intervals_new(out, page->follow.window.from_ns);
	read_trace(page);
	page_intervals_free(page->exact_ones);
	fputs("</script>\n", out);
}

static void print_page(struct page *page, FILE *out)
{
	const char *rest = print_begin(out);
	json_t *document;

	print_intervals(page, out);
	finish_bins(page);
	document = document_of(page);
	export_document(document, "document", out);
	json_decref(document);
	print_rows(page, out);
	fwrite(rest, 1, page_text_end - rest, out);
}

void export_page(const struct options *options, FILE *out, const struct export_how *how)
{
	struct selection selection = options->selection;
	struct page page = {
		.options = options, .older = json_array(),
		.how = how, .bins_from_ns = UNKNOWN,
		.stash = stash_new(PAGE_MEMORY, PAGE_NO_ROOM),
		.rows = g_ptr_array_new_with_free_func(free_row),
		.counters = g_ptr_array_new_with_free_func(free_row),
		.vgpus = g_ptr_array_new(),
	};

	selection.beside = CHECK_QUANTITIES | QUANTITY_BIT(QUANTITY_RUNNABLE) |
			   QUANTITY_BIT(QUANTITY_WAKERS);
	follow_open(&page.follow, &selection);
	print_page(&page, out);
	lanes_free(page.lanes);
	if (page.vcpus) {
		vcpus_free(page.vcpus);
		blocks_free(page.blocks);
	}
	memory_free(page.memory);
	check_clear(&page.check);
	follow_close(&page.follow);
	g_ptr_array_free(page.vgpus, TRUE);
	json_decref(page.older);
	g_ptr_array_free(page.counters, TRUE);
	g_ptr_array_free(page.rows, TRUE);
	stash_free(page.stash);
}
