// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat simulate: simulates a trace under other settings.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "trace/util.h"
#include "whatif/change.h"
#include "whatif/mix.h"
#include "whatif/simtrace.h"
#include "whatif/simulator.h"
#include "whatif/whatif.h"
#include "energy-use.h"
#include "forecast-energy.h"
#include "forecast.h"

#define DEFAULT_WINDOWS	10
#define MOST_WINDOWS	1000

enum simulate_key {
	KEY_SET = 0x900,
	KEY_CHANGE,
	KEY_WITHOUT,
	KEY_WITH,
	KEY_SPEED,
	KEY_WINDOWS,
	KEY_ENERGY,
};

/* a trace whose vGPUs are added */
struct addition {
	char *path;
	int64_t vgpu_id;		/* only this one; UNKNOWN: all */
};

static struct whatif whatif;
static GArray *additions;		/* struct addition */
static GArray *targets;			/* struct energy_target */
static double speed = NAN;		/* of all vGPUs */
static const char *output;		/* NULL: no trace is written */

/* --- the command line -------------------------------------------------------------- */

/* FILE or FILE:ID */
static void parse_addition(const char *arg, struct argp_state *state)
{
	const char *colon = strrchr(arg, ':');
	bool has_id = colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1);
	const struct addition addition = {
		.path = has_id ? g_strndup(arg, colon - arg) : g_strdup(arg),
		.vgpu_id = has_id ? change_id("--with", arg, colon + 1, state) : UNKNOWN,
	};

	if (!*addition.path)
		argp_error(state, "--with '%s': give a trace", arg);
	g_array_append_val(additions, addition);
}

static void parse_energy(const char *arg)
{
	const struct energy_target target = { coef_read(arg), NULL };

	g_array_append_val(targets, target);
	whatif.observer = &energy_use_observer;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_INIT:
		whatif_init(&whatif);
		whatif.windows = DEFAULT_WINDOWS;
		additions = g_array_new(FALSE, FALSE, sizeof(struct addition));
		targets = g_array_new(FALSE, FALSE, sizeof(struct energy_target));
		break;
	case 'o':
		output = arg;
		break;
	case KEY_WITH:
		parse_addition(arg, state);
		break;
	case KEY_SET:
		change_set(&whatif, arg, state);
		break;
	case KEY_CHANGE:
		change_vgpu(&whatif, arg, state);
		break;
	case KEY_WITHOUT:
		change_without(&whatif, arg, state);
		break;
	case KEY_SPEED:
		speed = change_speed("--speed", arg, state);
		break;
	case KEY_WINDOWS:
		whatif.windows = options_number(arg, "--windows", MOST_WINDOWS, state);
		break;
	case KEY_ENERGY:
		parse_energy(arg);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* --- a run ---------------------------------------------------------------------------------- */

struct session {
	const struct form *form;
	struct mix mix;
	struct forecast forecast;
};

static void read_traces(struct session *session, const struct selection *selection)
{
	mix_read(&session->mix, selection, &whatif);
	for (unsigned int nr = 0; nr < additions->len; nr++) {
		const struct addition *addition = &g_array_index(additions, struct addition, nr);

		mix_add(&session->mix, addition->path, addition->vgpu_id);
	}
	if (output)
		mix_check_output(&session->mix, output);
}

static void check_changes(const struct mix *mix)
{
	for (unsigned int nr = 0; nr < whatif.vgpus->len; nr++) {
		const struct whatif_vgpu *vgpu = &g_array_index(whatif.vgpus, struct whatif_vgpu, nr);

		if (!mix_has_id(mix, vgpu->id))
			usage_error("vGPU %" PRId64 " is not in the trace", vgpu->id);
	}
}

static void speed_all(const struct mix *mix)
{
	whatif.speed = speed;
	for (unsigned int nr = 0; !isnan(speed) && nr < mix->guests->len; nr++) {
		struct whatif_vgpu *vgpu =
			whatif_vgpu(&whatif, g_array_index(mix->guests, struct whatif_guest, nr).id);

		vgpu->speed = isnan(vgpu->speed) ? speed : vgpu->speed;
	}
}

static double times(double one, double factor)
{
	return isnan(one) ? factor : one * factor;
}

/* the same on a GPU so many times as fast */
static struct whatif_result *simulate_on(const struct mix *mix, double factor, const char *path)
{
	struct whatif_result *result;
	struct whatif faster;

	whatif_copy(&faster, &whatif);
	faster.speed = times(whatif.speed, factor);
	for (unsigned int nr = 0; nr < mix->guests->len; nr++) {
		struct whatif_vgpu *vgpu =
			whatif_vgpu(&faster, g_array_index(mix->guests, struct whatif_guest, nr).id);

		vgpu->speed = times(vgpu->speed, factor);
	}
	result = mix_simulate(mix, &faster, path);
	whatif_clear(&faster);
	return result;
}

/* those of another speed need a simulation of their own */
static void simulate_targets(const struct mix *mix, struct whatif_result *result, const char *path)
{
	for (unsigned int nr = 0; nr < targets->len; nr++) {
		struct energy_target *target = &g_array_index(targets, struct energy_target, nr);

		target->result = target->coef->speed == 1 ? result : simulate_on(mix, target->coef->speed, path);
	}
}

static void free_targets(const struct whatif_result *result)
{
	for (unsigned int nr = 0; nr < targets->len; nr++) {
		struct energy_target *target = &g_array_index(targets, struct energy_target, nr);

		if (target->result != result)
			whatif_result_free(target->result);
		coef_free(target->coef);
	}
	g_array_free(targets, TRUE);
}

static int64_t preempt_of(const struct whatif_guest *guest)
{
	const struct whatif_vgpu *change = whatif_find_vgpu(&whatif, guest->id);

	return change && known(change->preempt) ? change->preempt : guest->vgpu->set.preempt;
}

static struct simtrace *begin_output(const struct mix *mix)
{
	struct simtrace *trace = simtrace_new(output, mix_follow(mix)->selection->input,
					      mix->info->dev);

	for (unsigned int nr = 0; nr < mix->guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(mix->guests, struct whatif_guest, nr);

		simtrace_vgpu(trace, guest->id, guest->vgpu, preempt_of(guest));
	}
	whatif.line = simtrace_line;
	whatif.ctx = trace;
	return trace;
}

static struct whatif_result *simulate(struct mix *mix)
{
	struct simtrace *trace = output ? begin_output(mix) : NULL;
	char *path = simulator_path();
	struct whatif_result *result;

	if (!path)
		fatal(SIMULATOR_MISSING);
	mix_rehearse(mix, &whatif, path);
	speed_all(mix);
	result = mix_simulate(mix, &whatif, path);
	simulate_targets(mix, result, path);
	g_free(path);
	if (trace)
		simtrace_end(trace, result->windows * result->window_ns);
	return result;
}

/* --- output ----------------------------------------------------------------------------------- */

static void print_json(const void *result)
{
	const struct session *session = result;
	const struct follow *follow = mix_follow(&session->mix);
	json_t *document = document_new(follow, session->form->command);

	document_add_window(document, follow->window);
	forecast_add_json(&session->forecast, session->form, document);
	if (targets->len)
		json_object_set_new(document, "energy", forecast_energy_json(&session->mix, targets));
	document_print(document, stdout);
}

static void print_lines(const void *result)
{
	const struct session *session = result;
	struct sheet *sheet = sheet_begin(session->form, forecast_columns);

	forecast_each(&session->forecast, sheet_line, sheet);
	sheet_end(sheet);
	notes_warn(mix_follow(&session->mix));
}

static void print_tables(const void *result)
{
	const struct session *session = result;

	notes_head(mix_follow(&session->mix), stdout);
	forecast_print(&session->forecast);
	forecast_energy_print(&session->mix, targets);
	notes_tail(mix_follow(&session->mix), stdout);
}

static void clear_options(void)
{
	for (unsigned int nr = 0; nr < additions->len; nr++)
		g_free(g_array_index(additions, struct addition, nr).path);
	g_array_free(additions, TRUE);
	whatif_clear(&whatif);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct session session = { .form = &options->form };
	struct whatif_result *result;

	read_traces(&session, &options->selection);
	check_changes(&session.mix);
	result = simulate(&session.mix);
	session.forecast = (struct forecast) { &session.mix, &whatif, result };
	form_print(&options->form, &printers, &session);
	free_targets(result);
	whatif_result_free(result);
	mix_clear(&session.mix);
	clear_options();
	return EXIT_SUCCESS;
}

static const struct argp_option option_table[] = {
	{ "set", KEY_SET, "NAME=VALUE", 0,
	  "Change a scheduler setting, such as policy=fair or dispatch=preemptive; may be given several times", 0 },
	{ "vgpu", KEY_CHANGE, "ID:NAME=VALUE,...", 0,
	  "Change nice, cap, weight, preempt, speed, depth or pieces_us of a vGPU, such as 2:nice=-5,cap=30", 0 },
	{ "without", KEY_WITHOUT, "ID", 0, "Leave out this vGPU", 0 },
	{ "with", KEY_WITH, "FILE[:ID]", 0,
	  "Add the vGPUs of another trace, or one of them; may be given several times", 0 },
	{ "output", 'o', "FILE", 0, "Also write what was simulated, as a trace", 0 },
	{ "speed", KEY_SPEED, "FACTOR", 0, "Simulate a GPU that is FACTOR times as fast", 0 },
	{ "windows", KEY_WINDOWS, "N", 0,
	  "Number of windows, each as long as the trace (10)", 0 },
	{ "energy", KEY_ENERGY, "FILE", 0,
	  "Also predict joules from coefficients that 'gvt-stat energy' saved; may be given several times, of several GPUs", 0 },
	{ 0 }
};

const struct command simulate_command = {
	.name = "simulate",
	.doc = "Simulate the trace's vGPUs under other settings, with the driver's own scheduler.",
	.quantities = FORECAST_QUANTITIES,
	.flags = COMMAND_OWN_VGPU,
	.columns = TABLES(forecast_columns),
	.argp = &(const struct argp) { option_table, parse_option },
	.run = run,
};
