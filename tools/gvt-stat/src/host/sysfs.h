/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GVT-g in sysfs: the GPUs that offer vGPUs, the vGPUs that exist, and their
 * small text files. Documentation/ABI describes the files.
 */
#ifndef GVT_STAT_SYSFS_H
#define GVT_STAT_SYSFS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

struct sysfs_gpu {
	char *address;			/* "0000:00:02.0" */
	char *dir;			/* of its device */
	char *settings;			/* directory of the scheduler's settings; NULL: has none */
};

struct sysfs_vgpu {
	int64_t id;			/* UNKNOWN when the kernel does not tell it */
	char *uuid;
	char *type;			/* "GVTg_V5_8"; NULL: unknown */
	char *gpu;			/* address of its GPU; NULL: unknown */
	char *dir;			/* of its attributes, intel_vgpu */
	int64_t pid;			/* of the process that uses it; UNKNOWN */
	char *vm;			/* name of the VM, else of that process; NULL: unknown */
};

struct sysfs {
	GPtrArray *gpus;		/* struct sysfs_gpu, by address */
	GPtrArray *vgpus;		/* struct sysfs_vgpu, by id, then UUID */
};

/**
 * sysfs_scan - find GPUs and vGPUs
 * @sysroot: directory that has sys and proc, "" for the system's own
 *
 * Never fails: what is not there is not in the lists. sysfs_free() frees.
 */
struct sysfs *sysfs_scan(const char *sysroot);
void sysfs_free(struct sysfs *sysfs);

/**
 * sysfs_frequency - one of i915's files about the GPU's frequency
 * @name: "gt_act_freq_mhz"
 *
 * Returns MHz, UNKNOWN if there is no such file.
 */
int64_t sysfs_frequency(const struct sysfs_gpu *gpu, const char *name);

/**
 * sysfs_find_vms - find the processes that use the vGPUs, and the names of VMs
 *
 * Looks through all processes of the host.
 */
void sysfs_find_vms(struct sysfs *sysfs, const char *sysroot);

/**
 * sysfs_need_gpu - end the program with the reason if there is no GPU with vGPUs
 */
void sysfs_need_gpu(const struct sysfs *sysfs, const char *sysroot);

/**
 * sysfs_need_settings - end the program with the reason if no GPU has settings
 */
void sysfs_need_settings(const struct sysfs *sysfs, const char *sysroot);

/**
 * sysfs_keep_gpus - leave out the GPUs that are not in a --gpu list, and their vGPUs
 * @items: PCI addresses and numbers of cards; ends with NULL; NULL: no list
 *
 * Ends the program if an item is not there.
 */
void sysfs_keep_gpus(struct sysfs *sysfs, char *const *items);

/**
 * sysfs_is_vgpu - does the user mean this vGPU, by id or UUID?
 */
bool sysfs_is_vgpu(const struct sysfs_vgpu *vgpu, const char *item);

/**
 * sysfs_check_vgpus - end the program if an item of a --vgpu list is not there
 * @items: ends with NULL; NULL: no list
 */
void sysfs_check_vgpus(const struct sysfs *sysfs, char *const *items);

/**
 * sysfs_wants_vgpu - is a vGPU in a --vgpu list, or is there no list?
 */
bool sysfs_wants_vgpu(const struct sysfs_vgpu *vgpu, char *const *items);

/**
 * sysfs_read - the text of a file, without its last newline and unprintable bytes
 *
 * Returns NULL with errno set when it cannot be read. The caller frees.
 */
char *sysfs_read(const char *dir, const char *name);

/**
 * sysfs_read_number - the whole number in a file, UNKNOWN when there is none
 */
int64_t sysfs_read_number(const char *dir, const char *name);

/**
 * sysfs_write - write a text in one piece
 *
 * Returns 0 or an errno. Never creates a file.
 */
int sysfs_write(const char *dir, const char *name, const char *text);

#endif
