// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "timeline/gpu-use.h"
#include "trace/util.h"
#include "energy.h"

static void warn_note(const char *text)
{
	warn("%s", text);
}

/* @rows: of records of these columns */
static json_t *rows_json(const struct form *form, const struct column *columns, const GArray *rows)
{
	struct json_lines lines = { form_columns(form, columns), json_array() };

	for (guint nr = 0; nr < rows->len; nr++)
		json_lines_add(&lines, rows->data + nr * g_array_get_element_size((GArray *)rows));
	return lines.lines;
}

static json_t *dearest_json(const struct energy_session *session)
{
	GArray *dearest = works_dearest(session->result, session->wanted->workloads);
	json_t *lines = rows_json(session->form, dear_work_columns, dearest);

	g_array_free(dearest, TRUE);
	return lines;
}

static json_t *intervals_json(const struct energy_session *session)
{
	GArray *rows = over_time_rows(session->result);
	json_t *lines = rows_json(session->form, energy_interval_columns, rows);

	g_array_free(rows, TRUE);
	return lines;
}

static json_t *counter_json(const struct energy_session *session)
{
	const struct timeline *timeline = session->timeline;
	const struct shares *shares = session->result->shares;

	return json_pack("{s:s, s:f, s:I, s:I, s:I, s:f, s:I}", "source", timeline->counter.source,
			 "unit_nj", timeline->counter.unit_nj, "samples", (json_int_t)timeline->levels->len,
			 "on_edges", (json_int_t)timeline->on_edges, "not_used", (json_int_t)timeline->bad,
			 "joules", shares->total_nj / NSEC_PER_SEC, "covered_ns", (json_int_t)shares->length_ns);
}

static json_t *gpu_json(const struct timeline *timeline)
{
	struct gpu_use use = gpu_use(timeline->gpu);

	return json_pack("{s:o, s:o, s:o}", "rc6_percent", json_decimal(use.rc6_percent),
			 "awake_percent", json_decimal(use.awake_percent), "mean_mhz", json_decimal(use.mhz));
}

static json_t *fit_json(const struct energy_session *session)
{
	const struct energy_result *result = session->result;
	json_t *same = json_array();

	for (guint nr = 0; nr < result->same->len; nr++)
		json_array_append_new(same, json_text(result->same->pdata[nr]));
	return json_pack("{s:I, s:I, s:o, s:o, s:s, s:o}", "intervals", (json_int_t)result->fit->used,
			 "powers", (json_int_t)result->fit->powers,
			 "condition", json_decimal(result->fit->condition),
			 "residual_percent", json_decimal(100 * result->fit->residual),
			 "static", static_rule_name(session->wanted->rule), "same", same);
}

static json_t *coef_json(const struct coef *coef)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o}", "coef", coef->path, "host", json_text(coef->host),
			 "date", json_text(coef->date), "condition", json_decimal(coef->condition),
			 "residual_percent", json_decimal(coef->residual));
}

void energy_json(const void *ctx)
{
	const struct energy_session *session = ctx;
	json_t *document = document_new(&session->follow, session->form->command);

	document_add_window(document, session->follow.window);
	if (session->coef) {
		json_object_set_new(document, "predicted", coef_json(session->coef));
	} else {
		json_object_set_new(document, "counter", counter_json(session));
		json_object_set_new(document, "gpu", gpu_json(session->timeline));
		json_object_set_new(document, "fit", fit_json(session));
	}
	json_object_set_new(document, "shares", rows_json(session->form, energy_sum_columns, session->result->sums));
	json_object_set_new(document, "engines", rows_json(session->form, energy_columns, session->result->engines));
	if (session->wanted->workloads)
		json_object_set_new(document, "workloads", dearest_json(session));
	if (session->wanted->interval_ns) {
		json_object_set_new(document, "interval_ns", json_integer(session->wanted->interval_ns));
		json_object_set_new(document, "intervals", intervals_json(session));
	}
	document_print(document, stdout);
}

static void print_sheet(const struct energy_session *session, const struct column *columns, const GArray *rows)
{
	struct sheet *sheet = sheet_begin(session->form, columns);

	for (guint nr = 0; nr < rows->len; nr++)
		sheet_line(sheet, rows->data + nr * g_array_get_element_size((GArray *)rows));
	sheet_end(sheet);
	energy_notes(session, warn_note);
	notes_warn(&session->follow);
}

void energy_lines(const void *ctx)
{
	const struct energy_session *session = ctx;
	GArray *rows;

	if (!session->wanted->workloads && !session->wanted->interval_ns) {
		print_sheet(session, energy_columns, session->result->engines);
		return;
	}
	rows = session->wanted->workloads ? works_dearest(session->result, session->wanted->workloads) : over_time_rows(session->result);
	print_sheet(session, session->wanted->workloads ? dear_work_columns : energy_interval_columns, rows);
	g_array_free(rows, TRUE);
}
