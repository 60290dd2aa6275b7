// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "analysis/streams.h"
#include "resample.h"

/* consecutive arrivals that are drawn together, the first one after the last one */
struct block {
	unsigned int from;
	unsigned int len;
};

/* the recorded arrivals, and the result */
struct arrivals {
	const GArray *work;
	int64_t *after_ns;		/* time since the arrival before, in a circle */
	int64_t window_ns;
	int64_t gap_ns;
	GArray *all;			/* struct stream_work */
};

static const struct stream_work *work_at(const GArray *work, unsigned int nr)
{
	return &g_array_index(work, struct stream_work, nr);
}

/* CPU clocks that drift apart can put arrivals out of order */
static int64_t *intervals_of(const GArray *work, int64_t window_ns)
{
	int64_t *after_ns = g_new(int64_t, work->len), before_ns = 0;

	for (unsigned int nr = 0; nr < work->len; nr++) {
		int64_t at_ns = CLAMP(work_at(work, nr)->at_ns, before_ns, window_ns);

		after_ns[nr] = at_ns - before_ns;
		before_ns = at_ns;
	}
	after_ns[0] += window_ns - before_ns;
	return after_ns;
}

/* all arrivals in blocks, from a random one on */
static void add_blocks(GArray *blocks, unsigned int count, unsigned int len, GRand *rand)
{
	unsigned int from = g_rand_int_range(rand, 0, count);

	for (unsigned int nr = 0; nr < count; nr += len) {
		const struct block block = { (from + nr) % count, MIN(len, count - nr) };

		g_array_append_val(blocks, block);
	}
}

static void shuffle(GArray *blocks, GRand *rand)
{
	for (unsigned int nr = blocks->len; nr > 1; nr--) {
		struct block *one = &g_array_index(blocks, struct block, nr - 1);
		struct block *other = &g_array_index(blocks, struct block,
						     g_rand_int_range(rand, 0, nr));
		struct block was = *one;

		*one = *other;
		*other = was;
	}
}

static void add(struct arrivals *arrivals, unsigned int nr, int64_t at_ns)
{
	const struct stream_work work = { work_at(arrivals->work, nr)->exec_ns, at_ns, 0 };

	g_array_append_val(arrivals->all, work);
}

/* the recorded arrivals before @to_ns, from @begin_ns on */
static void add_recorded(struct arrivals *arrivals, int64_t begin_ns, int64_t to_ns)
{
	int64_t at_ns = 0;

	for (unsigned int nr = 0; nr < arrivals->work->len; nr++) {
		at_ns = MAX(at_ns, work_at(arrivals->work, nr)->at_ns);
		if (at_ns >= to_ns)
			return;
		add(arrivals, nr, begin_ns + at_ns);
	}
}

/* @at_ns: in the time of the further windows without gaps; adds the gaps that it has passed */
static void add_drawn(struct arrivals *arrivals, unsigned int nr, int64_t at_ns, int64_t *window)
{
	int64_t in = 1 + at_ns / arrivals->window_ns, length_ns = arrivals->window_ns + arrivals->gap_ns;

	for (; *window < in; ++*window)
		add_recorded(arrivals, *window * length_ns + arrivals->window_ns, arrivals->gap_ns);
	add(arrivals, nr, in * length_ns + at_ns % arrivals->window_ns);
}

/* A part of the first interval has passed when the second window begins. */
static int64_t before_first(const struct arrivals *arrivals, const GArray *blocks, GRand *rand)
{
	int64_t after_ns = arrivals->after_ns[g_array_index(blocks, struct block, 0).from];

	return after_ns > 0 ? -1 - (int64_t)(g_rand_double(rand) * (after_ns - 1)) : 0;
}

/* returns the last window with arrivals */
static int64_t draw(struct arrivals *arrivals, const GArray *blocks, unsigned int windows, GRand *rand)
{
	int64_t at_ns = before_first(arrivals, blocks, rand), window = 0;

	for (unsigned int of = 0; of < blocks->len; of++) {
		const struct block *block = &g_array_index(blocks, struct block, of);

		for (unsigned int nr = 0; nr < block->len; nr++) {
			unsigned int drawn = (block->from + nr) % arrivals->work->len;

			at_ns += arrivals->after_ns[drawn];
			if (at_ns < (windows - 1) * arrivals->window_ns)
				add_drawn(arrivals, drawn, at_ns, &window);
		}
	}
	return window;
}

/* The end of the recording: the warm-up plays it before the first window. */
static void add_end(struct arrivals *arrivals, int64_t end_ns)
{
	int64_t at_ns = 0;

	for (unsigned int nr = 0; nr < arrivals->work->len; nr++) {
		at_ns = MAX(at_ns, work_at(arrivals->work, nr)->at_ns);
		if (at_ns >= arrivals->window_ns - arrivals->gap_ns)
			add(arrivals, nr, end_ns - arrivals->window_ns + at_ns);
	}
}

GArray *resample_arrivals(const GArray *work, int64_t window_ns, int64_t gap_ns,
			  unsigned int windows, uint32_t seed)
{
	struct arrivals arrivals = {
		work, intervals_of(work, window_ns), window_ns, gap_ns,
		g_array_new(FALSE, FALSE, sizeof(struct stream_work)),
	};
	GArray *blocks = g_array_new(FALSE, FALSE, sizeof(struct block));
	GRand *rand = g_rand_new_with_seed(seed);
	int64_t window;

	for (unsigned int nr = 1; nr < windows; nr++)
		add_blocks(blocks, work->len, ceil(cbrt(work->len)), rand);
	shuffle(blocks, rand);
	add_recorded(&arrivals, 0, window_ns);
	window = draw(&arrivals, blocks, windows, rand);
	for (; window < windows - 1; window++)
		add_recorded(&arrivals, window * (window_ns + gap_ns) + window_ns, gap_ns);
	add_end(&arrivals, windows * (window_ns + gap_ns));
	g_rand_free(rand);
	g_array_free(blocks, TRUE);
	g_free(arrivals.after_ns);
	return arrivals.all;
}
