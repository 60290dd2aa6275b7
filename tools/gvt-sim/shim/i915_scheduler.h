/* SPDX-License-Identifier: GPL-2.0-only */
#include "i915_drv.h"
