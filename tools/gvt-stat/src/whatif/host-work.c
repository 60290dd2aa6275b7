// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "host-work.h"

/* analyses at most 2^20 pieces per engine */
#define MOST_PIECES	(1u << 20)
/* a piece this soon after the previous one depended on it, or was queued behind it */
#define AT_ONCE_NS	100000
/* fewer pieces prove little */
#define FEW		10

struct host_works {
	GPtrArray *engines;		/* struct host_work, by index; NULL: none */
	GPtrArray *of;			/* the result of host_works_of() */
	GArray *gaps;			/* struct window: lost events, on any engine */
};

/* --- collecting ------------------------------------------------------------------------- */

static void free_work(void *data)
{
	struct host_work *work = data;

	if (work)
		g_array_free(work->pieces, TRUE);
	g_free(work);
}

static struct host_work *get_work(struct host_works *works, const struct gpu_engine *engine)
{
	struct host_work *work;

	if (engine->index >= works->engines->len)
		g_ptr_array_set_size(works->engines, engine->index + 1);
	work = works->engines->pdata[engine->index];
	if (work)
		return work;
	work = g_new0(struct host_work, 1);
	work->engine = engine;
	work->pieces = g_array_new(FALSE, FALSE, sizeof(struct host_piece));
	work->waits_ns = work->waited_ns = UNKNOWN;
	works->engines->pdata[engine->index] = work;
	return work;
}

static void add_piece(struct host_work *work, int64_t from_ns, int64_t to_ns)
{
	bool waited = known(from_ns) && from_ns == work->waited_ns;
	struct host_piece piece = {
		.from_ns = known(from_ns) ? from_ns : INT64_MIN,
		.to_ns = known(to_ns) ? to_ns : INT64_MAX,
	};

	piece.came_ns = waited ? work->waits_ns : piece.from_ns;
	if (work->pieces->len < MOST_PIECES)
		g_array_append_val(work->pieces, piece);
	else
		work->doubts |= 1u << HOST_CUT;
}

static void on_host(void *ctx, const struct gpu_engine *engine, enum host_time what,
		    const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	struct host_work *work = get_work(ctx, engine);

	(void)holder;
	if (what == HOST_UNSURE) {
		work->doubts |= 1u << HOST_LOST;
	} else if (what == HOST_WAITED) {
		work->waits_ns = from_ns;
		work->waited_ns = to_ns;
	} else {
		add_piece(work, from_ns, to_ns);
	}
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	const struct window gap = {
		known(from_ns) ? from_ns : INT64_MIN, known(to_ns) ? to_ns : INT64_MAX
	};

	if (!engine)
		g_array_append_val(((struct host_works *)ctx)->gaps, gap);
}

struct host_works *host_works_new(struct model *model)
{
	struct host_works *works = g_new0(struct host_works, 1);
	const struct model_listener listener = {
		.host = on_host, .unsure = on_unsure, .ctx = works
	};

	works->engines = g_ptr_array_new_with_free_func(free_work);
	works->of = g_ptr_array_new();
	works->gaps = g_array_new(FALSE, FALSE, sizeof(struct window));
	model_listen(model, &listener);
	return works;
}

void host_works_free(struct host_works *works)
{
	g_ptr_array_free(works->engines, TRUE);
	g_ptr_array_free(works->of, TRUE);
	g_array_free(works->gaps, TRUE);
	g_free(works);
}

/* --- evaluation ------------------------------------------------------------------------- */

static void cut_pieces(struct host_work *work, struct window window)
{
	guint kept = 0;

	for (guint nr = 0; nr < work->pieces->len; nr++) {
		struct host_piece piece = g_array_index(work->pieces, struct host_piece, nr);

		piece.came_ns = MAX(piece.came_ns, window.from_ns);
		piece.from_ns = MAX(piece.from_ns, window.from_ns);
		piece.to_ns = MIN(piece.to_ns, window.to_ns);
		if (piece.from_ns < piece.to_ns)
			g_array_index(work->pieces, struct host_piece, kept++) = piece;
	}
	g_array_set_size(work->pieces, kept);
	work->window = window;
	/* the analysed part repeats for the rest */
	if (work->doubts & 1u << HOST_CUT && kept)
		work->window.to_ns = g_array_index(work->pieces, struct host_piece, kept - 1).to_ns;
}

static bool is_little(const struct host_work *work)
{
	int64_t exec_ns = 0;

	for (guint nr = 0; nr < work->pieces->len; nr++) {
		const struct host_piece *piece = &g_array_index(work->pieces, struct host_piece, nr);

		exec_ns += piece->to_ns - piece->from_ns;
	}
	return exec_ns < (work->window.to_ns - work->window.from_ns) / HOST_LEAST_PART;
}

/* More host work was ready than the engine executed, or each piece depends on the previous one. */
static bool is_backlogged(const GArray *pieces)
{
	guint at_once = 0;

	for (guint nr = 1; nr < pieces->len; nr++) {
		const struct host_piece *piece = &g_array_index(pieces, struct host_piece, nr);
		int64_t pause_ns = piece->came_ns - piece[-1].to_ns;

		at_once += piece->came_ns < piece->from_ns && pause_ns < AT_ONCE_NS;
	}
	return pieces->len >= FEW && at_once > pieces->len / 2;
}

static bool has_gap(const struct host_works *works, struct window window)
{
	for (guint nr = 0; nr < works->gaps->len; nr++) {
		const struct window *gap = &g_array_index(works->gaps, struct window, nr);

		if (gap->from_ns < window.to_ns && gap->to_ns > window.from_ns)
			return true;
	}
	return false;
}

const GPtrArray *host_works_of(struct host_works *works, int64_t dev, struct window window)
{
	bool gap = has_gap(works, window);

	g_ptr_array_set_size(works->of, 0);
	for (unsigned int nr = 0; nr < works->engines->len; nr++) {
		struct host_work *work = works->engines->pdata[nr];

		if (!work || work->engine->gpu->dev != dev)
			continue;
		cut_pieces(work, window);
		if (is_little(work))
			g_array_set_size(work->pieces, 0);
		if (gap)
			work->doubts |= 1u << HOST_LOST;
		if (is_backlogged(work->pieces))
			work->doubts |= 1u << HOST_BACKLOGGED;
		if (work->pieces->len || work->doubts)
			g_ptr_array_add(works->of, work);
	}
	return works->of;
}

void host_works_doubts(const GPtrArray *works, host_doubt_fn call, void *to)
{
	static const char *const texts[HOST_DOUBTS] = {
		[HOST_LOST] = "events were lost: what it executed meanwhile is unknown, and left out",
		[HOST_CUT] = "it has more pieces of work than are analysed",
		[HOST_BACKLOGGED] = "most of its work came when that before was done: it is taken to want no more than it got",
	};

	for (unsigned int nr = 0; nr < works->len * HOST_DOUBTS; nr++) {
		const struct host_work *work = works->pdata[nr / HOST_DOUBTS];

		if (work->doubts & 1u << nr % HOST_DOUBTS)
			call(work, texts[nr % HOST_DOUBTS], to);
	}
}
