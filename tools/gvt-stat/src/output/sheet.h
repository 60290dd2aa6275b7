/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of columns: as comma-separated values, or as a table of the columns that
 * --columns asks for.
 */
#ifndef GVT_STAT_SHEET_H
#define GVT_STAT_SHEET_H

#include "column.h"
#include "form.h"
#include "table.h"

struct sheet;

/**
 * sheet_begin - print what comes before the first line
 * @form: what is asked for
 * @columns: of the records that will come; must outlive the sheet
 *
 * sheet_end() frees.
 */
struct sheet *sheet_begin(const struct form *form, const struct column *columns);

/**
 * sheet_line - add a line
 * @record: read at once, need not live longer
 */
void sheet_line(struct sheet *sheet, const void *record);
void sheet_end(struct sheet *sheet);

#endif
