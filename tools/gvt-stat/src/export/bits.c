// SPDX-License-Identifier: GPL-2.0-or-later
#include "bits.h"

/* bits per step, where not all fit into one bits_put() */
#define PART		32

struct bits *bits_new(FILE *out)
{
	struct bits *bits = g_new(struct bits, 1);

	bits->out = out;
	bits->place = (struct bits_place) { .to = bits->bytes };
	bits->size = 0;
	bits->state = bits->save = 0;
	return bits;
}

void bits_flush(struct bits *bits)
{
	size_t bytes = bits->place.to - bits->bytes;
	size_t len = g_base64_encode_step(bits->bytes, bytes, FALSE, bits->text, &bits->state,
					  &bits->save);

	fwrite(bits->text, 1, len, bits->out);
	bits->size += bytes;
	bits->place.to = bits->bytes;
}

void bits_free(struct bits *bits)
{
	struct bits_place place = bits_begin(bits);
	size_t len;

	bits_put(&place, 0, 7);
	bits_end(bits, place);
	bits_flush(bits);
	len = g_base64_encode_close(FALSE, bits->text, &bits->state, &bits->save);
	fwrite(bits->text, 1, len, bits->out);
	g_free(bits);
}

uint64_t bits_size(const struct bits *bits)
{
	return bits->size + (bits->place.to - bits->bytes);
}

struct bits_place bits_put_long(struct bits_place place, unsigned int zeros, uint64_t value,
				unsigned int count)
{
	for (; zeros > PART; zeros -= PART)
		bits_put(&place, 0, PART);
	bits_put(&place, UINT64_C(1) << zeros, zeros + 1);
	if (count > PART) {
		bits_put(&place, value & UINT32_MAX, PART);
		value >>= PART;
		count -= PART;
	}
	bits_put(&place, value, count);
	return place;
}
