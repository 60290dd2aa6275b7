// SPDX-License-Identifier: GPL-2.0-only
/* The fluid reference against known results; prints TAP */

#include <math.h>
#include <stdio.h>

#include "fluid.h"

static const struct {
	const char *name;
	u32 n;
	struct sched_sim_client c[3];
	double costs_ns;
	double share[3];
	double mean_ms;
} cases[] = {
	{ .name = "two that always have work share equally", .n = 2, .c = {
		{ .exec_ns = MS(1), .depth = 1 }, { .exec_ns = MS(30), .depth = 2 } },
	  .share = { 0.5, 0.5 }, .mean_ms = 2 },
	{ .name = "by weight and nice", .n = 2, .c = {
		{ .exec_ns = MS(1), .depth = 1, .weight = 2 },
		{ .exec_ns = MS(1), .depth = 1, .weight = 8, .nice = -1 } },
	  .share = { 1 / 6.0, 5 / 6.0 }, .mean_ms = 6 },
	{ .name = "what a cap leaves is the others'", .n = 3, .c = {
		{ .exec_ns = MS(1), .depth = 1, .cap = 20 },
		{ .exec_ns = MS(1), .depth = 1 }, { .exec_ns = MS(1), .depth = 1 } },
	  .share = { 0.2, 0.4, 0.4 }, .mean_ms = 5 },
	{ .name = "who pauses is slowed down only while it has work", .n = 2, .c = {
		{ .exec_ns = MS(5), .think_ns = MS(5), .depth = 1 },
		{ .exec_ns = MS(7), .depth = 1 } },
	  .share = { 1 / 3.0, 2 / 3.0 }, .mean_ms = 10 },
	{ .name = "what a clock wants less than its share it has", .n = 2, .c = {
		{ .exec_ns = MS(2), .period_ns = MS(10), .depth = 3 },
		{ .exec_ns = MS(7), .depth = 1 } },
	  .share = { 0.2, 0.8 }, .mean_ms = 4 },
	{ .name = "what a workload costs is its vGPU's", .n = 2, .c = {
		{ .exec_ns = US(50), .depth = 1 }, { .exec_ns = MS(5), .depth = 1 } },
	  .costs_ns = US(50), .share = { 0.25, 0.5 / 1.01 }, .mean_ms = 0.2 },
	{ .name = "bursts of four, then a rest", .n = 1, .c = {
		{ .exec_ns = MS(1), .burst = 4, .depth = 1, .rest_ns = MS(6) } },
	  .share = { 0.4 }, .mean_ms = 1 },
};

static bool is_about(double value, double expected)
{
	return fabs(value - expected) <= 0.002 * expected;
}

int main(void)
{
	struct fluid_result r[3];
	u32 i, k;

	printf("1..%zu\n", ARRAY_SIZE(cases));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		bool ok = true;

		fluid_run(cases[i].c, cases[i].n, cases[i].costs_ns, 1e8, 1e10, 1, r);
		for (k = 0; k < cases[i].n; k++)
			ok &= is_about(r[k].share, cases[i].share[k]);
		ok &= is_about(r[0].mean_ms, cases[i].mean_ms);
		printf("%sok %u - %s\n", ok ? "" : "not ", i + 1, cases[i].name);
		for (k = 0; k < cases[i].n && !ok; k++)
			printf("# %u: %.4f of the time, mean %.4f ms\n", k, r[k].share,
			       r[k].mean_ms);
	}
	return 0;
}
