// SPDX-License-Identifier: GPL-2.0-or-later
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/util.h"
#include "datwrite.h"
#include "formats.h"
#include "newfile.h"
#include "preset.h"

/* TRACECMD_OPTION_* of trace-cmd */
enum dat_option {
	OPTION_END = 0,
	OPTION_CPUSTAT = 2,
	OPTION_CLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_VERSION = 9,
};

static void put_u16(GByteArray *out, uint16_t value)
{
	g_byte_array_append(out, (uint8_t *)&value, sizeof(value));
}

static void put_u32(GByteArray *out, uint32_t value)
{
	g_byte_array_append(out, (uint8_t *)&value, sizeof(value));
}

static void put_u64(GByteArray *out, uint64_t value)
{
	g_byte_array_append(out, (uint8_t *)&value, sizeof(value));
}

static void put_string(GByteArray *out, const char *text)
{
	g_byte_array_append(out, (const uint8_t *)text, strlen(text) + 1);
}

static void put_sized(GByteArray *out, const char *text)
{
	put_u64(out, strlen(text));
	g_byte_array_append(out, (const uint8_t *)text, strlen(text));
}

static char *read_text(const char *tracing, const char *file)
{
	char *text = NULL, *path;

	if (!tracing)
		return formats_read(file);
	path = g_build_filename(tracing, file, NULL);
	g_file_get_contents(path, &text, NULL, NULL);
	g_free(path);
	return text;
}

static char *read_needed(const char *tracing, const char *file)
{
	char *text = read_text(tracing, file);

	if (!text)
		fatal("%s/%s: cannot be read; is this tracefs?", tracing, file);
	return text;
}

size_t datwrite_page_size(const char *tracing)
{
	char *text = read_needed(tracing, "events/header_page");
	const char *data = strstr(text, " data;");
	unsigned int offset, size;

	if (!data || sscanf(data, " data; offset:%u; size:%u;", &offset, &size) != 2 ||
	    offset + size < 4096 || offset + size > 1 << 20)
		fatal("%s/events/header_page: not understood", tracing);
	g_free(text);
	return offset + size;
}

int datwrite_buffer(const char *output)
{
	char *dir = g_path_get_dirname(output);
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0 && errno != ENOENT && errno != EACCES) {
		char *name = g_build_filename(dir, "gvt-stat.XXXXXX", NULL);

		fd = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0600);
		if (fd >= 0)
			unlink(name);
		g_free(name);
	}
	if (fd < 0)
		fatal("%s: cannot write there: %s", output, strerror(errno));
	g_free(dir);
	return fd;
}

static void put_header(GByteArray *out, const char *file, const char *tracing)
{
	char *path = g_build_filename("events", file, NULL);
	char *text = read_needed(tracing, path);

	put_string(out, file);
	put_sized(out, text);
	g_free(text);
	g_free(path);
}

static void put_format(GByteArray *out, const char *tracing, const char *system,
		       const char *event)
{
	char *path = g_build_filename("events", system, event, "format", NULL);
	char *text = read_needed(tracing, path);

	put_sized(out, text);
	g_free(text);
	g_free(path);
}

/* the system is added for its first event only */
static bool is_first_of_system(const GPtrArray *events, unsigned int nr)
{
	const struct preset_event *event = events->pdata[nr];

	for (unsigned int before = 0; before < nr; before++) {
		const struct preset_event *other = events->pdata[before];

		if (!strcmp(other->system, event->system))
			return false;
	}
	return true;
}

static void put_system(GByteArray *out, const struct datwrite *trace, const char *system)
{
	GByteArray *formats = g_byte_array_new();
	uint32_t count = 0;

	for (unsigned int nr = 0; nr < trace->events->len; nr++) {
		const struct preset_event *event = trace->events->pdata[nr];

		if (strcmp(event->system, system))
			continue;
		put_format(formats, trace->tracing, system, event->event);
		count++;
	}
	put_string(out, system);
	put_u32(out, count);
	g_byte_array_append(out, formats->data, formats->len);
	g_byte_array_free(formats, TRUE);
}

static void put_formats(GByteArray *out, const struct datwrite *trace)
{
	uint32_t systems = 0;

	put_header(out, "header_page", trace->tracing);
	put_header(out, "header_event", trace->tracing);
	put_u32(out, 1);		/* one format of ftrace's own events */
	put_format(out, trace->tracing, "ftrace", "print");
	for (unsigned int nr = 0; nr < trace->events->len; nr++)
		systems += is_first_of_system(trace->events, nr);
	put_u32(out, systems);
	for (unsigned int nr = 0; nr < trace->events->len; nr++) {
		const struct preset_event *event = trace->events->pdata[nr];

		if (is_first_of_system(trace->events, nr))
			put_system(out, trace, event->system);
	}
}

static void put_option(GByteArray *out, enum dat_option id, const char *text)
{
	put_u16(out, id);
	put_u32(out, strlen(text) + 1);
	put_string(out, text);
}

/* The statistics distinguish an idle CPU from one with lost events. */
static void put_stats(GByteArray *out, const struct datwrite *trace)
{
	for (int cpu = 0; trace->stats && cpu < trace->cpus; cpu++) {
		char *text;

		if (!trace->stats[cpu])
			continue;
		text = g_strdup_printf("CPU: %d\n%s", cpu, trace->stats[cpu]);
		put_option(out, OPTION_CPUSTAT, text);
		g_free(text);
	}
}

static void put_options(GByteArray *out, const struct datwrite *trace, const char *clock)
{
	g_byte_array_append(out, (const uint8_t *)"options  ", 10);
	put_option(out, OPTION_CLOCK, clock);
	put_option(out, OPTION_UNAME, trace->uname);
	put_option(out, OPTION_VERSION, "gvt-stat " GVT_STAT_VERSION);
	put_stats(out, trace);
	put_u16(out, OPTION_END);
}

static uint64_t file_size(int fd)
{
	struct stat st;

	return fd < 0 || fstat(fd, &st) ? 0 : st.st_size;
}

static uint64_t align(uint64_t offset, uint64_t page_size)
{
	return (offset + page_size - 1) / page_size * page_size;
}

/* offset and size of each CPU's pages; @end: end of the preceding data */
static void put_table(GByteArray *out, const struct datwrite *trace, uint64_t end,
		      uint64_t page_size)
{
	uint64_t offset = align(end, page_size);

	for (int cpu = 0; cpu < trace->cpus; cpu++) {
		uint64_t size = file_size(trace->pages[cpu]);

		put_u64(out, offset);
		put_u64(out, size);
		offset = align(offset + size, page_size);
	}
}

static void put_head(GByteArray *out, const struct datwrite *trace, uint64_t page_size)
{
	const bool big_endian = __BYTE_ORDER == __BIG_ENDIAN;
	const uint8_t machine[2] = { big_endian, sizeof(long) };
	char *clock = g_strdup_printf("[%s]", trace->clock);
	char *names = read_text(trace->tracing, "saved_cmdlines");

	g_byte_array_append(out, (const uint8_t *)"\x17\x08\x44tracing6", 12);
	g_byte_array_append(out, machine, sizeof(machine));
	put_u32(out, page_size);
	put_formats(out, trace);
	put_u32(out, 0);		/* symbols: no event here needs them */
	put_u32(out, 0);		/* printk formats: neither */
	put_sized(out, names ? names : "");
	put_u32(out, trace->cpus);
	put_options(out, trace, clock);
	g_byte_array_append(out, (const uint8_t *)"flyrecord", 10);
	put_table(out, trace, out->len + 16ull * trace->cpus + 8 + strlen(clock), page_size);
	put_sized(out, clock);
	g_free(names);
	g_free(clock);
}

static int write_all(int fd, const uint8_t *data, size_t len)
{
	while (len) {
		ssize_t done = write(fd, data, len);

		if (done < 0 && errno != EINTR)
			return errno;
		if (done > 0) {
			data += done;
			len -= done;
		}
	}
	return 0;
}

static int copy_file(int from, int to)
{
	off_t offset = 0;

	for (uint64_t left = file_size(from); left; ) {
		ssize_t done = sendfile(to, from, &offset, left);

		if (done < 0 && errno != EINTR)
			return errno;
		if (!done)
			return EIO;
		left -= done > 0 ? done : 0;
	}
	return 0;
}

static int copy_pages(const struct datwrite *trace, int fd, uint64_t page_size)
{
	int error = 0;

	for (int cpu = 0; !error && cpu < trace->cpus; cpu++) {
		off_t place = align(lseek(fd, 0, SEEK_END), page_size);

		if (!file_size(trace->pages[cpu]))
			continue;
		if (ftruncate(fd, place) || lseek(fd, place, SEEK_SET) < 0)
			return errno;
		error = copy_file(trace->pages[cpu], fd);
	}
	return error;
}

int datwrite(const struct datwrite *trace, int fd)
{
	uint64_t page_size = datwrite_page_size(trace->tracing);
	GByteArray *head = g_byte_array_new();
	int error;

	put_head(head, trace, page_size);
	error = write_all(fd, head->data, head->len);
	g_byte_array_free(head, TRUE);
	if (!error)
		error = copy_pages(trace, fd, page_size);
	if (!error && fsync(fd) && errno != EINVAL && errno != EROFS)
		error = errno;
	return error;
}

int datwrite_file(const struct datwrite *trace, const char *path)
{
	struct newfile file;
	int error = newfile_open(&file, path);

	if (error)
		return error;
	error = datwrite(trace, fileno(file.stream));
	if (error)
		newfile_discard(&file);
	else
		error = newfile_close(&file);
	return error;
}
