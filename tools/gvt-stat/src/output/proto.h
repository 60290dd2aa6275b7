/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of Protocol Buffers, as far as it takes to write them:
 * https://protobuf.dev/programming-guides/encoding/
 */
#ifndef GVT_STAT_PROTO_H
#define GVT_STAT_PROTO_H

#include <stddef.h>
#include <stdint.h>

/* a message that is being made; all zero: an empty one */
struct proto {
	uint8_t *data;
	size_t len;
	size_t size;			/* of the memory at @data */
};

/**
 * proto_clear - make it empty, and keep its memory; proto_free() frees that
 */
void proto_clear(struct proto *message);
void proto_free(struct proto *message);

/**
 * proto_number - append a field of type uint32, uint64, int64, bool or enum
 */
void proto_number(struct proto *message, uint32_t field, uint64_t value);

/**
 * proto_fixed64, proto_double - append one of these types
 */
void proto_fixed64(struct proto *message, uint32_t field, uint64_t value);
void proto_double(struct proto *message, uint32_t field, double value);

/**
 * proto_bytes, proto_text - append a string or bytes
 * @text: made UTF-8 if it is not; NULL: nothing is appended
 */
void proto_bytes(struct proto *message, uint32_t field, const void *data, size_t len);
void proto_text(struct proto *message, uint32_t field, const char *text);

/**
 * proto_message - append a message, and make that empty for the next one
 */
void proto_message(struct proto *message, uint32_t field, struct proto *child);

#endif
