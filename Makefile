# SPDX-License-Identifier: GPL-2.0-or-later
#
# Only delegates: every component builds, tests and installs itself.

top := $(CURDIR)
export O ?= $(top)/build
KVER ?= $(shell uname -r)
RIG_KVER = $(shell scripts/kernel-version)

tools := tools/gvt-stat tools/traceevent
rig := tools/rig/qemu tools/rig/scenario tools/rig/load tools/rig/truth tools/rig
tested := scripts/tests $(tools) selftests $(rig)
installed := $(tools)

.DEFAULT_GOAL := help
.PHONY: help
help: ## list the targets
	@echo 'Targets:'
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20 | sed 's/^/  /'
	@echo 'Variables: KVER=<kernel release> CONFIG=<kernel config> SCENARIO=<name> DESTDIR= PREFIX=/usr/local'

.PHONY: demo
demo: deps tools rig ## boot the emulated GVT-g host with two real guests, record, report
	tools/rig/demo

.PHONY: check
check: deps-check ## run every test (boots the rig)
	@rm -f $(O)/counts && mkdir -p $(O)
	@GVT_TEST_COUNTS=$(O)/counts $(MAKE) -k $(addprefix check-,$(subst /,-,$(tested))) || touch $(O)/failed
	@scripts/run-tests --sum $(O)/counts && test ! -e $(O)/failed

.PHONY: kvmgt
kvmgt: ## build the drop-in kvmgt.ko for KVER (default: the running kernel)
	scripts/build-kvmgt $(KVER)

.PHONY: kernel
kernel: ## build the whole patched kernel as Debian packages
	scripts/deps --install kernel
	scripts/build-kernel $(if $(CONFIG),--config=$(CONFIG))

.PHONY: export
export: ## write the mail series (git am, git send-email)
	scripts/export-series

.PHONY: install
install: ## install kvmgt.ko (after make kvmgt), the plugin and gvt-stat
	@scripts/install-kvmgt --check $(KVER)
	$(MAKE) install-tools
	scripts/install-kvmgt $(KVER)

.PHONY: install-tools
install-tools: ## install only the plugin and gvt-stat
	set -e; for dir in $(installed); do $(MAKE) -C $$dir install; done

.PHONY: clean
clean: ## remove what was built here (the cache stays)
	rm -rf build

.PHONY: tools rig
tools: ; set -e; for dir in $(tools); do $(MAKE) -C $$dir all; done
rig: ; set -e; for dir in $(rig); do $(MAKE) -C $$dir all; done
