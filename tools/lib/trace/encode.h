/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the text of an event to its record, by the event's format.
 */
#ifndef GVTTRACE_ENCODE_H
#define GVTTRACE_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

struct tep_event;

/* more bytes a record cannot have */
#define ENCODE_MOST	1024

/* a record, and what is wrong with its text if there is none */
struct encoded {
	uint8_t data[ENCODE_MOST + 4];
	uint32_t len;			/* 0: see @problem */
	const char *problem;
	const char *of;			/* which of the words */
};

/**
 * encode_event - make a record
 * @encoded: filled
 * @event: its format
 * @words: FIELD=VALUE, @count of them; are changed. Numbers as strtoull() reads them, fields that
 *   are not given are 0 or an empty text. Those that begin with '!' are passed over.
 * @big_endian: byte order of the record
 *
 * Returns false if a word is not good.
 */
bool encode_event(struct encoded *encoded, struct tep_event *event, char **words, int count,
		  bool big_endian);

#endif
