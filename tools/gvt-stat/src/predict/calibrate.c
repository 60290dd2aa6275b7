// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat calibrate: measures how much an application slows down beside other users of the memory,
 * from recordings of the application beside a known load.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "host/supervise.h"
#include "output/document.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/engine.h"
#include "trace/util.h"
#include "whatif/change.h"
#include "whatif/mix.h"
#include "profile-file.h"

/* required in each recording */
#define NEEDED	(QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) | \
		 QUANTITY_BIT(QUANTITY_HOST) | QUANTITY_BIT(QUANTITY_COMPLETIONS) | \
		 QUANTITY_BIT(QUANTITY_VGPUS) | QUANTITY_BIT(QUANTITY_SETTINGS))

/* a vGPU below this share of an engine is idle */
#define BUSY_PART	0.001
/* a load must execute for at least this part of the time */
#define LEAST_LOAD	0.5
#define PPM_ALONE	1e6

enum calibrate_key {
	KEY_BESIDE = 0xb00,
	KEY_VGPU,
};

/* a recording beside a load */
struct run {
	char *path;
	int64_t mbps;			/* the load's memory demand */
};

static struct {
	const char *profile;
	const char *output;		/* NULL: overwrite the profile */
	struct run runs[PROFILE_MOST_BESIDE];
	unsigned int count;
	int64_t vgpu_id;		/* of the application in recordings; UNKNOWN: not given */
} asked = { .vgpu_id = UNKNOWN };

/* --- the command line -------------------------------------------------------------------- */

static void parse_beside(const char *arg, struct argp_state *state)
{
	const char *equals = strrchr(arg, '=');
	struct run *run = &asked.runs[asked.count];
	gint64 mbps;

	if (asked.count == PROFILE_MOST_BESIDE)
		argp_error(state, "--beside %s: give %d at most", arg, PROFILE_MOST_BESIDE);
	if (!equals || equals == arg ||
	    !g_ascii_string_to_signed(equals + 1, 10, 1, PROFILE_MOST_MBPS, &mbps, NULL))
		argp_error(state, "--beside %s: give FILE=N: a recording, and how many MB/s the load in it asks for (1..%d)",
			   arg, PROFILE_MOST_MBPS);
	for (unsigned int nr = 0; nr < asked.count; nr++)
		if (asked.runs[nr].mbps == mbps)
			argp_error(state, "--beside %s: there are two of %" PRId64 " MB/s", arg, mbps);
	*run = (struct run) { g_strndup(arg, equals - arg), mbps };
	asked.count++;
}

static void parse_path(const char *arg, struct argp_state *state)
{
	if (asked.profile)
		argp_error(state, "'%s': one profile is calibrated at a time", arg);
	asked.profile = arg;
}

static gint compare_runs(gconstpointer a, gconstpointer b)
{
	const struct run *one = a, *other = b;

	return (one->mbps > other->mbps) - (one->mbps < other->mbps);
}

static void check(struct options *options, struct argp_state *state)
{
	if (!asked.profile)
		argp_error(state, "give a profile, as 'gvt-stat profile' makes it");
	if (!asked.count)
		argp_error(state, "give recordings of it beside a known load by --beside FILE=MBPS");
	qsort(asked.runs, asked.count, sizeof(asked.runs[0]), compare_runs);
	options->selection.input = asked.profile;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case KEY_BESIDE:
		parse_beside(arg, state);
		break;
	case KEY_VGPU:
		asked.vgpu_id = change_id("--vgpu", arg, arg, state);
		break;
	case 'o':
		asked.output = arg;
		break;
	case ARGP_KEY_ARG:
		parse_path(arg, state);
		break;
	case ARGP_KEY_END:
		check(state->input, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* --- application and load in a recording --------------------------------------------------- */

static double part_of(const struct mix *mix, const struct stream *stream)
{
	return (double)mix_recorded(mix, stream)->exec_ns / mix->window_ns;
}

static bool is_busy(const struct mix *mix, const struct stream *stream)
{
	return part_of(mix, stream) > BUSY_PART;
}

static struct profile_stream *profiled(const struct profile *profile,
				       const struct gpu_engine *engine)
{
	for (unsigned int nr = 0; nr < profile->streams->len; nr++) {
		struct profile_stream *stream = profile->streams->pdata[nr];

		if (stream->engine.class == engine->class &&
		    stream->engine.instance == engine->instance)
			return stream;
	}
	return NULL;
}

/* does the vGPU use exactly the profile's engines? */
static bool may_be(const struct profile *profile, const struct mix *mix, const struct vgpu *vgpu)
{
	unsigned int engines = 0;

	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (stream->vgpu != vgpu || !is_busy(mix, stream))
			continue;
		if (!profiled(profile, stream->engine))
			return false;
		engines++;
	}
	return engines == profile->streams->len;
}

static const struct vgpu *find_vgpu(const struct profile *profile, const struct mix *mix,
				    const char *path)
{
	const struct vgpu *found = NULL;

	for (unsigned int nr = 0; nr < mix->guests->len; nr++) {
		const struct vgpu *vgpu = g_array_index(mix->guests, struct whatif_guest, nr).vgpu;

		if (known(asked.vgpu_id) ? vgpu->id != asked.vgpu_id : !may_be(profile, mix, vgpu))
			continue;
		if (found)
			usage_error("%s: %s and %s both work on the engines of the profile: say by --vgpu which one the application is",
				    path, found->label, vgpu->label);
		found = vgpu;
	}
	if (!found)
		fatal("%s: no vGPU in it works on the engines of %s, and no others", path,
		      asked.profile);
	return found;
}

/* the only other vGPU with work, which must use a single engine */
static const struct stream *find_load(const struct mix *mix, const struct vgpu *vgpu,
				      const char *path)
{
	const struct stream *load = NULL;

	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (stream->vgpu == vgpu || !is_busy(mix, stream))
			continue;
		if (load)
			fatal("%s: beside %s there is more than one load in it: what slows it down is not known",
			      path, vgpu->label);
		load = stream;
	}
	if (!load)
		fatal("%s: nothing works beside %s in it", path, vgpu->label);
	return load;
}

static void check_load(const struct profile *profile, const struct mix *mix,
		       const struct stream *load, const char *path)
{
	char engine[ENGINE_NAME_LEN];

	engine_name(engine, load->engine->class, load->engine->instance);
	if (!strcmp(mix->info->dispatch, "exclusive"))
		fatal("%s: it was recorded with dispatch exclusive, where vGPUs take turns: record it with dispatch per-engine or preemptive",
		      path);
	if (profiled(profile, load->engine))
		fatal("%s: the load works on %s, as the application does, and they take turns: have it work on another engine",
		      path, engine);
	if (part_of(mix, load) < LEAST_LOAD)
		fatal("%s: the load executes for %.0f %% of the time only: a load should never pause", path,
		      100 * part_of(mix, load));
}

/* --- the effect of the load ----------------------------------------------------------------- */

/* one engine of the application beside one load */
struct line {
	const char *engine;
	int64_t beside_mbps;
	double load_percent;		/* execution of the load in per cent of the time */
	double alone_ns;		/* mean execution time of a workload */
	double beside_ns;
	double slowdown;		/* while the load executes */
	char engine_text[ENGINE_NAME_LEN];
};

#define COLUMN(type, member, ...) { #member, COLUMN_##type, offsetof(struct line, member), __VA_ARGS__ }

static const struct column columns[] = {
	COLUMN(TEXT, engine, "ENGINE"),
	COLUMN(INTEGER, beside_mbps, "BESIDE MB/s"),
	COLUMN(REAL, load_percent, "LOAD%"),
	COLUMN(REAL, alone_ns, "ALONE ms", UNIT_MS),
	COLUMN(REAL, beside_ns, "BESIDE ms", UNIT_MS),
	COLUMN(REAL, slowdown, "SLOWDOWN"),
	{ 0 }
};

struct session {
	const struct form *form;
	struct profile *profile;
	GArray *lines;			/* struct line, by engines */
};

static double mean_exec_ns(const struct stream *stream)
{
	double sum = 0;

	for (unsigned int nr = 0; nr < stream->work->len; nr++)
		sum += g_array_index(stream->work, struct stream_work, nr).exec_ns;
	return sum / stream->work->len;
}

/*
 * @ratio is the average slowdown, while the load executes only for @part of the time. The slowdown
 * during the load is larger, as the application runs at full speed in the rest.
 */
static double slowdown_of(double ratio, double part)
{
	double done = 1 / ratio - (1 - part);

	return ratio <= 1 ? 1 : done > 0 ? part / done : INFINITY;
}

static void measure(struct session *session, struct profile_stream *alone,
		    const struct stream *beside, const struct run *run, double part)
{
	struct line line = {
		.beside_mbps = run->mbps, .load_percent = 100 * part,
		.alone_ns = mean_exec_ns(&alone->stream), .beside_ns = mean_exec_ns(beside),
	};
	struct profile_beside point = { .mbps = run->mbps };

	line.slowdown = slowdown_of(line.beside_ns / line.alone_ns, part);
	if (!(line.slowdown <= PROFILE_MOST_SLOWDOWN))
		fatal("%s: the application is more than %d times as slow as in its profile: it does something else",
		      run->path, PROFILE_MOST_SLOWDOWN);
	engine_name(line.engine_text, alone->engine.class, alone->engine.instance);
	g_array_append_val(session->lines, line);
	point.ppm = llround(line.slowdown * PPM_ALONE);
	g_array_append_val(alone->beside, point);
}

static const struct stream *find_stream(const struct mix *mix, const struct vgpu *vgpu,
					const struct gpu_engine *engine)
{
	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (stream->vgpu == vgpu && stream->engine->class == engine->class &&
		    stream->engine->instance == engine->instance && stream->work->len)
			return stream;
	}
	return NULL;
}

static void measure_all_engines(struct session *session, const struct mix *mix,
				const struct vgpu *vgpu, const struct run *run, double part)
{
	for (unsigned int nr = 0; nr < session->profile->streams->len; nr++) {
		struct profile_stream *alone = session->profile->streams->pdata[nr];
		const struct stream *beside = find_stream(mix, vgpu, &alone->engine);
		char engine[ENGINE_NAME_LEN];

		if (!beside)
			fatal("%s: no workload of %s on %s began and ended in it: record for longer",
			      run->path, vgpu->label,
			      engine_name(engine, alone->engine.class, alone->engine.instance));
		measure(session, alone, beside, run, part);
	}
}

static void take_run(struct session *session, const struct run *run)
{
	struct selection selection;
	const struct stream *load;
	const struct vgpu *vgpu;
	struct mix mix;

	selection_init(&selection);
	selection.input = run->path;
	selection.quantities = NEEDED;
	supervise_allow(run->path);
	mix_read(&mix, &selection, NULL);
	vgpu = find_vgpu(session->profile, &mix, run->path);
	load = find_load(&mix, vgpu, run->path);
	check_load(session->profile, &mix, load, run->path);
	measure_all_engines(session, &mix, vgpu, run, part_of(&mix, load));
	supervise_alive();
	mix_clear(&mix);
}

/* --- output --------------------------------------------------------------------------------- */

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	const struct line *one = a, *other = b;
	int order = strcmp(one->engine_text, other->engine_text);

	return order ? order : (one->beside_mbps > other->beside_mbps) - (one->beside_mbps < other->beside_mbps);
}

static const struct line *line_at(const struct session *session, unsigned int nr)
{
	struct line *line = &g_array_index(session->lines, struct line, nr);

	line->engine = line->engine_text;
	return line;
}

static void print_lines(const void *result)
{
	const struct session *session = result;
	struct sheet *sheet = sheet_begin(session->form, columns);

	for (unsigned int nr = 0; nr < session->lines->len; nr++)
		sheet_line(sheet, line_at(session, nr));
	sheet_end(sheet);
}

static void print_json(const void *result)
{
	const struct session *session = result;
	const struct column *wanted = form_columns(session->form, columns);
	json_t *document = document_of_host(session->form->command), *lines = json_array();

	for (unsigned int nr = 0; nr < session->lines->len; nr++)
		json_array_append_new(lines, columns_to_json(wanted, line_at(session, nr)));
	json_object_set_new(document, "profile", json_text(session->profile->name));
	json_object_set_new(document, "calibrated", lines);
	document_print(document, stdout);
}

static void print_tables(const void *result)
{
	const struct session *session = result;
	struct table *table = table_new(columns);

	for (unsigned int nr = 0; nr < session->lines->len; nr++)
		table_line(table, line_at(session, nr));
	table_print(table, "Execution of a workload, alone and beside the load", stdout);
}

/* --- a run ------------------------------------------------------------------------------------- */

static void forget(struct profile *profile)
{
	for (unsigned int nr = 0; nr < profile->streams->len; nr++) {
		struct profile_stream *stream = profile->streams->pdata[nr];

		g_array_set_size(stream->beside, 0);
		if (!known(stream->mbps))
			warn("%s lacks what the application asks of the memory: others are predicted as if that was nothing",
			     asked.profile);
	}
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct session session = {
		.form = &options->form, .profile = profile_read(asked.profile),
		.lines = g_array_new(FALSE, FALSE, sizeof(struct line)),
	};
	const char *output = asked.output ? asked.output : asked.profile;

	forget(session.profile);
	for (unsigned int nr = 0; nr < asked.count; nr++)
		take_run(&session, &asked.runs[nr]);
	supervise_done();
	g_array_sort(session.lines, compare_lines);
	profile_save(session.profile, output);
	if (strcmp(output, "-"))
		form_print(&options->form, &printers, &session);
	g_array_free(session.lines, TRUE);
	profile_free(session.profile);
	for (unsigned int nr = 0; nr < asked.count; nr++)
		g_free(asked.runs[nr].path);
	return EXIT_SUCCESS;
}

static const struct argp_option option_table[] = {
	{ "beside", KEY_BESIDE, "FILE=MBPS", 0,
	  "A recording of the application beside a load on another engine that never pauses and demands MBPS MB/s of the memory; three are enough, at 30, 60 and 90 % of its bandwidth", 0 },
	{ "vgpu", KEY_VGPU, "ID", 0,
	  "The application's vGPU in the recordings, if its engines do not identify it", 0 },
	{ "output", 'o', "FILE", 0,
	  "Write the profile to this file instead; - is the standard output", 0 },
	{ 0 }
};

static const struct argp argp = {
	option_table, parse_option, "PROFILE", NULL, NULL, NULL, NULL
};

static const struct column *const tables[] = { columns, NULL };

const struct command calibrate_command = {
	.name = "calibrate",
	.doc = "Measure how sensitive an application is to memory contention, from recordings of it beside a known load.",
	.quantities = NEEDED,
	.flags = COMMAND_NO_TRACE,
	.columns = tables,
	.argp = &argp,
	.run = run,
};
