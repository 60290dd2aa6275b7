// SPDX-License-Identifier: GPL-2.0-or-later
#include "intervals.h"

GArray *intervals_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct interval));
}

void intervals_add(GArray *a, int64_t begin_ns, int64_t end_ns)
{
	const struct interval i = { begin_ns, end_ns };

	g_array_append_val(a, i);
}

void intervals_add_all(GArray *a, const GArray *from)
{
	if (from->len)
		g_array_append_vals(a, from->data, from->len);
}

static gint compare(gconstpointer left, gconstpointer right)
{
	const struct interval *a = left, *b = right;

	return (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
}

void intervals_merge(GArray *a)
{
	struct interval *i = (struct interval *)a->data;
	guint kept = 0;

	if (!a->len)
		return;
	g_array_sort(a, compare);
	for (guint next = 1; next < a->len; next++) {
		if (i[next].begin_ns > i[kept].end_ns)
			i[++kept] = i[next];
		else
			i[kept].end_ns = MAX(i[kept].end_ns, i[next].end_ns);
	}
	g_array_set_size(a, kept + 1);
}

int64_t intervals_covered(const GArray *a, const struct interval *window)
{
	const struct interval *i = (const struct interval *)a->data;
	int64_t sum = 0;

	for (guint n = 0; n < a->len; n++) {
		int64_t begin = MAX(i[n].begin_ns, window->begin_ns);
		int64_t end = MIN(i[n].end_ns, window->end_ns);

		sum += MAX(end - begin, 0);
	}
	return sum;
}
