// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "trace/engine.h"
#include "trace/util.h"
#include "selection.h"

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
	g_strfreev(selection->vgpus);
	g_strfreev(selection->engines);
}

static bool is_uuid(const char *item)
{
	return strchr(item, '-');
}

static bool is_this_vgpu(const char *item, const struct vgpu *vgpu)
{
	guint64 id;

	if (is_uuid(item))
		return vgpu->uuid && !g_ascii_strcasecmp(item, vgpu->uuid);
	return g_ascii_string_to_unsigned(item, 10, 0, INT32_MAX, &id, NULL) &&
	       vgpu->id == (int64_t)id;
}

bool selection_vgpu(const struct selection *selection, const struct vgpu *vgpu)
{
	if (!selection->vgpus)
		return true;
	for (char **item = selection->vgpus; *item; item++)
		if (is_this_vgpu(*item, vgpu))
			return true;
	return false;
}

bool selection_engine(const struct selection *selection, const struct gpu_engine *engine)
{
	char name[ENGINE_NAME_LEN];

	if (!selection->engines)
		return true;
	engine_name(name, engine->class, engine->instance);
	return g_strv_contains((const char *const *)selection->engines, name);
}

bool selection_queue(const struct selection *selection, const struct vgpu_engine *queue)
{
	return selection_vgpu(selection, queue->vgpu) &&
	       selection_engine(selection, queue->engine);
}

static bool seen(const char *item, const struct model *model)
{
	const GPtrArray *vgpus = model_vgpus(model);

	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		if (is_this_vgpu(item, vgpus->pdata[nr]))
			return true;
	return false;
}

bool selection_uuids_known(const struct selection *selection, const struct model *model)
{
	for (char **item = selection->vgpus; item && *item; item++)
		if (is_uuid(*item) && !seen(*item, model))
			return false;
	return true;
}

/* for "%" PRId64 ".%09" PRId64 */
#define SECONDS_ARGS(ns)	((ns) / NSEC_PER_SEC), ((ns) % NSEC_PER_SEC)

struct window selection_window(const struct selection *selection, const struct trace_info *trace)
{
	struct window all = { .from_ns = trace->start_ns, .to_ns = INT64_MAX };
	struct window window;

	if (!known(trace->start_ns))
		fatal("%s: holds no events: was the host idle, or tracing off?", trace->path);
	window = timespan_resolve(&selection->span, all);
	if (window.from_ns > window.to_ns)
		usage_error("--time: ends before it begins, or before the trace, which begins at %" PRId64 ".%09" PRId64 " s",
			    SECONDS_ARGS(trace->start_ns));
	return window;
}

void selection_check_window(struct window window, const struct trace_info *trace)
{
	if (window.from_ns > trace->end_ns)
		usage_error("--time: begins after the trace, which ends at %" PRId64 ".%09" PRId64 " s",
			    SECONDS_ARGS(trace->end_ns));
}

static void check_vgpu(const struct model *model, const char *item)
{
	const GPtrArray *vgpus = model_vgpus(model);
	GString *list = g_string_new(vgpus->len ? NULL : "none");

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct vgpu *vgpu = vgpus->pdata[nr];

		g_string_append_printf(list, "%s%" PRId64, nr ? ", " : "", vgpu->id);
		if (vgpu->uuid)
			g_string_append_printf(list, " (%s)", vgpu->uuid);
	}
	if (!seen(item, model))
		fatal("--vgpu %s: no such vGPU in the trace; there %s %.*s", item,
		      vgpus->len == 1 ? "is" : "are", LIST_LEN, list->str);
	g_string_free(list, TRUE);
}

static void check_engine(const struct model *model, const char *item)
{
	const GPtrArray *engines = model_engines(model);
	GString *list = g_string_new(engines->len ? NULL : "none");
	char name[ENGINE_NAME_LEN];
	bool found = false;

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		engine_name(name, engine->class, engine->instance);
		found = found || !strcmp(item, name);
		g_string_append_printf(list, "%s%s", nr ? ", " : "", name);
	}
	if (!found)
		fatal("--engine %s: no work on such an engine in the trace; there %s %.*s", item,
		      engines->len == 1 ? "is" : "are", LIST_LEN, list->str);
	g_string_free(list, TRUE);
}

void selection_check_known(const struct selection *selection, const struct model *model)
{
	for (char **item = selection->vgpus; item && *item; item++)
		check_vgpu(model, *item);
	for (char **item = selection->engines; item && *item; item++)
		check_engine(model, *item);
}
