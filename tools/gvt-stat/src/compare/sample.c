// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "host/supervise.h"
#include "trace/util.h"
#include "sample.h"

/* exact latencies to keep before rounding: over all rows, and at least for each row */
#define ALL_VALUES	(1 << 19)
#define MIN_VALUES	1024

/* minimum number of blocks of a row */
#define MIN_BLOCKS	64

/* the first rounding, as a part of the value */
#define FIRST_BUCKET	0.0005

static void free_row(void *data)
{
	struct sample_row *row = data;

	g_free(row->uuid);
	g_free(row->vm);
	g_array_free(row->blocks, TRUE);
	g_array_free(row->latencies, TRUE);
	g_free(row);
}

static guint hash_row(gconstpointer key)
{
	const struct sample_row *row = key;

	return (guint)row->vgpu_id ^ (guint)row->dev << 24 ^ (guint)row->engine->class << 16 ^
	       (guint)row->engine->instance << 20;
}

static gboolean same(gconstpointer one, gconstpointer other)
{
	const struct sample_row *a = one, *b = other;

	return a->dev == b->dev && a->vgpu_id == b->vgpu_id &&
	       a->engine->class == b->engine->class && a->engine->instance == b->engine->instance;
}

const struct sample_row *sample_find(const struct sample *sample, const struct sample_row *like)
{
	return g_hash_table_lookup(sample->index, like);
}

static struct sample_row *row_of(struct sample *sample, const struct gpu_engine *engine,
				 int64_t vgpu_id)
{
	const struct sample_row like = {
		.dev = engine->gpu->dev, .vgpu_id = vgpu_id, .engine = engine,
	};
	struct sample_row *row = (struct sample_row *)sample_find(sample, &like);

	if (row)
		return row;
	row = g_new(struct sample_row, 1);
	*row = like;
	row->waited_ns = UNKNOWN;
	row->blocks = g_array_new(FALSE, TRUE, sizeof(struct sample_block));
	row->latencies = g_array_new(FALSE, FALSE, sizeof(struct block_value));
	g_ptr_array_add(sample->rows, row);
	g_hash_table_add(sample->index, row);
	return row;
}

static struct sample_row *get_row(struct sample *sample, const struct vgpu_engine *queue, bool all)
{
	return row_of(sample, queue->engine, all ? UNKNOWN : queue->vgpu->id);
}

static void add_block(struct sample_block *to, const struct sample_block *from)
{
	double *sums = (double *)to;
	const double *more = (const double *)from;

	for (size_t nr = 0; nr < sizeof(*to) / sizeof(double); nr++)
		sums[nr] += more[nr];
}

/* merges pairs of blocks */
static void halve(struct sample_row *row)
{
	struct sample_block *blocks = (struct sample_block *)row->blocks->data;

	for (unsigned int nr = 1; nr < row->blocks->len; nr++) {
		struct sample_block block = blocks[nr];

		memset(&blocks[nr], 0, sizeof(block));
		add_block(&blocks[nr / 2], &block);
	}
	g_array_set_size(row->blocks, (row->blocks->len + 1) / 2);
	for (unsigned int nr = 0; nr < row->latencies->len; nr++)
		g_array_index(row->latencies, struct block_value, nr).block /= 2;
}

static void halve_lost(GByteArray *lost)
{
	for (unsigned int nr = 1; nr < lost->len; nr++) {
		guint8 one = lost->data[nr];

		lost->data[nr] = 0;
		lost->data[nr / 2] |= one;
	}
	g_byte_array_set_size(lost, (lost->len + 1) / 2);
}

static void halve_all_lost(struct sample *sample)
{
	halve_lost(sample->lost);
	for (unsigned int nr = 0; nr < sample->lost_of->len; nr++)
		halve_lost(sample->lost_of->pdata[nr]);
}

static unsigned int max_blocks(const struct sample *sample)
{
	unsigned int rows = MAX(sample->rows->len, 1);

	return CLAMP(SAMPLE_ALL_BLOCKS / rows, MIN_BLOCKS, SAMPLE_BLOCKS);
}

static int64_t block_at(struct sample *sample, int64_t ts_ns)
{
	int64_t since_ns = ts_ns - sample->follow.window.from_ns;

	while (since_ns / sample->block_ns >= max_blocks(sample)) {
		for (unsigned int nr = 0; nr < sample->rows->len; nr++)
			halve(sample->rows->pdata[nr]);
		halve_all_lost(sample);
		sample->block_ns *= 2;
	}
	return since_ns / sample->block_ns;
}

static struct sample_block *get_block(struct sample_row *row, int64_t nr)
{
	if (nr >= row->blocks->len)
		g_array_set_size(row->blocks, nr + 1);
	return &g_array_index(row->blocks, struct sample_block, nr);
}

static void add_exec(struct sample *sample, struct sample_row *row, int64_t from_ns, int64_t to_ns)
{
	while (from_ns < to_ns) {
		int64_t nr = block_at(sample, from_ns);
		int64_t left_ns = sample->block_ns -
				  (from_ns - sample->follow.window.from_ns) % sample->block_ns;

		/* the end of the last block may exceed the range of int64_t */
		left_ns = MIN(left_ns, to_ns - from_ns);
		get_block(row, nr)->exec_ns += left_ns;
		from_ns += left_ns;
	}
}

static void resize_lost(GByteArray *lost, unsigned int blocks)
{
	unsigned int before = lost->len;

	g_byte_array_set_size(lost, blocks);
	if (blocks > before)
		memset(lost->data + before, 0, blocks - before);
}

/* @engine: NULL: all engines */
static GByteArray *get_lost(struct sample *sample, const struct gpu_engine *engine)
{
	while (engine && engine->index >= sample->lost_of->len)
		g_ptr_array_add(sample->lost_of, g_byte_array_new());
	return engine ? sample->lost_of->pdata[engine->index] : sample->lost;
}

/* Marks the blocks from @from_ns to @to_ns as lost. */
static void lose_blocks(struct sample *sample, const struct gpu_engine *engine, int64_t from_ns,
			int64_t to_ns)
{
	int64_t last = block_at(sample, to_ns), first = block_at(sample, from_ns);
	GByteArray *lost = get_lost(sample, engine);

	if (lost->len <= last)
		resize_lost(lost, last + 1);
	for (int64_t nr = first; nr <= last; nr++)
		lost->data[nr] = 1;
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	struct sample *sample = ctx;
	const struct window *window = &sample->follow.window;

	from_ns = MAX(from_ns, window->from_ns);	/* UNKNOWN is less than any time */
	to_ns = known(to_ns) ? MIN(to_ns, window->to_ns) : window->to_ns;
	if (from_ns <= to_ns)
		lose_blocks(sample, engine, from_ns, MAX(to_ns - 1, from_ns));
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	struct sample *sample = ctx;
	const struct window *window = &sample->follow.window;

	from_ns = MAX(from_ns, window->from_ns);
	to_ns = known(to_ns) ? MIN(to_ns, window->to_ns) : window->to_ns;
	add_exec(sample, get_row(sample, w->queue, false), from_ns, to_ns);
	add_exec(sample, get_row(sample, w->queue, true), from_ns, to_ns);
}

static void add_value(double *count, double *total, int64_t value_ns)
{
	if (!known(value_ns))
		return;
	(*count)++;
	*total += value_ns;
}

static bool is_inside(const struct window *window, int64_t ts_ns)
{
	return known(ts_ns) && ts_ns >= window->from_ns && ts_ns < window->to_ns;
}

/* A wait is that of the stay at its end, @at_ns. */
static void add_host_stay(struct sample *sample, struct sample_row *row, int64_t wait_ns,
			  int64_t at_ns)
{
	struct sample_block *block;

	row->waited_ns = at_ns;
	if (!is_inside(&sample->follow.window, at_ns))
		return;
	block = get_block(row, block_at(sample, at_ns));
	add_value(&block->waits, &block->wait_ns, wait_ns);
}

static void on_host(void *ctx, const struct gpu_engine *engine, enum host_time what,
		    const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	struct sample *sample = ctx;
	const struct window *window = &sample->follow.window;
	struct sample_row *row;

	(void)holder;
	if (what == HOST_UNSURE) {
		on_unsure(sample, engine, from_ns, to_ns);
		return;
	}
	row = row_of(sample, engine, 0);
	if (what == HOST_RAN && is_inside(window, to_ns))
		get_block(row, block_at(sample, to_ns))->done++;
	if (what == HOST_WAITED)
		add_host_stay(sample, row, to_ns - from_ns, to_ns);
	else if (from_ns != row->waited_ns)
		add_host_stay(sample, row, 0, from_ns);
	if (what == HOST_RAN)
		add_exec(sample, row, MAX(from_ns, window->from_ns),
			 known(to_ns) ? MIN(to_ns, window->to_ns) : window->to_ns);
}

static gint compare_values(gconstpointer a, gconstpointer b)
{
	const struct block_value *one = a, *two = b;

	if (one->block != two->block)
		return (one->block > two->block) - (one->block < two->block);
	return (one->value > two->value) - (one->value < two->value);
}

static double rounded(double value, double bucket)
{
	return value > 0 ? exp(round(log(value) / bucket) * bucket) : value;
}

/* merges equal values of a block; all values have been rounded */
static void merge(struct sample_row *row)
{
	struct block_value *values = (struct block_value *)row->latencies->data;
	unsigned int kept = 0;

	for (unsigned int nr = 0; nr < row->latencies->len; nr++)
		values[nr].value = rounded(values[nr].value, row->bucket);
	g_array_sort(row->latencies, compare_values);
	for (unsigned int nr = 1; nr < row->latencies->len; nr++)
		if (compare_values(&values[kept], &values[nr]))
			values[++kept] = values[nr];
		else
			values[kept].count += values[nr].count;
	g_array_set_size(row->latencies, kept + 1);
}

static void add_latency(const struct sample *sample, struct sample_row *row, int64_t latency_ns,
			int64_t block)
{
	struct block_value value = { latency_ns, block, 1 };
	unsigned int most = MAX(ALL_VALUES / sample->rows->len, MIN_VALUES);

	g_array_append_val(row->latencies, value);
	while (row->latencies->len >= most) {
		row->bucket = row->bucket > 0 ? 2 * row->bucket : FIRST_BUCKET;
		merge(row);
		if (row->latencies->len < most / 2)
			break;
	}
}

static void add_done(const struct sample *sample, struct sample_row *row,
		     const struct workload *w, int64_t nr)
{
	struct sample_block *block = get_block(row, nr);

	block->done++;
	add_value(&block->waits, &block->wait_ns, workload_wait(w));
	add_value(&block->latencies, &block->latency_ns, workload_latency(w));
	add_value(&block->execs, &block->exec_sum_ns, workload_exec(w));
	if (known(workload_latency(w)))
		add_latency(sample, row, workload_latency(w), nr);
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct sample *sample = ctx;
	const struct window *window = &sample->follow.window;
	bool good = w->completed && !w->status;

	if (!known(w->end_ns) || w->end_ns < window->from_ns || w->end_ns >= window->to_ns)
		return;
	sample->tainted += w->tainted;
	/* otherwise the mean would include only workloads short enough to be known */
	if (w->tainted && good && (!known(workload_latency(w)) || !known(workload_exec(w))))
		lose_blocks(sample, w->queue->engine, w->end_ns, w->end_ns);
	for (int all = 0; all < 2; all++) {
		struct sample_row *row = get_row(sample, w->queue, all);
		int64_t nr = block_at(sample, w->end_ns);

		if (good)
			add_done(sample, row, w, nr);
		else
			get_block(row, nr)->failed++;
	}
}

/* UNKNOWN, the lowest number, stands for all vGPUs, and sorts last */
static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct sample_row *one = *(struct sample_row *const *)a;
	const struct sample_row *two = *(struct sample_row *const *)b;
	const int64_t keys[][2] = {
		{ one->dev, two->dev }, { !known(one->vgpu_id), !known(two->vgpu_id) },
		{ one->vgpu_id, two->vgpu_id }, { one->engine->class, two->engine->class },
		{ one->engine->instance, two->engine->instance },
	};

	for (size_t nr = 0; nr < G_N_ELEMENTS(keys); nr++)
		if (keys[nr][0] != keys[nr][1])
			return keys[nr][0] < keys[nr][1] ? -1 : 1;
	return 0;
}

static void drop_behind(struct sample_row *row, unsigned int blocks)
{
	unsigned int kept = 0;

	g_array_set_size(row->blocks, blocks);
	for (unsigned int nr = 0; nr < row->latencies->len; nr++) {
		struct block_value value = g_array_index(row->latencies, struct block_value, nr);

		if (value.block < blocks)
			g_array_index(row->latencies, struct block_value, kept++) = value;
	}
	g_array_set_size(row->latencies, kept);
}

static void leave_out_lost(struct sample_row *row, const GByteArray *lost)
{
	struct sample_block *blocks = (struct sample_block *)row->blocks->data;
	unsigned int *numbers = g_new(unsigned int, row->blocks->len), kept = 0;

	for (unsigned int nr = 0; nr < row->blocks->len; nr++) {
		numbers[nr] = kept;
		if (!lost->data[nr])
			blocks[kept++] = blocks[nr];
	}
	g_array_set_size(row->blocks, kept);
	kept = 0;
	for (unsigned int nr = 0; nr < row->latencies->len; nr++) {
		struct block_value value = g_array_index(row->latencies, struct block_value, nr);

		if (lost->data[value.block])
			continue;
		value.block = numbers[value.block];
		g_array_index(row->latencies, struct block_value, kept++) = value;
	}
	g_array_set_size(row->latencies, kept);
	g_free(numbers);
}

static void note_names(struct sample *sample, struct sample_row *row)
{
	const struct vgpu *vgpu = model_vgpu(sample->follow.model, row->dev, row->vgpu_id);

	if (!vgpu)
		return;
	row->uuid = g_strdup(vgpu->uuid);
	row->vm = g_strdup(vgpu->vm);
}

/* counts whole blocks: a partial block would contain less */
static void count_whole(struct sample *sample)
{
	const struct window *window = &sample->follow.window;

	/* blocks without work count, too */
	block_at(sample, MAX(window->to_ns - 1, window->from_ns));
	sample->blocks = (window->to_ns - window->from_ns) / sample->block_ns;
	if (sample->blocks < 2)
		fatal("%s: the window is %.3f s long, two blocks of %.3f s are the least to compare: choose shorter ones with --block",
		      sample->follow.trace->path,
		      (double)(window->to_ns - window->from_ns) / NSEC_PER_SEC,
		      (double)sample->block_ns / NSEC_PER_SEC);
	resize_lost(sample->lost, sample->blocks);
}

/* drops blocks with lost events, which would contain less, too */
static void count_lost(struct sample *sample)
{
	unsigned int whole = sample->blocks;

	for (unsigned int nr = 0; nr < whole; nr++)
		sample->lost_blocks += sample->lost->data[nr];
	sample->blocks -= sample->lost_blocks;
	if (sample->blocks < 2)
		fatal("%s: events were lost in %u of %u blocks of %g s, two others are the least to compare: choose shorter ones with --block, or record with larger buffers",
		      sample->follow.trace->path, sample->lost_blocks, whole,
		      (double)sample->block_ns / NSEC_PER_SEC);
}

/* lost blocks for the rows of an engine; @whole: number of all blocks */
static GByteArray *lost_of_row(struct sample *sample, const struct sample_row *row, unsigned int whole)
{
	GByteArray *lost = get_lost(sample, row->engine);

	resize_lost(lost, whole);
	for (unsigned int nr = 0; nr < whole; nr++)
		lost->data[nr] |= sample->lost->data[nr];
	return lost;
}

static void finish(struct sample *sample)
{
	unsigned int whole;

	count_whole(sample);
	whole = sample->blocks;
	sample_energy(sample);
	count_lost(sample);
	g_ptr_array_sort(sample->rows, compare_rows);
	for (unsigned int nr = 0; nr < sample->rows->len; nr++) {
		struct sample_row *row = sample->rows->pdata[nr];

		drop_behind(row, whole);
		leave_out_lost(row, lost_of_row(sample, row, whole));
		note_names(sample, row);
	}
}

int64_t sample_length(const struct selection *selection, const char *path)
{
	struct selection one = *selection;
	struct follow follow;
	int64_t length_ns;

	one.input = path;
	one.done = NULL;
	supervise_allow(path);
	follow_open(&follow, &one);
	follow_run(&follow);
	length_ns = follow.window.to_ns - follow.window.from_ns;
	follow_close(&follow);
	return length_ns;
}

struct sample *sample_read(const struct selection *selection, const char *path,
			   int64_t block_ns)
{
	struct sample *sample = g_new0(struct sample, 1);
	const struct model_listener listener = {
		.ran = on_ran, .ended = on_ended, .unsure = on_unsure, .host = on_host,
		.ctx = sample,
	};

	sample->selection = *selection;
	sample->selection.input = path;
	sample->selection.beside = QUANTITY_BIT(QUANTITY_ENERGY);
	sample->block_ns = block_ns;
	sample->rows = g_ptr_array_new_with_free_func(free_row);
	sample->index = g_hash_table_new(hash_row, same);
	sample->lost = g_byte_array_new();
	sample->lost_of = g_ptr_array_new_with_free_func((GDestroyNotify)g_byte_array_unref);
	supervise_allow(path);
	follow_open(&sample->follow, &sample->selection);
	model_listen(sample->follow.model, &listener);
	sample->timeline = timeline_new(&sample->follow, true);
	follow_run(&sample->follow);
	model_finish(sample->follow.model);
	selection_check_known(&sample->selection, sample->follow.model);
	finish(sample);
	return sample;
}

void sample_free(struct sample *sample)
{
	timeline_free(sample->timeline);
	g_ptr_array_free(sample->lost_of, TRUE);
	g_byte_array_free(sample->lost, TRUE);
	g_hash_table_destroy(sample->index);
	g_ptr_array_free(sample->rows, TRUE);
	follow_close(&sample->follow);
	g_free(sample);
}
