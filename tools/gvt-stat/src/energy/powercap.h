/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joules of VMs as files, for readers of RAPL in guests: one tree per VM, as Scaphandre's exporter
 * "qemu" makes them (hubblo-org/scaphandre, src/exporters/qemu.rs) and a host shares them into the VM,
 * with the names of the kernel's powercap (Documentation/power/powercap/powercap.rst).
 *
 *   DIR/VM/intel-rapl:0:1/name			"uncore": the GPU
 *   DIR/VM/intel-rapl:0:1/energy_uj		what this VM's vGPUs drew, in uJ
 *   DIR/VM/intel-rapl:0:1/max_energy_range_uj	it never wraps around in practice
 *
 * Scaphandre keeps the CPU's joules in intel-rapl:0, which is left to it: a package without energy_uj makes
 * readers of powercap, such as node_exporter, read nothing at all.
 */
#ifndef GVT_STAT_ENERGY_POWERCAP_H
#define GVT_STAT_ENERGY_POWERCAP_H

#include "result.h"

/**
 * powercap_add - add the joules of each vGPU to its VM's
 * @path: the directory, made if it is not there; the program ends if it cannot be
 *
 * A VM without a name goes by that of its vGPU: "vgpu-1". Those whose joules are not known are left as
 * they are, with a warning. A file is replaced as a whole, and one process at a time adds.
 *
 * Returns false if joules of some could not be added: these are warned of, others are added.
 */
bool powercap_add(const char *path, const struct energy_result *result);

#endif
