/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of a scenario file and their values. */
#ifndef RIG_SCENARIO_WORDS_H
#define RIG_SCENARIO_WORDS_H

#include <confuse.h>
#include <stdio.h>

#define WORD_UNSET (-1)	/* number of an optional word that was not written */

/**
 * words_read - parse a scenario file and check every single value
 * @file: path of the file
 * @errors: receives one line if the file is invalid
 *
 * scenario_check() checks constraints between words.
 *
 * Returns: libconfuse's tree, to be freed by cfg_free(), or NULL on error.
 */
cfg_t *words_read(const char *file, FILE *errors);

/**
 * word_choice - the text behind the number of a word with a fixed choice
 * @word: for example "engine"
 * @index: the result of cfg_getint()
 */
const char *word_choice(const char *word, long index);

#endif
