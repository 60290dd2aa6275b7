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

static void varint(struct proto *message, uint64_t value)
{
	uint8_t *to = reserve(message, MAX_VARINT), *begin = to;

	for (; value > 0x7f; value >>= 7)
		*to++ = value | 0x80;
	*to++ = value;
	message->len += to - begin;
}

static void tag(struct proto *message, uint32_t field, enum wire wire)
{
	varint(message, (uint64_t)field << WIRE_BITS | wire);
}

void proto_number(struct proto *message, uint32_t field, uint64_t value)
{
	tag(message, field, WIRE_VARINT);
	varint(message, value);
}

void proto_fixed64(struct proto *message, uint32_t field, uint64_t value)
{
	uint64_t little = GUINT64_TO_LE(value);

	tag(message, field, WIRE_FIXED64);
	memcpy(reserve(message, sizeof(little)), &little, sizeof(little));
	message->len += sizeof(little);
}

void proto_double(struct proto *message, uint32_t field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	proto_fixed64(message, field, bits);
}

void proto_bytes(struct proto *message, uint32_t field, const void *data, size_t len)
{
	tag(message, field, WIRE_BYTES);
	varint(message, len);
	if (len)
		memcpy(reserve(message, len), data, len);
	message->len += len;
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
