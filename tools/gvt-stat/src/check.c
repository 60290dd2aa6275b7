// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat check: apply the rules, tell what they found.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "column.h"
#include "command.h"
#include "document.h"
#include "engine.h"
#include "notes.h"
#include "sheet.h"
#include "util.h"

#define MAX_RULES	32
/* of the time that vCPUs are on CPUs, which no rule looks at */
#define MAX_BLOCKS	2

/* --threshold, by number of the rule; NAN: as the rule has it */
static double thresholds[MAX_RULES];
static bool list_rules;

double check_threshold(const struct rule *rule)
{
	double value = thresholds[rule - rules];

	return isnan(value) ? rule->threshold : value;
}

void check_add(struct check *check, const struct finding *finding)
{
	struct finding *copy = g_new(struct finding, 1);

	*copy = *finding;
	g_ptr_array_add(check->findings, copy);
}

static void free_finding(void *data)
{
	struct finding *finding = data;

	g_free(finding->problem);
	g_free(finding->evidence);
	g_free(finding->remedy);
	g_free(finding);
}

static bool can_check(const struct check *check, const struct rule *rule)
{
	for (enum quantity quantity = 0; quantity < QUANTITY_COUNT; quantity++)
		if (rule->needs & QUANTITY_BIT(quantity) &&
		    !quantity_known(check->follow->trace, quantity))
			return false;
	return true;
}

/* --vgpu and --engine; what is about none of them is about all */
static bool is_wanted(const struct check *check, const struct finding *finding)
{
	const struct options *options = check->follow->options;
	const struct vgpu *vgpu;

	if (finding->engine && !options_want_engine(options, finding->engine))
		return false;
	if (!known(finding->vgpu_id))
		return true;
	vgpu = model_vgpu(check->follow->model, finding->dev, finding->vgpu_id);
	return !vgpu || options_want_vgpu(options, vgpu);
}

/* of rules and engines in their order, so that equal traces give equal output */
static int compare_findings(const void *a, const void *b)
{
	const struct finding *fa = *(struct finding *const *)a;
	const struct finding *fb = *(struct finding *const *)b;

	if (fa->impact != fb->impact)
		return fa->impact > fb->impact ? -1 : 1;
	return (fa->rule > fb->rule) - (fa->rule < fb->rule);
}

static void apply_rules(struct check *check)
{
	for (const struct rule *rule = rules; rule->name; rule++)
		if (can_check(check, rule))
			rule->find(check, rule);
	for (unsigned int nr = check->findings->len; nr-- > 0; )
		if (!is_wanted(check, check->findings->pdata[nr]))
			g_ptr_array_remove_index(check->findings, nr);
	g_ptr_array_sort(check->findings, compare_findings);
}

static void print_finding(const struct finding *finding, int nr, FILE *out)
{
	const struct rule *rule = finding->rule;

	fprintf(out, "\n%d. %s (%s)\n", nr, finding->problem, rule->name);
	fprintf(out, "   Evidence: %s\n", finding->evidence);
	fprintf(out, "   Remedy: %s\n", finding->remedy);
}

static void print_unchecked(const struct check *check, FILE *out)
{
	const char *before = "\nNot checked for want of events: ";

	for (const struct rule *rule = rules; rule->name; rule++) {
		if (can_check(check, rule))
			continue;
		fprintf(out, "%s%s", before, rule->name);
		before = ", ";
	}
	if (*before == ',')
		fputc('\n', out);
}

static void print_text(const void *result)
{
	const struct check *check = result;

	notes_head(check->follow, stdout);
	for (unsigned int nr = 0; nr < check->findings->len; nr++)
		print_finding(check->findings->pdata[nr], nr + 1, stdout);
	if (!check->findings->len)
		fputs("\nNothing found\n", stdout);
	print_unchecked(check, stdout);
	notes_tail(check->follow, stdout);
}

/* one finding as programs get it */
struct line {
	const char *rule;
	int64_t dev;
	int64_t vgpu_id;
	char name[ENGINE_NAME_LEN];
	const char *engine;
	double value;
	double threshold;
	const char *unit;
	const char *problem;
	const char *evidence;
	const char *remedy;
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
		.remedy = finding->remedy,
		.vm = vgpu ? vgpu->vm : NULL,
	};
	if (engine)
		line->engine = engine_name(line->name, engine->class, engine->instance);
}

static void print_json(const void *result)
{
	const struct check *check = result;
	json_t *document = document_new(check->follow);
	const struct column *chosen = options_columns(check->follow->options, columns);
	json_t *findings = json_array(), *unchecked = json_array();
	struct line line;

	for (unsigned int nr = 0; nr < check->findings->len; nr++) {
		fill_line(check, &line, check->findings->pdata[nr]);
		json_array_append_new(findings, columns_to_json(chosen, &line));
	}
	for (const struct rule *rule = rules; rule->name; rule++)
		if (!can_check(check, rule))
			json_array_append_new(unchecked, json_string(rule->name));
	document_add_window(document, check->follow->window);
	json_object_set_new(document, "findings", findings);
	json_object_set_new(document, "not_checked", unchecked);
	document_print(document, stdout);
}

static void print_lines(const void *result)
{
	const struct check *check = result;
	struct sheet *sheet = sheet_begin(check->follow->options, columns);
	struct line line;

	for (unsigned int nr = 0; nr < check->findings->len; nr++) {
		fill_line(check, &line, check->findings->pdata[nr]);
		sheet_line(sheet, &line);
	}
	sheet_end(sheet);
}

static int print_rules(void)
{
	for (const struct rule *rule = rules; rule->name; rule++)
		printf("%-10s %6g %-3s %s\n", rule->name, check_threshold(rule), rule->unit,
		       rule->what);
	return EXIT_SUCCESS;
}

/* to tell vCPU threads apart takes reading the trace once more */
static void follow_vcpus(struct check *check, struct follow *follow)
{
	const bool *described = follow->trace->described;
	struct analysis analysis;

	if (!described[EVENT_TASK_SWITCH] || !described[EVENT_KVM_ENTRY])
		return;
	check->vcpus = vcpus_new(follow->options);
	check->blocks = blocks_new(follow->window.from_ns, MAX_BLOCKS);
	analysis = vcpus_analysis(check->vcpus, follow, check->blocks);
	follow_add(follow, &analysis);
}

static void measure(struct check *check, struct follow *follow)
{
	struct analysis slices;

	check->follow = follow;
	check->metrics = metrics_new(follow->model, follow->window, follow->trace->start_ns);
	check->slices = slices_new(follow->window);
	check->blame = blame_new(follow);
	check->findings = g_ptr_array_new_with_free_func(free_finding);
	slices = slices_analysis(check->slices);
	follow_add(follow, &slices);
	check->idle = idle_new(follow);
	follow_vcpus(check, follow);
	follow_run(follow);
	metrics_trace_end(check->metrics, follow->window);
	model_finish(follow->model);
	metrics_finish(check->metrics);
	slices_finish(check->slices, follow->window);
	idle_finish(check->idle);
	if (check->vcpus)
		vcpus_finish(check->vcpus, follow->window);
}

static void clear(struct check *check)
{
	if (check->vcpus) {
		vcpus_free(check->vcpus);
		blocks_free(check->blocks);
	}
	g_ptr_array_free(check->findings, TRUE);
	idle_free(check->idle);
	blame_free(check->blame);
	slices_free(check->slices);
	metrics_free(check->metrics);
}

static int run(const struct options *options)
{
	static const struct forms forms = { print_lines, print_json, print_text };
	struct follow follow;
	struct check check = { .vcpus = NULL };
	int status;

	if (list_rules)
		return print_rules();
	follow_open(&follow, options);
	measure(&check, &follow);
	options_check_known(options, follow.model);
	apply_rules(&check);
	options_print(options, &forms, &check);
	status = check.findings->len ? EXIT_FOUND : EXIT_SUCCESS;
	clear(&check);
	follow_close(&follow);
	return status;
}

#define KEY_THRESHOLD	0x200
#define KEY_RULES	0x201

static const struct rule *find_rule(const char *name, size_t len)
{
	for (const struct rule *rule = rules; rule->name; rule++)
		if (strlen(rule->name) == len && !strncmp(rule->name, name, len))
			return rule;
	return NULL;
}

static void parse_threshold(const char *arg, struct argp_state *state)
{
	const char *value = strchr(arg, '=');
	const struct rule *rule = value ? find_rule(arg, value - arg) : NULL;
	double number;
	char *end;

	if (!rule)
		argp_error(state, "--threshold %s: give RULE=NUMBER; --rules names them", arg);
	number = g_ascii_strtod(value + 1, &end);
	if (end == value + 1 || *end || !(number >= 0) || isinf(number))
		argp_error(state, "--threshold %s: '%s' is no number from 0 on", arg, value + 1);
	thresholds[rule - rules] = number;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_INIT:
		for (int nr = 0; nr < MAX_RULES; nr++)
			thresholds[nr] = NAN;
		break;
	case KEY_THRESHOLD:
		parse_threshold(arg, state);
		break;
	case KEY_RULES:
		list_rules = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option option_table[] = {
	{ "threshold", KEY_THRESHOLD, "RULE=NUMBER", 0,
	  "From where on a rule speaks, in its unit; may be given several times", 0 },
	{ "rules", KEY_RULES, NULL, 0, "List the rules with their thresholds, and end", 0 },
	{ 0 }
};

static const struct argp argp = { .options = option_table, .parser = parse };

static const struct column *const tables[] = { columns, NULL };

const struct command check_command = {
	.name = "check",
	.help = "name what is wrong, with evidence and remedy",
	.doc = "Name what is wrong in a trace, with evidence and remedy; exit status 2 if anything is.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) |
		      QUANTITY_BIT(QUANTITY_COMPLETIONS) | QUANTITY_BIT(QUANTITY_SLICES) |
		      QUANTITY_BIT(QUANTITY_IDLE) | QUANTITY_BIT(QUANTITY_BLAME) |
		      QUANTITY_BIT(QUANTITY_VGPUS) | QUANTITY_BIT(QUANTITY_SETTINGS) |
		      QUANTITY_BIT(QUANTITY_GUEST) | QUANTITY_BIT(QUANTITY_PREEMPTION),
	.columns = tables,
	.argp = &argp,
	.run = run,
};
