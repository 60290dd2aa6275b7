/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the host's own work was, or may have been, on an engine; host.c keeps this up to date.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_HOST_SPANS_H
#define GVTTRACE_HOST_SPANS_H

#include "inside.h"

struct span {
	int64_t from_ns, to_ns;
};

/* a request in i915's queue for the engine */
struct request {
	int64_t ctx, seqno;
	int64_t added_ns;
};

/* time that a vGPU's work ran */
struct met {
	const struct vgpu *vgpu;
	struct span span;
};

struct host {
	bool known;			/* @on is valid */
	bool on;
	bool start_told;		/* @since_ns is from a start event */
	int64_t since_ns;		/* start of the execution; UNKNOWN: before the trace */
	int64_t waits_ns;		/* start of the wait before it, not reported yet; */
					/* UNKNOWN: none */
	const struct vgpu *holder;	/* vGPU it waited for; NULL: unknown */
	int64_t told_ns;		/* reported until then; UNKNOWN: nothing */
	int64_t beside_ns;		/* a vGPU's work ran while @on: its stop is late or lost; */
					/* reported until then; UNKNOWN: none ran */
	GArray *spans;			/* struct span: executions that open waits may overlap */
	GArray *requests;		/* struct request, chronological; also some of vGPUs */
	GArray *met;			/* struct met: since the host's last execution */
};

/* of a new engine; free with host_free() */
struct host *host_new(const struct model *model, const struct gpu *gpu);
void host_free(struct host *host);
/* does the host run at @from_ns? @to_ns: lowered to the end of this answer */
bool host_at(const struct gpu_engine *engine, int64_t from_ns, int64_t *to_ns);
/* for how long the host runs between the two times, as far as known */
int64_t host_between(const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns);
/* does or may the host run now, so that the end of its time is not traced yet? */
bool host_open(const struct gpu_engine *engine);
/* may the host run at @from_ns? @to_ns: as in host_at() */
bool host_may(const struct gpu_engine *engine, int64_t from_ns, int64_t *to_ns);
/* does it run, as far as known without a vGPU's work? */
bool host_stays(const struct host *host);

#endif
