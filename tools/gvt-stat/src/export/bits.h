/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodes numbers in as few bits as possible, as text: bytes fill from the lowest bit, and are
 * written as base64.
 *
 * Each number is preceded by its length in bits, coded as the difference to the usual length of
 * numbers of its sort. This prefix takes one to three bits for most numbers.
 */
#ifndef GVT_STAT_BITS_H
#define GVT_STAT_BITS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#define BITS_ROOM	(48 << 10)	/* bytes per write */
#define BITS_AT_ONCE	56		/* maximum number of bits per bits_put() */
#define BITS_BETWEEN	256		/* maximum of bytes between bits_begin() and bits_end() */

/* write position; a separate struct, so that the compiler can keep it in registers */
struct bits_place {
	uint64_t pending;		/* bits of an incomplete byte */
	unsigned int count;		/* of @pending; below 8 outside of bits_begin()/_end() */
	uint8_t *to;			/* next byte */
};

/* private to this file and bits.c */
struct bits {
	FILE *out;
	struct bits_place place;
	uint64_t size;			/* bytes written before @bytes */
	gint state, save;		/* of base64 */
	uint8_t bytes[BITS_ROOM + BITS_BETWEEN + sizeof(uint64_t)];
	char text[(BITS_ROOM + BITS_BETWEEN) / 3 * 4 + 16];
};

/* usual length of the numbers of one sort, in eighths of bits; initialise to zero */
struct bits_usual {
	uint16_t eighths;
};

/**
 * bits_new - begin to write to @out; bits_free() writes the rest. Write errors show when @out is
 *            closed
 */
struct bits *bits_new(FILE *out);
void bits_free(struct bits *bits);

/**
 * bits_flush - write all complete bytes
 */
void bits_flush(struct bits *bits);

/**
 * bits_size - number of bytes before base64 encoding
 */
uint64_t bits_size(const struct bits *bits);

/**
 * bits_begin - get the write position; call bits_end() after at most BITS_BETWEEN bytes
 */
static inline struct bits_place bits_begin(const struct bits *bits)
{
	return bits->place;
}

static inline void bits_spill(struct bits_place *place)
{
	uint64_t bytes = GUINT64_TO_LE(place->pending);

	memcpy(place->to, &bytes, sizeof(bytes));
	place->to += place->count / 8;
	place->pending >>= place->count & ~7u;
	place->count &= 7;
}

static inline void bits_end(struct bits *bits, struct bits_place place)
{
	bits_spill(&place);
	bits->place = place;
	if (place.to >= bits->bytes + BITS_ROOM)
		bits_flush(bits);
}

/**
 * bits_put - append the @count lowest bits of @value; its other bits must be 0; at most
 * BITS_AT_ONCE
 */
static inline void bits_put(struct bits_place *place, uint64_t value, unsigned int count)
{
	if (place->count + count > 63)
		bits_spill(place);
	place->pending |= value << place->count;
	place->count += count;
}

/* zigzag encoding, without a branch, which would be unpredictable */
static inline uint64_t bits_fold(int64_t value)
{
	return (uint64_t)value << 1 ^ -(uint64_t)(value < 0);
}

/**
 * bits_put_long - append @zeros zero bits, a one bit, and the @count lowest bits of @value
 */
struct bits_place bits_put_long(struct bits_place place, unsigned int zeros, uint64_t value,
				unsigned int count);

/**
 * bits_number - append a number; at most 25 bytes
 * @usual: of its sort
 *
 * Writes the difference to the usual length in unary, as zero bits ended by a one bit: 2 * n zeros
 * for n bits more than usual, 2 * n - 1 for n bits less. The number's bits follow, without the
 * highest one. The usual length moves by an eighth of the difference.
 */
static inline void bits_number(struct bits_place *place, struct bits_usual *usual, uint64_t value)
{
	unsigned int count = 63 - __builtin_clzll(value | 1);
	int more = (int)(count + !!value) - (int)((usual->eighths + 4u) / 8);
	unsigned int zeros = bits_fold(more);

	usual->eighths += more;
	value &= (UINT64_C(1) << count) - 1;
	if (zeros + 1 + count <= BITS_AT_ONCE)
		bits_put(place, (value << 1 | 1) << zeros, zeros + 1 + count);
	else
		*place = bits_put_long(*place, zeros, value, count);
}

/**
 * bits_signed - append a number that may be negative, in zigzag encoding
 */
static inline void bits_signed(struct bits_place *place, struct bits_usual *usual, int64_t value)
{
	bits_number(place, usual, bits_fold(value));
}

#endif
