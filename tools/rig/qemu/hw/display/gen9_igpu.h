/*
 * Intel Gen9 integrated GPU, functional model: internal interfaces
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_DISPLAY_GEN9_IGPU_H
#define HW_DISPLAY_GEN9_IGPU_H

#include "qemu/timer.h"
#include "qemu/units.h"
#include "hw/pci/pci_device.h"
#include "qom/object.h"

#include "gen9_power.h"
#include "gen9_regs.h"

#define TYPE_GEN9_IGPU "gen9-igpu"
OBJECT_DECLARE_SIMPLE_TYPE(Gen9State, GEN9_IGPU)

#define GEN9_MMIO_SIZE      (2 * MiB)
#define GEN9_GTTADR_OFFSET  (8 * MiB)
#define GEN9_GGTT_BYTES     (8 * MiB)
#define GEN9_GGTT_ENTRIES   (GEN9_GGTT_BYTES / sizeof(uint64_t))
#define GEN9_PAGE_SIZE      4096u
#define GEN9_BATCH_LEVELS   2           /* first and second level batch */
#define GEN9_COST_MAX_NS    (3600 * NANOSECONDS_PER_SECOND)
#define GEN9_SWITCHED_MAX   80          /* registers of one engine */

enum {
    GEN9_RCS, GEN9_BCS, GEN9_VCS, GEN9_VECS, GEN9_ENGINES
};

typedef enum Gen9Space {
    GEN9_GGTT,
    GEN9_PPGTT,
} Gen9Space;

/* What became of a context's stay on an engine */
typedef enum Gen9Result {
    GEN9_COMPLETE,
    GEN9_PREEMPTED,
    GEN9_RESET,
} Gen9Result;

typedef struct Gen9EngineInfo {
    const char *name;
    uint32_t mmio_base;
    unsigned irq_bank;
    unsigned irq_shift;
    uint32_t master_irq;        /* its bit in MASTER_IRQ */
    uint32_t gdrst;             /* its bit in GDRST */
    unsigned fault_id;          /* its number in RING_FAULT */
} Gen9EngineInfo;

typedef struct Gen9Batch {
    uint64_t head;              /* graphics address of the next command */
    Gen9Space space;
} Gen9Batch;

/* One uninterrupted stay of a context on an engine: a line of the truth log */
typedef struct Gen9Piece {
    int64_t start_ns;
    int64_t busy_ns;            /* without waiting for semaphores */
    uint64_t work;              /* of that without contention, see gen9_memory.c */
    uint64_t bytes;             /* of memory */
    uint64_t commands;
    uint32_t head;              /* RING_HEAD at the start */
    Gen9Energy own, fair;       /* as its engine's power, see gen9_power.c */
} Gen9Piece;

/* A command that can be preempted inside, and is the next one to execute */
typedef struct Gen9Inside {
    bool begun;
    int64_t left_ns;            /* of its time, not slept for yet */
    int64_t step_ns;            /* while it is slept for: between two points */
} Gen9Inside;

/* What is left of the time that is charged, where engines share the memory */
typedef struct Gen9Memory {
    uint64_t left;              /* of the work */
    int64_t since_ns;           /* it was so much then */
    uint32_t slowdown;          /* since then */
    uint64_t rest;              /* of a byte */
} Gen9Memory;

typedef struct Gen9Engine {
    Gen9State *s;
    const Gen9EngineInfo *info;
    QEMUTimer *timer;

    /* Execution list: descriptors, 0 for none */
    uint32_t elsp[4];
    unsigned elsp_count;
    bool elsp_pending;          /* a written pair is not accepted yet */
    uint64_t elsp_desc[2];
    uint64_t desc;
    uint64_t next_desc;
    unsigned csb_write;

    /* Running context */
    uint32_t head, tail, start, ring_size;
    uint64_t pdp[4];
    bool four_level;
    bool arbitration;
    bool arbitration_point;     /* the last command was one */
    Gen9Inside inside;
    uint32_t demand;            /* of memory, of the commands that follow */
    Gen9Memory memory;
    Gen9Batch batch[GEN9_BATCH_LEVELS];
    unsigned batch_depth;
    uint32_t ctx_timestamp;     /* when it was loaded */
    Gen9Piece piece;
    Gen9Draw power;

    /* Time, in ns of QEMU_CLOCK_VIRTUAL */
    int64_t busy_until;
    int64_t charged_until;      /* the part of it that is commands' */
    int64_t cost;               /* of executed commands, not charged yet */
    bool sema_wait;
    bool saving;                /* the context has stopped, its save runs */
    int64_t registers_until;    /* written ones take effect */
    int64_t elsp_from;          /* those before it have, the pair is there */
    bool hung;                  /* cannot go on: only a reset helps */

    /* Registers that software switches: as the running context has them */
    uint32_t switched[GEN9_SWITCHED_MAX];
    GHashTable *last_switched;  /* LRCA: the same as the context left them */
} Gen9Engine;

struct Gen9State {
    PCIDevice parent_obj;

    MemoryRegion bar0, mmio, ggtt_ram, aperture, pio, rom;
    uint32_t *regs;             /* GEN9_MMIO_SIZE bytes */
    uint64_t *ggtt;             /* guest memory, little endian */
    uint32_t pio_index;
    bool msi_level;
    Gen9Engine engine[GEN9_ENGINES];
    FILE *truth;
    unsigned law;               /* of the memory */
    uint64_t mem_bytes;         /* that engines had of it */
    Gen9Power power;

    /* Properties */
    uint16_t device_id;
    uint32_t aperture_mb;
    char *truth_log;
    uint32_t cmd_ns;
    uint32_t elsp_ns;
    uint32_t noop_ns_per_unit;
    uint32_t walker_ns_per_group;
    uint32_t loop_ns;
    uint32_t semaphore_poll_ns;
    uint32_t noop_preempt_ns;
    bool walker_preempt;
    bool rcs_preempt;
    bool arb_check_only;
    uint32_t ctx_save_ns;
    uint32_t ctx_restore_ns;
    uint32_t switched_reg_ns;
    uint32_t mem_mbps;
    char *mem_law;
    char *power_law;
    uint32_t power_seed;
    uint32_t power_rc6_mw;
    uint32_t power_rc0_mw;
    uint32_t power_min_mw;
    uint32_t power_max_mw;
    bool fuse_display;
};

static inline int64_t gen9_now(void)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

/* Command streamer timestamp: 12 MHz, as CTC_MODE says */
static inline uint64_t gen9_timestamp(int64_t ns)
{
    return muldiv64(ns, 12, 1000);
}

static inline uint32_t *gen9_reg(Gen9State *s, uint32_t offset)
{
    assert(offset < GEN9_MMIO_SIZE);
    return &s->regs[offset / 4];
}

static inline uint32_t *gen9_engine_reg(Gen9Engine *e, uint32_t offset)
{
    return gen9_reg(e->s, e->info->mmio_base + offset);
}

/* gen9_mmio.c */
void gen9_mmio_init(Gen9State *s);
void gen9_mmio_reset(Gen9State *s);
uint32_t gen9_mmio_read32(Gen9State *s, uint32_t offset);
void gen9_mmio_write32(Gen9State *s, uint32_t offset, uint32_t val);
/* A write by a command: what would control execution itself is refused */
void gen9_mmio_write_by_cs(Gen9Engine *e, uint32_t offset, uint32_t val);

/* gen9_gtt.c: reads of unmapped pages give zeroes, both return false then */
bool gen9_gtt_init(Gen9State *s, Error **errp);
void gen9_gtt_reset(Gen9State *s);
bool gen9_gtt_read(Gen9Engine *e, Gen9Space space, uint64_t addr,
                   void *buf, size_t len);
bool gen9_gtt_write(Gen9Engine *e, Gen9Space space, uint64_t addr,
                    const void *buf, size_t len);
uint32_t gen9_gtt_read32(Gen9Engine *e, Gen9Space space, uint64_t addr);
uint64_t gen9_gtt_read64(Gen9Engine *e, Gen9Space space, uint64_t addr);
void gen9_gtt_write32(Gen9Engine *e, Gen9Space space, uint64_t addr,
                      uint32_t val);
void gen9_gtt_write64(Gen9Engine *e, Gen9Space space, uint64_t addr,
                      uint64_t val);

/* gen9_execlists.c */
void gen9_engines_init(Gen9State *s);
void gen9_engines_exit(Gen9State *s);
void gen9_engine_reset(Gen9Engine *e);
void gen9_engine_kick(Gen9Engine *e, int64_t delay_ns);
void gen9_elsp_write(Gen9Engine *e, uint32_t val);
uint32_t gen9_engine_ctx_timestamp(Gen9Engine *e);
/* What is charged ends at another time than was thought */
void gen9_engine_charged(Gen9Engine *e, int64_t until_ns);

/* gen9_context.c */
bool gen9_context_load(Gen9Engine *e, uint64_t desc);
void gen9_context_save(Gen9Engine *e);
uint32_t gen9_context_tail(Gen9Engine *e, uint64_t desc);

/* gen9_cs.c */
typedef enum Gen9CsStatus {
    GEN9_CS_NEXT,               /* go on behind the command */
    GEN9_CS_JUMP,               /* go on where the command said */
    GEN9_CS_WAIT,               /* try the same command again later */
    GEN9_CS_INSIDE,             /* the same, when its time has passed */
    GEN9_CS_HANG,
} Gen9CsStatus;

Gen9CsStatus gen9_cs_execute(Gen9Engine *e);

/* gen9_cs_alu.c */
void gen9_alu_math(Gen9Engine *e, const uint32_t *instr, size_t count);
bool gen9_alu_atomic(unsigned op, bool qword, uint64_t *mem,
                     uint64_t src1, uint64_t src2);

/* gen9_irq.c */
void gen9_irq_raise(Gen9Engine *e, uint32_t cause);
void gen9_irq_update(Gen9State *s);
uint32_t gen9_irq_master_pending(Gen9State *s);

/* gen9_memory.c: what is said of work that is charged holds with mem-mbps only */
bool gen9_memory_init(Gen9State *s, Error **errp);
const char *gen9_memory_law(const Gen9State *s);
void gen9_memory_demand(Gen9Engine *e, uint32_t demand);
void gen9_memory_begin(Gen9Engine *e, int64_t cost);
void gen9_memory_end(Gen9Engine *e);
int64_t gen9_memory_left(Gen9Engine *e, int64_t ns);
int64_t gen9_memory_cut(Gen9Engine *e, int64_t cost);
void gen9_memory_update(Gen9State *s);
int64_t gen9_memory_stretch_ns(const Gen9Engine *e);
uint32_t gen9_memory_requests(Gen9State *s);

/* gen9_power.c: without a power-law, these do nothing */
bool gen9_power_init(Gen9State *s, Error **errp);
void gen9_power_start(Gen9State *s);
void gen9_power_exit(Gen9State *s);
void gen9_power_reset(Gen9State *s);
void gen9_power_settle(Gen9State *s);
void gen9_power_update(Gen9State *s);
const char *gen9_power_law(const Gen9State *s);
uint32_t gen9_power_counter(Gen9State *s);
uint32_t gen9_power_units(void);

/* gen9_pm.c: only with a power-law */
void gen9_pm_reset(Gen9State *s);
void gen9_pm_update(Gen9State *s);
void gen9_pm_request(Gen9State *s, uint32_t request);
int64_t gen9_pm_next(const Gen9State *s, int64_t ns);
void gen9_pm_pass(Gen9State *s, int64_t ns);
Gen9PowerState gen9_pm_state(const Gen9State *s, int64_t ns);
uint32_t gen9_pm_mhz(uint32_t ratio);
uint32_t gen9_pm_rpstat(Gen9State *s);
uint32_t gen9_pm_rc6_count(Gen9State *s);

/* gen9_vbt.c */
bool gen9_vbt_init(Gen9State *s, Error **errp);

/* gen9_truth.c */
bool gen9_truth_open(Gen9State *s, Error **errp);
void gen9_truth_close(Gen9State *s);
void gen9_truth_piece(Gen9Engine *e, Gen9Result result);
void gen9_truth_power(Gen9State *s);
void gen9_truth_switched(Gen9Engine *e, const char *what, uint32_t offset,
                         uint32_t own, uint32_t value);

/* gen9_switched.c */
void gen9_switched_init(Gen9Engine *e);
void gen9_switched_exit(Gen9Engine *e);
void gen9_switched_reset(Gen9Engine *e);
void gen9_switched_begin(Gen9Engine *e);
void gen9_switched_end(Gen9Engine *e);
void gen9_switched_written(Gen9State *s, Gen9Engine *cs, uint32_t offset);

#endif /* HW_DISPLAY_GEN9_IGPU_H */
