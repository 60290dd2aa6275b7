/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes an Apache Parquet file of nullable columns, for DuckDB, ClickHouse, Spark and others. No
 * library for C is in Debian 12 and 13; of the format this is the part that a flat table needs:
 *
 *   https://github.com/apache/parquet-format, version 2.11:
 *   README.md            the file: pages, row groups, footer
 *   parquet.thrift       pages' headers and the footer, in Thrift's compact protocol
 *                        (apache/thrift, doc/specs/thrift-compact-protocol.md)
 *   Encodings.md         PLAIN numbers; texts by RLE_DICTIONARY; definition levels by RLE
 *   Compression.md       ZSTD
 *   LogicalTypes.md      STRING
 *
 * Memory holds one row group of each sort of rows, not the file.
 */
#ifndef GVT_STAT_PARQUET_WRITER_H
#define GVT_STAT_PARQUET_WRITER_H

#include <stdio.h>

#include "output/column.h"

/* rows of a row group, unless its texts get too large: readers take row groups as units of work */
#define PARQUET_ROWS	65536

struct parquet;

/**
 * parquet_open - begin a file
 * @columns: of the rows, each INTEGER, REAL or TEXT with a key, which outlive the file; UNKNOWN,
 *           NAN and NULL become NULL, invalid UTF-8 in a text is replaced
 * @sorts: number of sorts of rows: rows of one sort share row groups, so that what a sort never has
 *         takes no space, and a reader of one sort skips the others
 */
struct parquet *parquet_open(FILE *out, const struct column *columns, unsigned int sorts);

/**
 * parquet_row - append a row
 * @sort: below the number of sorts
 *
 * Returns 0, or the errno of a write error, possibly of an earlier row.
 */
int parquet_row(struct parquet *parquet, unsigned int sort, const void *record);

/**
 * parquet_forget - leave out all rows of a sort, also those that were written
 */
void parquet_forget(struct parquet *parquet, unsigned int sort);

/**
 * parquet_close - write the rest, and free
 *
 * Returns 0 or an errno as parquet_row().
 */
int parquet_close(struct parquet *parquet);

#endif
