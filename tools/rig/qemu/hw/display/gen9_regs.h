/*
 * Intel Gen9 graphics: registers, context image and interrupt bits
 *
 * Names and layouts follow the Intel Programmer's Reference Manuals
 * (Skylake, volumes 2c and 3) and the Linux i915 driver.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_DISPLAY_GEN9_REGS_H
#define HW_DISPLAY_GEN9_REGS_H

#include "qemu/bitops.h"

/* PCI configuration space */
#define GEN9_PCI_GMCH_CTL       0x50        /* GGC */
#define GEN9_PCI_BDSM           0x5c        /* base of stolen memory */
#define GEN9_PCI_MSI            0xac
#define GEN9_PCI_ASLS           0xfc        /* address of the OpRegion */
#define GEN9_GMCH_GTT_8M        (3u << 6)

/* Registers of an engine, relative to its base */
#define RING_TAIL               0x030
#define RING_HEAD               0x034
#define RING_START              0x038
#define RING_CTL                0x03c
#define   RING_CTL_ENABLE       BIT(0)
#define   RING_CTL_PAGES        0x1ff000u   /* size in pages, minus one */
#define RING_ACTHD_UDW          0x05c
#define RING_IPEIR              0x064
#define RING_IPEHR              0x068       /* header of the last command */
#define RING_ACTHD              0x074
#define RING_HWS_PGA            0x080
#define RING_MI_MODE            0x09c
#define   MI_MODE_STOP_RING     BIT(8)
#define   MI_MODE_IDLE          BIT(9)
#define RING_IMR                0x0a8
#define RING_INSTPM             0x0c0
#define RING_RESET_CTL          0x0d0
#define   RESET_CTL_REQUEST     BIT(0)
#define   RESET_CTL_READY       BIT(1)
#define RING_BB_STATE           0x110
#define   BB_STATE_PPGTT        BIT(5)
#define RING_SECOND_BB_ADDR     0x114
#define RING_BB_ADDR            0x140
#define   BB_ADDR_VALID         BIT(0)
#define RING_ELSP               0x230
#define RING_EXECLIST_STATUS_LO 0x234
#define   EL_STATUS_ELEMENT1    BIT(3)
#define   EL_STATUS_ELEMENT0    BIT(4)
#define   EL_STATUS_ACTIVE      BIT(14)
#define RING_EXECLIST_STATUS_HI 0x238
#define RING_CONTEXT_CONTROL    0x244
#define   CTX_RESTORE_INHIBIT   BIT(0)
#define RING_PDP                0x270       /* 4 x (low, high) */
#define RING_MODE               0x29c
#define RING_TIMESTAMP          0x358
#define RING_TIMESTAMP_UDW      0x35c
#define RING_CSB                0x370       /* 6 x (status, context id) */
#define RING_CSB_PTR            0x3a0
#define   CSB_PTR_WRITE         0x7u
#define RING_CTX_TIMESTAMP      0x3a8
#define RING_FORCE_TO_NONPRIV   0x4d0       /* 12 slots */
#define RING_CS_CHICKEN1        0x580
#define   PREEMPT_GPGPU_LEVEL(v) (((v) >> 1) & 3)
#define   PREEMPT_THREAD_GROUP  1
#define   PREEMPT_COMMAND       2
#define RING_GPR                0x600       /* 16 x 64 bits */
#define GEN9_ENGINE_REGS_SIZE   0x800

/* GT and uncore */
#define TLB_INVALIDATE          0x4260      /* one per engine class */
#define PPAT                    0x40e0
#define RING_FAULT              0x4094
#define   RING_FAULT_VALID      BIT(0)
#define   RING_FAULT_GGTT       BIT(11)
#define   RING_FAULT_ENGINE(n)  ((n) << 12)
#define FAULT_TLB_DATA0         0x4b10
#define FAULT_TLB_DATA1         0x4b14
#define   FAULT_TLB_GGTT        BIT(4)
#define RC6_CTX_INFO            0x8504
#define RPNSWREQ                0xa008      /* requested frequency */
#define   RPNSWREQ_RATIO(v)     ((v) >> 23)
#define RPSTAT1                 0xa01c      /* actual frequency */
#define   RPSTAT1_RATIO_SHIFT   23
#define RC_CONTROL              0xa090
#define   RC_CONTROL_RC6        BIT(18)
#define   RC_CONTROL_HW         BIT(31)
#define RC_STATE                0xa094
#define   RC_STATE_TARGET(v)    (((v) >> 16) & 7)
#define   RC_TARGET_RC6         4
#define RC_IDLE_HYSTERESIS      0xa0ac
#define RC6_THRESHOLD           0xa0b8
#define FUSE2                   0x9120
#define GDRST                   0x941c
#define   GDRST_FULL            BIT(0)
#define FORCEWAKE_BLITTER       0xa188
#define CTC_MODE                0xa26c
#define FORCEWAKE_MEDIA         0xa270
#define FORCEWAKE_RENDER        0xa278
#define FORCEWAKE_ACK_RENDER    0x0d84
#define FORCEWAKE_ACK_MEDIA     0x0d88
#define FORCEWAKE_ACK_BLITTER   0x130044
#define LNCF_MOCS               0xb020
#define GUC_STATUS              0xc000
#define   GUC_MIA_IN_RESET      BIT(0)
#define GFX_MOCS                0xc800
#define FENCE                   0x100000
/* Memory controller, in its mirror: the GPU's requests of 64 bytes (the PMU's
   uncore_imc/gt_requests/) */
#define IMC_GT_REQUESTS         0x145040
/* Energy and frequencies, in the same mirror */
#define GT_ENERGY               0x14592c
#define PACKAGE_POWER_UNIT      0x145938
#define PACKAGE_ENERGY          0x14593c
#define RP_STATE_CAP            0x145998
#define GT_GFX_RC6              0x138108
#define PCODE_MAILBOX           0x138124
#define PCODE_DATA              0x138128
#define PCODE_DATA1             0x13812c

/* Interrupts: GT bank n is at GT_ISR(n) */
#define MASTER_IRQ              0x44200
#define   MASTER_IRQ_ENABLE     BIT(31)
#define GT_ISR(n)               (0x44300 + 16 * (n))
#define GT_IMR(n)               (0x44304 + 16 * (n))
#define GT_IIR(n)               (0x44308 + 16 * (n))
#define GT_IER(n)               (0x4430c + 16 * (n))
#define GEN9_GT_BANKS           4
#define DE_ISR                  0x44400     /* pipes, port, misc, PCU */
#define GEN9_DE_BANKS           15
#define SDE_ISR                 0xc4000

/* Interrupt causes of an engine, before its shift in the bank */
#define GEN9_IRQ_USER           BIT(0)
#define GEN9_IRQ_FLUSH_NOTIFY   BIT(4)
#define GEN9_IRQ_CTX_SWITCH     BIT(8)
#define GEN9_IRQ_SEMAPHORE      BIT(11)
#define GEN9_IRQ_ENGINE_MASK    0xffffu

/* Display: power and clocks only */
#define FUSE_STATUS             0x42000
#define   FUSE_STATUS_PG_DONE   0x8e000000u /* fuses and PG0..PG2 loaded */
#define DBUF_CTL                0x45008
#define PWR_WELL_CTL            0x45400     /* BIOS, driver, KVMr, debug */
#define LCPLL1_CTL              0x46010
#define LCPLL2_CTL              0x46014
#define   PLL_ENABLE            BIT(31)
#define   PLL_LOCK              BIT(30)
#define DPLL_STATUS             0x6c060
#define DFSM                    0x51000
#define   DFSM_PIPES_DISABLED   (BIT(30) | BIT(28) | BIT(21))
#define EDP_PSR_IIR             0x64838
#define PVINFO                  0x78000     /* answered by a vGPU only */

/* Context image: dwords of the register state page */
#define CTX_CONTEXT_CONTROL     0x03
#define CTX_RING_HEAD           0x05
#define CTX_RING_TAIL           0x07
#define CTX_RING_START          0x09
#define CTX_RING_CTL            0x0b
#define CTX_BB_HEAD_U           0x0d
#define CTX_BB_HEAD_L           0x0f
#define CTX_BB_STATE            0x11
#define CTX_SECOND_BB_HEAD_U    0x13
#define CTX_SECOND_BB_HEAD_L    0x15
#define CTX_SECOND_BB_STATE     0x17
#define CTX_TIMESTAMP           0x23
#define CTX_PDP_UDW(n)          (0x25 + 4 * (3 - (n)))
#define CTX_PDP_LDW(n)          (CTX_PDP_UDW(n) + 2)
#define CTX_ENGINE_STATE        0x41        /* LRI blocks of engine registers */
#define CTX_DWORDS              0x100
/* The rest of the engine context is opaque; the model keeps here what it needs */
#define CTX_CS_CHICKEN1         0x3f8
#define CTX_INSIDE_LDW          0x3f9       /* a command's time that is left */
#define CTX_INSIDE_UDW          0x3fa
#define   CTX_INSIDE_BEGUN      BIT_ULL(63)
#define CTX_DEMAND              0x3fb       /* of memory, with mem-mbps only */

/*
 * With mem-mbps, an MI_NOOP's number with bit 21 takes no time, but tells what
 * the following commands ask of the memory: MB/s while they execute alone, and
 * the part of their time that waits for it, in twentieths.
 */
#define MEM_DEMAND              BIT(21)
#define MEM_BOUND(demand)       (((demand) >> 16) & 0x1f)
#define MEM_MBPS(demand)        ((demand) & 0xffff)
#define MEM_MBPS_MIN            1000u
#define MEM_MBPS_MAX            1000000u

/* Context descriptor */
#define DESC_VALID              BIT(0)
#define DESC_FORCE_RESTORE      BIT(2)
#define DESC_ADDRESSING(d)      (((d) >> 3) & 3)
#define   DESC_LEGACY_64B       3
#define DESC_LRCA(d)            ((uint32_t)(d) & 0xfffff000u)
#define DESC_ID(d)              ((uint32_t)((d) >> 32))

/* Context status buffer; its copy in the status page starts at dword 0x10 */
#define CSB_IDLE_ACTIVE         BIT(0)
#define CSB_PREEMPTED           BIT(1)
#define CSB_ELEMENT_SWITCH      BIT(2)
#define CSB_ACTIVE_IDLE         BIT(3)
#define CSB_COMPLETE            BIT(4)
#define CSB_LITE_RESTORE        BIT(15)
#define GEN9_CSB_ENTRIES        6
#define HWSP_CSB                (0x10 * 4)
#define HWSP_CSB_WRITE          (0x1f * 4)

#endif /* HW_DISPLAY_GEN9_REGS_H */
