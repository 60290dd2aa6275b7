/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Engine names: maps i915's uabi class and instance to the names known to
 * users of intel_gpu_top and scenarios ("rcs0").
 */
#ifndef GVTTRACE_ENGINE_H
#define GVTTRACE_ENGINE_H

#include <stdint.h>

#define ENGINE_NAME_LEN		32

/**
 * engine_name - write the name of an engine
 * @name: buffer of ENGINE_NAME_LEN bytes
 * @engine_class: i915 uabi class; classes without a name become "class<N>-"
 * @instance: i915 uabi instance
 *
 * Returns @name.
 */
const char *engine_name(char *name, int64_t engine_class, int64_t instance);

#endif
