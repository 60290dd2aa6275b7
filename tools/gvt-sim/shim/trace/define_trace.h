/* SPDX-License-Identifier: GPL-2.0-only */
/* No guard: each header of trace events ends with this, and defines where it is */
#ifdef CREATE_TRACE_POINTS
#undef CREATE_TRACE_POINTS
#define TRACE_HEADER_MULTI_READ

#define __stringify_1(x) #x
#define __stringify(x) __stringify_1(x)
#define __trace_header(file) __stringify(file.h)

/* What an event has */
#undef TRACE_EVENT
#define TP_STRUCT__entry(...) __VA_ARGS__
#define __field(type, item) type item;
#define __string(item, source) const char *item;
#define TRACE_EVENT(name, proto, args, tstruct, assign, print)		\
	struct trace_entry_##name {					\
		tstruct							\
	};
#include __trace_header(TRACE_INCLUDE_FILE)

/* Its texts, which the kernel copies */
#undef TRACE_EVENT
#undef __field
#undef __string
#define __field(type, item)
#define __string(item, source) __entry->item = (source);
#define TRACE_EVENT(name, proto, args, tstruct, assign, print)		\
	static void texts_of_##name(struct trace_entry_##name *__entry, proto) \
	{								\
		tstruct							\
	}
#include __trace_header(TRACE_INCLUDE_FILE)

/* Its fields as text */
#undef TRACE_EVENT
#undef __field
#undef __string
#define __field(type, item)						\
	sim_emit_number(#item, (u64)__entry->item, (type)-1 < (type)1);
#define __string(item, source) sim_emit_text(#item, __entry->item);
#define TRACE_EVENT(name, proto, args, tstruct, assign, print)		\
	static void emit_##name(const struct trace_entry_##name *__entry) \
	{								\
		tstruct							\
	}
#include __trace_header(TRACE_INCLUDE_FILE)

/* The event; its name is kept among those of all */
#undef TRACE_EVENT
#define TRACE_EVENT(name, proto, args, tstruct, assign, print)		\
	static const char *const sim_name_of_##name			\
		__attribute__((used, section("sim_names"))) = #name;	\
									\
	void trace_##name(proto)					\
	{								\
		struct trace_entry_##name entry = {}, *__entry = &entry; \
									\
		if (!sim_emits(#name))					\
			return;						\
		texts_of_##name(&entry, args);				\
		assign							\
		sim_emit_begin(#name);					\
		emit_##name(&entry);					\
		sim_emit_end();						\
	}
#include __trace_header(TRACE_INCLUDE_FILE)

/* Another header may follow */
#undef TRACE_HEADER_MULTI_READ
#undef TRACE_EVENT
#undef TP_STRUCT__entry
#undef __field
#undef __string
#define TRACE_EVENT(name, proto, args, ...) DECLARE_EVENT(name, TP_PROTO(proto))

#endif
