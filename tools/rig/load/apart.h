/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vGPUs that are played in separate processes, like VMs: their acts may block them for long,
 * or forever, but no other vGPU.
 */
#ifndef RIG_APART_H
#define RIG_APART_H

#include <stdint.h>
#include <sys/types.h>

#include "player.h"
#include "scenario.h"

/* How much longer than the others such a vGPU may need to end. */
#define APART_END_NS 30000000000ull

struct apart {
	const struct scenario_vgpu *params;
	struct player_acts *acts;	/* shared with the process */
	pid_t pid;
	int ready, go;			/* pipes from and to the process */
};

/*
 * apart_fn - play one vGPU in its own process
 * @ready: pipe to which a byte is written when the vGPU is open
 * @go: pipe from which the start time is then read
 *
 * Returns: the exit code.
 */
typedef int (*apart_fn)(void *data, const struct scenario_vgpu *params,
			struct player_acts *acts, int ready, int go);

/* apart_start - fork @a for a vGPU; 0 or -errno with a line on stderr */
int apart_start(struct apart *a, const struct scenario_vgpu *params, apart_fn play, void *data);

/* apart_wait_ready - wait until the vGPU is open; 0, or -EIO if opening failed */
int apart_wait_ready(const struct apart *a);

/* apart_go - start playing; 0 or -errno with a line on stderr */
int apart_go(const struct apart *a, uint64_t start_ns);

/**
 * apart_wait_end - wait until the process has ended
 * @until_ns: time to give up
 *
 * Returns: 0, or -EIO, with a line on stderr, if the process failed or has not ended.
 */
int apart_wait_end(struct apart *a, uint64_t until_ns);

/* In the process: report that the vGPU is open; wait for the start time. 0 or -EIO */
int apart_ready(int ready, int go, uint64_t *start_ns);

#endif
