// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "trace/util.h"
#include "spool.h"

/* number of records kept in memory */
#define FEW	4096

struct spool {
	size_t size;
	FILE *file;			/* NULL: all records are in memory */
	GArray *last;			/* records not yet in the file */
	uint64_t written;
};

static _Noreturn void failed(void)
{
	fatal("cannot keep lines in a temporary file: %s; there must be room for them in /tmp",
	      strerror(errno));
}

struct spool *spool_new(size_t size)
{
	struct spool *spool = g_new0(struct spool, 1);

	spool->size = size;
	spool->last = g_array_new(FALSE, FALSE, size);
	return spool;
}

void spool_free(struct spool *spool)
{
	if (spool->file)
		fclose(spool->file);
	g_array_free(spool->last, TRUE);
	g_free(spool);
}

static void write_out(struct spool *spool)
{
	if (!spool->file)
		spool->file = tmpfile();
	if (!spool->file ||
	    fwrite(spool->last->data, spool->size, spool->last->len, spool->file) != spool->last->len)
		failed();
	spool->written += spool->last->len;
	g_array_set_size(spool->last, 0);
}

void spool_add(struct spool *spool, const void *record)
{
	if (spool->last->len == FEW)
		write_out(spool);
	g_array_append_vals(spool->last, record, 1);
}

uint64_t spool_count(const struct spool *spool)
{
	return spool->written + spool->last->len;
}

static void each_written(struct spool *spool, void (*each)(void *ctx, const void *record),
			 void *ctx)
{
	void *record = g_malloc(spool->size);

	if (fflush(spool->file) || fseek(spool->file, 0, SEEK_SET))
		failed();
	for (uint64_t nr = 0; nr < spool->written; nr++) {
		if (fread(record, spool->size, 1, spool->file) != 1)
			failed();
		each(ctx, record);
	}
	if (fseek(spool->file, 0, SEEK_END))
		failed();
	g_free(record);
}

void spool_each(struct spool *spool, void (*each)(void *ctx, const void *record), void *ctx)
{
	if (spool->file)
		each_written(spool, each, ctx);
	for (unsigned int nr = 0; nr < spool->last->len; nr++)
		each(ctx, spool->last->data + nr * spool->size);
}
