// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/column.h"
#include "output/document.h"
#include "contents.h"
#include "report.h"

static json_t *engines_json(const struct form *form, const GPtrArray *engines)
{
	const struct column *columns = form_columns(form, report_engine_columns);
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < engines->len; nr++)
		json_array_append_new(array, columns_to_json(columns, engines->pdata[nr]));
	return array;
}

/* null if the host's own work is unknown */
static json_t *host_json(const struct form *form, const struct trace_info *trace,
			 const GPtrArray *engines)
{
	const char *since = trace->recorded[EVENT_REQUEST_ADD] ? "request" : "engine";

	return engines->len ? json_pack("{s:i, s:s, s:s, s:o}", "vgpu_id", 0, "name", "host",
					"waits_since", since,
					"engines", engines_json(form, engines)) : json_null();
}

static json_t *gpus_json(const struct form *form, const struct trace_info *trace,
			 const GPtrArray *gpus)
{
	const struct column *columns = form_columns(form, report_gpu_columns);
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < gpus->len; nr++) {
		const struct report_gpu *gpu = gpus->pdata[nr];
		json_t *object = json_pack("{s:I}", "dev", (json_int_t)gpu->dev);

		json_object_update_new(object, columns_to_json(columns, gpu));
		json_object_set_new(object, "engines", engines_json(form, gpu->engines));
		json_object_set_new(object, "host", host_json(form, trace, gpu->host));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *vgpus_json(const struct form *form, const GPtrArray *vgpus)
{
	const struct column *columns = form_columns(form, report_vgpu_columns);
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct report_vgpu *vgpu = vgpus->pdata[nr];
		json_t *object = columns_to_json(columns, vgpu);

		json_object_set_new(object, "engines", engines_json(form, vgpu->engines));
		json_array_append_new(array, object);
	}
	return array;
}

void report_add_json(json_t *document, const struct report *report)
{
	json_object_set_new(document, "contradicting_events",
			    json_integer(model_strays(report->follow->model)));
	json_object_set_new(document, "gpus", gpus_json(report->form, report->follow->trace, report->gpus));
	json_object_set_new(document, "vgpus", vgpus_json(report->form, report->vgpus));
}

void report_json(const void *result)
{
	const struct report *report = result;
	const struct follow *follow = report->follow;
	json_t *document = document_new(follow, report->form->command);

	document_add_window(document, follow->window);
	report_add_json(document, report);
	document_print(document, stdout);
}
