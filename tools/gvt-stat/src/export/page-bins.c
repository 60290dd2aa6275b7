// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "packed.h"
#include "page-bins.h"

/* the bins of one meaning */
struct bin {
	uint64_t meaning;
	int64_t from_ns, to_ns;		/* open bin; equal: none */
	int64_t busy_ns;		/* covered by intervals in the open bin */
	int64_t told_ns;		/* end of the last written bin */
};

struct page_bins {
	struct bin_width *width;
	struct byte_stream *stream;
	GHashTable *open;		/* struct bin, by meaning */
	int64_t origin_ns;
	int64_t count;
};

struct page_bins *page_bins_new(struct bin_width *width, struct stash *stash, int64_t origin_ns)
{
	struct page_bins *bins = g_new0(struct page_bins, 1);

	bins->width = width;
	bins->origin_ns = origin_ns;
	bins->stream = bytes_new(stash);
	bins->open = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	return bins;
}

void page_bins_free(struct page_bins *bins)
{
	g_hash_table_destroy(bins->open);
	bytes_free(bins->stream);
	g_free(bins);
}

static void set_wider(struct bin_width *width, int64_t from_ns)
{
	int64_t bins = 2 * width->bins;

	width->wider_ns = width->ns > (INT64_MAX - MAX(from_ns, 0)) / bins ? INT64_MAX :
									   from_ns + bins * width->ns;
}

void bin_width_choose(struct bin_width *width, int64_t origin_ns, int64_t now_ns, int64_t bins)
{
	width->origin_ns = origin_ns;
	width->bins = bins;
	width->ns = MAX((now_ns - origin_ns) / bins, 1);
	set_wider(width, now_ns);
}

static struct bin *get_bin(struct page_bins *bins, uint64_t meaning)
{
	struct bin *bin = g_hash_table_lookup(bins->open, &meaning);

	if (bin)
		return bin;
	bin = g_new(struct bin, 1);
	*bin = (struct bin) {
		.meaning = meaning, .from_ns = bins->origin_ns, .to_ns = bins->origin_ns,
		.told_ns = bins->origin_ns,
	};
	g_hash_table_insert(bins->open, &bin->meaning, bin);
	return bin;
}

static void tell(struct page_bins *bins, struct bin *bin)
{
	if (!bin->busy_ns)
		return;
	packed_number(bins->stream, bin->meaning);
	packed_number(bins->stream, bin->from_ns - bin->told_ns);
	packed_number(bins->stream, bin->to_ns - bin->from_ns);
	packed_number(bins->stream, bin->to_ns - bin->from_ns - bin->busy_ns);
	bin->told_ns = bin->to_ns;
	bin->busy_ns = 0;
	bins->count++;
}

struct edges {
	int64_t from_ns, to_ns;
};

/* edges of the bin that contains a time */
static struct edges bin_edges(struct bin_width *width, int64_t ns, int64_t told_ns)
{
	int64_t from_ns;

	/* stop doubling at the largest time, before the width overflows */
	while (ns >= width->wider_ns && width->wider_ns < INT64_MAX) {
		width->ns *= 2;
		set_wider(width, width->wider_ns);
	}
	from_ns = ns - (ns - width->origin_ns) % width->ns;
	return (struct edges) {
		.from_ns = MAX(from_ns, told_ns),
		.to_ns = from_ns > INT64_MAX - width->ns ? INT64_MAX : from_ns + width->ns,
	};
}

/* Adjacent bins that one interval fills are merged. */
static void open_bin(struct page_bins *bins, struct bin *bin, int64_t from_ns, int64_t to_ns)
{
	struct edges edges = bin_edges(bins->width, from_ns, bin->told_ns);

	bin->from_ns = edges.from_ns;
	bin->to_ns = edges.to_ns;
	if (from_ns == edges.from_ns && to_ns > edges.to_ns)
		bin->to_ns += (to_ns - edges.to_ns) / bins->width->ns * bins->width->ns;
}

void page_bins_add(struct page_bins *bins, uint64_t meaning, int64_t from_ns, int64_t to_ns)
{
	struct bin *bin = get_bin(bins, meaning);

	while (from_ns < to_ns) {
		int64_t end_ns;

		if (from_ns >= bin->to_ns) {
			tell(bins, bin);
			open_bin(bins, bin, from_ns, to_ns);
		}
		end_ns = MIN(to_ns, bin->to_ns);
		bin->busy_ns += end_ns - from_ns;
		from_ns = end_ns;
	}
}

int64_t page_bins_finish(struct page_bins *bins, int64_t end_ns)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, bins->open);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct bin *bin = value;

		bin->to_ns = MIN(bin->to_ns, end_ns);
		tell(bins, bin);
	}
	return bins->count;
}

struct byte_stream *page_bins_stream(const struct page_bins *bins)
{
	return bins->stream;
}

struct page_values {
	struct bin_width *width;
	struct byte_stream *stream;
	int64_t told_ns, to_ns;		/* end of the last written bin, and of the open one */
	int64_t values, sum, most;	/* of the open bin */
	int64_t count;
};

struct page_values *page_values_new(struct bin_width *width, struct stash *stash, int64_t origin_ns)
{
	struct page_values *values = g_new0(struct page_values, 1);

	values->width = width;
	values->stream = bytes_new(stash);
	values->told_ns = values->to_ns = origin_ns;
	return values;
}

void page_values_free(struct page_values *values)
{
	bytes_free(values->stream);
	g_free(values);
}

int64_t page_values_finish(struct page_values *values)
{
	if (values->values) {
		packed_number(values->stream, values->to_ns - values->told_ns);
		packed_number(values->stream, values->values);
		packed_number(values->stream, values->sum);
		packed_number(values->stream, values->most);
		values->told_ns = values->to_ns;
		values->count++;
	}
	values->values = values->sum = values->most = 0;
	return values->count;
}

void page_values_add(struct page_values *values, int64_t at_ns, int64_t value)
{
	if (at_ns >= values->to_ns) {
		page_values_finish(values);
		values->to_ns = bin_edges(values->width, at_ns, values->told_ns).to_ns;
	}
	values->values++;
	values->sum += value;
	values->most = MAX(values->most, value);
}

struct byte_stream *page_values_stream(const struct page_values *values)
{
	return values->stream;
}
