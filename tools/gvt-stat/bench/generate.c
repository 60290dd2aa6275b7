// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * generate - write an uncompressed trace.dat of any length
 *
 *   generate TEMPLATE EVENTS FILE
 *
 * TEMPLATE is a version 6 file of one CPU with one page of records, as mktrace makes
 * them: queue, submit, start, stop and complete of a workload, and a switch. They are
 * repeated with new numbers and times, for two vGPUs in turn, 100 us per workload.
 * Memory does not grow with the length.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "trace/util.h"

#define PAGE_SIZE	4096
#define PAGE_HEADER	16
#define MAX_RECORDS	16
#define STEP_NS		16000
/* where the gvt_workload_* events and gvt_sched_switch have their fields */
#define AT_VGPU		12		/* prev_vgpu_id of a switch */
#define AT_WORKLOAD	16
#define AT_NEXT		16
#define SWITCH_SIZE	64		/* a switch is longer than any other event here */

struct record {
	const uint8_t *data;
	uint32_t words;
};

struct writer {
	FILE *out;
	uint8_t page[PAGE_SIZE];
	size_t used;
	uint64_t ts;			/* of the last event */
	uint64_t bytes;
};

static uint32_t get_u32(const uint8_t *data)
{
	uint32_t value;

	memcpy(&value, data, 4);
	return value;
}

/* the records of a page: type_len is the number of words */
static int read_records(const uint8_t *page, struct record *records)
{
	uint64_t commit;
	int count = 0;

	memcpy(&commit, page + 8, 8);
	for (size_t pos = PAGE_HEADER; pos < PAGE_HEADER + (commit & 0xfffff); ) {
		uint32_t words = get_u32(page + pos) & 31;

		if (!words || words > 28 || count == MAX_RECORDS)
			fatal("template: a record is not as expected");
		records[count++] = (struct record) { page + pos + 4, words };
		pos += 4 + words * 4;
	}
	return count;
}

static void flush_page(struct writer *writer)
{
	uint64_t commit = writer->used;

	if (!writer->used)
		return;
	memcpy(writer->page + 8, &commit, 8);
	if (fwrite(writer->page, PAGE_SIZE, 1, writer->out) != 1)
		fatal("cannot write: disk full?");
	writer->bytes += PAGE_SIZE;
	memset(writer->page, 0, PAGE_SIZE);
	writer->used = 0;
}

static void put_record(struct writer *writer, const struct record *record, uint64_t ts,
		       uint32_t vgpu, uint64_t workload)
{
	size_t size = 4 + record->words * 4;
	uint8_t *to;
	uint32_t head;

	if (PAGE_HEADER + writer->used + size > PAGE_SIZE)
		flush_page(writer);
	if (!writer->used) {
		memcpy(writer->page, &ts, 8);
		writer->ts = ts;
	}
	to = writer->page + PAGE_HEADER + writer->used;
	head = record->words | (uint32_t)(ts - writer->ts) << 5;
	memcpy(to, &head, 4);
	memcpy(to + 4, record->data, record->words * 4);
	if (record->words * 4 >= SWITCH_SIZE) {
		uint32_t prev = 3 - vgpu;

		memcpy(to + 4 + AT_VGPU, &prev, 4);
		memcpy(to + 4 + AT_NEXT, &vgpu, 4);
	} else {
		memcpy(to + 4 + AT_VGPU, &vgpu, 4);
		memcpy(to + 4 + AT_WORKLOAD, &workload, 8);
	}
	writer->used += size;
	writer->ts = ts;
}

/* "flyrecord" and a zero byte, then offset and size of the only CPU's pages */
static size_t find_table(const char *file, gsize size)
{
	const char *tag = memmem(file, size, "flyrecord", 10);

	if (!tag)
		fatal("template: no table of CPUs");
	return tag - file + 10;
}

int main(int argc, char **argv)
{
	struct record records[MAX_RECORDS];
	struct writer writer = { 0 };
	uint64_t events, place[2];
	char *file;
	gsize size;
	size_t table;
	int count;

	message_program = "generate";
	if (argc != 4)
		fatal("usage: generate TEMPLATE EVENTS FILE");
	if (!g_file_get_contents(argv[1], &file, &size, NULL))
		fatal("cannot read %s", argv[1]);
	events = strtoull(argv[2], NULL, 10);
	table = find_table(file, size);
	memcpy(place, file + table, 16);
	if (place[1] != PAGE_SIZE)
		fatal("template: it must have one page");
	count = read_records((uint8_t *)file + place[0], records);
	writer.out = fopen(argv[3], "wb");
	if (!writer.out || fwrite(file, place[0], 1, writer.out) != 1)
		fatal("cannot write %s", argv[3]);
	for (uint64_t nr = 0; nr < events; nr++)
		put_record(&writer, &records[nr % count], 1000000000 + nr * STEP_NS,
			   1 + nr / count % 2, 1 + nr / count);
	flush_page(&writer);
	place[1] = writer.bytes;
	if (fseek(writer.out, table, SEEK_SET) || fwrite(place, 16, 1, writer.out) != 1 ||
	    fclose(writer.out))
		fatal("cannot write %s", argv[3]);
	g_free(file);
	return EXIT_SUCCESS;
}
