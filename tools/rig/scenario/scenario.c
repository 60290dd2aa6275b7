// SPDX-License-Identifier: GPL-2.0-or-later
/* Scenarios of the rig as data: from libconfuse's tree to plain structures. */
#include "scenario.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "words.h"

static void read_settings(cfg_t *cfg, const char *word, struct scenario_setting *settings)
{
	for (unsigned int i = 0; i < cfg_size(cfg, word); i++) {
		cfg_t *sec = cfg_getnsec(cfg, word, i);

		settings[i].path = cfg_title(sec);
		settings[i].value = cfg_getstr(sec, "value");
	}
}

const char *scenario_act_name(enum scenario_act act)
{
	return word_choice("act", act);
}

static uint64_t number_or(cfg_t *cfg, const char *word, uint64_t otherwise)
{
	long n = cfg_getint(cfg, word);

	return n == WORD_UNSET ? otherwise : (uint64_t)n;
}

static const char *choice_or_null(cfg_t *cfg, const char *word)
{
	long n = cfg_getint(cfg, word);

	return n == WORD_UNSET ? NULL : word_choice(word, n);
}

static void read_stream(cfg_t *cfg, struct scenario_stream *s)
{
	s->name = cfg_title(cfg);
	s->line = cfg->line;
	s->engine = choice_or_null(cfg, "engine");
	s->arrival = (enum scenario_arrival)cfg_getint(cfg, "arrival");
	s->exec_ns = number_or(cfg, "exec", 0);
	s->pieces = (unsigned int)cfg_getint(cfg, "pieces");
	s->think_ns = number_or(cfg, "think", 0);
	s->depth = (unsigned int)cfg_getint(cfg, "depth");
	s->period_ns = number_or(cfg, "period", 0);
	s->count = number_or(cfg, "count", 0);
	s->seed = number_or(cfg, "seed", 1);
	s->burst = (unsigned int)cfg_getint(cfg, "burst");
	s->start_ns = number_or(cfg, "start", 0);
	s->command = (enum scenario_command)cfg_getint(cfg, "command");
	s->arbitration_off = cfg_getint(cfg, "arbitration") == 1;
	s->hang_at = number_or(cfg, "hang-at", 0);
	s->mbps = (unsigned int)cfg_getint(cfg, "bandwidth");
	s->bound_percent = (unsigned int)cfg_getint(cfg, "memory-bound");
}

static int read_streams(cfg_t *cfg, struct scenario_vgpu *v)
{
	v->line = cfg->line;
	v->n_streams = cfg_size(cfg, "stream");
	v->streams = calloc(v->n_streams + 1, sizeof(*v->streams));
	if (!v->streams)
		return -1;
	for (unsigned int i = 0; i < v->n_streams; i++)
		read_stream(cfg_getnsec(cfg, "stream", i), &v->streams[i]);
	return 0;
}

static int read_vgpu(cfg_t *cfg, struct scenario_vgpu *v)
{
	const char *type = choice_or_null(cfg, "type");

	v->name = cfg_title(cfg);
	v->type = type ? scenario_vgpu_type_find(type) : NULL;
	v->guest = cfg_getint(cfg, "runs") == 1;
	v->guest_memory_mb = (unsigned int)number_or(cfg, "guest-memory-mb", v->guest ? 384 : 0);
	v->command = cfg_getstr(cfg, "command");
	v->act = (enum scenario_act)cfg_getint(cfg, "act");
	v->act_every_ns = number_or(cfg, "act-every", 0);
	v->acthd_every_ns = number_or(cfg, "acthd-every", 0);
	v->n_settings = cfg_size(cfg, "setting");
	v->settings = calloc(v->n_settings + 1, sizeof(*v->settings));
	if (!v->settings)
		return -1;
	read_settings(cfg, "setting", v->settings);
	return read_streams(cfg, v);
}

static void read_globals(cfg_t *cfg, struct scenario *s)
{
	s->description = cfg_getstr(cfg, "description");
	s->source = cfg_getstr(cfg, "source");
	s->aperture_mb = (unsigned int)atoi(word_choice("aperture-mb", cfg_getint(cfg, "aperture-mb")));
	s->memory_mb = (unsigned int)cfg_getint(cfg, "memory-mb");
	s->cpus = (unsigned int)cfg_getint(cfg, "cpus");
	s->icount_shift = (unsigned int)cfg_getint(cfg, "icount-shift");
	s->warmup_ns = (uint64_t)cfg_getint(cfg, "warmup");
	s->duration_ns = (uint64_t)cfg_getint(cfg, "duration");
}

static int read_lists(cfg_t *cfg, struct scenario *s)
{
	s->n_events = cfg_size(cfg, "events");
	s->events = calloc(s->n_events + 1, sizeof(*s->events));
	s->n_settings = cfg_size(cfg, "setting");
	s->settings = calloc(s->n_settings + 1, sizeof(*s->settings));
	s->n_gpu = cfg_size(cfg, "gpu");
	s->gpu = calloc(s->n_gpu + 1, sizeof(*s->gpu));
	s->vgpus = calloc(cfg_size(cfg, "vgpu") + 1, sizeof(*s->vgpus));
	if (!s->events || !s->settings || !s->gpu || !s->vgpus)
		return -1;
	for (unsigned int i = 0; i < s->n_events; i++)
		s->events[i] = cfg_getnstr(cfg, "events", i);
	read_settings(cfg, "setting", s->settings);
	read_settings(cfg, "gpu", s->gpu);
	for (; s->n_vgpus < cfg_size(cfg, "vgpu"); s->n_vgpus++)
		if (read_vgpu(cfg_getnsec(cfg, "vgpu", (unsigned int)s->n_vgpus),
			      &s->vgpus[s->n_vgpus]))
			return -1;
	s->host.name = "host";
	return read_streams(cfg_getsec(cfg, "host"), &s->host);
}

static char *name_of(const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *base = slash ? slash + 1 : file;
	const char *dot = strrchr(base, '.');

	return strndup(base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

static int build(struct scenario *s, FILE *errors)
{
	s->name = name_of(s->file);
	read_globals(s->config, s);
	if (!s->name || read_lists(s->config, s)) {
		fprintf(errors, "%s: out of memory\n", s->file);
		return -1;
	}
	return scenario_check(s, errors);
}

struct scenario *scenario_load(const char *file, FILE *errors)
{
	cfg_t *cfg = words_read(file, errors);
	struct scenario *s = cfg ? calloc(1, sizeof(*s)) : NULL;

	if (!s) {
		cfg_free(cfg);
		return NULL;
	}
	s->config = cfg;
	s->file = cfg->filename;
	if (build(s, errors)) {
		scenario_free(s);
		return NULL;
	}
	return s;
}

void scenario_free(struct scenario *s)
{
	if (!s)
		return;
	/* If memory ran out, one uncounted element may hold arrays. */
	for (size_t i = 0; s->vgpus && i <= s->n_vgpus; i++) {
		free(s->vgpus[i].settings);
		free(s->vgpus[i].streams);
	}
	free(s->host.streams);
	free(s->vgpus);
	free(s->gpu);
	free(s->settings);
	free(s->events);
	free(s->name);
	cfg_free(s->config);
	free(s);
}

const struct scenario_vgpu *scenario_vgpu_find(const struct scenario *s, const char *name)
{
	for (size_t i = 0; i < s->n_vgpus; i++)
		if (!strcmp(s->vgpus[i].name, name))
			return &s->vgpus[i];
	return NULL;
}
