/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace headers are written for Linux 6.10 and later, where __string() keeps the
 * source and __assign_str() copies it. Before, __assign_str() has to be told the
 * source again. Let __string() copy it, then, which knows it at the same place.
 *
 * The definitions that differ come right before a trace header is read for the
 * code that fills the entry. It includes <linux/tracepoint.h>, hence this file,
 * which has no guard, each time. Not part of the mail series.
 */
#include_next <linux/tracepoint.h>

/* What is left of the trace header before, in a file that has two of them */
#ifndef TRACE_HEADER_MULTI_READ
#undef __assign_str
#endif

#ifdef __assign_str
#undef __string
#define __string(item, src)						\
	__dynamic_array(char, item, -1)					\
	strcpy(__get_str(item), (src) ? (const char *)(src) : "(null)");
#undef __assign_str
#define __assign_str(item) do { } while (0)
#endif
