# SPDX-License-Identifier: GPL-2.0-or-later
#
# SANITIZE=1: where objects go, $(obj), and with which options; $(O) is set.

ifeq ($(SANITIZE),1)
obj := $(O)/sanitize
sanitize := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else
obj := $(O)
endif
