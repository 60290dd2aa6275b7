// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "column.h"
#include "report.h"

/*
 * One line per engine of each GPU, then of each vGPU; a vGPU without work has
 * one line with no engine. What belongs to the whole vGPU or GPU is repeated.
 */
static const struct column dev_column[] = {
	{ "dev", COLUMN_INTEGER, offsetof(struct report_gpu, dev) },
	{ 0 }
};

/* the GPU's number is the first column of vGPUs */
#define VGPU_ONLY_COLUMNS	(report_vgpu_columns + 1)

static void header(FILE *out)
{
	bool first = true;

	csv_text(out, "scope", &first);
	csv_header(out, report_vgpu_columns, &first);
	csv_header(out, report_gpu_columns, &first);
	csv_header(out, report_engine_columns, &first);
	csv_end_line(out);
}

static void gpu_line(FILE *out, const struct report_gpu *gpu, const struct report_engine *engine)
{
	bool first = true;

	csv_text(out, "gpu", &first);
	csv_record(out, dev_column, gpu, &first);
	csv_record(out, VGPU_ONLY_COLUMNS, NULL, &first);
	csv_record(out, report_gpu_columns, gpu, &first);
	csv_record(out, report_engine_columns, engine, &first);
	csv_end_line(out);
}

static void vgpu_line(FILE *out, const struct report_vgpu *vgpu,
		      const struct report_engine *engine)
{
	bool first = true;

	csv_text(out, "vgpu", &first);
	csv_record(out, report_vgpu_columns, vgpu, &first);
	csv_record(out, report_gpu_columns, NULL, &first);
	csv_record(out, report_engine_columns, engine, &first);
	csv_end_line(out);
}

static void gpu_lines(FILE *out, const struct report_gpu *gpu)
{
	for (unsigned int nr = 0; nr < gpu->engines->len; nr++)
		gpu_line(out, gpu, gpu->engines->pdata[nr]);
	if (!gpu->engines->len)
		gpu_line(out, gpu, NULL);
}

static void vgpu_lines(FILE *out, const struct report_vgpu *vgpu)
{
	for (unsigned int nr = 0; nr < vgpu->engines->len; nr++)
		vgpu_line(out, vgpu, vgpu->engines->pdata[nr]);
	if (!vgpu->engines->len)
		vgpu_line(out, vgpu, NULL);
}

void report_csv(const struct report *report, FILE *out)
{
	header(out);
	for (unsigned int nr = 0; nr < report->gpus->len; nr++)
		gpu_lines(out, report->gpus->pdata[nr]);
	for (unsigned int nr = 0; nr < report->vgpus->len; nr++)
		vgpu_lines(out, report->vgpus->pdata[nr]);
}
