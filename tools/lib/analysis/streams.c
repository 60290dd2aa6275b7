// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "streams-private.h"

/* maximum number of workloads kept of all streams */
#define STREAMS_MOST	(2 * STREAM_MOST)
/* maximum number of run times kept */
#define MOST_STAYS	4096

/*
 * i915 runs a context of its own when there is nothing else to do, for much less than this.
 * Whether a pause is long enough for it depends on the settings, so it is no part of a stream.
 */
#define IDLE_WORK_NS	20000
/* maximum share of strays, and of their execution time relative to the usual */
#define STRAYS_PART	0.1
#define STRAY_EXEC_PART	0.01
/* maximum number of work contexts distinguished from idle work */
#define MOST_CONTEXTS	64
/* share of the window that a vGPU is silent at one end if it came or went */
#define AWAY_PART	0.1

struct streams {
	struct model *model;
	GPtrArray *queues;		/* struct queue, by index of the vgpu_engine; NULL: none */
	GPtrArray *streams;		/* struct stream, of the queues */
	GArray *told;			/* struct told */
	unsigned int kept;		/* number of lives of all queues */
	unsigned int most;		/* maximum per queue */
	unsigned int most_kept;		/* maximum of all queues */
	int64_t gap_end_ns;		/* of the last gap; INT64_MIN: none */
	GArray *host_ns;		/* int64_t by gpu_engine.index: the host's execution */
};

/* external knowledge, by vGPU */
struct told {
	int64_t vgpu_id;
	struct stream_told what;
};

/* --- queues ------------------------------------------------------------------------------ */

static void free_queue(void *data)
{
	struct queue *queue = data;

	if (!queue)
		return;
	g_array_free(queue->lives, TRUE);
	g_array_free(queue->contexts, TRUE);
	g_array_free(queue->stays, TRUE);
	stream_clear(&queue->stream);
	if (queue->stream.work) {
		g_array_free(queue->stream.work, TRUE);
		g_ptr_array_free(queue->stream.others, TRUE);
	}
	g_free(queue);
}

static struct queue *get_queue(struct streams *streams, const struct vgpu_engine *of)
{
	struct queue *queue;

	if (of->index >= streams->queues->len)
		g_ptr_array_set_size(streams->queues, of->index + 1);
	queue = streams->queues->pdata[of->index];
	if (queue)
		return queue;
	queue = g_new0(struct queue, 1);
	queue->queue = of;
	queue->lives = g_array_new(FALSE, FALSE, sizeof(struct life));
	queue->contexts = g_array_new(FALSE, FALSE, sizeof(int64_t));
	queue->stays = g_array_new(FALSE, FALSE, sizeof(int64_t));
	streams->queues->pdata[of->index] = queue;
	return queue;
}

/* --- what a guest's driver does when there is nothing to do ---------------------------- */

static bool is_context_of_work(const struct queue *queue, int64_t lrca)
{
	for (guint nr = 0; nr < queue->contexts->len; nr++)
		if (g_array_index(queue->contexts, int64_t, nr) == lrca)
			return true;
	return false;
}

static void note_context(struct queue *queue, const struct life *life)
{
	if (known(life->guest_lrca) && life->exec_ns > IDLE_WORK_NS &&
	    queue->contexts->len < MOST_CONTEXTS && !is_context_of_work(queue, life->guest_lrca))
		g_array_append_val(queue->contexts, life->guest_lrca);
}

static bool is_idle_work(const struct queue *queue, int64_t lrca, int64_t exec_ns)
{
	return known(lrca) && known(exec_ns) && exec_ns <= IDLE_WORK_NS && queue->contexts->len &&
	       queue->contexts->len < MOST_CONTEXTS && !is_context_of_work(queue, lrca);
}

bool streams_is_idle_work(const struct streams *streams, const struct workload *w)
{
	unsigned int index = w->queue->index;
	const struct queue *queue = index < streams->queues->len ? streams->queues->pdata[index] : NULL;

	return queue && is_idle_work(queue, w->guest_lrca, workload_exec(w));
}

/* --- collecting ------------------------------------------------------------------------- */

/* keep the first @most; copies, as a truncated array keeps its memory */
static void cut_lives(struct queue *queue, unsigned int most)
{
	GArray *lives = queue->lives;

	if (lives->len <= most)
		return;
	queue->cut = true;
	queue->lives = g_array_sized_new(FALSE, FALSE, sizeof(struct life), most);
	g_array_append_vals(queue->lives, lives->data, most);
	g_array_free(lives, TRUE);
}

/* The number of queues is unknown in advance: the more there are, the less is kept of each. */
static void make_room(struct streams *streams)
{
	while (streams->kept > streams->most_kept) {
		streams->most /= 2;
		streams->kept = 0;
		for (unsigned int nr = 0; nr < streams->queues->len; nr++) {
			struct queue *queue = streams->queues->pdata[nr];

			if (!queue)
				continue;
			cut_lives(queue, streams->most);
			streams->kept += queue->lives->len;
		}
	}
}

static void keep_life(struct streams *streams, struct queue *queue, const struct life *life)
{
	if (queue->lives->len >= streams->most) {
		queue->cut = true;
		return;
	}
	g_array_append_vals(queue->lives, life, 1);
	streams->kept++;
	make_room(streams);
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct streams *streams = ctx;
	struct queue *queue = get_queue(ctx, w->queue);
	struct life life = {
		w->queue_ns, w->end_ns, workload_exec(w), w->guest_lrca, queue->holes
	};

	if (!known(life.queue_ns) || !known(life.end_ns) || !w->completed || w->tainted ||
	    !known(life.exec_ns) || life.exec_ns <= 0) {
		/* a workload without execution hides nothing */
		queue->hole |= life.exec_ns != 0;
		return;
	}
	if (queue->hole || queue->last_queue_ns < streams->gap_end_ns)
		life.holes = ++queue->holes;
	queue->hole = false;
	queue->last_queue_ns = life.queue_ns;
	note_context(queue, &life);
	keep_life(ctx, queue, &life);
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	struct streams *streams = ctx;

	(void)from_ns;
	if (!engine && known(to_ns))
		streams->gap_end_ns = to_ns;
}

static void on_piece(void *ctx, const struct piece *piece)
{
	int64_t stay_ns = difference(piece->stop_ns, piece->start_ns);
	struct queue *queue;

	if (piece->completed)
		return;
	queue = get_queue(ctx, piece->workload->queue);
	queue->preempted++;
	if (queue->stays->len < MOST_STAYS && stay_ns > 0)
		g_array_append_val(queue->stays, stay_ns);
}

static void on_host(void *ctx, const struct gpu_engine *engine, enum host_time what,
		    const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	struct streams *streams = ctx;

	(void)holder;
	if (what != HOST_RAN || !known(from_ns) || !known(to_ns))
		return;
	if (engine->index >= streams->host_ns->len)
		g_array_set_size(streams->host_ns, engine->index + 1);
	g_array_index(streams->host_ns, int64_t, engine->index) += to_ns - from_ns;
}

/* matters from one per cent of the time on */
static bool shares_with_host(const struct streams *streams, const struct gpu_engine *engine,
			     struct window window)
{
	return engine->index < streams->host_ns->len &&
	       g_array_index(streams->host_ns, int64_t, engine->index) >
	       (window.to_ns - window.from_ns) / 100;
}

struct streams *streams_new(struct model *model)
{
	struct streams *streams = g_new0(struct streams, 1);
	const struct model_listener listener = {
		.ended = on_ended, .piece = on_piece, .unsure = on_unsure, .host = on_host,
		.ctx = streams
	};

	streams->model = model;
	streams->gap_end_ns = INT64_MIN;
	streams->most = STREAM_MOST;
	streams->most_kept = STREAMS_MOST;
	streams->queues = g_ptr_array_new_with_free_func(free_queue);
	streams->host_ns = g_array_new(FALSE, TRUE, sizeof(int64_t));
	streams->streams = g_ptr_array_new();
	streams->told = g_array_new(FALSE, FALSE, sizeof(struct told));
	model_listen(model, &listener);
	return streams;
}

void streams_free(struct streams *streams)
{
	g_ptr_array_free(streams->streams, TRUE);
	g_array_free(streams->host_ns, TRUE);
	g_array_free(streams->told, TRUE);
	g_ptr_array_free(streams->queues, TRUE);
	g_free(streams);
}

void streams_keep(struct streams *streams, unsigned int most)
{
	streams->most = MIN(streams->most, most);
	streams->most_kept = most;
}

void streams_tell(struct streams *streams, int64_t vgpu_id, const struct stream_told *told)
{
	const struct told one = { vgpu_id, *told };

	g_array_append_val(streams->told, one);
}

/* --- concluding ------------------------------------------------------------------------- */

static gint compare_lives(gconstpointer a, gconstpointer b)
{
	const struct life *one = a, *two = b;

	return (one->queue_ns > two->queue_ns) - (one->queue_ns < two->queue_ns);
}

/*
 * Remove idle work: the pause around it is continuous, and the next workload, which waited
 * for it, would have come earlier by its execution time
 */
static void leave_out_idle_work(struct queue *queue)
{
	GArray *lives = queue->lives;
	int64_t end_ns = UNKNOWN, took_ns = 0;
	guint kept = 0;

	for (guint nr = 0; nr < lives->len; nr++) {
		struct life life = *life_at(lives, nr);

		if (is_idle_work(queue, life.guest_lrca, life.exec_ns)) {
			end_ns = life.end_ns;
			took_ns = life.end_ns - life.queue_ns;
			continue;
		}
		if (known(end_ns) && life.queue_ns >= end_ns)
			life.queue_ns -= took_ns;
		end_ns = UNKNOWN;
		g_array_index(lives, struct life, kept++) = life;
	}
	if (kept < lives->len)
		queue->stream.doubts |= 1u << STREAM_IDLE_WORK;
	g_array_set_size(lives, kept);
}

/* A few very short workloads are no evidence on when the others come */
static void leave_out_strays(GArray *lives)
{
	GArray *exec = numbers_new();
	int64_t least_ns;
	guint kept = 0, short_ones = 0;

	for (guint nr = 0; nr < lives->len; nr++)
		g_array_append_val(exec, life_at(lives, nr)->exec_ns);
	least_ns = lives->len ? MIN(numbers_median(exec) * STRAY_EXEC_PART, IDLE_WORK_NS) : 0;
	g_array_free(exec, TRUE);
	for (guint nr = 0; nr < lives->len; nr++)
		short_ones += life_at(lives, nr)->exec_ns < least_ns;
	if (short_ones > STRAYS_PART * lives->len)
		return;
	for (guint nr = 0; nr < lives->len; nr++) {
		const struct life life = *life_at(lives, nr);

		if (life.exec_ns >= least_ns)
			g_array_index(lives, struct life, kept++) = life;
	}
	g_array_set_size(lives, kept);
}

/* Keeps workloads queued in the window: a part of a trace shows its guests' work at that time. */
static void keep_window(GArray *lives, struct window window)
{
	guint kept = 0;

	for (guint nr = 0; nr < lives->len; nr++) {
		const struct life life = *life_at(lives, nr);

		if (life.queue_ns >= window.from_ns && life.queue_ns < window.to_ns)
			g_array_index(lives, struct life, kept++) = life;
	}
	g_array_set_size(lives, kept);
}

/* A repeated loop has no pause for the time before its first and after its last workload */
static bool was_away(const GArray *lives, struct window window)
{
	double window_ns = (double)window.to_ns - window.from_ns, between_ns = 0, silent_ns;

	for (guint nr = 1; nr < lives->len; nr++)
		between_ns = MAX(between_ns, (double)life_at(lives, nr)->queue_ns -
				 life_at(lives, nr - 1)->queue_ns);
	silent_ns = MAX((double)life_at(lives, 0)->queue_ns - window.from_ns,
			(double)window.to_ns - life_at(lives, lives->len - 1)->queue_ns);
	return silent_ns > AWAY_PART * window_ns && silent_ns > 2 * between_ns;
}

static bool is_preemptive(const struct sched_info *info)
{
	return !g_strcmp0(info->dispatch, "preemptive");
}

static const struct stream_told *told_of(const struct streams *streams, const struct vgpu *vgpu)
{
	for (guint nr = streams->told->len; nr-- > 0; ) {
		const struct told *told = &g_array_index(streams->told, struct told, nr);

		if (told->vgpu_id == vgpu->id)
			return &told->what;
	}
	return NULL;
}

static void infer(const struct streams *streams, struct queue *queue, struct window window)
{
	const struct vgpu *vgpu = queue->queue->vgpu;
	bool preemptive = is_preemptive(model_sched_info(streams->model, vgpu->dev));
	struct stream *stream = &queue->stream;

	stream_init(stream, vgpu, queue->queue->engine);
	g_array_sort(queue->lives, compare_lives);
	leave_out_idle_work(queue);
	leave_out_strays(queue->lives);
	keep_window(queue->lives, window);
	if (queue->lives->len)
		work_infer(queue->lives, stream, window, told_of(streams, stream->vgpu));
	pieces_guess(queue, stream, preemptive);
	stream->always = !preemptive && queue->preempted;
	if (!stream->work->len)
		stream->doubts = 1u << STREAM_UNSEEN;
	else if (queue->lives->len < FEW)
		stream->doubts |= 1u << STREAM_SHORT;
	else if (!stream->open && !queue->cut && was_away(queue->lives, window))
		stream->doubts |= 1u << STREAM_PART;
	if (queue->cut)
		stream->doubts |= 1u << STREAM_CUT;
	if (shares_with_host(streams, stream->engine, window))
		stream->doubts |= 1u << STREAM_HOST;
}

const GPtrArray *streams_infer(struct streams *streams, struct window window)
{
	for (unsigned int nr = 0; nr < streams->queues->len; nr++) {
		struct queue *queue = streams->queues->pdata[nr];

		if (!queue)
			continue;
		infer(streams, queue, window);
		g_ptr_array_add(streams->streams, &queue->stream);
	}
	return streams->streams;
}

/* --- words -------------------------------------------------------------------------------- */

const char *stream_kind_name(enum stream_kind kind)
{
	static const char *const names[] = {
		[STREAM_LOOP] = "loop", [STREAM_TIMETABLE] = "timetable", [STREAM_RANDOM] = "random",
		[STREAM_SERVED] = "served",
	};

	return names[kind];
}

static char *kind_text(const struct stream *stream)
{
	switch (stream->kind) {
	case STREAM_LOOP:
		return g_strdup_printf("a loop of %u in flight", stream->depth);
	case STREAM_TIMETABLE:
		return g_strdup_printf("a timetable of %.3f ms", stream->period_ns / NSEC_PER_MSEC);
	case STREAM_RANDOM:
		return g_strdup("arrivals at random");
	case STREAM_SERVED:
		return g_strdup("arrivals at an unknown rate");
	}
	g_assert_not_reached();
}

static char *ambiguity_text(const struct stream *stream)
{
	GString *text = g_string_new("this recording does not show when it submits: ");
	bool backlogged = false;
	char *kind = kind_text(stream);

	g_string_append(text, kind);
	g_free(kind);
	for (guint nr = 0; stream->others && nr < stream->others->len; nr++) {
		const struct stream *other = stream->others->pdata[nr];

		kind = kind_text(other);
		g_string_append_printf(text, " or %s", kind);
		backlogged |= other->kind == STREAM_SERVED;
		g_free(kind);
	}
	g_string_append_printf(text, "; one of it %s, for 10 s, would", backlogged ?
			       "alone" : "beside other work");
	return g_string_free(text, FALSE);
}

static const struct stream *ambiguous_of(const struct stream *stream)
{
	const struct stream *first = stream;

	while (stream && !(stream->others && stream->others->len))
		stream = stream->also;
	return stream ? stream : first;
}

static const struct stream *unlimited_of(const struct stream *stream)
{
	const struct stream *first = stream;

	while (stream && !(stream->open && stream->doubts & 1u << STREAM_UNLIMITED && stream->least_depth))
		stream = stream->also;
	return stream ? stream : first;
}

static char *limit_text(const struct stream *stream)
{
	return g_strdup_printf("how many workloads its guest can queue is unknown: %u to %u are taken",
			       MAX(stream->least_depth, 1), MAX(stream->depth, STREAM_DEEP));
}

char *stream_doubt_text(const struct stream *stream, enum stream_doubt doubt)
{
	static const char *const texts[STREAM_DOUBTS] = {
		[STREAM_BACKLOGGED] = "its guest's queue was always full: it is taken to want no more than it got; give its period",
		[STREAM_SHORT] = "few of its workloads began and ended in the trace",
		[STREAM_UNSEEN] = "none of its workloads began and ended in the trace: it is left out",
		[STREAM_GUESSED_PIECES] = "its preemption points are guessed",
		[STREAM_NEVER_PREEMPTED] = "none of its workloads was preempted: it is assumed that none can be",
		[STREAM_IDLE_WORK] = "what its driver executes when there is nothing else to do is left out",
		[STREAM_CUT] = "it has more workloads than are analysed",
		[STREAM_PART] = "it had work in a part of the trace only, and is simulated as if it always had",
		[STREAM_CHANGED] = "settings were changed in the trace: those at its end are taken",
		[STREAM_HOST] = "the host's own work used its engine, too: the simulation is without that",
	};

	if (doubt == STREAM_AMBIGUOUS)
		return ambiguity_text(ambiguous_of(stream));
	return doubt == STREAM_UNLIMITED ? limit_text(unlimited_of(stream)) : g_strdup(texts[doubt]);
}
