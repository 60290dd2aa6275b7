// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mktrace - write a trace.dat (version 6, uncompressed) from a description
 *
 *   mktrace [-B] [-F DIRECTORY]... [-P BYTES] -o FILE <description
 *
 * DIRECTORY holds event formats as tracefs has them: SYSTEM/EVENT/format, or
 * flat, SYSTEM/EVENT.format; -B writes what a machine of big byte order would, -P pages of so
 * many bytes, as of larger sub-buffers. One line of the description is one of
 *
 *   clock NAME              trace clock (local)
 *   tsc2nsec MULT SHIFT     how to turn cycles into nanoseconds
 *   option ID TEXT          an option of the file, of whatever meaning
 *   cpus N                  number of CPUs (1); before the first event
 *   buffer NAME             what follows is in this instance; "top" is the top one
 *   page CPU                begin a new page of the ring buffer; its times may be earlier
 *   stat CPU NAME=VALUE...  what the kernel counted of the CPU's ring at the end, as trace-cmd
 *                           keeps it: entries, overrun, commit, oldest (SECONDS.MICROSECONDS),
 *                           dropped, read; those not given are 0
 *   lost CPU [COUNT]        events were lost here; without COUNT, unknown how many
 *   TIME CPU EVENT FIELD=VALUE...   an event; fields not given are 0
 *                           TIME is a whole number of ns, or with a suffix us, ms, s;
 *                           !BYTES among the fields cuts the record to that length
 *   # comment
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>
#include <glib.h>

#include "trace/encode.h"
#include "trace/inside.h"
#include "trace/pages.h"
#include "trace/util.h"

#define OPTION_CPUSTAT	2
#define OPTION_BUFFER	3
#define OPTION_CLOCK	4
#define OPTION_TSC2NSEC	14

#define LINE_LEN	4096

struct option {
	uint16_t id;
	char *text;
};

struct buffer {
	char *name;			/* "": top */
	struct pages *rings;
	size_t offset_pos;		/* where its option holds its place in the file */
};

static struct tep_handle *tep;
static GPtrArray *systems;		/* of char *, sorted */
static GHashTable *formats;		/* system -> GPtrArray of char * */
static GPtrArray *buffers;
static struct buffer *current;
static char *trace_clock;
static GPtrArray *options;		/* struct option * */
static bool big_endian;
static size_t page_size = PAGES_SIZE;
static uint32_t tsc_mult, tsc_shift;
static int cpus = 1;
static int line_nr;
static GByteArray *out;

_Noreturn static void bad_line(const char *what, const char *which)
{
	fatal("line %d: %s%s%s", line_nr, what, *which ? ": " : "", which);
}

/* takes @path */
static void add_format(const char *system, char *path)
{
	GPtrArray *list = g_hash_table_lookup(formats, system);
	char *text;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		fatal("cannot read %s", path);
	if (tep_parse_event(tep, text, strlen(text), system))
		fatal("cannot parse %s", path);
	g_free(path);
	if (!list) {
		list = g_ptr_array_new();
		g_hash_table_insert(formats, g_strdup(system), list);
		g_ptr_array_add(systems, g_strdup(system));
	}
	g_ptr_array_add(list, text);
}

static gint compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* sorted, so that the same description always makes the same file */
static GPtrArray *list_directory(const char *path)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		g_ptr_array_add(names, g_strdup(name));
	if (dir)
		g_dir_close(dir);
	g_ptr_array_sort(names, compare_texts);
	return names;
}

static void add_system(const char *directory, const char *system)
{
	char *path = g_build_filename(directory, system, NULL);
	GPtrArray *names = list_directory(path);

	for (unsigned int nr = 0; nr < names->len; nr++) {
		const char *name = names->pdata[nr];

		if (g_str_has_suffix(name, ".format"))
			add_format(system, g_build_filename(path, name, NULL));
		else
			add_format(system, g_build_filename(path, name, "format", NULL));
	}
	g_ptr_array_unref(names);
	g_free(path);
}

static void add_formats(const char *directory)
{
	GPtrArray *names = list_directory(directory);

	if (!names->len)
		fatal("no event formats in %s", directory);
	for (unsigned int nr = 0; nr < names->len; nr++)
		add_system(directory, names->pdata[nr]);
	g_ptr_array_unref(names);
}

static struct buffer *get_buffer(const char *name)
{
	struct buffer *buffer;

	for (unsigned int nr = 0; nr < buffers->len; nr++) {
		buffer = buffers->pdata[nr];
		if (!strcmp(buffer->name, name))
			return buffer;
	}
	buffer = g_new0(struct buffer, 1);
	buffer->name = g_strdup(name);
	buffer->rings = g_new0(struct pages, cpus);
	for (int cpu = 0; cpu < cpus; cpu++) {
		buffer->rings[cpu].data = g_byte_array_new();
		buffer->rings[cpu].big_endian = big_endian;
	}
	g_ptr_array_add(buffers, buffer);
	return buffer;
}

static uint64_t parse_number(const char *text)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = *text == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
	if (errno || end == text || *end)
		bad_line("no number", text);
	return value;
}

static uint64_t parse_time(char *text)
{
	static const struct { const char *suffix; uint64_t ns; } units[] = {
		{ "us", 1000 }, { "ms", 1000000 }, { "ns", 1 }, { "s", 1000000000 },
	};

	for (size_t nr = 0; nr < G_N_ELEMENTS(units); nr++) {
		if (!g_str_has_suffix(text, units[nr].suffix))
			continue;
		text[strlen(text) - strlen(units[nr].suffix)] = '\0';
		return parse_number(text) * units[nr].ns;
	}
	return parse_number(text);
}

static void set_number(void *to, uint64_t value, size_t size)
{
	pages_set_number(to, value, size, big_endian);
}

static struct pages *get_ring(const char *cpu)
{
	uint64_t nr = parse_number(cpu);

	if (nr >= (uint64_t)cpus)
		bad_line("no such CPU", cpu);
	if (!current)
		current = get_buffer("");
	return &current->rings[nr];
}

/* what comes after these, of a mark's text, is one word: '~' stands for a space */
static void restore_spaces(const struct tep_event *event, char **words, int count)
{
	for (int nr = 0; nr < count && !strcmp(event->name, "print"); nr++)
		g_strdelimit(words[nr], "~", ' ');
}

static void add_event(char **words, int count)
{
	uint64_t ts = parse_time(words[0]);
	struct pages *ring = get_ring(words[1]);
	struct tep_event *event = tep_find_event_by_name(tep, NULL, words[2]);
	struct encoded record;

	if (!event)
		bad_line("no format of event", words[2]);
	restore_spaces(event, words + 3, count - 3);
	if (!encode_event(&record, event, words + 3, count - 3, big_endian))
		bad_line(record.problem, record.of);
	for (int nr = 3; nr < count; nr++)
		if (*words[nr] == '!')
			record.len = MIN(record.len, parse_number(words[nr] + 1));
	if (!pages_add(ring, ts, record.data, record.len))
		bad_line("time runs backwards on this CPU", "");
}

static void mark_lost(char **words, int count)
{
	pages_mark_lost(get_ring(words[1]), count > 2 ? parse_number(words[2]) : 0);
}

static void add_option(char **words)
{
	struct option *option = g_new(struct option, 1);

	option->id = parse_number(words[1]);
	option->text = g_strdup(words[2]);
	g_ptr_array_add(options, option);
}

static const char *value_of(char **words, int count, const char *name)
{
	for (int nr = 0; nr < count; nr++)
		if (g_str_has_prefix(words[nr], name) && words[nr][strlen(name)] == '=')
			return words[nr] + strlen(name) + 1;
	return "0";
}

/* as the kernel's per_cpu/cpuN/stats has it, behind the line that trace-cmd puts before it */
static void add_stat(char **words, int count)
{
	static const struct { const char *name, *line; } lines[] = {
		{ "entries", "entries" }, { "overrun", "overrun" }, { "commit", "commit overrun" },
		{ "bytes", "bytes" }, { "oldest", "oldest event ts" }, { "now", "now ts" },
		{ "dropped", "dropped events" }, { "read", "read events" },
	};
	GString *text = g_string_new(NULL);
	struct option *option = g_new(struct option, 1);

	if (current && *current->name)
		g_string_printf(text, "\nBuffer: %s\n\n", current->name);
	g_string_append_printf(text, "CPU: %s\n", words[1]);
	for (size_t nr = 0; nr < G_N_ELEMENTS(lines); nr++)
		g_string_append_printf(text, "%s: %s\n", lines[nr].line,
				       value_of(words + 2, count - 2, lines[nr].name));
	option->id = OPTION_CPUSTAT;
	option->text = g_string_free(text, FALSE);
	g_ptr_array_add(options, option);
}

static void set_option(char **words, int count)
{
	if (!strcmp(words[0], "clock") && count == 2)
		trace_clock = g_strdup(words[1]);
	else if (!strcmp(words[0], "tsc2nsec") && count == 3) {
		tsc_mult = parse_number(words[1]);
		tsc_shift = parse_number(words[2]);
	} else if (!strcmp(words[0], "option") && count == 3)
		add_option(words);
	else if (!strcmp(words[0], "cpus") && count == 2 && !buffers->len)
		cpus = parse_number(words[1]);
	else if (!strcmp(words[0], "buffer") && count == 2)
		current = get_buffer(strcmp(words[1], "top") ? words[1] : "");
	else if (!strcmp(words[0], "page") && count == 2)
		pages_end_page(get_ring(words[1]));
	else if (!strcmp(words[0], "stat") && count >= 2)
		add_stat(words, count);
	else if (!strcmp(words[0], "lost") && count >= 2)
		mark_lost(words, count);
	else
		bad_line("not understood", words[0]);
}

static void read_line(char *line)
{
	char *words[64];
	int count = 0;

	line_nr++;
	line[strcspn(line, "#\n")] = '\0';
	for (char *word = strtok(line, " \t"); word && count < 64; word = strtok(NULL, " \t"))
		words[count++] = word;
	if (!count)
		return;
	if (isdigit((unsigned char)*words[0]) && count >= 3)
		add_event(words, count);
	else
		set_option(words, count);
}

static void put(const void *data, size_t len)
{
	g_byte_array_append(out, data, len);
}

static void put_number(uint64_t value, size_t size)
{
	uint8_t bytes[8];

	set_number(bytes, value, size);
	put(bytes, size);
}

static void put_u16(uint16_t value)
{
	put_number(value, sizeof(value));
}

static void put_u32(uint32_t value)
{
	put_number(value, sizeof(value));
}

static void put_u64(uint64_t value)
{
	put_number(value, sizeof(value));
}

static void put_string(const char *text)
{
	put(text, strlen(text) + 1);
}

static void put_sized(const char *text)
{
	put_u64(strlen(text));
	put(text, strlen(text));
}

/* libtracecmd takes the size of what is on a page from there */
static void put_header_page(void)
{
	static const char usual[] = "size:4080;";
	int before = strstr(pages_header_page, usual) - pages_header_page;
	char *text = g_strdup_printf("%.*ssize:%zu;%s", before, pages_header_page, page_size - 16,
				     pages_header_page + before + strlen(usual));

	put_sized(text);
	g_free(text);
}

static void put_formats(void)
{
	put_string("header_page");
	put_header_page();
	put_string("header_event");
	put_sized(pages_header_event);
	put_u32(0);			/* formats of ftrace's own events */
	put_u32(systems->len);
	for (unsigned int nr = 0; nr < systems->len; nr++) {
		GPtrArray *list = g_hash_table_lookup(formats, systems->pdata[nr]);

		put_string(systems->pdata[nr]);
		put_u32(list->len);
		for (unsigned int pos = 0; pos < list->len; pos++)
			put_sized(list->pdata[pos]);
	}
}

static void put_option(uint16_t id, uint32_t size)
{
	put_u16(id);
	put_u32(size);
}

static void put_options(const char *clock)
{
	put("options  ", 10);
	put_option(OPTION_CLOCK, strlen(clock) + 1);
	put_string(clock);
	if (tsc_mult) {
		put_option(OPTION_TSC2NSEC, 16);
		put_u32(tsc_mult);
		put_u32(tsc_shift);
		put_u64(0);
	}
	for (unsigned int nr = 0; nr < options->len; nr++) {
		const struct option *option = options->pdata[nr];

		put_option(option->id, strlen(option->text) + 1);
		put_string(option->text);
	}
	for (unsigned int nr = 0; nr < buffers->len; nr++) {
		struct buffer *buffer = buffers->pdata[nr];

		if (!*buffer->name)
			continue;
		put_option(OPTION_BUFFER, 8 + strlen(buffer->name) + 1);
		buffer->offset_pos = out->len;
		put_u64(0);
		put_string(buffer->name);
	}
	put_u16(0);
}

/* the table of a buffer's CPUs, to be filled in when its pages are placed */
static size_t put_table(void)
{
	size_t pos;

	put("flyrecord", 10);
	pos = out->len;
	for (int cpu = 0; cpu < cpus; cpu++) {
		put_u64(0);
		put_u64(0);
	}
	return pos;
}

static void align(void)
{
	while (out->len % page_size)
		put("", 1);
}

static void put_pages(const struct buffer *buffer, size_t table)
{
	for (int cpu = 0; cpu < cpus; cpu++) {
		struct pages *ring = &buffer->rings[cpu];
		size_t place = table + cpu * 16;

		pages_finish(ring);
		align();
		set_number(out->data + place, out->len, 8);
		set_number(out->data + place + 8, ring->data->len / PAGES_SIZE * page_size, 8);
		for (size_t at = 0; at < ring->data->len; at += PAGES_SIZE) {
			put(ring->data->data + at, PAGES_SIZE);
			align();
		}
	}
}

static void put_instance(const struct buffer *buffer)
{
	set_number(out->data + buffer->offset_pos, out->len, 8);
	put_pages(buffer, put_table());
}

static void put_file(void)
{
	struct buffer *top = get_buffer("");
	char *clock = g_strdup_printf("[%s]", trace_clock ? trace_clock : "local");
	size_t table;

	put("\x17\x08\x44tracing6", 12);
	put(big_endian ? "\1\x08" : "\0\x08", 2);	/* of 64 bits */
	put_u32(page_size);
	put_formats();
	put_u32(0);			/* kallsyms */
	put_u32(0);			/* printk formats */
	put_u64(0);			/* command names */
	put_u32(cpus);
	put_options(clock);
	table = put_table();
	put_sized(clock);
	g_free(clock);
	put_pages(top, table);
	for (unsigned int nr = 0; nr < buffers->len; nr++)
		if (buffers->pdata[nr] != top)
			put_instance(buffers->pdata[nr]);
}

int main(int argc, char **argv)
{
	const char *path = NULL;
	char line[LINE_LEN];
	int opt;

	message_program = "mktrace";
	tep = tep_alloc();
	systems = g_ptr_array_new();
	formats = g_hash_table_new(g_str_hash, g_str_equal);
	buffers = g_ptr_array_new();
	options = g_ptr_array_new();
	out = g_byte_array_new();
	while ((opt = getopt(argc, argv, "BF:o:P:")) != -1) {
		if (opt == 'B')
			big_endian = true;
		else if (opt == 'F')
			add_formats(optarg);
		else if (opt == 'o')
			path = optarg;
		else if (opt == 'P')
			page_size = MAX(atoi(optarg), PAGES_SIZE);
		else
			return EXIT_FAILURE;
	}
	if (!path)
		fatal("give -o FILE");
	while (fgets(line, sizeof(line), stdin))
		read_line(line);
	put_file();
	if (!g_file_set_contents(path, (const char *)out->data, out->len, NULL))
		fatal("cannot write %s", path);
	return EXIT_SUCCESS;
}
