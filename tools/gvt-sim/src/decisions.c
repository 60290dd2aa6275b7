// SPDX-License-Identifier: GPL-2.0-only

#include "decisions.h"
#include "die.h"

#define NEAR_NS 20000
/* To trace a decision delays those that are traced after it at once by so much */
#define EVENT_NS 1000
#define AT_ONCE_NS 100000
/* So many differences are shown */
#define SHOWN 8

/* What a decision is: all but its time has to be the same */
struct decision {
	u64 ns;
	char what[96];
	s64 left_ns;
	u64 near_ns;
	bool matched;
};

struct decisions {
	struct decision *of;
	size_t n;
	size_t room;
};

/* Kinds, and their fields that have to be the same */
static const struct kind {
	const char *event;
	const char *fields[5];
	const char *left;
} kinds[] = {
	{ "sched_switch", { "prev_vgpu_id", "next_vgpu_id", "class", "instance", "reason" },
	  "prev_left_ns" },
	{ "sched_balance", { "vgpu_id", "stage", "slice_ns", "class", "instance" }, "left_ns" },
	{ "sched_hold", { "vgpu_id", "held_vgpu_id", "result", "class", "instance" }, NULL },
};

static struct decisions recorded[ARRAY_SIZE(kinds)], made[ARRAY_SIZE(kinds)];

/* Engines are -1 or, where the sign was lost, 65535 */
static int field(const struct line *line, const char *name)
{
	return (s16)line_number(line, name);
}

static void describe(char *what, size_t size, const struct kind *kind, const struct line *line)
{
	size_t used = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(kind->fields); i++)
		used += snprintf(what + used, size - used, " %s=%d", kind->fields[i],
				 field(line, kind->fields[i]));
}

static void add(struct decisions *list, const struct kind *kind, const struct line *line,
		u64 near_ns)
{
	struct decision *d;

	if (list->n == list->room) {
		list->room = 2 * list->room + 64;
		list->of = realloc(list->of, list->room * sizeof(*list->of));
		if (!list->of)
			die("out of memory");
	}
	d = &list->of[list->n++];
	*d = (struct decision) {
		.ns = line->ns,
		.near_ns = near_ns,
		.left_ns = kind->left ? line_number(line, kind->left) : 0,
	};
	describe(d->what, sizeof(d->what), kind, line);
}

static void remember(struct decisions *lists, const struct line *line, u64 near_ns)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kinds[i].event, line->event))
			add(&lists[i], &kinds[i], line, near_ns);
	}
}

/* How far a decision may be from what is traced of it, as others were traced before it */
static u64 near_ns(u64 now)
{
	static u64 last_ns, at_once;

	at_once = now - last_ns < AT_ONCE_NS ? at_once + 1 : 0;
	last_ns = now;
	return NEAR_NS + at_once * EVENT_NS;
}

void decisions_recorded(const struct line *line)
{
	remember(recorded, line, near_ns(line->ns));
}

void decisions_made(const struct line *line)
{
	remember(made, line, 0);
}

static struct decision *find(struct decisions *list, size_t *from, const struct decision *d)
{
	size_t i;

	while (*from < list->n && list->of[*from].ns + d->near_ns < d->ns)
		++*from;
	for (i = *from; i < list->n && list->of[i].ns <= d->ns + d->near_ns; i++) {
		if (!list->of[i].matched && !strcmp(list->of[i].what, d->what))
			return &list->of[i];
	}

	return NULL;
}

/* How many are left, of which some are shown */
static size_t show_rest(const struct decisions *list, const char *event, const char *how,
			u64 zero_ns)
{
	size_t i, n = 0;

	for (i = 0; i < list->n; i++) {
		if (!list->of[i].matched && n++ < SHOWN)
			printf("# %s at %llu:%s %s\n", event, list->of[i].ns - zero_ns,
			       list->of[i].what, how);
	}

	return n;
}

static bool compare_kind(int k, const char *name, u64 zero_ns)
{
	struct decisions *was = &recorded[k], *is = &made[k];
	size_t i, from = 0, missing, more;
	u64 off_ns = 0, left_off_ns = 0;

	for (i = 0; i < was->n; i++) {
		struct decision *d = &was->of[i], *same = find(is, &from, d);

		if (!same)
			continue;
		same->matched = true;
		d->matched = true;
		off_ns = max(off_ns, abs_diff(same->ns, d->ns));
		left_off_ns = max(left_off_ns, (u64)abs(same->left_ns - d->left_ns));
	}

	missing = show_rest(was, kinds[k].event, "was not made again", zero_ns);
	more = show_rest(is, kinds[k].event, "was made now", zero_ns);
	printf("%s: %s: %zu of %zu, %zu more, at most %llu ns apart, slices %llu ns\n", name,
	       kinds[k].event, was->n - missing, was->n, more, off_ns, left_off_ns);
	return !missing && !more;
}

bool decisions_compare(const char *name, u64 zero_ns)
{
	bool same = true;
	int k;

	for (k = 0; k < ARRAY_SIZE(kinds); k++)
		same &= compare_kind(k, name, zero_ns);
	return same;
}
