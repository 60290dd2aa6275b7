/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of virtual machines, from the option -name of QEMU, where libvirt puts a domain's name, and of crosvm.
 */
#ifndef GVTTRACE_VM_H
#define GVTTRACE_VM_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "sysfs.h"

/**
 * vm_find - set in each vGPU the process that uses it, and the VM's name
 * @sysroot: directory with proc, "" for the running system
 * @vgpus: of struct sysfs_vgpu; those with a process are left as they are, but for a name that several VMs share:
 *	each gets the number of its process
 */
void vm_find(const char *sysroot, GPtrArray *vgpus);

/**
 * vm_still_uses - does the process that vm_find() found still use the vGPU?
 */
bool vm_still_uses(const char *sysroot, const struct sysfs_vgpu *vgpu);

/**
 * vm_name - the name given with -name on a command line
 * @cmdline: arguments, each followed by a zero byte, as in /proc/PID/cmdline
 *
 * Parses "-name NAME", "-name ...,guest=NAME,..." and "-name=...", and QEMU's ",,"
 * for a comma. Returns NULL if there is none; the caller frees.
 */
char *vm_name(const char *cmdline, size_t len);

/**
 * vm_uses - does an option name this vGPU as a device of the VM?
 */
bool vm_uses(const char *cmdline, size_t len, const char *uuid);

#endif
