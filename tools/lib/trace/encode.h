/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodes the text of an event as a record, following the event's format.
 */
#ifndef GVTTRACE_ENCODE_H
#define GVTTRACE_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

struct tep_event;

/* maximum size of a record in bytes */
#define ENCODE_MOST	1024

/* a record, or why its text is invalid */
struct encoded {
	uint8_t data[ENCODE_MOST + 4];
	uint32_t len;			/* 0: see @problem */
	const char *problem;
	const char *of;			/* the invalid word */
};

/**
 * encode_event - make a record
 * @encoded: filled
 * @event: its format
 * @words: @count times FIELD=VALUE; modified. Numbers as strtoull() reads them, fields that
 *   are not given are 0 or an empty string. Words that begin with '!' are skipped.
 * @big_endian: byte order of the record
 *
 * Returns false if a word is invalid.
 */
bool encode_event(struct encoded *encoded, struct tep_event *event, char **words, int count,
		  bool big_endian);

#endif
