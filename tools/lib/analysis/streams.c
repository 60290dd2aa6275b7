// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "streams-private.h"

/* so many workloads of all streams are looked at */
#define STREAMS_MOST	(2 * STREAM_MOST)
/* so many of the times that workloads stayed on the engine are looked at */
#define MOST_STAYS	4096

/*
 * i915 lets a context of its own execute where there is nothing else to do: for less than this, by
 * far. Whether a pause is long enough for it depends on the settings, so it is no part of a stream.
 */
#define IDLE_WORK_NS	20000
/* so many contexts of a guest's work are told from that */
#define MOST_CONTEXTS	64
/* so much of the window a vGPU has to be silent at one end to be taken for one that came or went */
#define AWAY_PART	0.1

struct streams {
	struct model *model;
	GPtrArray *queues;		/* struct queue, by index of the vgpu_engine; NULL: none */
	GPtrArray *streams;		/* struct stream, of the queues */
	unsigned int kept;		/* lives of all queues */
	unsigned int most;		/* of each */
};

static void free_queue(void *data)
{
	struct queue *queue = data;

	if (!queue)
		return;
	g_array_free(queue->lives, TRUE);
	g_array_free(queue->contexts, TRUE);
	g_array_free(queue->stays, TRUE);
	if (queue->stream.work)
		g_array_free(queue->stream.work, TRUE);
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

/* keep the first of them; an array that is only cut keeps its memory */
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

/* How many queues there will be is not known: the more there are, the less is kept of each. */
static void make_room(struct streams *streams)
{
	while (streams->kept > STREAMS_MOST) {
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
	struct queue *queue = get_queue(ctx, w->queue);
	const struct life life = {
		w->queue_ns, w->end_ns, workload_exec(w), w->guest_lrca
	};

	if (!known(life.queue_ns) || !known(life.end_ns) || !w->completed || w->tainted ||
	    !known(life.exec_ns) || life.exec_ns <= 0)
		return;
	note_context(queue, &life);
	keep_life(ctx, queue, &life);
}

static void on_piece(void *ctx, const struct piece *piece)
{
	int64_t stay_ns = difference(piece->stop_ns, piece->start_ns);
	struct queue *queue;

	if (piece->completed)
		return;
	queue = get_queue(ctx, piece->workload->queue);
	queue->taken_off++;
	if (queue->stays->len < MOST_STAYS && stay_ns > 0)
		g_array_append_val(queue->stays, stay_ns);
}

struct streams *streams_new(struct model *model)
{
	struct streams *streams = g_new0(struct streams, 1);
	const struct model_listener listener = {
		.ended = on_ended, .piece = on_piece, .ctx = streams
	};

	streams->model = model;
	streams->most = STREAM_MOST;
	streams->queues = g_ptr_array_new_with_free_func(free_queue);
	streams->streams = g_ptr_array_new();
	model_listen(model, &listener);
	return streams;
}

void streams_free(struct streams *streams)
{
	g_ptr_array_free(streams->streams, TRUE);
	g_ptr_array_free(streams->queues, TRUE);
	g_free(streams);
}

/* --- concluding ------------------------------------------------------------------------- */

static gint compare_lives(gconstpointer a, gconstpointer b)
{
	const struct life *one = a, *two = b;

	return (one->queue_ns > two->queue_ns) - (one->queue_ns < two->queue_ns);
}

/*
 * Without idle work: the pause goes on in which that came, and the next workload, which waited for
 * it, would have come earlier by as much
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

/*
 * A loop begins anew where it ends: what is before its first workload and behind its last one is in
 * no pause of it
 */
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

static void infer(const struct streams *streams, struct queue *queue, struct window window)
{
	struct stream *stream = &queue->stream;

	*stream = (struct stream) {
		.vgpu = queue->queue->vgpu, .engine = queue->queue->engine,
		.work = g_array_new(FALSE, FALSE, sizeof(struct stream_work)),
	};
	g_array_sort(queue->lives, compare_lives);
	leave_out_idle_work(queue);
	if (queue->lives->len)
		work_infer(queue, stream, window);
	pieces_guess(queue, stream, is_preemptive(model_sched_info(streams->model,
								   stream->vgpu->dev)));
	if (!stream->work->len)
		stream->doubts = 1u << STREAM_UNSEEN;
	else if (queue->lives->len < FEW)
		stream->doubts |= 1u << STREAM_SHORT;
	else if (!stream->open && !queue->cut && was_away(queue->lives, window))
		stream->doubts |= 1u << STREAM_PART;
	if (queue->cut)
		stream->doubts |= 1u << STREAM_CUT;
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

const char *stream_doubt_text(enum stream_doubt doubt)
{
	static const char *const texts[STREAM_DOUBTS] = {
		[STREAM_BACKLOGGED] = "its guest's queue was often full: the backlog in the guest is not in the trace",
		[STREAM_UNLIMITED] = "how many workloads its guest can queue is unknown",
		[STREAM_SHORT] = "few of its workloads began and ended in the trace",
		[STREAM_UNSEEN] = "none of its workloads began and ended in the trace: it is left out",
		[STREAM_GUESSED_PIECES] = "its preemption points are guessed",
		[STREAM_NEVER_TAKEN_OFF] = "none of its workloads was preempted: it is assumed that none can be",
		[STREAM_IDLE_WORK] = "what its driver executes when there is nothing else to do is left out",
		[STREAM_CUT] = "it has more workloads than are analysed",
		[STREAM_PART] = "it had work in a part of the trace only, and is simulated as if it always had",
		[STREAM_CHANGED] = "settings were changed in the trace: those at its end are taken",
	};

	return texts[doubt];
}
