// SPDX-License-Identifier: GPL-2.0-only

#include <linux/tracepoint.h>

#include "emit.h"

/* More than the longest event, and the digits of a number */
#define LINE 4096
#define DIGITS 20

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

/* From trace/define_trace.h; the linker defines both symbols */
extern const char *const __start_sim_names[], *const __stop_sim_names[];

bool emit_knows(const char *name, size_t len)
{
	for (const char *const *one = __start_sim_names; one < __stop_sim_names; one++)
		if (strlen(*one) == len && !strncmp(*one, name, len))
			return true;
	return false;
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

/* Events needed only to replay recorded traces would be most of a simulated trace */
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

/* Avoids printf(), which took half of the simulation's time */
static void add(const char *text, size_t len)
{
	len = min(len, sizeof(line) - 1 - used);
	memcpy(line + used, text, len);
	used += len;
	line[used] = '\0';
}

/* Writes decimal digits to the end of @digits; returns their start */
static char *digits_of(u64 value, char digits[DIGITS])
{
	char *first = digits + DIGITS;

	do {
		*--first = '0' + value % 10;
		value /= 10;
	} while (value);
	return first;
}

static void add_number(u64 value)
{
	char digits[DIGITS], *first = digits_of(value, digits);

	add(first, digits + DIGITS - first);
}

static void add_name(const char *field)
{
	add(" ", 1);
	add(field, strlen(field));
	add("=", 1);
}

void sim_emit_begin(const char *event)
{
	used = 0;
	add(event, strlen(event));
}

void sim_emit_number(const char *field, u64 value, bool is_signed)
{
	bool negative = is_signed && (s64)value < 0;

	add_name(field);
	if (negative)
		add("-", 1);
	add_number(negative ? -value : value);
}

void sim_emit_text(const char *field, const char *text)
{
	add_name(field);
	add(text, strlen(text));
}

void sim_emit_end(void)
{
	char digits[DIGITS], *first;

	if (sink) {
		sink(ktime_get_ns(), line);
		return;
	}
	first = digits_of(ktime_get_ns() - zero_ns, digits);
	fwrite(first, 1, digits + DIGITS - first, stdout);
	fputs(" 0 ", stdout);
	fwrite(line, 1, used, stdout);
	putchar('\n');
}
