// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "model-private.h"
#include "reasons.h"

static bool is_capped(const struct vgpu *vgpu)
{
	return known(vgpu->set.cap) && vgpu->set.cap > 0;
}

enum wait_class reason_entitled(const struct vgpu *vgpu)
{
	return is_capped(vgpu) ? WAIT_CAPPED : WAIT_SWITCHING;
}

bool reason_may_run(const struct vgpu *vgpu, enum wait_class class)
{
	if (class == WAIT_UNKNOWN)
		return vgpu->gpu->lends && !is_capped(vgpu);
	return class != WAIT_THROTTLED && class != WAIT_CAPPED;
}

enum wait_class reason_idle(const struct vgpu *vgpu, int64_t left_ns)
{
	if (vgpu->gpu->lends)
		return reason_entitled(vgpu);
	if (!known(left_ns))
		return WAIT_UNKNOWN;
	if (left_ns > 0)
		return reason_entitled(vgpu);
	return vgpu->gpu->policy_lost ? WAIT_UNKNOWN : WAIT_THROTTLED;
}

enum wait_class reason_by_turn(const struct vgpu_engine *queue)
{
	const struct turn *turn = &queue->engine->turn;

	if (!turn->known)
		return WAIT_UNKNOWN;
	if (turn->current)
		return turn->current == queue->vgpu ? WAIT_CURRENT : WAIT_OTHER;
	return reason_idle(queue->vgpu, vgpu_slice(queue->vgpu, queue->engine)->left_ns);
}
