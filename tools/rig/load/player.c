// SPDX-License-Identifier: GPL-2.0-or-later
/* One vGPU of a scenario played by the light client, with its streams. */
#include "player.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "canary.h"

#define for_each_stream(s, p) \
	for (struct player_stream *s = (p)->streams; s < (p)->streams + (p)->params->n_streams; s++)

static int report(const struct player *p, int err)
{
	fprintf(stderr, "rig-load: vgpu '%s': %s\n", p->params->name, vgpu_error(p->v));
	return err;
}

static int start_engines(struct player *p)
{
	int err = 0;

	for (int i = 0; i < VGPU_ENGINES && !err; i++)
		err = vgpu_start_engine(p->v, i);
	return err;
}

static int make_contexts(struct player *p)
{
	for (size_t i = 0; i < p->params->n_streams; i++) {
		const struct scenario_stream *params = &p->params->streams[i];
		const struct vgpu_work work = {
			.exec_ns = params->exec_ns, .pieces = params->pieces,
			.walker = params->walker, .arbitration_off = params->arbitration_off,
		};
		struct player_stream *s = &p->streams[i];

		s->engine = vgpu_engine_find(params->engine);
		s->context = vgpu_context_new(p->v, s->engine, &work, params->depth);
		if (!s->context)
			return -EIO;
	}
	return 0;
}

int player_open(struct player *p, const struct scenario_vgpu *params, const char *uuid,
		unsigned int number)
{
	int err;

	*p = (struct player) { .params = params, .v = vgpu_new() };
	p->streams = calloc(params->n_streams + 1, sizeof(*p->streams));
	if (!p->v || !p->streams) {
		fputs("rig-load: out of memory\n", stderr);
		return -ENOMEM;
	}
	err = vgpu_open(p->v, uuid) ?: start_engines(p) ?: canary_write(p->v, number) ?:
	      make_contexts(p);
	return err ? report(p, err) : 0;
}

void player_start(struct player *p, uint64_t start_ns, uint64_t begin_ns, uint64_t end_ns)
{
	for (size_t i = 0; i < p->params->n_streams; i++)
		load_stream_init(&p->streams[i].load, &p->params->streams[i], start_ns, begin_ns,
				 end_ns);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t hang_ns(const struct player_stream *s)
{
	return load_stream_in_flight(&s->load) ? s->progress_ns + PLAYER_HANG_NS : STREAM_NEVER;
}

uint64_t player_next_ns(const struct player *p, bool submitting)
{
	uint64_t next = STREAM_NEVER;

	for_each_stream(s, p) {
		next = earlier(next, hang_ns(s));
		if (submitting)
			next = earlier(next, load_stream_next_ns(&s->load));
	}
	return next;
}

static int submit_one(struct player_stream *s, uint64_t now_ns)
{
	if (!load_stream_in_flight(&s->load))
		s->progress_ns = now_ns;
	if (load_stream_submit(&s->load, now_ns))
		return vgpu_submit_hang(s->context);
	return vgpu_submit(s->context);
}

int player_submit(struct player *p, uint64_t now_ns)
{
	for_each_stream(s, p) {
		while (load_stream_next_ns(&s->load) <= now_ns) {
			int err = submit_one(s, now_ns);

			if (err)
				return report(p, err);
		}
	}
	return 0;
}

static int collect_stream(struct player_stream *s, uint64_t now_ns)
{
	uint32_t completed = vgpu_completed(s->context);
	int err = 0;

	while ((uint32_t)s->load.finished != completed && !err) {
		uint32_t seqno = (uint32_t)s->load.finished + 1;

		err = load_stream_complete(&s->load, now_ns, vgpu_result_ok(s->context, seqno));
		s->progress_ns = now_ns;
	}
	return err;
}

static void print_csb(struct player *p, uint64_t now_ns, FILE *out)
{
	for (int i = 0; i < VGPU_ENGINES; i++) {
		struct vgpu_csb entry;

		while (vgpu_next_csb(p->v, i, &entry))
			fprintf(out, "CSB vgpu=%s engine=%s time_ns=%" PRIu64
				" entry=%u status=0x%08x context=0x%x\n", p->params->name,
				vgpu_engine_name(i), now_ns, entry.index, entry.status,
				entry.context);
	}
}

int player_collect(struct player *p, uint64_t now_ns, FILE *csb)
{
	int err = vgpu_ack_irq(p->v);

	if (err)
		return report(p, err);
	if (csb)
		print_csb(p, now_ns, csb);
	for_each_stream(s, p) {
		err = collect_stream(s, now_ns);
		if (err) {
			fputs("rig-load: out of memory\n", stderr);
			return err;
		}
	}
	return 0;
}

static int reset_engine(struct player *p, enum vgpu_engine engine, uint64_t now_ns)
{
	int err = vgpu_reset_engine(p->v, engine);

	for_each_stream(s, p)
		if (s->engine == engine)
			load_stream_lose(&s->load, now_ns);
	return err ? report(p, err) : 0;
}

int player_recover(struct player *p, uint64_t now_ns)
{
	int err = 0;

	for_each_stream(s, p)
		if (!err && now_ns >= hang_ns(s))
			err = reset_engine(p, s->engine, now_ns);
	return err;
}

bool player_is_busy(const struct player *p)
{
	for_each_stream(s, p)
		if (load_stream_in_flight(&s->load))
			return true;
	return false;
}

void player_print(struct player *p, FILE *out)
{
	for_each_stream(s, p)
		load_stream_print(&s->load, p->params->name, out);
}

void player_close(struct player *p)
{
	if (p->streams)
		for_each_stream(s, p)
			load_stream_free(&s->load);
	free(p->streams);
	vgpu_free(p->v);
}
