// SPDX-License-Identifier: GPL-2.0-or-later
/* Submits workloads through i915's own uAPI, natively or inside a guest. */
#include "i915_client.h"

#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096u
/* Where the first object is pinned in the context's address space. */
#define FIRST_ADDRESS 0x100000ull
#define HANG_BYTES 64u	/* at the end of a slot */

struct engine {
	const char *name;
	uint64_t flag;
};

static const struct engine engines[] = {
	{ "rcs0", I915_EXEC_RENDER },
	{ "bcs0", I915_EXEC_BLT },
	{ "vcs0", I915_EXEC_BSD },
	{ "vecs0", I915_EXEC_VEBOX },
};

__attribute__((format(printf, 3, 4)))
static int fail(struct i915_client *c, int err, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(c->error, sizeof(c->error), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(c->error))
		snprintf(c->error + n, sizeof(c->error) - (size_t)n, ": %s", strerror(err));
	return -err;
}

/* DRM calls return EINTR for signals and EAGAIN for retries. */
static int drm_ioctl(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg);
	} while (ret < 0 && (errno == EINTR || errno == EAGAIN));
	return ret;
}

static int find_engine(struct i915_client *c, const char *name)
{
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (!strcmp(engines[i].name, name)) {
			c->engine_flag = engines[i].flag;
			return 0;
		}
	}
	return fail(c, EINVAL, "engine %s", name);
}

static int open_device(struct i915_client *c, const char *device)
{
	c->fd = open(device, O_RDWR | O_CLOEXEC);
	return c->fd < 0 ? fail(c, errno, "open %s", device) : 0;
}

static int create_slot(struct i915_client *c, struct i915_slot *slot)
{
	struct drm_i915_gem_create create = { .size = c->slot_bytes };
	struct drm_i915_gem_mmap_offset map = { .flags = I915_MMAP_OFFSET_WB };

	if (drm_ioctl(c->fd, DRM_IOCTL_I915_GEM_CREATE, &create))
		return fail(c, errno, "DRM_IOCTL_I915_GEM_CREATE");
	slot->handle = map.handle = create.handle;
	if (drm_ioctl(c->fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map))
		return fail(c, errno, "DRM_IOCTL_I915_GEM_MMAP_OFFSET");
	slot->memory = mmap(NULL, c->slot_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd,
			    (off_t)map.offset);
	if (slot->memory == MAP_FAILED) {
		slot->memory = NULL;
		return fail(c, errno, "mmap of a GEM object");
	}
	return 0;
}

static uint64_t slot_address(const struct i915_client *c, unsigned int i)
{
	return FIRST_ADDRESS + i * c->slot_bytes;
}

static uint32_t *slot_dword(struct i915_slot *slot, uint64_t offset)
{
	return (uint32_t *)(void *)(slot->memory + offset);
}

static void write_batches(struct i915_client *c, unsigned int i, const struct vgpu_work *work)
{
	struct i915_slot *slot = &c->slots[i];
	uint64_t hang = c->slot_bytes - HANG_BYTES;
	size_t n = vgpu_emit_batch(slot_dword(slot, PAGE), work, slot_address(c, i), 0);

	c->value_offset = PAGE + 4 * (uint32_t)(n - VGPU_BATCH_VALUE_FROM_END);
	c->batch_bytes = 4 * (uint32_t)(n + n % 2);
	vgpu_emit_hang(slot_dword(slot, hang), slot_address(c, i) + hang);
}

static int prepare_slots(struct i915_client *c, const struct vgpu_work *work)
{
	int err = 0;

	c->slot_bytes = (PAGE + 4 * vgpu_batch_max_dwords(work) + HANG_BYTES + PAGE - 1) / PAGE * PAGE;
	for (unsigned int i = 0; i < c->n_slots && !err; i++) {
		struct i915_slot *slot = &c->slots[i];

		err = create_slot(c, slot);
		if (!err)
			write_batches(c, i, work);
	}
	return err;
}

int i915_open(struct i915_client *c, const char *device, const char *engine,
	      const struct vgpu_work *work, unsigned int n_slots)
{
	*c = (struct i915_client) { .fd = -1, .n_slots = n_slots };
	for (unsigned int i = 0; i < I915_MAX_SLOTS; i++)
		c->slots[i].fence = -1;
	return find_engine(c, engine) ?: open_device(c, device) ?: prepare_slots(c, work);
}

static int new_context(struct i915_client *c)
{
	struct drm_i915_gem_context_create create = { 0 };

	if (drm_ioctl(c->fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create))
		return fail(c, errno, "DRM_IOCTL_I915_GEM_CONTEXT_CREATE");
	c->context = create.ctx_id;
	return 0;
}

static int execute(struct i915_client *c, unsigned int i, bool hang)
{
	struct i915_slot *slot = &c->slots[i];
	struct drm_i915_gem_exec_object2 object = {
		.handle = slot->handle,
		.offset = slot_address(c, i),
		/* A batch must not be marked as written; its fence provides the order. */
		.flags = EXEC_OBJECT_PINNED,
	};
	struct drm_i915_gem_execbuffer2 execbuf = {
		.buffers_ptr = (uintptr_t)&object,
		.buffer_count = 1,
		.batch_start_offset = hang ? (uint32_t)c->slot_bytes - HANG_BYTES : PAGE,
		.batch_len = hang ? 4 * VGPU_HANG_DWORDS : c->batch_bytes,
		.flags = c->engine_flag | I915_EXEC_FENCE_OUT | I915_EXEC_NO_RELOC,
		.rsvd1 = c->context,
	};

	if (drm_ioctl(c->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &execbuf))
		return fail(c, errno, "DRM_IOCTL_I915_GEM_EXECBUFFER2_WR");
	slot->fence = (int)(execbuf.rsvd2 >> 32);
	return 0;
}

int i915_submit(struct i915_client *c, bool hang)
{
	unsigned int i = c->submitted % c->n_slots;
	int err;

	if (c->slots[i].fence >= 0)
		return fail(c, EBUSY, "submission beyond %u slots", c->n_slots);
	*slot_dword(&c->slots[i], c->value_offset) = ++c->submitted;
	err = execute(c, i, hang);
	if (err == -EIO)
		err = new_context(c) ?: execute(c, i, hang);
	return err;
}

int i915_fence(const struct i915_client *c)
{
	return c->slots[c->completed % c->n_slots].fence;
}

bool i915_complete(struct i915_client *c)
{
	struct i915_slot *slot = &c->slots[c->completed % c->n_slots];

	close(slot->fence);
	slot->fence = -1;
	c->completed++;
	return __atomic_load_n(slot_dword(slot, 0), __ATOMIC_ACQUIRE) == c->completed;
}

void i915_close(struct i915_client *c)
{
	for (unsigned int i = 0; i < I915_MAX_SLOTS; i++) {
		if (c->slots[i].fence >= 0)
			close(c->slots[i].fence);
		if (c->slots[i].memory)
			munmap(c->slots[i].memory, c->slot_bytes);
	}
	if (c->fd >= 0)
		close(c->fd);
}
