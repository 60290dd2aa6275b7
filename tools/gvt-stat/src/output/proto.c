// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <glib.h>

#include "proto.h"

/* how a field's value is written */
enum wire {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
};

#define WIRE_BITS	3
#define MAX_VARINT	10		/* bytes of 64 bits */

void proto_clear(struct proto *message)
{
	message->len = 0;
}

void proto_free(struct proto *message)
{
	g_free(message->data);
	*message = (struct proto) { .data = NULL };
}

static uint8_t *reserve(struct proto *message, size_t len)
{
	if (message->size - message->len < len) {
		message->size = MAX(2 * message->size, message->len + len + 64);
		message->data = g_realloc(message->data, message->size);
	}
	return message->data + message->len;
}

/* Most numbers, and nearly all tags, are of one byte. */
static inline uint8_t *put_varint(uint8_t *to, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		*to++ = value | 0x80;
	*to++ = value;
	return to;
}

static inline uint8_t *put_tag(uint8_t *to, uint32_t field, enum wire wire)
{
	return put_varint(to, (uint64_t)field << WIRE_BITS | wire);
}

void proto_number(struct proto *message, uint32_t field, uint64_t value)
{
	uint8_t *to = reserve(message, 2 * MAX_VARINT);

	to = put_varint(put_tag(to, field, WIRE_VARINT), value);
	message->len = to - message->data;
}

void proto_fixed64(struct proto *message, uint32_t field, uint64_t value)
{
	uint8_t *to = reserve(message, MAX_VARINT + sizeof(value));
	uint64_t little = GUINT64_TO_LE(value);

	to = put_tag(to, field, WIRE_FIXED64);
	memcpy(to, &little, sizeof(little));
	message->len = to + sizeof(little) - message->data;
}

void proto_double(struct proto *message, uint32_t field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	proto_fixed64(message, field, bits);
}

void proto_bytes(struct proto *message, uint32_t field, const void *data, size_t len)
{
	uint8_t *to = reserve(message, 2 * MAX_VARINT + len);

	to = put_varint(put_tag(to, field, WIRE_BYTES), len);
	if (len)
		memcpy(to, data, len);
	message->len = to + len - message->data;
}

void proto_text(struct proto *message, uint32_t field, const char *text)
{
	char *valid;

	if (!text)
		return;
	if (g_utf8_validate(text, -1, NULL)) {
		proto_bytes(message, field, text, strlen(text));
		return;
	}
	valid = g_utf8_make_valid(text, -1);
	proto_bytes(message, field, valid, strlen(valid));
	g_free(valid);
}

void proto_message(struct proto *message, uint32_t field, struct proto *child)
{
	proto_bytes(message, field, child->data, child->len);
	proto_clear(child);
}
