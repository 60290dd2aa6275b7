// SPDX-License-Identifier: GPL-2.0-or-later
#include <langinfo.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <glib.h>

#include "bar.h"

char *bar(char *text, double fraction, int width)
{
	double part = isfinite(fraction) ? CLAMP(fraction, 0, 1) : 0;
	int length = lround(part * width);

	memset(text, ' ', width);
	memset(text, '#', length);
	text[width] = '\0';
	return text;
}

static const char *height(double fraction)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const letters[] = { "_", ".", "-", "=", "+", "*", "%", "#" };
	bool utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	int step;

	if (!isfinite(fraction))
		return " ";
	step = CLAMP(fraction, 0, 1) * (G_N_ELEMENTS(blocks) - 1) + 0.5;
	return utf8 ? blocks[step] : letters[step];
}

static double largest(const double *values, size_t from, size_t to)
{
	double most = NAN;

	for (; from < to; from++)
		most = fmax(most, values[from]);
	return most;
}

char *sparkline(char *text, const double *values, size_t count, double top)
{
	size_t width = MIN(count, BAR_WIDTH);

	*text = '\0';
	for (size_t nr = 0; nr < width; nr++) {
		double value = largest(values, nr * count / width, (nr + 1) * count / width);

		g_strlcat(text, height(top > 0 ? value / top : value), BAR_LEN);
	}
	return text;
}
