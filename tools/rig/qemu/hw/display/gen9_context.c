/*
 * Intel Gen9 integrated GPU, functional model: context image
 *
 * The second page of an image holds registers as MI_LOAD_REGISTER_IMM
 * blocks.  The ring context in front has fixed places; what follows, the
 * engine context, is restored and saved by walking the blocks, for the
 * registers of the engine itself only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "gen9_igpu.h"
#include "trace.h"

#define LRI_OPCODE(dw)      ((dw) >> 23)
#define LRI                 0x22
#define LRI_REGISTERS(dw)   ((((dw) & 0xff) + 1) / 2)

static uint64_t state_page(uint64_t desc)
{
    return (uint64_t)DESC_LRCA(desc) + GEN9_PAGE_SIZE;
}

static void write_dword(Gen9Engine *e, unsigned dword, uint32_t val)
{
    gen9_gtt_write32(e, GEN9_GGTT, state_page(e->desc) + dword * 4, val);
}

uint32_t gen9_context_tail(Gen9Engine *e, uint64_t desc)
{
    return gen9_gtt_read32(e, GEN9_GGTT,
                           state_page(desc) + CTX_RING_TAIL * 4) & 0x1ffff8;
}

static bool read_image(Gen9Engine *e, uint64_t desc, uint32_t *image)
{
    bool ok = gen9_gtt_read(e, GEN9_GGTT, state_page(desc), image,
                            CTX_DWORDS * 4);

    for (int i = 0; i < CTX_DWORDS; i++) {
        le32_to_cpus(&image[i]);
    }
    return ok;
}

typedef void RegisterFn(Gen9Engine *e, uint32_t offset, uint32_t val,
                        unsigned dword);

/* Call @fn for each of the engine's registers in the engine context. */
static void walk_engine_context(Gen9Engine *e, const uint32_t *image,
                                RegisterFn *fn)
{
    unsigned i = CTX_ENGINE_STATE;

    while (i < CTX_DWORDS) {
        uint32_t header = image[i++];

        if (header == 0) {
            continue;
        }
        if (LRI_OPCODE(header) != LRI) {
            break;
        }
        for (unsigned n = LRI_REGISTERS(header);
             n && i + 1 < CTX_DWORDS; n--, i += 2) {
            uint32_t offset = image[i] & 0x7ffffc;

            if (offset - e->info->mmio_base < GEN9_ENGINE_REGS_SIZE) {
                fn(e, offset, image[i + 1], i + 1);
            }
        }
    }
}

static void restore_register(Gen9Engine *e, uint32_t offset, uint32_t val,
                             unsigned dword)
{
    gen9_mmio_write_by_cs(e, offset, val);
}

static void save_register(Gen9Engine *e, uint32_t offset, uint32_t val,
                          unsigned dword)
{
    uint32_t now = gen9_mmio_read32(e->s, offset);

    if (now != val) {
        write_dword(e, dword, now);
    }
}

static void load_batch(Gen9Engine *e, const uint32_t *image, unsigned upper)
{
    uint32_t lower = image[upper + 2];
    uint32_t state = image[upper + 4];

    if ((lower & BB_ADDR_VALID) && e->batch_depth < GEN9_BATCH_LEVELS) {
        e->batch[e->batch_depth++] = (Gen9Batch) {
            .head = ((uint64_t)image[upper] << 32) | (lower & ~3u),
            .space = state & BB_STATE_PPGTT ? GEN9_PPGTT : GEN9_GGTT,
        };
    }
}

static void save_batch(Gen9Engine *e, unsigned level, unsigned upper)
{
    const Gen9Batch *b = &e->batch[level];

    if (level >= e->batch_depth) {
        write_dword(e, upper, 0);
        write_dword(e, upper + 2, 0);
        return;
    }
    write_dword(e, upper, b->head >> 32);
    write_dword(e, upper + 2, (uint32_t)b->head | BB_ADDR_VALID);
    write_dword(e, upper + 4, b->space == GEN9_PPGTT ? BB_STATE_PPGTT : 0);
}

/* What silicon keeps in the opaque pages of the engine context */
static void load_opaque(Gen9Engine *e)
{
    uint64_t page = state_page(e->desc);
    uint64_t inside = gen9_gtt_read64(e, GEN9_GGTT, page + CTX_INSIDE_LDW * 4);

    *gen9_engine_reg(e, RING_CS_CHICKEN1) =
        gen9_gtt_read32(e, GEN9_GGTT, page + CTX_CS_CHICKEN1 * 4) & 0xffff;
    e->inside.begun = inside & CTX_INSIDE_BEGUN;
    e->inside.left_ns = MIN(inside & ~CTX_INSIDE_BEGUN, GEN9_COST_MAX_NS);
    if (e->s->mem_mbps) {
        e->demand = gen9_gtt_read32(e, GEN9_GGTT, page + CTX_DEMAND * 4);
    }
}

static void save_opaque(Gen9Engine *e)
{
    uint64_t inside = e->inside.begun ?
                      e->inside.left_ns | CTX_INSIDE_BEGUN : 0;

    write_dword(e, CTX_CS_CHICKEN1, *gen9_engine_reg(e, RING_CS_CHICKEN1));
    write_dword(e, CTX_INSIDE_LDW, inside);
    write_dword(e, CTX_INSIDE_UDW, inside >> 32);
    if (e->s->mem_mbps) {
        write_dword(e, CTX_DEMAND, e->demand);
    }
}

static void load_ring(Gen9Engine *e, const uint32_t *image)
{
    e->head = image[CTX_RING_HEAD] & 0x1ffffc;
    e->tail = image[CTX_RING_TAIL] & 0x1ffff8;
    e->start = image[CTX_RING_START] & 0xfffff000u;
    e->ring_size = (image[CTX_RING_CTL] & RING_CTL_PAGES) + GEN9_PAGE_SIZE;
    *gen9_engine_reg(e, RING_HEAD) = e->head;
    *gen9_engine_reg(e, RING_TAIL) = e->tail;
    *gen9_engine_reg(e, RING_START) = e->start;
    *gen9_engine_reg(e, RING_CTL) = image[CTX_RING_CTL];
}

static void load_page_directories(Gen9Engine *e, const uint32_t *image)
{
    e->four_level = DESC_ADDRESSING(e->desc) == DESC_LEGACY_64B;
    for (int i = 0; i < ARRAY_SIZE(e->pdp); i++) {
        uint32_t low = image[CTX_PDP_LDW(i)];
        uint32_t high = image[CTX_PDP_UDW(i)];

        e->pdp[i] = ((uint64_t)high << 32) | low;
        *gen9_engine_reg(e, RING_PDP + 8 * i) = low;
        *gen9_engine_reg(e, RING_PDP + 8 * i + 4) = high;
    }
}

/*
 * Make @desc the running context.  Returns false when it cannot run: the
 * image is not mapped or its ring is not enabled.
 */
bool gen9_context_load(Gen9Engine *e, uint64_t desc)
{
    uint32_t image[CTX_DWORDS];
    uint32_t control;
    bool ok = read_image(e, desc, image);

    e->desc = desc;
    load_ring(e, image);
    load_page_directories(e, image);
    e->batch_depth = 0;
    load_batch(e, image, CTX_BB_HEAD_U);
    if (e->batch_depth) {
        load_batch(e, image, CTX_SECOND_BB_HEAD_U);
    }
    e->arbitration = true;
    e->arbitration_point = true;
    e->inside = (Gen9Inside) { 0 };
    e->demand = 0;
    e->ctx_timestamp = image[CTX_TIMESTAMP];

    control = image[CTX_CONTEXT_CONTROL];
    gen9_mmio_write_by_cs(e, e->info->mmio_base + RING_CONTEXT_CONTROL,
                          control);
    if (!(control & (control >> 16) & CTX_RESTORE_INHIBIT)) {
        walk_engine_context(e, image, restore_register);
        load_opaque(e);
    }

    trace_gen9_context_load(e->info->name, DESC_LRCA(desc), DESC_ID(desc),
                            e->head, e->tail, e->start);
    if (ok && !(image[CTX_RING_CTL] & RING_CTL_ENABLE)) {
        qemu_log_mask(LOG_GUEST_ERROR,
                      "gen9-igpu: %s: ring of context 0x%08" PRIx32
                      " is not enabled\n", e->info->name, DESC_LRCA(desc));
        ok = false;
    }
    return ok;
}

/*
 * Save the running context.  RING_TAIL belongs to the driver and stays.  The
 * saved control register has no mask bits, so nothing is inhibited when the
 * context comes back.
 */
void gen9_context_save(Gen9Engine *e)
{
    uint32_t image[CTX_DWORDS];
    uint32_t timestamp = gen9_engine_ctx_timestamp(e);

    *gen9_engine_reg(e, RING_CTX_TIMESTAMP) = timestamp;
    *gen9_engine_reg(e, RING_CONTEXT_CONTROL) &= ~CTX_RESTORE_INHIBIT;
    write_dword(e, CTX_CONTEXT_CONTROL,
                *gen9_engine_reg(e, RING_CONTEXT_CONTROL));
    write_dword(e, CTX_RING_HEAD, e->head);
    write_dword(e, CTX_TIMESTAMP, timestamp);
    save_batch(e, 0, CTX_BB_HEAD_U);
    save_batch(e, 1, CTX_SECOND_BB_HEAD_U);
    save_opaque(e);
    if (read_image(e, e->desc, image)) {
        walk_engine_context(e, image, save_register);
    }
    trace_gen9_context_save(e->info->name, DESC_LRCA(e->desc), e->head,
                            e->batch_depth);
}
