// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <glib.h>

#include "commands.h"
#include "trace/util.h"

/* each form of each command that reads traces; %s is the copy, which is added otherwise */
static const char *const commands[] = {
	"report --json", "report", "report --csv", "energy", "energy --json --static=equal --workloads=1000", "energy --interval=10ms --csv",
	"report --interval=10ms --csv",
	"report --histogram=wait", "report --vgpu=1 --time=+0.001,+0.02", "list workloads --csv",
	"list", "list workloads --json --pieces", "list turns --idle", "list turns", "why idle",
	"export -f html -o /dev/null", "export -f perfetto -o /dev/null",
	"export -f csv -o /dev/null", "export -f ctf -i %s -o %s.ctf",
	"export -f parquet --host=a --begin=2026-11-30T12:00:00Z -i %s -o %s.parquet", "why idle --json", "why waits",
	"why waits --json", "check", "check --json", "why", "why 1 --json", "why vcpus", "why vcpus --json",
	"why path --workload=2", "why path --thread=101 --json", "why path --workload=3 --segments",
	"simulate --set=policy=fair", "simulate --json --without=2", "check --simulate",
	"compare --block=0.001 %s %s", "compare --block=0.002 --json %s %s",
};

const char *command_of(uint64_t seed)
{
	return commands[seed / COMMAND_BLOCK % G_N_ELEMENTS(commands)];
}

char **command_line(const char *command, const char *path, bool supervised)
{
	GString *text = g_string_new(command);
	char **argv;

	g_string_prepend(text, "gvt-stat ");
	g_string_append(text, " --tsc-khz=1000000");
	if (!supervised)
		g_string_append(text, " --in-process");
	if (!strstr(command, "%s"))
		g_string_append(text, " -i %s");
	g_string_replace(text, "%s", path, 0);
	argv = g_strsplit(text->str, " ", 0);
	g_string_free(text, TRUE);
	return argv;
}

static bool one_line(const char *text)
{
	const char *end = strchr(text, '\n');

	return g_str_has_prefix(text, "gvt-stat: ") && end && !end[1];
}

/* What was asked for does not fit the trace: a window behind it, too many intervals, or GPUs. */
static bool does_not_fit(const char *err)
{
	static const char *const reasons[] = {
		"gvt-stat: --", "is of several GPUs: give one by --gpu", "gvt-stat: vGPU 2 is not in",
	};

	for (size_t nr = 0; nr < G_N_ELEMENTS(reasons); nr++)
		if (strstr(err, reasons[nr]))
			return true;
	return false;
}

enum verdict verdict_of(int status, const char *err)
{
	if (status == EXIT_USAGE && err && does_not_fit(err))
		return VERDICT_REFUSED;
	if (status > 2)
		return VERDICT_BAD_STATUS;
	if (status != 1)
		return VERDICT_READ;
	if (!err || !one_line(err))
		return VERDICT_BAD_MESSAGE;
	if (strstr(err, "crashed libtracecmd") || strstr(err, "makes no progress"))
		return VERDICT_CAUGHT;
	return VERDICT_REFUSED;
}
