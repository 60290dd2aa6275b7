// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"

#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "health_trace.h"
#endif
