// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include <gsl/gsl_interp.h>

#include "whatif/whatif.h"
#include "curve.h"

#define PPM_ALONE	1e6
/* interpolated points per measured interval */
#define STEPS		8

/* the measured points, and the origin */
struct measured {
	double mbps[PROFILE_MOST_BESIDE + 1];
	double ppm[PROFILE_MOST_BESIDE + 1];
	size_t count;
};

static struct measured measured_of(const GArray *beside)
{
	struct measured measured = { { 0 }, { PPM_ALONE }, 1 };

	for (unsigned int nr = 0; nr < beside->len; nr++) {
		const struct profile_beside *point = &g_array_index(beside, struct profile_beside, nr);

		measured.mbps[measured.count] = point->mbps;
		measured.ppm[measured.count++] = point->ppm;
	}
	return measured;
}

/* skips a point that rounds to the same mbps as the last one: gvt-sim takes integers */
static void add_point(GArray *points, double mbps, double ppm)
{
	const struct whatif_point point = { llround(mbps), llround(fmax(ppm, PPM_ALONE)) };
	const struct whatif_point *last = points->len ?
		&g_array_index(points, struct whatif_point, points->len - 1) : NULL;

	if (point.mbps > (last ? last->mbps : 0))
		g_array_append_val(points, point);
}

static void interpolate(const struct measured *measured, GArray *points)
{
	gsl_interp *interp = gsl_interp_alloc(gsl_interp_steffen, measured->count);

	gsl_interp_init(interp, measured->mbps, measured->ppm, measured->count);
	for (size_t nr = 1; nr < measured->count; nr++)
		for (int step = 1; step <= STEPS; step++) {
			double from = measured->mbps[nr - 1], to = measured->mbps[nr];
			double mbps = step < STEPS ? from + (to - from) * step / STEPS : to;

			add_point(points, mbps, gsl_interp_eval(interp, measured->mbps, measured->ppm,
								mbps, NULL));
		}
	gsl_interp_free(interp);
}

GArray *curve_of(const GArray *beside)
{
	GArray *points = g_array_new(FALSE, FALSE, sizeof(struct whatif_point));
	const struct measured measured = measured_of(beside);

	if (measured.count >= gsl_interp_type_min_size(gsl_interp_steffen))
		interpolate(&measured, points);
	else
		for (size_t nr = 1; nr < measured.count; nr++)
			add_point(points, measured.mbps[nr], measured.ppm[nr]);
	return points;
}
