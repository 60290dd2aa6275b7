/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers in as few bits as they need, in a text: the lowest bit of each byte is the first one,
 * and the bytes are base64.
 *
 * Before a number stands how many bits it has, as the difference to how many the ones of its
 * sort usually have: for most numbers these are one to three bits more.
 */
#ifndef GVT_STAT_BITS_H
#define GVT_STAT_BITS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#define BITS_ROOM	(48 << 10)	/* bytes, which are written at once */
#define BITS_AT_ONCE	56		/* so many bits can be put */
#define BITS_BETWEEN	256		/* so many bytes between bits_begin() and bits_end() */

/* where bits are put, while they are; apart, so that it can be in registers */
struct bits_place {
	uint64_t pending;		/* those that are in no byte yet */
	unsigned int count;		/* so many are; below 8 but between bits_begin() and bits_end() */
	uint8_t *to;			/* where they go */
};

/* its members are for this file and bits.c */
struct bits {
	FILE *out;
	struct bits_place place;
	uint64_t size;			/* bytes before @bytes */
	gint state, save;		/* of base64 */
	uint8_t bytes[BITS_ROOM + BITS_BETWEEN + sizeof(uint64_t)];
	char text[(BITS_ROOM + BITS_BETWEEN) / 3 * 4 + 16];
};

/* how many bits the numbers of one sort usually have; all zero at first */
struct bits_usual {
	uint16_t eighths;
};

/**
 * bits_new - begin to write to @out; bits_free() writes the rest. Whether all could be written is
 *            seen when @out is closed
 */
struct bits *bits_new(FILE *out);
void bits_free(struct bits *bits);

/**
 * bits_flush - write the bytes that are full
 */
void bits_flush(struct bits *bits);

/**
 * bits_size - how many bytes there are, before base64
 */
uint64_t bits_size(const struct bits *bits);

/**
 * bits_begin - where to append; bits_end() must follow, after BITS_BETWEEN bytes at most
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
 * bits_put - append the @count lowest bits of @value, which has no others; up to BITS_AT_ONCE
 */
static inline void bits_put(struct bits_place *place, uint64_t value, unsigned int count)
{
	if (place->count + count > 63)
		bits_spill(place);
	place->pending |= value << place->count;
	place->count += count;
}

/* twice a number, or twice its opposite less 1; without a branch, as nobody can foresee it */
static inline uint64_t bits_fold(int64_t value)
{
	return (uint64_t)value << 1 ^ -(uint64_t)(value < 0);
}

/**
 * bits_put_long - append @zeros bits 0, a bit 1, and the @count lowest bits of @value
 */
struct bits_place bits_put_long(struct bits_place place, unsigned int zeros, uint64_t value,
				unsigned int count);

/**
 * bits_number - append a number; at most 25 bytes
 * @usual: of its sort
 *
 * By so many bits it has more than usual, twice so many bits 0 come first; if it has less, twice
 * so many but one; then a bit 1; then its bits but the highest one. What is usual moves by an
 * eighth of the difference.
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
 * bits_signed - append one that may be below 0: twice it, or twice its opposite less 1
 */
static inline void bits_signed(struct bits_place *place, struct bits_usual *usual, int64_t value)
{
	bits_number(place, usual, bits_fold(value));
}

#endif
