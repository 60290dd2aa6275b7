/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is removed if the program ends before it is whole, be it by a signal or a crash.
 */
#ifndef GVT_STAT_UNFINISHED_H
#define GVT_STAT_UNFINISHED_H

/**
 * unfinished_set - there is something unfinished from now on
 * @remove: removes it; may be called in a signal handler, and again. NULL: it is whole
 *
 * A signal that is handled or ignored already is left alone. A file that must not become
 * so large is an error of write() from now on.
 */
void unfinished_set(void (*remove)(void));

/**
 * unfinished_remove - remove what is unfinished, if anything is
 */
void unfinished_remove(void);

#endif
