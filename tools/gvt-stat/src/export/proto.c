// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <glib.h>

#include "proto.h"

void proto_clear(struct proto *message)
{
	message->len = 0;
}

void proto_free(struct proto *message)
{
	g_free(message->data);
	*message = (struct proto) { .data = NULL };
}

void proto_grow(struct proto *message, size_t len)
{
	message->size = MAX(2 * message->size, message->len + len + 64);
	message->data = g_realloc(message->data, message->size);
}

void proto_end_long(struct proto *message, size_t begin)
{
	size_t len = message->len - begin;
	uint8_t length[PROTO_MAX_VARINT], *from;
	size_t more = proto_put(length, len) - length - 1;

	proto_room(message, more);
	from = message->data + begin;
	memmove(from + more, from, len);
	memcpy(from - 1, length, more + 1);
	message->len += more;
}

void proto_fixed64(struct proto *message, uint32_t field, uint64_t value)
{
	uint8_t *to = proto_room(message, PROTO_MAX_VARINT + sizeof(value));
	uint64_t little = GUINT64_TO_LE(value);

	to = proto_tag(to, field, WIRE_FIXED64);
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
	uint8_t *to = proto_room(message, 2 * PROTO_MAX_VARINT + len);

	to = proto_put(proto_tag(to, field, WIRE_BYTES), len);
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
