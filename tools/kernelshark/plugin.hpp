/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private to the plugin, and to its tests.
 */
#ifndef GVT_KERNELSHARK_PLUGIN_HPP
#define GVT_KERNELSHARK_PLUGIN_HPP

#include <libkshark.h>
#include <libkshark-plugin.h>

#include "rows.hpp"

/**
 * gvt_kshark_rows - the rows of a stream that is open, or NULL
 */
extern "C" __attribute__((visibility("default"))) const gvt::Rows *gvt_kshark_rows(int sd);

/**
 * gvt_kshark_draw - draws the row of a task that does not exist; a kshark_plugin_draw_handler_func
 */
void gvt_kshark_draw(kshark_cpp_argv *argv, int sd, int pid, int action);

#endif
