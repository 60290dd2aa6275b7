/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One vGPU of a scenario played by the light client, with its streams. */
#ifndef RIG_PLAYER_H
#define RIG_PLAYER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "scenario.h"
#include "stream.h"
#include "vgpu_client.h"

/*
 * A stream with work in flight and no completion for so long has lost it to a
 * hang.  i915 on the host needs two heartbeats of 2.5 s and the preemption
 * timeout of 640 ms to find out; a reset before that would block.
 */
#define PLAYER_HANG_NS 10000000000ull

struct player_stream {
	struct load_stream load;
	struct vgpu_context *context;
	enum vgpu_engine engine;
	uint64_t progress_ns;	/* last completion, or submission into idleness */
};

struct player {
	const struct scenario_vgpu *params;
	struct vgpu_client *v;
	struct player_stream *streams;	/* as many as params has */
};

/**
 * player_open - open the vGPU and start all its engines, as an idle guest has
 * @params: must outlive the player
 * @uuid: of its mdev
 * @number: the vGPU's own, 1 to CANARY_MAX: its canary
 *
 * Returns: 0 or -errno with a line on stderr; player_close() in both cases.
 */
int player_open(struct player *p, const struct scenario_vgpu *params, const char *uuid,
		unsigned int number);

/* player_start - let the streams begin; see load_stream_init() */
void player_start(struct player *p, uint64_t start_ns, uint64_t begin_ns, uint64_t end_ns);

/**
 * player_next_ns - when player_submit() (if @submitting) or player_recover()
 * has something to do; STREAM_NEVER if only an interrupt can change that
 */
uint64_t player_next_ns(const struct player *p, bool submitting);

/* player_submit - submit all that is due; 0 or -errno with a line on stderr */
int player_submit(struct player *p, uint64_t now_ns);

/**
 * player_collect - handle an interrupt: acknowledge, count what completed
 * @csb: if not NULL, new context status entries are printed there
 *
 * Returns: 0 or -errno with a line on stderr.
 */
int player_collect(struct player *p, uint64_t now_ns, FILE *csb);

/* player_recover - reset engines that hang; 0 or -errno with a line on stderr */
int player_recover(struct player *p, uint64_t now_ns);

bool player_is_busy(const struct player *p);

/* player_print - one RESULT line per stream */
void player_print(struct player *p, FILE *out);

void player_close(struct player *p);

#endif
