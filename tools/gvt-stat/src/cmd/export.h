/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms in which a trace is exported for other programs to show it.
 */
#ifndef GVT_STAT_EXPORT_H
#define GVT_STAT_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "options.h"

/**
 * export_page - one page of HTML, which shows everything and needs nothing else
 * @compress: makes no difference
 */
void export_page(const struct options *options, FILE *out, bool compress);

/**
 * export_perfetto - a trace for https://ui.perfetto.dev and its tools
 * @compress: by gzip, which they read, too
 */
void export_perfetto(const struct options *options, FILE *out, bool compress);

#endif
