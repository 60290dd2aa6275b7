/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vGPUs that are played in processes of their own, as VMs are: what they do to themselves
 * may block them for long, or for ever, and nobody else.
 */
#ifndef RIG_APART_H
#define RIG_APART_H

#include <stdint.h>
#include <sys/types.h>

#include "player.h"
#include "scenario.h"

/* How long after everybody else such a vGPU may still need to end. */
#define APART_END_NS 30000000000ull

struct apart {
	const struct scenario_vgpu *params;
	struct player_acts *acts;	/* shared with the process */
	pid_t pid;
	int ready, go;			/* pipes from and to the process */
};

/*
 * apart_fn - play one vGPU in its own process
 * @ready: gets a byte when the vGPU is open
 * @go: then gives the time to start
 *
 * Returns: the exit code.
 */
typedef int (*apart_fn)(void *data, const struct scenario_vgpu *params,
			struct player_acts *acts, int ready, int go);

/* apart_start - fork @a for a vGPU; 0 or -errno with a line on stderr */
int apart_start(struct apart *a, const struct scenario_vgpu *params, apart_fn play, void *data);

/* apart_wait_ready - until its vGPU is open; 0, or -EIO if it never will be */
int apart_wait_ready(const struct apart *a);

/* apart_go - start playing; 0 or -errno with a line on stderr */
int apart_go(const struct apart *a, uint64_t start_ns);

/**
 * apart_wait_end - until the process has ended
 * @until_ns: give up then
 *
 * Returns: 0, or -EIO if it failed (it said why) or has not ended (said here).
 */
int apart_wait_end(struct apart *a, uint64_t until_ns);

/* In the process: tell that the vGPU is open; wait for the time to start. 0 or -EIO */
int apart_ready(int ready, int go, uint64_t *start_ns);

#endif
