/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts with a GPU, types of vGPUs, and VMs that want one, as a file tells them;
 * gvt-stat-place(1) documents it.
 */
#ifndef GVT_STAT_FLEET_H
#define GVT_STAT_FLEET_H

#include <glib.h>

#include "search.h"

/* a type of vGPUs */
struct fleet_type {
	char *name;
	unsigned int needs[RESOURCES];
	unsigned int weight;		/* of the scheduler's */
};

/* a host with one GPU */
struct fleet_host {
	char *name;
	unsigned int has[RESOURCES];	/* without what the host's own driver keeps */
	GPtrArray *settings;		/* pairs of char *: of the scheduler, name as in sysfs, value */
};

struct fleet_vm {
	char *name;
	char *profile;
	const struct fleet_type *type;
	char *qos;			/* NULL: that of all */
	unsigned int line;		/* of the file; 0: it is not in there */
	unsigned int host;		/* where it is and stays, or PLACE_NOWHERE */
};

struct fleet {
	const char *path;
	GPtrArray *types;		/* struct fleet_type; those of the driver first */
	GPtrArray *hosts;		/* struct fleet_host, at least one */
	GPtrArray *vms;			/* struct fleet_vm */
	GPtrArray *flavors;		/* struct fleet_vm that may come: they are not placed */
};

/**
 * fleet_read - read a file of hosts, types and VMs
 *
 * What is wrong in it ends the program with a line that names file, line and field.
 * fleet_free() frees.
 */
struct fleet *fleet_read(const char *path);
void fleet_free(struct fleet *fleet);

/**
 * fleet_vm_at - a VM by its number, or behind them a flavor
 */
const struct fleet_vm *fleet_vm_at(const struct fleet *fleet, unsigned int nr);

/**
 * fleet_add_vm - a VM that the file does not have, with the smallest type of vGPU
 */
void fleet_add_vm(struct fleet *fleet, const char *name, const char *profile);

/**
 * fleet_find_type - the type of this name; NULL: there is none
 */
const struct fleet_type *fleet_find_type(const struct fleet *fleet, const char *name);

/**
 * resource_text - a resource in words: "fences"
 */
const char *resource_text(enum place_resource resource);

#endif
