// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>

#include "engine.h"

/* indexed by enum drm_i915_gem_engine_class (include/uapi/drm/i915_drm.h) */
static const char *const class_names[] = { "rcs", "bcs", "vcs", "vecs", "ccs" };

#define NR_CLASSES	((int64_t)(sizeof(class_names) / sizeof(class_names[0])))

const char *engine_name(char *name, int64_t engine_class, int64_t instance)
{
	if (engine_class >= 0 && engine_class < NR_CLASSES)
		snprintf(name, ENGINE_NAME_LEN, "%s%" PRId64, class_names[engine_class], instance);
	else
		snprintf(name, ENGINE_NAME_LEN, "class%" PRId64 "-%" PRId64, engine_class, instance);
	return name;
}
