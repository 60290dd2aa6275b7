// SPDX-License-Identifier: GPL-2.0-or-later
#include "coverage.h"
#include "cpustat.h"
#include "datfile.h"
#include "evidence.h"
#include "reader.h"
#include "silence.h"
#include "util.h"

/*
 * Number of records around the first or last record of a CPU that are examined, about, to decide
 * whether the CPU lacks events there; for silent CPUs, this many at the beginning.
 */
#define EDGE_RECORDS	16384
/* a trace with no more is examined completely */
#define FEW_RECORDS	(4 * EDGE_RECORDS)

struct search {
	const struct trace_info *info;	/* of a reader that assumes complete rings */
	struct evidence *evidence;
	int64_t start_ns, end_ns;
	GArray *windows;		/* struct silence: times to examine */
	const struct silence *window;	/* current one */
};

const struct ring *coverage_of(const GArray *rings, int buffer, int cpu)
{
	for (unsigned int nr = 0; rings && nr < rings->len; nr++) {
		const struct ring *ring = &g_array_index(rings, struct ring, nr);

		if (ring->buffer == buffer && ring->cpu == cpu)
			return ring;
	}
	return NULL;
}

static const struct cpustat *stat_of(const struct datfile *file, const struct ring *ring)
{
	const struct cpustat *stat;

	if ((unsigned int)ring->buffer >= file->names->len)
		return NULL;
	stat = cpustats_find(file->stats, file->names->pdata[ring->buffer], ring->cpu);
	return stat && known(stat->entries) && known(stat->read) ? stat : NULL;
}

/* Entries unread when the kernel counted may have been read just after that. */
static bool left_unread(const struct datfile *file, const struct ring *ring,
			const struct cpustat *stat)
{
	bool comparable = file->plain && known(stat->oldest_us) && known(ring->last_ns);

	return stat->entries && !(comparable && stat->oldest_us <= ring->last_ns / 1000);
}

/* All written records were read or are left: those missing in the file were lost later. */
static void count_missing(const struct datfile *file, struct ring *ring, const struct cpustat *stat)
{
	uint64_t written = (uint64_t)stat->read + stat->entries;
	uint64_t missing = written > ring->records ? written - ring->records : 0;

	ring->dropped = stat->dropped > 0;
	if (!missing)
		return;
	ring->ends_early = left_unread(file, ring, stat);
	ring->begins_late = missing > (ring->ends_early ? (uint64_t)stat->entries : 0) ||
			    !known(ring->first_ns);
}

static bool holds_events(const GArray *rings, int buffer)
{
	for (unsigned int nr = 0; nr < rings->len; nr++) {
		const struct ring *ring = &g_array_index(rings, struct ring, nr);

		if (ring->buffer == buffer && known(ring->first_ns))
			return true;
	}
	return false;
}

/* rings without events, in buffers that were recorded */
static void add_empty(GArray *rings, const struct trace_info *info)
{
	for (int buffer = 0; buffer < info->buffers; buffer++)
		for (int cpu = 0; holds_events(rings, buffer) && cpu < info->cpus; cpu++) {
			const struct ring empty = {
				.buffer = buffer, .cpu = cpu,
				.first_ns = UNKNOWN, .last_ns = UNKNOWN,
			};

			if (!coverage_of(rings, buffer, cpu))
				g_array_append_val(rings, empty);
		}
}

static void on_event(void *ctx, const struct event *event)
{
	evidence_event(((struct search *)ctx)->evidence, event);
}

static void on_gap_begin(void *ctx, int64_t ts_ns, event_set events)
{
	(void)ts_ns, (void)events;
	evidence_lost(((struct search *)ctx)->evidence, true);
}

static void on_gap_end(void *ctx, int64_t ts_ns, event_set events)
{
	(void)ts_ns, (void)events;
	evidence_lost(((struct search *)ctx)->evidence, false);
}

static bool enough(void *ctx)
{
	const struct search *search = ctx;

	return search->info->end_ns > search->window->to_ns;
}

/* Before its first and after its last event a ring may lack events, or there were none. */
static void add_silences(GArray *silences, const struct search *search, const struct ring *ring)
{
	if (!known(ring->first_ns)) {
		silences_add(silences, search->start_ns, search->end_ns);
		return;
	}
	silences_add(silences, search->start_ns, ring->first_ns);
	silences_add(silences, ring->last_ns, search->end_ns);
}

/* Nothing shows whether it is complete: the counts of a masked CPU are 0, too. */
static bool is_doubtful(const struct datfile *file, const struct ring *ring)
{
	const struct cpustat *stat = stat_of(file, ring);

	return !stat || (!known(ring->first_ns) && !stat->read && !stat->entries);
}

/* average duration of EDGE_RECORDS records of all CPUs; 0: the trace has few */
static int64_t edge_ns(const struct search *search, const GArray *rings)
{
	double records = 0;

	for (unsigned int nr = 0; nr < rings->len; nr++)
		records += g_array_index(rings, struct ring, nr).records;
	return records > FEW_RECORDS ?
	       (int64_t)(((double)search->end_ns - search->start_ns) * EDGE_RECORDS / records) : 0;
}

static void add_window(struct search *search, int64_t from_ns, int64_t to_ns)
{
	silences_add(search->windows, MAX(from_ns, search->start_ns), MIN(to_ns, search->end_ns));
}

static void add_windows(struct search *search, const struct ring *ring, int64_t edge_ns)
{
	if (!known(ring->first_ns)) {
		add_window(search, search->start_ns, search->start_ns + 4 * edge_ns);
		return;
	}
	if (ring->first_ns > search->start_ns)
		add_window(search, ring->first_ns - edge_ns, ring->first_ns + edge_ns);
	if (ring->last_ns < search->end_ns)
		add_window(search, ring->last_ns - edge_ns, ring->last_ns + edge_ns);
}

static gint compare_windows(gconstpointer a, gconstpointer b)
{
	const struct silence *one = a, *two = b;

	return (one->from_ns > two->from_ns) - (one->from_ns < two->from_ns);
}

/* sort and merge overlapping windows */
static void join_windows(GArray *windows)
{
	unsigned int kept = 0;

	g_array_sort(windows, compare_windows);
	for (unsigned int nr = 1; nr < windows->len; nr++) {
		const struct silence next = g_array_index(windows, struct silence, nr);
		struct silence *last = &g_array_index(windows, struct silence, kept);

		if (next.from_ns <= last->to_ns)
			last->to_ns = MAX(last->to_ns, next.to_ns);
		else
			g_array_index(windows, struct silence, ++kept) = next;
	}
	if (windows->len)
		g_array_set_size(windows, kept + 1);
}

static void find_windows(const struct datfile *file, const GArray *rings, struct search *search)
{
	int64_t around_ns = edge_ns(search, rings);

	if (!around_ns) {
		const struct silence all = { search->start_ns, search->end_ns };

		g_array_append_val(search->windows, all);
		return;
	}
	for (unsigned int nr = 0; nr < rings->len; nr++) {
		const struct ring *ring = &g_array_index(rings, struct ring, nr);

		if (is_doubtful(file, ring))
			add_windows(search, ring, around_ns);
	}
	join_windows(search->windows);
}

/* Is there evidence that any of them is incomplete? */
static bool any_missed(const struct evidence *evidence, const GArray *silences)
{
	for (unsigned int nr = 0; nr < silences->len; nr++)
		if (evidence_missed(evidence, &g_array_index(silences, struct silence, nr)))
			return true;
	return false;
}

static bool look_at(struct reader *reader, struct search *search, const struct silences *silences)
{
	static const struct reader_ops ops = {
		.event = on_event, .gap_begin = on_gap_begin, .gap_end = on_gap_end,
		.enough = enough,
	};
	bool missed;

	search->evidence = evidence_new(silences);
	reader_leap(reader, search->window->from_ns);
	reader_run(reader, &ops, search);
	evidence_end(search->evidence, search->info->end_ns, enough(search));
	missed = any_missed(search->evidence, silences->doubtful);
	evidence_free(search->evidence);
	return missed;
}

static bool search_missed(const struct reader *reader, struct search *search,
			  const struct silences *silences)
{
	const struct reader_options options = {
		.events = EVIDENCE_EVENTS, .any_events = true, .complete = true,
		.alive = reader_alive(reader),
	};
	struct reader *other = reader_again(reader, &options);
	bool missed = false;

	search->info = reader_info(other);
	for (unsigned int nr = 0; !missed && nr < search->windows->len; nr++) {
		search->window = &g_array_index(search->windows, struct silence, nr);
		missed = look_at(other, search, silences);
	}
	reader_close(other);
	return missed;
}

static void doubt(const struct search *search, struct ring *ring)
{
	ring->begins_late = !known(ring->first_ns) || ring->first_ns > search->start_ns;
	ring->ends_early = known(ring->last_ns) && ring->last_ns < search->end_ns;
}

static void doubt_all(const struct search *search, const struct datfile *file, GArray *rings)
{
	for (unsigned int nr = 0; nr < rings->len; nr++) {
		struct ring *ring = &g_array_index(rings, struct ring, nr);

		if (is_doubtful(file, ring))
			doubt(search, ring);
	}
}

/* where an incomplete ring lacks events */
static void add_explained(GArray *silences, const struct search *search, const struct ring *ring)
{
	if (ring->begins_late)
		silences_add(silences, search->start_ns,
			     known(ring->first_ns) ? ring->first_ns : search->end_ns);
	if (ring->ends_early && known(ring->last_ns))
		silences_add(silences, ring->last_ns, search->end_ns);
}

static void find_silences(const struct datfile *file, const GArray *rings,
			  const struct search *search, const struct silences *silences)
{
	for (unsigned int nr = 0; nr < rings->len; nr++) {
		const struct ring *ring = &g_array_index(rings, struct ring, nr);

		if (!is_doubtful(file, ring)) {
			add_explained(silences->explained, search, ring);
			continue;
		}
		add_silences(silences->doubtful, search, ring);
		if (known(ring->first_ns))
			add_silences(silences->ends, search, ring);
	}
}

static void judge_doubtful(const struct reader *reader, const struct datfile *file, GArray *rings,
			   struct search *search)
{
	struct silences silences = { silences_new(), silences_new(), silences_new() };

	find_silences(file, rings, search, &silences);
	search->windows = silences_new();
	if (silences.doubtful->len) {
		find_windows(file, rings, search);
		if (search_missed(reader, search, &silences))
			doubt_all(search, file, rings);
	}
	g_array_free(search->windows, TRUE);
	g_array_free(silences.doubtful, TRUE);
	g_array_free(silences.ends, TRUE);
	g_array_free(silences.explained, TRUE);
}

/* Instances recorded together overlap in time; different clocks are years apart. */
#define APART_NS	(86400 * NSEC_PER_SEC)

/* begin and end of a buffer's rings */
static void span_of(const GArray *rings, int buffer, int64_t *start_ns, int64_t *end_ns)
{
	*start_ns = INT64_MAX;
	*end_ns = INT64_MIN;
	for (unsigned int nr = 0; nr < rings->len; nr++) {
		const struct ring *ring = &g_array_index(rings, struct ring, nr);

		if (ring->buffer != buffer)
			continue;
		*start_ns = MIN(*start_ns, ring->first_ns);
		*end_ns = MAX(*end_ns, ring->last_ns);
	}
}

static const char *buffer_name(const struct datfile *file, int buffer)
{
	const char *name = (unsigned int)buffer < file->names->len ? file->names->pdata[buffer] : "?";

	return *name ? name : "top";
}

/* Labels do not prove one clock: trace-cmd 3.1 writes the same clock for all buffers. */
static void check_spans(const struct trace_info *info, const struct datfile *file,
			const GArray *rings)
{
	int64_t start_ns, end_ns, first_ns = INT64_MAX, other_ns;
	int first = 0;

	for (int buffer = 0; buffer < info->buffers; buffer++) {
		span_of(rings, buffer, &start_ns, &end_ns);
		if (start_ns >= first_ns)
			continue;
		first_ns = start_ns;
		first = buffer;
	}
	span_of(rings, first, &start_ns, &end_ns);
	for (int buffer = 0; buffer < info->buffers; buffer++) {
		span_of(rings, buffer, &other_ns, &start_ns);
		if (other_ns == INT64_MAX || other_ns / 2 - end_ns / 2 < APART_NS / 2)
			continue;
		fatal("%s: the times of its buffers '%s' and '%s' do not overlap, they have different clocks: record all with one clock (trace-cmd record -C mono), or leave one out",
		      info->path, buffer_name(file, first), buffer_name(file, buffer));
	}
}

bool coverage_asks(const struct reader *reader, const struct datfile *file)
{
	const struct trace_info *info = reader_info(reader);

	return info->cpus > 1 || info->buffers > 1 || file->stats->len;
}

GArray *coverage_find(const struct reader *reader, const struct datfile *file, GArray *rings)
{
	struct search search = { .start_ns = INT64_MAX, .end_ns = INT64_MIN };
	const struct trace_info *info = reader_info(reader);

	for (unsigned int nr = 0; nr < rings->len; nr++) {
		const struct ring *ring = &g_array_index(rings, struct ring, nr);

		search.start_ns = MIN(search.start_ns, ring->first_ns);
		search.end_ns = MAX(search.end_ns, ring->last_ns);
	}
	check_spans(info, file, rings);
	add_empty(rings, info);
	for (unsigned int nr = 0; nr < rings->len; nr++) {
		struct ring *ring = &g_array_index(rings, struct ring, nr);
		const struct cpustat *stat = stat_of(file, ring);

		if (stat)
			count_missing(file, ring, stat);
	}
	judge_doubtful(reader, file, rings, &search);
	return rings;
}
