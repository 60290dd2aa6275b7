/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a prediction may be wrong: what profiles do not tell, and what it was never compared with.
 */
#ifndef GVT_STAT_VALIDITY_H
#define GVT_STAT_VALIDITY_H

#include <glib.h>

#include "prediction.h"

/* something doubtful */
struct caveat {
	int64_t vgpu_id;		/* UNKNOWN: of all */
	const struct gpu_engine *engine;	/* NULL: of all */
	char *text;
};

/**
 * validity_check - what is doubtful about a prediction
 * @predicted: of these profiles
 *
 * Other arguments are those of prediction_run(). Each profile is simulated alone, too, to see whether
 * that is what it had. Returns struct caveat *; the caller frees with g_ptr_array_free().
 */
GPtrArray *validity_check(struct profile *const *profiles, unsigned int count,
			  const struct whatif *whatif, const GArray *predicted,
			  const char *simulator);

#endif
