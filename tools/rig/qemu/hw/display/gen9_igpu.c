/*
 * Intel Gen9 integrated GPU, functional model: the PCI device
 *
 * Enough of a Skylake class GPU that the Linux i915 driver and its mediated
 * pass-through (GVT-g) run on it unmodified: global and per-process page
 * tables, four engines with execution lists, the command streamer's memory
 * interface commands, interrupts and resets.  It neither draws nor displays;
 * how long work takes is modelled on QEMU_CLOCK_VIRTUAL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "qapi/error.h"
#include "hw/pci/msi.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "gen9_igpu.h"

#define GEN9_BAR0_BYTES     (16 * MiB)
#define GEN9_REVISION       0x06

/* GT2 parts whose set-up by the Linux driver the model is known to satisfy */
static const uint16_t known_devices[] = {
    0x1912,                     /* Skylake */
    0x5916, 0x591e,             /* Kaby Lake */
    0x3e92,                     /* Coffee Lake */
    0x9bc5,                     /* Comet Lake */
};

static bool check_properties(Gen9State *s, Error **errp)
{
    bool known = false;

    for (int i = 0; i < ARRAY_SIZE(known_devices); i++) {
        known |= known_devices[i] == s->device_id;
    }
    if (!known) {
        error_setg(errp, "device-id 0x%04x is not modelled", s->device_id);
        error_append_hint(errp, "Known are 0x1912 (Skylake), 0x5916 and 0x591e"
                          " (Kaby Lake), 0x3e92 (Coffee Lake) and 0x9bc5"
                          " (Comet Lake).\n");
        return false;
    }
    if (s->aperture_mb != 256 && s->aperture_mb != 512 &&
        s->aperture_mb != 1024) {
        error_setg(errp, "aperture-mb must be 256, 512 or 1024, not %" PRIu32,
                   s->aperture_mb);
        return false;
    }
    if (PCI_DEVICE(s)->romfile) {
        error_setg(errp, "romfile is not supported: the option ROM holds the "
                   "device's own video BIOS table");
        return false;
    }
    return true;
}

static void init_config(Gen9State *s)
{
    PCIDevice *pci = PCI_DEVICE(s);

    pci_config_set_device_id(pci->config, s->device_id);
    pci_config_set_interrupt_pin(pci->config, 1);
    /* 8 MiB of GTT, no stolen memory, no OpRegion; all read-only */
    memset(pci->wmask + PCI_CONFIG_HEADER_SIZE, 0,
           PCIE_CONFIG_SPACE_SIZE - PCI_CONFIG_HEADER_SIZE);
    pci_set_word(pci->config + GEN9_PCI_GMCH_CTL, GEN9_GMCH_GTT_8M);
    pci_set_long(pci->config + GEN9_PCI_BDSM, 0);
    pci_set_long(pci->config + GEN9_PCI_ASLS, 0);
}

static void init_bars(Gen9State *s)
{
    PCIDevice *pci = PCI_DEVICE(s);

    memory_region_init(&s->bar0, OBJECT(s), "gen9-igpu.gttmmadr",
                       GEN9_BAR0_BYTES);
    memory_region_add_subregion(&s->bar0, 0, &s->mmio);
    memory_region_add_subregion(&s->bar0, GEN9_GTTADR_OFFSET, &s->ggtt_ram);
    pci_register_bar(pci, 0, PCI_BASE_ADDRESS_MEM_TYPE_64, &s->bar0);
    pci_register_bar(pci, 2, PCI_BASE_ADDRESS_MEM_TYPE_64 |
                     PCI_BASE_ADDRESS_MEM_PREFETCH, &s->aperture);
    pci_register_bar(pci, 4, PCI_BASE_ADDRESS_SPACE_IO, &s->pio);
}

static void gen9_realize(PCIDevice *pci, Error **errp)
{
    Gen9State *s = GEN9_IGPU(pci);

    if (!check_properties(s, errp) || !gen9_memory_init(s, errp) ||
        !gen9_power_init(s, errp)) {
        return;
    }
    init_config(s);
    if (msi_init(pci, GEN9_PCI_MSI, 1, false, false, errp)) {
        return;
    }
    if (!gen9_gtt_init(s, errp) || !gen9_vbt_init(s, errp) ||
        !gen9_truth_open(s, errp)) {
        msi_uninit(pci);
        return;
    }
    gen9_mmio_init(s);
    gen9_engines_init(s);
    gen9_power_start(s);
    init_bars(s);
}

static void gen9_exit(PCIDevice *pci)
{
    Gen9State *s = GEN9_IGPU(pci);

    gen9_power_exit(s);
    gen9_engines_exit(s);
    gen9_truth_close(s);
    g_clear_pointer(&s->regs, g_free);
    msi_uninit(pci);
}

static void gen9_reset_hold(Object *obj, ResetType type)
{
    Gen9State *s = GEN9_IGPU(obj);

    gen9_mmio_reset(s);
    gen9_gtt_reset(s);
    for (int i = 0; i < GEN9_ENGINES; i++) {
        gen9_engine_reset(&s->engine[i]);
        gen9_switched_reset(&s->engine[i]);
    }
    s->msi_level = false;
    s->mem_bytes = 0;
    gen9_power_reset(s);
}

/* A snapshot would have to hold the engines' work and the truth log. */
static const VMStateDescription gen9_vmstate = {
    .name = TYPE_GEN9_IGPU,
    .unmigratable = 1,
};

static const Property gen9_properties[] = {
    DEFINE_PROP_UINT16("device-id", Gen9State, device_id, 0x1912),
    DEFINE_PROP_UINT32("aperture-mb", Gen9State, aperture_mb, 256),
    DEFINE_PROP_STRING("truth-log", Gen9State, truth_log),
    DEFINE_PROP_UINT32("cmd-ns", Gen9State, cmd_ns, 20),
    DEFINE_PROP_UINT32("elsp-ns", Gen9State, elsp_ns, 500),
    DEFINE_PROP_UINT32("noop-ns-per-unit", Gen9State, noop_ns_per_unit, 1000),
    DEFINE_PROP_UINT32("walker-ns-per-group", Gen9State, walker_ns_per_group,
                       100),
    DEFINE_PROP_UINT32("loop-ns", Gen9State, loop_ns, 10000),
    DEFINE_PROP_UINT32("semaphore-poll-ns", Gen9State, semaphore_poll_ns,
                       5000),
    DEFINE_PROP_UINT32("noop-preempt-ns", Gen9State, noop_preempt_ns, 0),
    DEFINE_PROP_BOOL("walker-preempt", Gen9State, walker_preempt, true),
    DEFINE_PROP_BOOL("rcs-preempt", Gen9State, rcs_preempt, true),
    DEFINE_PROP_BOOL("arb-check-only", Gen9State, arb_check_only, true),
    DEFINE_PROP_UINT32("ctx-save-ns", Gen9State, ctx_save_ns, 0),
    DEFINE_PROP_UINT32("ctx-restore-ns", Gen9State, ctx_restore_ns, 0),
    DEFINE_PROP_UINT32("switched-reg-ns", Gen9State, switched_reg_ns, 0),
    DEFINE_PROP_UINT32("mem-mbps", Gen9State, mem_mbps, 0),
    DEFINE_PROP_STRING("mem-law", Gen9State, mem_law),
    DEFINE_PROP_STRING("power-law", Gen9State, power_law),
    DEFINE_PROP_UINT32("power-seed", Gen9State, power_seed, 1),
    DEFINE_PROP_UINT32("power-rc6-mw", Gen9State, power_rc6_mw, 50),
    DEFINE_PROP_UINT32("power-rc0-mw", Gen9State, power_rc0_mw, 900),
    DEFINE_PROP_UINT32("power-min-mw", Gen9State, power_min_mw, 1000),
    DEFINE_PROP_UINT32("power-max-mw", Gen9State, power_max_mw, 6000),
    DEFINE_PROP_BOOL("fuse-display", Gen9State, fuse_display, false),
};

static const struct {
    const char *property;
    const char *description;
} descriptions[] = {
    { "device-id", "PCI device ID (0x1912, 0x5916, 0x591e, 0x3e92, 0x9bc5)" },
    { "aperture-mb", "Size of the aperture in MiB (256, 512 or 1024)" },
    { "truth-log", "File to log each context's stay on an engine to" },
    { "cmd-ns", "Time each command takes" },
    { "elsp-ns", "Time from the submission of contexts to their start" },
    { "noop-ns-per-unit",
      "Time for each unit of the identification number of an MI_NOOP" },
    { "walker-ns-per-group", "Time for each thread group of a GPGPU_WALKER" },
    { "loop-ns", "Time for a jump back to the start of a loop in a batch" },
    { "semaphore-poll-ns", "How often a waiting engine looks at a semaphore" },
    { "noop-preempt-ns",
      "After how much of a long MI_NOOP it can be preempted (0: not inside)" },
    { "walker-preempt",
      "Preempt inside a GPGPU_WALKER where CS_CHICKEN1 allows it" },
    { "rcs-preempt",
      "Off: rcs0 runs contexts to completion or to a semaphore that waits" },
    { "arb-check-only",
      "Preempt between commands at MI_ARB_CHECK and waiting semaphores only; "
      "off: between any two" },
    { "ctx-save-ns", "Time the save of a context takes" },
    { "ctx-restore-ns", "Time the load of a context takes" },
    { "switched-reg-ns",
      "Time that the CPU's write to a register which GVT-g switches delays the "
      "engine's next submission" },
    { "mem-mbps",
      "Bandwidth of the memory in MB/s, which engines share as commands ask for "
      "it (0: as much as they want)" },
    { "mem-law",
      "How they share it: proportional, roofline, maxmin or queueing" },
    { "power-law",
      "How it draws power: linear, overlap or leaky (none: no power, no RC6, "
      "no frequencies)" },
    { "power-seed", "Decides what each context draws on its engine" },
    { "power-rc6-mw", "Power in RC6, in mW" },
    { "power-rc0-mw", "Power in RC0 without what contexts add, in mW" },
    { "power-min-mw", "Least that a context adds at the highest frequency" },
    { "power-max-mw", "Most that a context adds" },
    { "fuse-display", "Fuse the display off (the driver's GVT-g fails then)" },
};

static void gen9_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);
    ResettableClass *rc = RESETTABLE_CLASS(klass);

    k->realize = gen9_realize;
    k->exit = gen9_exit;
    k->vendor_id = PCI_VENDOR_ID_INTEL;
    k->device_id = 0x1912;
    k->revision = GEN9_REVISION;
    k->subsystem_vendor_id = PCI_VENDOR_ID_INTEL;
    k->subsystem_id = 0x2212;
    k->class_id = PCI_CLASS_DISPLAY_OTHER;      /* not VGA: no legacy ROM */
    rc->phases.hold = gen9_reset_hold;
    dc->desc = "Intel Gen9 integrated GPU (functional model, no display)";
    dc->vmsd = &gen9_vmstate;
    /*
     * It is a part of the processor.  Besides, translated code would not know
     * of another one that answers for RAPL's registers, see gen9_power_start().
     */
    dc->hotpluggable = false;
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    device_class_set_props(dc, gen9_properties);
    for (int i = 0; i < ARRAY_SIZE(descriptions); i++) {
        object_class_property_set_description(klass, descriptions[i].property,
                                              descriptions[i].description);
    }
}

/*
 * 4 KiB of configuration space, as on silicon.  With 256 bytes, reads beyond
 * them give all ones, GVT-g copies these into its vGPUs, and a VMM that walks
 * their list of extended capabilities finds no end to it.
 */
static void gen9_instance_init(Object *obj)
{
    PCI_DEVICE(obj)->cap_present |= QEMU_PCI_CAP_EXPRESS;
}

static const TypeInfo gen9_type = {
    .name = TYPE_GEN9_IGPU,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(Gen9State),
    .instance_init = gen9_instance_init,
    .class_init = gen9_class_init,
    .interfaces = (InterfaceInfo[]) {
        { INTERFACE_PCIE_DEVICE },
        { },
    },
};

static void gen9_register_types(void)
{
    type_register_static(&gen9_type);
}
type_init(gen9_register_types)
