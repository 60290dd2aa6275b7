// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/setting.h"
#include "trace/util.h"
#include "change.h"
#include "mix.h"

#define LEAST_SPEED	0.001
#define MOST_SPEED	1000.0

/* NAME=VALUE in two; the caller frees the array */
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

static void parse_change_word(const char *arg, const char *word, struct whatif_vgpu *vgpu,
			      struct argp_state *state)
{
	char **pair = parse_pair("--vgpu", word, state);
	gint64 number;

	for (const struct whatif_word *known_word = whatif_words; known_word->name; known_word++) {
		if (strcmp(pair[0], known_word->name))
			continue;
		if (!g_ascii_string_to_signed(pair[1], 10, known_word->least, known_word->most,
					      &number, NULL))
			argp_error(state, "--vgpu %s: %s is a whole number from %" PRId64 " to %" PRId64,
				   arg, pair[0], known_word->least, known_word->most);
		*(int64_t *)((char *)vgpu + known_word->offset) = number * known_word->unit;
		g_strfreev(pair);
		return;
	}
	if (strcmp(pair[0], "speed"))
		argp_error(state, "--vgpu %s: there is no '%s'; give weight, nice, cap, preempt, depth, pieces_us or speed",
			   arg, pair[0]);
	vgpu->speed = change_speed("--vgpu speed", pair[1], state);
	g_strfreev(pair);
}

/* ID:NAME=VALUE,... */
void change_vgpu(struct whatif *whatif, const char *arg, struct argp_state *state)
{
	char **parts = g_strsplit(arg, ":", 2), **words;
	int64_t id;

	if (!parts[0] || !parts[1] || !*parts[1])
		argp_error(state, "--vgpu %s: give ID:NAME=VALUE, such as 2:nice=-5,cap=30", arg);
	id = change_id("--vgpu", arg, parts[0], state);
	words = g_strsplit(parts[1], ",", -1);
	for (char **word = words; *word; word++)
		parse_change_word(arg, *word, whatif_vgpu(whatif, id), state);
	g_strfreev(words);
	g_strfreev(parts);
}
