/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A minimal writer for Protocol Buffers:
 * https://protobuf.dev/programming-guides/encoding/
 */
#ifndef GVT_STAT_PROTO_H
#define GVT_STAT_PROTO_H

#include <stddef.h>
#include <stdint.h>

/* a message in progress; all zero: an empty one */
struct proto {
	uint8_t *data;
	size_t len;
	size_t size;			/* allocated bytes at @data */
};

/**
 * proto_clear - empty a message, but keep its memory, which proto_free() frees
 */
void proto_clear(struct proto *message);
void proto_free(struct proto *message);

/* wire type of a field */
enum proto_wire {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
};

#define PROTO_WIRE_BITS		3
#define PROTO_MAX_VARINT	10	/* bytes for 64 bits */

/**
 * proto_grow - allocate room for @len more bytes
 */
void proto_grow(struct proto *message, size_t len);

/**
 * proto_room - reserve room for @len more bytes; the caller adds the used bytes to @message->len
 */
static inline uint8_t *proto_room(struct proto *message, size_t len)
{
	if (message->size - message->len < len)
		proto_grow(message, len);
	return message->data + message->len;
}

/**
 * proto_put - write a number as varint, and return the next position
 */
static inline uint8_t *proto_put(uint8_t *to, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		*to++ = value | 0x80;
	*to++ = value;
	return to;
}

/**
 * proto_tag - proto_put() for a field's tag; compiles to a constant for a constant field
 * @field: below 2048
 */
static inline uint8_t *proto_tag(uint8_t *to, uint32_t field, enum proto_wire wire)
{
	uint32_t tag = field << PROTO_WIRE_BITS | wire;

	if (tag > 0x7f)
		*to++ = tag | 0x80;
	*to++ = tag > 0x7f ? tag >> 7 : tag;
	return to;
}

/**
 * proto_put_number, proto_put_begin - proto_number() and proto_begin() into reserved room of
 * 2 * PROTO_MAX_VARINT or PROTO_MAX_VARINT bytes; return the next position
 */
static inline uint8_t *proto_put_number(uint8_t *to, uint32_t field, uint64_t value)
{
	return proto_put(proto_tag(to, field, WIRE_VARINT), value);
}

static inline uint8_t *proto_put_begin(uint8_t *to, uint32_t field)
{
	return proto_tag(to, field, WIRE_BYTES) + 1;
}

/**
 * proto_number - append a field of type uint32, uint64, int64, bool or enum
 */
static inline void proto_number(struct proto *message, uint32_t field, uint64_t value)
{
	uint8_t *to = proto_put_number(proto_room(message, 2 * PROTO_MAX_VARINT), field, value);

	message->len = to - message->data;
}

/**
 * proto_begin - begin a nested message at the end of a message
 *
 * Returns the argument for proto_end(). Until then, fields are appended to the nested message, for
 * whose length one byte is reserved, which usually suffices.
 */
static inline size_t proto_begin(struct proto *message, uint32_t field)
{
	uint8_t *to = proto_put_begin(proto_room(message, PROTO_MAX_VARINT), field);

	message->len = to - message->data;
	return message->len;
}

/**
 * proto_end_long - proto_end() for a length of more than one byte
 */
void proto_end_long(struct proto *message, size_t begin);

/**
 * proto_end - end the innermost nested message
 * @begin: the result of proto_begin()
 */
static inline void proto_end(struct proto *message, size_t begin)
{
	if (message->len - begin > 0x7f)
		proto_end_long(message, begin);
	else
		message->data[begin - 1] = message->len - begin;
}

/**
 * proto_fixed64, proto_double - append a field of this type
 */
void proto_fixed64(struct proto *message, uint32_t field, uint64_t value);
void proto_double(struct proto *message, uint32_t field, double value);

/**
 * proto_bytes, proto_text - append a field of bytes or a string
 * @text: invalid UTF-8 is replaced; NULL: nothing is appended
 */
void proto_bytes(struct proto *message, uint32_t field, const void *data, size_t len);
void proto_text(struct proto *message, uint32_t field, const char *text);

/**
 * proto_message - append a separately built message, and empty it for reuse
 */
void proto_message(struct proto *message, uint32_t field, struct proto *child);

#endif
