// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Row groups of gvt-stat export --format parquet; parquet.t reads whole files with other programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/parquet-writer.h"

/* of a text */
#define LENGTH	1000

struct row {
	const char *text;
};

static const struct column columns[] = {
	{ "text", COLUMN_TEXT, offsetof(struct row, text) },
	{ 0 }
};

static void put(struct parquet *parquet, unsigned int sort, const char *text)
{
	const struct row row = { text };

	assert_int_equal(parquet_row(parquet, sort, &row), 0);
}

/* The size of a file of long texts in one sort, and then of rows in another one */
static size_t size_of(int long_texts, int rows)
{
	struct parquet *parquet;
	char *data, text[LENGTH + 1];
	size_t size;
	FILE *out = open_memstream(&data, &size);

	assert_non_null(out);
	parquet = parquet_open(out, columns, 2);
	for (int nr = 0; nr < long_texts; nr++) {
		snprintf(text, sizeof(text), "%0*d", LENGTH, nr);
		put(parquet, 0, text);
	}
	snprintf(text, sizeof(text), "%*d", LENGTH, 0);
	for (int nr = 0; nr < rows; nr++)
		put(parquet, 1, text);
	assert_int_equal(parquet_close(parquet), 0);
	fclose(out);
	free(data);
	return size;
}

/* 4177 x 1004 bytes are just below 4 MiB, so that there is no room for another text, which is in each row */
static void texts_of_one_sort_do_not_split_another(void **state)
{
	(void)state;
	assert_in_range(size_of(4177, 5000) - size_of(4177, 1), 0, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_of_one_sort_do_not_split_another),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
