// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat check: reports the findings of the rules.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/proof.h"
#include "analysis/check.h"
#include "analysis/remedy.h"
#include "cmd/command.h"
#include "output/column.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/order.h"
#include "output/screen.h"
#include "output/sheet.h"
#include "trace/timespan.h"
#include "trace/util.h"
#include "whatif/change.h"
#include "whatif/simulator.h"
#include "contents.h"

#define OWNER_LEN	32
/* of the details of a finding */
#define INDENT		3

static bool list_rules;
static bool simulates;
static struct whatif told;		/* facts about vGPUs from the user */

struct result {
	const struct form *form;
	const struct check *check;
	struct proof *proof;		/* trials of the remedies */
};

/* With several GPUs, the id of a vGPU is ambiguous: names the GPU, too. */
static void print_finding(const struct finding *finding, int nr, bool several_gpus,
			  struct proof *proof, FILE *out)
{
	char *remedy = remedies_text(finding->remedies);
	char gpu[OWNER_LEN] = "";

	if (several_gpus && known(finding->dev))
		g_snprintf(gpu, sizeof(gpu), ", GPU %" PRId64, finding->dev);
	fputc('\n', out);
	screen_print(INDENT, out, "%d. %s (%s%s)", nr, finding->problem, finding->rule->name, gpu);
	screen_print(2 * INDENT, out, "   Evidence: %s", finding->evidence);
	if (*remedy)
		screen_print(2 * INDENT, out, "   Remedy: %s", remedy);
	if (proof_tried(proof, finding))
		screen_print(2 * INDENT, out, "   %s", proof_tried(proof, finding));
	for (unsigned int of = 0; simulates && of < finding->remedies->len; of++)
		proof_print(proof, finding, &g_array_index(finding->remedies, struct remedy, of), out);
	g_free(remedy);
}

static const char *owner_text(const struct setting_change *change, char text[OWNER_LEN])
{
	if (change->vgpu)
		return change->vgpu->label;
	g_snprintf(text, OWNER_LEN, "GPU %" PRId64, change->dev);
	return text;
}

/* Findings cover the whole window, so list settings that changed within it. */
static void print_changes(const struct check *check, FILE *out)
{
	const GArray *changes = check_changes(check);
	char text[OWNER_LEN];

	if (!changes->len)
		return;
	fputc('\n', out);
	screen_print(0, out, "Settings were changed in the window: findings are based on those that were in force longest, and what is advised may have been set since. Use --time to choose a part of the trace.");
	for (unsigned int nr = 0; nr < changes->len; nr++) {
		const struct setting_change *change = &g_array_index(changes, struct setting_change, nr);

		fprintf(out, SECONDS " s: %s of %s from %s to %s\n", SECONDS_OF(change->at_ns),
			change->setting, owner_text(change, text), change->old_value,
			change->new_value);
	}
}

static void print_unchecked(const struct check *check, FILE *out)
{
	GString *names = g_string_new(NULL);

	for (const struct rule *rule = rules; rule->name; rule++)
		if (!check_can(check, rule))
			g_string_append_printf(names, "%s%s", names->len ? ", " : "", rule->name);
	if (names->len) {
		fputc('\n', out);
		screen_print(INDENT, out, "Not checked, as events are missing: %s", names->str);
	}
	g_string_free(names, TRUE);
}

/* number of findings to print, worst first */
static guint findings_shown(const struct check *check)
{
	guint count = check->findings->len;

	return order.limit && order.limit < count ? order.limit : count;
}

static void print_findings(const struct check *check, struct proof *proof, FILE *out)
{
	bool several_gpus = model_gpus(check->follow->model)->len > 1;
	guint count = check->findings->len, shown = findings_shown(check);

	for (guint nr = 0; nr < shown; nr++)
		print_finding(check->findings->pdata[nr], nr + 1, several_gpus, proof, out);
	if (shown < count)
		fprintf(out, "\n(%u more findings: -n 0 prints all)\n", count - shown);
	if (!count)
		fputs("\nNothing found\n", out);
}

/* Shows the same victim and cause as report and the page; the findings below give reasons. */
static void print_slowest(const struct check *check, FILE *out)
{
	struct slowdown slowest;

	if (!check_slowest(check, &slowest))
		return;
	if (isinf(slowest.times))
		screen_print(INDENT, out, "Slowest: %s completed nothing, mostly waiting for: %s",
			     slowest.vgpu->label, latency_part_name(slowest.mostly));
	else
		screen_print(INDENT, out, "Slowest: %s takes %.2f times as long as alone, mostly waiting for: %s",
			     slowest.vgpu->label, slowest.times, latency_part_name(slowest.mostly));
}

static json_t *slowest_json(const struct check *check)
{
	struct slowdown slowest;

	if (!check_slowest(check, &slowest))
		return json_null();
	return json_pack("{s:I, s:I, s:o, s:o, s:s}", "dev", (json_int_t)slowest.vgpu->dev,
			 "vgpu_id", (json_int_t)vgpu_number(slowest.vgpu->id),
			 "slowdown", json_decimal(slowest.times),
			 "wait_for_others_mean_ns", json_decimal(slowest.others_ns),
			 "mostly", latency_part_name(slowest.mostly));
}

static void print_text(const void *result)
{
	const struct check *check = ((const struct result *)result)->check;

	notes_head(check->follow, stdout);
	print_slowest(check, stdout);
	print_findings(check, ((const struct result *)result)->proof, stdout);
	print_changes(check, stdout);
	print_unchecked(check, stdout);
	notes_tail(check->follow, stdout);
}

/* one finding for programs */
struct line {
	const char *rule;
	int64_t dev;
	int64_t vgpu_id;
	const char *engine;
	double value;
	double threshold;
	const char *unit;
	const char *problem;
	const char *evidence;
	char *remedy;			/* owned */
	const char *vm;
};

#define COLUMN(type, member)	{ #member, COLUMN_##type, offsetof(struct line, member) }

static const struct column columns[] = {
	COLUMN(TEXT, rule),
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, engine),
	COLUMN(REAL, value),
	COLUMN(REAL, threshold),
	COLUMN(TEXT, unit),
	COLUMN(TEXT, problem),
	COLUMN(TEXT, evidence),
	COLUMN(TEXT, remedy),
	COLUMN(TEXT, vm),
	{ 0 }
};

static void fill_line(const struct check *check, struct line *line, const struct finding *finding)
{
	const struct gpu_engine *engine = finding->engine;
	const struct vgpu *vgpu = model_vgpu(check->follow->model, finding->dev, finding->vgpu_id);

	*line = (struct line) {
		.rule = finding->rule->name,
		.dev = finding->dev,
		.vgpu_id = finding->vgpu_id,
		.value = finding->value,
		.threshold = check_threshold(finding->rule),
		.unit = finding->rule->unit,
		.problem = finding->problem,
		.evidence = finding->evidence,
		.remedy = remedies_text(finding->remedies),
		.vm = vgpu ? vgpu->vm : NULL,
		.engine = engine ? engine->name : NULL,
	};
}

static json_t *settings_json(const struct remedy *remedy)
{
	json_t *settings = json_array();

	for (unsigned int nr = 0; nr < remedy->count; nr++) {
		char *file = remedy_file(remedy, &remedy->settings[nr]);

		json_array_append_new(settings, json_pack("{s:s, s:s, s:s}",
							  "setting", remedy->settings[nr].name,
							  "value", remedy->settings[nr].value,
							  "file", file));
		g_free(file);
	}
	return settings;
}

/* one remedy, whose settings belong together */
static json_t *remedy_json(const struct remedy *remedy)
{
	char *command = remedy_command(remedy), *text = remedy_text(remedy);
	json_t *json = json_pack("{s:s, s:b, s:s?, s:o, s:s?, s:s}",
				 "remedy", remedy_name(remedy), "perhaps", remedy->perhaps,
				 "scope", !remedy->count ? NULL : remedy->vgpu ? "vgpu" : "gpu",
				 "settings", settings_json(remedy), "command", command,
				 "text", text);

	json_object_set_new(json, "dev", known(remedy->dev) ? json_integer(remedy->dev) :
							      json_null());
	json_object_set_new(json, "vgpu_id", remedy->vgpu ? json_integer(vgpu_number(remedy->vgpu->id)) :
							    json_null());
	g_free(text);
	g_free(command);
	return json;
}

/* @proof: NULL: do not simulate remedies */
static json_t *remedies_json(const struct finding *finding, struct proof *proof)
{
	json_t *json = json_array();

	for (unsigned int nr = 0; nr < finding->remedies->len; nr++) {
		const struct remedy *remedy = &g_array_index(finding->remedies, struct remedy, nr);
		json_t *one = remedy_json(remedy);

		if (proof && simulates)
			json_object_set_new(one, "simulation", proof_json(proof, finding, remedy));
		json_array_append_new(json, one);
	}
	return json;
}

static json_t *finding_json(const struct check *check, const struct form *form,
			    const struct finding *finding, struct proof *proof)
{
	struct line line;
	json_t *json;

	fill_line(check, &line, finding);
	json = columns_to_json(form_columns(form, columns), &line);
	if (!form->columns) {
		json_object_set_new(json, "remedies", remedies_json(finding, proof));
		json_object_set_new(json, "tried", json_text(proof ? proof_tried(proof, finding) : NULL));
	}
	g_free(line.remedy);
	return json;
}

static json_t *changes_json(const struct check *check)
{
	const GArray *changes = check_changes(check);
	json_t *json = json_array();

	for (unsigned int nr = 0; nr < changes->len; nr++) {
		const struct setting_change *change = &g_array_index(changes, struct setting_change, nr);

		json_array_append_new(json, json_pack("{s:I, s:I, s:o, s:s, s:s, s:s}",
			"at_ns", (json_int_t)change->at_ns, "dev", (json_int_t)change->dev,
			"vgpu_id", change->vgpu ? json_integer(vgpu_number(change->vgpu->id)) : json_null(),
			"setting", change->setting, "old", change->old_value,
			"new", change->new_value));
	}
	return json;
}

static void add_json(json_t *document, const struct form *form, const struct check *check,
		     struct proof *proof)
{
	json_t *findings = json_array(), *unchecked = json_array();

	for (guint nr = 0; nr < findings_shown(check); nr++)
		json_array_append_new(findings, finding_json(check, form,
							     check->findings->pdata[nr], proof));
	for (const struct rule *rule = rules; rule->name; rule++)
		if (!check_can(check, rule))
			json_array_append_new(unchecked, json_string(rule->name));
	json_object_set_new(document, "slowest", slowest_json(check));
	json_object_set_new(document, "findings", findings);
	json_object_set_new(document, "not_checked", unchecked);
	json_object_set_new(document, "setting_changes", changes_json(check));
}

void check_add_json(json_t *document, const struct form *form, const struct check *check)
{
	add_json(document, form, check, NULL);
}

static void print_json(const void *result)
{
	const struct form *form = ((const struct result *)result)->form;
	const struct check *check = ((const struct result *)result)->check;
	json_t *document = document_new(check->follow, form->command);

	document_add_window(document, check->follow->window);
	add_json(document, form, check, ((const struct result *)result)->proof);
	document_print(document, stdout);
}

static void print_lines(const void *result)
{
	const struct form *form = ((const struct result *)result)->form;
	const struct check *check = ((const struct result *)result)->check;
	struct sheet *sheet = sheet_begin(form, columns);
	struct line line;

	for (unsigned int nr = 0; nr < check->findings->len; nr++) {
		fill_line(check, &line, check->findings->pdata[nr]);
		sheet_line(sheet, &line);
		g_free(line.remedy);
	}
	sheet_end(sheet);
	notes_warn(check->follow);
}

static int print_rules(void)
{
	for (const struct rule *rule = rules; rule->name; rule++)
		printf("%-11s %6g %-3s %s\n", rule->name, check_threshold(rule), rule->unit,
		       rule->what);
	return EXIT_SUCCESS;
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_text };
	struct follow follow;
	struct proof *proof;
	struct check check;
	int status;

	if (list_rules)
		return print_rules();
	follow_open(&follow, &options->selection);
	check_begin(&check, &follow, options->selection.quantities);
	proof = proof_new(&follow, &told);
	if (simulates && !proof_can(proof))
		fatal(SIMULATOR_MISSING);
	follow_run(&follow);
	check_end(&check);
	proof_settle(proof, &check);
	form_print(&options->form, &printers, &(struct result) { &options->form, &check, proof });
	proof_free(proof);
	status = check.findings->len ? EXIT_FOUND : EXIT_SUCCESS;
	check_clear(&check);
	follow_close(&follow);
	whatif_clear(&told);
	return status;
}

#define KEY_THRESHOLD	0x200
#define KEY_RULES	0x201
#define KEY_SIMULATE	0x202
#define KEY_VGPU	0x203

static const struct rule *find_rule(const char *name, size_t len)
{
	for (const struct rule *rule = rules; rule->name; rule++)
		if (strlen(rule->name) == len && !strncmp(rule->name, name, len))
			return rule;
	return NULL;
}

/* in the rule's unit; a time may have another one */
static bool parse_limit(const struct rule *rule, const char *text, double *limit)
{
	int64_t rule_ns = timespan_unit(rule->unit), own_ns;
	char *end;

	*limit = g_ascii_strtod(text, &end);
	own_ns = rule_ns ? timespan_unit(end) : 0;
	if (own_ns)
		*limit *= (double)own_ns / rule_ns;
	return end != text && (own_ns || !*end) && *limit >= 0 && !isinf(*limit);
}

static void parse_threshold(const char *arg, struct argp_state *state)
{
	const char *value = strchr(arg, '=');
	const struct rule *rule = value ? find_rule(arg, value - arg) : NULL;
	double limit;

	if (!rule)
		argp_error(state, "--threshold %s: give RULE=NUMBER; --rules names them", arg);
	if (!parse_limit(rule, value + 1, &limit))
		argp_error(state, "--threshold %s: '%s' is no number from 0 on%s", arg, value + 1,
			   timespan_unit(rule->unit) ? ", nor a time such as " TIMESPAN_FORMS : "");
	check_set_threshold(rule, limit);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_INIT:
		whatif_init(&told);
		break;
	case KEY_VGPU:
		if (strchr(arg, ':'))
			change_tell(&told, arg, state);
		else
			options_vgpu(state->input, arg, state);
		break;
	case KEY_THRESHOLD:
		parse_threshold(arg, state);
		break;
	case KEY_RULES:
		list_rules = true;
		break;
	case KEY_SIMULATE:
		simulates = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option option_table[] = {
	{ "threshold", KEY_THRESHOLD, "RULE=NUMBER", 0,
	  "Threshold from which a rule reports, in its unit or as a time; may be given several times", 0 },
	{ "simulate", KEY_SIMULATE, NULL, 0,
	  "Also simulate the effect of each remedy that is a setting: see gvt-stat-simulate(1)", 0 },
	{ "vgpu", KEY_VGPU, "LIST|ID:WORD,...", 0,
	  "Only these vGPUs, by id or UUID: 1,2; or what is known of one: open, closed, depth, period or pieces_us, such as 2:closed", 0 },
	{ "rules", KEY_RULES, NULL, 0, "List the rules with their thresholds, and exit", 0 },
	{ 0 }
};

const struct command check_command = {
	.name = "check",
	.doc = "Name problems in a trace, with evidence and remedies; exit status 2 if there are any.",
	.quantities = CHECK_QUANTITIES,
	.flags = COMMAND_OWN_VGPU,
	.columns = TABLES(columns),
	.argp = &(const struct argp) { option_table, parse },
	.run = run,
};
