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

/* how a field's value is written */
enum proto_wire {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
};

#define PROTO_WIRE_BITS		3
#define PROTO_MAX_VARINT	10	/* bytes of 64 bits */

/**
 * proto_grow - have memory for @len bytes more
 */
void proto_grow(struct proto *message, size_t len);

/**
 * proto_room - where @len bytes more may be put; the caller adds to @message->len
 */
static inline uint8_t *proto_room(struct proto *message, size_t len)
{
	if (message->size - message->len < len)
		proto_grow(message, len);
	return message->data + message->len;
}

/**
 * proto_put - write a number as varint, and return where the next one goes
 */
static inline uint8_t *proto_put(uint8_t *to, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		*to++ = value | 0x80;
	*to++ = value;
	return to;
}

/**
 * proto_tag - the same of the tag of a field; of a field that is a constant, it is one, too
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
 * proto_put_number, proto_put_begin - proto_number() and proto_begin() where there is room for
 * 2 * PROTO_MAX_VARINT or PROTO_MAX_VARINT bytes; return where the next one goes
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
 * proto_begin - begin a message in a message, at its end
 *
 * Returns what proto_end() needs. What is appended until then is of the inner one, of which
 * one byte is kept free for its length: most are so short.
 */
static inline size_t proto_begin(struct proto *message, uint32_t field)
{
	uint8_t *to = proto_put_begin(proto_room(message, PROTO_MAX_VARINT), field);

	message->len = to - message->data;
	return message->len;
}

/**
 * proto_end_long - proto_end(), if the length needs more than one byte
 */
void proto_end_long(struct proto *message, size_t begin);

/**
 * proto_end - end the message that was begun last
 * @begin: what proto_begin() returned
 */
static inline void proto_end(struct proto *message, size_t begin)
{
	if (message->len - begin > 0x7f)
		proto_end_long(message, begin);
	else
		message->data[begin - 1] = message->len - begin;
}

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
 * proto_message - append a message that was made on its own, and make that empty for the next one
 */
void proto_message(struct proto *message, uint32_t field, struct proto *child);

#endif
