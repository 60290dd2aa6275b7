# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds, checks and installs the selftests outside of a kernel tree.

here := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)
top := $(abspath $(here)/..)
O ?= $(top)/build
out := $(abspath $(O))/selftests

PREFIX ?= /usr/local
testdir ?= $(PREFIX)/libexec/kselftests/drivers/gpu/i915-gvt
CFLAGS ?= -O2 -g
# static: to be copied into whatever virtual machine is to be tested
# the same wherever it is built, so that a run of the rig with it is known again
static_flags := -std=gnu11 -Wall -Wextra -Werror -static -ffile-prefix-map=$(top)=.
load_headers := $(here)/vgpu_client.h $(here)/vgpu_commands.h
self_tests := $(addprefix tests/,$(notdir $(wildcard $(here)/tests/*.t)))

.PHONY: all
all: $(out)/vgpu_load $(out)/vgpu_poke $(out)/read_files $(out)/perf_count

$(out)/vgpu_load $(out)/vgpu_poke: $(out)/%: $(here)/%.c $(here)/vgpu_client.c $(load_headers) $(here)/standalone/rules.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(static_flags) $(LDFLAGS) -o $@ $< $(here)/vgpu_client.c

$(out)/read_files $(out)/perf_count: $(out)/%: $(here)/%.c $(here)/standalone/rules.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(static_flags) $(LDFLAGS) -o $@ $<

.PHONY: check
check: all
	cd $(here) && GVT_LOAD=$(out)/vgpu_load VGPU_POKE=$(out)/vgpu_poke READ_FILES=$(out)/read_files PERF_COUNT=$(out)/perf_count $(top)/scripts/run-tests $(self_tests) $(TEST_PROGS)

.PHONY: install
install: all
	install -d $(DESTDIR)$(testdir)/standalone
	cd $(here) && install -m 755 $(TEST_PROGS) $(out)/vgpu_load $(out)/vgpu_poke $(out)/read_files $(out)/perf_count $(DESTDIR)$(testdir)
	cd $(here) && install -m 644 $(TEST_FILES) config settings README $(DESTDIR)$(testdir)
	install -m 644 $(here)/standalone/ktap_helpers.sh $(DESTDIR)$(testdir)/standalone

.PHONY: clean
clean:
	rm -rf $(out)
