/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of columns, as comma-separated values or as a table of the columns requested with
 * --columns.
 */
#ifndef GVT_STAT_SHEET_H
#define GVT_STAT_SHEET_H

#include "column.h"
#include "form.h"
#include "table.h"

struct sheet;

/**
 * sheet_begin - print the text before the first line
 * @form: the requested form
 * @columns: of the records; must outlive the sheet
 *
 * sheet_end() frees.
 */
struct sheet *sheet_begin(const struct form *form, const struct column *columns);

/**
 * sheet_line - add a line; a record_fn
 * @sheet: struct sheet
 * @record: not used after the call
 */
void sheet_line(void *sheet, const void *record);
void sheet_end(struct sheet *sheet);

#endif
