// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat place: places VMs on hosts so that none is slowed down beyond a limit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "host/supervise.h"
#include "output/document.h"
#include "output/progress.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/engine.h"
#include "trace/util.h"
#include "whatif/simulator.h"
#include "plan.h"

#define DEFAULT_PHASES	13
#define MOST_PHASES	1000
#define DEFAULT_TRIES	2000
#define MOST_TRIES	10000000
#define SUFFIX		".profile"

enum place_key {
	KEY_HOSTS = 0xc00,
	KEY_PROFILES,
	KEY_QOS,
	KEY_PHASES,
	KEY_TRIES,
	KEY_ROOM,
};

static struct {
	const char *hosts;
	struct suitability_options of;
	unsigned int tries;
	bool room;
} asked = { .of.phases = DEFAULT_PHASES, .tries = DEFAULT_TRIES };

/* --- the command line -------------------------------------------------------------------- */

static void check_needed(struct argp_state *state)
{
	struct options *options = state->input;

	if (!asked.hosts)
		argp_error(state, "name the file of hosts and VMs: --hosts FILE");
	if (!asked.of.profiles)
		argp_error(state, "name the directory of the VMs' profiles: --profiles DIR");
	options->selection.input = asked.hosts;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case KEY_HOSTS:
		asked.hosts = arg;
		break;
	case KEY_PROFILES:
		asked.of.profiles = arg;
		break;
	case KEY_QOS:
		asked.of.qos = arg;
		break;
	case KEY_PHASES:
		asked.of.phases = options_number(arg, "--phases", MOST_PHASES, state);
		break;
	case KEY_TRIES:
		asked.tries = options_number(arg, "--tries", MOST_TRIES, state);
		break;
	case KEY_ROOM:
		asked.room = true;
		break;
	case ARGP_KEY_END:
		check_needed(state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* a VM, or a VM that a host could take in addition */
struct line {
	const char *vm;			/* NULL: an additional VM */
	const char *flavor;		/* of an additional VM; NULL: kind of an existing VM */
	const char *profile;
	const char *type;
	const char *host;		/* NULL: none */
	double busy_percent;
	double expected_ns;
	double limit_ns;
	double left_percent;		/* distance to the limit; negative beyond it */
	bool met;
	char *why;
};

#define COLUMN(type, member, ...) { #member, COLUMN_##type, offsetof(struct line, member), __VA_ARGS__ }

static const struct column columns[] = {
	COLUMN(TEXT, vm, "VM"),
	COLUMN(TEXT, host, "HOST"),
	COLUMN(TEXT, profile, "PROFILE"),
	COLUMN(TEXT, type, "TYPE"),
	COLUMN(REAL, busy_percent, "UTIL%"),
	COLUMN(REAL, expected_ns, "EXPECTED", UNIT_MS),
	COLUMN(REAL, limit_ns, "LIMIT", UNIT_MS),
	COLUMN(REAL, left_percent, "LEFT%"),
	COLUMN(FLAG, met),
	COLUMN(TEXT, why),
	{ 0 }
};

/* with --room: the VM is an additional one */
static const struct column room_columns[] = {
	COLUMN(TEXT, host, "HOST"),
	COLUMN(TEXT, flavor, "FLAVOR"),
	COLUMN(TEXT, profile, "PROFILE"),
	COLUMN(TEXT, type, "TYPE"),
	COLUMN(FLAG, met, "POSSIBLE"),
	COLUMN(REAL, left_percent, "LEFT%"),
	COLUMN(TEXT, why),
	{ 0 }
};

static void fill_verdict(struct line *line, const struct verdict *verdict)
{
	line->expected_ns = line->limit_ns = line->left_percent = NAN;
	if (!verdict || !isfinite(verdict->strain))
		return;
	line->expected_ns = verdict->answer.expected_ns;
	line->limit_ns = verdict->answer.limit_ns;
	line->left_percent = 100 * (1 - verdict->strain);
}

static const char *host_name(const struct plan *plan, unsigned int host)
{
	return host == PLACE_NOWHERE ? NULL :
	       ((const struct fleet_host *)plan->fleet->hosts->pdata[host])->name;
}

static void fill_line(struct line *line, const struct plan *plan, unsigned int vm)
{
	const struct fleet_vm *of = plan->fleet->vms->pdata[vm];
	unsigned int host = plan->placement.host_of[vm];
	const struct verdict *verdict = host == PLACE_NOWHERE ? NULL : plan_verdict(plan, vm);

	*line = (struct line) {
		.vm = of->name, .profile = of->profile, .type = of->type->name,
		.host = host_name(plan, host), .busy_percent = 100 * plan->problem.vms[vm].demand,
		.met = verdict && verdict->strain <= 1 && plan_lack(plan, host) == RESOURCES,
		.why = plan_reason(plan, vm),
	};
	fill_verdict(line, verdict);
}

static void each_vm(const struct plan *plan, record_fn call, void *to)
{
	for (unsigned int vm = 0; vm < plan->fleet->vms->len; vm++) {
		struct line line;

		fill_line(&line, plan, vm);
		call(to, &line);
		g_free(line.why);
	}
}

/* selects one VM of each kind */
static bool is_first_of_kind(const struct plan *plan, unsigned int vm)
{
	for (unsigned int other = 0; other < vm; other++)
		if (plan->problem.vms[other].kind == plan->problem.vms[vm].kind)
			return false;
	return true;
}

static void tell_room(const struct plan *plan, unsigned int host, unsigned int vm, record_fn call,
		      void *to)
{
	const struct fleet_vm *of = fleet_vm_at(plan->fleet, vm);
	struct plan_room room = plan_room(plan, host, vm);
	struct line line = {
		.flavor = vm < plan->fleet->vms->len ? NULL : of->name, .profile = of->profile,
		.type = of->type->name, .host = host_name(plan, host), .met = room.possible,
		.why = plan_room_reason(plan, &room),
	};

	fill_verdict(&line, room.worst);
	call(to, &line);
	g_free(line.why);
}

/* calls @call for each flavor; without flavors, for each kind of VM */
static void each_room(const struct plan *plan, record_fn call, void *to)
{
	unsigned int vms = plan->fleet->vms->len, flavors = plan->fleet->flavors->len;

	for (unsigned int vm = flavors ? vms : 0; vm < vms + flavors; vm++)
		for (unsigned int host = 0; (flavors || is_first_of_kind(plan, vm)) &&
		     host < plan->fleet->hosts->len; host++)
			tell_room(plan, host, vm, call, to);
}

/* calls @call for each doubt about the predictions' profiles */
static void each_doubt(const struct plan *plan, void (*call)(void *to, const char *profile,
							     const char *engine, const char *text),
		       void *to)
{
	const GPtrArray *kinds = suitability_kinds(plan->suitability);

	for (unsigned int nr = 0; nr < kinds->len; nr++) {
		const struct profile *profile = ((const struct vm_kind *)kinds->pdata[nr])->profile;

		for (unsigned int pos = 0; pos < profile->streams->len; pos++) {
			const struct profile_stream *stream = profile->streams->pdata[pos];
			char engine[ENGINE_NAME_LEN];

			engine_name(engine, stream->engine.class, stream->engine.instance);
			for (enum stream_doubt doubt = 0; doubt < STREAM_DOUBTS; doubt++) {
				char *text = stream->stream.doubts & 1u << doubt ?
					     stream_doubt_text(&stream->stream, doubt) : NULL;

				if (text)
					call(to, profile->name, engine, text);
				g_free(text);
			}
		}
	}
}

/* the result, and the form of output */
struct session {
	const struct form *form;
	const struct plan *plan;
};

static void print_lines(const void *result)
{
	const struct session *session = result;
	struct sheet *sheet = sheet_begin(session->form, columns);

	each_vm(session->plan, sheet_line, sheet);
	sheet_end(sheet);
}

/* --- JSON -------------------------------------------------------------------------------------- */

static json_t *more_json(const struct plan *plan, unsigned int host)
{
	json_t *more = json_object();

	for (unsigned int nr = 0; nr < plan->fleet->types->len; nr++) {
		const struct fleet_type *type = plan->fleet->types->pdata[nr];

		json_object_set_new(more, type->name, json_integer(plan_more(plan, host, type)));
	}
	return more;
}

static double busy_percent(const struct plan *plan, unsigned int host)
{
	double demand = 0;

	for (unsigned int nr = 0; nr < plan->crowds[host]->len; nr++)
		demand += plan->problem.vms[g_array_index(plan->crowds[host], unsigned int, nr)].demand;
	return 100 * demand;
}

static json_t *host_json(const struct plan *plan, unsigned int host)
{
	const struct verdict *worst = plan_worst(plan, host);
	json_t *vms = json_array();

	for (unsigned int nr = 0; nr < plan->crowds[host]->len; nr++) {
		unsigned int vm = g_array_index(plan->crowds[host], unsigned int, nr);

		json_array_append_new(vms, json_string(
			((const struct fleet_vm *)plan->fleet->vms->pdata[vm])->name));
	}
	return json_pack("{s:s, s:o, s:f, s:o, s:o}", "host", host_name(plan, host), "vms", vms,
			 "busy_percent", busy_percent(plan, host), "left_percent",
			 worst && isfinite(worst->strain) ?
			 json_real(100 * (1 - worst->strain)) : json_null(),
			 "more", more_json(plan, host));
}

static json_t *hosts_json(const struct plan *plan)
{
	json_t *hosts = json_array();

	for (unsigned int host = 0; host < plan->fleet->hosts->len; host++)
		json_array_append_new(hosts, host_json(plan, host));
	return hosts;
}

static double above_bound_percent(const struct plan *plan)
{
	return plan->bound.hosts ? 100.0 * plan->placement.hosts_used / plan->bound.hosts - 100 : 0;
}

/* in words */
static const char *what_decides(const struct bound *bound)
{
	return bound->by < RESOURCES ? resource_text(bound->by) : "time of an engine";
}

static void add_json_doubt(void *to, const char *profile, const char *engine, const char *text)
{
	json_array_append_new(to, json_pack("{s:s, s:s, s:s}", "profile", profile, "engine", engine,
					    "what", text));
}

static void print_json(const void *result)
{
	const struct session *session = result;
	const struct plan *plan = session->plan;
	json_t *doubts = json_array();
	struct json_lines vms = { form_columns(session->form, columns), json_array() };
	struct json_lines room = { room_columns, json_array() };
	json_t *document = document_of_host(session->form->command);

	each_vm(plan, json_lines_add, &vms);
	if (asked.room)
		each_room(plan, json_lines_add, &room);
	json_object_set_new(document, "met", json_boolean(plan_is_met(plan)));
	json_object_set_new(document, "phases", json_integer(asked.of.phases));
	json_object_set_new(document, "predictions", json_integer(plan->placement.tried));
	json_object_set_new(document, "cut_short", json_boolean(plan->placement.cut_short));
	json_object_set_new(document, "placed", json_integer(plan->placement.placed));
	json_object_set_new(document, "hosts_used", json_integer(plan->placement.hosts_used));
	json_object_set_new(document, "busy_percent", json_real(100 * plan->placement.demand));
	json_object_set_new(document, "hosts_bound", json_integer(plan->bound.hosts));
	json_object_set_new(document, "hosts_bound_by", json_string(what_decides(&plan->bound)));
	json_object_set_new(document, "above_bound_percent", json_real(above_bound_percent(plan)));
	json_object_set_new(document, "hosts_needed", json_integer(plan->needed.hosts));
	json_object_set_new(document, "hosts", hosts_json(plan));
	json_object_set_new(document, "vms", vms.lines);
	json_object_set_new(document, "room", room.lines);
	each_doubt(plan, add_json_doubt, doubts);
	json_object_set_new(document, "doubts", doubts);
	document_print(document, stdout);
}

/* --- for people ---------------------------------------------------------------------------------- */

static void print_reason(void *to, const void *record)
{
	const struct line *line = record;

	(void)to;
	printf("  %s: %s\n", line->vm, line->why);
}

struct host_line {
	const char *host;
	int64_t vms;
	double busy, left;
	int64_t more;
};

#define HOST(type, member, title) { NULL, COLUMN_##type, offsetof(struct host_line, member), title }

static const struct column host_columns[] = {
	HOST(TEXT, host, "HOST"),
	HOST(INTEGER, vms, "VMS"),
	HOST(REAL, busy, "UTIL%"),
	HOST(REAL, left, "LEFT%"),
	HOST(INTEGER, more, "MORE"),
	{ 0 }
};

static void print_hosts(const struct plan *plan)
{
	const struct fleet_type *smallest = plan->fleet->types->pdata[0];
	struct table *table = table_new(host_columns);
	char *heading;

	for (unsigned int host = 0; host < plan->fleet->hosts->len; host++) {
		const struct verdict *worst = plan_worst(plan, host);
		const struct host_line line = {
			host_name(plan, host), plan->crowds[host]->len, busy_percent(plan, host),
			worst && isfinite(worst->strain) ? 100 * (1 - worst->strain) : NAN,
			plan_more(plan, host, smallest),
		};

		table_line(table, &line);
	}
	heading = g_strdup_printf("Hosts; LEFT: of the limit of the VM that is nearest to it; MORE: room for so many of %s",
				  smallest->name);
	table_print(table, heading, stdout);
	g_free(heading);
}

static void print_room(const struct plan *plan)
{
	struct table *table = table_new(room_columns);

	each_room(plan, table_line, table);
	table_print(table, "One more on a host; LEFT: of the limit of the VM that is nearest to it then",
		    stdout);
}

static void print_doubt(void *to, const char *profile, const char *engine, const char *text)
{
	bool *any = to;

	if (!*any)
		puts("\nDoubtful:");
	*any = true;
	printf("  %s %s: %s\n", profile, engine, text);
}

/* the part of all VMs' demand that has a host */
static double placed_percent(const struct plan *plan)
{
	double all = 0;

	for (unsigned int vm = 0; vm < plan->problem.nr_vms; vm++)
		all += plan->problem.vms[vm].demand;
	return all > 0 ? 100 * plan->placement.demand / all : 100;
}

static void print_bound(const struct plan *plan)
{
	printf("These need at least %u hosts (%s): %.1f %% more are used", plan->bound.hosts,
	       what_decides(&plan->bound), above_bound_percent(plan));
	if (plan->placement.placed < plan->fleet->vms->len)
		printf("; all VMs need at least %u (%s)", plan->needed.hosts, what_decides(&plan->needed));
	putchar('\n');
}

/* The demand, too: fewer VMs with more of it are the better placement. */
static void print_summary(const struct plan *plan)
{
	printf("%u of %u VMs placed, with %.1f %% of the demand, on %u of %u hosts; %u predictions of %u phases%s\n",
	       plan->placement.placed, plan->fleet->vms->len, placed_percent(plan),
	       plan->placement.hosts_used, plan->fleet->hosts->len, plan->placement.tried,
	       asked.of.phases, plan->placement.cut_short ? "; more --tries might improve it" : "");
	print_bound(plan);
}

static void print_tables(const void *result)
{
	const struct session *session = result;
	const struct plan *plan = session->plan;
	struct table *table = table_new(columns);

	print_summary(plan);
	each_vm(plan, table_line, table);
	table_print(table, "VMs; UTIL%: of an engine when it is alone; EXPECTED: at most, by prediction",
		    stdout);
	print_hosts(plan);
	if (asked.room)
		print_room(plan);
	if (plan->fleet->vms->len)
		puts("\nWhy:");
	each_vm(plan, print_reason, NULL);
	each_doubt(plan, print_doubt, &(bool){ false });
}

/* --- a run -------------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Without VMs in the file, adds one VM for each profile. */
static void add_all_profiles(struct fleet *fleet)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(asked.of.profiles, 0, NULL);
	const char *file;

	if (!dir)
		fatal("--profiles %s: it cannot be opened as a directory", asked.of.profiles);
	while ((file = g_dir_read_name(dir)))
		if (g_str_has_suffix(file, SUFFIX) && strlen(file) > strlen(SUFFIX))
			g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(SUFFIX)));
	g_ptr_array_sort(names, compare_names);
	for (unsigned int nr = 0; nr < names->len; nr++)
		fleet_add_vm(fleet, names->pdata[nr], names->pdata[nr]);
	if (!names->len)
		fatal("%s: there is no VM; give lines such as: vm web profile=web, or --profiles with a directory of profiles",
		      fleet->path);
	g_ptr_array_free(names, TRUE);
	g_dir_close(dir);
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	char *simulator = simulator_path();
	struct suitability *suitability;
	struct fleet *fleet;
	struct plan plan;
	bool met;

	if (!simulator)
		fatal(SIMULATOR_MISSING);
	fleet = fleet_read(asked.hosts);
	if (!fleet->vms->len && !fleet->flavors->len)
		add_all_profiles(fleet);
	suitability = suitability_new(fleet, &asked.of, simulator);
	supervise_done();
	plan_init(&plan, fleet, suitability, asked.tries);
	progress_done();
	form_print(&options->form, &printers, &(struct session) { &options->form, &plan });
	met = plan_is_met(&plan);
	plan_clear(&plan);
	suitability_free(suitability);
	fleet_free(fleet);
	g_free(simulator);
	return met ? EXIT_SUCCESS : EXIT_FOUND;
}

static const struct argp_option option_table[] = {
	{ "hosts", KEY_HOSTS, "FILE", 0, "Hosts, types of vGPUs and VMs", 0 },
	{ "profiles", KEY_PROFILES, "DIR", 0, "Directory of the VMs' profiles, NAME.profile", 0 },
	{ "qos", KEY_QOS, "LIMIT[,LIMIT][,p95]", 0,
	  "Limit of VMs that have none of their own: for the mean latency, or the p95, as a multiple of that alone, such as 2x, or a time, such as 50ms", 0 },
	{ "phases", KEY_PHASES, "N", 0, "Simulate each set of VMs N times (13)", 0 },
	{ "tries", KEY_TRIES, "N", 0, "Stop improving after N predictions (2000)", 0 },
	{ "room", KEY_ROOM, NULL, 0, "Also print which host could take one more VM of which kind", 0 },
	{ 0 }
};

const struct command place_command = {
	.name = "place",
	.doc = "Place VMs on hosts so that the latency of each stays within its limit, as predicted from their profiles.",
	.flags = COMMAND_NO_TRACE,
	.columns = TABLES(columns),
	.argp = &(const struct argp) { option_table, parse_option },
	.run = run,
};
