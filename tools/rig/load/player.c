// SPDX-License-Identifier: GPL-2.0-or-later
/* One vGPU of a scenario played by the light client, with its streams and acts. */
#include "player.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "address.h"
#include "canary.h"
#include "clock.h"

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
			.walker = params->command == SCENARIO_WALKER,
			.arbitration_off = params->arbitration_off,
			.mbps = params->mbps, .bound_percent = params->bound_percent,
		};
		struct player_stream *s = &p->streams[i];

		s->engine = vgpu_engine_find(params->engine);
		s->context = vgpu_context_new(p->v, s->engine, &work, params->depth);
		if (!s->context)
			return -EIO;
	}
	return 0;
}

static int out_of_memory(void)
{
	fputs("rig-load: out of memory\n", stderr);
	return -ENOMEM;
}

static int open_vgpu(struct player *p)
{
	int err;

	p->v = vgpu_new();
	if (!p->v)
		return out_of_memory();
	vgpu_set_addresses(p->v, address_of(p->number));
	err = vgpu_open(p->v, p->uuid) ?: start_engines(p) ?: canary_write(p->v, p->number) ?:
	      make_contexts(p);
	return err ? report(p, err) : 0;
}

int player_open(struct player *p, const struct scenario_vgpu *params, const char *uuid,
		unsigned int number, struct player_acts *acts)
{
	*p = (struct player) { .params = params, .uuid = uuid, .number = number, .acts = acts };
	p->streams = calloc(params->n_streams + 1, sizeof(*p->streams));
	return p->streams ? open_vgpu(p) : out_of_memory();
}

int player_irq_fd(const struct player *p)
{
	return vgpu_irq_fd(p->v);
}

void player_start(struct player *p, uint64_t start_ns, uint64_t begin_ns, uint64_t end_ns)
{
	for (size_t i = 0; i < p->params->n_streams; i++)
		load_stream_init(&p->streams[i].load, &p->params->streams[i], start_ns, begin_ns,
				 end_ns);
	p->act_ns = p->params->act_every_ns ? start_ns + p->params->act_every_ns : STREAM_NEVER;
	p->acthd_ns = p->params->acthd_every_ns ? start_ns : STREAM_NEVER;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool is_endless(const struct player_stream *s)
{
	return s->load.params->command == SCENARIO_ENDLESS;
}

static uint64_t hang_ns(const struct player_stream *s)
{
	uint64_t own_ns = is_endless(s) ? s->load.params->exec_ns : 0;

	return load_stream_in_flight(&s->load) ? s->progress_ns + own_ns + PLAYER_HANG_NS :
						 STREAM_NEVER;
}

static uint64_t end_ns(const struct player_stream *s)
{
	if (!is_endless(s) || s->ended >= s->load.submitted)
		return STREAM_NEVER;
	return load_stream_submitted_ns(&s->load, s->ended + 1) + s->load.params->exec_ns;
}

uint64_t player_next_ns(const struct player *p, bool submitting)
{
	uint64_t next = submitting ? earlier(p->act_ns, p->acthd_ns) : STREAM_NEVER;

	for_each_stream(s, p) {
		next = earlier(earlier(next, hang_ns(s)), end_ns(s));
		if (submitting && !p->stopped)
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
	return is_endless(s) ? vgpu_submit_endless(s->context) : vgpu_submit(s->context);
}

int player_submit(struct player *p, uint64_t now_ns)
{
	if (p->stopped)
		return 0;
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

	while ((uint32_t)(s->load.finished - s->gone) != completed && !err) {
		uint32_t seqno = (uint32_t)(s->load.finished - s->gone) + 1;

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
		if (err)
			return out_of_memory();
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

/* ---- endless workloads --------------------------------------------------- */

static void end_next(struct player_stream *s)
{
	s->ended++;
	if (s->ended > s->gone)
		vgpu_end(s->context, (uint32_t)(s->ended - s->gone));
}

void player_finish(struct player *p)
{
	for_each_stream(s, p)
		while (end_ns(s) != STREAM_NEVER)
			end_next(s);
}

/* ---- acts ---------------------------------------------------------------- */

static int for_engines(struct player *p, int (*act)(struct vgpu_client *, enum vgpu_engine))
{
	bool seen[VGPU_ENGINES] = { false };
	int err = 0;

	for_each_stream(s, p) {
		if (!err && !seen[s->engine])
			err = act(p->v, s->engine);
		seen[s->engine] = true;
	}
	return err;
}

static int reset_engines(struct player *p)
{
	return for_engines(p, vgpu_reset_engine);
}

static int stop_or_start_engines(struct player *p)
{
	p->stopped = !p->stopped;
	return for_engines(p, p->stopped ? vgpu_stop_engine : vgpu_restart_engine);
}

static int reset_device(struct player *p)
{
	return vgpu_reset(p->v);
}

static int kill_vgpu(struct player *p)
{
	vgpu_kill(p->v);
	p->v = NULL;
	return 0;
}

static int (*const acts[])(struct player *) = {
	[SCENARIO_ENGINE_RESET] = reset_engines,
	[SCENARIO_ENGINE_STOP] = stop_or_start_engines,
	[SCENARIO_DEVICE_RESET] = reset_device,
	[SCENARIO_CLOSE] = kill_vgpu,
};

static int timed_act(struct player *p)
{
	uint64_t begin_ns = clock_ns(), ns;
	int err;

	__atomic_store_n(&p->acts->since_ns, begin_ns, __ATOMIC_RELEASE);
	err = acts[p->params->act](p);
	__atomic_store_n(&p->acts->since_ns, 0, __ATOMIC_RELEASE);
	ns = clock_ns() - begin_ns;
	p->acts->count++;
	if (ns > p->acts->max_ns)
		p->acts->max_ns = ns;
	return err ? report(p, err) : 0;
}

static int drop_all(struct player *p, uint64_t now_ns)
{
	for_each_stream(s, p) {
		p->acts->dropped += load_stream_in_flight(&s->load);
		load_stream_drop(&s->load, now_ns);
		s->ended = s->load.submitted;
		if (!p->v)
			s->gone = s->load.submitted;
	}
	return p->v ? 0 : open_vgpu(p);
}

int player_act(struct player *p, uint64_t now_ns)
{
	int err;

	if (now_ns < p->act_ns)
		return 0;
	for_each_stream(s, p)
		if (collect_stream(s, now_ns))
			return out_of_memory();
	err = timed_act(p) ?: drop_all(p, clock_ns());
	p->act_ns = clock_ns() + p->params->act_every_ns;
	return err;
}

/* ---- ACTHD --------------------------------------------------------------- */

static int read_acthd(struct player *p, enum vgpu_engine engine)
{
	enum address_owner owner;
	uint64_t address;
	int err = vgpu_acthd(p->v, engine, &address);

	if (err)
		return report(p, err);
	owner = address_owner(address, p->number);
	p->acthd.reads++;
	p->acthd.own += owner == ADDRESS_OWN;
	p->acthd.foreign += owner == ADDRESS_FOREIGN;
	return 0;
}

static int look_at_acthd(struct player *p, uint64_t now_ns)
{
	int err = 0;

	if (now_ns < p->acthd_ns)
		return 0;
	for_each_stream(s, p)
		if (!err)
			err = read_acthd(p, s->engine);
	p->acthd_ns = now_ns + p->params->acthd_every_ns;
	return err;
}

int player_look(struct player *p, uint64_t now_ns)
{
	for_each_stream(s, p)
		while (end_ns(s) <= now_ns)
			end_next(s);
	return look_at_acthd(p, now_ns);
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
	if (p->params->act_every_ns)
		fprintf(out, "ACT vgpu=%s act=%s count=%" PRIu64 " dropped=%" PRIu64 " max_ns=%"
			PRIu64 "\n", p->params->name, scenario_act_name(p->params->act),
			p->acts->count, p->acts->dropped, p->acts->max_ns);
	if (p->params->acthd_every_ns)
		fprintf(out, "ACTHD vgpu=%s reads=%" PRIu64 " own=%" PRIu64 " foreign=%" PRIu64 "\n",
			p->params->name, p->acthd.reads, p->acthd.own, p->acthd.foreign);
}

void player_close(struct player *p)
{
	if (p->streams)
		for_each_stream(s, p)
			load_stream_free(&s->load);
	free(p->streams);
	vgpu_free(p->v);
}
