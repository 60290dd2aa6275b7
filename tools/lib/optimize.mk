# SPDX-License-Identifier: GPL-2.0-or-later
#
# CFLAGS, if none are given, and what makes builds the same; $(CC), $(top) and SANITIZE are set.
#
# The reader, the model and the analyses call each other for each event: optimised as one
# program, report takes 5 % less CPU. clang would need an ar and an ld of its own for that.
# The program may grow by so many per cent as calls give way to what they call: by default, a new
# function anywhere may cost the reader its inlined ones, 1 % of the instructions of report.

ifneq ($(SANITIZE),1)
lto := $(shell $(CC) --version | grep -q 'Free Software Foundation' && \
		echo -flto=auto --param=inline-unit-growth=60)
endif
CFLAGS ?= -O2 -g $(lto)

# The same programs wherever they are built: runs of the rig that have them would differ
override CFLAGS += -ffile-prefix-map=$(top)/=
