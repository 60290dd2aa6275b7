// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "memory.h"

/* a shadow page table is one page of the GPU (I915_GTT_PAGE_SIZE) */
#define SPT_BYTES	4096

struct memory {
	GHashTable *spts;		/* vGPU id -> struct memory_use */
	struct memory_use gem;
};

static void init_use(struct memory_use *use)
{
	*use = (struct memory_use) {
		.alive = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free),
	};
}

static void free_use(void *data)
{
	struct memory_use *use = data;

	g_hash_table_destroy(use->alive);
	g_free(use);
}

void memory_free(struct memory *memory)
{
	g_hash_table_destroy(memory->spts);
	g_hash_table_destroy(memory->gem.alive);
	g_free(memory);
}

static int64_t *copy_number(int64_t value)
{
	int64_t *copy = g_new(int64_t, 1);

	*copy = value;
	return copy;
}

int64_t memory_alive_bytes(const struct memory_use *use)
{
	return use->created_bytes - use->destroyed_bytes;
}

static void create(struct memory_use *use, int64_t key, int64_t bytes)
{
	const int64_t *older = g_hash_table_lookup(use->alive, &key);

	/* the address is in use again: the older object's destruction was lost */
	if (older)
		use->destroyed_bytes += *older;
	use->created++;
	use->created_bytes += bytes;
	g_hash_table_replace(use->alive, copy_number(key), copy_number(bytes));
	use->peak_bytes = MAX(use->peak_bytes, memory_alive_bytes(use));
}

static void destroy(struct memory_use *use, int64_t key)
{
	const int64_t *bytes = g_hash_table_lookup(use->alive, &key);

	use->destroyed++;
	if (!bytes) {
		use->older++;
		return;
	}
	use->destroyed_bytes += *bytes;
	g_hash_table_remove(use->alive, &key);
}

static struct memory_use *get_spts(struct memory *memory, int64_t vgpu_id)
{
	struct memory_use *use = g_hash_table_lookup(memory->spts, &vgpu_id);

	if (use)
		return use;
	use = g_new(struct memory_use, 1);
	init_use(use);
	g_hash_table_insert(memory->spts, copy_number(vgpu_id), use);
	return use;
}

static void on_event(void *ctx, const struct event *event)
{
	struct memory *memory = ctx;

	switch (event->id) {
	case EVENT_SPT_ALLOC:
		create(get_spts(memory, event->spt.id), event->spt.spt, SPT_BYTES);
		break;
	case EVENT_SPT_FREE:
		destroy(get_spts(memory, event->spt.id), event->spt.spt);
		break;
	case EVENT_GEM_CREATE:
		create(&memory->gem, event->gem.obj, event->gem.size);
		break;
	case EVENT_GEM_DESTROY:
		destroy(&memory->gem, event->gem.obj);
		break;
	default:
		break;
	}
}

struct memory *memory_new(struct follow *follow)
{
	struct memory *memory = g_new0(struct memory, 1);

	memory->spts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_use);
	init_use(&memory->gem);
	follow_add(follow, (struct analysis) {
		.events = EVENT_BIT(EVENT_SPT_ALLOC) | EVENT_BIT(EVENT_SPT_FREE) |
			  EVENT_BIT(EVENT_GEM_CREATE) | EVENT_BIT(EVENT_GEM_DESTROY),
		.event = on_event, .ctx = memory,
	});
	return memory;
}

const struct memory_use *memory_of_vgpu(const struct memory *memory, int64_t vgpu_id)
{
	return g_hash_table_lookup(memory->spts, &vgpu_id);
}

const struct memory_use *memory_of_gem(const struct memory *memory)
{
	return &memory->gem;
}
