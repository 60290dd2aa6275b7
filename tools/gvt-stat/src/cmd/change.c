// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/settings.h"
#include "trace/util.h"
#include "change.h"

#define MOST_SPEED	1000

static const struct setting_desc *find_setting(const char *name)
{
	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++)
		if (!strcmp(desc->name, name))
			return desc;
	return NULL;
}

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

	if (!find_setting(pair[0]))
		argp_error(state, "--set %s: there is no setting '%s'; 'gvt-stat policy --list' names them",
			   arg, pair[0]);
	whatif_set(whatif, pair[0], pair[1]);
	g_strfreev(pair);
}

int64_t change_id(const char *option, const char *arg, const char *text,
		  struct argp_state *state)
{
	guint64 id;

	if (!g_ascii_string_to_unsigned(text, 10, 1, 7, &id, NULL))
		argp_error(state, "%s %s: '%s' is no id of a vGPU, which are from 1 to 7", option,
			   arg, text);
	return id;
}

double change_speed(const char *option, const char *text, struct argp_state *state)
{
	char *end;
	double number = g_ascii_strtod(text, &end);

	if (end == text || *end || !(number > 0 && number <= MOST_SPEED))
		argp_error(state, "%s %s: give how many times as fast, such as 1.5", option, text);
	return number;
}

/* what --vgpu can say of a vGPU with a whole number */
static const struct change_word {
	const char *name;
	int64_t least, most;
	size_t offset;
	int64_t factor;
} change_words[] = {
	{ "weight", 1, 16, offsetof(struct whatif_vgpu, weight), 1 },
	{ "nice", -20, 19, offsetof(struct whatif_vgpu, nice), 1 },
	{ "cap", 0, 100, offsetof(struct whatif_vgpu, cap), 1 },
	{ "preempt", 0, 1, offsetof(struct whatif_vgpu, preempt), 1 },
	{ "depth", 1, STREAM_NO_LIMIT, offsetof(struct whatif_vgpu, depth), 1 },
	{ "pieces_us", 0, 1000000, offsetof(struct whatif_vgpu, piece_ns), 1000 },
};

static void parse_change_word(const char *arg, const char *word, struct whatif_vgpu *vgpu,
			      struct argp_state *state)
{
	char **pair = parse_pair("--vgpu", word, state);
	gint64 number;

	for (size_t nr = 0; nr < G_N_ELEMENTS(change_words); nr++) {
		const struct change_word *known_word = &change_words[nr];

		if (strcmp(pair[0], known_word->name))
			continue;
		if (!g_ascii_string_to_signed(pair[1], 10, known_word->least, known_word->most,
					      &number, NULL))
			argp_error(state, "--vgpu %s: %s is a whole number from %" PRId64 " to %" PRId64,
				   arg, pair[0], known_word->least, known_word->most);
		*(int64_t *)((char *)vgpu + known_word->offset) = number * known_word->factor;
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

	if (!parts[0] || !parts[1])
		argp_error(state, "--vgpu %s: give ID:NAME=VALUE, such as 2:nice=-5,cap=30", arg);
	id = change_id("--vgpu", arg, parts[0], state);
	words = g_strsplit(parts[1], ",", -1);
	for (char **word = words; *word; word++)
		parse_change_word(arg, *word, whatif_vgpu(whatif, id), state);
	g_strfreev(words);
	g_strfreev(parts);
}
