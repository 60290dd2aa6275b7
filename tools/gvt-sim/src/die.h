/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GVT_SIM_DIE_H
#define GVT_SIM_DIE_H

/**
 * die - end the program with one line on stderr, and status 2
 */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
