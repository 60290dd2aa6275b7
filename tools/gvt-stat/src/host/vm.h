/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of virtual machines: what QEMU was told with -name, which is where
 * libvirt puts a domain's name.
 */
#ifndef GVT_STAT_VM_H
#define GVT_STAT_VM_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

/**
 * vm_find - note in each vGPU the process that was started with it, and its name
 * @sysroot: directory that has proc, "" for the system's own
 * @vgpus: of struct sysfs_vgpu
 */
void vm_find(const char *sysroot, GPtrArray *vgpus);

/**
 * vm_name - the name given with -name on a command line
 * @cmdline: arguments with a zero byte behind each, as in /proc/PID/cmdline
 *
 * Reads "-name NAME", "-name guest=NAME,..." and "-name=...", and QEMU's ",,"
 * for a comma. Returns NULL if there is none; the caller frees.
 */
char *vm_name(const char *cmdline, size_t len);

/**
 * vm_uses - is there an argument that names this vGPU as a device of sysfs?
 */
bool vm_uses(const char *cmdline, size_t len, const char *uuid);

#endif
