// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lanes - print the lanes of a trace, and see that they agree with everything else
 *
 *   lanes [-q | -p WINDOW] FILE     -q: print only what does not agree; -p: of this window
 *
 * On each lane: in order, without overlap, inside the window. The sums of LANE_ENGINE are
 * those of metrics.h, those of LANE_WAITS those of blame.h, of LANE_VCPU those of vcpus.h.
 * Each piece that the model tells is on LANE_LIVES once, to the nanosecond.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/blame.h"
#include "analysis/metrics.h"
#include "lanes/lanes.h"
#include "trace/util.h"

struct seen {
	struct follow follow;
	bool quiet;
	GArray *until_ns;		/* int64_t by lane.index */
	GHashTable *sums;		/* int64_t by text */
	GHashTable *pieces;		/* the model's, as text, less those of lanes */
	int64_t intervals;
	int faults;
};

static void fault(struct seen *seen, const char *what, const char *where, int64_t a, int64_t b)
{
	printf("FAULT: %s: %s: %" PRId64 ", %" PRId64 "\n", where, what, a, b);
	seen->faults++;
}

static void on_lane(void *ctx, const struct lane *lane)
{
	struct seen *seen = ctx;
	int64_t none = INT64_MIN;

	if (lane->index != seen->until_ns->len)
		fault(seen, "lanes are not counted", lane_kind_name(lane->kind), lane->index, 0);
	g_array_append_val(seen->until_ns, none);
}

/* "rcs0 vGPU 1", as far as the lane is about these */
static char *name_of(const struct lane *lane)
{
	if (lane->vcpu)
		return g_strdup_printf("vcpu %" PRId64, lane->vcpu->pid);
	return g_strdup_printf("%s %s%s%s", lane_kind_name(lane->kind),
			       lane->engine ? lane->engine->name : "",
			       lane->vgpu ? " " : "", lane->vgpu ? lane->vgpu->label : "");
}

static void add(GHashTable *sums, char *key, int64_t value)
{
	int64_t *sum = g_hash_table_lookup(sums, key);

	if (!sum) {
		sum = g_new0(int64_t, 1);
		g_hash_table_insert(sums, g_strdup(key), sum);
	}
	*sum += value;
	g_free(key);
}

static char *queue_key(const char *what, const struct vgpu *vgpu, const struct gpu_engine *engine,
		       enum wait_class class, const struct vgpu *culprit)
{
	return g_strdup_printf("%s %" PRId64 ".%" PRId64 " %" PRId64 ".%" PRId64 " %d %p", what,
			       vgpu->dev, vgpu->id, engine->class, engine->instance, class,
			       (const void *)culprit);
}

static char *piece_key(const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	return g_strdup_printf("piece %" PRId64 ".%" PRId64 " %" PRId64 "-%" PRId64, w->dev, w->id,
			       from_ns, to_ns);
}

static void count(struct seen *seen, const struct lane_interval *interval)
{
	const struct lane *lane = interval->lane;
	int64_t length_ns = interval->to_ns - interval->from_ns;

	if (lane->kind == LANE_ENGINE && interval->workload)
		add(seen->sums, queue_key("runs", interval->vgpu, lane->engine, 0, NULL), length_ns);
	if (lane->kind == LANE_WAITS)
		add(seen->sums, queue_key("waits", interval->vgpu, lane->engine, interval->class,
					  interval->culprit), length_ns);
	if (lane->kind == LANE_VCPU)
		add(seen->sums, g_strdup_printf("vcpu %" PRId64 " %d", lane->vcpu->pid,
						interval->state), length_ns);
	if (interval->state == LANE_EXECUTES && interval->begin == LIMIT_SEEN &&
	    interval->end == LIMIT_SEEN)
		add(seen->pieces, piece_key(interval->workload, interval->from_ns, interval->to_ns), -1);
}

static void print(const struct lane_interval *interval, const char *name)
{
	static const char limits[] = "|~?";
	static const char *const edges[] = { "", " begin", " step", " end" };

	printf("%s/%u %" PRId64 "%c-%" PRId64 "%c %s", name, interval->lane->slot, interval->from_ns,
	       limits[interval->begin], interval->to_ns, limits[interval->end],
	       lane_state_name(interval->state));
	if (interval->class)
		printf(" %s", wait_class_name(interval->class));
	if (interval->culprit)
		printf(" %s", interval->culprit->label);
	if (interval->workload)
		printf(" w%" PRId64, interval->workload->id);
	if (!interval->lane->vgpu && interval->vgpu)
		printf(" %s", interval->vgpu->label);
	printf("%s\n", edges[interval->edge]);
}

static void on_interval(void *ctx, const struct lane_interval *interval)
{
	struct seen *seen = ctx;
	const struct window *window = &seen->follow.window;
	int64_t *until_ns = &g_array_index(seen->until_ns, int64_t, interval->lane->index);
	char *name = name_of(interval->lane);

	if (interval->from_ns < *until_ns)
		fault(seen, "overlaps", name, interval->from_ns, *until_ns);
	if (interval->to_ns < interval->from_ns)
		fault(seen, "ends before it begins", name, interval->from_ns, interval->to_ns);
	if (interval->from_ns < window->from_ns || interval->to_ns > window->to_ns)
		fault(seen, "is outside of the window", name, interval->from_ns, interval->to_ns);
	*until_ns = interval->to_ns;
	count(seen, interval);
	seen->intervals++;
	if (!seen->quiet)
		print(interval, name);
	g_free(name);
}

static void on_mark(void *ctx, const struct lane_mark *mark)
{
	if (!((struct seen *)ctx)->quiet)
		printf("%s %s %" PRId64 " %" PRId64 " w%" PRId64 "%s\n",
		       mark->kind == MARK_WOKEN ? "woken" : "queued",
		       mark->kind == MARK_WOKEN ? "is" : "by", mark->tid, mark->at_ns,
		       mark->workload.id, mark->lane ? " vcpu" : "");
}

static void on_sample(void *ctx, const struct lane_counter *counter, int64_t at_ns, double value)
{
	if (!((struct seen *)ctx)->quiet)
		printf("%s%s%s %" PRId64 " %g\n", counter_name(counter->kind),
		       counter->vgpu ? " " : "", counter->vgpu ? counter->vgpu->label : "", at_ns, value);
}

static void on_piece(void *ctx, const struct piece *piece)
{
	struct seen *seen = ctx;

	if (known(piece->start_ns) && known(piece->stop_ns) &&
	    piece->start_ns >= seen->follow.window.from_ns &&
	    piece->stop_ns <= seen->follow.window.to_ns)
		add(seen->pieces, piece_key(piece->workload, piece->start_ns, piece->stop_ns), 1);
}

static void compare(struct seen *seen, char *key, int64_t expected)
{
	const int64_t *sum = g_hash_table_lookup(seen->sums, key);

	if ((sum ? *sum : 0) != expected)
		fault(seen, "is not the sum", key, sum ? *sum : 0, expected);
	g_free(key);
}

static void compare_all(struct seen *seen, struct metrics *metrics, struct blame *blame,
			const struct vcpus *vcpus)
{
	const GPtrArray *queues = model_vgpu_engines(seen->follow.model);
	const GPtrArray *rows = blame_rows(blame), *threads = vcpus_list(vcpus);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		compare(seen, queue_key("runs", queue->vgpu, queue->engine, 0, NULL),
			metrics_of_vgpu_engine(metrics, nr)->exec_ns);
	}
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct blame_row *row = rows->pdata[nr];

		compare(seen, queue_key("waits", row->queue->vgpu, row->queue->engine, row->class,
					row->culprit), row->wait_ns);
	}
	for (unsigned int nr = 0; nr < threads->len; nr++) {
		const struct vcpu *vcpu = threads->pdata[nr];

		for (enum vcpu_state state = 0; state < VCPU_UNKNOWN; state++)
			compare(seen, g_strdup_printf("vcpu %" PRId64 " %d", vcpu->pid,
						      LANE_GUEST + state), vcpu->time_ns[state]);
	}
}

static void compare_pieces(struct seen *seen)
{
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, seen->pieces);
	while (g_hash_table_iter_next(&iter, &key, &value))
		if (*(int64_t *)value)
			fault(seen, "a piece is not there once", key, *(int64_t *)value, 0);
}

static void watch(struct seen *seen)
{
	static const struct lanes_ops ops = {
		.lane = on_lane, .interval = on_interval, .mark = on_mark, .sample = on_sample,
	};
	const struct model_listener listener = { .piece = on_piece, .ctx = seen };
	struct follow *follow = &seen->follow;
	struct metrics *metrics = metrics_new(follow->model, follow->window, follow->trace->start_ns);
	struct slices *slices = slices_new(follow->window);
	struct blame *blame = blame_new(follow);
	struct vcpus *vcpus = vcpus_new(NULL);
	struct blocks *blocks = blocks_new(follow->window.from_ns, 2);
	struct lanes *lanes = lanes_new(follow, slices, vcpus, &ops, seen);

	model_listen(follow->model, &listener);
	slices_follow(slices, follow);
	vcpus_follow(vcpus, follow, blocks);
	follow_run(follow);
	model_finish(follow->model);
	metrics_finish(metrics);
	slices_finish(slices, follow->window);
	vcpus_finish(vcpus, follow->window);
	lanes_finish(lanes);
	compare_all(seen, metrics, blame, vcpus);
	compare_pieces(seen);
	if (lanes_dropped(lanes))
		fault(seen, "without a lane", "intervals", lanes_dropped(lanes), 0);
	lanes_free(lanes);
	blocks_free(blocks);
	vcpus_free(vcpus);
	blame_free(blame);
	slices_free(slices);
	metrics_free(metrics);
}

int main(int argc, char **argv)
{
	struct seen seen = { .quiet = argc > 2 && !strcmp(argv[1], "-q") };
	struct selection selection;

	selection_init(&selection);
	selection.input = argv[argc - 1];
	if (argc > 3 && !timespan_parse(argv[2], &selection.span))
		fatal("%s is no window", argv[2]);
	selection.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_BLAME) |
			       QUANTITY_BIT(QUANTITY_GUEST) | QUANTITY_BIT(QUANTITY_RUNNABLE);
	selection.beside = QUANTITY_BIT(QUANTITY_WAKERS);
	seen.until_ns = g_array_new(FALSE, FALSE, sizeof(int64_t));
	seen.sums = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	seen.pieces = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	follow_open(&seen.follow, &selection);
	watch(&seen);
	printf("%" PRId64 " intervals, %u lanes, %d faults\n", seen.intervals, seen.until_ns->len,
	       seen.faults);
	follow_close(&seen.follow);
	g_hash_table_destroy(seen.pieces);
	g_hash_table_destroy(seen.sums);
	g_array_free(seen.until_ns, TRUE);
	return seen.faults != 0;
}
