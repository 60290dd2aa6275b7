/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface between analyses and the follow.
 *
 * Private to the library.
 */
#ifndef GVTTRACE_FOLLOW_INSIDE_H
#define GVTTRACE_FOLLOW_INSIDE_H

#include "follow.h"

/**
 * contradiction_add - record that a sum did not hold
 *
 * Ignores later ones of the same sum at the same place.
 */
void contradiction_add(struct follow *follow, const struct contradiction *contradiction);

#endif
