// SPDX-License-Identifier: GPL-2.0-only
/* gvt-sim: see README.md */

#include <getopt.h>

#include "die.h"
#include "emit.h"
#include "heap.h"
#include "i915.h"
#include "model.h"
#include "replay.h"
#include "world.h"

/* Start time of the simulation, not 0, so that earlier times can be represented */
#define BEGINNING_NS (1ULL << 50)

static const char usage[] =
	"usage: gvt-sim [MODEL]\n"
	"       gvt-sim --replay [TRACE]\n"
	"\n"
	"Simulates vGPUs that share a GPU, with the decisions of GVT-g's own scheduler. Reads a\n"
	"model from MODEL or stdin, and writes the driver's trace events to stdout, as text.\n"
	"\n"
	"  --replay       read a recorded trace as text instead, and print whether the scheduler\n"
	"                 decides again as it did then\n"
	"  -h, --help     this text\n";

static FILE *open_model(const char *name)
{
	FILE *file = strcmp(name, "-") ? fopen(name, "r") : stdin;

	if (!file)
		die("cannot open %s: %s", name, strerror(errno));
	return file;
}

static void start_vgpu(void *subject, u64 token)
{
	sim_sched_start(subject);
}

static void make_vgpus(const struct model *model)
{
	int id;

	for (id = 1; id < GVT_MAX_VGPU; id++) {
		const struct model_vgpu *m = &model->vgpu[id];
		struct intel_vgpu *vgpu;

		if (!m->weight)
			continue;
		vgpu = sim_world_vgpu(id, m->weight, m->nice, m->cap);
		vgpu->sched_data->preempt = m->preempt;
		sim_after(m->start_ns, start_vgpu, vgpu, 0);
	}
}

static void begin_stream(void *subject, u64 token)
{
	guest_begin(subject);
}

static void make_streams(struct model *model)
{
	int i;

	for (i = 0; i < model->streams; i++) {
		struct model_stream *m = &model->stream[i];

		m->s.vgpu = m->vgpu ? &sim_world.vgpu[m->vgpu] : NULL;
		m->s.engine = i915_engine(m->engine);
		m->s.origin_ns = BEGINNING_NS + model->warmup_ns;
		sim_after(model->vgpu[m->vgpu].start_ns, begin_stream, &m->s, 0);
	}
}

static void run(const struct model *model, u64 end)
{
	while (sim_step(end)) {
		if (sim_events() > (u64)model->limit)
			give_up("gave up after %lld events, at %llu ns of %lld: the model asks for too much",
				model->limit, ktime_get_ns() - BEGINNING_NS,
				model->warmup_ns + model->duration_ns);
	}
}

/*
 * Shifts the phases of the streams at the end of each window but the last; the gap absorbs the
 * shift
 */
static void run_windows(struct model *model, u64 begin)
{
	u64 end = begin + model->duration_ns, at = begin + model->window_ns;
	u32 phase = 1;
	int i;

	for (; model->window_ns && model->gap_ns && at < end; at += model->gap_ns + model->window_ns) {
		run(model, at);
		for (i = 0; i < model->streams; i++)
			guest_shift(&model->stream[i].s, phase);
		phase++;
	}
	run(model, end);
}

/* Prints how many workloads were queued of each stream's round: later rounds only repeat */
static void tell_rounds(const struct model *model)
{
	int i;

	for (i = 0; i < model->streams; i++)
		printf("# stream %d queued %llu of %llu\n", i + 1, model->stream[i].s.queued,
		       model->stream[i].s.n);
}

static void simulate(struct model *model)
{
	u64 begin = BEGINNING_NS + model->warmup_ns;
	int i;

	for (i = 0; i < model->streams; i++)
		i915_needs(i915_engine(model->stream[i].engine));
	sim_advance(BEGINNING_NS);
	sim_world.host = model->host;
	sim_world_begin();
	make_vgpus(model);
	make_streams(model);
	run(model, begin);
	emit_from(begin);
	emit_only(model->events);
	sim_world_tell();
	run_windows(model, begin);
	tell_rounds(model);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "replay", no_argument, NULL, 'r' },
		{}
	};
	static struct model model = {
		.warmup_ns = 3 * NSEC_PER_SEC,
		.duration_ns = 20 * NSEC_PER_SEC,
		.limit = 1000000000,
	};
	bool replays = false;
	const char *name;
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (c != 'r') {
			fputs(usage, stderr);
			return 2;
		}
		replays = true;
	}
	if (argc - optind > 1) {
		fputs(usage, stderr);
		return 2;
	}

	/* gvt-stat reads a full pipe at once */
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	name = optind < argc ? argv[optind] : "-";
	if (replays)
		return !replay(open_model(name), name);
	model_read(&model, open_model(name), name);
	simulate(&model);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	return 0;
}
