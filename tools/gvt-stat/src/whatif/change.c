// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/setting.h"
#include "trace/timespan.h"
#include "trace/util.h"
#include "change.h"
#include "mix.h"

#define LEAST_PERIOD_NS	NSEC_PER_MSEC
#define MOST_PERIOD_NS	(100 * NSEC_PER_SEC)
#define LEAST_SPEED	0.001
#define MOST_SPEED	1000.0

/* splits NAME=VALUE; the caller frees the array */
static char **parse_pair(const char *option, const char *arg, struct argp_state *state)
{
	char **pair = g_strsplit(arg, "=", 2);

	if (!pair[0] || !pair[1] || !*pair[0] || !*pair[1] || strpbrk(pair[1], " \t\n#"))
		argp_error(state, "%s '%s': give NAME=VALUE", option, arg);
	return pair;
}

void change_set(struct whatif *whatif, const char *arg, struct argp_state *state)
{
	char **pair = parse_pair("--set", arg, state);
	const struct setting_desc *desc = setting_desc_find(settings_of_gpus, pair[0]);

	if (!desc)
		argp_error(state, "--set %s: there is no setting '%s'; 'gvt-stat policy --list' names them",
			   arg, pair[0]);
	else if (!setting_desc_allows(desc, pair[1]))
		argp_error(state, "--set %s: there is no '%s': %s may be %s", arg, pair[1],
			   desc->name, desc->range);
	whatif_set(whatif, pair[0], pair[1]);
	g_strfreev(pair);
}

int64_t change_id(const char *option, const char *arg, const char *text,
		  struct argp_state *state)
{
	guint64 id;

	if (!g_ascii_string_to_unsigned(text, 10, 1, MIX_MOST_VGPUS, &id, NULL))
		argp_error(state, "%s %s: '%s' is no id of a vGPU, which are from 1 to %d", option,
			   arg, text, MIX_MOST_VGPUS);
	return id;
}

void change_without(struct whatif *whatif, const char *arg, struct argp_state *state)
{
	guint64 id;

	if (!g_ascii_string_to_unsigned(arg, 10, 0, UINT32_MAX, &id, NULL))
		argp_error(state, "--without %s: that is no id of a vGPU", arg);
	whatif_vgpu(whatif, id)->without = true;
}

double change_speed(const char *option, const char *text, struct argp_state *state)
{
	char *end;
	double number = g_ascii_strtod(text, &end);

	if (end == text || *end || !(number >= LEAST_SPEED && number <= MOST_SPEED))
		argp_error(state, "%s %s: give how many times as fast, such as 1.5, from %g to %g", option, text,
			   LEAST_SPEED, MOST_SPEED);
	return number;
}

static bool parse_number(const char *arg, char *const *pair, struct whatif_vgpu *vgpu,
			 struct argp_state *state)
{
	gint64 number;

	for (const struct whatif_word *word = whatif_words; word->name; word++) {
		if (strcmp(pair[0], word->name))
			continue;
		if (!g_ascii_string_to_signed(pair[1], 10, word->least, word->most, &number, NULL))
			argp_error(state, "--vgpu %s: %s is a whole number from %" PRId64 " to %" PRId64,
				   arg, pair[0], word->least, word->most);
		*(int64_t *)((char *)vgpu + word->offset) = number * word->unit;
		return true;
	}
	return false;
}

static int64_t parse_period(const char *arg, const char *text, struct argp_state *state)
{
	int64_t ns = 0;

	if (!timespan_length(text, &ns) || ns < LEAST_PERIOD_NS || ns > MOST_PERIOD_NS)
		argp_error(state, "--vgpu %s: period is a time from 1ms to 100s, such as " TIMESPAN_FORMS,
			   arg);
	return ns;
}

/* parses a fact about a vGPU; false: @word is something else */
static bool parse_told(const char *arg, const char *word, struct whatif_vgpu *vgpu,
		       struct argp_state *state)
{
	if (!strcmp(word, "open"))
		vgpu->arrivals = STREAM_OPEN;
	else if (!strcmp(word, "closed"))
		vgpu->arrivals = STREAM_CLOSED;
	else if (g_str_has_prefix(word, "period="))
		vgpu->period_ns = parse_period(arg, strchr(word, '=') + 1, state);
	else
		return false;
	return true;
}

static void parse_change_word(const char *arg, const char *word, struct whatif_vgpu *vgpu,
			      struct argp_state *state)
{
	char **pair;

	if (parse_told(arg, word, vgpu, state))
		return;
	pair = parse_pair("--vgpu", word, state);
	if (!parse_number(arg, pair, vgpu, state)) {
		if (strcmp(pair[0], "speed"))
			argp_error(state, "--vgpu %s: there is no '%s'; give weight, nice, cap, preempt, speed, open, closed, depth, period or pieces_us",
				   arg, pair[0]);
		vgpu->speed = change_speed("--vgpu speed", pair[1], state);
	}
	g_strfreev(pair);
}

static void parse_tell_word(const char *arg, const char *word, struct whatif_vgpu *vgpu,
			    struct argp_state *state)
{
	char **pair;

	if (parse_told(arg, word, vgpu, state))
		return;
	pair = parse_pair("--vgpu", word, state);
	if ((strcmp(pair[0], "depth") && strcmp(pair[0], "pieces_us")) ||
	    !parse_number(arg, pair, vgpu, state))
		argp_error(state, "--vgpu %s: there is no '%s'; give open, closed, depth, period or pieces_us",
			   arg, pair[0]);
	g_strfreev(pair);
}

/* ID:WORD,... */
static void parse_words(struct whatif *whatif, const char *arg, struct argp_state *state,
			void (*parse)(const char *arg, const char *word, struct whatif_vgpu *vgpu,
				      struct argp_state *state))
{
	char **parts = g_strsplit(arg, ":", 2), **words;
	int64_t id;

	if (!parts[0] || !parts[1] || !*parts[1])
		argp_error(state, "--vgpu %s: give ID:NAME=VALUE, such as 2:nice=-5,cap=30", arg);
	id = change_id("--vgpu", arg, parts[0], state);
	words = g_strsplit(parts[1], ",", -1);
	for (char **word = words; *word; word++)
		parse(arg, *word, whatif_vgpu(whatif, id), state);
	g_strfreev(words);
	g_strfreev(parts);
}

void change_vgpu(struct whatif *whatif, const char *arg, struct argp_state *state)
{
	parse_words(whatif, arg, state, parse_change_word);
}

void change_tell(struct whatif *whatif, const char *arg, struct argp_state *state)
{
	parse_words(whatif, arg, state, parse_tell_word);
}
