// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "host/newfile.h"
#include "host/supervise.h"
#include "trace/util.h"
#include "cases.h"
#include "mix.h"
#include "rehearsal.h"

static struct mix_source *first_of(const struct mix *mix)
{
	return mix->sources->pdata[0];
}

void mix_check_output(const struct mix *mix, const char *output)
{
	for (unsigned int nr = 0; nr < mix->sources->len; nr++) {
		const struct mix_source *source = mix->sources->pdata[nr];

		if (newfile_replaces(output, source->selection.input))
			fatal("%s: is a trace that is read: give --output another name", output);
	}
}

struct follow *mix_follow(const struct mix *mix)
{
	return &first_of(mix)->follow;
}

static int64_t length_ns(const struct mix_source *source)
{
	return source->follow.window.to_ns - source->follow.window.from_ns;
}

/* the selected GPU; ends the program unless there is exactly one */
static int64_t find_gpu(const struct mix_source *source, const char *what_to_do)
{
	const struct gpu *gpu = NULL;

	for (unsigned int nr = 0; nr < source->streams->len; nr++) {
		const struct stream *stream = source->streams->pdata[nr];
		const struct gpu *other = stream->vgpu->gpu;

		if (!selection_gpu(&source->selection, other))
			continue;
		if (gpu && gpu != other)
			usage_error("%s is of several GPUs: %s", source->selection.input, what_to_do);
		gpu = other;
	}
	if (!gpu)
		fatal("%s: no workload of a vGPU is in it: there is nothing to simulate",
		      source->selection.input);
	return gpu->dev;
}

static void check_events(const struct mix_source *source)
{
	const char *missing = whatif_missing(source->follow.trace);

	if (missing)
		fatal("%s: no %s is in it: what vGPUs submit is not known without; record all events, as 'gvt-stat record' and 'trace-cmd record -e gvt' do",
		      source->selection.input, missing);
}

static void note_changes(const struct mix_source *source)
{
	for (unsigned int nr = 0; nr < source->streams->len; nr++)
		if (source->follow.trace->recorded[EVENT_SCHED_SETTING])
			((struct stream *)source->streams->pdata[nr])->doubts |= 1u << STREAM_CHANGED;
}

/* @what_to_do: advice if the trace has several GPUs */
static struct mix_source *read_source(const struct selection *selection, const char *what_to_do,
				      const struct whatif *told)
{
	struct mix_source *source = g_new0(struct mix_source, 1);
	struct follow *follow = &source->follow;

	source->selection = *selection;
	follow_open(follow, &source->selection);
	source->tally = tally_new(follow->model, follow->window, 1, 0);
	source->collected = streams_new(follow->model);
	source->host_works = host_works_new(follow->model);
	tally_as_streams(source->tally, source->collected);
	source->observer = told ? told->observer : NULL;
	if (source->observer)
		source->seen = source->observer->begin(follow->model);
	follow_run(follow);
	model_finish(follow->model);
	selection_check_known(&source->selection, follow->model);
	if (told)
		whatif_tell(told, source->collected);
	source->streams = streams_infer(source->collected, follow->window);
	source->dev = find_gpu(source, what_to_do);
	check_events(source);
	note_changes(source);
	return source;
}

static void free_source(void *data)
{
	struct mix_source *source = data;

	if (source->observer)
		source->observer->free(source->seen);
	host_works_free(source->host_works);
	streams_free(source->collected);
	tally_free(source->tally);
	follow_close(&source->follow);
	g_free(source);
}

/* --- streams -------------------------------------------------------------------------- */

const struct whatif_guest *mix_guest(const struct mix *mix, const struct stream *stream)
{
	return whatif_guest_of(mix->guests, stream->vgpu);
}

static gint compare_numbers(int64_t one, int64_t two)
{
	return (one > two) - (one < two);
}

static gint compare_streams(gconstpointer a, gconstpointer b, gpointer mix)
{
	const struct stream *one = *(struct stream *const *)a, *two = *(struct stream *const *)b;
	gint order = compare_numbers(mix_guest(mix, one)->id, mix_guest(mix, two)->id);

	if (!order)
		order = compare_numbers(one->engine->class, two->engine->class);
	return order ? order : compare_numbers(one->engine->instance, two->engine->instance);
}

/* the streams of a source's guests */
static void take_streams(struct mix *mix, struct mix_source *source)
{
	bool any = false;

	for (unsigned int nr = 0; nr < source->streams->len; nr++) {
		struct stream *stream = source->streams->pdata[nr];

		if (!mix_guest(mix, stream))
			continue;
		g_ptr_array_add(mix->streams, stream);
		any |= stream->work->len > 0;
	}
	if (!any)
		fatal("%s: no workload began and ended in it: record for longer",
		      source->selection.input);
	g_ptr_array_sort_with_data(mix->streams, compare_streams, mix);
}

void mix_read(struct mix *mix, const struct selection *selection, const struct whatif *told)
{
	struct mix_source *source = read_source(selection, "give one by --gpu", told);

	*mix = (struct mix) {
		.sources = g_ptr_array_new_with_free_func(free_source),
		.info = model_sched_info(source->follow.model, source->dev),
		.guests = whatif_guests(source->follow.model, source->dev, length_ns(source)),
		.streams = g_ptr_array_new(),
		.window_ns = length_ns(source),
		.host = host_works_of(source->host_works, source->dev, source->follow.window),
	};
	g_ptr_array_add(mix->sources, source);
	if (!mix->info->policy || !mix->info->dispatch)
		fatal("%s: the settings of the scheduler are not in it: record gvt:gvt_sched_info, too, as 'gvt-stat record' does",
		      selection->input);
	take_streams(mix, source);
}

void mix_clear(struct mix *mix)
{
	if (mix->rehearsed)
		whatif_result_free(mix->rehearsed);
	g_ptr_array_free(mix->streams, TRUE);
	g_array_free(mix->guests, TRUE);
	g_ptr_array_free(mix->sources, TRUE);
}

/* --- other traces ----------------------------------------------------------------------- */

bool mix_has_id(const struct mix *mix, int64_t id)
{
	for (unsigned int nr = 0; nr < mix->guests->len; nr++)
		if (g_array_index(mix->guests, struct whatif_guest, nr).id == id)
			return true;
	return false;
}

static int64_t free_id(const struct mix *mix, const char *path)
{
	for (int64_t id = 1; id <= MIX_MOST_VGPUS; id++)
		if (!mix_has_id(mix, id))
			return id;
	fatal("%s: there would be more than the %d vGPUs that a GPU can have", path,
	      MIX_MOST_VGPUS);
}

static void add_guests(struct mix *mix, const struct mix_source *source, int64_t vgpu_id)
{
	const char *path = source->selection.input;
	GArray *all = whatif_guests(source->follow.model, source->dev, length_ns(source));
	unsigned int before = mix->guests->len;

	for (unsigned int nr = 0; nr < all->len; nr++) {
		struct whatif_guest guest = g_array_index(all, struct whatif_guest, nr);

		if (known(vgpu_id) && guest.vgpu->id != vgpu_id)
			continue;
		guest.id = free_id(mix, path);
		guest.added = true;
		g_array_append_val(mix->guests, guest);
	}
	if (mix->guests->len == before)
		usage_error("vGPU %" PRId64 " is not in %s", vgpu_id, path);
	g_array_free(all, TRUE);
}

void mix_add(struct mix *mix, const char *path, int64_t vgpu_id)
{
	const struct selection *first = &first_of(mix)->selection;
	struct selection selection;
	struct mix_source *source;

	/* options for the window and the GPU apply only to the first trace */
	selection_init(&selection);
	selection.input = path;
	selection.quantities = first->quantities;
	selection.alive = first->alive;
	selection.done = first->done;
	supervise_allow(path);
	source = read_source(&selection, "what is added has to be of one", NULL);
	g_ptr_array_add(mix->sources, source);
	add_guests(mix, source, vgpu_id);
	take_streams(mix, source);
}

/* --- recorded and simulated -------------------------------------------------------------- */

struct mix_source *mix_source_of(const struct mix *mix, const struct vgpu *vgpu)
{
	for (unsigned int nr = 0; nr < mix->sources->len; nr++) {
		struct mix_source *source = mix->sources->pdata[nr];

		if (model_gpu(source->follow.model, source->dev) == vgpu->gpu)
			return source;
	}
	g_assert_not_reached();
}

const struct tally_cell *mix_recorded(const struct mix *mix, const struct stream *stream)
{
	struct mix_source *source = mix_source_of(mix, stream->vgpu);
	const GPtrArray *queues = model_vgpu_engines(source->follow.model);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (queue->vgpu == stream->vgpu && queue->engine == stream->engine)
			return tally_of(source->tally, queue->index, 0);
	}
	g_assert_not_reached();
}

static struct mixture mixture_of(const struct mix *mix)
{
	return (struct mixture) {
		mix->info, mix->guests, mix->streams, mix->window_ns, NULL, mix->host
	};
}

static const struct tally_cell *recorded_of(const void *mix, const struct stream *stream)
{
	return mix_recorded(mix, stream);
}

void mix_rehearse(struct mix *mix, const struct whatif *whatif, const char *simulator)
{
	const struct mixture mixture = mixture_of(mix);

	mix->rehearsed = rehearse(whatif, &mixture, simulator, recorded_of, mix);
}

struct whatif_result *mix_simulate(const struct mix *mix, const struct whatif *whatif,
				   const char *simulator)
{
	const struct mixture mixture = mixture_of(mix);
	char *problem;
	struct whatif_result *result = cases_run(whatif, simulator, &mixture, &problem);

	if (!result)
		fatal("%s: %s", first_of(mix)->selection.input, problem);
	return result;
}
