/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GVT_STAT_POLICY_H
#define GVT_STAT_POLICY_H

/**
 * policy_main - the command: show and set the scheduler's settings
 *
 * Returns the exit status.
 */
int policy_main(int argc, char **argv);

#endif
