// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>

#include "damage.h"
#include "trace/rawstream.h"
#include "trace/util.h"

#define MAX_CHANGES	8
/* a copy is not made shorter than this */
#define LEAST		32
/* where the tables of a file are, and where its events */
#define FRONT		16384
#define BACK		8192
/* the header of an event, before it, and of a page: its time, and how much is on it */
#define HEADER		4
#define PAGE_COMMIT	8
#define COMMIT_FLAGS	4
/* of a section: which it is, and after some more, how long */
#define SECTION_SIZE	8
#define SECTION_KINDS	24

struct part {
	gsize pos;
	gsize size;
};

static uint64_t random_state;

/* xorshift64*: the same numbers everywhere, unlike rand() */
static uint64_t next_random(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dULL;
}

static uint64_t below(uint64_t limit)
{
	return next_random() % limit;
}

/* neighbouring seeds must not give neighbouring numbers */
static void seed_random(uint64_t seed)
{
	random_state = seed * 0x9e3779b97f4a7c15ULL + 1;
	next_random();
}

static void add_part(GArray *parts, gsize pos, gsize size)
{
	const struct part part = { pos, size };

	g_array_append_val(parts, part);
}

static const struct part *choose_part(const GArray *parts)
{
	return &g_array_index(parts, struct part, below(parts->len));
}

static uint64_t number_at(const struct original *original, gsize pos)
{
	uint64_t value;

	memcpy(&value, original->data + pos, sizeof(value));
	return GUINT64_FROM_LE(value);
}

/* Does a section of a file of version 7 seem to begin here? */
static bool is_section(const struct original *original, uint64_t pos)
{
	uint16_t kind;

	if (pos < LEAST || pos + SECTION_SIZE + sizeof(uint64_t) > original->size)
		return false;
	memcpy(&kind, original->data + pos, sizeof(kind));
	return GUINT16_FROM_LE(kind) <= SECTION_KINDS &&
	       number_at(original, pos + SECTION_SIZE) <= original->size - pos;
}

static bool is_place(const struct datfile *file, uint64_t pos)
{
	for (unsigned int nr = 0; nr < file->places->len; nr++)
		if (g_array_index(file->places, struct datfile_place, nr).offset == pos)
			return true;
	return false;
}

/* Numbers that are the place of something, and what tells how much of it there is. */
static void find_tables(struct original *original, const struct datfile *file)
{
	for (gsize pos = 0; pos + 2 * sizeof(uint64_t) <= original->size; pos++) {
		uint64_t value = number_at(original, pos);

		if (is_place(file, value)) {
			add_part(original->tables, pos, sizeof(value));
			add_part(original->tables, pos + sizeof(value), sizeof(value));
		} else if (is_section(original, value)) {
			add_part(original->tables, pos, sizeof(value));
			add_part(original->tables, value, sizeof(uint16_t));
			add_part(original->tables, value + SECTION_SIZE, sizeof(value));
		}
	}
}

static void find_events(struct original *original, const char *path, int fd, const struct datfile *file,
			const struct datfile_place *place)
{
	struct rawstream *stream = rawstream_new(path, fd, file, place);
	const struct tep_record *record;

	for (gsize pos = 0; pos + file->page_size <= place->size; pos += file->page_size)
		add_part(original->pages, place->offset + pos, file->page_size);
	while ((record = rawstream_next(stream)))
		add_part(original->records, record->offset, record->size);
	rawstream_free(stream);
}

static int compare_parts(const void *a, const void *b)
{
	gsize pos_a = ((const struct part *)a)->pos, pos_b = ((const struct part *)b)->pos;

	return (pos_a > pos_b) - (pos_a < pos_b);
}

static void find_parts(struct original *original, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct datfile file;

	datfile_check(path, &file);
	find_tables(original, &file);
	for (unsigned int nr = 0; nr < file.places->len; nr++) {
		const struct datfile_place *place = &g_array_index(file.places, struct datfile_place, nr);

		if (!place->compressed)
			find_events(original, path, fd, &file, place);
	}
	g_array_sort(original->pages, compare_parts);
	datfile_clear(&file);
	close(fd);
}

struct original original_read(const char *path)
{
	struct original original = {
		.tables = g_array_new(FALSE, FALSE, sizeof(struct part)),
		.pages = g_array_new(FALSE, FALSE, sizeof(struct part)),
		.records = g_array_new(FALSE, FALSE, sizeof(struct part)),
	};

	if (!g_file_get_contents(path, &original.data, &original.size, NULL))
		fatal("cannot read %s", path);
	find_parts(&original, path);
	return original;
}

/* numbers that tend to be believed: ends of ranges and plausible sizes */
static uint64_t interesting(void)
{
	static const uint64_t values[] = {
		0, 1, 3, 4, 8, 255, 4080, 4095, 4096, 4097, 65535, 65536, 0x7fffffff,
		0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0xffffffffffffffff,
	};

	return values[below(G_N_ELEMENTS(values))];
}

/* --- any bytes --- */

static gsize choose_place(gsize len)
{
	switch (below(3)) {
	case 0:
		return below(MIN(len, FRONT));
	case 1:
		return len - 1 - below(MIN(len, BACK));
	default:
		return below(len);
	}
}

static void change_bytes(GString *copy)
{
	gsize pos = choose_place(copy->len);
	gsize room = copy->len - pos;
	gsize few = below(64) + 1;
	uint64_t value = interesting();

	few = MIN(few, room);
	switch (below(6)) {
	case 0:
		copy->str[pos] ^= 1 << below(8);
		break;
	case 1:
		copy->str[pos] = next_random();
		break;
	case 2:
		memcpy(copy->str + pos, &value, MIN(room, 4));
		break;
	case 3:
		memcpy(copy->str + pos, &value, MIN(room, 8));
		break;
	case 4:
		memmove(copy->str + below(pos + 1), copy->str + pos, few);
		break;
	default:
		g_string_erase(copy, pos, few);
		break;
	}
}

/* --- what has a meaning; no byte moves --- */

static void set(GString *copy, gsize pos, uint64_t value, gsize size)
{
	value = GUINT64_TO_LE(value);
	memcpy(copy->str + pos, &value, size);
}

static uint64_t get(const GString *copy, gsize pos, gsize size)
{
	uint64_t value = 0;

	memcpy(&value, copy->str + pos, size);
	return GUINT64_FROM_LE(value);
}

/* another number in the place of one: a special one, a small one, or one that is near */
static uint64_t other_number(uint64_t value)
{
	switch (below(4)) {
	case 0:
		return interesting();
	case 1:
		return below(10);
	case 2:
		return value + (1ULL << below(40));
	default:
		return value - (1ULL << below(40));
	}
}

static void change_number(GString *copy, gsize pos, gsize size)
{
	set(copy, pos, other_number(get(copy, pos, size)), size);
}

static void change_table(GString *copy, const struct original *original)
{
	const struct part *part = choose_part(original->tables);

	change_number(copy, part->pos, part->size);
}

/* its time; how much is on it; or that there was more, and whether it tells how much */
static void change_page(GString *copy, const struct original *original)
{
	gsize pos = choose_part(original->pages)->pos;

	switch (below(3)) {
	case 0:
		change_number(copy, pos, sizeof(uint64_t));
		break;
	case 1:
		change_number(copy, pos + PAGE_COMMIT, sizeof(uint16_t));
		break;
	default:
		copy->str[pos + PAGE_COMMIT + COMMIT_FLAGS - 1] ^= below(4) << 6;
		break;
	}
}

/* a field is a number that stands at a multiple of its size */
static void change_field(GString *copy, const struct original *original)
{
	const struct part *part = choose_part(original->records);
	gsize size = 1 << below(4);

	if (part->size >= size)
		change_number(copy, part->pos + below(part->size / size) * size, size);
}

/* what two events differ in, of one kind or of two */
static void mix_events(GString *copy, const struct original *original)
{
	const struct part *to = choose_part(original->records), *from = choose_part(original->records);
	gsize both = MIN(to->size, from->size);
	gsize pos = below(2) ? below(both) : 0;

	memcpy(copy->str + to->pos + pos, copy->str + from->pos + pos, 1 + below(both - pos));
}

static void change_kind(GString *copy, const struct original *original)
{
	const struct part *to = choose_part(original->records), *from = choose_part(original->records);

	memcpy(copy->str + to->pos, copy->str + from->pos, sizeof(uint16_t));
}

/* its length, and its distance in time from the one before it */
static void change_header(GString *copy, const struct original *original)
{
	gsize pos = choose_part(original->records)->pos - HEADER;
	uint64_t header = get(copy, pos, HEADER);

	if (below(4))
		header = (header & 0x1f) | other_number(header >> 5) << 5;
	else
		header = (header & ~0x1fULL) | below(32);
	set(copy, pos, header, HEADER);
}

/* texts: places and sizes of fields, the clock, the CPUs' number */
static void change_digit(GString *copy, const struct original *original)
{
	gsize pos = below(original->size);

	while (pos < copy->len && !g_ascii_isdigit(copy->str[pos]))
		pos++;
	if (pos < copy->len)
		copy->str[pos] = '0' + below(10);
}

typedef void (*change)(GString *copy, const struct original *original);

static void change_some(GString *copy, const struct original *original, const change *changes,
			gsize nr_changes)
{
	for (unsigned int left = below(MAX_CHANGES) + 1; left; left--)
		changes[below(nr_changes)](copy, original);
}

static void change_events(GString *copy, const struct original *original)
{
	static const change changes[] = { change_field, change_field, change_field, mix_events, change_kind };

	change_some(copy, original, changes, G_N_ELEMENTS(changes));
}

static void change_stream(GString *copy, const struct original *original)
{
	static const change changes[] = { change_page, change_header, change_header };

	change_some(copy, original, changes, G_N_ELEMENTS(changes));
}

static void change_description(GString *copy, const struct original *original)
{
	if (below(2) && original->tables->len)
		change_table(copy, original);
	else
		change_digit(copy, original);
}

static void change_anything(GString *copy)
{
	for (unsigned int left = below(MAX_CHANGES) + 1; left && copy->len > LEAST; left--)
		change_bytes(copy);
	if (!below(8))
		g_string_truncate(copy, below(copy->len) + 1);
}

GString *damage(const struct original *original, uint64_t seed)
{
	GString *copy = g_string_new_len(original->data, original->size);
	uint64_t kind;

	seed_random(seed);
	kind = original->records->len ? below(8) : 0;
	/* most of the first kinds are refused at once */
	if (kind == 0)
		change_anything(copy);
	if (kind == 1)
		change_description(copy, original);
	if (kind == 2 || kind == 3)
		change_stream(copy, original);
	if (kind > 0)
		change_events(copy, original);
	return copy;
}

bool is_damaged_in_events(const struct original *original, const GString *copy)
{
	gsize pos = 0;

	if (!original->records->len || copy->len != original->size)
		return false;
	for (unsigned int nr = 0; nr < original->pages->len; nr++) {
		const struct part *page = &g_array_index(original->pages, struct part, nr);

		if (memcmp(copy->str + pos, original->data + pos, page->pos - pos))
			return false;
		pos = page->pos + page->size;
	}
	return !memcmp(copy->str + pos, original->data + pos, original->size - pos);
}
