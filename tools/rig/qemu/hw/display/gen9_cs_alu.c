/*
 * Intel Gen9 integrated GPU, functional model: MI_MATH and MI_ATOMIC
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "gen9_igpu.h"

/* MI_MATH: opcode in bits 31:20, operands in 19:10 and 9:0 */
enum {
    ALU_NOOP = 0x000, ALU_LOAD = 0x080, ALU_LOAD0 = 0x081,
    ALU_LOAD1 = 0x481, ALU_LOADINV = 0x480, ALU_ADD = 0x100, ALU_SUB = 0x101,
    ALU_AND = 0x102, ALU_OR = 0x103, ALU_XOR = 0x104, ALU_STORE = 0x180,
    ALU_STOREINV = 0x580,
};

enum {
    OPERAND_R15 = 0x0f, OPERAND_SRCA = 0x20, OPERAND_SRCB = 0x21,
    OPERAND_ACCU = 0x31, OPERAND_ZF = 0x32, OPERAND_CF = 0x33,
};

typedef struct Alu {
    Gen9Engine *e;
    uint64_t srca, srcb, accu;
    bool zero, carry;
} Alu;

static uint64_t gpr_read(Gen9Engine *e, unsigned n)
{
    return *gen9_engine_reg(e, RING_GPR + 8 * n) |
           (uint64_t)*gen9_engine_reg(e, RING_GPR + 8 * n + 4) << 32;
}

static void gpr_write(Gen9Engine *e, unsigned n, uint64_t val)
{
    *gen9_engine_reg(e, RING_GPR + 8 * n) = val;
    *gen9_engine_reg(e, RING_GPR + 8 * n + 4) = val >> 32;
}

static uint64_t operand_read(Alu *a, unsigned operand)
{
    switch (operand) {
    case 0 ... OPERAND_R15:
        return gpr_read(a->e, operand);
    case OPERAND_ACCU:
        return a->accu;
    case OPERAND_ZF:
        return a->zero ? UINT64_MAX : 0;
    case OPERAND_CF:
        return a->carry ? UINT64_MAX : 0;
    default:
        return 0;
    }
}

static void operand_write(Alu *a, unsigned operand, uint64_t val)
{
    switch (operand) {
    case 0 ... OPERAND_R15:
        gpr_write(a->e, operand, val);
        break;
    case OPERAND_SRCA:
        a->srca = val;
        break;
    case OPERAND_SRCB:
        a->srcb = val;
        break;
    }
}

static void accumulate(Alu *a, uint64_t val, bool carry)
{
    a->accu = val;
    a->zero = !val;
    a->carry = carry;
}

static void math_one(Alu *a, uint32_t instr)
{
    unsigned first = extract32(instr, 10, 10);
    unsigned second = extract32(instr, 0, 10);

    switch (instr >> 20) {
    case ALU_NOOP:
        break;
    case ALU_LOAD:
    case ALU_STORE:
        operand_write(a, first, operand_read(a, second));
        break;
    case ALU_LOADINV:
    case ALU_STOREINV:
        operand_write(a, first, ~operand_read(a, second));
        break;
    case ALU_LOAD0:
        operand_write(a, first, 0);
        break;
    case ALU_LOAD1:
        operand_write(a, first, UINT64_MAX);
        break;
    case ALU_ADD:
        accumulate(a, a->srca + a->srcb, a->srca + a->srcb < a->srca);
        break;
    case ALU_SUB:
        accumulate(a, a->srca - a->srcb, a->srca < a->srcb);
        break;
    case ALU_AND:
        accumulate(a, a->srca & a->srcb, false);
        break;
    case ALU_OR:
        accumulate(a, a->srca | a->srcb, false);
        break;
    case ALU_XOR:
        accumulate(a, a->srca ^ a->srcb, false);
        break;
    default:
        qemu_log_mask(LOG_GUEST_ERROR,
                      "gen9-igpu: %s: unknown MI_MATH instruction 0x%08"
                      PRIx32 "\n", a->e->info->name, instr);
    }
}

void gen9_alu_math(Gen9Engine *e, const uint32_t *instr, size_t count)
{
    Alu alu = { .e = e };

    for (size_t i = 0; i < count; i++) {
        math_one(&alu, instr[i]);
    }
}

/* Bits 3:0 of the opcode; a set bit 5 makes it a 64-bit operation. */
enum {
    ATOMIC_AND = 0x1, ATOMIC_OR, ATOMIC_XOR, ATOMIC_MOVE, ATOMIC_INC,
    ATOMIC_DEC, ATOMIC_ADD, ATOMIC_SUB, ATOMIC_RSUB, ATOMIC_IMAX, ATOMIC_IMIN,
    ATOMIC_UMAX, ATOMIC_UMIN, ATOMIC_CMP,
};

/*
 * Apply @op to @mem; values of a 32-bit operation are in the lower half.
 * Returns false for an unknown operation.
 */
bool gen9_alu_atomic(unsigned op, bool qword, uint64_t *mem,
                     uint64_t src1, uint64_t src2)
{
    uint64_t old = *mem;
    int64_t sold = qword ? (int64_t)old : (int32_t)old;
    int64_t ssrc = qword ? (int64_t)src1 : (int32_t)src1;

    switch (op) {
    case ATOMIC_AND:
        *mem = old & src1;
        break;
    case ATOMIC_OR:
        *mem = old | src1;
        break;
    case ATOMIC_XOR:
        *mem = old ^ src1;
        break;
    case ATOMIC_MOVE:
        *mem = src1;
        break;
    case ATOMIC_INC:
        *mem = old + 1;
        break;
    case ATOMIC_DEC:
        *mem = old - 1;
        break;
    case ATOMIC_ADD:
        *mem = old + src1;
        break;
    case ATOMIC_SUB:
        *mem = old - src1;
        break;
    case ATOMIC_RSUB:
        *mem = src1 - old;
        break;
    case ATOMIC_IMAX:
        *mem = MAX(sold, ssrc);
        break;
    case ATOMIC_IMIN:
        *mem = MIN(sold, ssrc);
        break;
    case ATOMIC_UMAX:
        *mem = MAX(old, src1);
        break;
    case ATOMIC_UMIN:
        *mem = MIN(old, src1);
        break;
    case ATOMIC_CMP:
        *mem = old == src1 ? src2 : old;
        break;
    default:
        return false;
    }
    return true;
}
