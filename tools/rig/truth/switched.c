// SPDX-License-Identifier: GPL-2.0-or-later
#include "switched.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fault.h"

static const char live[] = "# live-switch ", other[] = "# other-values ";

/* kind engine lrca ctx_id start_ns time_ns register own value */
static bool parse_note(const char *line, struct switch_note *n)
{
	int end = 0;

	n->live = g_str_has_prefix(line, live);
	return sscanf(line, "# %*s %7s %" SCNx32 " %*x %" SCNd64 " %" SCNd64 " %*x %*x %*x%n",
		      n->engine, &n->lrca, &n->start_ns, &n->time_ns, &end) == 4 && end;
}

static GArray *parse_notes(char **lines, const char *path, GError **error)
{
	GArray *notes = g_array_new(FALSE, FALSE, sizeof(struct switch_note));

	for (int i = 0; lines[i]; i++) {
		struct switch_note n;

		if (!g_str_has_prefix(lines[i], live) && !g_str_has_prefix(lines[i], other))
			continue;
		if (!parse_note(lines[i], &n)) {
			fault(error, "%s:%d: not a note of a switched register", path, i + 1);
			g_array_free(notes, TRUE);
			return NULL;
		}
		g_array_append_val(notes, n);
	}
	return notes;
}

GArray *switched_read(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, error))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	return parse_notes(lines, path, error);
}

static gint compare_stays(gconstpointer left, gconstpointer right)
{
	const struct truth_piece *a = left, *b = right;
	int order = strcmp(a->engine, b->engine);

	return order ? order : (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* A sorted copy; the caller frees it */
static GArray *sort_stays(const GArray *truth, GCompareFunc compare)
{
	GArray *stays = g_array_new(FALSE, FALSE, sizeof(struct truth_piece));

	g_array_append_vals(stays, truth->data, truth->len);
	g_array_sort(stays, compare);
	return stays;
}

GArray *switched_stays(const GArray *truth)
{
	return sort_stays(truth, compare_stays);
}

static gint compare_starts(gconstpointer left, gconstpointer right)
{
	const struct truth_piece *a = left, *b = right;

	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* The first stay on the engine that began after @start_ns, or NULL */
static const struct truth_piece *stay_after(const GArray *stays, const char *engine,
					    int64_t start_ns)
{
	const struct truth_piece *all = (const struct truth_piece *)stays->data;
	guint low = 0, high = stays->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		int order = strcmp(all[middle].engine, engine);

		if (order < 0 || (!order && all[middle].start_ns <= start_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low < stays->len && !strcmp(all[low].engine, engine) ? &all[low] : NULL;
}

/* A stay in progress at the end of the log has no line: use any other stay of its context. */
static uint32_t owner(const GArray *truth, const struct switch_note *n)
{
	for (guint i = truth->len; i; i--) {
		const struct truth_piece *p = &g_array_index(truth, struct truth_piece, i - 1);

		if (p->lrca == (n->lrca & LRCA_MASK) && !strcmp(p->engine, n->engine))
			return p->vgpu_id;
	}
	return 0;
}

static uint32_t owner_of_stay(const GArray *stays, const struct switch_note *n)
{
	const struct truth_piece *p = stay_after(stays, n->engine, n->start_ns - 1);

	if (p && p->start_ns == n->start_ns && p->lrca == (n->lrca & LRCA_MASK))
		return p->vgpu_id;
	return owner(stays, n);
}

/* The first stay on another engine that began after the switch, or NULL */
static const struct truth_piece *next_elsewhere(const GArray *by_start, const struct switch_note *n)
{
	for (guint i = 0; i < by_start->len; i++) {
		const struct truth_piece *p = &g_array_index(by_start, struct truth_piece, i);

		if (p->start_ns >= n->time_ns && strcmp(p->engine, n->engine))
			return p;
	}
	return NULL;
}

/*
 * Registers that engines share are switched right before the stay that needs them. If the same vGPU
 * stays next on its engine, the switch was for another engine, as for a heartbeat of i915.
 */
static const struct truth_piece *switched_for(const GArray *stays, const GArray *by_start,
					      const struct switch_note *n, uint32_t vgpu_id)
{
	const struct truth_piece *next = stay_after(stays, n->engine, n->start_ns);

	return next && next->vgpu_id == vgpu_id ? next_elsewhere(by_start, n) : next;
}

static void count_stay(struct switches *s, const struct switch_note *n, uint32_t vgpu_id,
		       const GArray *stays, const GArray *by_start)
{
	const struct truth_piece *next = switched_for(stays, by_start, n, vgpu_id);

	if (!n->live && vgpu_id)
		s->other++;
	else if (!n->live)
		s->other_host++;
	else if (!vgpu_id)
		s->live_host++;
	else if (next && next->vgpu_id)
		s->live_to_vgpu++;
	else
		s->live_to_host++;
}

static bool same_stay(const struct switch_note *a, const struct switch_note *b)
{
	return a->live == b->live && a->start_ns == b->start_ns && !strcmp(a->engine, b->engine);
}

/* Notes of one kind of a stay are consecutive, except for notes of other engines. */
static bool is_first_of_stay(const GArray *notes, guint i)
{
	const struct switch_note *n = &g_array_index(notes, struct switch_note, i);

	for (guint j = i; j; j--) {
		const struct switch_note *before = &g_array_index(notes, struct switch_note, j - 1);

		if (same_stay(before, n))
			return false;
		if (before->time_ns < n->start_ns)
			break;
	}
	return true;
}

void switched_count(struct switches *s, const GArray *notes, const GArray *truth,
		    const struct covered *window)
{
	g_autoptr(GArray) stays = switched_stays(truth);
	g_autoptr(GArray) by_start = sort_stays(truth, compare_starts);

	*s = (struct switches) { 0 };
	for (guint i = 0; i < notes->len; i++) {
		const struct switch_note *n = &g_array_index(notes, struct switch_note, i);
		uint32_t vgpu_id;

		if (n->time_ns < window->begin_ns || n->time_ns >= window->end_ns)
			continue;
		vgpu_id = owner_of_stay(stays, n);
		s->registers += !!vgpu_id;
		if (is_first_of_stay(notes, i))
			count_stay(s, n, vgpu_id, stays, by_start);
	}
}
