// SPDX-License-Identifier: GPL-2.0-or-later
/* The names of arrival modes. */
#include "scenario.h"

const char *const scenario_arrivals[] = {
	[SCENARIO_CLOSED] = "closed",
	[SCENARIO_PERIODIC] = "periodic",
	[SCENARIO_POISSON] = "poisson",
	NULL
};
