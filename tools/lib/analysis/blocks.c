// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "trace/util.h"
#include "blocks-private.h"

struct blocks {
	int64_t origin_ns;
	int64_t length_ns;
	unsigned int max;
	GPtrArray *lines;		/* of GArray of int64_t */
};

static void free_line(void *data)
{
	g_array_free(data, TRUE);
}

struct blocks *blocks_new(int64_t origin_ns, unsigned int max)
{
	struct blocks *blocks = g_new0(struct blocks, 1);

	blocks->origin_ns = origin_ns;
	blocks->length_ns = NSEC_PER_SEC;
	blocks->max = max;
	blocks->lines = g_ptr_array_new_with_free_func(free_line);
	return blocks;
}

void blocks_free(struct blocks *blocks)
{
	g_ptr_array_free(blocks->lines, TRUE);
	g_free(blocks);
}

unsigned int blocks_add_line(struct blocks *blocks)
{
	g_ptr_array_add(blocks->lines, g_array_new(FALSE, TRUE, sizeof(int64_t)));
	return blocks->lines->len - 1;
}

static int64_t *at(GArray *line, unsigned int nr)
{
	if (nr >= line->len)
		g_array_set_size(line, nr + 1);
	return &g_array_index(line, int64_t, nr);
}

static void halve(GArray *line)
{
	for (unsigned int nr = 0; nr < line->len; nr++) {
		int64_t sum = g_array_index(line, int64_t, nr);

		g_array_index(line, int64_t, nr) = 0;
		g_array_index(line, int64_t, nr / 2) += sum;
	}
	g_array_set_size(line, (line->len + 1) / 2);
}

static void make_room(struct blocks *blocks, int64_t until_ns)
{
	while ((until_ns - 1) / blocks->length_ns >= blocks->max) {
		for (unsigned int nr = 0; nr < blocks->lines->len; nr++)
			halve(blocks->lines->pdata[nr]);
		blocks->length_ns *= 2;
	}
}

void blocks_add(struct blocks *blocks, unsigned int nr, int64_t from_ns, int64_t to_ns)
{
	GArray *line = blocks->lines->pdata[nr];

	from_ns = MAX(from_ns - blocks->origin_ns, 0);
	to_ns -= blocks->origin_ns;
	if (to_ns <= from_ns)
		return;
	make_room(blocks, to_ns);
	while (from_ns < to_ns) {
		int64_t left_ns = blocks->length_ns - from_ns % blocks->length_ns;
		int64_t part_ns = MIN(to_ns - from_ns, left_ns);

		*at(line, from_ns / blocks->length_ns) += part_ns;
		from_ns += part_ns;
	}
}

void blocks_cover(struct blocks *blocks, int64_t until_ns)
{
	make_room(blocks, until_ns - blocks->origin_ns);
}

int64_t blocks_length_ns(const struct blocks *blocks)
{
	return blocks->length_ns;
}

int64_t blocks_sum_ns(const struct blocks *blocks, unsigned int nr, int64_t block)
{
	const GArray *line = blocks->lines->pdata[nr];

	return block < line->len ? g_array_index(line, int64_t, block) : 0;
}
