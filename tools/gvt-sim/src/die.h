/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GVT_SIM_DIE_H
#define GVT_SIM_DIE_H

/**
 * die - end the program with one line on stderr, and status 2
 */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * give_up - end the program with one line on stderr, and status 3: the model is valid, but asks
 *   for too much
 */
_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
