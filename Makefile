# SPDX-License-Identifier: GPL-2.0-or-later
#
# Only delegates: every component builds, tests and installs itself.

KVER ?= $(shell uname -r)
build := $(CURDIR)/build

tools := tools/gvt-stat tools/gvt-sim tools/gvt-exporter tools/traceevent tools/kernelshark
rig := tools/rig/qemu tools/rig/scenario tools/rig/load tools/rig/truth tools/rig/bench
tested := scripts/tests tools/lib $(tools) tools/testing/gvt-sched selftests $(rig) tools/rig

.DEFAULT_GOAL := help
.PHONY: help
help: ## list the targets
	@echo 'Targets:'
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20 | sed 's/^/  /'
	@echo 'Variables: KVER=RELEASE (kernel), CONFIG=FILE (make kernel), BASE=linux-6.12, PART=NAME and SIGNOFF="NAME <MAIL>" (make export), DESTDIR=, PREFIX=/usr/local'

.PHONY: demo
demo: ## boot the emulated GVT-g host with two real guests, record, report
	@scripts/deps --install tools kernel rig
	@$(MAKE) --no-print-directory build-tools build-rig
	@tools/rig/demo

# Runs of the rig that are the same as one before: RIG_RUNS= makes all of them again
RIG_RUNS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/gvt/runs
runs_log := $(build)/rig-runs

.PHONY: check
check: ## run every test (boots the rig)
	@scripts/deps --install
	@mkdir -p $(build) && : >$(runs_log)
	@$(MAKE) --no-print-directory build-tools build-rig
	@export RIG_RUNS='$(RIG_RUNS)' RIG_RUNS_LOG=$(runs_log) RIG_KERNEL="$${RIG_KERNEL:-$$(scripts/kernel-version)}"; \
	scripts/run-suites $(build)/test-counts $(addsuffix :check,$(tested)); \
	awk '{ n[$$1]++ } END { if (NR) print "# runs of the rig: " n["made"] + 0 " made, " n["kept"] + 0 \
		" the same as one before and kept from it (RIG_RUNS= makes them again)" }' $(runs_log); \
	scripts/run-tests --sum $(build)/test-counts

# No rig, no kernel build: what shows most faults of the scheduler and of gvt-stat at once
quick := tools/lib:check tools/testing/gvt-sched:quick tools/gvt-stat:quick

.PHONY: quick
quick: ## run what takes a minute or two: KUnit in user space, the library, gvt-stat's core
	@scripts/deps --install tools
	@mkdir -p $(build)
	@scripts/run-suites $(build)/quick-counts $(quick)
	@scripts/run-tests --sum $(build)/quick-counts

.PHONY: lint
lint: ## look for faults in scripts, spelling, man pages, headers and words (a minute; part of check)
	@scripts/deps --install tools check
	@scripts/lint

# Not part of check: the kernel takes half an hour to compile, its soak half an hour to run.
.PHONY: check-debug
check-debug: ## soak GVT-g on a kernel with KASAN, lockdep and the like (an hour at first)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-tools build-rig
	@$(MAKE) --no-print-directory -C tools/rig/soak check-debug

# Not part of check: it takes IGT and its libraries from Debian's unstable release.
.PHONY: check-igt
check-igt: ## run Intel's IGT in a guest, with the stock kvmgt.ko and ours in each dispatch mode (20 minutes, 20 MB to download at first)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-tools build-rig
	@RIG_RUNS='$(RIG_RUNS)' $(MAKE) --no-print-directory -C tools/rig check-igt

.PHONY: tools
tools: ## build gvt-stat, the plugin of trace-cmd and, if their libraries are there, gvt-exporter and the plugin of KernelShark
	@scripts/deps --install tools
	@$(MAKE) --no-print-directory build-tools

.PHONY: kvmgt
kvmgt: ## build the drop-in kvmgt.ko for KVER (default: the running kernel)
	@scripts/deps --install kernel
	scripts/build-kvmgt $(KVER)

.PHONY: tree
tree: ## put the driver as it is built, all patches applied, into build/tree, to read and to grep
	@rm -rf $(build)/tree && mkdir -p $(build)/tree/drivers/gpu/drm
	@source=$$(scripts/kernel-source) && cp -aL $$source/drivers/gpu/drm/i915 $(build)/tree/drivers/gpu/drm/
	@chmod -R u+w $(build)/tree && scripts/apply-series $(build)/tree 6.12

.PHONY: kernel
kernel: ## build the whole patched kernel as Debian packages
	@scripts/deps --install kernel
	scripts/build-kernel $(if $(CONFIG),--config $(CONFIG))

.PHONY: check-bases
check-bases: ## check that each base's series applies to the newest kernel that Debian has for it
	@scripts/check-bases --update

.PHONY: check-matrix
check-matrix: ## test every base on the rig with its stock kernel (half an hour)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-tools build-rig
	@scripts/check-matrix

.PHONY: export
export: ## write the mail series (git am, git send-email)
	scripts/export-series $(if $(PART),--part "$$PART") $(if $(SIGNOFF),--signoff "$$SIGNOFF") $(if $(BASE),"$${BASE#linux-}")

.PHONY: bench
bench: ## print schedulers and dispatch modes side by side, and what tracing costs (an hour at first)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-tools build-rig
	tools/rig/bench/sched
	tools/rig/bench/dispatch
	tools/rig/bench/host
	tools/rig/bench/trace-cost solo small-small

.PHONY: bench-predict
bench-predict: ## measure how right simulate, predict and place are, beside papers' figures (an hour at first)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-tools build-rig
	@export RIG_RUNS='$(RIG_RUNS)'; set -e; \
	for bench in predict colocate contention placement; do tools/rig/bench/$$bench >build/$$bench.md; done
	tools/rig/bench/accuracy

.PHONY: bench-energy
bench-energy: ## measure how right gvt-stat's joules are, attributed, predicted and simulated (half an hour at first)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-tools build-rig
	@RIG_RUNS='$(RIG_RUNS)' tools/rig/bench/energy

.PHONY: bench-fleet
bench-fleet: ## print what exporter, PMU, alerts, flight recorder, SQL and placement do and cost (half an hour at first)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-tools build-rig
	@RIG_RUNS='$(RIG_RUNS)' tools/rig/bench/fleet

.PHONY: papers
papers: ## print the papers' experiments that can be run here: paper, stock, ours (an hour at first)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-tools build-rig
	@RIG_RUNS='$(RIG_RUNS)' tools/rig/bench/papers

.PHONY: bench-promises
bench-promises: ## apply what simulate, advise, check and predict say of MIXES=200 random mixes, and compare (a day at first; PLAY=1 on the simulator, some hours)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-tools build-rig
	@$(MAKE) --no-print-directory -C tools/gvt-stat test-programs
	@RIG_RUNS='$(RIG_RUNS)' tools/rig/bench/promises $(if $(PLAY),--play) $(if $(MIXES),--mixes $(MIXES))

.PHONY: never-worse
never-worse: ## compare dispatch modes with intervals, in two settings of the GPU (an hour)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-tools build-rig
	tools/rig/bench/never-worse --plot

.PHONY: install
install: ## install kvmgt.ko (after make kvmgt), the plugins and gvt-stat
	@scripts/install-kvmgt --check $(KVER)
	@$(MAKE) --no-print-directory install-tools
	scripts/install-kvmgt $(KVER)

.PHONY: install-tools
install-tools: ## install only the plugins and gvt-stat
	@set -e; for dir in $(tools); do $(MAKE) --no-print-directory -C $$dir install; done

.PHONY: packages
packages: ## build the Debian packages, for this machine's release or SUITE=trixie (as root)
	@scripts/deps --install packages tools exporter kernelshark
	@scripts/build-packages

# releases of Debian to test the packages in
SUITES ?= bookworm trixie

.PHONY: check-packages
check-packages: ## test packages and install-tools in clean roots of Debian 12 and 13, with a host of the rig (as root; an hour, downloads 1.5 GB at first)
	@scripts/deps --install
	@$(MAKE) --no-print-directory build-rig
	@mkdir -p $(build) && rm -f $(build)/package-counts
	@set -e; for suite in $(SUITES); do $(MAKE) --no-print-directory packages SUITE=$$suite; done
	@status=0; for suite in $(SUITES); do \
		echo "== $$suite"; \
		RIG_RUNS='$(RIG_RUNS)' SUITE=$$suite GVT_TEST_COUNTS=$(build)/package-counts scripts/run-tests packaging/tests/*.t || status=1; \
	done; \
	scripts/run-tests --sum $(build)/package-counts && exit $$status

.PHONY: clean
clean: ## remove what was built here (the cache stays)
	rm -rf $(build)

.PHONY: build-tools build-rig
build-tools:
	@set -e; for dir in $(tools); do $(MAKE) -j "$$(nproc)" --no-print-directory -C $$dir all; done
build-rig:
	@set -e; for dir in $(rig); do $(MAKE) -j "$$(nproc)" --no-print-directory -C $$dir all; done
