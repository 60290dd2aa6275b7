/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GVT_SCHED_LINUX_STRING_H
#define GVT_SCHED_LINUX_STRING_H

#include <stddef.h>
#include <string.h>

#define memset_startat(obj, v, member) \
	memset((char *)(obj) + offsetof(typeof(*(obj)), member), (v), \
	       sizeof(*(obj)) - offsetof(typeof(*(obj)), member))

#endif
