// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat map: shows engines over time as text, as perf sched map shows CPUs: a line per change, a
 * column per engine, an asterisk at each changed value.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "follow/follow.h"
#include "output/list.h"
#include "output/progress.h"
#include "trace/engine.h"
#include "trace/util.h"

#define TITLE_LEN	(ENGINE_NAME_LEN + 40)

/* the host's own work, in place of a vGPU's id */
#define HOST	(-1)

/* one column: the turn on a GPU or on an engine, or the work on an engine */
struct place {
	int64_t dev;
	int64_t class;			/* UNKNOWN: all engines */
	int64_t instance;
	bool turn;
	char title[TITLE_LEN];
	char key[TITLE_LEN];
	int64_t workload_id;		/* on the engine, or UNKNOWN */
	int64_t vgpu_id;		/* UNKNOWN: not yet known; 0: none */
	bool lost;			/* unknown since events were lost */
	bool wanted;
};

/* a line for programs, followed by the vGPU of each place */
struct line {
	int64_t time_ns;
	int64_t vgpu_id;
	int64_t workload_id;
	const char *event;
	const char *vm;
	int64_t places[];
};

struct session {
	struct follow follow;
	GArray *places;			/* struct place */
	struct column *columns;
	struct list *list;		/* NULL: print text */
	struct line *line;
	unsigned int gaps;		/* number of open gaps of lost events */
};

static struct place *find_place(const struct session *session, int64_t dev, int64_t class,
				int64_t instance, bool turn)
{
	for (unsigned int nr = 0; nr < session->places->len; nr++) {
		struct place *place = &g_array_index(session->places, struct place, nr);

		if (place->dev == dev && place->class == class && place->instance == instance &&
		    place->turn == turn)
			return place;
	}
	return NULL;
}

static void add_place(struct session *session, const struct gpu *gpu,
		      const struct gpu_engine *engine, bool turn)
{
	const struct follow *follow = &session->follow;
	struct place place = {
		.dev = gpu->dev, .class = UNKNOWN, .instance = UNKNOWN, .turn = turn,
		.workload_id = UNKNOWN, .vgpu_id = UNKNOWN,
		.wanted = selection_gpu(follow->selection, gpu),
	};
	char name[ENGINE_NAME_LEN] = "";
	const char *what = !turn ? "" : engine ? "_turn" : "turn";

	if (engine) {
		place.class = engine->class;
		place.instance = engine->instance;
		place.wanted = selection_engine(follow->selection, engine);
		engine_name(name, engine->class, engine->instance);
	}
	if (model_gpus(follow->model)->len > 1)
		g_snprintf(place.title, TITLE_LEN, "%" PRId64 "/%s%s", gpu->dev, name, what);
	else
		g_snprintf(place.title, TITLE_LEN, "%s%s", name, what);
	g_snprintf(place.key, TITLE_LEN, "%s_vgpu_id", place.title);
	g_array_append_val(session->places, place);
}

static int compare_places(const void *a, const void *b)
{
	const struct place *pa = a, *pb = b;

	if (pa->dev != pb->dev)
		return pa->dev < pb->dev ? -1 : 1;
	if (pa->class != pb->class)
		return pa->class < pb->class ? -1 : 1;
	if (pa->instance != pb->instance)
		return pa->instance < pb->instance ? -1 : 1;
	return pb->turn - pa->turn;
}

/* UNKNOWN sorts first: the GPU's turn, then for each engine its turn and its work */
static void find_places(struct session *session)
{
	const GPtrArray *gpus = model_gpus(session->follow.model);
	const GPtrArray *engines = model_engines(session->follow.model);

	session->places = g_array_new(FALSE, FALSE, sizeof(struct place));
	for (unsigned int nr = 0; nr < gpus->len; nr++)
		add_place(session, gpus->pdata[nr], NULL, true);
	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		if (engine->gpu->had_per_engine)
			add_place(session, engine->gpu, engine, true);
		add_place(session, engine->gpu, engine, false);
	}
	g_array_sort(session->places, compare_places);
}

/* reads the trace once for its columns, before the first line */
static void look_ahead(struct session *session, const struct options *options)
{
	follow_open(&session->follow, &options->selection);
	follow_run(&session->follow);
	selection_check_known(&options->selection, session->follow.model);
	find_places(session);
	follow_close(&session->follow);
}

static void text_head(const struct session *session)
{
	printf("%15s", "TIME-s");
	for (unsigned int nr = 0; nr < session->places->len; nr++) {
		const struct place *place = &g_array_index(session->places, struct place, nr);

		if (place->wanted)
			printf(" %6s", place->title);
	}
	putchar('\n');
}

static void text_cell(const struct place *place, bool changed)
{
	char cell[32];

	if (!known(place->vgpu_id))
		g_strlcpy(cell, "?", sizeof(cell));
	else if (!place->vgpu_id)
		g_snprintf(cell, sizeof(cell), "%s.", changed ? "*" : "");
	else if (place->vgpu_id == HOST)
		g_snprintf(cell, sizeof(cell), "%shost", changed ? "*" : "");
	else
		g_snprintf(cell, sizeof(cell), "%s%" PRId64, changed ? "*" : "",
			   vgpu_number(place->vgpu_id));
	printf(" %6s", cell);
}

/* "-9223372036.854775" */
#define TIME_LEN	24

static void text_line(const struct session *session, const struct place *changed,
		      const struct line *line, const struct vgpu *vgpu)
{
	char text[TIME_LEN];

	g_snprintf(text, sizeof(text), SECONDS, SECONDS_OF(line->time_ns));
	printf("%15s", text);
	for (unsigned int nr = 0; nr < session->places->len; nr++) {
		const struct place *place = &g_array_index(session->places, struct place, nr);

		if (place->wanted)
			text_cell(place, place == changed);
	}
	if (known(line->workload_id) && vgpu)
		printf("  %s %s %" PRId64, vgpu->label, line->event, line->workload_id);
	if (line->vgpu_id == HOST)
		printf("  host %s", line->event);
	putchar('\n');
}

/* is the vGPU selected? Turns of no vGPU always are */
static bool is_wanted(const struct session *session, const struct vgpu *vgpu)
{
	const struct selection *selection = session->follow.selection;

	if (session->line->vgpu_id == HOST)
		return !selection->vgpus;
	return !vgpu || selection_vgpu(selection, vgpu);
}

static void print_line(struct session *session, const struct place *changed)
{
	const struct window *window = &session->follow.window;
	const struct vgpu *vgpu = model_vgpu(session->follow.model, changed->dev,
					     session->line->vgpu_id);

	if (!changed->wanted || session->line->time_ns < window->from_ns ||
	    session->line->time_ns > window->to_ns || !is_wanted(session, vgpu))
		return;
	for (unsigned int nr = 0; nr < session->places->len; nr++)
		session->line->places[nr] =
			g_array_index(session->places, struct place, nr).vgpu_id;
	session->line->vm = vgpu ? vgpu->vm : NULL;
	if (session->list)
		list_line(session->list, session->line);
	else
		text_line(session, changed, session->line, vgpu);
}

static struct place *turn_place(const struct session *session, const struct switch_event *change)
{
	const struct gpu_engine *engine = model_engine(session->follow.model, change->dev,
						       change->class, change->instance);

	if (!engine)
		return find_place(session, change->dev, UNKNOWN, UNKNOWN, true);
	return find_place(session, change->dev, change->class, change->instance, true);
}

/* When turns change from per GPU to per engine or back, turns of the other kind end. */
static void forget_turns(struct session *session, const struct place *but)
{
	for (unsigned int nr = 0; nr < session->places->len; nr++) {
		struct place *place = &g_array_index(session->places, struct place, nr);

		if (place->turn && place->dev == but->dev &&
		    known(place->class) != known(but->class))
			place->vgpu_id = UNKNOWN;
	}
}

static void on_switch(struct session *session, const struct event *event)
{
	const struct switch_event *change = &event->sched_switch;
	struct place *place = turn_place(session, change);

	/* the file has grown since look_ahead() */
	if (!place)
		return;
	forget_turns(session, place);
	place->vgpu_id = change->next_vgpu_id;
	session->line->vgpu_id = change->next_vgpu_id;
	session->line->workload_id = UNKNOWN;
	session->line->event = "turn";
	print_line(session, place);
}

static void on_workload(struct session *session, const struct event *event)
{
	const struct workload_event *told = &event->workload;
	struct place *place = find_place(session, told->dev, told->class, told->instance,
					 false);
	bool start = event->id == EVENT_WORKLOAD_START;

	/* a contradicting event, for which the model has no engine */
	if (!place)
		return;
	/* the next workload has already started on the engine */
	if (!start && known(place->workload_id) && place->workload_id != told->workload_id)
		return;
	place->workload_id = start ? told->workload_id : UNKNOWN;
	/* after a gap, the next workload may already have started unseen */
	place->vgpu_id = start ? told->vgpu_id : place->lost ? UNKNOWN : 0;
	place->lost &= !start;
	session->line->vgpu_id = told->vgpu_id;
	session->line->workload_id = told->workload_id;
	session->line->event = start ? "starts" : told->completed ? "stops" : "leaves";
	print_line(session, place);
}

static void on_host(struct session *session, const struct event *event)
{
	const struct host_event *told = &event->host;
	struct place *place = find_place(session, told->dev, told->class, told->instance, false);
	bool start = event->id == EVENT_HOST_START;

	if (!place || (!start && known(place->workload_id)))
		return;
	place->workload_id = UNKNOWN;
	place->vgpu_id = start ? HOST : place->lost ? UNKNOWN : 0;
	place->lost &= !start;
	session->line->vgpu_id = HOST;
	session->line->workload_id = UNKNOWN;
	session->line->event = start ? "starts" : "stops";
	print_line(session, place);
}

/* lost events may hide changes */
static void forget_places(struct session *session)
{
	for (unsigned int nr = 0; nr < session->places->len; nr++) {
		struct place *place = &g_array_index(session->places, struct place, nr);

		place->vgpu_id = UNKNOWN;
		place->workload_id = UNKNOWN;
		place->lost = true;
	}
}

static void on_event(void *ctx, const struct event *event)
{
	struct session *session = ctx;

	if (session->gaps)
		forget_places(session);
	session->line->time_ns = event->ts_ns;
	if (event->id == EVENT_SCHED_SWITCH)
		on_switch(session, event);
	else if (event->id == EVENT_HOST_START || event->id == EVENT_HOST_STOP)
		on_host(session, event);
	else
		on_workload(session, event);
}

static void on_lost(void *ctx, int64_t ts_ns)
{
	struct session *session = ctx;

	(void)ts_ns;
	session->gaps++;
	forget_places(session);
}

static void on_found(void *ctx, int64_t ts_ns)
{
	struct session *session = ctx;

	(void)ts_ns;
	session->gaps--;
	forget_places(session);
}

#define FIXED_COLUMNS	5

static const struct column fixed_columns[FIXED_COLUMNS + 1] = {
	{ "time_ns", COLUMN_INTEGER, offsetof(struct line, time_ns), NULL, UNIT_S },
	{ "event", COLUMN_TEXT, offsetof(struct line, event) },
	{ "vgpu_id", COLUMN_INTEGER, offsetof(struct line, vgpu_id) },
	{ "workload_id", COLUMN_INTEGER, offsetof(struct line, workload_id) },
	{ "vm", COLUMN_TEXT, offsetof(struct line, vm) },
	{ 0 }
};

/* for --list: the columns of each engine, ENGINE stands for its name */
static const struct column engine_columns[] = {
	{ "turn_vgpu_id", COLUMN_INTEGER, 0 },
	{ "ENGINE_turn_vgpu_id", COLUMN_INTEGER, 0 },
	{ "ENGINE_vgpu_id", COLUMN_INTEGER, 0 },
	{ 0 }
};

static void make_columns(struct session *session)
{
	struct column *column;

	session->columns = g_new0(struct column, FIXED_COLUMNS + session->places->len + 1);
	memcpy(session->columns, fixed_columns, FIXED_COLUMNS * sizeof(*fixed_columns));
	column = session->columns + FIXED_COLUMNS;
	for (unsigned int nr = 0; nr < session->places->len; nr++) {
		struct place *place = &g_array_index(session->places, struct place, nr);

		if (place->wanted)
			*column++ = (struct column) {
				place->key, COLUMN_INTEGER,
				offsetof(struct line, places) + nr * sizeof(int64_t),
			};
	}
	session->line = g_malloc0(sizeof(*session->line) +
				  session->places->len * sizeof(int64_t));
}

static void begin(struct session *session, const struct options *options)
{
	make_columns(session);
	if (options->form.columns)
		form_check_columns(options->form.columns, (const struct column *[]) {
			session->columns, NULL
		});
	if (options->form.format != FORMAT_TABLE || options->form.columns)
		session->list = list_begin(&options->form, "map", session->columns);
	else
		text_head(session);
}

static void end(struct session *session)
{
	if (session->list)
		list_end(session->list, &session->follow);
	g_free(session->line);
	g_free(session->columns);
	g_array_free(session->places, TRUE);
}

static int run(const struct options *options)
{
	struct session session = { .list = NULL };
	const struct analysis analysis = {
		.events = EVENT_BIT(EVENT_SCHED_SWITCH) | EVENT_BIT(EVENT_WORKLOAD_START) |
			  EVENT_BIT(EVENT_WORKLOAD_STOP) | EVENT_BIT(EVENT_HOST_START) |
			  EVENT_BIT(EVENT_HOST_STOP),
		.event = on_event, .lost = on_lost, .found = on_found, .ctx = &session,
	};

	look_ahead(&session, options);
	progress_silent();
	follow_open(&session.follow, &options->selection);
	follow_add(&session.follow, &analysis);
	begin(&session, options);
	follow_run(&session.follow);
	end(&session);
	follow_close(&session.follow);
	return EXIT_SUCCESS;
}

static const struct column *const tables[] = { fixed_columns, engine_columns, NULL };

const struct command map_command = {
	.name = "map",
	.doc = "Show which vGPU was on each engine, and whose turn it was, with a line per change.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_HOST) |
		      QUANTITY_BIT(QUANTITY_SLICES),
	.flags = COMMAND_OWN_COLUMNS,
	.columns = tables,
	.run = run,
};
