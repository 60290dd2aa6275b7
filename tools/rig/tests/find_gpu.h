/* SPDX-License-Identifier: GPL-2.0-only */
/* The GPU that i915 drives, for the modules of the tests */
#ifndef RIG_TESTS_FIND_GPU_H
#define RIG_TESTS_FIND_GPU_H

#include <linux/pci.h>

/* find_gpu - to be given back by pci_dev_put(); NULL if there is none */
static inline struct pci_dev *find_gpu(void)
{
	struct pci_dev *dev = NULL;

	for_each_pci_dev(dev) {
		if (dev->driver && !strcmp(dev->driver->name, "i915"))
			return dev;
	}

	return NULL;
}

#endif
