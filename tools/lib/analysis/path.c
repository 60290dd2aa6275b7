// SPDX-License-Identifier: GPL-2.0-or-later
#include "path-private.h"

struct walk {
	const GPtrArray *rows;
	GArray *segments;
	bool undecided;			/* the path reached an undecided interval */
};

bool path_join(struct path_segment *last, const struct path_segment *segment)
{
	if (last->worker != segment->worker || last->label != segment->label ||
	    last->detail != segment->detail || last->vgpu_id != segment->vgpu_id)
		return false;
	last->to_ns = segment->to_ns;
	return true;
}

static void emit(const struct walk *walk, const struct path_segment *segment)
{
	struct path_segment *last;

	if (segment->from_ns >= segment->to_ns)
		return;
	last = walk->segments->len ? &g_array_index(walk->segments, struct path_segment,
						    walk->segments->len - 1) : NULL;
	if (!last || !path_join(last, segment))
		g_array_append_val(walk->segments, *segment);
}

unsigned int path_first_after(const GArray *row, int64_t ns)
{
	unsigned int low = 0, high = row->len;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (g_array_index(row, struct path_interval, middle).to_ns > ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void explain(struct walk *walk, int worker, int64_t from_ns, int64_t to_ns, int depth)
{
	const GArray *row = walk->rows->pdata[worker];
	struct path_segment segment;

	for (unsigned int nr = path_first_after(row, from_ns); from_ns < to_ns && nr < row->len; nr++) {
		const struct path_interval *interval =
			&g_array_index(row, struct path_interval, nr);
		int64_t begin_ns = MAX(from_ns, interval->from_ns);
		int64_t end_ns = MIN(to_ns, interval->to_ns);

		if (begin_ns >= to_ns)
			break;
		segment = (struct path_segment) { from_ns, begin_ns, worker, PATH_UNKNOWN, 0, 0 };
		emit(walk, &segment);
		segment = (struct path_segment) {
			begin_ns, end_ns, worker, interval->label, interval->detail,
			interval->vgpu_id
		};
		walk->undecided |= interval->waker == PATH_UNDECIDED;
		if (interval->label == PATH_BLOCKED && interval->waker >= 0 &&
		    depth < PATH_MAX_DEPTH)
			explain(walk, interval->waker, begin_ns, end_ns, depth + 1);
		else
			emit(walk, &segment);
		from_ns = end_ns;
	}
	segment = (struct path_segment) { from_ns, to_ns, worker, PATH_UNKNOWN, 0, 0 };
	emit(walk, &segment);
}

GArray *path_find(const GPtrArray *rows, int worker, int64_t from_ns, int64_t to_ns)
{
	struct walk walk = {
		rows, g_array_new(FALSE, FALSE, sizeof(struct path_segment)), false
	};

	explain(&walk, worker, from_ns, to_ns, 0);
	if (!walk.undecided)
		return walk.segments;
	g_array_free(walk.segments, TRUE);
	return NULL;
}
