// SPDX-License-Identifier: GPL-2.0-only

#include <stdarg.h>

#include <linux/tracepoint.h>

#include "emit.h"

/* More than the longest event takes */
#define LINE 4096

static bool begun;
static u64 zero_ns;
static const char *wanted;
static void (*sink)(u64 now, const char *event);
static char line[LINE];
static size_t used;

void emit_from(u64 zero)
{
	begun = true;
	zero_ns = zero;
}

void emit_only(const char *names)
{
	wanted = names;
}

void emit_to(void (*to)(u64 now, const char *event))
{
	sink = to;
}

/* Whether @name is one of the words of a list */
static bool is_among(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (;; names++) {
		if (!strncmp(names, name, len) && (!names[len] || names[len] == ','))
			return true;
		names = strchr(names, ',');
		if (!names)
			return false;
	}
}

/* What is for the replay of recorded traces would be most of a simulated one */
static bool is_for_replay(const char *event)
{
	return !strncmp(event, "gvt_lane_", strlen("gvt_lane_"));
}

bool sim_emits(const char *event)
{
	if (!begun)
		return false;
	return wanted ? is_among(wanted, event) : !is_for_replay(event);
}

static __attribute__((format(printf, 1, 2))) void add(const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line + used, sizeof(line) - used, format, args);
	va_end(args);
	used = min(used + n, sizeof(line) - 1);
}

void sim_emit_begin(const char *event)
{
	used = 0;
	add("%s", event);
}

void sim_emit_number(const char *field, u64 value, bool is_signed)
{
	if (is_signed)
		add(" %s=%lld", field, (s64)value);
	else
		add(" %s=%llu", field, value);
}

void sim_emit_text(const char *field, const char *text)
{
	add(" %s=%s", field, text);
}

void sim_emit_end(void)
{
	if (sink)
		sink(ktime_get_ns(), line);
	else
		printf("%llu 0 %s\n", ktime_get_ns() - zero_ns, line);
}
