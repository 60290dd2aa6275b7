/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of columns: as comma-separated values, or as a table of the columns that
 * --columns asks for.
 */
#ifndef GVT_STAT_SHEET_H
#define GVT_STAT_SHEET_H

#include "column.h"
#include "options.h"
#include "table.h"

struct sheet;

/**
 * sheet_begin - print what comes before the first line
 * @options: tell form and columns
 * @columns: of the records that will come; must outlive the sheet
 *
 * sheet_end() frees.
 */
struct sheet *sheet_begin(const struct options *options, const struct column *columns);

/**
 * sheet_line - add a line
 * @record: read at once, need not live longer
 */
void sheet_line(struct sheet *sheet, const void *record);
void sheet_end(struct sheet *sheet);

/**
 * sheet_cells - the columns of a table for people that has just these
 *
 * The caller frees with g_free().
 */
struct table_column *sheet_cells(const struct column *columns);

#endif
