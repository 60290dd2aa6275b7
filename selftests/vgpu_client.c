// SPDX-License-Identifier: GPL-2.0-or-later
/* Plays a guest of a GVT-g vGPU without a vCPU. */
#include "vgpu_client.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <linux/vfio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096u
#define MEMORY_BYTES (16u << 20)
#define MEMORY_PAGES (MEMORY_BYTES / PAGE)
#define RING_BYTES PAGE
#define BATCH_ALIGN 64u

/* BAR0 */
#define GTT_OFFSET (8u << 20)
#define MASTER_IRQ 0x44200
#define MASTER_IRQ_ENABLE (1u << 31)
#define IMR(bank) (0x44304u + 0x10 * (bank))
#define IIR(bank) (0x44308u + 0x10 * (bank))
#define IER(bank) (0x4430cu + 0x10 * (bank))
#define GDRST 0x941c

/* BAR0, relative to an engine */
#define RING_ACTHD_UDW 0x5c
#define RING_ACTHD 0x74
#define RING_HWS_PGA 0x80
#define RING_IMR 0xa8
#define RING_ELSP 0x230
#define RING_MODE 0x29c
#define RING_MODE_EXECLISTS 0x80008000u
#define RING_CSB_POINTERS 0x3a0
#define IRQ_USER (1u << 0)
#define IRQ_CONTEXT_SWITCH (1u << 8)

/* PVINFO, named as in i915_pvinfo.h */
#define VGT_MAGIC 0x78000
#define VGT_MAGIC_VALUE 0x4776544776544776ull	/* "vGTvGTvG" */
#define VGT_MAPPABLE_BASE 0x78040
#define VGT_MAPPABLE_SIZE 0x78044
#define VGT_G2V_NOTIFY 0x78818
#define VGT_G2V_PPGTT_L4_CREATE 4
#define VGT_G2V_PPGTT_L4_DESTROY 5
#define VGT_PDP0_LO 0x78838
#define VGT_PDP0_HI 0x7883c

/* Status page, in dwords */
#define HWSP_CSB 0x10
#define HWSP_CSB_WRITE 0x1f
#define CSB_ENTRIES 6

/* Context image: the state page follows the context's own status page */
#define STATE_CONTEXT_CONTROL 0x03
#define STATE_HEAD 0x05
#define STATE_TAIL 0x07
#define STATE_START 0x09
#define STATE_CONTROL 0x0b
#define STATE_PDP0_LO 0x33
#define CONTROL_RESTORE_INHIBIT 0x00090009u	/* and no synchronous switch */
#define RING_VALID 1u

#define DESC_VALID 1u
#define DESC_PPGTT_64B (3u << 3)
#define DESC_PRIVILEGE (1u << 8)	/* GVT rejects contexts without it */

#define PTE_PRESENT_WRITABLE 3u
#define PTES 512u
/* Where contexts see their results page by default; their batches follow it. */
#define PPGTT_BASE 0x10000000ull

struct engine {
	const char *name;
	uint32_t base;
	unsigned int irq_bank, irq_shift;
	uint32_t reset_bit;
	unsigned int context_pages;
};

static const struct engine engines[VGPU_ENGINES] = {
	[VGPU_RCS0] = { "rcs0", 0x02000, 0, 0, 1u << 1, 22 },
	[VGPU_BCS0] = { "bcs0", 0x22000, 0, 16, 1u << 3, 2 },
	[VGPU_VCS0] = { "vcs0", 0x12000, 1, 0, 1u << 2, 2 },
	[VGPU_VECS0] = { "vecs0", 0x1a000, 3, 0, 1u << 4, 2 },
};

#define IRQ_BANKS 4

struct engine_state {
	bool started;
	uint32_t hwsp;			/* guest physical */
	unsigned int csb_read;
};

struct vgpu_context {
	struct vgpu_client *v;
	enum vgpu_engine engine;
	struct vgpu_work work;
	unsigned int slots;
	uint32_t image, ring, breadcrumb;	/* guest physical */
	uint32_t results, batches, pml4;	/* guest physical */
	uint32_t batch_bytes;			/* from one slot to the next */
	uint32_t value_offset;			/* of the stored value in a batch */
	uint32_t tail;
	uint32_t submitted, completed_by_reset;
	uint64_t descriptor, base;
	uint32_t endless;			/* slots whose batch is */
};

struct vgpu_client {
	char error[160];
	char uuid[64];
	bool as_it_is;			/* no reset */
	int kvm, vm, kvm_vfio, container, group, device, irq_fd;
	uint64_t bar0, config;
	uint8_t *memory;
	unsigned int pages_used;
	bool in_ggtt[MEMORY_PAGES];
	uint32_t ggtt_base;		/* graphics address of guest page 0 */
	struct engine_state engines[VGPU_ENGINES];
	uint64_t base;			/* of contexts to come */
	uint32_t irq_banks;		/* banks of engines with contexts */
	unsigned int n_contexts;
	struct vgpu_context contexts[VGPU_MAX_CONTEXTS];
};

/* ---- errors -------------------------------------------------------------- */

__attribute__((format(printf, 3, 4)))
static int fail(struct vgpu_client *v, int err, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(v->error, sizeof(v->error), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(v->error))
		snprintf(v->error + n, sizeof(v->error) - (size_t)n, ": %s", strerror(err));
	return -err;
}

const char *vgpu_error(const struct vgpu_client *v)
{
	return v->error;
}

/* ---- registers and guest memory ------------------------------------------ */

int vgpu_write32(struct vgpu_client *v, uint32_t offset, uint32_t value)
{
	if (pwrite(v->device, &value, 4, (off_t)(v->bar0 + offset)) == 4)
		return 0;
	return fail(v, errno ?: EIO, "write of register 0x%x", offset);
}

int vgpu_poke(struct vgpu_client *v, bool config, uint32_t offset, void *data,
	      unsigned int size, bool write)
{
	off_t at = (off_t)((config ? v->config : v->bar0) + offset);
	ssize_t done = write ? pwrite(v->device, data, size, at) : pread(v->device, data, size, at);

	if (done == (ssize_t)size)
		return 0;
	return done < 0 ? -errno : -EIO;
}

int vgpu_read32(struct vgpu_client *v, uint32_t offset, uint32_t *value)
{
	if (pread(v->device, value, 4, (off_t)(v->bar0 + offset)) == 4)
		return 0;
	return fail(v, errno ?: EIO, "read of register 0x%x", offset);
}

struct reg_write {
	uint32_t offset, value;
};

static int write_registers(struct vgpu_client *v, const struct reg_write *w, size_t n)
{
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = vgpu_write32(v, w[i].offset, w[i].value);
	return err;
}

static uint32_t *memory32(const struct vgpu_client *v, uint32_t gpa)
{
	return (uint32_t *)(void *)(v->memory + gpa);
}

/* GVT writes guest memory unknown to the compiler. */
static uint32_t load32(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static void store64(const struct vgpu_client *v, uint32_t gpa, uint64_t value)
{
	memcpy(v->memory + gpa, &value, sizeof(value));
}

static uint32_t allocate(struct vgpu_client *v, unsigned int pages)
{
	uint32_t gpa = v->pages_used * PAGE;

	if (pages > MEMORY_PAGES - v->pages_used) {
		fail(v, ENOSPC, "allocation of %u pages of guest memory", pages);
		return 0;
	}
	v->pages_used += pages;
	return gpa;
}

static uint32_t ggtt_address(const struct vgpu_client *v, uint32_t gpa)
{
	return v->ggtt_base + gpa;
}

static int write_ggtt_entry(struct vgpu_client *v, unsigned int page)
{
	uint64_t entry = (uint64_t)page * PAGE | PTE_PRESENT_WRITABLE;
	uint32_t index = ggtt_address(v, page * PAGE) / PAGE;

	if (pwrite(v->device, &entry, 8, (off_t)(v->bar0 + GTT_OFFSET + 8ull * index)) == 8)
		return 0;
	return fail(v, errno ?: EIO, "write of GGTT entry 0x%x", index);
}

/* Pages that the vGPU's engines see through the GGTT. */
static uint32_t allocate_ggtt(struct vgpu_client *v, unsigned int pages)
{
	uint32_t gpa = allocate(v, pages);

	for (unsigned int i = 0; gpa && i < pages; i++) {
		v->in_ggtt[gpa / PAGE + i] = true;
		if (write_ggtt_entry(v, gpa / PAGE + i))
			return 0;
	}
	return gpa;
}

static int rewrite_ggtt(struct vgpu_client *v)
{
	int err = 0;

	for (unsigned int i = 0; i < v->pages_used && !err; i++)
		if (v->in_ggtt[i])
			err = write_ggtt_entry(v, i);
	return err;
}

/* ---- opening ------------------------------------------------------------- */

static int open_kvm(struct vgpu_client *v)
{
	v->kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (v->kvm < 0)
		return fail(v, errno, "open /dev/kvm");
	v->vm = ioctl(v->kvm, KVM_CREATE_VM, 0);
	if (v->vm < 0)
		return fail(v, errno, "KVM_CREATE_VM");
	return 0;
}

static int map_memory(struct vgpu_client *v)
{
	struct kvm_userspace_memory_region region = { .memory_size = MEMORY_BYTES };

	v->memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			 -1, 0);
	if (v->memory == MAP_FAILED) {
		v->memory = NULL;
		return fail(v, errno, "mmap of guest memory");
	}
	region.userspace_addr = (uintptr_t)v->memory;
	if (ioctl(v->vm, KVM_SET_USER_MEMORY_REGION, &region))
		return fail(v, errno, "KVM_SET_USER_MEMORY_REGION");
	v->pages_used = 1;	/* page 0 stays free: address 0 means none */
	return 0;
}

static int open_group(struct vgpu_client *v)
{
	char path[128], link[128];
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/bus/mdev/devices/%s/iommu_group", v->uuid);
	n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		return fail(v, errno, "readlink %s", path);
	link[n] = '\0';
	snprintf(path, sizeof(path), "/dev/vfio/%s", strrchr(link, '/') + 1);
	v->group = open(path, O_RDWR | O_CLOEXEC);
	if (v->group < 0)
		return fail(v, errno, "open %s", path);
	return 0;
}

static int open_container(struct vgpu_client *v)
{
	struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.vaddr = (uintptr_t)v->memory,
		.size = MEMORY_BYTES,
	};

	v->container = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
	if (v->container < 0)
		return fail(v, errno, "open /dev/vfio/vfio");
	if (ioctl(v->group, VFIO_GROUP_SET_CONTAINER, &v->container))
		return fail(v, errno, "VFIO_GROUP_SET_CONTAINER");
	if (ioctl(v->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		return fail(v, errno, "VFIO_SET_IOMMU");
	if (ioctl(v->container, VFIO_IOMMU_MAP_DMA, &map))
		return fail(v, errno, "VFIO_IOMMU_MAP_DMA");
	return 0;
}

/* A vGPU cannot be opened before its group knows the virtual machine. */
static int attach_kvm(struct vgpu_client *v)
{
	struct kvm_create_device device = { .type = KVM_DEV_TYPE_VFIO };
	int32_t group = v->group;
	struct kvm_device_attr attr = {
		.group = KVM_DEV_VFIO_GROUP,
		.attr = KVM_DEV_VFIO_GROUP_ADD,
		.addr = (uintptr_t)&group,
	};

	if (ioctl(v->vm, KVM_CREATE_DEVICE, &device))
		return fail(v, errno, "KVM_CREATE_DEVICE (VFIO)");
	v->kvm_vfio = (int)device.fd;
	if (ioctl(v->kvm_vfio, KVM_SET_DEVICE_ATTR, &attr))
		return fail(v, errno, "KVM_DEV_VFIO_GROUP_ADD");
	return 0;
}

static int find_region(struct vgpu_client *v, uint32_t index, uint64_t *offset)
{
	struct vfio_region_info info = { .argsz = sizeof(info), .index = index };

	if (ioctl(v->device, VFIO_DEVICE_GET_REGION_INFO, &info))
		return fail(v, errno, "VFIO_DEVICE_GET_REGION_INFO %u", index);
	*offset = info.offset;
	return 0;
}

static int open_device(struct vgpu_client *v)
{
	v->device = ioctl(v->group, VFIO_GROUP_GET_DEVICE_FD, v->uuid);
	if (v->device < 0)
		return fail(v, errno, "VFIO_GROUP_GET_DEVICE_FD %s", v->uuid);
	return find_region(v, VFIO_PCI_BAR0_REGION_INDEX, &v->bar0) ?:
	       find_region(v, VFIO_PCI_CONFIG_REGION_INDEX, &v->config);
}

static int route_msi(struct vgpu_client *v)
{
	union {
		struct vfio_irq_set set;
		uint8_t bytes[sizeof(struct vfio_irq_set) + sizeof(int32_t)];
	} irq = { .set = {
		.argsz = sizeof(irq.bytes),
		.flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
		.index = VFIO_PCI_MSI_IRQ_INDEX,
		.count = 1,
	} };

	v->irq_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (v->irq_fd < 0)
		return fail(v, errno, "eventfd");
	memcpy(irq.set.data, &(int32_t){ v->irq_fd }, sizeof(int32_t));
	if (ioctl(v->device, VFIO_DEVICE_SET_IRQS, &irq))
		return fail(v, errno, "VFIO_DEVICE_SET_IRQS");
	return 0;
}

/* vGPU registers survive close and open: a stale interrupt would flood this process. */
static int reset_device(struct vgpu_client *v)
{
	if (v->as_it_is)
		return 0;
	if (ioctl(v->device, VFIO_DEVICE_RESET))
		return fail(v, errno, "VFIO_DEVICE_RESET");
	return 0;
}

static int config_read(struct vgpu_client *v, unsigned int offset, void *data, size_t size)
{
	if (pread(v->device, data, size, (off_t)(v->config + offset)) == (ssize_t)size)
		return 0;
	return fail(v, errno ?: EIO, "read of configuration space 0x%x", offset);
}

static int config_write16(struct vgpu_client *v, unsigned int offset, uint16_t value)
{
	if (pwrite(v->device, &value, 2, (off_t)(v->config + offset)) == 2)
		return 0;
	return fail(v, errno ?: EIO, "write of configuration space 0x%x", offset);
}

static int find_msi(struct vgpu_client *v, unsigned int *offset)
{
	uint8_t at, capability[2];
	int err = config_read(v, 0x34, &at, 1);

	for (int hops = 0; !err && at && hops < 48; hops++) {
		err = config_read(v, at, capability, 2);
		if (!err && capability[0] == 0x05) {
			*offset = at;
			return 0;
		}
		at = capability[1];
	}
	return err ?: fail(v, ENODEV, "search for the MSI capability");
}

/* Switch on MSI, memory decoding and bus mastering. */
static int enable_pci(struct vgpu_client *v)
{
	unsigned int msi = 0;
	uint16_t control;
	int err = find_msi(v, &msi);

	return err ?: config_read(v, msi + 2, &control, 2) ?:
	       config_write16(v, msi + 2, control | 1) ?: config_write16(v, 4, 0x6);
}

/* Reading PVINFO shows GVT that the guest knows that it runs on a vGPU. */
static int read_pvinfo(struct vgpu_client *v)
{
	uint32_t size;
	uint64_t magic;
	int err;

	if (pread(v->device, &magic, 8, (off_t)(v->bar0 + VGT_MAGIC)) != 8)
		return fail(v, errno ?: EIO, "read of PVINFO");
	if (magic != VGT_MAGIC_VALUE)
		return fail(v, ENODEV, "PVINFO magic 0x%llx", (unsigned long long)magic);
	err = vgpu_read32(v, VGT_MAPPABLE_BASE, &v->ggtt_base) ?:
	      vgpu_read32(v, VGT_MAPPABLE_SIZE, &size);
	if (!err && size < MEMORY_BYTES)
		err = fail(v, ENOSPC, "aperture of %u bytes", size);
	return err;
}

static int for_steps(struct vgpu_client *v, int (*const *steps)(struct vgpu_client *), size_t n)
{
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = steps[i](v);
	return err;
}

int vgpu_open(struct vgpu_client *v, const char *uuid)
{
	static int (*const steps[])(struct vgpu_client *) = {
		open_kvm, map_memory, open_group, open_container, attach_kvm, open_device,
		reset_device, route_msi, enable_pci, read_pvinfo,
	};

	snprintf(v->uuid, sizeof(v->uuid), "%s", uuid);
	return for_steps(v, steps, sizeof(steps) / sizeof(steps[0]));
}

struct vgpu_client *vgpu_new(void)
{
	struct vgpu_client *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;

	v->kvm = -1;
	v->vm = -1;
	v->kvm_vfio = -1;
	v->container = -1;
	v->group = -1;
	v->device = -1;
	v->irq_fd = -1;
	v->base = PPGTT_BASE;

	return v;
}

void vgpu_set_addresses(struct vgpu_client *v, uint64_t base)
{
	v->base = base;
}

int vgpu_irq_fd(const struct vgpu_client *v)
{
	return v->irq_fd;
}

/* ---- engines ------------------------------------------------------------- */

int vgpu_engine_find(const char *name)
{
	for (int i = 0; i < VGPU_ENGINES; i++)
		if (!strcmp(engines[i].name, name))
			return i;
	return -1;
}

const char *vgpu_engine_name(enum vgpu_engine engine)
{
	return engines[engine].name;
}

static int program_engine(struct vgpu_client *v, enum vgpu_engine engine)
{
	const struct engine *e = &engines[engine];
	struct engine_state *state = &v->engines[engine];
	const struct reg_write writes[] = {
		{ e->base + RING_HWS_PGA, ggtt_address(v, state->hwsp) },
		{ e->base + RING_MODE, RING_MODE_EXECLISTS },
		{ e->base + RING_CSB_POINTERS, 0xffff0505 },
		{ e->base + RING_IMR, ~((IRQ_USER | IRQ_CONTEXT_SWITCH) << e->irq_shift) },
		{ IMR(e->irq_bank), 0 },
		{ IER(e->irq_bank), ~0u },
		{ MASTER_IRQ, MASTER_IRQ_ENABLE },
	};

	/* The first event goes into entry 0. */
	state->csb_read = CSB_ENTRIES - 1;
	memory32(v, state->hwsp)[HWSP_CSB_WRITE] = CSB_ENTRIES - 1;
	return write_registers(v, writes, sizeof(writes) / sizeof(writes[0]));
}

int vgpu_start_engine(struct vgpu_client *v, enum vgpu_engine engine)
{
	struct engine_state *state = &v->engines[engine];
	int err;

	if (state->started)
		return 0;
	state->hwsp = allocate_ggtt(v, 1);
	if (!state->hwsp)
		return -ENOSPC;
	err = program_engine(v, engine);
	state->started = !err;
	return err;
}

/* as in i915 */
#define ACTHD_TRIES 3

int vgpu_acthd(struct vgpu_client *v, enum vgpu_engine engine, uint64_t *address)
{
	uint32_t low = 0, high = 0, before;
	int err = vgpu_read32(v, engines[engine].base + RING_ACTHD_UDW, &high);

	/* As i915 does: the halves belong together if the upper one has not changed */
	for (int i = 0; i < ACTHD_TRIES && !err; i++) {
		before = high;
		err = vgpu_read32(v, engines[engine].base + RING_ACTHD, &low) ?:
		      vgpu_read32(v, engines[engine].base + RING_ACTHD_UDW, &high);
		if (high == before)
			break;
	}
	if (!err)
		*address = (uint64_t)high << 32 | low;
	return err;
}

int vgpu_ack_irq(struct vgpu_client *v)
{
	uint64_t interrupts;
	int err = 0;

	if (read(v->irq_fd, &interrupts, sizeof(interrupts)) < 0 && errno != EAGAIN)
		return fail(v, errno, "read of the interrupt eventfd");
	for (unsigned int bank = 0; bank < IRQ_BANKS && !err; bank++) {
		uint32_t pending = 0;

		if (!(v->irq_banks & 1u << bank))
			continue;
		err = vgpu_read32(v, IIR(bank), &pending);
		if (!err && pending)
			err = vgpu_write32(v, IIR(bank), pending);
	}
	return err;
}

int vgpu_next_csb(struct vgpu_client *v, enum vgpu_engine engine, struct vgpu_csb *entry)
{
	struct engine_state *state = &v->engines[engine];
	const uint32_t *hwsp = memory32(v, state->hwsp);

	if (!state->started || load32(&hwsp[HWSP_CSB_WRITE]) == state->csb_read)
		return 0;
	state->csb_read = (state->csb_read + 1) % CSB_ENTRIES;
	entry->index = state->csb_read;
	entry->status = load32(&hwsp[HWSP_CSB + 2 * state->csb_read]);
	entry->context = load32(&hwsp[HWSP_CSB + 2 * state->csb_read + 1]);
	return 1;
}

/* ---- contexts ------------------------------------------------------------ */

static uint64_t batch_address(const struct vgpu_context *c, unsigned int slot)
{
	return c->base + PAGE + (uint64_t)slot * c->batch_bytes;
}

static uint64_t result_address(const struct vgpu_context *c, unsigned int slot)
{
	return c->base + 4ull * slot;
}

/* The slot after the last holds the batch that hangs. */
static unsigned int batch_pages(const struct vgpu_context *c)
{
	return (unsigned int)(((uint64_t)(c->slots + 1) * c->batch_bytes + PAGE - 1) / PAGE);
}

static uint32_t *batch_memory(const struct vgpu_context *c, unsigned int slot)
{
	return memory32(c->v, c->batches + slot * c->batch_bytes);
}

static void write_batch(struct vgpu_context *c, unsigned int slot)
{
	size_t n = vgpu_emit_batch(batch_memory(c, slot), &c->work, result_address(c, slot), 0);

	c->value_offset = 4 * (uint32_t)(n - VGPU_BATCH_VALUE_FROM_END);
}

static void write_batches(struct vgpu_context *c)
{
	for (unsigned int i = 0; i < c->slots; i++)
		write_batch(c, i);
	vgpu_emit_hang(batch_memory(c, c->slots), batch_address(c, c->slots));
}

/* One page of each level; GVT shadows the pages when notified of the root. */
static void write_page_tables(struct vgpu_context *c)
{
	struct vgpu_client *v = c->v;
	uint32_t pdp = c->pml4 + PAGE, pd = pdp + PAGE, pt = pd + PAGE;

	store64(v, c->pml4, pdp | PTE_PRESENT_WRITABLE);
	store64(v, pdp + 8 * (c->base >> 30 & (PTES - 1)), pd | PTE_PRESENT_WRITABLE);
	store64(v, pd + 8 * (c->base >> 21 & (PTES - 1)), pt | PTE_PRESENT_WRITABLE);
	store64(v, pt, c->results | PTE_PRESENT_WRITABLE);
	for (unsigned int i = 0; i < batch_pages(c); i++)
		store64(v, pt + 8 * (1 + i), (c->batches + i * PAGE) | PTE_PRESENT_WRITABLE);
}

/*
 * KVM does not trap this process's writes to page tables (there is no vCPU), so
 * the tables must be complete before GVT is notified.
 */
static int notify_page_tables(const struct vgpu_context *c, uint32_t message)
{
	const struct reg_write writes[] = {
		{ VGT_PDP0_LO, c->pml4 },
		{ VGT_PDP0_HI, 0 },
		{ VGT_G2V_NOTIFY, message },
	};

	return write_registers(c->v, writes, sizeof(writes) / sizeof(writes[0]));
}

int vgpu_renew_tables(const struct vgpu_context *c)
{
	return notify_page_tables(c, VGT_G2V_PPGTT_L4_DESTROY) ?:
	       notify_page_tables(c, VGT_G2V_PPGTT_L4_CREATE);
}

static void write_register_list(uint32_t *state, uint32_t base, const uint16_t *regs,
				unsigned int n)
{
	state[0] = MI_LOAD_REGISTER_IMM(n) | MI_LRI_FORCE_POSTED;
	for (unsigned int i = 0; i < n; i++)
		state[1 + 2 * i] = base + regs[i];
}

/* An empty ring and the registers that execlists restore. */
static void write_image(struct vgpu_context *c)
{
	static const uint16_t ring_regs[] = {
		0x244, 0x34, 0x30, 0x38, 0x3c, 0x168, 0x140, 0x110, 0x11c, 0x114, 0x118, 0x1c0,
		0x1c4, 0x1c8,
	};
	static const uint16_t pdp_regs[] = {
		0x3a8, 0x28c, 0x288, 0x284, 0x280, 0x27c, 0x278, 0x274, 0x270,
	};
	uint32_t *state = memory32(c->v, c->image + PAGE);
	uint32_t base = engines[c->engine].base;

	memset(state, 0, PAGE);
	write_register_list(state + 0x01, base, ring_regs,
			    sizeof(ring_regs) / sizeof(ring_regs[0]));
	write_register_list(state + 0x21, base, pdp_regs, sizeof(pdp_regs) / sizeof(pdp_regs[0]));
	state[STATE_CONTEXT_CONTROL] = CONTROL_RESTORE_INHIBIT;
	state[STATE_START] = ggtt_address(c->v, c->ring);
	state[STATE_CONTROL] = (RING_BYTES - PAGE) | RING_VALID;
	state[STATE_PDP0_LO] = c->pml4;
	c->tail = 0;
	c->descriptor = ggtt_address(c->v, c->image) | DESC_PRIVILEGE | DESC_PPGTT_64B |
			DESC_VALID | (uint64_t)(c - c->v->contexts + 1) << 32;
}

static int allocate_context(struct vgpu_context *c)
{
	struct vgpu_client *v = c->v;

	c->image = allocate_ggtt(v, engines[c->engine].context_pages);
	c->ring = allocate_ggtt(v, 1);
	c->breadcrumb = allocate_ggtt(v, 1);
	c->results = allocate(v, 1);
	c->batches = allocate(v, batch_pages(c));
	c->pml4 = allocate(v, 4);
	return c->image && c->ring && c->breadcrumb && c->results && c->batches && c->pml4 ?
	       0 : -ENOSPC;
}

static int size_batches(struct vgpu_context *c)
{
	uint64_t bytes = (4 * (uint64_t)vgpu_batch_max_dwords(&c->work) + BATCH_ALIGN - 1) /
			 BATCH_ALIGN * BATCH_ALIGN;

	if ((c->slots + 1) * bytes > (uint64_t)(PTES - 1) * PAGE)
		return fail(c->v, E2BIG, "%u batches of %u pieces", c->slots, c->work.pieces);
	c->batch_bytes = (uint32_t)bytes;
	return 0;
}

static int build_context(struct vgpu_context *c)
{
	int err = size_batches(c) ?: allocate_context(c);

	if (err)
		return err;
	write_batches(c);
	write_page_tables(c);
	write_image(c);
	return notify_page_tables(c, VGT_G2V_PPGTT_L4_CREATE);
}

struct vgpu_context *vgpu_context_new(struct vgpu_client *v, enum vgpu_engine engine,
				      const struct vgpu_work *work, unsigned int slots)
{
	struct vgpu_context *c = &v->contexts[v->n_contexts];

	if (v->n_contexts == VGPU_MAX_CONTEXTS) {
		fail(v, ENOSPC, "context %u", VGPU_MAX_CONTEXTS);
		return NULL;
	}
	if (!slots || slots > VGPU_MAX_SLOTS || !work->pieces ||
	    vgpu_work_us(work) < work->pieces || !v->engines[engine].started ||
	    (work->walker && engine != VGPU_RCS0)) {
		fail(v, EINVAL, "context of %u slots, %u pieces on %s", slots, work->pieces,
		     engines[engine].name);
		return NULL;
	}
	*c = (struct vgpu_context) {
		.v = v, .engine = engine, .work = *work, .slots = slots, .base = v->base,
	};
	if (build_context(c))
		return NULL;
	v->irq_banks |= 1u << engines[engine].irq_bank;
	v->n_contexts++;
	return c;
}

/* ---- workloads ----------------------------------------------------------- */

int vgpu_write_port(struct vgpu_client *v, enum vgpu_engine engine, uint64_t first, uint64_t second)
{
	uint32_t elsp = engines[engine].base + RING_ELSP;
	const struct reg_write writes[] = {
		{ elsp, (uint32_t)(second >> 32) },
		{ elsp, (uint32_t)second },
		{ elsp, (uint32_t)(first >> 32) },
		{ elsp, (uint32_t)first },
	};

	return write_registers(v, writes, sizeof(writes) / sizeof(writes[0]));
}

uint64_t vgpu_descriptor(const struct vgpu_context *c)
{
	return c->descriptor;
}

static int write_elsp(struct vgpu_context *c)
{
	return vgpu_write_port(c->v, c->engine, c->descriptor, 0);
}

static int submit_batch(struct vgpu_context *c, uint64_t batch, bool bad)
{
	uint64_t breadcrumb = ggtt_address(c->v, c->breadcrumb);
	uint32_t *request = memory32(c->v, c->ring + c->tail);
	size_t n;

	if (c->work.arbitration_off)
		n = vgpu_emit_request_noarb(request, batch, breadcrumb, c->submitted);
	else
		n = vgpu_emit_request(request, batch, breadcrumb, c->submitted);

	if (bad)
		request[n - 1] = MI_UNKNOWN;
	c->tail = (c->tail + 4 * (uint32_t)n) % RING_BYTES;
	memory32(c->v, c->image + PAGE)[STATE_TAIL] = c->tail;
	return write_elsp(c);
}

static int check_slot(struct vgpu_context *c)
{
	if (c->submitted - vgpu_completed(c) < c->slots)
		return 0;
	return fail(c->v, EBUSY, "submission beyond %u slots", c->slots);
}

int vgpu_submit(struct vgpu_context *c)
{
	unsigned int slot = c->submitted % c->slots;
	int err = check_slot(c);

	if (err)
		return err;
	if (c->endless & 1u << slot)
		write_batch(c, slot);
	c->endless &= ~(1u << slot);
	c->submitted++;
	batch_memory(c, slot)[c->value_offset / 4] = c->submitted;
	return submit_batch(c, batch_address(c, slot), false);
}

int vgpu_submit_endless(struct vgpu_context *c)
{
	unsigned int slot = c->submitted % c->slots;
	int err = check_slot(c);

	if (err)
		return err;
	c->endless |= 1u << slot;
	c->submitted++;
	vgpu_emit_endless(batch_memory(c, slot), batch_address(c, slot), result_address(c, slot),
			  c->submitted);
	return submit_batch(c, batch_address(c, slot), false);
}

void vgpu_end(struct vgpu_context *c, uint32_t seqno)
{
	unsigned int slot = (seqno - 1) % c->slots;

	if (c->endless & 1u << slot)
		batch_memory(c, slot)[VGPU_ENDLESS_CHECK] = MI_BATCH_BUFFER_END;
}

int vgpu_submit_hang(struct vgpu_context *c)
{
	int err = check_slot(c);

	if (err)
		return err;
	c->submitted++;
	return submit_batch(c, batch_address(c, c->slots), false);
}

int vgpu_submit_bad(struct vgpu_context *c)
{
	int err = check_slot(c);

	if (err)
		return err;
	c->submitted++;
	return submit_batch(c, batch_address(c, 0), true);
}

int vgpu_submit_garbage(struct vgpu_context *c, uint32_t tail)
{
	memory32(c->v, c->image + PAGE)[STATE_TAIL] = tail;
	return write_elsp(c);
}

int vgpu_submit_again(struct vgpu_context *c)
{
	return write_elsp(c);
}

uint32_t vgpu_submitted(const struct vgpu_context *c)
{
	return c->submitted;
}

uint32_t vgpu_completed(const struct vgpu_context *c)
{
	uint32_t stored = load32(memory32(c->v, c->breadcrumb));

	/* Signed distance: numbers wrap after 2^32 workloads. */
	return (int32_t)(stored - c->completed_by_reset) > 0 ? stored : c->completed_by_reset;
}

bool vgpu_result_ok(const struct vgpu_context *c, uint32_t seqno)
{
	return load32(memory32(c->v, c->results) + (seqno - 1) % c->slots) == seqno;
}

/* ---- recovery ------------------------------------------------------------ */

static void empty_contexts(struct vgpu_client *v, enum vgpu_engine engine)
{
	for (unsigned int i = 0; i < v->n_contexts; i++) {
		struct vgpu_context *c = &v->contexts[i];

		if (c->engine != engine)
			continue;
		write_image(c);
		c->completed_by_reset = c->submitted;
	}
}

int vgpu_stop_engine(struct vgpu_client *v, enum vgpu_engine engine)
{
	int err = vgpu_write32(v, GDRST, engines[engine].reset_bit);

	if (!err)
		empty_contexts(v, engine);
	return err;
}

int vgpu_restart_engine(struct vgpu_client *v, enum vgpu_engine engine)
{
	return program_engine(v, engine);
}

int vgpu_reset_engine(struct vgpu_client *v, enum vgpu_engine engine)
{
	return vgpu_stop_engine(v, engine) ?: vgpu_restart_engine(v, engine);
}

int vgpu_reset(struct vgpu_client *v)
{
	static int (*const steps[])(struct vgpu_client *) = {
		reset_device, enable_pci, read_pvinfo, rewrite_ggtt,
	};
	int err = for_steps(v, steps, sizeof(steps) / sizeof(steps[0]));

	for (int i = 0; i < VGPU_ENGINES && !err; i++) {
		empty_contexts(v, i);
		if (v->engines[i].started)
			err = program_engine(v, i);
	}
	for (unsigned int i = 0; i < v->n_contexts && !err; i++)
		err = notify_page_tables(&v->contexts[i], VGT_G2V_PPGTT_L4_CREATE);
	return err;
}

/* ---- closing ------------------------------------------------------------- */

void vgpu_free(struct vgpu_client *v)
{
	if (!v)
		return;

	/* As when a guest shuts down; errors here do not matter. */
	for (unsigned int i = 0; i < v->n_contexts; i++)
		notify_page_tables(&v->contexts[i], VGT_G2V_PPGTT_L4_DESTROY);
	vgpu_kill(v);
}

void vgpu_kill(struct vgpu_client *v)
{
	if (!v)
		return;

	/* Close the device before its group, the group before its container and VM. */
	const int fds[] = { v->device, v->irq_fd, v->kvm_vfio, v->group, v->container, v->vm,
			    v->kvm };

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (v->memory)
		munmap(v->memory, MEMORY_BYTES);
	free(v);
}
