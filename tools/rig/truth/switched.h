/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers with a wrong owner, from notes in the device's truth log. */
#ifndef RIG_TRUTH_SWITCHED_H
#define RIG_TRUTH_SWITCHED_H

#include "piece.h"

/* One register of an engine, and the context that executed there */
struct switch_note {
	char engine[8];
	uint32_t lrca;
	int64_t start_ns, time_ns;	/* start of the context's stay, time of the note */
	bool live;	/* changed while the context executed, else wrong at its start */
};

/* Numbers of stays with at least one note */
struct switches {
	unsigned int live_to_vgpu;	/* a vGPU's registers changed while it executed, a vGPU followed */
	unsigned int live_to_host;	/* the same, the host followed */
	unsigned int live_host;		/* the host's registers changed */
	unsigned int other;		/* a vGPU began with other values than it had written */
	unsigned int other_host;
	unsigned int registers;		/* notes of vGPUs' contexts */
};

/**
 * switched_read - read the notes in the log that the emulated GPU wrote
 * @path: the file, checked by truthlog_read()
 *
 * Return: an array of struct switch_note, which the caller frees, or NULL with
 * @error set.
 */
GArray *switched_read(const char *path, GError **error);

/**
 * switched_stays - the stays by engine, and those of an engine by start
 * @truth: struct truth_piece, in any order
 *
 * Return: a copy, which the caller frees.
 */
GArray *switched_stays(const GArray *truth);

/**
 * switched_count - count notes by the context's owner and the next owner
 * @notes: struct switch_note
 * @truth: struct truth_piece whose owners are known, in any order
 * @window: notes outside do not count
 */
void switched_count(struct switches *s, const GArray *notes, const GArray *truth,
		    const struct covered *window);

#endif
