// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/notes.h"
#include "output/sheet.h"
#include "report.h"

/*
 * One line per engine: of each GPU, of the host's own work, then of each vGPU. A vGPU without work
 * has one line without engine. Values of the whole vGPU or GPU are repeated in each line; values
 * that do not apply are unknown.
 */
struct report_line {
	const char *scope;
	struct report_vgpu vgpu;
	struct report_gpu gpu;
	struct report_engine engine;
};

const struct column report_scope_columns[] = {
	{ "scope", COLUMN_TEXT, offsetof(struct report_line, scope) },
	{ 0 }
};

static GArray *join_columns(void)
{
	GArray *columns = g_array_new(TRUE, FALSE, sizeof(struct column));

	columns_join(columns, report_scope_columns, 0);
	columns_join(columns, report_vgpu_columns, offsetof(struct report_line, vgpu));
	columns_join(columns, report_gpu_columns, offsetof(struct report_line, gpu));
	columns_join(columns, report_engine_columns, offsetof(struct report_line, engine));
	return columns;
}

/* adds one line even without engines */
static void add_engines(struct sheet *sheet, struct report_line *line, const GPtrArray *engines)
{
	for (unsigned int nr = 0; nr < engines->len; nr++) {
		line->engine = *(const struct report_engine *)engines->pdata[nr];
		sheet_line(sheet, line);
	}
	if (!engines->len)
		sheet_line(sheet, line);
}

/* the number of a GPU is in the first column of the vGPU columns */
static void add_gpu(struct sheet *sheet, const struct column *columns,
		    const struct report_gpu *gpu)
{
	struct report_line line;

	columns_clear(columns, &line);
	line.scope = "gpu";
	line.gpu = *gpu;
	line.vgpu.dev = gpu->dev;
	add_engines(sheet, &line, gpu->engines);
}

/* the host's own work has id 0, which no vGPU has */
static void add_host(struct sheet *sheet, const struct column *columns,
		     const struct report_gpu *gpu)
{
	struct report_line line;

	columns_clear(columns, &line);
	line.scope = "host";
	line.vgpu.dev = gpu->dev;
	line.vgpu.vgpu_id = 0;
	if (gpu->host->len)
		add_engines(sheet, &line, gpu->host);
}

static void add_vgpu(struct sheet *sheet, const struct column *columns,
		     const struct report_vgpu *vgpu)
{
	struct report_line line;

	columns_clear(columns, &line);
	line.scope = "vgpu";
	line.vgpu = *vgpu;
	add_engines(sheet, &line, vgpu->engines);
}

void report_lines(const void *result)
{
	const struct report *report = result;
	GArray *joined = join_columns();
	const struct column *columns = (const struct column *)joined->data;
	struct sheet *sheet = sheet_begin(report->form, columns);

	for (unsigned int nr = 0; nr < report->gpus->len; nr++)
		add_gpu(sheet, columns, report->gpus->pdata[nr]);
	for (unsigned int nr = 0; nr < report->gpus->len; nr++)
		add_host(sheet, columns, report->gpus->pdata[nr]);
	for (unsigned int nr = 0; nr < report->vgpus->len; nr++)
		add_vgpu(sheet, columns, report->vgpus->pdata[nr]);
	sheet_end(sheet);
	notes_warn(report->follow);
	g_array_free(joined, TRUE);
}

/* omits the GPU's number unless there are several, which is rare */
const char *report_label(char *text, bool several_gpus, int64_t dev, int64_t vgpu_id,
			 const char *vm)
{
	char id[32] = "all";

	if (known(vgpu_id))
		snprintf(id, sizeof(id), "%" PRId64, vgpu_number(vgpu_id));
	if (several_gpus)
		snprintf(text, REPORT_LABEL_LEN, "%" PRId64 "/%s", dev, id);
	else
		snprintf(text, REPORT_LABEL_LEN, "%s", id);
	if (vm) {
		g_strlcat(text, " ", REPORT_LABEL_LEN);
		g_strlcat(text, vm, REPORT_LABEL_LEN);
	}
	return text;
}

bool report_knows_host(const struct report *report)
{
	for (unsigned int nr = 0; nr < report->gpus->len; nr++)
		if (((const struct report_gpu *)report->gpus->pdata[nr])->host->len)
			return true;
	return false;
}
