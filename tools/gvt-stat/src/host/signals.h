/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals to be read from a descriptor.
 */
#ifndef GVT_STAT_SIGNALS_H
#define GVT_STAT_SIGNALS_H

/**
 * signals_open - block signals, and return a signalfd of them that does not wait
 * @signals: ends with 0
 *
 * Ends the program on errors.
 */
int signals_open(const int *signals);

/**
 * signals_read - the number of the next signal, 0 if there is none
 */
int signals_read(int fd);

#endif
