// SPDX-License-Identifier: GPL-2.0-only

#include "bound.h"

double bound_share(double exec, double mean, double pause, u32 depth)
{
	return depth * exec / (mean + pause);
}

double bound_worst(double mean, double p99)
{
	return 100 * (mean - 0.99 * p99);
}
