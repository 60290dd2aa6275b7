/*
 * Intel Gen9 integrated GPU, functional model: graphics address translation
 *
 * The global GTT is memory behind the upper half of BAR 0: the CPU writes its
 * entries without an exit, and the aperture and the engines look them up at
 * each access.  Nothing is cached, so nothing has to be invalidated.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "qemu/log.h"
#include "gen9_igpu.h"
#include "trace.h"

#define PTE_PRESENT         BIT(0)
#define PTE_WRITABLE        BIT(1)      /* of the last level only */
#define PDE_64K             BIT(11)     /* the table holds 64 KiB entries */
#define PDE_2M              BIT(7)
#define PTE_ADDR(e)         ((e) & MAKE_64BIT_MASK(12, 36))
#define PT_INDEX(a, shift)  (((a) >> (shift)) & 511)

static bool ggtt_translate(Gen9State *s, uint64_t addr, uint64_t *phys)
{
    uint64_t index = addr / GEN9_PAGE_SIZE;
    uint64_t pte;

    if (index >= GEN9_GGTT_ENTRIES) {
        return false;
    }
    pte = ldq_le_p(&s->ggtt[index]);
    *phys = PTE_ADDR(pte) | (addr & (GEN9_PAGE_SIZE - 1));
    return pte & PTE_PRESENT;
}

static uint64_t read_entry(Gen9Engine *e, uint64_t table, unsigned index)
{
    uint64_t entry = 0;

    pci_dma_read(PCI_DEVICE(e->s), PTE_ADDR(table) + index * sizeof(entry),
                 &entry, sizeof(entry));
    return le64_to_cpu(entry);
}

/* The page directory for @addr, or an entry that is not present. */
static uint64_t ppgtt_directory(Gen9Engine *e, uint64_t addr)
{
    uint64_t entry;

    if (!e->four_level) {
        return e->pdp[(addr >> 30) & 3] | PTE_PRESENT;
    }
    entry = read_entry(e, e->pdp[0], PT_INDEX(addr, 39));
    if (!(entry & PTE_PRESENT)) {
        return entry;
    }
    return read_entry(e, entry, PT_INDEX(addr, 30));
}

static bool ppgtt_translate(Gen9Engine *e, uint64_t addr, uint64_t *phys,
                            bool *writable)
{
    uint64_t page = GEN9_PAGE_SIZE;
    uint64_t entry = ppgtt_directory(e, addr);

    if (!(entry & PTE_PRESENT)) {
        return false;
    }
    entry = read_entry(e, entry, PT_INDEX(addr, 21));
    if (!(entry & PTE_PRESENT)) {
        return false;
    }
    if (entry & PDE_2M) {
        page = 2 * MiB;
    } else if (entry & PDE_64K) {
        page = 64 * KiB;
        entry = read_entry(e, entry, PT_INDEX(addr, 12) & ~15u);
    } else {
        entry = read_entry(e, entry, PT_INDEX(addr, 12));
    }
    *phys = (PTE_ADDR(entry) & ~(page - 1)) | (addr & (page - 1));
    *writable = entry & PTE_WRITABLE;
    return entry & PTE_PRESENT;
}

static void report_fault(Gen9Engine *e, Gen9Space space, uint64_t addr,
                         bool write)
{
    Gen9State *s = e->s;

    trace_gen9_fault(e->info->name, space == GEN9_PPGTT, addr, write);
    qemu_log_mask(LOG_GUEST_ERROR,
                  "gen9-igpu: %s: %s of unmapped %s address 0x%" PRIx64 "\n",
                  e->info->name, write ? "write" : "read",
                  space == GEN9_PPGTT ? "PPGTT" : "GGTT", addr);
    if (*gen9_reg(s, RING_FAULT) & RING_FAULT_VALID) {
        return;                         /* the first one stays */
    }
    *gen9_reg(s, RING_FAULT) = RING_FAULT_VALID |
        RING_FAULT_ENGINE(e->info->fault_id) |
        (space == GEN9_GGTT ? RING_FAULT_GGTT : 0);
    *gen9_reg(s, FAULT_TLB_DATA0) = addr >> 12;
    *gen9_reg(s, FAULT_TLB_DATA1) = ((addr >> 44) & 0xf) |
        (space == GEN9_GGTT ? FAULT_TLB_GGTT : 0);
}

static bool gtt_access(Gen9Engine *e, Gen9Space space, uint64_t addr,
                       uint8_t *buf, size_t len, bool write)
{
    PCIDevice *pci = PCI_DEVICE(e->s);

    while (len) {
        size_t n = MIN(len, GEN9_PAGE_SIZE - (addr & (GEN9_PAGE_SIZE - 1)));
        uint64_t phys;
        bool writable = true;

        if (!(space == GEN9_PPGTT ? ppgtt_translate(e, addr, &phys, &writable)
                                  : ggtt_translate(e->s, addr, &phys))) {
            report_fault(e, space, addr, write);
            return false;
        }
        if (write && writable) {
            pci_dma_write(pci, phys, buf, n);
        } else if (write) {
            /* dropped without a fault, as on silicon */
            qemu_log_mask(LOG_GUEST_ERROR,
                          "gen9-igpu: %s: write to read-only PPGTT address "
                          "0x%" PRIx64 "\n", e->info->name, addr);
        } else {
            pci_dma_read(pci, phys, buf, n);
        }
        buf += n;
        addr += n;
        len -= n;
    }
    return true;
}

bool gen9_gtt_read(Gen9Engine *e, Gen9Space space, uint64_t addr,
                   void *buf, size_t len)
{
    memset(buf, 0, len);
    return gtt_access(e, space, addr, buf, len, false);
}

bool gen9_gtt_write(Gen9Engine *e, Gen9Space space, uint64_t addr,
                    const void *buf, size_t len)
{
    return gtt_access(e, space, addr, (uint8_t *)buf, len, true);
}

uint32_t gen9_gtt_read32(Gen9Engine *e, Gen9Space space, uint64_t addr)
{
    uint32_t val;

    gen9_gtt_read(e, space, addr, &val, sizeof(val));
    return le32_to_cpu(val);
}

uint64_t gen9_gtt_read64(Gen9Engine *e, Gen9Space space, uint64_t addr)
{
    uint64_t val;

    gen9_gtt_read(e, space, addr, &val, sizeof(val));
    return le64_to_cpu(val);
}

void gen9_gtt_write32(Gen9Engine *e, Gen9Space space, uint64_t addr,
                      uint32_t val)
{
    val = cpu_to_le32(val);
    gen9_gtt_write(e, space, addr, &val, sizeof(val));
}

void gen9_gtt_write64(Gen9Engine *e, Gen9Space space, uint64_t addr,
                      uint64_t val)
{
    val = cpu_to_le64(val);
    gen9_gtt_write(e, space, addr, &val, sizeof(val));
}

/* Aperture: the CPU's view of the first megabytes of the global GTT. */
static uint64_t aperture_read(void *opaque, hwaddr addr, unsigned size)
{
    Gen9State *s = opaque;
    uint64_t val = 0;
    uint64_t phys;

    if (ggtt_translate(s, addr, &phys)) {
        pci_dma_read(PCI_DEVICE(s), phys, &val, size);
    }
    return le64_to_cpu(val);
}

static void aperture_write(void *opaque, hwaddr addr, uint64_t val,
                           unsigned size)
{
    Gen9State *s = opaque;
    uint64_t phys;

    val = cpu_to_le64(val);
    if (ggtt_translate(s, addr, &phys)) {
        pci_dma_write(PCI_DEVICE(s), phys, &val, size);
    }
}

static const MemoryRegionOps aperture_ops = {
    .read = aperture_read,
    .write = aperture_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8 },
    .impl = { .min_access_size = 1, .max_access_size = 8 },
};

bool gen9_gtt_init(Gen9State *s, Error **errp)
{
    if (!memory_region_init_ram(&s->ggtt_ram, OBJECT(s), "gen9-igpu.ggtt",
                                GEN9_GGTT_BYTES, errp)) {
        return false;
    }
    s->ggtt = memory_region_get_ram_ptr(&s->ggtt_ram);
    memory_region_init_io(&s->aperture, OBJECT(s), &aperture_ops, s,
                          "gen9-igpu.aperture", s->aperture_mb * MiB);
    return true;
}

void gen9_gtt_reset(Gen9State *s)
{
    memset(s->ggtt, 0, GEN9_GGTT_BYTES);
    memory_region_set_dirty(&s->ggtt_ram, 0, GEN9_GGTT_BYTES);
}
