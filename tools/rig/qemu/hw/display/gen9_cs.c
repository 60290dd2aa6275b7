/*
 * Intel Gen9 integrated GPU, functional model: command streamer
 *
 * Executes the memory interface commands that drivers rely on; what would
 * draw, compute or decode is skipped by its length.  The time a command takes
 * is its entry in Gen9Engine.cost.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "gen9_igpu.h"
#include "trace.h"

#define CMD_MAX_DWORDS      257             /* MI commands: 8 bits, plus 2 */
#define SPIN_BYTES          (64 * KiB)      /* a jump back this far: a loop */

#define MI_USE_GGTT         BIT(22)
#define MI_QWORD            BIT(21)

typedef struct Cmd {
    Gen9Engine *e;
    Gen9Batch *batch;           /* it was fetched from, NULL for the ring */
    uint64_t addr;
    uint32_t len;               /* dwords, with the header */
    uint32_t dw[CMD_MAX_DWORDS];
} Cmd;

typedef struct CmdInfo {
    const char *name;
    uint32_t len_mask;          /* of the length in the header, 0: one dword */
    uint32_t min_len;           /* dwords that exec looks at */
    Gen9CsStatus (*exec)(Cmd *c);
} CmdInfo;

static uint64_t qword(const Cmd *c, unsigned i)
{
    return ((uint64_t)c->dw[i + 1] << 32) | c->dw[i];
}

/* Graphics addresses have 48 bits; the two lowest are flags or zero. */
static uint64_t address(const Cmd *c, unsigned i)
{
    return qword(c, i) & MAKE_64BIT_MASK(2, 46);
}

static Gen9Space ggtt_if(bool ggtt)
{
    return ggtt ? GEN9_GGTT : GEN9_PPGTT;
}

static Gen9Space space(const Cmd *c)
{
    return ggtt_if(c->dw[0] & MI_USE_GGTT);
}

static uint32_t reg_offset(uint32_t dw)
{
    return dw & 0x7ffffc;
}

static uint64_t cost_of(uint64_t count, uint32_t ns_each)
{
    uint64_t limit = ns_each ? GEN9_COST_MAX_NS / ns_each : 0;

    return MIN(count, limit) * ns_each;
}

static void add_cost(Gen9Engine *e, uint64_t count, uint32_t ns_each)
{
    e->cost += cost_of(count, ns_each);
}

/*
 * A command that takes @cost ns and can be preempted at every @step_ns of it.
 * The engine sleeps for it before it goes on, and not to the end if another
 * context comes; then the context's image holds what is left.
 */
static Gen9CsStatus work(Cmd *c, uint64_t cost, uint32_t step_ns)
{
    Gen9Engine *e = c->e;
    int64_t left = e->inside.begun ? e->inside.left_ns : cost;

    if (!step_ns) {
        e->cost += cost;
        return GEN9_CS_NEXT;
    }
    if (!left) {
        e->inside = (Gen9Inside) { 0 };
        return GEN9_CS_NEXT;
    }
    e->inside = (Gen9Inside) { .begun = true, .step_ns = step_ns };
    e->cost += left;
    return GEN9_CS_INSIDE;
}

/* A store that waits for earlier work, of flush and pipe control commands */
enum {
    POST_SYNC_NONE, POST_SYNC_IMMEDIATE, POST_SYNC_DEPTH_COUNT,
    POST_SYNC_TIMESTAMP,
};

/* The status page of the context: the first page of its image */
static uint64_t context_status_page(Gen9Engine *e, uint32_t offset)
{
    return DESC_LRCA(e->desc) + (offset & 0xff8);
}

/* MI commands */

/* With identification: the time the work of a batch takes, or its demand */
static Gen9CsStatus mi_noop(Cmd *c)
{
    const Gen9State *s = c->e->s;

    if (!(c->dw[0] & BIT(22))) {
        return GEN9_CS_NEXT;
    }
    if (s->mem_mbps && (c->dw[0] & MEM_DEMAND)) {
        gen9_memory_demand(c->e, extract32(c->dw[0], 0, 21));
        return GEN9_CS_NEXT;
    }
    return work(c, cost_of(extract32(c->dw[0], 0, 22), s->noop_ns_per_unit),
                s->noop_preempt_ns);
}

static Gen9CsStatus mi_user_interrupt(Cmd *c)
{
    gen9_irq_raise(c->e, GEN9_IRQ_USER);
    return GEN9_CS_NEXT;
}

static Gen9CsStatus mi_arb_check(Cmd *c)
{
    c->e->arbitration_point = true;
    return GEN9_CS_NEXT;
}

static Gen9CsStatus mi_arb_on_off(Cmd *c)
{
    c->e->arbitration = c->dw[0] & BIT(0);
    return GEN9_CS_NEXT;
}

static Gen9CsStatus mi_batch_buffer_end(Cmd *c)
{
    if (!c->batch) {
        return GEN9_CS_NEXT;
    }
    c->e->batch_depth--;
    return GEN9_CS_JUMP;
}

static Gen9CsStatus mi_math(Cmd *c)
{
    gen9_alu_math(c->e, c->dw + 1, c->len - 1);
    return GEN9_CS_NEXT;
}

static bool semaphore_compare(unsigned op, uint32_t mem, uint32_t data)
{
    switch (op) {
    case 0:
        return mem > data;
    case 1:
        return mem >= data;
    case 2:
        return mem < data;
    case 3:
        return mem <= data;
    case 4:
        return mem == data;
    default:
        return mem != data;
    }
}

static Gen9CsStatus mi_semaphore_wait(Cmd *c)
{
    Gen9Engine *e = c->e;
    uint32_t mem = gen9_gtt_read32(e, space(c), address(c, 2));

    if (semaphore_compare(extract32(c->dw[0], 12, 3), mem, c->dw[1])) {
        e->sema_wait = false;
        return GEN9_CS_NEXT;
    }
    e->arbitration_point = true;
    if (!e->sema_wait) {
        e->sema_wait = true;
        gen9_irq_raise(e, GEN9_IRQ_SEMAPHORE);
    }
    return GEN9_CS_WAIT;
}

static Gen9CsStatus mi_store_data_imm(Cmd *c)
{
    if ((c->dw[0] & MI_QWORD) && c->len > 4) {
        gen9_gtt_write64(c->e, space(c), address(c, 1), qword(c, 3));
    } else {
        gen9_gtt_write32(c->e, space(c), address(c, 1), c->dw[3]);
    }
    return GEN9_CS_NEXT;
}

static Gen9CsStatus mi_store_data_index(Cmd *c)
{
    Gen9Engine *e = c->e;
    bool per_process = c->dw[0] & BIT(21);
    uint64_t page = per_process ? DESC_LRCA(e->desc) :
                    *gen9_engine_reg(e, RING_HWS_PGA) & 0xfffff000u;

    gen9_gtt_write32(e, GEN9_GGTT, page + (c->dw[1] & 0xffc), c->dw[2]);
    return GEN9_CS_NEXT;
}

static Gen9CsStatus mi_load_register_imm(Cmd *c)
{
    for (uint32_t i = 1; i + 1 < c->len; i += 2) {
        gen9_mmio_write_by_cs(c->e, reg_offset(c->dw[i]), c->dw[i + 1]);
    }
    return GEN9_CS_NEXT;
}

static Gen9CsStatus mi_store_register_mem(Cmd *c)
{
    gen9_gtt_write32(c->e, space(c), address(c, 2),
                     gen9_mmio_read32(c->e->s, reg_offset(c->dw[1])));
    return GEN9_CS_NEXT;
}

static Gen9CsStatus mi_load_register_mem(Cmd *c)
{
    gen9_mmio_write_by_cs(c->e, reg_offset(c->dw[1]),
                          gen9_gtt_read32(c->e, space(c), address(c, 2)));
    return GEN9_CS_NEXT;
}

static Gen9CsStatus mi_load_register_reg(Cmd *c)
{
    gen9_mmio_write_by_cs(c->e, reg_offset(c->dw[2]),
                          gen9_mmio_read32(c->e->s, reg_offset(c->dw[1])));
    return GEN9_CS_NEXT;
}

static Gen9CsStatus mi_copy_mem_mem(Cmd *c)
{
    uint32_t val = gen9_gtt_read32(c->e, ggtt_if(c->dw[0] & BIT(22)),
                                   address(c, 3));

    gen9_gtt_write32(c->e, ggtt_if(c->dw[0] & BIT(21)), address(c, 1), val);
    return GEN9_CS_NEXT;
}

static Gen9CsStatus mi_flush_dw(Cmd *c)
{
    Gen9Engine *e = c->e;
    unsigned op = extract32(c->dw[0], 14, 2);
    Gen9Space where = ggtt_if(c->dw[1] & BIT(2));
    uint64_t addr = address(c, 1) & ~7ull;

    if (c->dw[0] & BIT(21)) {                   /* store data index */
        addr = context_status_page(e, c->dw[1]);
        where = GEN9_GGTT;
    }
    if (op == POST_SYNC_TIMESTAMP) {
        gen9_gtt_write64(e, where, addr, gen9_timestamp(gen9_now()));
    } else if (op == POST_SYNC_IMMEDIATE && c->len > 4) {
        gen9_gtt_write64(e, where, addr, qword(c, 3));
    } else if (op == POST_SYNC_IMMEDIATE) {
        gen9_gtt_write32(e, where, addr, c->dw[3]);
    }
    if (c->dw[0] & BIT(8)) {
        gen9_irq_raise(e, GEN9_IRQ_FLUSH_NOTIFY);
    }
    return GEN9_CS_NEXT;
}

/* Inline data (bit 18) or the command streamer's registers as sources */
static Gen9CsStatus mi_atomic(Cmd *c)
{
    Gen9Engine *e = c->e;
    unsigned op = extract32(c->dw[0], 8, 4);
    bool wide = c->dw[0] & BIT(13);
    uint64_t addr = address(c, 1);
    uint64_t old, val, src1, src2;

    if ((c->dw[0] & BIT(18)) && c->len >= 11) {
        src1 = wide ? c->dw[3] | (uint64_t)c->dw[5] << 32 : c->dw[3];
        src2 = wide ? c->dw[4] | (uint64_t)c->dw[6] << 32 : c->dw[4];
    } else {
        src1 = *gen9_engine_reg(e, RING_GPR);
        src2 = *gen9_engine_reg(e, RING_GPR + 8);
        if (wide) {
            src1 |= (uint64_t)*gen9_engine_reg(e, RING_GPR + 4) << 32;
            src2 |= (uint64_t)*gen9_engine_reg(e, RING_GPR + 12) << 32;
        }
    }
    old = wide ? gen9_gtt_read64(e, space(c), addr)
               : gen9_gtt_read32(e, space(c), addr);
    val = old;
    if (!gen9_alu_atomic(op, wide, &val, src1, src2)) {
        qemu_log_mask(LOG_GUEST_ERROR,
                      "gen9-igpu: %s: unknown MI_ATOMIC operation 0x%x\n",
                      e->info->name, op);
        return GEN9_CS_NEXT;
    }
    if (wide) {
        gen9_gtt_write64(e, space(c), addr, val);
    } else {
        gen9_gtt_write32(e, space(c), addr, val);
    }
    if (c->dw[0] & BIT(16)) {                   /* return the old value */
        *gen9_engine_reg(e, RING_GPR) = old;
        *gen9_engine_reg(e, RING_GPR + 4) = old >> 32;
    }
    return GEN9_CS_NEXT;
}

static void advance(Cmd *c)
{
    Gen9Engine *e = c->e;

    if (c->batch) {
        c->batch->head += 4 * (uint64_t)c->len;
    } else {
        e->head = (e->head + 4 * c->len) % e->ring_size;
        *gen9_engine_reg(e, RING_HEAD) = e->head;
    }
}

/*
 * From the ring it calls; in a batch it chains, or calls when it asks for
 * the second level.  There is no third: the second level chains as well.
 */
static Gen9CsStatus mi_batch_buffer_start(Cmd *c)
{
    Gen9Engine *e = c->e;
    uint64_t target = address(c, 1);
    bool second_level = c->dw[0] & BIT(22);
    Gen9Batch *batch = c->batch;

    advance(c);
    if (!batch || (second_level && e->batch_depth < GEN9_BATCH_LEVELS)) {
        batch = &e->batch[e->batch_depth++];
    } else if (target <= c->addr && c->addr - target < SPIN_BYTES) {
        add_cost(e, 1, e->s->loop_ns);
    }
    batch->head = target;
    batch->space = ggtt_if(!(c->dw[0] & BIT(8)));
    trace_gen9_batch_start(e->info->name, batch->space == GEN9_PPGTT, target);
    return GEN9_CS_JUMP;
}

static Gen9CsStatus mi_conditional_batch_buffer_end(Cmd *c)
{
    uint32_t mem = gen9_gtt_read32(c->e, space(c), address(c, 2));

    return mem > c->dw[1] ? GEN9_CS_NEXT : mi_batch_buffer_end(c);
}

#define MI_LEN  0xff

/*
 * Bits 28:23 of the header.  Entries without a function are known and have
 * no effect that a driver could see here.
 */
static const CmdInfo mi_commands[64] = {
    [0x00] = { "MI_NOOP", 0, 1, mi_noop },
    [0x01] = { "MI_SET_PREDICATE", 0, 1, NULL },
    [0x02] = { "MI_USER_INTERRUPT", 0, 1, mi_user_interrupt },
    [0x03] = { "MI_WAIT_FOR_EVENT", 0, 1, NULL },
    [0x04] = { "MI_FLUSH", 0, 1, NULL },
    [0x05] = { "MI_ARB_CHECK", 0, 1, mi_arb_check },
    [0x07] = { "MI_REPORT_HEAD", 0, 1, NULL },
    [0x08] = { "MI_ARB_ON_OFF", 0, 1, mi_arb_on_off },
    [0x0a] = { "MI_BATCH_BUFFER_END", 0, 1, mi_batch_buffer_end },
    [0x0b] = { "MI_SUSPEND_FLUSH", 0, 1, NULL },
    [0x1a] = { "MI_MATH", MI_LEN, 2, mi_math },
    [0x1c] = { "MI_SEMAPHORE_WAIT", MI_LEN, 4, mi_semaphore_wait },
    [0x20] = { "MI_STORE_DATA_IMM", 0x3ff, 4, mi_store_data_imm },
    [0x21] = { "MI_STORE_DATA_INDEX", MI_LEN, 3, mi_store_data_index },
    [0x22] = { "MI_LOAD_REGISTER_IMM", MI_LEN, 3, mi_load_register_imm },
    [0x24] = { "MI_STORE_REGISTER_MEM", MI_LEN, 4, mi_store_register_mem },
    /* bit 7 invalidates the TLB and, on VCS, the BSD caches */
    [0x26] = { "MI_FLUSH_DW", 0x3f, 4, mi_flush_dw },
    [0x29] = { "MI_LOAD_REGISTER_MEM", MI_LEN, 4, mi_load_register_mem },
    [0x2a] = { "MI_LOAD_REGISTER_REG", MI_LEN, 3, mi_load_register_reg },
    [0x2e] = { "MI_COPY_MEM_MEM", MI_LEN, 5, mi_copy_mem_mem },
    [0x2f] = { "MI_ATOMIC", MI_LEN, 3, mi_atomic },
    [0x31] = { "MI_BATCH_BUFFER_START", MI_LEN, 3, mi_batch_buffer_start },
    [0x36] = { "MI_CONDITIONAL_BATCH_BUFFER_END", MI_LEN, 4,
               mi_conditional_batch_buffer_end },
};

/* 3D and media commands */

static Gen9CsStatus pipe_control(Cmd *c)
{
    Gen9Engine *e = c->e;
    unsigned op = extract32(c->dw[1], 14, 2);
    Gen9Space where = ggtt_if(c->dw[1] & BIT(24));
    uint64_t addr = address(c, 2);

    if (c->dw[1] & BIT(21)) {                   /* store data index */
        addr = context_status_page(e, c->dw[2]);
        where = GEN9_GGTT;
    }
    if (op == POST_SYNC_IMMEDIATE) {
        gen9_gtt_write64(e, where, addr, qword(c, 4));
    } else if (op == POST_SYNC_TIMESTAMP) {
        gen9_gtt_write64(e, where, addr, gen9_timestamp(gen9_now()));
    } else if (op == POST_SYNC_DEPTH_COUNT) {
        gen9_gtt_write64(e, where, addr, 0);    /* no pixel is ever drawn */
    }
    if (c->dw[1] & BIT(8)) {
        gen9_irq_raise(e, GEN9_IRQ_FLUSH_NOTIFY);
    }
    return GEN9_CS_NEXT;
}

static uint64_t group_range(const Cmd *c, unsigned start, unsigned end)
{
    return c->dw[end] > c->dw[start] ? c->dw[end] - c->dw[start] : 0;
}

/*
 * Where a walker can be preempted: anywhere, between thread groups or not at
 * all, as the context has chosen in CS_CHICKEN1 (i915: not at all)
 */
static uint32_t walker_step_ns(Gen9Engine *e)
{
    switch (PREEMPT_GPGPU_LEVEL(*gen9_engine_reg(e, RING_CS_CHICKEN1))) {
    case 0:
        return e->s->walker_preempt;
    case PREEMPT_THREAD_GROUP:
        return e->s->walker_preempt ? e->s->walker_ns_per_group : 0;
    default:
        return 0;
    }
}

/* Thread groups from start to dimension, in each of three directions */
static Gen9CsStatus gpgpu_walker(Cmd *c)
{
    uint64_t plane, groups;

    if (umul64_overflow(group_range(c, 5, 7), group_range(c, 8, 10), &plane) ||
        umul64_overflow(plane, group_range(c, 11, 12), &groups)) {
        groups = UINT64_MAX;
    }
    return work(c, cost_of(groups, c->e->s->walker_ns_per_group),
                walker_step_ns(c->e));
}

static const struct {
    uint32_t opcode;            /* bits 31:16 */
    CmdInfo info;
} gfx_commands[] = {
    { 0x7a00, { "PIPE_CONTROL", 0xff, 6, pipe_control } },
    { 0x7105, { "GPGPU_WALKER", 0xff, 15, gpgpu_walker } },
};

/* What only its length is known of */
static const CmdInfo unknown_short = { "unknown", 0, 1, NULL };
static const CmdInfo unknown_mi = { "unknown MI", MI_LEN, 1, NULL };
static const CmdInfo blitter_2d = { "2D", 0xff, 1, NULL };
static const CmdInfo gfx_single = { "3D single dword", 0, 1, NULL };
static const CmdInfo gfx_3d = { "3D", 0xff, 1, NULL };
static const CmdInfo gfx_media = { "media", 0xffff, 1, NULL };

static const CmdInfo *find_mi(uint32_t header)
{
    unsigned opcode = extract32(header, 23, 6);

    if (mi_commands[opcode].name) {
        return &mi_commands[opcode];
    }
    qemu_log_mask(LOG_UNIMP, "gen9-igpu: unimplemented MI command 0x%02x\n",
                  opcode);
    return opcode < 0x10 ? &unknown_short : &unknown_mi;
}

static const CmdInfo *find_gfx(uint32_t header)
{
    for (int i = 0; i < ARRAY_SIZE(gfx_commands); i++) {
        if (gfx_commands[i].opcode == header >> 16) {
            return &gfx_commands[i].info;
        }
    }
    switch (extract32(header, 27, 2)) {
    case 1:
        return &gfx_single;
    case 2:
        return &gfx_media;
    default:
        return &gfx_3d;
    }
}

static const CmdInfo *find_command(uint32_t header)
{
    switch (header >> 29) {
    case 0:
        return find_mi(header);
    case 2:
        return &blitter_2d;
    case 3:
        return find_gfx(header);
    default:
        qemu_log_mask(LOG_GUEST_ERROR,
                      "gen9-igpu: invalid command 0x%08" PRIx32 "\n", header);
        return &unknown_short;
    }
}

/* Read @count dwords of the command from @first on; the ring wraps. */
static bool fetch(Cmd *c, uint32_t first, uint32_t count)
{
    Gen9Engine *e = c->e;
    Gen9Space where = c->batch ? c->batch->space : GEN9_GGTT;
    uint32_t *dw = c->dw + first;
    bool ok;

    if (c->batch) {
        ok = gen9_gtt_read(e, where, c->addr + 4 * first, dw, 4 * count);
    } else {
        uint32_t at = (e->head + 4 * first) % e->ring_size;
        uint32_t part = MIN(count, (e->ring_size - at) / 4);

        ok = gen9_gtt_read(e, where, (uint64_t)e->start + at, dw, 4 * part) &&
             gen9_gtt_read(e, where, e->start, dw + part, 4 * (count - part));
    }
    for (uint32_t i = 0; i < count; i++) {
        le32_to_cpus(&dw[i]);
    }
    return ok;
}

static Gen9CsStatus run(Cmd *c, const CmdInfo *info)
{
    uint32_t count = MIN(c->len, CMD_MAX_DWORDS);

    if (!info->exec) {
        return GEN9_CS_NEXT;
    }
    if (count < info->min_len) {
        qemu_log_mask(LOG_GUEST_ERROR,
                      "gen9-igpu: %s: %s of %" PRIu32 " dwords\n",
                      c->e->info->name, info->name, count);
        return GEN9_CS_NEXT;
    }
    if (count > 1 && !fetch(c, 1, count - 1)) {
        return GEN9_CS_HANG;
    }
    return info->exec(c);
}

/*
 * Execute the next command of the running context.  A command that cannot be
 * fetched hangs the engine.
 */
Gen9CsStatus gen9_cs_execute(Gen9Engine *e)
{
    Cmd c = { .e = e };
    const CmdInfo *info;
    Gen9CsStatus status;

    if (e->batch_depth) {
        c.batch = &e->batch[e->batch_depth - 1];
        c.addr = c.batch->head;
    } else {
        c.addr = (uint64_t)e->start + e->head;
    }
    *gen9_engine_reg(e, RING_ACTHD) = c.addr;
    *gen9_engine_reg(e, RING_ACTHD_UDW) = c.addr >> 32;
    if (!fetch(&c, 0, 1)) {
        return GEN9_CS_HANG;
    }
    *gen9_engine_reg(e, RING_IPEHR) = c.dw[0];
    info = find_command(c.dw[0]);
    c.len = info->len_mask ? (c.dw[0] & info->len_mask) + 2 : 1;
    trace_gen9_command(e->info->name, info->name, c.addr, c.dw[0]);

    e->arbitration_point = false;
    status = run(&c, info);
    if (status == GEN9_CS_NEXT) {
        advance(&c);
    }
    if (status != GEN9_CS_WAIT && status != GEN9_CS_INSIDE) {
        e->cost += e->s->cmd_ns;
        e->piece.commands++;
    }
    return status;
}
