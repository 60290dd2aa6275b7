// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/util.h"
#include "trigger.h"

/* of a cause, in the name of a file */
#define LONGEST_CAUSE	40

void triggers_init(struct triggers *triggers, int64_t keep_ns, int64_t after_ns)
{
	*triggers = (struct triggers) {
		.keep_ns = keep_ns, .after_ns = after_ns,
		.first_ns = UNKNOWN, .last_ns = UNKNOWN, .written_ns = UNKNOWN,
	};
}

void triggers_add(struct triggers *triggers, const char *cause, int64_t now_ns)
{
	if (!triggers->count++) {
		triggers->first_ns = now_ns;
		triggers->cause = g_strdup(cause);
	}
	triggers->last_ns = now_ns;
}

int64_t triggers_due(const struct triggers *triggers)
{
	int64_t due_ns;

	if (!triggers->count)
		return INT64_MAX;
	due_ns = MIN(triggers->last_ns, triggers->first_ns + triggers->keep_ns) + triggers->after_ns;
	return known(triggers->written_ns) ? MAX(due_ns, triggers->written_ns + triggers->keep_ns) : due_ns;
}

int64_t triggers_need(const struct triggers *triggers, int64_t now_ns)
{
	return (triggers->count ? triggers->first_ns : now_ns) - triggers->keep_ns;
}

void triggers_done(struct triggers *triggers, int64_t now_ns)
{
	g_free(triggers->cause);
	triggers->cause = NULL;
	triggers->count = 0;
	triggers->first_ns = triggers->last_ns = UNKNOWN;
	triggers->written_ns = now_ns;
}

/* what no shell and no file system minds */
static char *as_word(const char *cause)
{
	GString *word = g_string_new(NULL);

	for (; *cause && word->len < LONGEST_CAUSE; cause++) {
		if (g_ascii_isalnum(*cause) || *cause == '.')
			g_string_append_c(word, *cause);
		else if (word->len && word->str[word->len - 1] != '-')
			g_string_append_c(word, '-');
	}
	if (word->len && word->str[word->len - 1] == '-')
		g_string_truncate(word, word->len - 1);
	return g_string_free(word, FALSE);
}

char *trigger_path(const char *output, GDateTime *when, const char *cause)
{
	const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output, *dot = strrchr(name, '.');
	char *time = g_date_time_format(when, "%Y%m%d-%H%M%S"), *word = as_word(cause);
	const char *end = dot && dot != name ? dot : name + strlen(name);
	char *path = g_strdup_printf("%.*s-%s-%s%s", (int)(end - output), output, time, word, end);

	for (unsigned int nr = 2; g_file_test(path, G_FILE_TEST_EXISTS); nr++) {
		g_free(path);
		path = g_strdup_printf("%.*s-%s-%s-%u%s", (int)(end - output), output, time, word, nr, end);
	}
	g_free(time);
	g_free(word);
	return path;
}
