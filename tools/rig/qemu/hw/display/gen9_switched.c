/*
 * Intel Gen9 integrated GPU, functional model: registers switched by software
 *
 * Some registers of an engine are not part of the context image: who shares
 * the GPU between virtual machines writes them before the next one's context
 * runs.  A real engine executes on with wrong values when that comes too early
 * or too late.  The model has no use for the values, but it notices both, if
 * the machines' values differ, and notes it in the truth log.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "gen9_igpu.h"

typedef struct Switched {
    unsigned engine;            /* or ONE_FOR_ALL */
    uint32_t offset;
    unsigned count;
    uint32_t bits;              /* that matter */
} Switched;

#define ONE_FOR_ALL GEN9_ENGINES
#define PLAIN   UINT32_MAX
#define MASKED  0xffffu
#define MOCS(n) (GFX_MOCS + 0x100 * (n))

/*
 * What Linux's GVT-g switches by MMIO on Gen9 (gvt/mmio_context.c, entries
 * that are not in the context).  STOP_RING is a driver's word to the engine.
 *
 * GVT-g switches those of the GT and of its L3 cache for the render engine, but
 * all engines have the same ones: whatever they execute is touched.
 */
static const Switched ranges[] = {
    { GEN9_RCS, 0x0229c, 1, MASKED },           /* RING_MODE */
    { GEN9_RCS, 0x02248, 1, PLAIN },            /* CTX_PREEMPT */
    { GEN9_RCS, 0x02098, 1, PLAIN },            /* HWSTAM */
    { GEN9_RCS, 0x024d0, 12, PLAIN },           /* FORCE_TO_NONPRIV */
    { ONE_FOR_ALL, PPAT, 2, PLAIN },
    { GEN9_RCS, 0x020ec, 1, MASKED },           /* CS_DEBUG_MODE1 */
    { ONE_FOR_ALL, 0x0b118, 2, PLAIN },         /* L3SQCREG4, SCRATCH1 */
    { ONE_FOR_ALL, 0x0b004, 2, PLAIN },         /* GARBCNTL, SCRATCH_LNCF1 */
    { ONE_FOR_ALL, 0x0940c, 1, PLAIN },         /* UCGCTL4 */
    { ONE_FOR_ALL, 0x04ab8, 1, PLAIN },         /* GAMT_CHKN_BIT_REG */
    { ONE_FOR_ALL, 0x04ab0, 1, PLAIN },         /* GAMT_ECO_REG_RW_IA */
    { GEN9_RCS, 0x020d4, 1, MASKED },           /* CSFE_CHICKEN1 */
    { GEN9_RCS, 0x020a0, 1, PLAIN },            /* FF_THREAD_MODE */
    { GEN9_RCS, 0x020e4, 1, MASKED },           /* FF_SLICE_CS_CHICKEN2 */
    { GEN9_BCS, 0x2229c, 1, MASKED },           /* RING_MODE */
    { GEN9_BCS, 0x2209c, 1, MASKED & ~MI_MODE_STOP_RING },
    { GEN9_BCS, 0x220c0, 1, MASKED },           /* INSTPM */
    { GEN9_BCS, 0x22098, 1, PLAIN },            /* HWSTAM */
    { GEN9_BCS, 0x22028, 1, MASKED },           /* EXCC */
    { GEN9_BCS, MOCS(4), 64, PLAIN },
    { GEN9_VCS, MOCS(1), 64, PLAIN },
    { GEN9_VECS, 0x1a028, 1, MASKED },          /* EXCC */
    { GEN9_VECS, MOCS(3), 64, PLAIN },
};

static bool is_of(const Switched *r, const Gen9Engine *e)
{
    return r->engine == ONE_FOR_ALL || &e->s->engine[r->engine] == e;
}

/*
 * Call @fn for each switched register of the engine, with its place among
 * them, in the order of the table.
 */
typedef void SwitchedFn(Gen9Engine *e, unsigned place, uint32_t offset,
                        uint32_t value);

static void for_each_switched(Gen9Engine *e, SwitchedFn *fn)
{
    unsigned place = 0;

    for (int i = 0; i < ARRAY_SIZE(ranges); i++) {
        if (!is_of(&ranges[i], e)) {
            continue;
        }
        for (unsigned n = 0; n < ranges[i].count; n++, place++) {
            uint32_t offset = ranges[i].offset + 4 * n;

            assert(place < GEN9_SWITCHED_MAX);
            fn(e, place, offset, *gen9_reg(e->s, offset) & ranges[i].bits);
        }
    }
}

/* The range that holds the register at @offset, or NULL */
static const Switched *find_range(uint32_t offset)
{
    for (int i = 0; i < ARRAY_SIZE(ranges); i++) {
        const Switched *r = &ranges[i];

        if (offset >= r->offset && (offset - r->offset) / 4 < r->count) {
            return r;
        }
    }
    return NULL;
}

/* The place of the register at @offset, which is in @r, among the engine's */
static unsigned place_of(Gen9Engine *e, const Switched *r, uint32_t offset)
{
    unsigned place = (offset - r->offset) / 4;

    while (r-- > ranges) {
        place += is_of(r, e) ? r->count : 0;
    }
    return place;
}

static uint32_t *last_values(Gen9Engine *e)
{
    return g_hash_table_lookup(e->last_switched,
                               GUINT_TO_POINTER(DESC_LRCA(e->desc)));
}

static void begin_one(Gen9Engine *e, unsigned place, uint32_t offset,
                      uint32_t value)
{
    uint32_t *last = last_values(e);

    if (last && last[place] != value) {
        gen9_truth_switched(e, "other-values", offset, last[place], value);
    }
    e->switched[place] = value;
}

/* A context has been loaded: does it find what it left? */
void gen9_switched_begin(Gen9Engine *e)
{
    if (e->s->truth) {
        for_each_switched(e, begin_one);
    }
}

/* A context leaves; what others wrote meanwhile is not its own. */
void gen9_switched_end(Gen9Engine *e)
{
    if (e->s->truth) {
        g_hash_table_insert(e->last_switched,
                            GUINT_TO_POINTER(DESC_LRCA(e->desc)),
                            g_memdup2(e->switched, sizeof(e->switched)));
    }
}

/* A register of the engine has another value now, by a command of @cs. */
static void changed(Gen9Engine *e, Gen9Engine *cs, const Switched *r,
                    uint32_t offset)
{
    uint32_t *own = &e->switched[place_of(e, r, offset)];
    uint32_t value = *gen9_reg(e->s, offset) & r->bits;

    if (e == cs) {
        *own = value;
    } else if (e->desc && value != *own) {
        gen9_truth_switched(e, "live-switch", offset, *own, value);
    }
}

/* GVT-g writes those that all engines share when it switches the render engine. */
static void delay_submission(Gen9State *s, const Switched *r)
{
    Gen9Engine *e = &s->engine[r->engine == ONE_FOR_ALL ? GEN9_RCS : r->engine];

    e->registers_until = MAX(e->registers_until, gen9_now()) +
                         s->switched_reg_ns;
}

/*
 * The register at @offset has been written, by a command of @cs or, if that
 * is NULL, by the CPU.  A context may change its own registers.
 */
void gen9_switched_written(Gen9State *s, Gen9Engine *cs, uint32_t offset)
{
    const Switched *r = find_range(offset);

    if (!r) {
        return;
    }
    if (!cs) {
        delay_submission(s, r);
    }
    for (int i = 0; i < GEN9_ENGINES; i++) {
        if (is_of(r, &s->engine[i])) {
            changed(&s->engine[i], cs, r, offset);
        }
    }
}

void gen9_switched_init(Gen9Engine *e)
{
    e->last_switched = g_hash_table_new_full(NULL, NULL, NULL, g_free);
}

/* A new machine's contexts have left nothing yet. */
void gen9_switched_reset(Gen9Engine *e)
{
    g_hash_table_remove_all(e->last_switched);
}

void gen9_switched_exit(Gen9Engine *e)
{
    g_clear_pointer(&e->last_switched, g_hash_table_destroy);
}
