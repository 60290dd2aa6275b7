/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers and bytes in little space: as variable-length integers, seven bits in each byte,
 * the lowest first, and deflated as base64 in a page.
 */
#ifndef GVT_STAT_PACKED_H
#define GVT_STAT_PACKED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "proto.h"
#include "stash.h"

/**
 * packed_at_end - packed_number(), where a block ends
 */
void packed_at_end(struct stream *stream, uint64_t value);

/**
 * packed_number - append a number
 */
static inline void packed_number(struct stream *stream, uint64_t value)
{
	uint8_t *to = stream_room(stream, PROTO_MAX_VARINT);

	if (to)
		stream_wrote(stream, proto_put(to, value));
	else
		packed_at_end(stream, value);
}

/**
 * packed_signed - append one that may be below 0: twice it, or twice its opposite less 1
 */
static inline void packed_signed(struct stream *stream, int64_t value)
{
	packed_number(stream, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* deflates what is given to it, see zlib.h, and writes it as base64 */
struct packer;

/**
 * packer_new - begin to write to @out
 */
struct packer *packer_new(FILE *out);

/**
 * packer_add - write more; whether all could be written is seen when @out is closed
 */
void packer_add(struct packer *packer, const void *data, size_t size);

/**
 * packer_add_stream - write all of a stream
 * @repeats: does it have the same bytes again and again? Else these are not looked for.
 */
void packer_add_stream(struct packer *packer, const struct stream *stream, bool repeats);

/**
 * packer_free - write the rest
 */
void packer_free(struct packer *packer);

#endif
