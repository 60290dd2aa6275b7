/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Field numbers, and values of some fields, from Perfetto's protos/perfetto/trace/.
 */
#ifndef GVT_STAT_PERFETTO_FIELDS_H
#define GVT_STAT_PERFETTO_FIELDS_H

/* Trace */
#define TRACE_PACKET			1
/* TracePacket */
#define PACKET_FTRACE			1
#define PACKET_TIMESTAMP		8
#define PACKET_SEQUENCE_ID		10
#define PACKET_TRACK_EVENT		11
#define PACKET_INTERNED			12
#define PACKET_SEQUENCE_FLAGS		13
#define PACKET_TRACK_DESCRIPTOR		60
#define PACKET_FIRST_ON_SEQUENCE	87
#define PACKET_ATTRIBUTES		126
#define SEQUENCE_CLEARED		1
#define SEQUENCE_NEEDS_STATE		2
/* TrackDescriptor */
#define TRACK_UUID			1
#define TRACK_NAME			2
#define TRACK_THREAD			4
#define TRACK_PARENT			5
#define TRACK_COUNTER			8
#define TRACK_CHILD_ORDERING		11
#define TRACK_RANK			12
#define CHILD_ORDERING_EXPLICIT		3
#define THREAD_PID			1
#define THREAD_TID			2
#define THREAD_NAME			5
#define COUNTER_UNIT_NAME		6
/* TrackEvent */
#define EVENT_CATEGORY_IIDS		3
#define EVENT_ANNOTATIONS		4
#define EVENT_TYPE			9
#define EVENT_NAME_IID			10
#define EVENT_TRACK			11
#define EVENT_COUNTER_VALUE		30
#define EVENT_COUNTER_DOUBLE		44
#define EVENT_FLOW_IDS			47
#define EVENT_TERMINATING_FLOW_IDS	48
#define EVENT_CORRELATION_ID		52
#define TYPE_BEGIN			1
#define TYPE_END			2
#define TYPE_INSTANT			3
#define TYPE_COUNTER			4
/* DebugAnnotation */
#define ANNOTATION_NAME_IID		1
#define ANNOTATION_INT			4
#define ANNOTATION_TEXT			6
/* InternedData and its entries */
#define INTERNED_IID			1
#define INTERNED_NAME			2
/* FtraceEventBundle, FtraceEvent and its kinds */
#define BUNDLE_CPU			1
#define BUNDLE_EVENT			2
#define FTRACE_TIMESTAMP		1
#define FTRACE_PID			2
#define FTRACE_SCHED_SWITCH		4
#define FTRACE_SCHED_WAKING		20
#define SWITCH_PREV_COMM		1
#define SWITCH_PREV_PID			2
#define SWITCH_PREV_STATE		4
#define SWITCH_NEXT_COMM		5
#define SWITCH_NEXT_PID			6
#define WAKING_COMM			1
#define WAKING_PID			2
#define WAKING_TARGET_CPU		5
/* TraceAttributes */
#define ATTRIBUTES_ATTRIBUTE		1
#define ATTRIBUTE_KEY			1
#define ATTRIBUTE_LONG			2
#define ATTRIBUTE_TEXT			3

#endif
