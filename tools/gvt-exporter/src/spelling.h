/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names that metrics go by: our own, and those that existing dashboards know.
 */
#ifndef GVT_EXPORTER_SPELLING_H
#define GVT_EXPORTER_SPELLING_H

#include <stdbool.h>

#include "collector.h"
#include "exposition.h"

struct spelling {
	const char *name;
	void (*write)(struct exposition *x, const struct collector *collector);
	bool needs_rates;		/* has nothing to say of a first reading */
};

/**
 * gvt_write - everything that is read, in seconds and other base units
 */
void gvt_write(struct exposition *x, const struct collector *collector);

/**
 * dcgm_write - what NVIDIA's dcgm-exporter would say of a vGPU: utilisation
 *
 * Its names and units: https://docs.nvidia.com/datacenter/dcgm/latest/dcgm-api/dcgm-api-field-ids.html
 */
void dcgm_write(struct exposition *x, const struct collector *collector);

/**
 * drm_write - utilisation and frequency as drm-exporter names them
 *
 * Its names: https://github.com/home-operations/drm-exporter
 */
void drm_write(struct exposition *x, const struct collector *collector);

/**
 * joules_write - what the GPU drew for each VM, from the files that gvt-stat energy --powercap keeps; part of gvt_write()
 */
void joules_write(struct exposition *x, const struct collector *collector);

/**
 * kepler_write - the same as Kepler names the CPU's joules of VMs
 *
 * Its names: https://github.com/sustainable-computing-io/kepler, docs/user/metrics.md
 */
void kepler_write(struct exposition *x, const struct collector *collector);

#endif
