// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The regression tree against questions whose answer is known, and on random rows against
 * all questions that there are.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "learn/tree.h"

#define FEATURES	3
#define MOST_ROWS	40

/* rows of random small numbers, so that many are equal */
struct sample {
	double features[MOST_ROWS][FEATURES];
	GArray *rows;
};

static void sample_init(struct sample *sample)
{
	sample->rows = g_array_new(FALSE, FALSE, sizeof(struct tree_row));
}

static void add_row(struct sample *sample, double a, double b, double c, double target)
{
	unsigned int nr = sample->rows->len;
	struct tree_row row = { sample->features[nr], target };

	sample->features[nr][0] = a;
	sample->features[nr][1] = b;
	sample->features[nr][2] = c;
	g_array_append_val(sample->rows, row);
}

static const struct tree_row *row_at(const struct sample *sample, unsigned int nr)
{
	return &g_array_index(sample->rows, struct tree_row, nr);
}

static void a_step_is_found(void **state)
{
	const struct tree_shape shape = { 1, 12 };
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(struct tree_step));
	const struct tree_step *step;
	struct sample sample;
	struct tree *tree;

	(void)state;
	sample_init(&sample);
	for (int nr = 0; nr < 10; nr++)
		add_row(&sample, nr % 2, nr, 7, nr < 4 ? 1 : 3);
	tree = tree_grow(sample.rows, FEATURES, &shape);
	assert_float_equal(tree_path(tree, (double[]) { 0, 3.4, 7 }, steps), 1, 1e-12);
	assert_int_equal(steps->len, 1);
	step = &g_array_index(steps, struct tree_step, 0);
	assert_int_equal(step->feature, 1);
	assert_float_equal(step->threshold, 3.5, 0);
	assert_false(step->above);
	assert_float_equal(step->before, 2.2, 1e-12);
	assert_float_equal(step->after, 1, 1e-12);
	assert_int_equal(step->rows, 4);
	assert_float_equal(tree_predict(tree, (double[]) { 0, 3.6, 7 }), 3, 1e-12);
	assert_float_equal(tree_mean(tree), 2.2, 1e-12);
	tree_free(tree);
	g_array_free(steps, TRUE);
	g_array_free(sample.rows, TRUE);
}

static void the_first_of_equal_questions_is_asked(void **state)
{
	const struct tree_shape shape = { 1, 1 };
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(struct tree_step));
	struct sample sample;
	struct tree *tree;

	(void)state;
	sample_init(&sample);
	/* all features say the same, and two thresholds are as good */
	add_row(&sample, 1, 1, 1, 0);
	add_row(&sample, 2, 2, 2, 1);
	add_row(&sample, 3, 3, 3, 1);
	add_row(&sample, 4, 4, 4, 0);
	tree = tree_grow(sample.rows, FEATURES, &shape);
	tree_path(tree, sample.features[0], steps);
	assert_int_equal(g_array_index(steps, struct tree_step, 0).feature, 0);
	assert_float_equal(g_array_index(steps, struct tree_step, 0).threshold, 1.5, 0);
	tree_free(tree);
	g_array_free(steps, TRUE);
	g_array_free(sample.rows, TRUE);
}

/* how many rows come to the same leaf as this one */
static unsigned int rows_of_leaf(const struct tree *tree, const double *features)
{
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(struct tree_step));
	unsigned int rows = UINT32_MAX;

	tree_path(tree, features, steps);
	if (steps->len)
		rows = g_array_index(steps, struct tree_step, steps->len - 1).rows;
	g_array_free(steps, TRUE);
	return rows;
}

static void leaves_are_large_enough(void **state)
{
	const struct tree_shape shape = { 5, 12 };
	GRand *random = g_rand_new_with_seed(1);
	struct sample sample;
	struct tree *tree;

	(void)state;
	sample_init(&sample);
	for (int nr = 0; nr < MOST_ROWS; nr++)
		add_row(&sample, g_rand_int_range(random, 0, 9), g_rand_double(random), nr,
			g_rand_double(random));
	tree = tree_grow(sample.rows, FEATURES, &shape);
	for (unsigned int nr = 0; nr < MOST_ROWS; nr++)
		assert_true(rows_of_leaf(tree, sample.features[nr]) >= 5);
	tree_free(tree);
	g_array_free(sample.rows, TRUE);
	g_rand_free(random);
}

static void nothing_to_ask(void **state)
{
	const struct tree_shape shape = { 1, 12 };
	struct sample sample;
	struct tree *tree;

	(void)state;
	sample_init(&sample);
	add_row(&sample, 1, 2, 3, 5);
	tree = tree_grow(sample.rows, FEATURES, &shape);
	assert_float_equal(tree_predict(tree, (double[]) { 9, 9, 9 }), 5, 0);
	tree_free(tree);
	/* equal features cannot be told apart, equal targets need not be */
	add_row(&sample, 1, 2, 3, 7);
	tree = tree_grow(sample.rows, FEATURES, &shape);
	assert_float_equal(tree_predict(tree, (double[]) { 1, 2, 3 }), 6, 0);
	tree_free(tree);
	g_array_index(sample.rows, struct tree_row, 1).target = 5;
	sample.features[1][0] = 4;
	tree = tree_grow(sample.rows, FEATURES, &shape);
	assert_int_equal(rows_of_leaf(tree, sample.features[0]), UINT32_MAX);
	tree_free(tree);
	g_array_free(sample.rows, TRUE);
}

static void huge_and_adjacent_values_are_divided(void **state)
{
	const struct tree_shape shape = { 1, 12 };
	/* their middle is rounded to the higher one */
	const double low = nextafter(1, 2), high = nextafter(low, 2);
	struct sample sample;
	struct tree *tree;

	(void)state;
	sample_init(&sample);
	add_row(&sample, low, -1e300, 0, 1);
	add_row(&sample, high, 0, 0, 2);
	add_row(&sample, high, 1e300, 0, 3);
	tree = tree_grow(sample.rows, FEATURES, &shape);
	for (unsigned int nr = 0; nr < 3; nr++)
		assert_float_equal(tree_predict(tree, sample.features[nr]), nr + 1, 1e-12);
	tree_free(tree);
	g_array_free(sample.rows, TRUE);
}

static double squares_of(const struct sample *sample, unsigned int feature, double threshold,
			 bool above, unsigned int *count)
{
	double sum = 0, squares = 0;

	*count = 0;
	for (unsigned int nr = 0; nr < sample->rows->len; nr++) {
		if ((row_at(sample, nr)->features[feature] > threshold) != above)
			continue;
		(*count)++;
		sum += row_at(sample, nr)->target;
		squares += row_at(sample, nr)->target * row_at(sample, nr)->target;
	}
	return *count ? squares - sum * sum / *count : 0;
}

/* what is left of the squares after this question; INFINITY: it may not be asked */
static double squares_after(const struct sample *sample, unsigned int feature, double threshold,
			    unsigned int leaf)
{
	unsigned int below, above;
	double sum = squares_of(sample, feature, threshold, false, &below) +
		     squares_of(sample, feature, threshold, true, &above);

	return below < leaf || above < leaf ? INFINITY : sum;
}

static double least_squares(const struct sample *sample, unsigned int leaf)
{
	double least = INFINITY;

	for (unsigned int feature = 0; feature < FEATURES; feature++)
		for (unsigned int nr = 0; nr < sample->rows->len; nr++)
			least = fmin(least, squares_after(sample, feature,
				     row_at(sample, nr)->features[feature], leaf));
	return least;
}

static void the_best_question_is_asked(void **state)
{
	GRand *random = g_rand_new_with_seed(2);

	(void)state;
	for (int round = 0; round < 2000; round++) {
		const struct tree_shape shape = { 1 + round % 4, 1 };
		GArray *steps = g_array_new(FALSE, FALSE, sizeof(struct tree_step));
		unsigned int rows = g_rand_int_range(random, 2, MOST_ROWS);
		const struct tree_step *step;
		struct sample sample;
		unsigned int all;
		struct tree *tree;

		sample_init(&sample);
		for (unsigned int nr = 0; nr < rows; nr++)
			add_row(&sample, g_rand_int_range(random, 0, 4),
				g_rand_int_range(random, 0, 20), g_rand_double(random),
				g_rand_int_range(random, 0, 6));
		tree = tree_grow(sample.rows, FEATURES, &shape);
		tree_path(tree, sample.features[0], steps);
		step = &g_array_index(steps, struct tree_step, 0);
		if (steps->len)
			assert_float_equal(squares_after(&sample, step->feature, step->threshold,
							 shape.leaf),
					   least_squares(&sample, shape.leaf), 1e-9);
		else
			assert_true(least_squares(&sample, shape.leaf) >=
				    squares_of(&sample, 0, -1, true, &all) - 1e-9);
		tree_free(tree);
		g_array_free(steps, TRUE);
		g_array_free(sample.rows, TRUE);
	}
	g_rand_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_is_found),
		cmocka_unit_test(the_first_of_equal_questions_is_asked),
		cmocka_unit_test(leaves_are_large_enough),
		cmocka_unit_test(nothing_to_ask),
		cmocka_unit_test(huge_and_adjacent_values_are_divided),
		cmocka_unit_test(the_best_question_is_asked),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
