// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "trace/inside.h"
#include "trace/util.h"
#include "follow-private.h"

/* long enough for "1, 2, 3, ..." in a message */
#define LIST_LEN	256

void selection_init(struct selection *selection)
{
	*selection = (struct selection) {
		.input = "trace.dat",
		.span = { .from = { .ns = UNKNOWN }, .to = { .ns = UNKNOWN } },
	};
}

void selection_clear(struct selection *selection)
{
	g_strfreev(selection->gpus);
	g_strfreev(selection->vgpus);
	g_strfreev(selection->engines);
}

/* does an item of an option match this GPU, or vGPU? */
typedef bool (*match_fn)(const char *item, const void *what);

static bool is_number(const char *item, int64_t number)
{
	guint64 value;

	return g_ascii_string_to_unsigned(item, 10, 0, INT32_MAX, &value, NULL) &&
	       number == (int64_t)value;
}

static bool is_address(const char *item)
{
	return strchr(item, ':');
}

/* a UUID, or the name of a VM */
static bool is_name(const char *item)
{
	guint64 value;

	return !g_ascii_string_to_unsigned(item, 10, 0, INT32_MAX, &value, NULL);
}

static bool is_this_gpu(const char *item, const void *what)
{
	const struct gpu *gpu = what;

	if (is_address(item))
		return gpu->address && !g_ascii_strcasecmp(item, gpu->address);
	return is_number(item, gpu->dev);
}

static bool is_this_vgpu(const char *item, const void *what)
{
	const struct vgpu *vgpu = what;

	if (vgpu->uuid && !g_ascii_strcasecmp(item, vgpu->uuid))
		return true;
	return (vgpu->vm && !strcmp(item, vgpu->vm)) || is_number(item, vgpu_number(vgpu->id));
}

static bool is_in(char *const *list, match_fn match, const void *what)
{
	for (; *list; list++)
		if (match(*list, what))
			return true;
	return false;
}

/* called for each event and interval: usually nothing was selected */
static bool is_everything(const struct selection *selection)
{
	return !selection->gpus && !selection->vgpus && !selection->engines;
}

bool selection_gpu(const struct selection *selection, const struct gpu *gpu)
{
	return !selection->gpus || is_in(selection->gpus, is_this_gpu, gpu);
}

bool selection_vgpu(const struct selection *selection, const struct vgpu *vgpu)
{
	return is_everything(selection) || (selection_gpu(selection, vgpu->gpu) &&
		(!selection->vgpus || is_in(selection->vgpus, is_this_vgpu, vgpu)));
}

bool selection_engine(const struct selection *selection, const struct gpu_engine *engine)
{
	return selection_gpu(selection, engine->gpu) && (!selection->engines ||
		g_strv_contains((const char *const *)selection->engines, engine->name));
}

bool selection_queue(const struct selection *selection, const struct vgpu_engine *queue)
{
	return is_everything(selection) || (selection_vgpu(selection, queue->vgpu) &&
		selection_engine(selection, queue->engine));
}

static bool seen(const char *item, match_fn match, const GPtrArray *all)
{
	for (unsigned int nr = 0; nr < all->len; nr++)
		if (match(item, all->pdata[nr]))
			return true;
	return false;
}

static bool gpu_seen(const char *item, const struct model *model)
{
	return seen(item, is_this_gpu, model_gpus(model));
}

static bool vgpu_seen(const char *item, const struct model *model)
{
	return seen(item, is_this_vgpu, model_vgpus(model));
}

bool selection_names_known(const struct selection *selection, const struct model *model)
{
	for (char **item = selection->gpus; item && *item; item++)
		if (is_address(*item) && !gpu_seen(*item, model))
			return false;
	for (char **item = selection->vgpus; item && *item; item++)
		if (is_name(*item) && !vgpu_seen(*item, model))
			return false;
	return true;
}

struct window selection_window(const struct selection *selection, const struct trace_info *trace)
{
	struct window all = { .from_ns = trace->start_ns, .to_ns = INT64_MAX };
	struct window window;

	if (!known(trace->start_ns))
		fatal("%s: holds no events: was the host idle, or tracing off?", trace->path);
	window = timespan_resolve(&selection->span, all);
	if (window.from_ns > window.to_ns)
		usage_error("--time: ends before it begins, or before the trace, which begins at " SECONDS_NS " s",
			    SECONDS_NS_OF(trace->start_ns));
	return window;
}

void selection_check_window(struct window window, const struct trace_info *trace)
{
	if (window.from_ns > trace->end_ns)
		usage_error("--time: begins after the trace, which ends at " SECONDS_NS " s",
			    SECONDS_NS_OF(trace->end_ns));
}

static void list_name(GString *list, int64_t number, const char *name)
{
	g_string_append_printf(list, "%s%" PRId64, list->len ? ", " : "", number);
	if (name)
		g_string_append_printf(list, " (%s)", name);
}

/* list all its names */
static void list_vgpu(GString *list, const struct vgpu *vgpu)
{
	bool named = vgpu->vm && g_strcmp0(vgpu->vm, vgpu->uuid);

	list_name(list, vgpu_number(vgpu->id), NULL);
	if (named || vgpu->uuid)
		g_string_append_printf(list, " (%s%s%s)", named ? vgpu->vm : "",
				       named && vgpu->uuid ? ", " : "", vgpu->uuid ? vgpu->uuid : "");
}

static void check_gpu(const struct model *model, const char *item)
{
	const GPtrArray *gpus = model_gpus(model);
	GString *list = g_string_new(NULL);

	for (unsigned int nr = 0; nr < gpus->len; nr++) {
		const struct gpu *gpu = gpus->pdata[nr];

		list_name(list, gpu->dev, gpu->address);
	}
	if (!gpu_seen(item, model))
		fatal("--gpu %s: no such GPU in the trace; there %s %.*s", item,
		      gpus->len == 1 ? "is" : "are", LIST_LEN, gpus->len ? list->str : "none");
	g_string_free(list, TRUE);
}

static void check_vgpu(const struct model *model, const char *item)
{
	const GPtrArray *vgpus = model_vgpus(model);
	GString *list = g_string_new(NULL);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];

		list_vgpu(list, vgpu);
	}
	if (!vgpu_seen(item, model))
		fatal("--vgpu %s: no such vGPU in the trace; there %s %.*s", item,
		      vgpus->len == 1 ? "is" : "are", LIST_LEN, vgpus->len ? list->str : "none");
	g_string_free(list, TRUE);
}

static void check_engine(const struct model *model, const char *item)
{
	const GPtrArray *engines = model_engines(model);
	GString *list = g_string_new(engines->len ? NULL : "none");
	bool found = false;

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		found = found || !strcmp(item, engine->name);
		g_string_append_printf(list, "%s%s", nr ? ", " : "", engine->name);
	}
	if (!found)
		fatal("--engine %s: no work on such an engine in the trace; there %s %.*s", item,
		      engines->len == 1 ? "is" : "are", LIST_LEN, list->str);
	g_string_free(list, TRUE);
}

void selection_check_known(const struct selection *selection, const struct model *model)
{
	for (char **item = selection->gpus; item && *item; item++)
		check_gpu(model, *item);
	for (char **item = selection->vgpus; item && *item; item++)
		check_vgpu(model, *item);
	for (char **item = selection->engines; item && *item; item++)
		check_engine(model, *item);
}
