// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/sysfs.h"
#include "spelling.h"

/* of the GPU, as powercap names it */
#define ZONE	"intel-rapl:0:1"
#define DOMAIN	"uncore"

static const struct metric joules = {
	"gvt_vm_energy_joules", "What the GPU drew for the VM, by gvt-stat energy --powercap.",
	METRIC_COUNTER, SCALE_UJ, "joules"
};
static const struct metric kepler = {
	"kepler_vm_gpu_joules", "Energy consumption of gpu at vm level in joules", METRIC_COUNTER, SCALE_UJ, "joules"
};

static void write_vm(struct exposition *x, const struct metric *metric, const char *dir, const char *vm)
{
	char *zone = g_build_filename(dir, vm, ZONE, NULL), *domain = sysfs_read(zone, "name");
	GString *labels = g_string_new(NULL);

	if (metric == &kepler)
		label_add(labels, "hypervisor", "kvm");
	label_add(labels, metric == &kepler ? "vm_name" : "vm", vm);
	label_add(labels, "zone", DOMAIN);
	if (!g_strcmp0(domain, DOMAIN))
		exposition_sample(x, metric, labels->str, sysfs_read_number(zone, "energy_uj"));
	g_string_free(labels, TRUE);
	g_free(domain);
	g_free(zone);
}

static void write_vms(struct exposition *x, const struct metric *metric, const char *dir)
{
	GDir *vms = dir ? g_dir_open(dir, 0, NULL) : NULL;
	const char *vm;

	if (!vms)
		return;
	while ((vm = g_dir_read_name(vms)))
		write_vm(x, metric, dir, vm);
	g_dir_close(vms);
}

void joules_write(struct exposition *x, const struct collector *collector)
{
	write_vms(x, &joules, collector->powercap);
}

void kepler_write(struct exposition *x, const struct collector *collector)
{
	write_vms(x, &kepler, collector->powercap);
}
