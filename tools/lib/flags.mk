# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is needed to compile and link with libgvttrace; $(top) and PKG_CONFIG are set.

gvttrace_modules := libtracecmd libtraceevent libtracefs libzstd glib-2.0
gvttrace_cflags := -I$(top)/tools/lib $(shell $(PKG_CONFIG) --cflags $(gvttrace_modules))
gvttrace_libs := $(shell $(PKG_CONFIG) --libs $(gvttrace_modules)) -lm
