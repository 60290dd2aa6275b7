// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat energy: divides what the GPU's energy counter counted among vGPUs, engines and the host.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "energy/result.h"
#include "follow/follow.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/screen.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/util.h"
#include "energy/gpu-use.h"
#include "energy/powercap.h"
#include "coef.h"

/* pairs of them are looked at; hosts have less than 50 */
#define MOST_CONSUMERS	200
#define INDENT		2
/* so many percent of the energy unexplained are worth a hint at what may help */
#define MUCH_RESIDUAL	5
/* so many percent of a VM's energy may be another one's */
#define MUCH_UNSURE	5

static enum static_rule rule;
static const char *powercap;		/* NULL: none */
static const char *coef_path;		/* predict from these coefficients; NULL: divide what was counted */
static const char *save_path;		/* write the fitted ones there; NULL: nowhere */

struct session {
	const struct form *form;
	struct follow follow;
	struct timeline *timeline;
	struct energy_result *result;
	const struct coef *coef;	/* what the energy is predicted from; NULL: it was counted */
};

/* --- for people ---------------------------------------------------------------------------------- */

static void print_coef(const struct coef *coef)
{
	screen_print(INDENT, stdout, "Predicted, as no counter was read: with coefficients of %s (%s, on %s; condition number %.1f, residual %.2f %%)",
		     coef->path, coef->date ? coef->date : "unknown date", coef->host ? coef->host : "an unknown host",
		     coef->condition, coef->residual);
}

static void print_counter(const struct session *session)
{
	const struct timeline *timeline = session->timeline;
	const struct shares *shares = session->result->shares;

	screen_print(INDENT, stdout, "Energy: %.6f J in %.6f s, read from %s in units of %.3f uJ; %u samples, %.1f %% of them at an update of the counter",
		     shares->total_nj / NSEC_PER_SEC, shares->length_ns / NSEC_PER_SEC, timeline->counter.source,
		     timeline->counter.unit_nj / 1000, timeline->levels->len,
		     100.0 * timeline->on_edges / timeline->levels->len);
}

static void add_use(GString *text, const char *before, double value, const char *behind)
{
	if (!isnan(value))
		g_string_append_printf(text, "%s%s%.1f%s", text->len ? ", " : "", before, value, behind);
}

static void print_gpu(const struct timeline *timeline)
{
	struct gpu_use use = gpu_use(timeline->gpu);
	GString *text = g_string_new(NULL);

	add_use(text, "in RC6 for ", use.rc6_percent, " % of the time");
	add_use(text, "kept awake by i915 for ", use.awake_percent, " %");
	add_use(text, "then at ", use.mhz, " MHz on average");
	if (text->len)
		screen_print(INDENT, stdout, "GPU: %s", text->str);
	g_string_free(text, TRUE);
}

static void print_fit(const struct fit *fit)
{
	if (fit->groups)
		screen_print(INDENT, stdout, "Fit: %u powers from %u intervals, condition number %.1f, residual %.2f %% (shared, too); static energy: %s",
			     fit->powers, fit->used, fit->condition, 100 * fit->residual,
			     static_rule_name(rule));
}

static bool several_engines(const struct energy_result *result)
{
	return result->engines->len > result->sums->len;
}

static void print_rows(const GArray *rows, const struct column *columns, const char *heading)
{
	struct table *table = table_new(columns);

	for (guint nr = 0; nr < rows->len; nr++)
		table_line(table, &g_array_index(rows, struct energy_row, nr));
	table_print(table, heading, stdout);
}

static void each_coef_note(const struct session *session, void (*note)(const char *text))
{
	const struct energy_result *result = session->result;

	for (guint nr = 0; nr < result->engines->len; nr++) {
		const struct energy_row *row = &g_array_index(result->engines, struct energy_row, nr);
		char *text;

		if (!row->engine || !isnan(row->joules))
			continue;
		text = g_strdup_printf("%s has no power of %s%s on %s: record that with --energy, and make coefficients of it by --save-coef",
				       session->coef->path, row->vgpu_id ? "vGPU " : "", row->who, row->engine);
		note(text);
		g_free(text);
	}
	if (isnan(result->shares->nj[SHARE_UNKNOWN(result->portions)]))
		note("Events were lost: who executed meanwhile is unknown, and so is the total; use larger buffers (gvt-stat record -b)");
}

/* is more than a few percent of somebody's energy not known, as it may be of those beside it? */
static bool is_unsure(const struct energy_result *result)
{
	const struct portions *portions = result->portions;

	for (unsigned int b = 0; result->fit->unsure_nj && b < portions->consumers; b++)
		for (unsigned int a = 0; a < b; a++)
			if (result->fit->unsure_nj[portion_together(portions, a, b)] >
			    MUCH_UNSURE / 100.0 * fmin(result->shares->nj[a], result->shares->nj[b]) + result->timeline->counter.unit_nj)
				return true;
	return false;
}

/* what makes numbers unknown or uncertain, and what helps: called with each */
static void each_note(const struct session *session, void (*note)(const char *text))
{
	const struct energy_result *result = session->result;
	const struct fit *fit = result->fit;
	char *text;

	if (session->coef) {
		each_coef_note(session, note);
		return;
	}
	if (result->shares->total_nj <= 0)
		note("The counter did not change between samples: it does not count on this processor, or samples are too close together; nobody's energy is known");
	else if (!fit->groups)
		note("Who used how much is unknown: there are too few intervals between samples in which no event was lost; record for longer, or sample more often (gvt-stat record --energy=HZ)");
	for (guint nr = 0; nr < result->same->len; nr++) {
		text = g_strdup_printf("Indistinguishable, as they always execute in the same proportion: %s; their energy is divided by time. Sample more often (gvt-stat record --energy=HZ), or let each engine have its own turns (gvt-stat policy dispatch=per-engine)",
				       (const char *)result->same->pdata[nr]);
		note(text);
		g_free(text);
	}
	if (is_unsure(result))
		note("Some are hardly ever seen alone: what they need beside others is known within their ranges only. Let dispatch be exclusive for some seconds of the recording (gvt-stat policy dispatch=exclusive), or predict with coefficients of another one (--coef)");
	if (result->shares->nj[SHARE_UNKNOWN(result->portions)] > 0 && fit->groups &&
	    fit->used < result->portions->stints->len)
		note("Events were lost: what was drawn meanwhile beyond the known work is unknown, and may be anybody's; use larger buffers (gvt-stat record -b)");
	if (fit->residual > MUCH_RESIDUAL / 100.0)
		note("Who executes does not explain much of the power: the GPU may have changed its frequency, or samples are not at updates of the counter; such intervals count less in the fit");
	if (session->timeline->broken) {
		text = g_strdup_printf("The counter began anew %" PRId64 " times, as after suspend: what was drawn meanwhile is not known, and not in the total",
				       session->timeline->broken);
		note(text);
		g_free(text);
	}
	if (session->timeline->bad) {
		text = g_strdup_printf("%" PRId64 " marks '" ENERGY_PREFIX "...' are of another counter or damaged; they were not used",
				       session->timeline->bad);
		note(text);
		g_free(text);
	}
}

static void print_note(const char *text)
{
	putchar('\n');
	screen_print(INDENT, stdout, "%s", text);
}

static void warn_note(const char *text)
{
	warn("%s", text);
}

static void print_tables(const void *ctx)
{
	const struct session *session = ctx;
	const struct energy_result *result = session->result;

	notes_head(&session->follow, stdout);
	if (session->coef) {
		print_coef(session->coef);
	} else {
		print_counter(session);
		print_gpu(session->timeline);
		print_fit(result->fit);
	}
	print_rows(result->sums, energy_sum_columns, "Where the GPU's energy went");
	if (several_engines(result))
		print_rows(result->engines, energy_columns, "The same by engine");
	each_note(session, print_note);
	notes_tail(&session->follow, stdout);
}

/* --- for programs -------------------------------------------------------------------------------- */

static json_t *rows_json(const struct form *form, const struct column *columns, const GArray *rows)
{
	struct json_lines lines = { form_columns(form, columns), json_array() };

	for (guint nr = 0; nr < rows->len; nr++)
		json_lines_add(&lines, &g_array_index(rows, struct energy_row, nr));
	return lines.lines;
}

static json_t *counter_json(const struct session *session)
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

static json_t *fit_json(const struct energy_result *result)
{
	json_t *same = json_array();

	for (guint nr = 0; nr < result->same->len; nr++)
		json_array_append_new(same, json_text(result->same->pdata[nr]));
	return json_pack("{s:I, s:I, s:o, s:o, s:s, s:o}", "intervals", (json_int_t)result->fit->used,
			 "powers", (json_int_t)result->fit->powers,
			 "condition", json_decimal(result->fit->condition),
			 "residual_percent", json_decimal(100 * result->fit->residual),
			 "static", static_rule_name(rule), "same", same);
}

static json_t *coef_json(const struct coef *coef)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o}", "coef", coef->path, "host", json_text(coef->host),
			 "date", json_text(coef->date), "condition", json_decimal(coef->condition),
			 "residual_percent", json_decimal(coef->residual));
}

static void print_json(const void *ctx)
{
	const struct session *session = ctx;
	json_t *document = document_new(&session->follow, session->form->command);

	document_add_window(document, session->follow.window);
	if (session->coef) {
		json_object_set_new(document, "predicted", coef_json(session->coef));
	} else {
		json_object_set_new(document, "counter", counter_json(session));
		json_object_set_new(document, "gpu", gpu_json(session->timeline));
		json_object_set_new(document, "fit", fit_json(session->result));
	}
	json_object_set_new(document, "shares", rows_json(session->form, energy_sum_columns, session->result->sums));
	json_object_set_new(document, "engines", rows_json(session->form, energy_columns, session->result->engines));
	document_print(document, stdout);
}

static void print_lines(const void *ctx)
{
	const struct session *session = ctx;
	struct sheet *sheet = sheet_begin(session->form, energy_columns);
	const GArray *rows = session->result->engines;

	for (guint nr = 0; nr < rows->len; nr++)
		sheet_line(sheet, &g_array_index(rows, struct energy_row, nr));
	sheet_end(sheet);
	each_note(session, warn_note);
	notes_warn(&session->follow);
}

/* --- the command --------------------------------------------------------------------------------- */

/* One counter is of one GPU: the one in the processor. */
static void check_gpus(const struct session *session, const char *path)
{
	const GPtrArray *gpus = model_gpus(session->follow.model);
	unsigned int count = 0;

	for (guint nr = 0; nr < gpus->len; nr++)
		count += selection_gpu(session->follow.selection, gpus->pdata[nr]);
	if (count > 1)
		usage_error("%s is of several GPUs: give one by --gpu, that whose energy was counted", path);
}

static void check_samples(const struct session *session, const char *path)
{
	const struct timeline *timeline = session->timeline;
	const struct timespan *span = &session->follow.selection->span;

	if (timeline->levels->len < 2 && timeline->reads.early->len)
		fatal("%s: has reads of register 0x641, but none of 0x606, which tells the unit of the counter: record that as well, as by 'rdmsr 0x606'",
		      path);
	if (timeline->levels->len < 2)
		fatal("%s: has %s of the GPU's energy counter%s: record with 'gvt-stat record --energy'", path,
		      timeline->levels->len ? "only one sample" : "no samples",
		      timeline->bad ? ", but damaged marks '" ENERGY_PREFIX "...'" :
		      known(span->from.ns) || known(span->to.ns) ? " in the window" : "");
}

static void check_consumers(const struct session *session, const char *path)
{
	if (session->timeline->consumers->len > MOST_CONSUMERS)
		fatal("%s: more than %d vGPUs and engines: the file is corrupted, or observe a part of it by --time",
		      path, MOST_CONSUMERS);
}

/* divide what was counted, and keep the powers for predictions */
static struct energy_result *count(const struct session *session, const char *path)
{
	struct energy_result *result;
	struct coef *coef;

	check_samples(session, path);
	result = energy_result_new(session->timeline, rule);
	if (powercap)
		powercap_add(powercap, result);
	if (!save_path)
		return result;
	if (!result->powers_known)
		fatal("--save-coef: no powers could be fitted to %s: see 'gvt-stat energy'", path);
	coef = coef_of_fit(result);
	coef_save(coef, save_path);
	coef_free(coef);
	return result;
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct selection selection = options->selection;
	const char *path = selection.input;
	struct session session = { .form = &options->form };
	struct coef *coef = coef_path ? coef_read(coef_path) : NULL;

	selection.beside = QUANTITY_BIT(QUANTITY_ENERGY);
	follow_open(&session.follow, &selection);
	session.timeline = timeline_new(&session.follow);
	follow_run(&session.follow);
	model_finish(session.follow.model);
	selection_check_known(&selection, session.follow.model);
	check_gpus(&session, path);
	check_consumers(&session, path);
	session.coef = coef;
	if (coef)
		session.result = coef_result(coef, session.timeline);
	else
		session.result = count(&session, path);
	if (!save_path || strcmp(save_path, "-"))
		form_print(&options->form, &printers, &session);
	energy_result_free(session.result);
	timeline_free(session.timeline);
	follow_close(&session.follow);
	if (coef)
		coef_free(coef);
	return EXIT_SUCCESS;
}

enum energy_key {
	KEY_STATIC = 0xd00,
	KEY_POWERCAP,
	KEY_COEF,
	KEY_SAVE_COEF,
};

static error_t parse_static(const char *arg, struct argp_state *state)
{
	for (rule = 0; rule < STATIC_RULES; rule++)
		if (!strcmp(arg, static_rule_name(rule)))
			return 0;
	argp_error(state, "--static %s: give busy, none or equal", make_printable(g_strdup(arg)));
	return ARGP_ERR_UNKNOWN;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case KEY_STATIC:
		return parse_static(arg, state);
	case KEY_POWERCAP:
		powercap = arg;
		return 0;
	case KEY_COEF:
		coef_path = arg;
		return 0;
	case KEY_SAVE_COEF:
		save_path = arg;
		return 0;
	case ARGP_KEY_END:
		if (coef_path && (save_path || powercap || rule != STATIC_BUSY))
			argp_error(state, "--coef predicts: give it without --save-coef, --powercap and --static");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option option_table[] = {
	{ "static", KEY_STATIC, "RULE", 0,
	  "Whose is what the GPU draws in any case: busy (those who execute, the default), none, equal (all vGPUs)", 0 },
	{ "powercap", KEY_POWERCAP, "DIR", 0,
	  "Also add each VM's joules to DIR/VM/intel-rapl:0:1/energy_uj, for readers of RAPL in the guests", 0 },
	{ "save-coef", KEY_SAVE_COEF, "FILE", 0,
	  "Also write the fitted powers to a file, for predictions; - is the standard output", 0 },
	{ "coef", KEY_COEF, "FILE", 0,
	  "Predict energy from such a file: needs no samples of the counter", 0 },
	{ 0 }
};

const struct command energy_command = {
	.name = "energy",
	.doc = "Show how many joules of the GPU's energy counter went to each vGPU, engine and the host.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_HOST),
	.columns = TABLES(energy_columns),
	.argp = &(const struct argp) { option_table, parse },
	.run = run,
};
