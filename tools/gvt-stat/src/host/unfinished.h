/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is removed if the program ends before it is whole, be it by a signal or a crash.
 */
#ifndef GVT_STAT_UNFINISHED_H
#define GVT_STAT_UNFINISHED_H

/**
 * unfinished_begin - something will be made that must be removed if the program ends
 *
 * Signals that end the program wait until unfinished_begun(). One that is handled or ignored
 * already is left alone. A file that must not become so large is an error of write() from now on.
 */
void unfinished_begin(void);

/**
 * unfinished_begun - it was made, or could not be
 * @remove: removes it; may be called in a signal handler, and again. NULL: there is nothing
 */
void unfinished_begun(void (*remove)(void));

/**
 * unfinished_end - it is whole, or removed
 */
void unfinished_end(void);

/**
 * unfinished_remove - remove what is unfinished, if anything is
 */
void unfinished_remove(void);

#endif
