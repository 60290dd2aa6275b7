/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events as the driver's headers define them become lines of text: each header is read
 * again by trace/define_trace.h, as in the kernel, with other meanings of these macros.
 */
#ifndef _GVT_SIM_TRACEPOINT_H_
#define _GVT_SIM_TRACEPOINT_H_

#include <linux/kernel-more.h>

bool sim_emits(const char *event);
void sim_emit_begin(const char *event);
void sim_emit_number(const char *field, u64 value, bool is_signed);
void sim_emit_text(const char *field, const char *text);
void sim_emit_end(void);

#define TP_PROTO(...) __VA_ARGS__
#define TP_ARGS(...) __VA_ARGS__
#define TP_fast_assign(...) __VA_ARGS__
#define TRACE_DEFINE_ENUM(name)
#define __assign_str(name)

#define DECLARE_EVENT(name, proto)					\
	void trace_##name(proto);					\
	static inline __maybe_unused bool trace_##name##_enabled(void)	\
	{								\
		return sim_emits(#name);				\
	}
#define TRACE_EVENT(name, proto, args, ...) DECLARE_EVENT(name, TP_PROTO(proto))
#define TRACE_EVENT_FN(name, proto, args, tstruct, assign, print, reg, unreg) \
	TRACE_EVENT(name, TP_PROTO(proto), TP_ARGS(args), tstruct, assign, print)

#endif
