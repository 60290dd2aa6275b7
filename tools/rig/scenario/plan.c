// SPDX-License-Identifier: GPL-2.0-or-later
/* A scenario as lines that a shell script reads word by word. */
#include "plan.h"

#include <inttypes.h>

#include "words.h"

static void print_globals(const struct scenario *s, FILE *out)
{
	fprintf(out, "set name=%s\n", s->name);
	fprintf(out, "set description=%s\n", s->description);
	fprintf(out, "set source=%s\n", s->source);
	fprintf(out, "set aperture_mb=%u\n", s->aperture_mb);
	fprintf(out, "set memory_mb=%u\n", s->memory_mb);
	fprintf(out, "set cpus=%u\n", s->cpus);
	fprintf(out, "set icount_shift=%u\n", s->icount_shift);
	fprintf(out, "set warmup_ns=%" PRIu64 "\n", s->warmup_ns);
	fprintf(out, "set duration_ns=%" PRIu64 "\n", s->duration_ns);
}

static void print_stream(const struct scenario_vgpu *v, const struct scenario_stream *st, FILE *out)
{
	fprintf(out, "stream %s %s %s %" PRIu64 " %u %" PRIu64 " %u %s %" PRIu64 " %" PRIu64
		" %" PRIu64 " %" PRIu64 " %s %s %u %" PRIu64 " %u %u\n",
		v->name, st->name, st->engine, st->exec_ns, st->pieces, st->think_ns, st->depth,
		scenario_arrivals[st->arrival], st->period_ns, st->count, st->seed, st->hang_at,
		word_choice("command", st->command), st->arbitration_off ? "off" : "on",
		st->burst, st->start_ns, st->mbps, st->bound_percent);
}

static void print_streams(const struct scenario_vgpu *v, FILE *out)
{
	for (size_t i = 0; i < v->n_streams; i++)
		print_stream(v, &v->streams[i], out);
}

static void print_vgpu(const struct scenario_vgpu *v, FILE *out)
{
	fprintf(out, "vgpu %s %s %s %u\n", v->name, v->type->name, v->guest ? "guest" : "client",
		v->guest_memory_mb);
	if (v->command)
		fprintf(out, "command %s %s\n", v->name, v->command);
	if (v->act_every_ns)
		fprintf(out, "act %s %s %" PRIu64 "\n", v->name, scenario_act_name(v->act),
			v->act_every_ns);
	if (v->acthd_every_ns)
		fprintf(out, "acthd %s %" PRIu64 "\n", v->name, v->acthd_every_ns);
	for (size_t i = 0; i < v->n_settings; i++)
		fprintf(out, "vgpu-setting %s %s %s\n", v->name, v->settings[i].path,
			v->settings[i].value);
	print_streams(v, out);
}

void plan_print(const struct scenario *s, FILE *out)
{
	print_globals(s, out);
	for (size_t i = 0; i < s->n_settings; i++)
		fprintf(out, "setting %s %s\n", s->settings[i].path, s->settings[i].value);
	for (size_t i = 0; i < s->n_gpu; i++)
		fprintf(out, "gpu %s=%s\n", s->gpu[i].path, s->gpu[i].value);
	for (size_t i = 0; i < s->n_vgpus; i++)
		print_vgpu(&s->vgpus[i], out);
	print_streams(&s->host, out);
	for (size_t i = 0; i < s->n_events; i++)
		fprintf(out, "event %s\n", s->events[i]);
}
