// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "inside.h"
#include "pages.h"

#define PAGE_HEADER	16
#define PAGE_DATA	(PAGES_SIZE - PAGE_HEADER)
#define LOST_MARK	(1u << 31)
#define LOST_STORED	(1u << 30)

#define TYPE_LEN_MAX	28
#define TYPE_TIME_EXTEND 30
#define DELTA_BITS	27

const char pages_header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

const char pages_header_event[] =
	"# compressed entry header\n"
	"\ttype_len    :    5 bits\n"
	"\ttime_delta  :   27 bits\n"
	"\tarray       :   32 bits\n"
	"\n"
	"\tpadding     : type == 29\n"
	"\ttime_extend : type == 30\n"
	"\ttime_stamp : type == 31\n"
	"\tdata max type_len  == 28\n";

void pages_set_number(void *to, uint64_t value, size_t size, bool big_endian)
{
	uint8_t *bytes = to;

	for (size_t nr = 0; nr < size; nr++)
		bytes[big_endian ? size - 1 - nr : nr] = value >> 8 * nr;
}

static uint8_t *last_page(struct pages *pages)
{
	return pages->data->data + pages->data->len - PAGES_SIZE;
}

static void set_word(struct pages *pages, size_t at, uint64_t value)
{
	pages_set_number(last_page(pages) + at, value, 8, pages->big_endian);
}

/* the commit word: length of the data, and the loss mark */
static void set_commit(struct pages *pages)
{
	set_word(pages, 8, pages->used | (pages->lost_page ? LOST_MARK : 0));
}

/* The number of lost events follows the data, if there is room. */
static void store_lost_count(struct pages *pages)
{
	if (!pages->lost_page || !pages->page_count || pages->used + 8 > PAGE_DATA)
		return;
	set_word(pages, PAGE_HEADER + pages->used, pages->page_count);
	set_word(pages, 8, pages->used | LOST_MARK | LOST_STORED);
}

void pages_finish(struct pages *pages)
{
	if (pages->data->len)
		store_lost_count(pages);
}

static void new_page(struct pages *pages, uint64_t ts)
{
	pages_finish(pages);
	g_byte_array_set_size(pages->data, pages->data->len + PAGES_SIZE);
	memset(last_page(pages), 0, PAGES_SIZE);
	set_word(pages, 0, ts);
	pages->used = 0;
	pages->ts = ts;
	pages->lost_page = pages->lost;
	pages->page_count = pages->lost_count;
	pages->lost = false;
	set_commit(pages);
}

static void append(struct pages *pages, const void *data, size_t len)
{
	memcpy(last_page(pages) + PAGE_HEADER + pages->used, data, len);
	pages->used += len;
	set_commit(pages);
}

static void append_u32(struct pages *pages, uint32_t value)
{
	uint8_t bytes[4];

	pages_set_number(bytes, value, sizeof(bytes), pages->big_endian);
	append(pages, bytes, sizeof(bytes));
}

/* A bit-field: compilers put the first-declared member at the beginning of the word. */
static void append_header(struct pages *pages, uint32_t type_len, uint32_t delta)
{
	append_u32(pages, pages->big_endian ? type_len << DELTA_BITS | delta :
		   type_len | delta << (32 - DELTA_BITS));
}

/* is there room for @words, a header and a time? */
static bool has_room(const struct pages *pages, uint32_t words)
{
	return pages->data->len && pages->used + 8 + 8 + words * 4 <= PAGE_DATA;
}

bool pages_add(struct pages *pages, uint64_t ts, const uint8_t *record, uint32_t len)
{
	uint32_t words = (len + 3) / 4;
	uint64_t delta;

	if (pages->data->len && ts < pages->ts && pages->used < PAGE_DATA)
		return false;
	if (pages->lost || !has_room(pages, words))
		new_page(pages, ts);
	delta = ts - pages->ts;
	if (delta >> DELTA_BITS) {
		append_header(pages, TYPE_TIME_EXTEND, delta & ((1 << DELTA_BITS) - 1));
		append_u32(pages, delta >> DELTA_BITS);
		delta = 0;
	}
	append_header(pages, words <= TYPE_LEN_MAX ? words : 0, delta);
	if (words > TYPE_LEN_MAX)
		append_u32(pages, words * 4 + 4);
	append(pages, record, words * 4);
	pages->ts = ts;
	return true;
}

void pages_end_page(struct pages *pages)
{
	pages->used = PAGE_DATA;
}

void pages_mark_lost(struct pages *pages, uint64_t count)
{
	pages->lost = true;
	pages->lost_count = count;
}
