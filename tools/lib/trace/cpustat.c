// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "cpustat.h"
#include "util.h"

#define USEC_PER_SEC	INT64_C(1000000)

static void clear_stat(void *data)
{
	g_free(((struct cpustat *)data)->buffer);
}

GArray *cpustats_new(void)
{
	GArray *stats = g_array_new(FALSE, FALSE, sizeof(struct cpustat));

	g_array_set_clear_func(stats, clear_stat);
	return stats;
}

/* the value of the line with this prefix; UNKNOWN: none, or no number */
static int64_t value_of(char *const *lines, const char *name)
{
	for (; *lines; lines++) {
		char *end;
		gint64 value;

		if (!g_str_has_prefix(*lines, name))
			continue;
		value = g_ascii_strtoll(*lines + strlen(name), &end, 10);
		return !*g_strchug(end) && value >= 0 ? value : UNKNOWN;
	}
	return UNKNOWN;
}

/* "12.345678"; without a point if the clock does not count ns, and then useless */
static int64_t oldest_us(char *const *lines)
{
	static const char name[] = "oldest event ts: ";

	for (; *lines; lines++) {
		gint64 seconds;
		char *end;

		if (!g_str_has_prefix(*lines, name))
			continue;
		seconds = g_ascii_strtoll(*lines + strlen(name), &end, 10);
		if (*end != '.' || strspn(end + 1, "0123456789") != 6 || seconds < 0 ||
		    seconds > INT64_MAX / USEC_PER_SEC - 1)
			return UNKNOWN;
		return seconds * USEC_PER_SEC + g_ascii_strtoll(end + 1, NULL, 10);
	}
	return UNKNOWN;
}

/* both kinds of loss occur where the writer moves to the next page */
static int64_t dropped(char *const *lines)
{
	int64_t full = value_of(lines, "dropped events: ");
	int64_t wrapped = value_of(lines, "commit overrun: ");

	return (known(full) ? full : 0) + (known(wrapped) ? MIN(wrapped, INT32_MAX) : 0);
}

static void add_cpu(GArray *stats, char *const *lines, const char *buffer, int64_t cpu)
{
	struct cpustat stat = {
		.buffer = g_strdup(buffer), .cpu = cpu,
		.entries = value_of(lines, "entries: "),
		.read = value_of(lines, "read events: "),
		.overrun = value_of(lines, "overrun: "),
		.dropped = dropped(lines),
		.oldest_us = oldest_us(lines),
	};

	g_array_append_val(stats, stat);
}

void cpustats_add(GArray *stats, const char *text, char **buffer)
{
	static const char name[] = "Buffer: ";
	char **lines = g_strsplit(text, "\n", 0);
	int64_t cpu = value_of(lines, "CPU: ");

	for (char **line = lines; *line; line++) {
		if (!g_str_has_prefix(*line, name))
			continue;
		g_free(*buffer);
		*buffer = g_strdup(*line + strlen(name));
	}
	if (known(cpu) && cpu <= INT32_MAX)
		add_cpu(stats, lines, *buffer, cpu);
	g_strfreev(lines);
}

const struct cpustat *cpustats_find(const GArray *stats, const char *buffer, int cpu)
{
	for (unsigned int nr = 0; nr < stats->len; nr++) {
		const struct cpustat *stat = &g_array_index(stats, struct cpustat, nr);

		if (stat->cpu == cpu && !strcmp(stat->buffer, buffer))
			return stat;
	}
	return NULL;
}
