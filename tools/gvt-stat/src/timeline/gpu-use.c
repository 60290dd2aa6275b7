// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdbool.h>

#include "trace/util.h"
#include "gpu-use.h"
#include "meters.h"

/* beyond any GPU */
#define MOST_MHZ	10000
/* so long after the sample i915's counters may be read */
#define LATE_NS		1000000

/* a counter, and the time in which it is known to have counted */
struct sum {
	double counted, of;
};

/* @most: what it can have counted in @past; beyond that, it began anew */
static bool add(struct sum *sum, int64_t before, int64_t now, double past, double most)
{
	if (!known(before) || !known(now) || now < before || (double)now - before > most)
		return false;
	sum->counted += (double)now - before;
	sum->of += past;
	return true;
}

static double percent(const struct sum *sum)
{
	return sum->of > 0 ? fmin(100 * sum->counted / sum->of, 100) : NAN;
}

struct gpu_use gpu_use(const GArray *levels)
{
	struct sum rc6 = { 0 }, awake = { 0 }, mhz = { 0 };

	for (guint nr = 1; nr < levels->len; nr++) {
		const struct gpu_level *before = &g_array_index(levels, struct gpu_level, nr - 1);
		const struct gpu_level *now = &g_array_index(levels, struct gpu_level, nr);
		double past = now->at_ns - before->at_ns, most = past + LATE_NS;

		add(&rc6, before->gpu.rc6_ns, now->gpu.rc6_ns, past, most);
		if (add(&awake, before->gpu.awake_ns, now->gpu.awake_ns, past, most))
			add(&mhz, before->gpu.mhz_s, now->gpu.mhz_s, now->gpu.awake_ns - before->gpu.awake_ns,
			    MOST_MHZ * (1 + most / NSEC_PER_SEC));
	}
	return (struct gpu_use) {
		percent(&rc6), percent(&awake), mhz.of > 0 ? mhz.counted * NSEC_PER_SEC / mhz.of : NAN,
	};
}
