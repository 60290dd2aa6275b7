// SPDX-License-Identifier: GPL-2.0-or-later
/* Constraints between the words of a scenario. */
#include "check.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* Graphics memory and fences reserved for the host (gvt/gvt.h). */
#define HOST_LOW_MB 128
#define HOST_HIGH_MB 384
#define GGTT_MB 4096
#define FENCES 32
#define FENCES_EACH 4
#define MAX_VGPUS ((FENCES - FENCES_EACH) / FENCES_EACH)
/* Memory of the host's kernel and programs beside the guests. */
#define HOST_MEMORY_MB 512

/* intel_vgpu_configs in gvt/vgpu.c; weight is 16 / instances. */
static const struct scenario_vgpu_type types[] = {
	{ "V5_8", 64, 384, 2 },
	{ "V5_4", 128, 512, 4 },
	{ "V5_2", 256, 1024, 8 },
	{ "V5_1", 512, 2048, 16 },
};

const struct scenario_vgpu_type *scenario_vgpu_type_find(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

struct context {
	const struct scenario *s;
	const struct scenario_vgpu *v;
	FILE *errors;
};

__attribute__((format(printf, 3, 4)))
static int bad(const struct context *c, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(c->errors, "%s:%d: ", c->s->file, line);
	va_start(ap, fmt);
	vfprintf(c->errors, fmt, ap);
	va_end(ap);
	fputc('\n', c->errors);
	return -EINVAL;
}

#define BAD_STREAM(c, st, fmt, ...) \
	(is_host(c) ? bad(c, (st)->line, "host stream '%s': " fmt, (st)->name, ##__VA_ARGS__) : \
		      bad(c, (st)->line, "vgpu '%s' stream '%s': " fmt, (c)->v->name, (st)->name, \
			  ##__VA_ARGS__))

static bool is_host(const struct context *c)
{
	return c->v == &c->s->host;
}

/* Whether the streams go through i915's uAPI, from rig-i915-load */
static bool uses_i915(const struct context *c)
{
	return c->v->guest || is_host(c);
}

static int check_arrival(const struct context *c, const struct scenario_stream *st)
{
	if (st->arrival == SCENARIO_CLOSED && st->period_ns)
		return BAD_STREAM(c, st, "word 'period' needs arrival = periodic or poisson; remove it or change arrival");
	if (st->arrival != SCENARIO_CLOSED && !st->period_ns)
		return BAD_STREAM(c, st, "word 'period' is missing; add period = \"16.667ms\"");
	if (st->arrival != SCENARIO_CLOSED && st->think_ns)
		return BAD_STREAM(c, st, "word 'think' needs arrival = closed; remove it or change arrival");
	if (st->arrival != SCENARIO_CLOSED && st->burst > 1)
		return BAD_STREAM(c, st, "word 'burst' needs arrival = closed; remove it or change arrival");
	if (st->burst > 1 && !st->think_ns)
		return BAD_STREAM(c, st, "word 'burst' needs a pause between bursts; add think = \"230ms\"");
	return 0;
}

static int check_hang(const struct context *c, const struct scenario_stream *st)
{
	if (!st->count || st->hang_at <= st->count)
		return 0;
	return BAD_STREAM(c, st, "hang-at %llu is after the last of %llu workloads; use at most count",
			  (unsigned long long)st->hang_at, (unsigned long long)st->count);
}

static int check_commands(const struct context *c, const struct scenario_stream *st)
{
	if (st->command == SCENARIO_WALKER && strcmp(st->engine, "rcs0"))
		return BAD_STREAM(c, st, "command = walker needs engine = rcs0, not %s; change one of them",
				  st->engine);
	if (st->command == SCENARIO_ENDLESS && uses_i915(c))
		return BAD_STREAM(c, st, "command = endless needs runs = client; remove one of them");
	if (st->command == SCENARIO_ENDLESS && st->arbitration_off)
		return BAD_STREAM(c, st, "command = endless with arbitration = off cannot be preempted; use hang-at for what never ends");
	if (uses_i915(c) && (st->burst > 1 || st->start_ns))
		return BAD_STREAM(c, st, "words 'burst' and 'start' need runs = client; remove them");
	if (st->arbitration_off && uses_i915(c))
		return BAD_STREAM(c, st, "word 'arbitration' needs runs = client; remove it: i915 decides by itself");
	return 0;
}

static bool shares_memory(const struct scenario *s)
{
	for (size_t i = 0; i < s->n_gpu; i++)
		if (!strcmp(s->gpu[i].path, "mem-mbps") && strcmp(s->gpu[i].value, "0"))
			return true;
	return false;
}

static int check_memory(const struct context *c, const struct scenario_stream *st)
{
	if (st->bound_percent % 5)
		return BAD_STREAM(c, st, "memory-bound = %u is no multiple of 5; use one from 0 to 100",
				  st->bound_percent);
	if (st->bound_percent != 100 && !st->mbps)
		return BAD_STREAM(c, st, "word 'memory-bound' needs a bandwidth; add bandwidth = 3000 or remove it");
	if (st->mbps && !shares_memory(c->s))
		return BAD_STREAM(c, st, "word 'bandwidth' needs a memory that engines share; add gpu \"mem-mbps\" { value = 12000 }");
	if (st->mbps && st->command == SCENARIO_ENDLESS)
		return BAD_STREAM(c, st, "command = endless asks nothing of the memory; remove bandwidth");
	return 0;
}

static int check_stream(const struct context *c, const struct scenario_stream *st)
{
	if (!st->engine)
		return BAD_STREAM(c, st, "word 'engine' is missing; add engine = rcs0, bcs0, vcs0 or vecs0");
	if (!st->exec_ns)
		return BAD_STREAM(c, st, "word 'exec' is missing; add exec = \"18ms\"");
	if (st->exec_ns / 1000 < st->pieces)
		return BAD_STREAM(c, st, "%u pieces are shorter than 1us each; use fewer pieces or a longer exec",
				  st->pieces);
	return check_arrival(c, st) ?: check_hang(c, st) ?: check_commands(c, st) ?:
	       check_memory(c, st);
}

static int check_streams(const struct context *c)
{
	for (size_t i = 0; i < c->v->n_streams; i++) {
		int err = check_stream(c, &c->v->streams[i]);

		if (err)
			return err;
	}
	return 0;
}

static int check_vgpu(const struct context *c)
{
	const struct scenario_vgpu *v = c->v;

	if (!v->type)
		return bad(c, v->line, "vgpu '%s': word 'type' is missing; add type = V5_8, V5_4, V5_2 or V5_1",
			   v->name);
	if (!v->guest && v->guest_memory_mb)
		return bad(c, v->line, "vgpu '%s': word 'guest-memory-mb' needs runs = guest; remove it or change runs",
			   v->name);
	if (!v->guest && v->command)
		return bad(c, v->line, "vgpu '%s': word 'command' needs runs = guest; remove it or change runs",
			   v->name);
	if (v->guest && (v->act_every_ns || v->acthd_every_ns))
		return bad(c, v->line, "vgpu '%s': words 'act-every' and 'acthd-every' need runs = client; remove them",
			   v->name);
	if ((v->act == SCENARIO_NO_ACT) != !v->act_every_ns)
		return bad(c, v->line, "vgpu '%s': words 'act' and 'act-every' belong together; add act = close or act-every = \"1s\"",
			   v->name);
	if (!strcmp(v->name, "idle") && v->n_streams)
		return bad(c, v->line, "vgpu 'idle' has a stream; rename the vgpu or remove stream '%s'",
			   v->streams[0].name);
	return check_streams(c);
}

static int check_host(struct context *c)
{
	c->v = &c->s->host;
	if (c->v->n_streams && scenario_vgpu_find(c->s, c->v->name))
		return bad(c, c->v->line, "name 'host' is reserved; rename the vgpu");
	return check_streams(c);
}

/* Do the vGPUs so far fit? */
static int check_room(const struct context *c, unsigned int low_mb, unsigned int high_mb,
		      unsigned int guest_mb)
{
	unsigned int aperture_mb = c->s->aperture_mb;

	if (low_mb > aperture_mb - HOST_LOW_MB || high_mb > GGTT_MB - aperture_mb - HOST_HIGH_MB)
		return bad(c, c->v->line, "vgpu '%s' (%s) does not fit aperture-mb = %u beside the ones before it; use a larger aperture-mb (up to 1024), a smaller type or fewer vgpus",
			   c->v->name, c->v->type->name, aperture_mb);
	if (guest_mb + HOST_MEMORY_MB > c->s->memory_mb)
		return bad(c, c->v->line, "vgpu '%s': guests use %u MB, which with %u MB for the host exceeds memory-mb = %u; raise memory-mb",
			   c->v->name, guest_mb, HOST_MEMORY_MB, c->s->memory_mb);
	return 0;
}

int scenario_check(const struct scenario *s, FILE *errors)
{
	struct context c = { s, NULL, errors };
	unsigned int low_mb = 0, high_mb = 0, guest_mb = 0;

	if (!s->n_vgpus)
		return bad(&c, 1, "no vgpu; add vgpu \"a\" { type = V5_8 }");
	for (size_t i = 0; i < s->n_vgpus; i++) {
		int err;

		c.v = &s->vgpus[i];
		err = check_vgpu(&c);
		if (err)
			return err;
		if (i == MAX_VGPUS)
			return bad(&c, c.v->line, "too many vgpus at '%s'; fences suffice for %d",
				   c.v->name, MAX_VGPUS);
		low_mb += c.v->type->low_mb;
		high_mb += c.v->type->high_mb;
		guest_mb += c.v->guest_memory_mb;
		err = check_room(&c, low_mb, high_mb, guest_mb);
		if (err)
			return err;
	}
	return check_host(&c);
}
