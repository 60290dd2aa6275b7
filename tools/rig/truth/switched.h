/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that had a wrong owner, as the device noted in its truth log. */
#ifndef RIG_TRUTH_SWITCHED_H
#define RIG_TRUTH_SWITCHED_H

#include "piece.h"

/* One register of an engine, and the context that executed there */
struct switch_note {
	char engine[8];
	uint32_t lrca;
	int64_t start_ns, time_ns;	/* of the context's stay, of the note */
	bool live;	/* changed while it executed, else it began with another value */
};

/* Stays of contexts on an engine of which there is at least one note */
struct switches {
	unsigned int live_to_vgpu;	/* a vGPU's registers changed while it executed, then a vGPU came */
	unsigned int live_to_host;	/* the same, then the host came */
	unsigned int live_host;		/* the host's registers changed */
	unsigned int other;		/* a vGPU began with other values than it had left */
	unsigned int other_host;
	unsigned int registers;		/* notes of vGPUs' contexts */
};

/**
 * switched_read - read the notes in the log that the emulated GPU wrote
 * @path: the file; truthlog_read() says whether it is one
 *
 * Return: an array of struct switch_note, which the caller frees, or NULL with
 * @error set.
 */
GArray *switched_read(const char *path, GError **error);

/**
 * switched_count - count them by who suffered and who came next
 * @notes: struct switch_note
 * @truth: struct truth_piece whose owners are known, in any order
 * @window: what lies outside does not count
 */
void switched_count(struct switches *s, const GArray *notes, const GArray *truth,
		    const struct covered *window);

#endif
