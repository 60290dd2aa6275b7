// SPDX-License-Identifier: GPL-2.0-or-later
#include "energy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fault.h"

static const char law[] = "# power-law=", power[] = "# power ";

const char *const energy_state_name[ENERGY_STATES] = { "rc6", "idle", "active" };

/* state start_ns stop_ns mhz nj */
static bool add_state(struct energy *e, const char *line)
{
	char name[8];
	int64_t start, stop;
	uint64_t nj;

	if (sscanf(line, "# power %7s %" SCNd64 " %" SCNd64 " %*u %" SCNu64, name, &start, &stop, &nj) != 4)
		return false;
	for (int i = 0; i < ENERGY_STATES; i++) {
		if (strcmp(name, energy_state_name[i]))
			continue;
		e->ns[i] += stop - start;
		e->nj[i] += nj;
		return stop >= start;
	}
	return false;
}

bool energy_read(struct energy *e, const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	*e = (struct energy){ .told = false };
	if (!g_file_get_contents(path, &text, NULL, error))
		return false;
	lines = g_strsplit(text, "\n", -1);
	for (int i = 0; lines[i]; i++) {
		e->told = e->told || g_str_has_prefix(lines[i], law);
		if (g_str_has_prefix(lines[i], power) && !add_state(e, lines[i])) {
			fault(error, "%s:%d: not a line of a state", path, i + 1);
			return false;
		}
	}
	e->shares = g_array_new(FALSE, FALSE, sizeof(struct energy_share));
	return true;
}

static struct energy_share *share_of(GArray *shares, const struct truth_piece *t)
{
	struct energy_share new = { .vgpu_id = t->vgpu_id };

	for (guint i = 0; i < shares->len; i++) {
		struct energy_share *s = &g_array_index(shares, struct energy_share, i);

		if (s->vgpu_id == t->vgpu_id && !strcmp(s->engine, t->engine))
			return s;
	}
	g_strlcpy(new.engine, t->engine, sizeof(new.engine));
	g_array_append_val(shares, new);
	return &g_array_index(shares, struct energy_share, shares->len - 1);
}

static gint compare_shares(gconstpointer left, gconstpointer right)
{
	const struct energy_share *a = left, *b = right;

	if (a->vgpu_id != b->vgpu_id)
		return a->vgpu_id < b->vgpu_id ? -1 : 1;
	return strcmp(a->engine, b->engine);
}

void energy_share_out(struct energy *e, const GArray *truth)
{
	if (!e->told)
		return;
	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);
		struct energy_share *s = share_of(e->shares, t);

		s->own_nj += t->own_nj;
		s->fair_nj += t->fair_nj;
	}
	g_array_sort(e->shares, compare_shares);
}

void energy_free(struct energy *e)
{
	g_clear_pointer(&e->shares, g_array_unref);
}
