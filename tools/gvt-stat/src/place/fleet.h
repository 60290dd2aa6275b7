/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts with a GPU, types of vGPUs, and VMs that need one, read from a file that gvt-stat-place(1)
 * documents.
 */
#ifndef GVT_STAT_FLEET_H
#define GVT_STAT_FLEET_H

#include <glib.h>

#include "search.h"

/* a vGPU type */
struct fleet_type {
	char *name;
	unsigned int needs[RESOURCES];
	unsigned int weight;		/* of the scheduler */
};

/* a host with one GPU */
struct fleet_host {
	char *name;
	unsigned int has[RESOURCES];	/* without the part that the host's own driver keeps */
	GPtrArray *settings;		/* pairs of char *: of the scheduler, name as in sysfs, value */
};

struct fleet_vm {
	char *name;
	char *profile;
	const struct fleet_type *type;
	char *qos;			/* NULL: the common one */
	unsigned int line;		/* of the file; 0: not from the file */
	unsigned int host;		/* host that it must stay on, or PLACE_NOWHERE */
};

struct fleet {
	const char *path;
	GPtrArray *types;		/* struct fleet_type; the driver's types first */
	GPtrArray *hosts;		/* struct fleet_host, at least one */
	GPtrArray *vms;			/* struct fleet_vm */
	GPtrArray *flavors;		/* struct fleet_vm: possible further VMs, not placed */
};

/**
 * fleet_read - read a file of hosts, types and VMs
 *
 * An error ends the program with a message that names file, line and field. fleet_free() frees.
 */
struct fleet *fleet_read(const char *path);
void fleet_free(struct fleet *fleet);

/**
 * fleet_vm_at - a VM by its number; numbers after the last VM are flavors
 */
const struct fleet_vm *fleet_vm_at(const struct fleet *fleet, unsigned int nr);

/**
 * fleet_add_vm - add a VM that is not in the file, with the smallest vGPU type
 */
void fleet_add_vm(struct fleet *fleet, const char *name, const char *profile);

/**
 * fleet_find_type - the type with this name; NULL: none
 */
const struct fleet_type *fleet_find_type(const struct fleet *fleet, const char *name);

/**
 * resource_text - a resource in words: "fences"
 */
const char *resource_text(enum place_resource resource);

#endif
