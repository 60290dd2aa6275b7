/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What analyses tell the follow.
 *
 * Private to the library.
 */
#ifndef GVTTRACE_FOLLOW_INSIDE_H
#define GVTTRACE_FOLLOW_INSIDE_H

#include "follow.h"

/**
 * contradiction_add - a sum did not hold
 *
 * Later ones of the same sum at the same place are ignored.
 */
void contradiction_add(struct follow *follow, const struct contradiction *contradiction);

#endif
