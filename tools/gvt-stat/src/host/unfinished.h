/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes incomplete output if the program ends early, even by a signal or crash.
 */
#ifndef GVT_STAT_UNFINISHED_H
#define GVT_STAT_UNFINISHED_H

/**
 * unfinished_begin - announce output that must be removed if the program ends early
 *
 * Blocks deadly signals until unfinished_begun(), except for those already handled or ignored. From
 * now on, a write() beyond the file size limit fails with an error instead of a signal.
 */
void unfinished_begin(void);

/**
 * unfinished_begun - the output was created, or could not be
 * @remove: removes the output; must be async-signal-safe and idempotent. NULL: nothing to remove
 */
void unfinished_begun(void (*remove)(void));

/**
 * unfinished_end - the output is complete, or was removed
 */
void unfinished_end(void);

/**
 * unfinished_remove - remove incomplete output, if any
 */
void unfinished_remove(void);

#endif
