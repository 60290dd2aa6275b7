// SPDX-License-Identifier: GPL-2.0-only

#include <string.h>

#include <linux/limits.h>

#include "decisions.h"
#include "die.h"

/* Maximum number of unmatched decisions; more than are traced at one moment */
#define ROOM 1024

struct decision {
	u64 ns;
	char event[32];
	char fields[256];
};

/**
 * struct decisions - unmatched decisions of one side
 * @of: the decisions, in order of time
 * @n: number of decisions
 * @sure: number of decisions that the other side must have, even if the trace ends here
 */
struct decisions {
	struct decision of[ROOM];
	int n;
	int sure;
};

static const char * const kinds[] = { "sched_switch", "sched_balance", "sched_hold" };

static struct decisions recorded, made;
static u64 same[ARRAY_SIZE(kinds)];
/* The clock of the trace may differ from the clock of the decisions */
static s64 soonest_ns = S64_MAX, latest_ns = -S64_MAX;
static bool differ;

static void add(struct decisions *list, const struct line *line)
{
	struct decision *d = &list->of[list->n];

	if (differ)
		return;
	if (list->n == ROOM)
		die("more than %d decisions that only one side has, at %llu", ROOM, line->ns);
	d->ns = line->ns;
	snprintf(d->event, sizeof(d->event), "%s", line->event);
	snprintf(d->fields, sizeof(d->fields), "%s", line->fields);
	d->fields[strcspn(d->fields, "\n")] = '\0';
	list->n++;
}

static void drop_first(struct decisions *list)
{
	list->n--;
	list->sure -= !!list->sure;
	memmove(list->of, list->of + 1, list->n * sizeof(*list->of));
}

static void show(const char *who, const struct decision *d)
{
	printf("# %s at %llu: %s %s\n", who, d->ns, d->event, d->fields);
}

static void show_difference(const struct decision *was, const struct decision *is)
{
	differ = true;
	if (was)
		show(is ? "recorded" : "was not made again", was);
	if (is)
		show(was ? "made now" : "was made now", is);
}

/* The engine's class and instance are -1 or, in traces that lost the sign, 65535 */
static s64 field(const struct line *line, const char *name)
{
	s64 value = line_number(line, name);

	return strcmp(name, "class") && strcmp(name, "instance") ? value : (s16)value;
}

/* Compares all fields of the recorded decision */
static bool fields_are_same(struct decision *was, struct decision *is)
{
	const struct line a = { .fields = was->fields }, b = { .fields = is->fields };
	char name[32];
	const char *word;
	int len;

	for (word = was->fields; *word; word += strspn(word, " ")) {
		len = strcspn(word, "= ");
		snprintf(name, sizeof(name), "%.*s", len, word);
		if (!line_text(&b, name) || field(&a, name) != field(&b, name))
			return false;
		word += strcspn(word, " ");
	}

	return true;
}

static int kind_of(const struct decision *d)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(kinds) - 1 && strcmp(kinds[i], d->event); i++)
		;
	return i;
}

static void compare(void)
{
	while (recorded.n && made.n && !differ) {
		struct decision *was = &recorded.of[0], *is = &made.of[0];

		if (strcmp(was->event, is->event) || !fields_are_same(was, is)) {
			show_difference(was, is);
			return;
		}
		same[kind_of(was)]++;
		soonest_ns = min(soonest_ns, (s64)(was->ns - is->ns));
		latest_ns = max(latest_ns, (s64)(was->ns - is->ns));
		drop_first(&recorded);
		drop_first(&made);
	}
}

void decisions_recorded(const struct line *line)
{
	add(&recorded, line);
	compare();
}

void decisions_made(const struct line *line)
{
	add(&made, line);
	compare();
}

void decisions_step(void)
{
	recorded.sure = recorded.n;
	made.sure = made.n;
}

void decisions_end(void)
{
	if (!differ && (recorded.sure || made.sure))
		show_difference(recorded.sure ? recorded.of : NULL, made.sure ? made.of : NULL);
	recorded.n = 0;
	made.n = 0;
	decisions_step();
}

bool decisions_print(const char *name)
{
	printf("%s: %llu switches, %llu balances and %llu holds were made again%s, traced %lld to %lld ns later\n",
	       name, same[0], same[1], same[2], differ ? " before the first difference" : "",
	       latest_ns < soonest_ns ? 0 : soonest_ns, latest_ns < soonest_ns ? 0 : latest_ns);
	return !differ;
}
