/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_SIM_SCHED_MM_H_
#define _GVT_SIM_SCHED_MM_H_

#define memalloc_noreclaim_save() 0
#define memalloc_noreclaim_restore(flags) ((void)(flags))

#endif
