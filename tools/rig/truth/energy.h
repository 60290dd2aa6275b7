/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the emulated GPU drew, as it noted in its truth log if it has a power-law. */
#ifndef RIG_TRUTH_ENERGY_H
#define RIG_TRUTH_ENERGY_H

#include "piece.h"

enum energy_state { ENERGY_RC6, ENERGY_IDLE, ENERGY_ACTIVE, ENERGY_STATES };

/* One vGPU on one engine, from stays that are over */
struct energy_share {
	uint32_t vgpu_id;	/* 0: of no vGPU */
	char engine[8];
	uint64_t own_nj;	/* drawn by its contexts alone */
	uint64_t fair_nj;	/* with an equal part of what was shared; all of these are the state "active" */
};

/* In the whole log, whatever the trace covers */
struct energy {
	bool told;		/* else nothing is known */
	int64_t ns[ENERGY_STATES];
	uint64_t nj[ENERGY_STATES];
	GArray *shares;		/* struct energy_share by vGPU and engine */
};

extern const char *const energy_state_name[ENERGY_STATES];

/**
 * energy_read - read the states in the log that the emulated GPU wrote
 * @path: the file; truthlog_read() says whether it is one
 *
 * Return: false with @error set if there is a broken line. Else release by energy_free().
 */
bool energy_read(struct energy *e, const char *path, GError **error);

/**
 * energy_share_out - sum up by who executed
 * @truth: struct truth_piece whose owners are known, in any order
 */
void energy_share_out(struct energy *e, const GArray *truth);

void energy_free(struct energy *e);

#endif
