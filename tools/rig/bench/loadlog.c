// SPDX-License-Identifier: GPL-2.0-or-later
#include "loadlog.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fault.h"

/* The text after "name=" in a line, up to the next blank, or NULL */
static char *word(const char *line, const char *name)
{
	g_autofree char *key = g_strdup_printf(" %s=", name);
	const char *at = strstr(line, key);

	return at ? g_strndup(at + strlen(key), strcspn(at + strlen(key), " ")) : NULL;
}

static gboolean word_to(char *to, size_t size, const char *line, const char *name)
{
	g_autofree char *text = word(line, name);

	return text && g_strlcpy(to, text, size) < size;
}

static gboolean number_to(int64_t *to, const char *line, const char *name)
{
	g_autofree char *text = word(line, name);
	char *end;

	if (!text)
		return FALSE;
	*to = g_ascii_strtoll(text, &end, 10);
	if (!strcmp(text, "unknown"))
		*to = LATENCY_UNKNOWN;
	else if (*end || end == text)
		return FALSE;
	return TRUE;
}

static gboolean parse_result(const char *line, struct load_log *log)
{
	struct stream_result r;

	if (!word_to(r.vgpu, sizeof(r.vgpu), line, "vgpu") ||
	    !word_to(r.stream, sizeof(r.stream), line, "stream") ||
	    !word_to(r.engine, sizeof(r.engine), line, "engine") ||
	    !number_to(&r.done, line, "done") || !number_to(&r.failed, line, "failed") ||
	    !number_to(&r.hangs, line, "hangs") ||
	    !number_to(&r.latency_mean_ns, line, "latency_mean_ns") ||
	    !number_to(&r.latency_p99_ns, line, "latency_p99_ns") ||
	    !number_to(&r.latency_max_ns, line, "latency_max_ns"))
		return FALSE;
	g_array_append_val(log->streams, r);
	return TRUE;
}

static gboolean parse_line(const char *line, struct load_log *log)
{
	if (g_str_has_prefix(line, "WINDOW"))
		return number_to(&log->window.begin_ns, line, "begin_tsc") &&
		       number_to(&log->window.end_ns, line, "end_tsc");
	return !g_str_has_prefix(line, "RESULT") || parse_result(line, log);
}

static gboolean parse(struct load_log *log, char **lines, const char *path, GError **error)
{
	for (int i = 0; lines[i]; i++) {
		if (!parse_line(lines[i], log)) {
			fault(error, "%s:%d: a word is missing or no number", path, i + 1);
			return FALSE;
		}
	}
	if (log->window.begin_ns < log->window.end_ns)
		return TRUE;
	fault(error, "%s: no WINDOW line of rig-load; did the run end early?", path);
	return FALSE;
}

gboolean loadlog_read(struct load_log *log, const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	*log = (struct load_log){ { 0, 0 }, NULL };
	if (!g_file_get_contents(path, &text, NULL, error))
		return FALSE;
	lines = g_strsplit(text, "\n", -1);
	log->streams = g_array_new(FALSE, FALSE, sizeof(struct stream_result));
	if (parse(log, lines, path, error))
		return TRUE;
	g_array_free(log->streams, TRUE);
	return FALSE;
}
