// SPDX-License-Identifier: GPL-2.0-only

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>
#include <linux/minmax.h>

#include "classes.h"

#define CLASSES 128
#define WORST 5

struct sample {
	double ratio;
	bool certain;
	u64 seed;
};

struct class {
	const char *name;
	const char *what;
	struct sample *samples;
	u32 n;
	u32 room;
};

static struct class classes[CLASSES];
static u32 n_classes;

static struct class *find(const char *name, const char *what)
{
	struct class *c = classes;

	while (c < classes + n_classes && (strcmp(c->name, name) || strcmp(c->what, what)))
		c++;
	if (c == classes + CLASSES)
		abort();
	if (c == classes + n_classes)
		classes[n_classes++] = (struct class) { .name = name, .what = what };
	return c;
}

void classes_add(const char *name, const char *what, double ratio, bool certain, u64 seed)
{
	struct class *c = find(name, what);

	if (c->n == c->room) {
		c->room = 2 * c->room + 64;
		c->samples = realloc(c->samples, c->room * sizeof(*c->samples));
		if (!c->samples)
			abort();
	}
	c->samples[c->n++] = (struct sample) { ratio, certain, seed };
}

static int by_ratio(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return x->ratio < y->ratio ? -1 : x->ratio > y->ratio;
}

static const struct sample *quantile(const struct class *c, u32 percent)
{
	return &c->samples[min_t(u32, (u64)c->n * percent / 100, c->n - 1)];
}

static u32 count_worse(const struct class *c, bool certain)
{
	u32 i, worse = 0;

	for (i = 0; i < c->n; i++)
		worse += c->samples[i].ratio > CLASSES_WORSE && c->samples[i].certain >= certain;
	return worse;
}

static void print_class(struct class *c)
{
	static const u32 percent[] = { 50, 90, 95, 99, 100 };
	u32 i, worse = count_worse(c, false), certain = count_worse(c, true);

	qsort(c->samples, c->n, sizeof(*c->samples), by_ratio);
	printf("%-26s %-10s", c->name, c->what);
	for (i = 0; i < ARRAY_SIZE(percent); i++)
		printf("  p%u %.3f", percent[i], quantile(c, percent[i])->ratio);
	printf("  worse %u of %u (%.1f %%)", worse, c->n, 100.0 * worse / c->n);
	if (certain)
		printf(", certainly %u", certain);
	for (i = 0; i < min_t(u32, WORST, worse); i++)
		printf("%s %llu", i ? "," : "  seeds", c->samples[c->n - 1 - i].seed);
	printf("\n");
}

void classes_print(void)
{
	u32 i;

	for (i = 0; i < n_classes; i++) {
		print_class(&classes[i]);
		free(classes[i].samples);
	}
	n_classes = 0;
}
