/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pager, through which texts for people come to a terminal.
 */
#ifndef GVT_STAT_PAGER_H
#define GVT_STAT_PAGER_H

/**
 * pager_start - from now on, stdout goes through the pager
 *
 * Does nothing if stdout is no terminal that can draw, or PAGER is empty or "cat". The program ends
 * after the pager, with its own exit status, or 0 if the reader quits before all is printed.
 */
void pager_start(void);

#endif
