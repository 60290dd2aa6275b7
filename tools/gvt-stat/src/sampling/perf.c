// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <glib.h>

#include "perf.h"

char *perf_text(const char *dir, const char *name)
{
	char *path = g_build_filename(dir, name, NULL);
	GError *error = NULL;
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, &error)) {
		errno = error->code == G_FILE_ERROR_ACCES || error->code == G_FILE_ERROR_PERM ? EACCES : ENOENT;
		g_clear_error(&error);
	}
	g_free(path);
	return text ? g_strstrip(text) : NULL;
}

bool perf_number(const char *dir, const char *name, uint64_t *number)
{
	char *text = perf_text(dir, name);
	guint64 value;
	bool good = text && g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, &value, NULL);

	if (good)
		*number = value;
	g_free(text);
	return good;
}

/* which bits of the configuration a word sets (the PMU's format/); power has "event", i915 has "config" */
static const struct {
	const char *word;
	uint64_t most;
} formats[] = { { "event=", 0xff }, { "config=", UINT64_MAX } };

static bool parse_config(const char *text, uint64_t *config)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(formats); nr++) {
		const char *value = text + strlen(formats[nr].word);
		char *end;

		if (!g_str_has_prefix(text, formats[nr].word))
			continue;
		*config = g_ascii_strtoull(value, &end, 0);
		return end != value && !*end && *config <= formats[nr].most;
	}
	return false;
}

/* one CPU of the package counts for all; "0", or a list that begins with it */
static int cpu_of(const char *dir)
{
	char *mask = perf_text(dir, "cpumask");
	int cpu = mask ? atoi(mask) : 0;

	g_free(mask);
	return cpu;
}

static bool find_event(const char *dir, const char *event, struct perf_event_attr *attr)
{
	char *name = g_build_filename("events", event, NULL);
	char *text = perf_text(dir, name);
	uint64_t type = 0, config = 0;
	bool found = text && parse_config(text, &config) && perf_number(dir, "type", &type);

	attr->type = type;
	attr->config = config;
	g_free(text);
	g_free(name);
	return found;
}

int perf_open(const char *dir, const char *event, int leader)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .read_format = PERF_FORMAT_GROUP };

	if (!find_event(dir, event, &attr)) {
		errno = ENOENT;
		return -1;
	}
	return syscall(SYS_perf_event_open, &attr, -1, cpu_of(dir), leader, PERF_FLAG_FD_CLOEXEC);
}

bool perf_read(int leader, uint64_t *counts, unsigned int count)
{
	uint64_t group[1 + PERF_GROUP_MAX];
	ssize_t size = (1 + count) * sizeof(*group);

	if (read(leader, group, sizeof(group)) != size || group[0] != count)
		return false;
	memcpy(counts, &group[1], count * sizeof(*counts));
	return true;
}
