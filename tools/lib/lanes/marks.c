// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marks where threads queue workloads, or are woken up by their completion.
 *
 * The thread of kvmgt that completes a workload raises the interrupt of its vGPU before it traces
 * the completion: of the threads woken up since the last stop, a vCPU of that vGPU is the waiter.
 */
#include "trace/util.h"
#include "lanes-private.h"

/* the last wake-up of a vCPU thread */
struct wake {
	const struct vcpu *vcpu;
	int64_t at_ns;
	int64_t by;			/* thread; UNKNOWN: reported, or by an interrupt */
};

/* NULL: the thread has no lane yet */
static const struct lane *lane_of_thread(const struct lanes *lanes, int64_t tid)
{
	for (unsigned int nr = 0; nr < lanes->by_line->len; nr++) {
		const struct track *track = lanes->by_line->pdata[nr];

		if (track && track->owner.vcpu->pid == tid && track->slots->len)
			return track->slots->pdata[0];
	}
	return NULL;
}

static void tell(struct lanes *lanes, struct lane_mark mark)
{
	const struct window *window = &lanes->follow->window;

	if (mark.at_ns < window->from_ns || mark.at_ns > window->to_ns)
		return;
	mark.lane = lane_of_thread(lanes, mark.tid);
	lanes->ops->mark(lanes->ctx, &mark);
}

/* Called after the model has processed the event. */
void marks_queued(struct lanes *lanes, const struct event *event)
{
	const struct workload_event *told = &event->workload;
	const struct vgpu *vgpu = model_vgpu(lanes->follow->model, told->dev, told->vgpu_id);

	if (vgpu && selection_vgpu(lanes->follow->selection, vgpu))
		tell(lanes, (struct lane_mark) {
			.kind = MARK_QUEUES, .at_ns = event->ts_ns, .tid = event->pid, .vgpu = vgpu,
			.workload = { told->dev, told->workload_id }, .edge = EDGE_BEGIN,
		});
}

/* sched_waking comes first, and in the waker's context; sched_wakeup may be on another CPU */
void marks_wakes(struct lanes *lanes, const struct event *event)
{
	const struct trace_info *trace = lanes->follow->trace;
	const struct vcpu *vcpu = lanes->vcpus ? vcpus_find(lanes->vcpus, event->wakeup.pid) : NULL;
	bool interrupt = known(event->wakeup.flags) && event->wakeup.flags & WAKEUP_INTERRUPT;
	struct wake *wake;

	if (!vcpu || (event->id == EVENT_TASK_WAKEUP && trace->recorded[EVENT_TASK_WAKING]))
		return;
	if (vcpu->line >= lanes->wakes->len)
		g_array_set_size(lanes->wakes, vcpu->line + 1);
	wake = &g_array_index(lanes->wakes, struct wake, vcpu->line);
	*wake = (struct wake) {
		.vcpu = vcpu, .at_ns = event->ts_ns, .by = interrupt ? UNKNOWN : event->pid,
	};
}

/* the first vCPU woken up for it; NULL: none */
static struct wake *wake_for(const struct lanes *lanes, const struct workload *w)
{
	struct wake *first = NULL;

	for (unsigned int nr = 0; known(w->stop_ns) && nr < lanes->wakes->len; nr++) {
		struct wake *wake = &g_array_index(lanes->wakes, struct wake, nr);

		if (!wake->vcpu || !known(wake->by) || wake->by != w->end_tid ||
		    wake->vcpu->dev != w->dev || wake->vcpu->vgpu_id != w->queue->vgpu->id ||
		    wake->at_ns < w->stop_ns || wake->at_ns > w->end_ns)
			continue;
		if (!first || wake->at_ns < first->at_ns)
			first = wake;
	}
	return first;
}

bool marks_woke(const struct lanes *lanes, const struct workload *w)
{
	return w->completed && wake_for(lanes, w);
}

void marks_woken(struct lanes *lanes, const struct workload *w)
{
	struct wake *wake = wake_for(lanes, w);

	wake->by = UNKNOWN;
	if (!lanes->ops->mark)
		return;
	tell(lanes, (struct lane_mark) {
		.kind = MARK_WOKEN, .at_ns = wake->at_ns, .tid = wake->vcpu->pid,
		.vgpu = w->queue->vgpu, .workload = w->key, .edge = EDGE_END,
	});
}

GArray *marks_new_wakes(void)
{
	return g_array_new(FALSE, TRUE, sizeof(struct wake));
}
