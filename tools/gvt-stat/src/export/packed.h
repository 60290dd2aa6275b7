/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compact encoding of numbers and bytes: variable-length integers of seven bits per byte, lowest
 * first, deflated and written as base64.
 */
#ifndef GVT_STAT_PACKED_H
#define GVT_STAT_PACKED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "proto.h"
#include "output/stash.h"

/**
 * packed_at_end - packed_number() near the end of a block
 */
void packed_at_end(struct byte_stream *stream, uint64_t value);

/**
 * packed_number - append a number
 */
static inline void packed_number(struct byte_stream *stream, uint64_t value)
{
	uint8_t *to = bytes_room(stream, PROTO_MAX_VARINT);

	if (to)
		bytes_wrote(stream, proto_put(to, value));
	else
		packed_at_end(stream, value);
}

/**
 * packed_signed - append a number that may be negative, in zigzag encoding
 */
static inline void packed_signed(struct byte_stream *stream, int64_t value)
{
	packed_number(stream, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* deflates its input with zlib, and writes it as base64 */
struct packer;

/**
 * packer_new - begin to write to @out
 */
struct packer *packer_new(FILE *out);

/**
 * packer_add - write more; write errors show when @out is closed
 */
void packer_add(struct packer *packer, const void *data, size_t size);

/**
 * packer_add_stream - write a whole stream
 * @repeats: does the stream repeat itself? If not, deflate does not search for repetitions.
 */
void packer_add_stream(struct packer *packer, const struct byte_stream *stream, bool repeats);

/**
 * packer_free - write the rest
 */
void packer_free(struct packer *packer);

#endif
