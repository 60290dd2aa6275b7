/*
 * Intel Gen9 integrated GPU, functional model: engines and execution lists
 *
 * An engine runs from a timer.  Commands take effect at once and add to a
 * cost; when the cost reaches a quantum the engine sleeps for as long.  So a
 * long command delays what follows it, and a context is preempted between two
 * commands, or inside one of the few that allow it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "gen9_igpu.h"
#include "trace.h"

#define QUANTUM_NS          1000
#define COMMANDS_PER_RUN    4096    /* bound for commands that cost nothing */

static const Gen9EngineInfo engine_info[GEN9_ENGINES] = {
    [GEN9_RCS] = {
        .name = "rcs0", .mmio_base = 0x02000, .irq_bank = 0, .irq_shift = 0,
        .master_irq = BIT(0), .gdrst = BIT(1), .fault_id = 0,
    },
    [GEN9_BCS] = {
        .name = "bcs0", .mmio_base = 0x22000, .irq_bank = 0, .irq_shift = 16,
        .master_irq = BIT(1), .gdrst = BIT(3), .fault_id = 2,
    },
    [GEN9_VCS] = {
        .name = "vcs0", .mmio_base = 0x12000, .irq_bank = 1, .irq_shift = 0,
        .master_irq = BIT(2), .gdrst = BIT(2), .fault_id = 1,
    },
    [GEN9_VECS] = {
        .name = "vecs0", .mmio_base = 0x1a000, .irq_bank = 3, .irq_shift = 0,
        .master_irq = BIT(6), .gdrst = BIT(4), .fault_id = 3,
    },
};

uint32_t gen9_engine_ctx_timestamp(Gen9Engine *e)
{
    return e->ctx_timestamp + gen9_timestamp(gen9_now()) -
           gen9_timestamp(e->piece.start_ns);
}

static void csb_event(Gen9Engine *e, uint32_t status, uint64_t desc)
{
    uint64_t hwsp = *gen9_engine_reg(e, RING_HWS_PGA) & 0xfffff000u;
    uint32_t *ptr = gen9_engine_reg(e, RING_CSB_PTR);
    unsigned i = (e->csb_write + 1) % GEN9_CSB_ENTRIES;

    e->csb_write = i;
    *gen9_engine_reg(e, RING_CSB + 8 * i) = status;
    *gen9_engine_reg(e, RING_CSB + 8 * i + 4) = DESC_ID(desc);
    *ptr = (*ptr & ~CSB_PTR_WRITE) | i;
    gen9_gtt_write64(e, GEN9_GGTT, hwsp + HWSP_CSB + 8 * i,
                     ((uint64_t)DESC_ID(desc) << 32) | status);
    gen9_gtt_write32(e, GEN9_GGTT, hwsp + HWSP_CSB_WRITE, i);
    trace_gen9_csb(e->info->name, i, status, DESC_ID(desc));
    gen9_irq_raise(e, GEN9_IRQ_CTX_SWITCH);
}

static void sleep_until(Gen9Engine *e, int64_t ns)
{
    e->busy_until = ns;
    timer_mod(e->timer, ns);
}

static void charge(Gen9Engine *e)
{
    int64_t cost = e->cost;

    e->cost = 0;
    e->piece.busy_ns += cost;
    e->charged_until = gen9_now() + cost;
    sleep_until(e, e->charged_until);
    gen9_memory_begin(e, cost);
}

void gen9_engine_charged(Gen9Engine *e, int64_t until_ns)
{
    e->piece.busy_ns += until_ns - e->charged_until;
    e->charged_until = until_ns;
    sleep_until(e, until_ns);
}

/* A render engine without preemption makes way while it waits only. */
static bool can_preempt(Gen9Engine *e)
{
    return e->arbitration && (e->info != &engine_info[GEN9_RCS] ||
                              e->s->rcs_preempt || e->sema_wait);
}

/*
 * A pair arrives at @ns: a command that is slept for and can be preempted
 * inside ends at the next of its points, which are counted from its end.
 */
static void cut_inside(Gen9Engine *e, int64_t ns)
{
    int64_t rest = gen9_memory_left(e, ns), earlier;

    if (!e->inside.step_ns || !can_preempt(e) || rest < e->inside.step_ns) {
        return;
    }
    rest -= rest % e->inside.step_ns;
    e->inside.left_ns += rest;
    earlier = gen9_memory_cut(e, rest);
    e->piece.busy_ns -= earlier;
    e->charged_until -= earlier;
    sleep_until(e, e->busy_until - earlier);
}

static void piece_begin(Gen9Engine *e, uint64_t desc)
{
    e->piece = (Gen9Piece) { .start_ns = gen9_now() };
    e->hung = !gen9_context_load(e, desc);
    e->piece.head = e->head;
    e->sema_wait = false;
    gen9_switched_begin(e);
    gen9_power_update(e->s);
    if (e->s->ctx_restore_ns) {
        sleep_until(e, gen9_now() + e->s->ctx_restore_ns);
    }
}

static void piece_end(Gen9Engine *e, Gen9Result result)
{
    if (result != GEN9_RESET) {
        gen9_context_save(e);
    }
    gen9_memory_end(e);
    gen9_power_settle(e->s);
    gen9_truth_piece(e, result);
    gen9_switched_end(e);
    e->desc = 0;
    e->saving = false;
    gen9_power_update(e->s);
}

static bool same_context(uint64_t a, uint64_t b)
{
    return DESC_LRCA(a) == DESC_LRCA(b) && DESC_ID(a) == DESC_ID(b);
}

/* The pair only adds work to the running context. */
static bool is_lite_restore(Gen9Engine *e)
{
    return e->desc && same_context(e->desc, e->elsp_desc[0]) &&
           !(e->elsp_desc[0] & DESC_FORCE_RESTORE);
}

/* Make the written pair of descriptors the execution list. */
static void accept_pair(Gen9Engine *e)
{
    uint64_t prev = e->desc;

    e->elsp_pending = false;
    if (!(e->elsp_desc[0] & DESC_VALID)) {
        qemu_log_mask(LOG_GUEST_ERROR,
                      "gen9-igpu: %s: first element of the execution list "
                      "is not valid\n", e->info->name);
        return;
    }
    e->next_desc = e->elsp_desc[1] & DESC_VALID ? e->elsp_desc[1] : 0;
    if (is_lite_restore(e)) {
        e->saving = false;
        e->desc = e->elsp_desc[0];
        e->tail = gen9_context_tail(e, e->desc);
        *gen9_engine_reg(e, RING_TAIL) = e->tail;
        csb_event(e, CSB_PREEMPTED | CSB_LITE_RESTORE, prev);
        return;
    }
    if (prev) {
        piece_end(e, GEN9_PREEMPTED);
    }
    piece_begin(e, e->elsp_desc[0]);
    csb_event(e, prev ? CSB_PREEMPTED : CSB_IDLE_ACTIVE, prev);
}

/* The ring is empty. A pair that waits goes before the second element. */
static void context_complete(Gen9Engine *e)
{
    uint64_t done = e->desc;
    uint64_t next = e->elsp_pending ? 0 : e->next_desc;

    piece_end(e, GEN9_COMPLETE);
    e->next_desc = 0;
    e->arbitration = true;
    if (next) {
        piece_begin(e, next);
        csb_event(e, CSB_COMPLETE | CSB_ELEMENT_SWITCH, done);
    } else {
        csb_event(e, CSB_COMPLETE | CSB_ACTIVE_IDLE, done);
    }
}

static bool ring_empty(Gen9Engine *e)
{
    return !e->batch_depth && e->head == e->tail;
}

static bool execute(Gen9Engine *e)
{
    switch (gen9_cs_execute(e)) {
    case GEN9_CS_WAIT:
        sleep_until(e, gen9_now() + MAX(e->s->semaphore_poll_ns, QUANTUM_NS));
        return false;
    case GEN9_CS_INSIDE:
        charge(e);
        return false;
    case GEN9_CS_HANG:
        e->hung = true;
        return false;
    default:
        return true;
    }
}

/* Can the written pair take the engine? */
static bool acceptable(Gen9Engine *e)
{
    if (!e->elsp_pending || gen9_now() < e->elsp_from) {
        return false;
    }
    return !e->desc || (can_preempt(e) &&
                        (e->arbitration_point || e->inside.begun ||
                         !e->s->arb_check_only));
}

/* The context is about to leave: true while its save takes time. */
static bool save_runs(Gen9Engine *e)
{
    if (!e->desc || e->saving || !e->s->ctx_save_ns) {
        return false;
    }
    e->saving = true;
    sleep_until(e, gen9_now() + e->s->ctx_save_ns);
    return true;
}

/*
 * Do one thing; false when the engine has to wait, its timer set or not.  A
 * context with nothing left to do completes, it is not preempted.
 */
static bool step(Gen9Engine *e)
{
    bool accept = acceptable(e);
    bool complete = e->desc && ring_empty(e);

    if (gen9_now() < e->busy_until || e->hung ||
        (*gen9_engine_reg(e, RING_MI_MODE) & MI_MODE_STOP_RING)) {
        return false;
    }
    if (e->cost >= QUANTUM_NS || (e->cost && (accept || complete))) {
        charge(e);
        return false;
    }
    if ((accept || complete) && save_runs(e)) {
        return false;
    }
    if (complete) {
        context_complete(e);
        return true;
    }
    if (accept) {
        accept_pair(e);
        return true;
    }
    if (!e->desc && e->elsp_pending) {
        timer_mod(e->timer, e->elsp_from);
    }
    return e->desc && execute(e);
}

/*
 * A command or a context may point at the device's own registers.  Keep such
 * an access out while the engine is in the middle of something, as the memory
 * core does for accesses made from within a register access.
 */
static void engine_timer(void *opaque)
{
    Gen9Engine *e = opaque;
    MemReentrancyGuard *guard = &DEVICE(e->s)->mem_reentrancy_guard;
    bool engaged = guard->engaged_in_io;
    int budget = COMMANDS_PER_RUN;

    if (gen9_now() < e->busy_until) {
        timer_mod(e->timer, e->busy_until);
        return;
    }
    guard->engaged_in_io = true;
    while (step(e)) {
        if (!--budget) {
            e->cost += QUANTUM_NS;
            charge(e);
            break;
        }
    }
    guard->engaged_in_io = engaged;
    gen9_memory_update(e->s);
}

/* Let the engine look around in @delay_ns, not before a command is done. */
void gen9_engine_kick(Gen9Engine *e, int64_t delay_ns)
{
    if (e->sema_wait && !e->saving) {
        e->busy_until = 0;
    }
    /* An earlier look is still due: kicks in a row must not put it off. */
    timer_mod_anticipate(e->timer, MAX(gen9_now() + delay_ns, e->busy_until));
}

/* Four writes: second element high, low, first element high, low. */
void gen9_elsp_write(Gen9Engine *e, uint32_t val)
{
    int64_t delay;

    e->elsp[e->elsp_count++] = val;
    if (e->elsp_count < ARRAY_SIZE(e->elsp)) {
        return;
    }
    e->elsp_count = 0;
    e->elsp_desc[1] = ((uint64_t)e->elsp[0] << 32) | e->elsp[1];
    e->elsp_desc[0] = ((uint64_t)e->elsp[2] << 32) | e->elsp[3];
    e->elsp_pending = true;
    trace_gen9_elsp(e->info->name, e->elsp_desc[0], e->elsp_desc[1]);
    if (is_lite_restore(e)) {
        accept_pair(e);         /* needs no arbitration point */
    }
    e->elsp_from = e->registers_until;
    delay = MAX(e->s->elsp_ns, e->elsp_from - gen9_now());
    if (e->elsp_pending) {
        cut_inside(e, gen9_now() + delay);
    }
    gen9_memory_update(e->s);
    gen9_engine_kick(e, e->desc ? e->s->elsp_ns : delay);
}

void gen9_engine_reset(Gen9Engine *e)
{
    trace_gen9_engine_reset(e->info->name, DESC_LRCA(e->desc));
    timer_del(e->timer);
    if (e->desc) {
        e->piece.busy_ns -= MAX(e->charged_until - gen9_now(), 0);
        piece_end(e, GEN9_RESET);
    }
    e->elsp_count = 0;
    e->elsp_pending = false;
    e->next_desc = 0;
    e->head = e->tail = 0;
    e->batch_depth = 0;
    e->cost = 0;
    e->busy_until = 0;
    e->charged_until = 0;
    e->sema_wait = false;
    e->hung = false;
    e->arbitration = true;
    e->inside = (Gen9Inside) { 0 };
    e->csb_write = GEN9_CSB_ENTRIES - 1;
    *gen9_engine_reg(e, RING_HEAD) = 0;
    *gen9_engine_reg(e, RING_TAIL) = 0;
    *gen9_engine_reg(e, RING_CTL) = 0;
    *gen9_engine_reg(e, RING_MI_MODE) = 0;
    *gen9_engine_reg(e, RING_MODE) = 0;
    *gen9_engine_reg(e, RING_RESET_CTL) = 0;
    *gen9_engine_reg(e, RING_CSB_PTR) = e->csb_write;
    gen9_memory_update(e->s);
}

void gen9_engines_init(Gen9State *s)
{
    for (int i = 0; i < GEN9_ENGINES; i++) {
        Gen9Engine *e = &s->engine[i];

        e->s = s;
        e->info = &engine_info[i];
        e->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, engine_timer, e);
        gen9_switched_init(e);
    }
}

void gen9_engines_exit(Gen9State *s)
{
    for (int i = 0; i < GEN9_ENGINES; i++) {
        timer_free(s->engine[i].timer);
        gen9_switched_exit(&s->engine[i]);
    }
}
