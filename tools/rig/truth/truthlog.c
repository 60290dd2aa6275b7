// SPDX-License-Identifier: GPL-2.0-or-later
#include "truthlog.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fault.h"

static const char magic[] = "# gen9-truth 1";

static bool parse_line(const char *line, struct truth_piece *p)
{
	char result[16];
	uint64_t start, stop;

	/* engine lrca ctx_id start_ns stop_ns busy_ns commands result head tail */
	if (sscanf(line, "%7s %" SCNx32 " %*x %" SCNu64 " %" SCNu64 " %*u %*u %15s",
		   p->engine, &p->lrca, &start, &stop, result) != 5)
		return false;
	p->lrca &= LRCA_MASK;
	p->start_ns = start;
	p->stop_ns = stop;
	p->complete = !strcmp(result, "complete");
	p->reset = !strcmp(result, "reset");
	p->vgpu_id = 0;
	p->match = -1;
	return stop >= start;
}

static GArray *parse_lines(char **lines, const char *path, GError **error)
{
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(struct truth_piece));

	for (int i = 0; lines[i]; i++) {
		struct truth_piece p;

		if (!*lines[i] || *lines[i] == '#')
			continue;
		if (!parse_line(lines[i], &p)) {
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
