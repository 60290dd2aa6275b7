/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_SIM_DMA_FENCE_H_
#define _GVT_SIM_DMA_FENCE_H_

#include <linux/spinlock.h>

struct dma_fence_cb;

/*
 * Of a request: signaled when that has executed; one is told of it at most. Nobody is late to see
 * that, so that it has no timestamp.
 */
struct dma_fence {
	u64 context;
	u64 seqno;
	bool signaled;
	int error;
	unsigned long flags;
	u64 timestamp;
	struct dma_fence_cb *cb;
};

struct dma_fence_cb {
	void (*func)(struct dma_fence *fence, struct dma_fence_cb *cb);
};

#define dma_fence_is_signaled(fence) ((fence)->signaled)

static inline int dma_fence_add_callback(struct dma_fence *fence, struct dma_fence_cb *cb,
					 void (*func)(struct dma_fence *fence,
						      struct dma_fence_cb *cb))
{
	if (fence->signaled)
		return -ENOENT;
	cb->func = func;
	fence->cb = cb;
	return 0;
}

#define dma_fence_remove_callback(fence, callback) ((void)(callback), (fence)->cb = NULL)

#define DMA_FENCE_FLAG_SIGNALED_BIT 3
#define DMA_FENCE_FLAG_TIMESTAMP_BIT 4
#define dma_fence_begin_signalling() true
#define dma_fence_end_signalling(cookie) ((void)(cookie))

#endif
