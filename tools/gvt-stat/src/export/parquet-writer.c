// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <string.h>

#include <zstd.h>

#include "trace/util.h"
#include "parquet-writer.h"
#include "proto.h"

#define MAGIC		"PAR1"

/* row groups end early if their texts take more than this */
#define TEXTS_BYTES	(4 << 20)
/* longer texts are no bounds of a column */
#define BOUND_BYTES	64

/* parquet.thrift: enum Type, Encoding, PageType, CompressionCodec, ... */
#define TYPE_INT64		2
#define TYPE_DOUBLE		5
#define TYPE_BYTE_ARRAY		6
#define CONVERTED_UTF8		0
#define REPETITION_OPTIONAL	1
#define ENCODING_PLAIN		0
#define ENCODING_RLE		3
#define ENCODING_RLE_DICTIONARY	8
#define CODEC_ZSTD		6
#define PAGE_DATA		0
#define PAGE_DICTIONARY		2

/* the values of a column in a row group that is being filled */
struct cells {
	GByteArray *levels;		/* a bit per row, the lowest first: there is a value */
	GByteArray *values;		/* PLAIN; of a text: uint32_t, its number */
	GByteArray *texts;		/* PLAIN: the dictionary */
	GHashTable *numbers;		/* of the texts, from 1 */
	const char *last;		/* text, a key of @numbers, or NULL */
	uint32_t last_nr, nulls;
	int64_t least, most;		/* of integers */
	const char *first, *final;	/* of texts, in the order of their bytes */
};

/* rows of one sort */
struct sort {
	struct cells *cells;		/* by column */
	uint32_t rows;			/* in @cells */
	uint64_t all_rows;		/* written */
	uint32_t groups;		/* written */
	GByteArray *told;		/* RowGroup of each, for the footer */
};

struct parquet {
	FILE *out;
	const struct column *columns;
	unsigned int count, sorts;
	struct sort *sort;
	uint64_t at;			/* position in the file */
	int error;
	size_t texts_bytes;		/* in dictionaries of the row groups being filled */
	ZSTD_CCtx *zstd;
	GByteArray *page, *packed, *header;
};

/* --- Thrift's compact protocol ------------------------------------------------------- */

enum thrift_type {
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12,
};

/* a struct that is being written */
struct thrift {
	GByteArray *to;
	int last;			/* id of its last field */
};

static void put_byte(GByteArray *to, uint8_t byte)
{
	g_byte_array_append(to, &byte, 1);
}

static void put_varint(GByteArray *to, uint64_t value)
{
	uint8_t bytes[PROTO_MAX_VARINT];

	g_byte_array_append(to, bytes, proto_put(bytes, value) - bytes);
}

static void put_zigzag(GByteArray *to, int64_t value)
{
	put_varint(to, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static void put_field(struct thrift *thrift, int id, enum thrift_type type)
{
	/* ids of parquet.thrift are never 15 apart */
	put_byte(thrift->to, (id - thrift->last) << 4 | type);
	thrift->last = id;
}

static void put_i32(struct thrift *thrift, int id, int32_t value)
{
	put_field(thrift, id, THRIFT_I32);
	put_zigzag(thrift->to, value);
}

static void put_i64(struct thrift *thrift, int id, int64_t value)
{
	put_field(thrift, id, THRIFT_I64);
	put_zigzag(thrift->to, value);
}

static void put_binary(struct thrift *thrift, int id, const void *data, size_t size)
{
	put_field(thrift, id, THRIFT_BINARY);
	put_varint(thrift->to, size);
	g_byte_array_append(thrift->to, data, size);
}

static void put_list(struct thrift *thrift, int id, enum thrift_type type, uint32_t count)
{
	put_field(thrift, id, THRIFT_LIST);
	put_byte(thrift->to, MIN(count, 15) << 4 | type);
	if (count >= 15)
		put_varint(thrift->to, count);
}

/* a field that is a struct; put_end() ends it */
static struct thrift put_struct(struct thrift *thrift, int id)
{
	put_field(thrift, id, THRIFT_STRUCT);
	return (struct thrift) { thrift->to, 0 };
}

static void put_end(const struct thrift *thrift)
{
	put_byte(thrift->to, 0);
}

/* unions whose one member has no content: LogicalType.STRING, ColumnOrder.TYPE_ORDER */
static void put_empty_member(struct thrift *outer)
{
	struct thrift member = put_struct(outer, 1);

	put_end(&member);
	put_end(outer);
}

/* --- encodings ------------------------------------------------------------------------- */

static void put_u32(GByteArray *to, uint32_t value)
{
	value = GUINT32_TO_LE(value);
	g_byte_array_append(to, (const void *)&value, sizeof(value));
}

/*
 * The RLE/bit-packing hybrid, as one run of bits: runs of equal values cost next to nothing when
 * Zstandard has seen them.
 */
static void put_run(GByteArray *to, uint32_t count)
{
	put_varint(to, (uint64_t)(count + 7) / 8 << 1 | 1);
}

/* in groups of eight, the last filled up with zeros */
static void put_bits(GByteArray *to, const uint32_t *values, uint32_t count, unsigned int width)
{
	uint64_t pending = 0;
	unsigned int bits = 0;

	put_byte(to, width);
	put_run(to, count);
	for (uint32_t nr = 0; nr < (count + 7) / 8 * 8; nr++) {
		pending |= (uint64_t)(nr < count ? values[nr] : 0) << bits;
		for (bits += width; bits >= 8; bits -= 8, pending >>= 8)
			put_byte(to, pending);
	}
}

/* the definition levels, behind their size: version 1 of data pages */
static void put_levels(GByteArray *to, const GByteArray *levels, uint32_t rows)
{
	uint8_t run[PROTO_MAX_VARINT];
	size_t size = proto_put(run, (uint64_t)levels->len << 1 | 1) - run;

	put_u32(to, size + levels->len);
	put_run(to, rows);
	g_byte_array_append(to, levels->data, levels->len);
}

static unsigned int width_of(uint32_t texts)
{
	unsigned int width = 1;

	while (width < 32 && (texts - 1) >> width)
		width++;
	return width;
}

/* --- pages and row groups -------------------------------------------------------------- */

static void write_bytes(struct parquet *parquet, const void *data, size_t size)
{
	if (!parquet->error && fwrite(data, 1, size, parquet->out) != size)
		parquet->error = errno ? errno : EIO;
	parquet->at += size;
}

/* a part of a column chunk's ColumnMetaData */
struct chunk {
	uint64_t from, dictionary;	/* positions of the pages; 0: there is none */
	uint64_t plain_bytes;
};

/* PageHeader; DictionaryPageHeader and DataPageHeader begin alike */
static void write_page(struct parquet *parquet, struct chunk *chunk, int type, uint32_t values, int encoding)
{
	struct thrift page = { parquet->header, 0 }, of_type;
	size_t bound = ZSTD_compressBound(parquet->page->len), size;

	g_byte_array_set_size(parquet->packed, bound);
	size = ZSTD_compressCCtx(parquet->zstd, parquet->packed->data, bound, parquet->page->data,
				 parquet->page->len, ZSTD_CLEVEL_DEFAULT);
	if (ZSTD_isError(size))
		fatal("zstd: %s", ZSTD_getErrorName(size));
	g_byte_array_set_size(parquet->header, 0);
	put_i32(&page, 1, type);
	put_i32(&page, 2, parquet->page->len);
	put_i32(&page, 3, size);
	of_type = put_struct(&page, type == PAGE_DATA ? 5 : 7);
	put_i32(&of_type, 1, values);
	put_i32(&of_type, 2, encoding);
	if (type == PAGE_DATA) {
		put_i32(&of_type, 3, ENCODING_RLE);
		put_i32(&of_type, 4, ENCODING_RLE);
	}
	put_end(&of_type);
	put_end(&page);
	chunk->plain_bytes += parquet->header->len + parquet->page->len;
	write_bytes(parquet, parquet->header->data, parquet->header->len);
	write_bytes(parquet, parquet->packed->data, size);
	g_byte_array_set_size(parquet->page, 0);
}

static struct chunk write_chunk(struct parquet *parquet, const struct cells *cells, uint32_t rows)
{
	uint32_t texts = g_hash_table_size(cells->numbers);
	struct chunk chunk = { 0 };

	if (texts) {
		chunk.dictionary = parquet->at;
		g_byte_array_append(parquet->page, cells->texts->data, cells->texts->len);
		write_page(parquet, &chunk, PAGE_DICTIONARY, texts, ENCODING_PLAIN);
	}
	chunk.from = parquet->at;
	put_levels(parquet->page, cells->levels, rows);
	if (texts)
		put_bits(parquet->page, (const uint32_t *)(void *)cells->values->data,
			 cells->values->len / sizeof(uint32_t), width_of(texts));
	else
		g_byte_array_append(parquet->page, cells->values->data, cells->values->len);
	write_page(parquet, &chunk, PAGE_DATA, rows, texts ? ENCODING_RLE_DICTIONARY : ENCODING_PLAIN);
	return chunk;
}

/* Statistics: by them, a reader skips row groups without what it wants */
static void put_bounds(struct thrift *data, const struct column *column, const struct cells *cells)
{
	int64_t least = GINT64_TO_LE(cells->least), most = GINT64_TO_LE(cells->most);
	struct thrift bounds = put_struct(data, 12);

	put_i64(&bounds, 3, cells->nulls);
	if (column->type == COLUMN_INTEGER && cells->least <= cells->most) {
		put_binary(&bounds, 5, &most, sizeof(most));
		put_binary(&bounds, 6, &least, sizeof(least));
	} else if (cells->first && strlen(cells->first) <= BOUND_BYTES && strlen(cells->final) <= BOUND_BYTES) {
		put_binary(&bounds, 5, cells->final, strlen(cells->final));
		put_binary(&bounds, 6, cells->first, strlen(cells->first));
	}
	put_end(&bounds);
}

static int type_of(const struct column *column)
{
	return column->type == COLUMN_TEXT ? TYPE_BYTE_ARRAY : column->type == COLUMN_REAL ? TYPE_DOUBLE : TYPE_INT64;
}

/* ColumnChunk with its ColumnMetaData */
static void put_chunk(const struct sort *sort, const struct column *column, const struct cells *cells,
		      const struct chunk *chunk, uint64_t end)
{
	GByteArray *told = sort->told;
	struct thrift outer = { told, 0 }, data;
	uint64_t begin = chunk->dictionary ? chunk->dictionary : chunk->from;

	put_i64(&outer, 2, 0);		/* as the newest specification wants it */
	data = put_struct(&outer, 3);
	put_i32(&data, 1, type_of(column));
	put_list(&data, 2, THRIFT_I32, chunk->dictionary ? 3 : 2);
	put_zigzag(told, ENCODING_PLAIN);
	put_zigzag(told, ENCODING_RLE);
	if (chunk->dictionary)
		put_zigzag(told, ENCODING_RLE_DICTIONARY);
	put_list(&data, 3, THRIFT_BINARY, 1);
	put_varint(told, strlen(column->key));
	g_byte_array_append(told, (const void *)column->key, strlen(column->key));
	put_i32(&data, 4, CODEC_ZSTD);
	put_i64(&data, 5, sort->rows);
	put_i64(&data, 6, chunk->plain_bytes);
	put_i64(&data, 7, end - begin);
	put_i64(&data, 9, chunk->from);
	if (chunk->dictionary)
		put_i64(&data, 11, chunk->dictionary);
	put_bounds(&data, column, cells);
	put_end(&data);
	put_end(&outer);
}

static void empty_cells(struct cells *cells)
{
	g_byte_array_set_size(cells->levels, 0);
	g_byte_array_set_size(cells->values, 0);
	g_byte_array_set_size(cells->texts, 0);
	g_hash_table_remove_all(cells->numbers);
	cells->last = cells->first = cells->final = NULL;
	cells->nulls = 0;
	cells->least = INT64_MAX;
	cells->most = INT64_MIN;
}

static void write_group(struct parquet *parquet, struct sort *sort)
{
	struct thrift group = { sort->told, 0 };
	uint64_t from = parquet->at, plain_bytes = 0;

	if (!sort->rows)
		return;
	put_list(&group, 1, THRIFT_STRUCT, parquet->count);
	for (unsigned int nr = 0; nr < parquet->count; nr++) {
		struct cells *cells = &sort->cells[nr];
		struct chunk chunk = write_chunk(parquet, cells, sort->rows);

		put_chunk(sort, &parquet->columns[nr], cells, &chunk, parquet->at);
		plain_bytes += chunk.plain_bytes;
		parquet->texts_bytes -= cells->texts->len;
		empty_cells(cells);
	}
	put_i64(&group, 2, plain_bytes);
	put_i64(&group, 3, sort->rows);
	put_i64(&group, 5, from);
	put_i64(&group, 6, parquet->at - from);
	put_end(&group);
	sort->all_rows += sort->rows;
	sort->groups++;
	sort->rows = 0;
}

static void write_groups(struct parquet *parquet)
{
	for (unsigned int nr = 0; nr < parquet->sorts; nr++)
		write_group(parquet, &parquet->sort[nr]);
}

/* --- rows -------------------------------------------------------------------------------- */

static uint32_t add_text(struct parquet *parquet, struct cells *cells, char *text)
{
	uint32_t nr = g_hash_table_size(cells->numbers);
	size_t size = strlen(text);

	put_u32(cells->texts, size);
	g_byte_array_append(cells->texts, (const void *)text, size);
	parquet->texts_bytes += sizeof(uint32_t) + size;
	g_hash_table_insert(cells->numbers, text, GUINT_TO_POINTER(nr));
	if (!cells->first || strcmp(text, cells->first) < 0)
		cells->first = text;
	if (!cells->final || strcmp(text, cells->final) > 0)
		cells->final = text;
	return nr;
}

static void choose_text(struct parquet *parquet, struct cells *cells, const char *text)
{
	char *valid = g_utf8_make_valid(text, -1);
	gpointer key = valid, nr;

	if (g_hash_table_lookup_extended(cells->numbers, valid, &key, &nr)) {
		cells->last_nr = GPOINTER_TO_UINT(nr);
		g_free(valid);
	} else {
		cells->last_nr = add_text(parquet, cells, valid);
	}
	cells->last = key;
}

static void put_integer(struct cells *cells, int64_t value)
{
	int64_t plain = GINT64_TO_LE(value);

	g_byte_array_append(cells->values, (const void *)&plain, sizeof(plain));
	cells->least = MIN(cells->least, value);
	cells->most = MAX(cells->most, value);
}

static void put_real(struct cells *cells, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	bits = GUINT64_TO_LE(bits);
	g_byte_array_append(cells->values, (const void *)&bits, sizeof(bits));
}

/* Returns whether there is a value. */
static bool put_value(struct parquet *parquet, struct cells *cells, enum column_type type, const void *member)
{
	const char *text;

	switch (type) {
	case COLUMN_INTEGER:
		if (!known(*(const int64_t *)member))
			return false;
		put_integer(cells, *(const int64_t *)member);
		return true;
	case COLUMN_REAL:
		if (isnan(*(const double *)member))
			return false;
		put_real(cells, *(const double *)member);
		return true;
	case COLUMN_TEXT:
		text = *(const char *const *)member;
		if (!text)
			return false;
		/* most rows have the text of the one before */
		if (!cells->last || strcmp(cells->last, text))
			choose_text(parquet, cells, text);
		g_byte_array_append(cells->values, (const void *)&cells->last_nr, sizeof(cells->last_nr));
		return true;
	default:
		g_assert_not_reached();
	}
}

int parquet_row(struct parquet *parquet, unsigned int nr, const void *record)
{
	struct sort *sort = &parquet->sort[nr];

	for (unsigned int i = 0; i < parquet->count; i++) {
		const struct column *column = &parquet->columns[i];
		struct cells *cells = &sort->cells[i];
		bool there = put_value(parquet, cells, column->type, (const char *)record + column->offset);

		if (sort->rows % 8 == 0)
			put_byte(cells->levels, 0);
		cells->levels->data[sort->rows / 8] |= there << sort->rows % 8;
		cells->nulls += !there;
	}
	sort->rows++;
	if (sort->rows == PARQUET_ROWS)
		write_group(parquet, sort);
	/* of all sorts: texts of one would leave no room for those of another, and single rows be groups */
	if (parquet->texts_bytes > TEXTS_BYTES)
		write_groups(parquet);
	return parquet->error;
}

void parquet_forget(struct parquet *parquet, unsigned int nr)
{
	struct sort *sort = &parquet->sort[nr];

	for (unsigned int i = 0; i < parquet->count; i++) {
		parquet->texts_bytes -= sort->cells[i].texts->len;
		empty_cells(&sort->cells[i]);
	}
	/* what is not in the footer is not read */
	g_byte_array_set_size(sort->told, 0);
	sort->rows = sort->groups = sort->all_rows = 0;
}

/* --- the file ---------------------------------------------------------------------------- */

static struct cells *new_cells(unsigned int count)
{
	struct cells *cells = g_new0(struct cells, count);

	for (unsigned int nr = 0; nr < count; nr++) {
		cells[nr].levels = g_byte_array_new();
		cells[nr].values = g_byte_array_new();
		cells[nr].texts = g_byte_array_new();
		cells[nr].numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		empty_cells(&cells[nr]);
	}
	return cells;
}

static void free_cells(struct cells *cells, unsigned int count)
{
	for (unsigned int nr = 0; nr < count; nr++) {
		g_byte_array_unref(cells[nr].levels);
		g_byte_array_unref(cells[nr].values);
		g_byte_array_unref(cells[nr].texts);
		g_hash_table_destroy(cells[nr].numbers);
	}
	g_free(cells);
}

struct parquet *parquet_open(FILE *out, const struct column *columns, unsigned int sorts)
{
	struct parquet *parquet = g_new0(struct parquet, 1);

	parquet->out = out;
	parquet->columns = columns;
	while (!column_is_last(&columns[parquet->count]))
		parquet->count++;
	parquet->sorts = sorts;
	parquet->sort = g_new0(struct sort, sorts);
	for (unsigned int nr = 0; nr < sorts; nr++) {
		parquet->sort[nr].cells = new_cells(parquet->count);
		parquet->sort[nr].told = g_byte_array_new();
	}
	parquet->page = g_byte_array_new();
	parquet->packed = g_byte_array_new();
	parquet->header = g_byte_array_new();
	parquet->zstd = ZSTD_createCCtx();
	if (!parquet->zstd)
		fatal("zstd: out of memory");
	write_bytes(parquet, MAGIC, strlen(MAGIC));
	return parquet;
}

/* a SchemaElement for each column, below the root */
static void put_schema(struct thrift *file, const struct parquet *parquet)
{
	struct thrift element = { file->to, 0 }, logical;

	put_list(file, 2, THRIFT_STRUCT, parquet->count + 1);
	put_binary(&element, 4, "schema", strlen("schema"));
	put_i32(&element, 5, parquet->count);
	put_end(&element);
	for (unsigned int nr = 0; nr < parquet->count; nr++) {
		const struct column *column = &parquet->columns[nr];

		element.last = 0;
		put_i32(&element, 1, type_of(column));
		put_i32(&element, 3, REPETITION_OPTIONAL);
		put_binary(&element, 4, column->key, strlen(column->key));
		if (column->type == COLUMN_TEXT) {
			put_i32(&element, 6, CONVERTED_UTF8);
			logical = put_struct(&element, 10);
			put_empty_member(&logical);
		}
		put_end(&element);
	}
}

/* FileMetaData, its length, and the magic number */
static void write_footer(struct parquet *parquet)
{
	static const char creator[] = "gvt-stat version " GVT_STAT_VERSION;
	GByteArray *footer = g_byte_array_new();
	struct thrift file = { footer, 0 }, order;
	uint64_t rows = 0;
	uint32_t groups = 0;

	for (unsigned int nr = 0; nr < parquet->sorts; nr++) {
		rows += parquet->sort[nr].all_rows;
		groups += parquet->sort[nr].groups;
	}
	put_i32(&file, 1, 1);
	put_schema(&file, parquet);
	put_i64(&file, 3, rows);
	put_list(&file, 4, THRIFT_STRUCT, groups);
	for (unsigned int nr = 0; nr < parquet->sorts; nr++)
		g_byte_array_append(footer, parquet->sort[nr].told->data, parquet->sort[nr].told->len);
	put_binary(&file, 6, creator, strlen(creator));
	/* without it, bounds have no meaning */
	put_list(&file, 7, THRIFT_STRUCT, parquet->count);
	for (unsigned int nr = 0; nr < parquet->count; nr++) {
		order = (struct thrift) { footer, 0 };
		put_empty_member(&order);
	}
	put_end(&file);
	put_u32(footer, footer->len);
	write_bytes(parquet, footer->data, footer->len);
	write_bytes(parquet, MAGIC, strlen(MAGIC));
	g_byte_array_unref(footer);
}

int parquet_close(struct parquet *parquet)
{
	int error;

	write_groups(parquet);
	write_footer(parquet);
	error = parquet->error;
	for (unsigned int nr = 0; nr < parquet->sorts; nr++) {
		free_cells(parquet->sort[nr].cells, parquet->count);
		g_byte_array_unref(parquet->sort[nr].told);
	}
	g_free(parquet->sort);
	ZSTD_freeCCtx(parquet->zstd);
	g_byte_array_unref(parquet->page);
	g_byte_array_unref(parquet->packed);
	g_byte_array_unref(parquet->header);
	g_free(parquet);
	return error;
}
