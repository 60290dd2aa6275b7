/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace headers are written for Linux 6.10 and later, where __string() keeps the
 * source and __assign_str() copies it. Earlier, __assign_str() needs the source
 * again. So let __string() copy the source, which is known there.
 *
 * The differing definitions are read right before the pass over a trace header
 * that fills the entry. The trace header includes <linux/tracepoint.h>, hence this
 * file, which has no guard, in each pass. Not part of the mail series.
 */
#include_next <linux/tracepoint.h>

/* Remains of the previous trace header, in a file with two of them */
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
