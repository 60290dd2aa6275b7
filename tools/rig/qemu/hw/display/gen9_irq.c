/*
 * Intel Gen9 integrated GPU, functional model: GT interrupts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/pci/msi.h"
#include "gen9_igpu.h"
#include "trace.h"

uint32_t gen9_irq_master_pending(Gen9State *s)
{
    uint32_t pending = 0;

    for (int i = 0; i < GEN9_ENGINES; i++) {
        const Gen9EngineInfo *info = s->engine[i].info;
        uint32_t bank = *gen9_reg(s, GT_IIR(info->irq_bank)) &
                        *gen9_reg(s, GT_IER(info->irq_bank));

        if (bank & (GEN9_IRQ_ENGINE_MASK << info->irq_shift)) {
            pending |= info->master_irq;
        }
    }
    return pending;
}

/*
 * The message is sent when the master interrupt becomes active; the driver
 * turns the master enable off and on around its handler, so causes that came
 * in meanwhile give a new message.
 */
void gen9_irq_update(Gen9State *s)
{
    PCIDevice *pci = PCI_DEVICE(s);
    bool level = (*gen9_reg(s, MASTER_IRQ) & MASTER_IRQ_ENABLE) &&
                 gen9_irq_master_pending(s);
    bool rising = level && !s->msi_level;

    s->msi_level = level;
    trace_gen9_irq(level);
    if (!msi_enabled(pci)) {
        pci_set_irq(pci, level);
    } else if (rising) {
        msi_notify(pci, 0);
    }
}

void gen9_irq_raise(Gen9Engine *e, uint32_t cause)
{
    uint32_t bits = cause << e->info->irq_shift;
    unsigned bank = e->info->irq_bank;

    if ((*gen9_engine_reg(e, RING_IMR) | *gen9_reg(e->s, GT_IMR(bank))) &
        bits) {
        return;
    }
    *gen9_reg(e->s, GT_IIR(bank)) |= bits;
    gen9_irq_update(e->s);
}
