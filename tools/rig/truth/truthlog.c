// SPDX-License-Identifier: GPL-2.0-or-later
#include "truthlog.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fault.h"

static const char magic[] = "# gen9-truth 1", law[] = "# power-law=";

/* The ring of a vGPU's context in i915: as large as its registers allow */
#define RING_BYTES 0x200000u

/*
 * The end of i915's requests on Gen8 to Gen11, behind the breadcrumb that marks a request
 * as finished: no other request begins while i915 is about to preempt. It consists of
 * MI_ARB_CHECK, MI_SEMAPHORE_WAIT of four dwords, MI_NOOP (emit_preempt_busywait())
 */
#define BUSY_WAIT_BYTES (6 * 4)

/* A context without commands left has completed. */
static bool is_in_wait(const struct truth_piece *p)
{
	uint32_t left = (p->tail - p->end) % RING_BYTES;

	return left > 0 && left <= BUSY_WAIT_BYTES;
}

/* The last two words of a line, where the GPU has a power-law */
static bool parse_energy(const char *rest, struct truth_piece *p)
{
	g_auto(GStrv) words = g_strsplit(rest, " ", -1);
	guint n = g_strv_length(words);

	return n >= 2 && g_ascii_string_to_unsigned(words[n - 2], 10, 0, UINT64_MAX, &p->own_nj, NULL) &&
	       g_ascii_string_to_unsigned(words[n - 1], 10, 0, UINT64_MAX, &p->fair_nj, NULL);
}

static bool parse_line(const char *line, bool energy, struct truth_piece *p)
{
	char result[16];
	uint64_t start, stop, busy;
	int end = 0;

	*p = (struct truth_piece){ .match = -1 };
	/* engine lrca ctx_id start_ns stop_ns busy_ns commands result head tail end */
	if (sscanf(line, "%7s %" SCNx32 " %*x %" SCNu64 " %" SCNu64 " %" SCNu64 " %*u %15s %" SCNx32
		   " %" SCNx32 " %" SCNx32 "%n", p->engine, &p->lrca, &start, &stop, &busy, result,
		   &p->head, &p->tail, &p->end, &end) != 9 || (energy && !parse_energy(line + end, p)))
		return false;
	p->lrca &= LRCA_MASK;
	p->start_ns = start;
	p->stop_ns = stop;
	p->busy_ns = busy;
	p->reset = !strcmp(result, "reset");
	p->in_wait = !strcmp(result, "preempted") && is_in_wait(p);
	p->complete = p->in_wait || !strcmp(result, "complete");
	return stop >= start;
}

static GArray *parse_lines(char **lines, const char *path, GError **error)
{
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(struct truth_piece));
	bool energy = false;

	for (int i = 0; lines[i]; i++) {
		struct truth_piece p;

		energy = energy || g_str_has_prefix(lines[i], law);
		if (!*lines[i] || *lines[i] == '#')
			continue;
		if (!parse_line(lines[i], energy, &p)) {
			fault(error, "%s:%d: not a line of a truth log", path, i + 1);
			g_array_free(pieces, TRUE);
			return NULL;
		}
		g_array_append_val(pieces, p);
	}
	return pieces;
}

GArray *truthlog_read(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, error))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	if (!lines[0] || strcmp(lines[0], magic)) {
		fault(error, "%s: no truth log (its first line is not \"%s\")", path, magic);
		return NULL;
	}
	return parse_lines(lines, path, error);
}
