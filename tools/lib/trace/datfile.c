// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpustat.h"
#include "datfile.h"
#include "util.h"

#define MAGIC			"\x17\x08\x44tracing"
#define MAGIC_LEN		10
#define MAX_STRING		256
#define TAG_LEN			10
#define MIN_PAGE_SIZE		1024
#define MAX_PAGE_SIZE		(1 << 20)
#define SECTION_COMPRESSED	1
#define SECTION_HEADER		16
/*
 * Limit of the unpacked size of a trace's tables, such as its formats and the kernel's
 * symbols. libtracecmd accepts any claimed size, up to 4 GiB each. The tables of a
 * large kernel with all its modules are a third of this.
 */
#define MAX_SECTION		(1U << 25)

/* the option ids used here */
enum option_id {
	OPTION_DONE		= 0,
	OPTION_DATE		= 1,
	OPTION_CPUSTAT		= 2,
	OPTION_BUFFER		= 3,
	OPTION_TRACECLOCK	= 4,
	OPTION_OFFSET		= 7,
	OPTION_CPUCOUNT		= 8,
	OPTION_TIME_SHIFT	= 12,
	OPTION_TSC2NSEC		= 14,
	OPTION_STRINGS		= 15,	/* this and later ones: offset of a section with tables */
	OPTION_BUFFER_TEXT	= 22,
	OPTION_LAST		= 24,	/* of trace-cmd 3.3; other programs may have more */
};

struct cursor {
	const char *path;
	int fd;
	uint64_t pos;
	uint64_t size;
	const char *where;		/* part of the file, for messages */
	bool big_endian;
	bool clock_follows;		/* version 6: the clock's text follows the CPU table */
	bool trace_data;		/* there is at least one buffer */
	bool texts;			/* version 7: a buffer is text, of a latency tracer */
	int buffers;			/* besides the top one */
	bool buffer_clock;		/* the clock is from a buffer with events */
	char *stat_buffer;		/* buffer of the next CPUSTAT */
	struct datfile *info;
};

static _Noreturn void truncated(const struct cursor *c)
{
	fatal("%s: truncated or corrupted: the %s at byte %" PRIu64 " reach beyond the end of the file (%" PRIu64 " bytes); record the trace again and let trace-cmd finish",
	      c->path, c->where, c->pos, c->size);
}

void datfile_read(const char *path, int fd, uint64_t pos, void *data, size_t len)
{
	ssize_t got = pread(fd, data, len, pos);

	if (got < 0)
		fatal("%s: cannot read: %s", path, strerror(errno));
	if (got != (ssize_t)len)
		fatal("%s: it became shorter while it was read: let whoever writes it finish, then try again",
		      path);
}

static void get_bytes(struct cursor *c, void *data, uint64_t len)
{
	if (c->pos > c->size || len > c->size - c->pos)
		truncated(c);
	datfile_read(c->path, c->fd, c->pos, data, len);
	c->pos += len;
}

static void skip(struct cursor *c, uint64_t len)
{
	if (c->pos > c->size || len > c->size - c->pos)
		truncated(c);
	c->pos += len;
}

static uint16_t get_u16(struct cursor *c)
{
	uint16_t value;

	get_bytes(c, &value, sizeof(value));
	return datfile_u16(value, c->big_endian);
}

static uint32_t get_u32(struct cursor *c)
{
	uint32_t value;

	get_bytes(c, &value, sizeof(value));
	return datfile_u32(value, c->big_endian);
}

static uint64_t get_u64(struct cursor *c)
{
	uint64_t value;

	get_bytes(c, &value, sizeof(value));
	return datfile_u64(value, c->big_endian);
}

/* get_string - read a NUL-terminated string; exits if it is too long */
static void get_string(struct cursor *c, char text[MAX_STRING])
{
	for (int len = 0; len < MAX_STRING; len++) {
		get_bytes(c, text + len, 1);
		if (!text[len])
			return;
	}
	fatal("%s: corrupted: the %s before byte %" PRIu64 " hold no end of a name; record the trace again",
	      c->path, c->where, c->pos);
}

/* The kernel marks the clock in use: "local global [mono] boot". */
static void note_clock(struct cursor *c, const char *text)
{
	const char *begin = strchr(text, '[');
	size_t len = begin ? strcspn(++begin, "]") : 0;

	if (!begin || len >= CLOCK_NAME_LEN || c->buffer_clock)
		return;
	memcpy(c->info->clock, begin, len);
	c->info->clock[len] = '\0';
	make_printable(c->info->clock);
}

static void check_extent(struct cursor *c, uint64_t offset, uint64_t size)
{
	if (!size || (offset <= c->size && size <= c->size - offset))
		return;
	c->where = "events of a CPU";
	c->pos = offset;
	truncated(c);
}

static void get_clock_text(struct cursor *c, uint64_t len)
{
	char text[MAX_STRING] = "";

	get_bytes(c, text, len < MAX_STRING ? len : MAX_STRING - 1);
	note_clock(c, text);
}

/*
 * Instances may have clocks of their own. Instances without events do not matter:
 * with -B, the top instance is in the file but was not recorded.
 */
static void note_buffer_clock(struct cursor *c, const char *clock)
{
	char *noted = c->info->clock;

	if (c->buffer_clock && strcmp(noted, clock))
		fatal("%s: its buffers have different clocks, %s and %s, so that their events cannot be put in order: record all with one clock (trace-cmd record -C mono)",
		      c->path, noted, clock);
	if (strlen(clock) < CLOCK_NAME_LEN)
		make_printable(strcpy(noted, clock));
	c->buffer_clock = true;
}

/* the number of CPUs is checked after the library has read the file */
static void add_place(struct cursor *c, int buffer, uint32_t cpu, uint64_t offset, uint64_t size,
		      bool compressed)
{
	struct datfile_place place = { buffer, cpu, offset, size, compressed };

	if (cpu > INT32_MAX)
		c->info->plain = false;
	if (size)
		g_array_append_val(c->info->places, place);
}

/* A section begins with its id and flags. */
static bool is_compressed(struct cursor *c, uint64_t section)
{
	uint64_t pos = c->pos;
	uint16_t flags;

	c->pos = section;
	skip(c, 2);
	flags = get_u16(c);
	c->pos = pos;
	return flags & SECTION_COMPRESSED;
}

/* after the header: size in the file, unpacked size */
static void check_section(struct cursor *c, uint64_t section)
{
	uint64_t pos = c->pos;
	uint32_t packed, size;

	if (!is_compressed(c, section))
		return;
	c->pos = section;
	skip(c, SECTION_HEADER);
	packed = get_u32(c);
	size = get_u32(c);
	if (size > MAX_SECTION)
		fatal("%s: corrupted: its tables at byte %" PRIu64 " claim to unpack to %" PRIu32 " bytes; record the trace again",
		      c->path, section, size);
	skip(c, packed);
	c->pos = pos;
}

static void note_name(struct cursor *c, const char *name)
{
	if (!*name)
		return;
	c->buffers++;
	g_ptr_array_add(c->info->names, g_strdup(name));
}

/* version 7: offset of its section, name, clock, page size, CPU count, { CPU, offset, size } */
static void walk_buffer_option(struct cursor *c)
{
	char name[MAX_STRING], clock[MAX_STRING];
	uint64_t offset, size, total = 0, section = get_u64(c);
	bool compressed = is_compressed(c, section);
	uint32_t cpus, cpu;

	get_string(c, name);
	get_string(c, clock);
	skip(c, 4);
	c->trace_data = true;
	note_name(c, name);
	for (cpus = get_u32(c); cpus; cpus--) {
		cpu = get_u32(c);
		offset = get_u64(c);
		size = get_u64(c);
		check_extent(c, offset, size);
		add_place(c, *name ? c->buffers : 0, cpu, offset, size, compressed);
		total |= size;
	}
	if (total && *clock)
		note_buffer_clock(c, clock);
}

/* longer texts are damage */
#define MAX_STAT	4096

static void get_stat(struct cursor *c, uint32_t size)
{
	char text[MAX_STAT + 1] = "";

	if (size > MAX_STAT)
		return;
	get_bytes(c, text, size);
	cpustats_add(c->info->stats, text, &c->stat_buffer);
}

/* version 6: offset of its tables, name; libtracecmd checks the tables */
static void get_buffer_name(struct cursor *c)
{
	char name[MAX_STRING];

	skip(c, 8);
	get_string(c, name);
	note_name(c, name);
}

/* Options whose size libtracecmd takes for granted, and undefined options. */
static void note_odd(struct cursor *c, unsigned int id, uint32_t size)
{
	struct datfile *info = c->info;
	bool odd = id > OPTION_LAST;

	if (id == OPTION_CPUCOUNT)
		odd = size != sizeof(uint32_t) || get_u32(c) > DATFILE_CPUS_MAX;
	if (!odd || info->odd_option)
		return;
	info->odd_option = id;
	info->odd_size = size;
}

static void walk_option(struct cursor *c, unsigned int id, uint32_t size, bool sections)
{
	uint64_t end;

	skip(c, size);
	end = c->pos;
	c->pos -= size;
	if (id == OPTION_DATE || id == OPTION_OFFSET || id == OPTION_TIME_SHIFT ||
	    id == OPTION_TSC2NSEC || (id == OPTION_BUFFER && !sections))
		c->info->plain = false;
	c->texts |= id == OPTION_BUFFER_TEXT;
	c->info->traceclock |= id == OPTION_TRACECLOCK;
	note_odd(c, id, size);
	c->pos = end - size;
	if (id == OPTION_CPUSTAT)
		get_stat(c, size);
	else if (id == OPTION_TSC2NSEC)
		c->info->tsc_to_ns = true;
	else if (id == OPTION_TRACECLOCK && sections)
		get_clock_text(c, size);
	else if (id == OPTION_TRACECLOCK)
		c->clock_follows = true;
	else if (id == OPTION_BUFFER && sections)
		walk_buffer_option(c);
	else if (id == OPTION_BUFFER)
		get_buffer_name(c);
	else if (id >= OPTION_STRINGS && id <= OPTION_BUFFER_TEXT && sections)
		check_section(c, get_u64(c));
	c->pos = end;
}

/*
 * Sections of options form a chain, each with the offset of the next. The chain of a
 * damaged file may be a ring: no valid file has this many.
 */
#define MAX_OPTION_SECTIONS	1024

/* get_packed_size - the compressed size, if it is there */
static uint64_t get_packed_size(struct cursor *c, uint64_t size)
{
	uint32_t packed, unpacked;

	if (c->size - c->pos < sizeof(packed) + sizeof(unpacked))
		return size;
	packed = get_u32(c);
	unpacked = get_u32(c);
	return MAX(packed, unpacked) > INT32_MAX ? UINT64_MAX : packed;
}

/*
 * libtracecmd searches all sections, one after the other, for strings. It reads their sizes
 * as signed numbers: a negative one would make it loop forever, and one of strings would
 * make it write out of bounds.
 */
static void walk_sizes(struct cursor *c)
{
	c->where = "sections";
	while (c->size - c->pos >= SECTION_HEADER) {
		uint64_t section = c->pos, size;
		bool strings = get_u16(c) == OPTION_STRINGS;
		bool packed = get_u16(c) & SECTION_COMPRESSED;

		skip(c, 4);		/* description */
		size = get_u64(c);
		if (strings && packed)
			size = get_packed_size(c, size);
		if (size > (strings ? INT32_MAX : INT64_MAX))
			fatal("%s: corrupted: its section at byte %" PRIu64 " claims %" PRIu64 " bytes; record the trace again",
			      c->path, section, size);
		/* an incomplete section is not needed, or reported by name */
		if (size > c->size - c->pos)
			return;
		c->pos += size;
	}
}

static void walk_sections(struct cursor *c)
{
	char text[MAX_STRING];
	uint64_t next;

	c->where = "file header";
	get_string(c, text);		/* name and version of the compression */
	if (strcmp(text, "none") && strcmp(text, "zstd"))
		c->info->plain = false;
	get_string(c, text);
	c->where = "options";
	next = get_u64(c);
	walk_sizes(c);
	c->where = "options";
	for (int sections = 0; next; sections++) {
		unsigned int id;

		if (sections == MAX_OPTION_SECTIONS)
			fatal("%s: corrupted: its option sections form a ring; record the trace again",
			      c->path);
		c->pos = next;
		if (get_u16(c) != OPTION_DONE)
			fatal("%s: truncated or corrupted: no options at byte %" PRIu64 "; record the trace again and let trace-cmd finish",
			      c->path, next);
		skip(c, 14);		/* flags, description, size */
		while ((id = get_u16(c)) != OPTION_DONE)
			walk_option(c, id, get_u32(c), true);
		skip(c, 4);
		next = get_u64(c);
	}
}

static void expect(struct cursor *c, const char *tag, size_t len)
{
	char text[MAX_STRING];

	get_bytes(c, text, len);
	if (memcmp(text, tag, len))
		fatal("%s: corrupted: no %s at byte %" PRIu64 "; record the trace again",
		      c->path, tag, c->pos - len);
}

static void skip_counted_formats(struct cursor *c)
{
	for (uint32_t count = get_u32(c); count; count--)
		skip(c, get_u64(c));
}

static void skip_formats(struct cursor *c)
{
	char text[MAX_STRING];

	c->where = "page and event headers";
	expect(c, "header_page", sizeof("header_page"));
	skip(c, get_u64(c));
	expect(c, "header_event", sizeof("header_event"));
	skip(c, get_u64(c));
	c->where = "event formats";
	skip_counted_formats(c);
	for (uint32_t systems = get_u32(c); systems; systems--) {
		get_string(c, text);
		skip_counted_formats(c);
	}
}

static void skip_symbols(struct cursor *c)
{
	c->where = "kernel symbols";
	skip(c, get_u32(c));
	c->where = "printk formats";
	skip(c, get_u32(c));
	c->where = "command names";
	skip(c, get_u64(c));
}

/* trace-cmd copies the events of one CPU after the other, and then writes their offsets. */
static _Noreturn void unfinished(const struct cursor *c)
{
	fatal("%s: trace-cmd has not finished writing it: wait until it has, or record the trace again",
	      c->path);
}

static void walk_flyrecord(struct cursor *c, uint32_t cpus)
{
	c->where = "tables of the CPUs";
	c->trace_data = true;
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		uint64_t offset = get_u64(c), size = get_u64(c);

		if (!offset)
			unfinished(c);
		check_extent(c, offset, size);
		add_place(c, 0, cpu, offset, size, false);
	}
	if (c->clock_follows)
		get_clock_text(c, get_u64(c));
}

static void walk_linear(struct cursor *c)
{
	char tag[TAG_LEN];
	unsigned int id;
	uint32_t cpus;

	skip_formats(c);
	skip_symbols(c);
	c->where = "options";
	cpus = get_u32(c);
	get_bytes(c, tag, TAG_LEN);
	if (!memcmp(tag, "options  ", TAG_LEN)) {
		while ((id = get_u16(c)) != OPTION_DONE)
			walk_option(c, id, get_u32(c), false);
		get_bytes(c, tag, TAG_LEN);
	}
	if (!memcmp(tag, "flyrecord", TAG_LEN))
		walk_flyrecord(c, cpus);
}

/* check_page_size - the library divides by it and uses it to map the file */
static void check_page_size(struct cursor *c)
{
	uint32_t page_size = get_u32(c);

	if (page_size < MIN_PAGE_SIZE || page_size > MAX_PAGE_SIZE ||
	    (page_size & (page_size - 1)))
		fatal("%s: corrupted: the page size is %" PRIu32 " bytes; record the trace again",
		      c->path, page_size);
	c->info->page_size = page_size;
}

/* Versions are numbers; anything else is damage that libtracecmd would read as version 0. */
static void leave_to_library(struct cursor *c, const char *version)
{
	if (!*version || strlen(version) >= VERSION_LEN ||
	    strspn(version, "0123456789") != strlen(version))
		fatal("%s: corrupted: '%s' is no version of trace.dat; record the trace again",
		      c->path, version);
	strcpy(c->info->unknown_version, version);
	c->info->plain = false;
}

/* Report the type of file, from its first bytes, and the remedy. */
static _Noreturn void not_a_trace(const struct cursor *c, const char magic[MAGIC_LEN])
{
	static const struct { const char *bytes; size_t len; const char *what; } known[] = {
		{ "\x1f\x8b", 2, "compressed by gzip: unpack it first ('gunzip')" },
		{ "\x28\xb5\x2f\xfd", 4, "compressed by zstd: unpack it first ('unzstd')" },
		{ "\xfd" "7zXZ", 5, "compressed by xz: unpack it first ('unxz')" },
		{ "BZh", 3, "compressed by bzip2: unpack it first ('bunzip2')" },
		{ "\x04\x22\x4d\x18", 4, "compressed by lz4: unpack it first ('unlz4')" },
		{ "PK\x03\x04", 4, "a zip archive: unpack it first ('unzip')" },
		{ "PERFILE2", 8, "a perf.data file: record with 'gvt-stat record' or 'trace-cmd record -e gvt'" },
		{ "2ELIFREP", 8, "a perf.data file: record with 'gvt-stat record' or 'trace-cmd record -e gvt'" },
		{ "tracing\0", 8, "trace-cmd's data without its header: let trace-cmd finish, or restore it ('trace-cmd restore')" },
	};
	size_t len;

	for (size_t nr = 0; nr < G_N_ELEMENTS(known); nr++)
		if (!memcmp(magic, known[nr].bytes, known[nr].len))
			fatal("%s: not a trace.dat file, but %s", c->path, known[nr].what);
	for (len = 0; len < MAGIC_LEN && (g_ascii_isprint(magic[len]) || g_ascii_isspace(magic[len])); )
		len++;
	if (len == MAGIC_LEN)
		fatal("%s: not a trace.dat file, but text, as 'trace-cmd report' or tracefs prints it: give the trace.dat file itself, or record one with 'trace-cmd record -e gvt'",
		      c->path);
	fatal("%s: not a trace.dat file: record one with 'trace-cmd record -e gvt'", c->path);
}

static void get_magic(struct cursor *c)
{
	char magic[MAGIC_LEN];

	c->where = "file header";
	if (c->size < MAGIC_LEN)
		fatal("%s: not a trace.dat file (%" PRIu64 " bytes): record one with 'trace-cmd record -e gvt'",
		      c->path, c->size);
	get_bytes(c, magic, MAGIC_LEN);
	if (memcmp(magic, MAGIC, MAGIC_LEN))
		not_a_trace(c, magic);
}

static void get_machine(struct cursor *c)
{
	unsigned char endian, long_size;

	get_bytes(c, &endian, 1);
	get_bytes(c, &long_size, 1);
	if (endian > 1 || (long_size != 4 && long_size != 8))
		fatal("%s: corrupted: byte order %u, long size %u; record the trace again",
		      c->path, endian, long_size);
	c->big_endian = endian;
	c->info->big_endian = endian;
	c->info->long_size = long_size;
	check_page_size(c);
}

static void walk(struct cursor *c)
{
	char version[MAX_STRING];

	get_magic(c);
	get_string(c, version);
	if (strcmp(version, "6") && strcmp(version, "7")) {
		leave_to_library(c, version);
		return;
	}
	get_machine(c);
	if (*version == '7')
		walk_sections(c);
	else
		walk_linear(c);
	if (!c->trace_data && *version == '7' && !c->texts)
		unfinished(c);
	if (!c->trace_data)
		fatal("%s: holds no events but the text of a latency tracer; record with 'trace-cmd record -e gvt'",
		      c->path);
}

/* Opening a FIFO, or some devices, would block until the other end is opened. */
static int open_regular(const char *path, uint64_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		fatal("%s: cannot open: %s%s", path, strerror(errno),
		      errno == ENOENT ? "; name a trace, or record one with 'gvt-stat record'" : "");
	if (!S_ISREG(st.st_mode))
		fatal("%s: not a regular file: name a trace recorded by trace-cmd with -i FILE; what comes through a pipe must be saved first, as it is read more than once",
		      path);
	*size = st.st_size;
	return fd;
}

void datfile_check(const char *path, struct datfile *info)
{
	struct cursor c = { .path = path, .info = info, .stat_buffer = g_strdup("") };

	*info = (struct datfile) {
		.clock = "",
		.plain = true,
		.places = g_array_new(FALSE, FALSE, sizeof(struct datfile_place)),
		.names = g_ptr_array_new_with_free_func(g_free),
		.stats = cpustats_new(),
	};
	g_ptr_array_add(info->names, g_strdup(""));
	c.fd = open_regular(path, &c.size);
	info->size = c.size;
	walk(&c);
	close(c.fd);
	g_free(c.stat_buffer);
}

void datfile_clear(struct datfile *info)
{
	g_array_free(info->places, TRUE);
	g_ptr_array_unref(info->names);
	g_array_unref(info->stats);
}
