/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One vGPU of a scenario played by the light client, with its streams and acts. */
#ifndef RIG_PLAYER_H
#define RIG_PLAYER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "scenario.h"
#include "stream.h"
#include "vgpu_client.h"

/*
 * A stream with work in flight and no completion for this long hangs.  i915 on
 * the host needs two heartbeats of 2.5 s and the preemption timeout of 640 ms to
 * detect the hang; an earlier reset would block.
 */
#define PLAYER_HANG_NS 10000000000ull

struct player_stream {
	struct load_stream load;
	struct vgpu_context *context;
	enum vgpu_engine engine;
	uint64_t progress_ns;	/* last completion, or submission into idleness */
	uint64_t ended;		/* number of endless workloads ended */
	uint64_t gone;		/* workloads before the context was recreated */
};

/* Results of an act so far; in memory shared with the first process. */
struct player_acts {
	uint64_t count, dropped;
	uint64_t max_ns;	/* the longest act */
	uint64_t since_ns;	/* begin of an act in progress; 0: none */
};

/* Owners of the addresses that a vGPU reads from ACTHD. */
struct player_acthd {
	uint64_t reads, own, foreign;	/* foreign: of another vGPU's batch */
};

struct player {
	const struct scenario_vgpu *params;
	const char *uuid;
	unsigned int number;
	struct vgpu_client *v;
	struct player_stream *streams;	/* as many as params has */
	struct player_acts *acts;
	struct player_acthd acthd;
	uint64_t act_ns, acthd_ns;	/* when the next is due */
	bool stopped;			/* by its own act: submits no workload */
};

/**
 * player_open - open the vGPU and start all its engines, as an idle guest has
 * @params: must outlive the player
 * @uuid: of its mdev; must outlive the player
 * @number: the vGPU's own, 1 to CANARY_MAX: its canary, and where its batches are
 * @acts: zeroed, must outlive the player
 *
 * Returns: 0 or -errno with a line on stderr; player_close() in both cases.
 */
int player_open(struct player *p, const struct scenario_vgpu *params, const char *uuid,
		unsigned int number, struct player_acts *acts);

/* player_irq_fd - see vgpu_irq_fd(); player_act() may change it */
int player_irq_fd(const struct player *p);

/* player_start - let the streams begin; see load_stream_init() */
void player_start(struct player *p, uint64_t start_ns, uint64_t begin_ns, uint64_t end_ns);

/**
 * player_next_ns - when to call player_submit() or player_act() (if @submitting), player_look()
 * or player_recover() next; STREAM_NEVER if only after an interrupt
 */
uint64_t player_next_ns(const struct player *p, bool submitting);

/**
 * player_act - perform the vGPU's act if due
 *
 * May block for as long as the kernel does.  Returns: 0 or -errno with a line on stderr.
 */
int player_act(struct player *p, uint64_t now_ns);

/* player_look - read ACTHD, end endless workloads, if due; 0 or -errno with a line on stderr */
int player_look(struct player *p, uint64_t now_ns);

/* player_finish - end all endless workloads now */
void player_finish(struct player *p);

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

/* player_print - one RESULT line per stream, an ACT and an ACTHD line if requested */
void player_print(struct player *p, FILE *out);

void player_close(struct player *p);

#endif
