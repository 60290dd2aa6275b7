// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fuzzer for texts from outside: command lines of processes, marks in traces, times
 * of the command line, and files of sysfs.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/inside.h"
#include "host/setting.h"
#include "host/sysfs.h"
#include "host/vm.h"
#include "trace/timespan.h"
#include "trace/util.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_marks(const char *text)
{
	struct recorded *recorded = recorded_new();
	char **lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		char *mark = g_strconcat(RECORDED_PREFIX, *line, NULL);

		recorded_mark(recorded, 1, mark);
		recorded_mark(recorded, 1, *line);
		g_free(mark);
	}
	recorded_vm(recorded, 1);
	g_strfreev(lines);
	recorded_free(recorded);
}

static void try_settings(GPtrArray *settings)
{
	for (unsigned int nr = 0; nr < settings->len; nr++) {
		const struct setting *setting = settings->pdata[nr];

		if (setting->value && setting->choices && !setting_allows(setting, setting->value))
			abort();
		g_free(setting_allowed(setting));
	}
	g_ptr_array_free(settings, TRUE);
}

static void try_sysfs(const uint8_t *data, size_t size)
{
	static char directory[] = "/tmp/gvt-stat-fuzz-XXXXXX";
	static char *path;

	if (!path) {
		if (!mkdtemp(directory))
			abort();
		path = g_build_filename(directory, "policy", NULL);
	}
	if (!g_file_set_contents(path, (const char *)data, size, NULL))
		abort();
	g_free(sysfs_read(directory, "policy"));
	sysfs_read_number(directory, "policy");
	try_settings(settings_of_gpu(directory));
	unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct timespan span = { .from = { .ns = UNKNOWN }, .to = { .ns = UNKNOWN } };
	char *text = g_strndup((const char *)data, size);

	g_free(vm_name((const char *)data, size));
	vm_uses((const char *)data, size, "aa-1");
	timespan_parse(text, &span);
	try_marks(text);
	try_sysfs(data, size);
	g_free(text);
	return 0;
}
