// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat profile: takes the workloads of an application from a recording of it alone.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "trace/engine.h"
#include "trace/timespan.h"
#include "trace/util.h"
#include "whatif/change.h"
#include "whatif/measure.h"
#include "whatif/mix.h"
#include "profile-file.h"

enum profile_key {
	KEY_PIECES = 0xc00,
	KEY_VGPU,
};

/* other vGPUs may have executed for this part of the time in a solo recording */
#define ALONE_PART	0.001

/*
 * A solo recording shows no preemptions, as nothing else wants the engine: the preemption points
 * remain unknown
 */
#define USUAL_PIECE_NS	NSEC_PER_MSEC

#define BYTES_PER_MB	1000000

static const char *output = "-";
static int64_t piece_ns = UNKNOWN;	/* from the user */
static struct whatif told;

static int64_t parse_pieces(const char *arg, struct argp_state *state)
{
	int64_t ns = 0;

	if (strcmp(arg, "none") && !timespan_length(arg, &ns))
		argp_error(state, "--pieces %s: give how far apart workloads can be preempted, such as " TIMESPAN_FORMS ", or none",
			   arg);
	return ns;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	if (key == ARGP_KEY_END && (options->form.format != FORMAT_TABLE || options->form.columns))
		argp_error(state, "--json, --csv and --columns: a profile has one form");
	if (key == ARGP_KEY_INIT)
		whatif_init(&told);
	else if (key == 'o')
		output = arg;
	else if (key == KEY_VGPU && strchr(arg, ':'))
		change_tell(&told, arg, state);
	else if (key == KEY_VGPU)
		options_vgpu(options, arg, state);
	else if (key == KEY_PIECES)
		piece_ns = parse_pieces(arg, state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

/* --- the one vGPU ----------------------------------------------------------------------- */

static bool is_busy(const struct mix *mix, const struct stream *stream)
{
	return mix_recorded(mix, stream)->exec_ns > ALONE_PART * mix->window_ns;
}

/* the selected vGPU, or the only one with work */
static const struct vgpu *find_vgpu(const struct mix *mix, const struct selection *selection)
{
	const struct vgpu *found = NULL;

	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (!selection_vgpu(selection, stream->vgpu) ||
		    (!is_busy(mix, stream) && !selection->vgpus))
			continue;
		if (found && found != stream->vgpu)
			usage_error("%s: %s and %s have work in it: a profile is of one that is alone",
				    selection->input, found->label, stream->vgpu->label);
		found = stream->vgpu;
	}
	if (!found)
		fatal("%s: no vGPU that is asked for has work in it: give another by --vgpu",
		      selection->input);
	return found;
}

static void check_alone(const struct mix *mix, const struct vgpu *vgpu, const char *path)
{
	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (stream->vgpu != vgpu && is_busy(mix, stream))
			fatal("%s: %s has work in it, too: what %s has alone is not in it; record while only that one works",
			      path, stream->vgpu->label, vgpu->label);
	}
}

/* --- the profile ------------------------------------------------------------------------------ */

static bool measure_solo(const struct mix *mix, const struct stream *stream,
			 struct profile_solo *solo)
{
	const struct tally_cell *cell = mix_recorded(mix, stream);
	double values[MEASURES];

	measure_all(cell, mix->window_ns, values);
	if (isnan(values[MEASURE_MEAN]) || isnan(values[MEASURE_P95]))
		return false;
	*solo = (struct profile_solo) {
		cell->completed, cell->exec_ns, llround(values[MEASURE_MEAN]),
		llround(values[MEASURE_P95]),
	};
	return solo->mean_ns > 0;
}

static int64_t shortest_ns(const struct stream *stream)
{
	int64_t least = USUAL_PIECE_NS;

	for (unsigned int nr = 0; nr < stream->work->len; nr++)
		least = MIN(least, g_array_index(stream->work, struct stream_work, nr).exec_ns);
	return least;
}

static void set_pieces(struct stream *stream)
{
	stream->piece_ns = known(piece_ns) ? piece_ns : shortest_ns(stream);
	stream->doubts &= ~(1u << STREAM_GUESSED_PIECES | 1u << STREAM_NEVER_PREEMPTED);
	if (!known(piece_ns))
		stream->doubts |= 1u << STREAM_GUESSED_PIECES;
}

static void add_stream(struct profile *profile, const struct mix *mix, const struct stream *stream,
		       int64_t mbps)
{
	struct profile_stream *of;
	struct profile_solo solo;
	char engine[ENGINE_NAME_LEN];

	if (!stream->work->len || !measure_solo(mix, stream, &solo)) {
		warn("%s is left out: no workload began and ended on it",
		     engine_name(engine, stream->engine->class, stream->engine->instance));
		return;
	}
	of = profile_stream_new(profile);
	of->solo = solo;
	of->mbps = mbps;
	of->stream = *stream;
	set_pieces(&of->stream);
	of->engine.class = stream->engine->class;
	of->engine.instance = stream->engine->instance;
	g_array_ref(of->stream.work);
}

/* execution of the vGPU on all engines */
static int64_t exec_of(const struct mix *mix, const struct vgpu *vgpu)
{
	int64_t exec_ns = 0;

	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (stream->vgpu == vgpu)
			exec_ns += mix_recorded(mix, stream)->exec_ns;
	}
	return exec_ns;
}

/*
 * Memory demand of an engine while it executes. The memory controller counts for all engines, and
 * over the whole trace.
 */
static int64_t demand_of(const struct mix *mix, const struct vgpu *vgpu)
{
	const struct follow *follow = mix_follow(mix);
	const struct timespan *span = &follow->selection->span;
	int64_t bytes = follow->recorded->gt_bytes, exec_ns = exec_of(mix, vgpu);

	if (!known(bytes) || known(span->from.ns) || known(span->to.ns) || exec_ns <= 0)
		return UNKNOWN;
	return MIN(llround((double)bytes * (NSEC_PER_SEC / BYTES_PER_MB) / exec_ns),
		   PROFILE_MOST_MBPS);
}

static void add_settings(struct profile *profile, const struct sched_info *info)
{
	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++) {
		char *value = sched_setting(info, desc->name);

		if (!value)
			continue;
		g_ptr_array_add(profile->settings, g_strdup(desc->name));
		g_ptr_array_add(profile->settings, value);
	}
}

static struct profile *make_profile(const struct mix *mix, const struct vgpu *vgpu)
{
	struct profile *profile = profile_new(output);
	int64_t mbps = demand_of(mix, vgpu);

	profile->window_ns = mix->window_ns;
	profile->lost = mix_follow(mix)->trace->lost_gaps;
	profile->vgpu.weight = vgpu->weight;
	profile->vgpu.set = vgpu->set;
	add_settings(profile, mix->info);
	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (stream->vgpu == vgpu)
			add_stream(profile, mix, stream, mbps);
	}
	if (!profile->streams->len)
		fatal("%s: no workload of %s began and ended in it: record for longer",
		      mix_follow(mix)->selection->input, vgpu->label);
	return profile;
}

static int run(const struct options *options)
{
	const struct selection *selection = &options->selection;
	const struct vgpu *vgpu;
	struct profile *profile;
	struct mix mix;

	mix_read(&mix, selection, &told);
	mix_check_output(&mix, output);
	vgpu = find_vgpu(&mix, selection);
	check_alone(&mix, vgpu, selection->input);
	profile = make_profile(&mix, vgpu);
	profile_save(profile, output);
	profile_free(profile);
	mix_clear(&mix);
	return EXIT_SUCCESS;
}

static const struct argp_option option_table[] = {
	{ "output", 'o', "FILE", 0, "Write the profile to this file; - is the standard output (-)", 0 },
	{ "vgpu", KEY_VGPU, "ID[:WORD,...]", 0,
	  "The vGPU, by id or UUID; or what is known of it: open, closed, depth, period or pieces_us, such as 1:closed,depth=2", 0 },
	{ "pieces", KEY_PIECES, "TIME", 0,
	  "Distance of preemption points, such as 1ms, or none; guessed by default", 0 },
	{ 0 }
};

static const struct argp argp = { .options = option_table, .parser = parse_option };

static const struct column *const tables[] = { NULL };

const struct command profile_command = {
	.name = "profile",
	.doc = "Make a profile of an application from a recording in which it runs alone.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) |
		      QUANTITY_BIT(QUANTITY_HOST) |
		      QUANTITY_BIT(QUANTITY_COMPLETIONS) | QUANTITY_BIT(QUANTITY_VGPUS) |
		      QUANTITY_BIT(QUANTITY_SETTINGS),
	.flags = COMMAND_OWN_VGPU,
	.columns = tables,
	.argp = &argp,
	.run = run,
};
