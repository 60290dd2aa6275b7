/*
 * Intel Gen9 integrated GPU, functional model: register file
 *
 * Registers are memory unless a table says more.  The tables also name the
 * registers that are meant to be nothing but memory; an access to any other
 * one works the same way and is logged as unimplemented.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "gen9_igpu.h"
#include "trace.h"

#define PCODE_DUTY_CYCLE    0x1a        /* the efficient frequency */
#define RATIO_50MHZ(ratio)  ((ratio) / 3)

/* What a write does to the stored value, before the register's hook */
typedef enum RegKind {
    REG_RW,
    REG_RO,
    REG_W1C,            /* writing ones clears */
    REG_MASKED,         /* bits 31:16 select which of 15:0 change */
} RegKind;

/*
 * Hooks: @e is the engine of an engine register, else NULL; @offset is
 * absolute.  A read hook gives the value, a write hook runs after the stored
 * value has changed.
 */
typedef struct Reg {
    uint32_t offset;
    uint32_t count;     /* of registers, 0 for a single one */
    uint32_t stride;    /* from one to the next, 0 for adjacent ones */
    const char *name;
    RegKind kind;
    bool not_by_cs;     /* a command must not write it */
    uint32_t reset;
    uint32_t (*read)(Gen9State *s, Gen9Engine *e, uint32_t offset);
    void (*write)(Gen9State *s, Gen9Engine *e, uint32_t offset, uint32_t val);
} Reg;

/* Uncore */

static void forcewake_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                            uint32_t val)
{
    uint32_t ack = offset == FORCEWAKE_RENDER ? FORCEWAKE_ACK_RENDER :
                   offset == FORCEWAKE_MEDIA ? FORCEWAKE_ACK_MEDIA :
                   FORCEWAKE_ACK_BLITTER;

    *gen9_reg(s, ack) = *gen9_reg(s, offset);
    gen9_power_update(s);
}

static void tlb_invalidate_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                                 uint32_t val)
{
    *gen9_reg(s, offset) = 0;       /* no TLB is modelled: done at once */
}

static void gdrst_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                        uint32_t val)
{
    for (int i = 0; i < GEN9_ENGINES; i++) {
        if (val & (GDRST_FULL | s->engine[i].info->gdrst)) {
            gen9_engine_reset(&s->engine[i]);
        }
    }
    *gen9_reg(s, offset) = 0;
}

/* The power controller answers at once; the ready bit reads as zero. */
static void pcode_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                        uint32_t val)
{
    static const struct {
        uint8_t command;
        uint32_t answer;
    } answers[] = {
        { 0x06, 0x0a080402 },       /* memory latency levels, in us */
        { 0x07, 1 },                /* cdclk change: ready */
        { 0x21, 1 },                /* SAGV: done */
    };

    *gen9_reg(s, PCODE_MAILBOX) = 0;
    *gen9_reg(s, PCODE_DATA) = 0;
    for (int i = 0; i < ARRAY_SIZE(answers); i++) {
        if (answers[i].command == (val & 0xff)) {
            *gen9_reg(s, PCODE_DATA) = answers[i].answer;
        }
    }
    if (s->power.law && (val & 0xff) == PCODE_DUTY_CYCLE) {
        *gen9_reg(s, PCODE_DATA) = RATIO_50MHZ(GEN9_RATIO_START) << 8;
    }
}

static uint32_t imc_gt_requests_read(Gen9State *s, Gen9Engine *e,
                                     uint32_t offset)
{
    return gen9_memory_requests(s);
}

/* Power, only with a power-law */

static void rc6_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                      uint32_t val)
{
    gen9_power_update(s);
}

static uint32_t rc6_residency_read(Gen9State *s, Gen9Engine *e,
                                   uint32_t offset)
{
    return gen9_pm_rc6_count(s);
}

static void rpnswreq_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                           uint32_t val)
{
    gen9_pm_request(s, val);
}

static uint32_t rpstat1_read(Gen9State *s, Gen9Engine *e, uint32_t offset)
{
    return gen9_pm_rpstat(s);
}

static uint32_t energy_read(Gen9State *s, Gen9Engine *e, uint32_t offset)
{
    return gen9_power_counter(s);
}

static uint32_t power_unit_read(Gen9State *s, Gen9Engine *e, uint32_t offset)
{
    return gen9_power_units();
}

/* Display power and clocks: what is requested has happened */

static uint32_t power_well_read(Gen9State *s, Gen9Engine *e, uint32_t offset)
{
    const uint32_t requests = 0xaaaaaaaa;   /* odd bits; state: even bits */
    uint32_t any = 0;

    for (int i = 0; i < 4; i++) {
        any |= *gen9_reg(s, PWR_WELL_CTL + 4 * i) & requests;
    }
    return (*gen9_reg(s, offset) & requests) | (any >> 1);
}

/* LCPLL lock and DBUF power state follow the enable bit above them. */
static uint32_t enable_to_lock_read(Gen9State *s, Gen9Engine *e,
                                    uint32_t offset)
{
    uint32_t val = *gen9_reg(s, offset);

    return val & PLL_ENABLE ? val | PLL_LOCK : val & ~PLL_LOCK;
}

static uint32_t dpll_status_read(Gen9State *s, Gen9Engine *e, uint32_t offset)
{
    return (*gen9_reg(s, LCPLL1_CTL) & PLL_ENABLE ? BIT(0) : 0) |
           (*gen9_reg(s, LCPLL2_CTL) & PLL_ENABLE ? BIT(8) : 0);
}

/* Interrupts */

static uint32_t master_irq_read(Gen9State *s, Gen9Engine *e, uint32_t offset)
{
    return *gen9_reg(s, offset) | gen9_irq_master_pending(s);
}

static void master_irq_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                             uint32_t val)
{
    *gen9_reg(s, offset) = val & MASTER_IRQ_ENABLE;
    gen9_irq_update(s);
}

static void irq_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                      uint32_t val)
{
    gen9_irq_update(s);
}

static const Reg global_regs[] = {
    { .offset = FORCEWAKE_ACK_RENDER, .name = "FORCEWAKE_ACK_RENDER",
      .kind = REG_RO },
    { .offset = FORCEWAKE_ACK_MEDIA, .name = "FORCEWAKE_ACK_MEDIA",
      .kind = REG_RO },
    { .offset = FORCEWAKE_ACK_BLITTER, .name = "FORCEWAKE_ACK_BLITTER",
      .kind = REG_RO },
    { .offset = FORCEWAKE_RENDER, .name = "FORCEWAKE_RENDER",
      .kind = REG_MASKED, .write = forcewake_write },
    { .offset = FORCEWAKE_MEDIA, .name = "FORCEWAKE_MEDIA",
      .kind = REG_MASKED, .write = forcewake_write },
    { .offset = FORCEWAKE_BLITTER, .name = "FORCEWAKE_BLITTER",
      .kind = REG_MASKED, .write = forcewake_write },
    { .offset = RING_FAULT, .name = "RING_FAULT" },
    { .offset = FAULT_TLB_DATA0, .count = 2, .name = "FAULT_TLB_DATA",
      .kind = REG_RO },
    { .offset = PPAT, .count = 8, .name = "PPAT" },
    { .offset = TLB_INVALIDATE, .count = 5, .name = "TLB_INVALIDATE",
      .write = tlb_invalidate_write },
    { .offset = RC6_CTX_INFO, .name = "RC6_CTX_INFO", .kind = REG_RO,
      .reset = 1 },                             /* not corrupted */
    { .offset = FUSE2, .name = "FUSE2", .kind = REG_RO,
      .reset = BIT(25) | (8u << 20) },          /* 1 slice, 3 subslices */
    { .offset = GDRST, .name = "GDRST", .not_by_cs = true,
      .write = gdrst_write },
    { .offset = CTC_MODE, .name = "CTC_MODE", .kind = REG_RO,
      .reset = 1 << 2 },                        /* 24 MHz, divided by 2 */
    { .offset = LNCF_MOCS, .count = 32, .name = "LNCF_MOCS" },
    { .offset = GUC_STATUS, .name = "GUC_STATUS", .kind = REG_RO,
      .reset = GUC_MIA_IN_RESET },
    { .offset = GFX_MOCS, .count = 320, .name = "GFX_MOCS" },
    { .offset = FENCE, .count = 64, .name = "FENCE" },
    { .offset = IMC_GT_REQUESTS, .name = "IMC_GT_REQUESTS", .kind = REG_RO,
      .read = imc_gt_requests_read },
    { .offset = PCODE_MAILBOX, .name = "PCODE_MAILBOX",
      .write = pcode_write },
    { .offset = PCODE_DATA, .count = 2, .name = "PCODE_DATA" },

    { .offset = MASTER_IRQ, .name = "MASTER_IRQ", .read = master_irq_read,
      .write = master_irq_write },
    { .offset = GT_ISR(0), .count = GEN9_GT_BANKS, .stride = 16,
      .name = "GT_ISR", .kind = REG_RO },
    { .offset = GT_IMR(0), .count = GEN9_GT_BANKS, .stride = 16,
      .name = "GT_IMR", .reset = UINT32_MAX },
    { .offset = GT_IIR(0), .count = GEN9_GT_BANKS, .stride = 16,
      .name = "GT_IIR", .kind = REG_W1C, .write = irq_write },
    { .offset = GT_IER(0), .count = GEN9_GT_BANKS, .stride = 16,
      .name = "GT_IER", .write = irq_write },

    /* no display interrupt ever happens */
    { .offset = DE_ISR, .count = GEN9_DE_BANKS, .stride = 16,
      .name = "DE_ISR", .kind = REG_RO },
    { .offset = DE_ISR + 4, .count = GEN9_DE_BANKS, .stride = 16,
      .name = "DE_IMR" },
    { .offset = DE_ISR + 8, .count = GEN9_DE_BANKS, .stride = 16,
      .name = "DE_IIR", .kind = REG_W1C },
    { .offset = DE_ISR + 12, .count = GEN9_DE_BANKS, .stride = 16,
      .name = "DE_IER" },
    { .offset = SDE_ISR, .name = "SDE_ISR", .kind = REG_RO },
    { .offset = SDE_ISR + 4, .name = "SDE_IMR" },
    { .offset = SDE_ISR + 8, .name = "SDE_IIR", .kind = REG_W1C },
    { .offset = SDE_ISR + 12, .name = "SDE_IER" },
    { .offset = EDP_PSR_IIR, .name = "EDP_PSR_IIR", .kind = REG_W1C },

    { .offset = FUSE_STATUS, .name = "FUSE_STATUS", .kind = REG_RO,
      .reset = FUSE_STATUS_PG_DONE },
    { .offset = DFSM, .name = "DFSM", .kind = REG_RO },
    { .offset = PWR_WELL_CTL, .count = 4, .name = "PWR_WELL_CTL",
      .read = power_well_read },
    { .offset = DBUF_CTL, .name = "DBUF_CTL", .read = enable_to_lock_read },
    { .offset = LCPLL1_CTL, .count = 2, .name = "LCPLL_CTL",
      .read = enable_to_lock_read },
    { .offset = DPLL_STATUS, .name = "DPLL_STATUS", .kind = REG_RO,
      .read = dpll_status_read },
    { .offset = PVINFO, .count = 1024, .name = "PVINFO", .kind = REG_RO },

    /* Written by drivers, without an effect here */
    { .offset = 0x00fdc, .name = "MCR_SELECTOR" },
    { .offset = 0x04024, .name = "HSW_GTT_CACHE_EN" },
    { .offset = 0x04080, .name = "HWS_PGA_GEN7" },
    { .offset = 0x04090, .name = "GAM_ECOCHK" },
    { .offset = 0x04ab0, .name = "GAMT_ECO_REG_RW_IA" },
    { .offset = 0x04ab8, .name = "GAMT_CHKN_BIT_REG" },
    { .offset = 0x04dd4, .count = 12, .name = "L3 tiled resources" },
    { .offset = 0x07000, .count = 6, .name = "CACHE_MODE, SLICE_CHICKEN" },
    { .offset = 0x07300, .count = 2, .name = "HDC_CHICKEN" },
    { .offset = 0x083a4, .name = "VF_PREEMPTION" },
    { .offset = 0x09044, .name = "FBC_LLC_READ_CTRL" },
    { .offset = 0x09134, .count = 3, .name = "EU_DISABLE" },
    { .offset = 0x0940c, .name = "UCGCTL4" },
    { .offset = 0x09424, .name = "MISCCPCTL" },
    { .offset = 0x0a090, .count = 16, .name = "RC_CONTROL" },
    { .offset = 0x0a168, .name = "PMINTRMSK" },
    { .offset = 0x0a210, .name = "PG_ENABLE" },
    { .offset = 0x0b004, .count = 2, .name = "GARBCNTL, SCRATCH_LNCF1" },
    { .offset = 0x0b118, .count = 2, .name = "L3SQCREG4, SCRATCH1" },
    { .offset = 0x0e100, .name = "SARCHKMD" },
    { .offset = 0x0e180, .count = 6, .name = "HALF_SLICE_CHICKEN" },
    { .offset = 0x0e4f0, .name = "ROW_CHICKEN" },
    { .offset = 0x45504, .name = "DC_STATE_EN" },
    { .offset = 0x46000, .name = "CDCLK_CTL" },
    { .offset = 0x6c058, .name = "DPLL_CTRL1" },
    { .offset = 0x101008, .name = "GFX_FLSH_CNTL" },
    { .offset = 0x120010, .name = "EDRAM_CAP" },
    { .offset = 0x138108, .name = "GT_GFX_RC6" },
};

/* Found before those above, with a power-law */
static const Reg power_regs[] = {
    { .offset = RPNSWREQ, .name = "RPNSWREQ", .not_by_cs = true,
      .write = rpnswreq_write },
    { .offset = RPSTAT1, .name = "RPSTAT1", .kind = REG_RO,
      .read = rpstat1_read },
    { .offset = RC_CONTROL, .count = 16, .name = "RC_CONTROL",
      .not_by_cs = true, .write = rc6_write },
    { .offset = GT_GFX_RC6, .name = "GT_GFX_RC6", .kind = REG_RO,
      .read = rc6_residency_read },
    { .offset = GT_ENERGY, .name = "GT_ENERGY", .kind = REG_RO,
      .read = energy_read },
    { .offset = PACKAGE_POWER_UNIT, .name = "PACKAGE_POWER_UNIT",
      .kind = REG_RO, .read = power_unit_read },
    { .offset = PACKAGE_ENERGY, .name = "PACKAGE_ENERGY", .kind = REG_RO,
      .read = energy_read },
    { .offset = RP_STATE_CAP, .name = "RP_STATE_CAP", .kind = REG_RO,
      .reset = RATIO_50MHZ(GEN9_RATIO_MAX) |
               RATIO_50MHZ(GEN9_RATIO_MIN) << 8 |
               RATIO_50MHZ(GEN9_RATIO_MIN) << 16 },

    /* Written by drivers, without an effect here */
    { .offset = 0x0a00c, .count = 3, .name = "RC_VIDEO_FREQ, RP limits" },
    { .offset = 0x0a024, .name = "RP_CONTROL" },
    { .offset = 0x0a02c, .count = 2, .name = "RP thresholds" },
    { .offset = 0x0a050, .count = 9, .name = "RP evaluation intervals" },
};

/* Engines */

static uint32_t mi_mode_read(Gen9State *s, Gen9Engine *e, uint32_t offset)
{
    uint32_t val = *gen9_reg(s, offset);

    return val | (!e->desc || (val & MI_MODE_STOP_RING) ? MI_MODE_IDLE : 0);
}

static void mi_mode_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                          uint32_t val)
{
    if (!(*gen9_reg(s, offset) & MI_MODE_STOP_RING)) {
        gen9_engine_kick(e, 0);
    }
}

static uint32_t reset_ctl_read(Gen9State *s, Gen9Engine *e, uint32_t offset)
{
    uint32_t val = *gen9_reg(s, offset);

    return val | (val & RESET_CTL_REQUEST ? RESET_CTL_READY : 0);
}

static void elsp_reg_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                           uint32_t val)
{
    gen9_elsp_write(e, val);
}

static uint32_t el_status_lo_read(Gen9State *s, Gen9Engine *e,
                                  uint32_t offset)
{
    return (e->desc ? EL_STATUS_ACTIVE | EL_STATUS_ELEMENT0 : 0) |
           (e->next_desc ? EL_STATUS_ELEMENT1 : 0);
}

static uint32_t el_status_hi_read(Gen9State *s, Gen9Engine *e,
                                  uint32_t offset)
{
    return DESC_ID(e->desc);
}

static uint32_t timestamp_read(Gen9State *s, Gen9Engine *e, uint32_t offset)
{
    return gen9_timestamp(gen9_now());
}

static uint32_t timestamp_udw_read(Gen9State *s, Gen9Engine *e,
                                   uint32_t offset)
{
    return gen9_timestamp(gen9_now()) >> 32;
}

static uint32_t ctx_timestamp_read(Gen9State *s, Gen9Engine *e,
                                   uint32_t offset)
{
    return e->desc ? gen9_engine_ctx_timestamp(e) : *gen9_reg(s, offset);
}

static void csb_ptr_write(Gen9State *s, Gen9Engine *e, uint32_t offset,
                          uint32_t val)
{
    if (val & (CSB_PTR_WRITE << 16)) {
        e->csb_write = MIN(*gen9_reg(s, offset) & CSB_PTR_WRITE,
                           GEN9_CSB_ENTRIES - 1);
    }
}

static const Reg engine_regs[] = {
    { .offset = RING_TAIL, .count = 4, .name = "RING_{TAIL,HEAD,START,CTL}",
      .not_by_cs = true },
    { .offset = RING_ACTHD_UDW, .name = "RING_ACTHD_UDW", .kind = REG_RO },
    { .offset = RING_ACTHD, .name = "RING_ACTHD", .kind = REG_RO },
    { .offset = RING_HWS_PGA, .name = "RING_HWS_PGA", .not_by_cs = true },
    { .offset = RING_MI_MODE, .name = "RING_MI_MODE", .kind = REG_MASKED,
      .read = mi_mode_read, .write = mi_mode_write },
    { .offset = RING_IMR, .name = "RING_IMR", .not_by_cs = true,
      .reset = UINT32_MAX },
    { .offset = RING_INSTPM, .name = "RING_INSTPM", .kind = REG_MASKED },
    { .offset = RING_RESET_CTL, .name = "RING_RESET_CTL", .kind = REG_MASKED,
      .not_by_cs = true, .read = reset_ctl_read },
    { .offset = RING_ELSP, .name = "RING_ELSP", .kind = REG_RO,
      .not_by_cs = true, .write = elsp_reg_write },
    { .offset = RING_EXECLIST_STATUS_LO, .name = "RING_EXECLIST_STATUS_LO",
      .kind = REG_RO, .read = el_status_lo_read },
    { .offset = RING_EXECLIST_STATUS_HI, .name = "RING_EXECLIST_STATUS_HI",
      .kind = REG_RO, .read = el_status_hi_read },
    { .offset = RING_CONTEXT_CONTROL, .name = "RING_CONTEXT_CONTROL",
      .kind = REG_MASKED },
    { .offset = RING_PDP, .count = 8, .name = "RING_PDP",
      .not_by_cs = true },
    { .offset = RING_MODE, .name = "RING_MODE", .kind = REG_MASKED,
      .not_by_cs = true },
    { .offset = RING_TIMESTAMP, .name = "RING_TIMESTAMP", .kind = REG_RO,
      .read = timestamp_read },
    { .offset = RING_TIMESTAMP_UDW, .name = "RING_TIMESTAMP_UDW",
      .kind = REG_RO, .read = timestamp_udw_read },
    { .offset = RING_CSB, .count = 2 * GEN9_CSB_ENTRIES, .name = "RING_CSB",
      .kind = REG_RO },
    { .offset = RING_CSB_PTR, .name = "RING_CSB_PTR", .kind = REG_MASKED,
      .not_by_cs = true, .write = csb_ptr_write },
    { .offset = RING_CTX_TIMESTAMP, .name = "RING_CTX_TIMESTAMP",
      .kind = REG_RO, .read = ctx_timestamp_read },
    { .offset = RING_FORCE_TO_NONPRIV, .count = 12,
      .name = "RING_FORCE_TO_NONPRIV" },
    { .offset = RING_GPR, .count = 32, .name = "RING_GPR" },

    /* Written by drivers or kept in the context, without an effect here */
    { .offset = 0x028, .name = "RING_EXCC", .kind = REG_MASKED },
    { .offset = 0x054, .name = "RING_PWRCTX_MAXCNT" },
    { .offset = RING_IPEIR, .count = 3,
      .name = "RING_{IPEIR,IPEHR,INSTDONE}" },
    { .offset = 0x098, .name = "RING_HWSTAM" },
    { .offset = 0x0a0, .name = "RING_IER" },
    { .offset = 0x0b0, .count = 2, .name = "RING_{EIR,EMR}" },
    { .offset = 0x0c8, .name = "RING_PER_CTX_BB" },
    { .offset = 0x0d4, .count = 7, .name = "RING_CHICKEN",
      .kind = REG_MASKED },
    { .offset = 0x110, .count = 0x1d, .name = "RING_BB" },
    { .offset = 0x1c0, .count = 3, .name = "RING_INDIRECT_CTX" },
    { .offset = 0x200, .name = "RING_PREEMPTION" },
    { .offset = 0x248, .name = "RING_CTX_PREEMPT" },
    { .offset = 0x41c, .name = "RING_PREDICATE" },
    { .offset = RING_CS_CHICKEN1, .name = "RING_CS_CHICKEN1",
      .kind = REG_MASKED },
};

static const Reg *find_in(const Reg *regs, size_t count, uint32_t offset)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t distance = offset - regs[i].offset;
        uint32_t stride = MAX(regs[i].stride, 4);

        if (distance % stride == 0 &&
            distance / stride < MAX(regs[i].count, 1)) {
            return &regs[i];
        }
    }
    return NULL;
}

static const Reg *find_reg(Gen9State *s, uint32_t offset, Gen9Engine **e)
{
    for (int i = 0; i < GEN9_ENGINES; i++) {
        uint32_t rel = offset - s->engine[i].info->mmio_base;

        if (rel < GEN9_ENGINE_REGS_SIZE) {
            *e = &s->engine[i];
            return find_in(engine_regs, ARRAY_SIZE(engine_regs), rel);
        }
    }
    *e = NULL;
    if (s->power.law) {
        const Reg *r = find_in(power_regs, ARRAY_SIZE(power_regs), offset);

        if (r) {
            return r;
        }
    }
    return find_in(global_regs, ARRAY_SIZE(global_regs), offset);
}

static const Reg *find_reg_logged(Gen9State *s, uint32_t offset,
                                  Gen9Engine **e, const char *access)
{
    const Reg *r = find_reg(s, offset, e);

    if (!r) {
        qemu_log_mask(LOG_UNIMP,
                      "gen9-igpu: %s of unimplemented register 0x%06" PRIx32
                      "\n", access, offset);
    }
    return r;
}

uint32_t gen9_mmio_read32(Gen9State *s, uint32_t offset)
{
    Gen9Engine *e;
    const Reg *r;

    if (offset >= GEN9_MMIO_SIZE) {
        return 0;
    }
    offset &= ~3u;
    r = find_reg_logged(s, offset, &e, "read");
    return r && r->read ? r->read(s, e, offset) : *gen9_reg(s, offset);
}

static uint32_t merge(RegKind kind, uint32_t old, uint32_t val)
{
    uint32_t mask = val >> 16;

    switch (kind) {
    case REG_RO:
        return old;
    case REG_W1C:
        return old & ~val;
    case REG_MASKED:
        return (old & ~mask & 0xffff) | (val & mask);
    default:
        return val;
    }
}

static void write_reg(Gen9State *s, Gen9Engine *e, const Reg *r,
                      uint32_t offset, uint32_t val)
{
    uint32_t *stored = gen9_reg(s, offset);

    *stored = merge(r ? r->kind : REG_RW, *stored, val);
    if (r && r->write) {
        r->write(s, e, offset, val);
    }
}

void gen9_mmio_write32(Gen9State *s, uint32_t offset, uint32_t val)
{
    Gen9Engine *e;
    const Reg *r;

    if (offset >= GEN9_MMIO_SIZE) {
        return;
    }
    offset &= ~3u;
    r = find_reg_logged(s, offset, &e, "write");
    write_reg(s, e, r, offset, val);
    gen9_switched_written(s, NULL, offset);
}

void gen9_mmio_write_by_cs(Gen9Engine *cs, uint32_t offset, uint32_t val)
{
    Gen9State *s = cs->s;
    Gen9Engine *e;
    const Reg *r;

    if (offset >= GEN9_MMIO_SIZE) {
        return;
    }
    offset &= ~3u;
    r = find_reg_logged(s, offset, &e, "write");
    if (r && r->not_by_cs) {
        qemu_log_mask(LOG_GUEST_ERROR,
                      "gen9-igpu: %s: command writes %s (0x%06" PRIx32 ")\n",
                      cs->info->name, r->name, offset);
        return;
    }
    write_reg(s, e, r, offset, val);
    gen9_switched_written(s, cs, offset);
}

static uint64_t mmio_read(void *opaque, hwaddr addr, unsigned size)
{
    uint32_t val = gen9_mmio_read32(opaque, addr);

    val = extract32(val, (addr & 3) * 8, size * 8);
    trace_gen9_mmio_read(addr, size, val);
    return val;
}

/* What the bytes that are not written stand for: as if they were not. */
static uint32_t rest_of_dword(Gen9State *s, uint32_t offset)
{
    Gen9Engine *e;
    const Reg *r = find_reg(s, offset & ~3u, &e);

    return r && r->kind == REG_W1C ? 0 : *gen9_reg(s, offset);
}

static void mmio_write(void *opaque, hwaddr addr, uint64_t val, unsigned size)
{
    Gen9State *s = opaque;

    trace_gen9_mmio_write(addr, size, val);
    if (addr >= GEN9_MMIO_SIZE) {
        qemu_log_mask(LOG_GUEST_ERROR,
                      "gen9-igpu: write behind the registers at 0x%"
                      HWADDR_PRIx "\n", addr);
        return;
    }
    if (size < 4) {
        val = deposit32(rest_of_dword(s, addr), (addr & 3) * 8, size * 8, val);
    }
    gen9_mmio_write32(s, addr, val);
}

static const MemoryRegionOps mmio_ops = {
    .read = mmio_read,
    .write = mmio_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8 },
    .impl = { .min_access_size = 1, .max_access_size = 4 },
};

/* I/O BAR: an index register and a data register behind it */
#define PIO_BYTES   64
#define PIO_INDEX   0
#define PIO_DATA    4

static uint64_t pio_read(void *opaque, hwaddr addr, unsigned size)
{
    Gen9State *s = opaque;

    switch (addr) {
    case PIO_INDEX:
        return s->pio_index;
    case PIO_DATA:
        return gen9_mmio_read32(s, s->pio_index);
    default:
        return 0;
    }
}

static void pio_write(void *opaque, hwaddr addr, uint64_t val, unsigned size)
{
    Gen9State *s = opaque;

    switch (addr) {
    case PIO_INDEX:
        s->pio_index = val;
        break;
    case PIO_DATA:
        gen9_mmio_write32(s, s->pio_index, val);
        break;
    }
}

static const MemoryRegionOps pio_ops = {
    .read = pio_read,
    .write = pio_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

void gen9_mmio_init(Gen9State *s)
{
    s->regs = g_malloc0(GEN9_MMIO_SIZE);
    memory_region_init_io(&s->mmio, OBJECT(s), &mmio_ops, s,
                          "gen9-igpu.mmio", GEN9_GTTADR_OFFSET);
    memory_region_init_io(&s->pio, OBJECT(s), &pio_ops, s, "gen9-igpu.pio",
                          PIO_BYTES);
}

static void reset_regs(Gen9State *s, const Reg *regs, size_t count,
                       uint32_t base)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t stride = MAX(regs[i].stride, 4);

        for (uint32_t n = 0; n < MAX(regs[i].count, 1); n++) {
            *gen9_reg(s, base + regs[i].offset + n * stride) = regs[i].reset;
        }
    }
}

void gen9_mmio_reset(Gen9State *s)
{
    memset(s->regs, 0, GEN9_MMIO_SIZE);
    s->pio_index = 0;
    reset_regs(s, global_regs, ARRAY_SIZE(global_regs), 0);
    if (s->power.law) {
        reset_regs(s, power_regs, ARRAY_SIZE(power_regs), 0);
    }
    for (int i = 0; i < GEN9_ENGINES; i++) {
        reset_regs(s, engine_regs, ARRAY_SIZE(engine_regs),
                   s->engine[i].info->mmio_base);
    }
    if (s->fuse_display) {
        *gen9_reg(s, DFSM) = DFSM_PIPES_DISABLED;
    }
}
