/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds why a prediction may be wrong: facts missing from profiles, and cases never validated.
 */
#ifndef GVT_STAT_VALIDITY_H
#define GVT_STAT_VALIDITY_H

#include <glib.h>

#include "prediction.h"

/* one doubt */
struct caveat {
	int64_t vgpu_id;		/* UNKNOWN: all vGPUs */
	const struct gpu_engine *engine;	/* NULL: all engines */
	char *text;
};

/**
 * validity_check - the doubts about a prediction
 * @predicted: from these profiles
 *
 * Other arguments are those of prediction_run(). Also simulates each profile alone, to compare the
 * result with the profile. Returns struct caveat *; the caller frees with g_ptr_array_free().
 */
GPtrArray *validity_check(struct profile *const *profiles, unsigned int count,
			  const struct whatif *whatif, const GArray *predicted,
			  const char *simulator);

#endif
