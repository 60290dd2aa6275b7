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

#include "stash.h"

/* so many bytes at most is a number */
#define PACKED_MAX	10

/**
 * packed_number - append a number
 */
void packed_number(struct stream *stream, uint64_t value);

/**
 * packed_signed - append one that may be below 0: twice it, or twice its opposite less 1
 */
void packed_signed(struct stream *stream, int64_t value);

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
