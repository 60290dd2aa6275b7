/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joules of VMs as files, for readers of RAPL in guests: one tree per VM, as Scaphandre's exporter
 * "qemu" makes them (hubblo-org/scaphandre, src/exporters/qemu.rs) and a host shares them into the VM,
 * with the names of the kernel's powercap (Documentation/power/powercap/powercap.rst).
 *
 *   DIR/VM/intel-rapl:0/name			"package-0"
 *   DIR/VM/intel-rapl:0:1/name			"uncore": the GPU
 *   DIR/VM/intel-rapl:0:1/energy_uj		what this VM's vGPUs drew, in uJ
 *   DIR/VM/intel-rapl:0:1/max_energy_range_uj	it never wraps around in practice
 *
 * Scaphandre keeps the CPU's joules in intel-rapl:0/energy_uj, which is left to it.
 */
#ifndef GVT_STAT_ENERGY_POWERCAP_H
#define GVT_STAT_ENERGY_POWERCAP_H

#include "result.h"

/**
 * powercap_add - add the joules of each vGPU to its VM's, or end the program
 * @dir: made if it is not there
 *
 * A VM without a name goes by that of its vGPU: "vgpu-1". Those whose joules are not known are left as
 * they are, with a warning. A file is replaced as a whole.
 */
void powercap_add(const char *dir, const struct energy_result *result);

#endif
