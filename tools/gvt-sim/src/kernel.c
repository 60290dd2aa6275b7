// SPDX-License-Identifier: GPL-2.0-only
/* Kernel services for the driver: the scheduler's timer and the service thread */

#include "heap.h"
#include "world.h"

static bool service_pending;

static void expire(void *subject, u64 started)
{
	struct hrtimer *timer = subject;

	if (!timer->on || timer->started != started)
		return;
	timer->on = false;
	sim_sched_timer(&sim_world.gvt);
}

void hrtimer_start(struct hrtimer *timer, u64 expires_ns, int mode)
{
	timer->on = true;
	timer->expires_ns = expires_ns;
	sim_at(expires_ns, expire, timer, ++timer->started);
}

void hrtimer_cancel(struct hrtimer *timer)
{
	timer->on = false;
}

static void serve(void *subject, u64 token)
{
	service_pending = false;
	sim_sched_decide(subject);
}

void intel_gvt_request_service(struct intel_gvt *gvt, int service)
{
	set_bit(service, &gvt->service_request);
	if (service_pending)
		return;
	service_pending = true;
	/* An engine hands over in its interrupt handler, for which the thread has to wait */
	sim_after(service == INTEL_GVT_REQUEST_EVENT_SCHED ? sim_latency.hand_over :
		  sim_latency.service, serve, gvt, 0);
}
