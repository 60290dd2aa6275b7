// SPDX-License-Identifier: GPL-2.0-or-later
#include "holds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fault.h"
#include "intervals.h"

#define EVENT " gvt_sched_hold:"

/* "task-1 [000] 26914424308: gvt_sched_hold: dev=0 ... held_ns=450 ..." */
static gboolean parse_line(const char *line, GArray *holds)
{
	const char *event = strstr(line, EVENT), *held = strstr(line, " held_ns=");
	int64_t end_ns, held_ns;

	while (event > line && event[-1] != ' ')
		event--;
	if (!held || sscanf(event, "%" SCNd64 ":", &end_ns) != 1 ||
	    sscanf(held, " held_ns=%" SCNi64, &held_ns) != 1 || held_ns < 0)
		return FALSE;
	intervals_add(holds, end_ns - held_ns, end_ns);
	return TRUE;
}

GArray *holds_read(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	GArray *holds;

	if (!g_file_get_contents(path, &text, NULL, error))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	holds = intervals_new();
	for (int i = 0; lines[i]; i++) {
		if (!strstr(lines[i], EVENT) || parse_line(lines[i], holds))
			continue;
		fault(error, "%s:%d: gvt_sched_hold without a time or held_ns", path, i + 1);
		g_array_free(holds, TRUE);
		return NULL;
	}
	intervals_merge(holds);
	return holds;
}
