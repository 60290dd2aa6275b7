/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GVT-g in sysfs: GPUs with vGPU support, existing vGPUs, and their attribute files, which
 * Documentation/ABI describes.
 */
#ifndef GVTTRACE_SYSFS_H
#define GVTTRACE_SYSFS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* a GPU that supports vGPUs */
struct sysfs_gpu {
	char *address;			/* "0000:00:02.0" */
	char *dir;			/* of the device */
	char *settings;			/* gvt_sched directory; NULL: none */
};

/* a vGPU */
struct sysfs_vgpu {
	int64_t id;			/* UNKNOWN if the kernel does not report it */
	char *uuid;
	char *type;			/* "GVTg_V5_8"; NULL: unknown */
	char *gpu;			/* address of the GPU; NULL: unknown */
	char *dir;			/* of the attributes, intel_vgpu */
	int64_t pid;			/* of the process that uses it; UNKNOWN */
	char *vm;			/* name of the VM, else of the process; NULL: unknown */
};

/* all of a host */
struct sysfs {
	GPtrArray *gpus;		/* struct sysfs_gpu, by address */
	GPtrArray *vgpus;		/* struct sysfs_vgpu, by id, then UUID */
};

/**
 * sysfs_scan - find GPUs and vGPUs
 * @sysroot: directory with sys and proc, "" for the running system
 *
 * Never fails: missing files give empty lists. sysfs_free() frees.
 */
struct sysfs *sysfs_scan(const char *sysroot);
void sysfs_free(struct sysfs *sysfs);

/**
 * sysfs_frequency - read one of i915's frequency files
 * @name: "gt_act_freq_mhz"
 *
 * Returns MHz, UNKNOWN if the file does not exist.
 */
int64_t sysfs_frequency(const struct sysfs_gpu *gpu, const char *name);

/**
 * sysfs_need_gpu - end the program with a message if no GPU supports vGPUs
 */
void sysfs_need_gpu(const struct sysfs *sysfs, const char *sysroot);

/**
 * sysfs_need_settings - end the program with a message if no GPU has settings
 */
void sysfs_need_settings(const struct sysfs *sysfs, const char *sysroot);

/**
 * sysfs_keep_gpus - drop the GPUs that are not in a --gpu list, and their vGPUs
 * @items: PCI addresses and card numbers; ends with NULL; NULL: no list
 *
 * Ends the program if an item does not exist.
 */
void sysfs_keep_gpus(struct sysfs *sysfs, char *const *items);

/**
 * sysfs_is_vgpu - does @item, an id or UUID, name this vGPU?
 */
bool sysfs_is_vgpu(const struct sysfs_vgpu *vgpu, const char *item);

/**
 * sysfs_check_vgpus - end the program if an item of a --vgpu list does not exist
 * @items: ends with NULL; NULL: no list
 */
void sysfs_check_vgpus(const struct sysfs *sysfs, char *const *items);

/**
 * sysfs_wants_vgpu - does a --vgpu list include the vGPU? Without a list, all are included
 */
bool sysfs_wants_vgpu(const struct sysfs_vgpu *vgpu, char *const *items);

/**
 * sysfs_read - the text of a file, without its last newline and unprintable bytes
 *
 * Returns NULL with errno set on read errors. The caller frees.
 */
char *sysfs_read(const char *dir, const char *name);

/**
 * sysfs_read_number - the integer in a file, UNKNOWN if there is none
 */
int64_t sysfs_read_number(const char *dir, const char *name);

/**
 * sysfs_keep_open - let sysfs_read() and sysfs_read_number() keep files open from now on
 *
 * To read one again then takes a sixth of the time, of which most goes into the path. At most 512 are
 * kept, for as long as sysfs_close_unused() finds them in use. Who loses the right to read a file can
 * do so until it is closed.
 */
void sysfs_keep_open(void);

/**
 * sysfs_close_unused - close files that were not read since the last call
 */
void sysfs_close_unused(void);

/**
 * sysfs_names - the sorted names in a directory; none if it cannot be opened
 */
GPtrArray *sysfs_names(const char *path);

/**
 * sysfs_write - write a text with a single write()
 *
 * Returns 0 or an errno. Never creates a file.
 */
int sysfs_write(const char *dir, const char *name, const char *text);

#endif
