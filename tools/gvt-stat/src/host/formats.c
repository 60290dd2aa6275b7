// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/pages.h"
#include "formats.h"
#include "preset.h"

/*
 * For each event a line "= SYSTEM/EVENT", followed by its format; a line "=" ends the text. No
 * line of a format begins with "=".
 */
extern const char formats_text[];

#define MARK	"= "
#define END	"\n="

/* the first "= " line at or after @at */
static const char *text_of(const char *at)
{
	return strchr(at, '\n') + 1;
}

static const char *next_mark(const char *at)
{
	return strstr(at, END) + 1;
}

static char *find(const char *system, const char *event)
{
	char *line = g_strdup_printf(MARK "%s/%s\n", system, event);
	char *text = NULL;

	for (const char *at = formats_text; !text && g_str_has_prefix(at, MARK); at = next_mark(at))
		if (g_str_has_prefix(at, line))
			text = g_strndup(text_of(at), next_mark(at) - text_of(at));
	g_free(line);
	return text;
}

char *formats_read(const char *file)
{
	char **parts = g_strsplit(file, "/", -1), *text = NULL;

	if (g_strv_length(parts) == 4)
		text = find(parts[1], parts[2]);
	else if (!strcmp(file, "events/header_page"))
		text = g_strdup(pages_header_page);
	else if (!strcmp(file, "events/header_event"))
		text = g_strdup(pages_header_event);
	g_strfreev(parts);
	return text;
}

/* skips the system ftrace, which datwrite() always writes */
static void add_event(GPtrArray *events, const char *name)
{
	const char *slash = strchr(name, '/');
	char *system = g_strndup(name, slash - name);

	if (strcmp(system, "ftrace"))
		preset_add(events, system, slash + 1);
	g_free(system);
}

GPtrArray *formats_events(void)
{
	GPtrArray *events = preset_new();

	for (const char *at = formats_text; g_str_has_prefix(at, MARK); at = next_mark(at)) {
		char *name = g_strndup(at + strlen(MARK), strcspn(at + strlen(MARK), "\n"));

		add_event(events, name);
		g_free(name);
	}
	return events;
}
