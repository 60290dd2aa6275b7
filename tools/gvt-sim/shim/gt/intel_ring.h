/* SPDX-License-Identifier: GPL-2.0-only */
/* i915_drv.h has it all */
