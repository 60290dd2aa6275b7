// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>
#include <trace-cmd.h>

#include "coverage.h"
#include "inside.h"
#include "datfile.h"
#include "dedup.h"
#include "hints.h"
#include "rawstream.h"
#include "reader.h"
#include "trace-private.h"
#include "util.h"

/* number of records read between calls of options.alive */
#define ALIVE_RECORDS	16384

/* one CPU's buffer in one buffer instance */
struct cpu_buffer {
	struct rawstream *raw;		/* NULL: read by libtracecmd */
	struct tracecmd_input *handle;
	int buffer;
	int cpu;
	struct tep_record *record;	/* next one; owned, unless from @raw */
	int64_t ts_ns;			/* of @record */
	unsigned long long offset;	/* of @record, in the file or its unpacked chunk */
	unsigned int order;		/* breaks ties */
	bool ends_early;		/* as in struct ring */
};

struct reader {
	struct reader_options options;
	bool shared;			/* @handle and its data belong to another reader */
	struct datfile datfile;
	struct trace_info info;
	struct hints hints;		/* target of info.hints */
	struct tracecmd_input *handle;
	struct tracecmd_input **instances;
	int nr_instances;
	struct event_map *map;
	struct dedup *dedup;		/* NULL: only one buffer */
	struct cpu_buffer *streams;	/* binary heap, earliest first */
	unsigned int nr_streams;
	int fd;				/* of raw streams */
	GArray *rings;			/* struct ring of incomplete rings; NULL: not determined */
	GArray *endless;		/* int: buffers of gaps that last to the end */
	event_set *carried;		/* per buffer; NULL: not determined yet */
	const struct reader_ops *ops;
	void *ctx;
};

/*
 * Converts cycles to nanoseconds in 128 bits: a week at 4 GHz overflows 64. Negative
 * if the time is invalid.
 */
static int64_t to_ns(const struct reader *reader, unsigned long long ts)
{
	unsigned __int128 ns;

	if (!reader->options.tsc_khz)
		return (int64_t)ts < 0 ? -1 : (int64_t)ts;
	ns = (unsigned __int128)ts * 1000000 / reader->options.tsc_khz;
	return ns > INT64_MAX ? -1 : (int64_t)ns;
}

static bool earlier(const struct cpu_buffer *a, const struct cpu_buffer *b)
{
	if (a->ts_ns != b->ts_ns)
		return a->ts_ns < b->ts_ns;
	return a->order < b->order;
}

static void sift_down(struct reader *reader, unsigned int pos)
{
	struct cpu_buffer *heap = reader->streams;

	for (;;) {
		unsigned int child = 2 * pos + 1;
		struct cpu_buffer swap;

		if (child >= reader->nr_streams)
			return;
		if (child + 1 < reader->nr_streams && earlier(&heap[child + 1], &heap[child]))
			child++;
		if (!earlier(&heap[child], &heap[pos]))
			return;
		swap = heap[pos];
		heap[pos] = heap[child];
		heap[child] = swap;
		pos = child;
	}
}

static struct tep_record *next_record(struct cpu_buffer *stream)
{
	if (stream->raw)
		return rawstream_next(stream->raw);
	/*
	 * Free the record before reading the next one: libtracecmd 1.3.1 searches all
	 * live pages of a compressed file for every page it frees.
	 */
	if (stream->record)
		tracecmd_free_record(stream->record);
	return tracecmd_read_data(stream->handle, stream->cpu);
}

/* A clock's zero may be set after an event; but not by years. */
static bool before_zero(unsigned long long ts)
{
	return -ts < 10 * 365 * 86400ULL * NSEC_PER_SEC;
}

/* Times are signed here; 2^63 ns are 292 years. */
static _Noreturn void bad_time(const struct reader *reader, const struct cpu_buffer *stream,
			       int64_t before_ns)
{
	if (stream->ts_ns < 0 && before_zero(stream->record->ts))
		fatal("%s: times are before the zero of its clock (an event of CPU %d is at " SECONDS_NS " s), as trace-cmd's conversion of TSC cycles makes them: record with 'gvt-stat record' or 'trace-cmd record -C mono'",
		      reader->info.path, stream->cpu, SECONDS_NS_OF((int64_t)stream->record->ts));
	if (stream->ts_ns < 0)
		fatal("%s: corrupted: an event of CPU %d is at %llu, which is no time; record the trace again",
		      reader->info.path, stream->cpu, stream->record->ts);
	fatal("%s: time runs backwards on CPU %d, from " SECONDS_NS " to " SECONDS_NS " s: its clock was set meanwhile, or the file is corrupted; record with 'gvt-stat record' or 'trace-cmd record -C mono'",
	      reader->info.path, stream->cpu, SECONDS_NS_OF(before_ns), SECONDS_NS_OF(stream->ts_ns));
}

/*
 * Padding with a negative length makes libtracecmd repeat the same events forever, which looks
 * like progress to a watchdog.
 */
static void check_progress(const struct reader *reader, struct cpu_buffer *stream)
{
	if (stream->record->offset <= stream->offset)
		fatal("%s: corrupted: the events of CPU %d at byte %llu lead back to themselves; record the trace again",
		      reader->info.path, stream->cpu, stream->offset);
	stream->offset = stream->record->offset;
}

static bool next(const struct reader *reader, struct cpu_buffer *stream)
{
	stream->record = next_record(stream);
	if (!stream->record)
		return false;
	if (!stream->raw)
		check_progress(reader, stream);
	return true;
}

static void take_time(const struct reader *reader, struct cpu_buffer *stream)
{
	int64_t before_ns = stream->ts_ns;

	stream->ts_ns = to_ns(reader, stream->record->ts);
	if (stream->ts_ns < before_ns)
		bad_time(reader, stream, before_ns);
}

static bool stream_next(const struct reader *reader, struct cpu_buffer *stream)
{
	if (!next(reader, stream))
		return false;
	take_time(reader, stream);
	return true;
}

/* Advance to the next wanted event, or to one before it; only counts those skipped. */
static bool stream_seek(const struct reader *reader, struct cpu_buffer *stream, uint64_t *records)
{
	if (!stream->raw) {
		bool more = stream_next(reader, stream);

		*records += more;
		return more;
	}
	stream->record = rawstream_seek(stream->raw, event_map_types(reader->map), records);
	if (!stream->record)
		return false;
	take_time(reader, stream);
	return true;
}

static void stream_close(struct cpu_buffer *stream)
{
	if (stream->raw)
		rawstream_free(stream->raw);
	else if (stream->record)
		tracecmd_free_record(stream->record);
}

static void check_cpus(struct reader *reader)
{
	reader->info.cpus = tep_get_cpus(tracecmd_get_tep(reader->handle));
	if (reader->info.cpus < 1 || reader->info.cpus > DATFILE_CPUS_MAX)
		fatal("%s: corrupted: events of %d CPUs; record the trace again", reader->info.path,
		      reader->info.cpus);
}

/* The first record was read: mark it as following a gap if earlier events are missing. */
static void take_ring(const struct reader *reader, struct cpu_buffer *stream)
{
	const struct ring *ring = coverage_of(reader->rings, stream->buffer, stream->cpu);

	if (!ring)
		return;
	if (ring->begins_late && !stream->record->missed_events)
		stream->record->missed_events = -1;
	stream->ends_early = ring->ends_early;
	if (ring->dropped && stream->raw)
		rawstream_doubt_pages(stream->raw);
}

static void add_stream(const struct reader *reader, struct cpu_buffer *stream, GArray *streams)
{
	stream->order = streams->len;
	if (!stream_next(reader, stream)) {
		stream_close(stream);
		return;
	}
	take_ring(reader, stream);
	g_array_append_val(streams, *stream);
}

static void add_streams(struct reader *reader, struct tracecmd_input *handle, int buffer,
			GArray *streams)
{
	for (int cpu = 0; cpu < reader->info.cpus; cpu++)
		add_stream(reader, &(struct cpu_buffer) {
			.handle = handle,
			.buffer = buffer,
			.cpu = cpu,
		}, streams);
}

static int compare_places(const void *a, const void *b)
{
	const struct datfile_place *pa = a, *pb = b;

	return pa->buffer != pb->buffer ? pa->buffer - pb->buffer : pa->cpu - pb->cpu;
}

/* in the order of libtracecmd's streams, as the order breaks ties */
static void add_raw_streams(struct reader *reader, GArray *streams)
{
	GArray *places = reader->datfile.places;

	g_array_sort(places, compare_places);
	for (unsigned int nr = 0; nr < places->len; nr++) {
		const struct datfile_place *place =
			&g_array_index(places, struct datfile_place, nr);

		add_stream(reader, &(struct cpu_buffer) {
			.raw = rawstream_new(reader->info.path, reader->fd, &reader->datfile, place),
			.buffer = place->buffer,
			.cpu = place->cpu,
		}, streams);
	}
}

/* Did datfile_check() find the same buffers as libtracecmd? */
static bool can_read_raw(const struct reader *reader)
{
	const GArray *places = reader->datfile.places;

	if (!reader->datfile.plain || tep_is_old_format(tracecmd_get_tep(reader->handle)))
		return false;
	for (unsigned int nr = 0; nr < places->len; nr++) {
		const struct datfile_place *place =
			&g_array_index(places, struct datfile_place, nr);

		if (place->buffer > reader->nr_instances || place->cpu >= reader->info.cpus)
			return false;
	}
	return true;
}

static void add_library_streams(struct reader *reader, GArray *streams)
{
	add_streams(reader, reader->handle, 0, streams);
	for (int nr = 0; nr < reader->nr_instances; nr++)
		add_streams(reader, reader->instances[nr], nr + 1, streams);
}

/* A CPU without a stream, or with unknown page boundaries, is a gap to the end. */
static void find_endless(struct reader *reader)
{
	for (unsigned int nr = 0; reader->rings && nr < reader->rings->len; nr++) {
		const struct ring *ring = &g_array_index(reader->rings, struct ring, nr);

		if ((ring->dropped && !can_read_raw(reader)) ||
		    (!known(ring->first_ns) && (ring->begins_late || ring->dropped)))
			g_array_append_val(reader->endless, ring->buffer);
	}
}

static void open_streams(struct reader *reader)
{
	GArray *streams = g_array_new(FALSE, FALSE, sizeof(struct cpu_buffer));

	reader->endless = g_array_new(FALSE, FALSE, sizeof(int));
	find_endless(reader);

	if (can_read_raw(reader))
		add_raw_streams(reader, streams);
	else
		add_library_streams(reader, streams);
	reader->nr_streams = streams->len;
	reader->streams = (struct cpu_buffer *)g_array_free(streams, FALSE);
	for (unsigned int pos = reader->nr_streams / 2; pos-- > 0; )
		sift_down(reader, pos);
}

/* A buffer that fails to open was not recorded, or is damaged. */
static void open_instances(struct reader *reader)
{
	reader->nr_instances = tracecmd_buffer_instances(reader->handle);
	reader->instances = g_new0(struct tracecmd_input *, reader->nr_instances + 1);
	for (int nr = 0; nr < reader->nr_instances; nr++) {
		reader->instances[nr] = tracecmd_buffer_instance_handle(reader->handle, nr);
		if (!reader->instances[nr])
			fatal("%s: cannot read the events of buffer '%s': the file is truncated or corrupted; record the trace again",
			      reader->info.path, tracecmd_buffer_instance_name(reader->handle, nr));
	}
}

/* A recording by gvt-stat begins with the marks. */
#define RATE_RECORDS	65536

struct rate_search {
	struct recorded *recorded;
	uint64_t records;
};

static void look_for_rate(void *ctx, const struct event *event)
{
	struct rate_search *search = ctx;

	recorded_mark(search->recorded, event->ts_ns, event->mark.text);
}

static bool rate_found(void *ctx)
{
	struct rate_search *search = ctx;

	return search->recorded->tsc_khz || ++search->records == RATE_RECORDS;
}

/* the rate noted by the recorder, 0 if none */
static int64_t recorded_rate(const struct reader *reader)
{
	static const struct reader_ops ops = { .event = look_for_rate, .enough = rate_found };
	const struct reader_options options = {
		.events = EVENT_BIT(EVENT_MARK), .any_rate = true, .any_events = true,
	};
	struct rate_search search = { .recorded = recorded_new() };
	struct reader *other = reader_again(reader, &options);
	int64_t khz;

	reader_run(other, &ops, &search);
	khz = search.recorded->tsc_khz;
	recorded_free(search.recorded);
	reader_close(other);
	return khz;
}

/* trace-cmd split writes ns if its input could be converted, but does not record that */
static _Noreturn void ask_for_rate(const struct reader *reader)
{
	fatal("%s: its x86-tsc clock counts cycles: give the rate with --tsc-khz N ('dmesg | grep tsc' shows it%s)",
	      reader->info.path, reader->datfile.traceclock ? "" :
	      "; 1000000 if trace-cmd split has written it from a recording with -C tsc2nsec, whose times it has converted to ns");
}

/* These clocks do not count time, or their rate cannot be known. */
static void refuse_clock(const struct reader *reader)
{
	static const struct { const char *clock, *counts; } refused[] = {
		{ "counter", "only counts events" },
		{ "uptime", "counts jiffies" },
		{ "ppc-tb", "counts ticks of the processor's time base" },
		{ "s390-tod", "counts ticks of the processor's time of day" },
	};

	for (size_t nr = 0; nr < G_N_ELEMENTS(refused); nr++)
		if (g_str_equal(reader->datfile.clock, refused[nr].clock))
			fatal("%s: its clock, %s, %s: record with 'gvt-stat record' or 'trace-cmd record -C mono'",
			      reader->info.path, refused[nr].clock, refused[nr].counts);
}

static void check_clock(struct reader *reader)
{
	bool cycles = g_str_equal(reader->datfile.clock, "x86-tsc") && !reader->datfile.tsc_to_ns;

	if (cycles && !reader->options.tsc_khz && !reader->options.any_rate)
		reader->options.tsc_khz = recorded_rate(reader);
	if (cycles && !reader->options.tsc_khz && !reader->options.any_rate)
		ask_for_rate(reader);
	/* a file that only libtracecmd can read may have any clock */
	if (!cycles && reader->options.tsc_khz && !*reader->datfile.unknown_version)
		fatal("%s: --tsc-khz is only for traces with the x86-tsc clock, this one's clock is %s: leave the option out",
		      reader->info.path, *reader->datfile.clock ? reader->datfile.clock : "unknown");
	refuse_clock(reader);
}

static void check_events(const struct reader *reader)
{
	/* the CPU's events, if wanted, suffice */
	for (enum event_id id = 0; id < EVENT_COUNT; id++)
		if (reader->info.described[id] && (id <= EVENT_SCHED_INFO ||
		    (id >= EVENT_TASK_SWITCH && reader->options.events & EVENT_BIT(id))))
			return;
	fatal("%s: has no gvt events: record with 'trace-cmd record -e gvt' on a host whose kvmgt has the gvt_workload tracepoints",
	      reader->info.path);
}

static _Noreturn void cannot_open(const struct reader *reader)
{
	if (*reader->datfile.unknown_version)
		fatal("%s: trace.dat version '%s' is not known, nor can libtracecmd read it: try 'trace-cmd convert --file-version 7' where it was recorded",
		      reader->info.path, reader->datfile.unknown_version);
	if (reader->datfile.odd_option)
		fatal("%s: libtracecmd cannot read it: the file is whole, but has an option %u of %u bytes that is not trace-cmd's: another program, or a fork of trace-cmd, wrote it; record with 'gvt-stat record' or 'trace-cmd record -e gvt'",
		      reader->info.path, reader->datfile.odd_option, reader->datfile.odd_size);
	fatal("%s: libtracecmd cannot read it: the file is truncated or corrupted, or compressed in a way this libtracecmd does not know; record the trace again",
	      reader->info.path);
}

static void open_file(struct reader *reader)
{
	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	quiet_begin();
	reader->handle = tracecmd_open(reader->info.path, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!reader->handle)
		cannot_open(reader);
	check_cpus(reader);
	open_instances(reader);
	quiet_end();
	if (!can_read_raw(reader))
		return;
	reader->fd = open(reader->info.path, O_RDONLY | O_CLOEXEC);
	if (reader->fd < 0)
		fatal("%s: cannot open: %s", reader->info.path, strerror(errno));
}

/* number of incomplete rings */
static unsigned int count_incomplete(const GArray *rings)
{
	unsigned int count = 0;

	for (unsigned int nr = 0; nr < rings->len; nr++) {
		const struct ring *ring = &g_array_index(rings, struct ring, nr);

		count += ring->begins_late || ring->ends_early || ring->dropped;
	}
	return count;
}

/* Go to the beginning of the opened file, whose clock is known. */
static void begin(struct reader *reader)
{
	quiet_begin();
	reader->map = event_map_new(tracecmd_get_tep(reader->handle), reader->info.path,
				    reader->options.events | reader->options.beside);
	open_streams(reader);
	quiet_end();
	reader->info.tsc_khz = reader->options.tsc_khz;
	reader->info.map = reader->map;
	reader->info.hints = &reader->hints;
	for (enum event_id id = 0; id < EVENT_COUNT; id++)
		reader->info.described[id] = event_map_has(reader->map, id);
	if (!reader->options.any_events)
		check_events(reader);
	reader->info.buffers = 1 + reader->nr_instances;
	if (reader->nr_instances)
		reader->dedup = dedup_new(reader->info.cpus, reader->info.buffers);
	reader->info.start_ns = reader->nr_streams ? reader->streams[0].ts_ns : UNKNOWN;
	reader->info.end_ns = reader->info.start_ns;
}

/* @rings: NULL: not determined */
static struct reader *open_with(const struct reader_options *options, GArray *rings)
{
	struct reader *reader = g_new0(struct reader, 1);

	reader->fd = -1;
	reader->options = *options;
	reader->info.path = options->path;
	datfile_check(options->path, &reader->datfile);
	reader->info.clock = reader->datfile.clock;
	reader->info.bytes = reader->datfile.size;
	reader->rings = rings ? g_array_ref(rings) : NULL;
	open_file(reader);
	check_clock(reader);
	begin(reader);
	return reader;
}

struct reader *reader_again(const struct reader *first, const struct reader_options *options)
{
	struct reader_options same = *options;
	struct reader *reader;

	same.path = first->options.path;
	same.tsc_khz = first->options.tsc_khz;
	if (!can_read_raw(first))
		return open_with(&same, same.complete ? NULL : first->rings);
	reader = g_new(struct reader, 1);
	*reader = (struct reader) {
		.options = same, .shared = true,
		.datfile = first->datfile, .fd = first->fd, .handle = first->handle,
		.instances = first->instances, .nr_instances = first->nr_instances,
		.rings = first->rings && !same.complete ? g_array_ref(first->rings) : NULL,
		.info = {
			.path = first->info.path, .clock = first->datfile.clock,
			.bytes = first->datfile.size, .cpus = first->info.cpus,
		},
	};
	begin(reader);
	return reader;
}

static void close_file(struct reader *reader)
{
	if (reader->fd >= 0)
		close(reader->fd);
	for (int nr = 0; nr < reader->nr_instances; nr++)
		tracecmd_close(reader->instances[nr]);
	tracecmd_close(reader->handle);
	datfile_clear(&reader->datfile);
	g_free(reader->instances);
}

void reader_close(struct reader *reader)
{
	for (unsigned int nr = 0; nr < reader->nr_streams; nr++)
		stream_close(&reader->streams[nr]);
	if (!reader->shared)
		close_file(reader);
	event_map_free(reader->map);
	if (reader->dedup)
		dedup_free(reader->dedup);
	if (reader->rings)
		g_array_unref(reader->rings);
	g_array_unref(reader->endless);
	g_free(reader->carried);
	g_free(reader->streams);
	g_free(reader);
}

const struct trace_info *reader_info(const struct reader *reader)
{
	return &reader->info;
}

static bool after_gap(const struct cpu_buffer *stream)
{
	return stream->record && stream->record->missed_events;
}

static event_set carried_by(struct reader *reader, int buffer);

static void begin_gap(struct reader *reader, int buffer)
{
	if (reader->ops->gap_begin)
		reader->ops->gap_begin(reader->ctx, reader->info.end_ns,
				       carried_by(reader, buffer));
}

static void count_endless(struct reader *reader, unsigned int count)
{
	reader->info.lost_gaps += count;
	reader->info.lost_uncounted += count;
}

/* Gaps before a buffer's first record may have begun with the trace. */
static void begin_early_gaps(struct reader *reader)
{
	if (!reader->info.records)
		count_endless(reader, reader->endless->len);
	for (unsigned int nr = 0; nr < reader->endless->len; nr++)
		begin_gap(reader, g_array_index(reader->endless, int, nr));
	for (unsigned int nr = 0; nr < reader->nr_streams; nr++)
		if (after_gap(&reader->streams[nr]))
			begin_gap(reader, reader->streams[nr].buffer);
}

/* Events after the last one of this CPU are not in the file. */
static void begin_endless_gap(struct reader *reader, int buffer)
{
	g_array_append_val(reader->endless, buffer);
	count_endless(reader, 1);
	begin_gap(reader, buffer);
}

static void end_gap(struct reader *reader, const struct cpu_buffer *stream)
{
	struct trace_info *info = &reader->info;

	info->lost_gaps++;
	info->lost_cpu = stream->cpu;
	info->lost_count = stream->record->missed_events > 0 ? stream->record->missed_events :
							       UNKNOWN;
	if (stream->record->missed_events > 0)
		info->lost_events += stream->record->missed_events;
	else
		info->lost_uncounted++;
	if (reader->ops->gap_end)
		reader->ops->gap_end(reader->ctx, stream->ts_ns,
				     carried_by(reader, stream->buffer));
}

static bool is_repeated(struct reader *reader, const struct cpu_buffer *stream,
			const struct event *event)
{
	if (!reader->dedup || !dedup_is_repeated(reader->dedup, stream->buffer, event))
		return false;
	reader->info.repeated++;
	return true;
}

static void deliver(struct reader *reader, const struct cpu_buffer *stream)
{
	struct event *event;

	if (after_gap(stream))
		end_gap(reader, stream);
	reader->info.end_ns = MAX(reader->info.end_ns, stream->ts_ns);
	event = event_map_decode(reader->map, stream->record);
	if (!event || is_repeated(reader, stream, event))
		return;
	event->ts_ns = stream->ts_ns;
	reader->info.recorded[event->id]++;
	hints_note(&reader->hints, event);
	reader->ops->event(reader->ctx, event);
}

/*
 * Advance the earliest stream. A gap in it begins at the record just
 * delivered, and must be reported now: until the stream comes up again, others
 * deliver events from inside the gap.
 */
static void advance(struct reader *reader)
{
	struct cpu_buffer *first = &reader->streams[0];

	if (!stream_next(reader, first)) {
		if (first->ends_early && reader->nr_streams > 1)
			begin_endless_gap(reader, first->buffer);
		stream_close(first);
		*first = reader->streams[--reader->nr_streams];
	} else if (after_gap(first)) {
		begin_gap(reader, first->buffer);
	}
	sift_down(reader, 0);
}

static void count_records(struct reader *reader, uint64_t count)
{
	uint64_t before = reader->info.records;

	reader->info.records += count;
	if (reader->options.alive && before / ALIVE_RECORDS != reader->info.records / ALIVE_RECORDS)
		reader->options.alive(&reader->info);
}

/* Ignores times. */
static void scan_stream(struct reader *reader, struct cpu_buffer *stream,
			void (*found)(void *ctx, int buffer, const struct event *event), void *ctx)
{
	do {
		const struct event *event = event_map_decode(reader->map, stream->record);

		if (event)
			found(ctx, stream->buffer, event);
		count_records(reader, 1);
	} while (next(reader, stream));
	stream_close(stream);
}

void reader_scan(struct reader *reader,
		 void (*found)(void *ctx, int buffer, const struct event *event), void *ctx)
{
	while (reader->nr_streams)
		scan_stream(reader, &reader->streams[--reader->nr_streams], found, ctx);
}

/* the content of each stream, as known from its first record; by @order */
static GArray *first_records(const struct reader *reader)
{
	GArray *rings = g_array_new(FALSE, FALSE, sizeof(struct ring));

	g_array_set_size(rings, reader->nr_streams);
	for (unsigned int nr = 0; nr < reader->nr_streams; nr++) {
		const struct cpu_buffer *stream = &reader->streams[nr];

		g_array_index(rings, struct ring, stream->order) = (struct ring) {
			.buffer = stream->buffer, .cpu = stream->cpu, .records = 1,
			.first_ns = stream->ts_ns, .last_ns = stream->ts_ns,
		};
	}
	return rings;
}

static void tell(struct reader *reader, const struct reader_options *asked)
{
	const struct cpu_buffer *first = &reader->streams[0];
	struct event *event = event_map_decode(reader->map, first->record);

	if (!event || is_repeated(reader, first, event))
		return;
	event->ts_ns = first->ts_ns;
	asked->told(asked->told_ctx, event);
}

/* Advance the earliest stream to its next wanted event. */
static void advance_far(struct reader *reader, GArray *rings)
{
	struct cpu_buffer *first = &reader->streams[0];
	struct ring *ring = &g_array_index(rings, struct ring, first->order);
	uint64_t before = ring->records;
	bool more = stream_seek(reader, first, &ring->records);

	count_records(reader, ring->records - before);
	if (more) {
		ring->last_ns = first->ts_ns;
	} else {
		stream_close(first);
		*first = reader->streams[--reader->nr_streams];
	}
	sift_down(reader, 0);
}

/*
 * The content of each CPU's buffer, an array of struct ring; also calls options.told. Skips all
 * other events, with a hundredth of the instructions of a report.
 */
static GArray *look_through(const struct reader *reader)
{
	const struct reader_options *asked = &reader->options;
	const struct reader_options options = {
		.events = asked->told ? EVENT_BIT(EVENT_VGPU_INFO) : 0, .any_events = true,
		.complete = true, .alive = asked->alive,
	};
	struct reader *other = reader_again(reader, &options);
	GArray *rings = first_records(other);

	while (other->nr_streams) {
		tell(other, asked);
		advance_far(other, rings);
	}
	reader_close(other);
	return rings;
}

/* The first record of each stream was read, and nothing delivered yet. */
static void take_rings(struct reader *reader)
{
	for (unsigned int nr = 0; nr < reader->nr_streams; nr++)
		take_ring(reader, &reader->streams[nr]);
	find_endless(reader);
	reader->info.incomplete = count_incomplete(reader->rings);
}

struct reader *reader_open(const struct reader_options *options)
{
	struct reader *reader = open_with(options, NULL);
	GArray *rings = NULL;

	if (options->told || coverage_asks(reader, &reader->datfile))
		rings = look_through(reader);
	reader->rings = coverage_find(reader, &reader->datfile, rings);
	take_rings(reader);
	return reader;
}

void (*reader_alive(const struct reader *reader))(const struct trace_info *trace)
{
	return reader->options.alive;
}

static void note_carried(void *ctx, int buffer, const struct event *event)
{
	struct reader *reader = ctx;

	reader->carried[buffer] |= EVENT_BIT(event->id);
}

/* the events of each buffer are known only after reading all of it */
static void survey(struct reader *reader)
{
	struct reader *other = reader_again(reader, &reader->options);

	reader->carried = g_new0(event_set, reader->info.buffers);
	reader_scan(other, note_carried, reader);
	reader_close(other);
}

/*
 * Events were lost in one of several buffers, of which one may have the rare and another
 * the frequent events: it pays to read the trace once more to learn which could be lost.
 */
static event_set carried_by(struct reader *reader, int buffer)
{
	if (!reader->nr_instances)
		return EVENTS_ALL;
	if (!reader->carried)
		survey(reader);
	return reader->carried[buffer];
}

/* Returns false if the stream ends before @ts_ns. */
static bool stream_leap(const struct reader *reader, struct cpu_buffer *stream, int64_t ts_ns)
{
	int64_t khz = reader->options.tsc_khz;
	uint64_t ts = khz ? (uint64_t)((unsigned __int128)ts_ns * khz / 1000000) : (uint64_t)ts_ns;

	while (stream->ts_ns < ts_ns) {
		if (stream->raw)
			rawstream_leap(stream->raw, ts);
		if (!stream_next(reader, stream))
			return false;
	}
	return true;
}

void reader_leap(struct reader *reader, int64_t ts_ns)
{
	for (unsigned int nr = reader->nr_streams; nr-- > 0; ) {
		if (stream_leap(reader, &reader->streams[nr], ts_ns))
			continue;
		stream_close(&reader->streams[nr]);
		reader->streams[nr] = reader->streams[--reader->nr_streams];
	}
	for (unsigned int pos = reader->nr_streams / 2; pos-- > 0; )
		sift_down(reader, pos);
}

void reader_run(struct reader *reader, const struct reader_ops *ops, void *ctx)
{
	reader->ops = ops;
	reader->ctx = ctx;
	begin_early_gaps(reader);
	while (reader->nr_streams) {
		deliver(reader, &reader->streams[0]);
		if (ops->enough && ops->enough(ctx))
			return;
		advance(reader);
		count_records(reader, 1);
	}
}
