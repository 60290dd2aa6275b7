// SPDX-License-Identifier: GPL-2.0-only

#include <ctype.h>

#include "die.h"
#include "emit.h"
#include "model.h"
#include "i915.h"
#include "memory.h"
#include "world.h"

/* A word NAME=NUMBER of a line, with its limits */
struct word {
	const char *name;
	size_t offset;
	s64 min;
	s64 max;
};

#define HOUR_NS (3600 * NSEC_PER_SEC)

#define SETTING(name, min, max) { #name, offsetof(struct gvt_sched_settings, name), min, max }
static const struct word settings[] = {
	SETTING(carry_over, 0, 1),
	SETTING(leftover_max_ms, 0, 1000),
	SETTING(period_ms, 10, 1000),
	SETTING(boost_ms, 0, 10000),
	SETTING(max_wait_ms, 100, 1900),
	SETTING(anticipation_ms, 0, 100),
	SETTING(host_first, 0, 1),
	{}
};

#define LATENCY(name) { #name, offsetof(struct sim_latencies, name), 0, NSEC_PER_SEC }
static const struct word latencies[] = {
	LATENCY(service),
	LATENCY(wake),
	LATENCY(submit),
	LATENCY(same),
	LATENCY(start),
	LATENCY(added),
	LATENCY(finish),
	LATENCY(shared_finish),
	LATENCY(next),
	LATENCY(barrier),
	LATENCY(hand_over),
	LATENCY(resume),
	LATENCY(guest),
	LATENCY(timeslice),
	LATENCY(tick),
	{}
};

#define RUN(name, min, max) { #name, offsetof(struct model, name), min, max }
static const struct word runs[] = {
	RUN(warmup_ns, 0, HOUR_NS),
	RUN(duration_ns, 1, 100 * HOUR_NS),
	RUN(window_ns, 0, 100 * HOUR_NS),
	RUN(gap_ns, 0, HOUR_NS),
	RUN(limit, 1, S64_MAX),
	{}
};

#define VGPU(name, min, max) { #name, offsetof(struct model_vgpu, name), min, max }
static const struct word vgpu_words[] = {
	VGPU(weight, 1, 16),
	VGPU(nice, GVT_SCHED_NICE_MIN, GVT_SCHED_NICE_MAX),
	VGPU(cap, 0, 100),
	VGPU(preempt, 0, 1),
	VGPU(start_ns, 0, HOUR_NS),
	{}
};

/* Numbers of a "stream" line and of a "work" line */
struct stream_numbers {
	s64 open;
	s64 depth;
	s64 piece_ns;
	s64 always;
	s64 span_ns;
	s64 shift_ns;
	s64 vary_ppm;
	s64 mbps;
};

#define STREAM(name, min, max) { #name, offsetof(struct stream_numbers, name), min, max }
static const struct word stream_words[] = {
	STREAM(open, 0, 1),
	STREAM(depth, 1, 1000000),
	STREAM(piece_ns, 0, HOUR_NS),
	STREAM(always, 0, 1),
	STREAM(span_ns, 1, 100 * HOUR_NS),
	STREAM(shift_ns, 0, NSEC_PER_SEC),
	STREAM(vary_ppm, 0, 500000),
	STREAM(mbps, 0, 1000000),
	{}
};

/* Numbers of a "host" line */
struct host_numbers {
	s64 span_ns;
	s64 shift_ns;
};

#define HOST(name, min, max) { #name, offsetof(struct host_numbers, name), min, max }
static const struct word host_words[] = {
	HOST(span_ns, 1, 100 * HOUR_NS),
	HOST(shift_ns, 0, NSEC_PER_SEC),
	{}
};

struct beside_numbers {
	s64 mbps;
	s64 ppm;
};

#define BESIDE(name, min, max) { #name, offsetof(struct beside_numbers, name), min, max }
static const struct word beside_words[] = {
	BESIDE(mbps, 1, 4000000),
	BESIDE(ppm, (s64)MEMORY_ALONE_PPM, (s64)MEMORY_MOST_PPM),
	{}
};

struct work_numbers {
	s64 exec_ns;
	s64 at_ns;
	s64 lag;
};

#define WORK(name, min, max) { #name, offsetof(struct work_numbers, name), min, max }
static const struct word work_words[] = {
	WORK(exec_ns, 1, 100 * HOUR_NS),
	WORK(at_ns, 0, 100 * HOUR_NS),
	WORK(lag, 0, 1000000),
	{}
};

/* Position in the file */
struct place {
	const char *file;
	u64 line;
	char *rest;
	struct model *model;
	u64 work;
};

static _Noreturn void bad(const struct place *p, const char *what, const char *which)
{
	die("%s:%llu: %s '%.60s'", p->file, p->line, what, which);
}

/* Returns the next word of the line, NULL at its end */
static char *next_word(struct place *p)
{
	char *word = p->rest + strspn(p->rest, " \t\r\n");

	p->rest = word + strcspn(word, " \t\r\n");
	if (*p->rest)
		*p->rest++ = '\0';
	return *word ? word : NULL;
}

static char *need_word(struct place *p, const char *what)
{
	char *word = next_word(p);

	if (!word)
		bad(p, "the line ends without", what);
	return word;
}

static s64 number(const struct place *p, const char *text, s64 least, s64 most)
{
	char *end;
	s64 value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		bad(p, "not a number:", text);
	if (value < least || value > most)
		bad(p, "a number out of its range:", text);
	return value;
}

static const struct word *find(const struct word *words, const char *name)
{
	while (words->name && strcmp(words->name, name))
		words++;
	return words->name ? words : NULL;
}

/* Parses NAME=NUMBER words up to the end of the line; @values are s64 members */
static void read_numbers(struct place *p, const struct word *words, void *values)
{
	const struct word *word;
	char *text, *value;

	while ((text = next_word(p))) {
		value = strchr(text, '=');
		if (!value)
			bad(p, "not NAME=NUMBER:", text);
		*value++ = '\0';
		word = find(words, text);
		if (!word)
			bad(p, "unknown word", text);
		*(s64 *)((char *)values + word->offset) = number(p, value, word->min, word->max);
	}
}

/* --- lines ---------------------------------------------------------------------- */

static int by_name(const struct place *p, const char *text, int n, const char *(*name)(int i))
{
	int i;

	for (i = 0; i < n; i++) {
		if (!strcmp(name(i), text))
			return i;
	}
	bad(p, "there is no", text);
}

static const char *policy_name(int i)
{
	return gvt_sched_policy_name(i);
}

static const char *dispatch_name(int i)
{
	return gvt_sched_dispatch_name(i);
}

bool model_setting(const char *name, s64 value)
{
	const struct word *word = find(settings, name);

	if (!word || value < word->min || value > word->max)
		return false;
	*(u32 *)((char *)&sim_world.set + word->offset) = value;
	return true;
}

static void read_set(struct place *p)
{
	char *name = need_word(p, "a setting"), *value = need_word(p, "a value");
	struct gvt_sched_settings *set = &sim_world.set;
	const struct word *word = find(settings, name);

	if (!strcmp(name, "policy"))
		set->policy = by_name(p, value, GVT_SCHED_POLICIES, policy_name);
	else if (!strcmp(name, "dispatch"))
		set->dispatch = by_name(p, value, GVT_DISPATCHES, dispatch_name);
	else if (word)
		*(u32 *)((char *)set + word->offset) = number(p, value, word->min, word->max);
	else
		bad(p, "unknown setting", name);
}

static void read_latency(struct place *p)
{
	char *name = need_word(p, "a name"), *value = need_word(p, "a number of ns");
	const struct word *word = find(latencies, name);

	if (!word)
		bad(p, "unknown latency", name);
	*(u64 *)((char *)&sim_latency + word->offset) = number(p, value, word->min, word->max);
}

static void read_run(struct place *p)
{
	read_numbers(p, runs, p->model);
}

static void read_events(struct place *p)
{
	const char *names = need_word(p, "names of events"), *name = names;

	do {
		size_t len = strcspn(name, ",");

		if (!emit_knows(name, len))
			bad(p, "unknown event", name);
		name += len;
	} while (*name++);
	free(p->model->events);
	p->model->events = strdup(names);
}

static void read_vgpu(struct place *p)
{
	char *id = need_word(p, "an id");
	struct model_vgpu *vgpu = &p->model->vgpu[number(p, id, 1, GVT_MAX_VGPU - 1)];

	if (vgpu->weight)
		bad(p, "there are two of vGPU", id);
	*vgpu = (struct model_vgpu) { .weight = 2, .preempt = 1 };
	read_numbers(p, vgpu_words, vgpu);
}

/* @vgpu: 0: the host */
static struct model_stream *add_stream(struct place *p, s64 vgpu)
{
	struct model *model = p->model;
	struct model_stream *stream = &model->stream[model->streams];

	if (model->streams == MODEL_STREAMS)
		bad(p, "too many streams:", "64 are the most");
	*stream = (struct model_stream) {
		.vgpu = vgpu, .engine = strdup(need_word(p, "an engine")),
	};
	if (vgpu && !model->vgpu[vgpu].weight)
		bad(p, "a stream before its vGPU, on", stream->engine);
	if (!i915_engine(stream->engine))
		bad(p, "there is no engine", stream->engine);
	stream->s.nr = ++model->streams;
	return stream;
}

static void read_stream(struct place *p)
{
	struct stream_numbers numbers = { .depth = 1, .span_ns = 1 };
	s64 vgpu = number(p, need_word(p, "a vGPU"), 1, GVT_MAX_VGPU - 1);
	struct model_stream *stream = add_stream(p, vgpu);

	read_numbers(p, stream_words, &numbers);
	stream->s.open = numbers.open;
	stream->s.depth = numbers.depth;
	stream->s.piece_ns = numbers.piece_ns;
	stream->s.always = numbers.always;
	stream->s.span_ns = numbers.span_ns;
	stream->s.shift_ns = numbers.shift_ns;
	stream->s.vary_ppm = numbers.vary_ppm;
	stream->s.mbps = numbers.mbps;
}

/*
 * At most one host stream per engine, as the pieces of the whole host execute one after the other
 */
static void check_host(const struct place *p, const struct model_stream *stream)
{
	const struct model_stream *other = p->model->stream;

	for (; other < stream; other++) {
		if (!other->vgpu && !strcmp(other->engine, stream->engine))
			bad(p, "there are two of the host's on", stream->engine);
	}
}

static void read_host(struct place *p)
{
	struct host_numbers numbers = { .span_ns = 1 };
	struct model_stream *stream = add_stream(p, 0);

	check_host(p, stream);
	read_numbers(p, host_words, &numbers);
	stream->s.open = true;
	stream->s.depth = 1;
	stream->s.span_ns = numbers.span_ns;
	stream->s.shift_ns = numbers.shift_ns;
	p->model->host = true;
}

static void check_point(const struct place *p, const struct sim_stream *s, const struct beside_numbers *numbers)
{
	if (!numbers->mbps || !numbers->ppm)
		bad(p, "a point needs both", "mbps and ppm");
	if (s->points == MEMORY_POINTS)
		bad(p, "too many points:", "64 are the most");
	if (s->points && s->beside[s->points - 1].mbps >= (u64)numbers->mbps)
		bad(p, "a point that is not above the one before it:", "mbps");
}

static void read_beside(struct place *p)
{
	struct beside_numbers numbers = {};
	struct sim_stream *s;

	if (!p->model->streams)
		bad(p, "a point before any stream:", "beside");
	s = &p->model->stream[p->model->streams - 1].s;
	read_numbers(p, beside_words, &numbers);
	check_point(p, s, &numbers);
	if (!s->beside)
		s->beside = calloc(MEMORY_POINTS, sizeof(*s->beside));
	if (!s->beside)
		die("out of memory");
	s->beside[s->points++] = (struct sim_beside) { numbers.mbps, numbers.ppm };
}

static void add_work(struct place *p, struct model_stream *stream, struct sim_work work)
{
	if (p->work++ == MODEL_WORK)
		bad(p, "too many workloads:", "8000000 are the most");
	if (stream->s.n == stream->room) {
		stream->room = 2 * stream->room + 16;
		stream->s.work = realloc(stream->s.work, stream->room * sizeof(work));
		if (!stream->s.work)
			die("out of memory");
	}
	stream->s.work[stream->s.n++] = work;
}

static void check_arrival(const struct place *p, const struct sim_stream *s, s64 at_ns)
{
	if (!s->open)
		return;
	if ((u64)at_ns >= s->span_ns)
		bad(p, "a workload that comes after its round:", "at_ns >= span_ns");
	if (s->n && (u64)at_ns < s->work[s->n - 1].at_ns)
		bad(p, "a workload that comes before the one in front of it:", "at_ns");
}

static void read_work(struct place *p)
{
	struct work_numbers numbers = {};
	struct model_stream *stream;

	if (!p->model->streams)
		bad(p, "a workload before any stream:", "work");
	stream = &p->model->stream[p->model->streams - 1];
	read_numbers(p, work_words, &numbers);
	if (!numbers.exec_ns)
		bad(p, "a workload without", "exec_ns");
	check_arrival(p, &stream->s, numbers.at_ns);
	add_work(p, stream, (struct sim_work) { numbers.exec_ns, numbers.at_ns, numbers.lag });
}

static const struct {
	const char *name;
	void (*read)(struct place *p);
} lines[] = {
	{ "set", read_set },
	{ "latency", read_latency },
	{ "run", read_run },
	{ "events", read_events },
	{ "vgpu", read_vgpu },
	{ "stream", read_stream },
	{ "host", read_host },
	{ "work", read_work },
	{ "beside", read_beside },
};

static void read_line(struct place *p, char *line)
{
	char *word;
	int i;

	p->rest = line;
	line[strcspn(line, "#")] = '\0';
	word = next_word(p);
	if (!word)
		return;
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!strcmp(lines[i].name, word)) {
			lines[i].read(p);
			if (next_word(p))
				bad(p, "more than is needed after", word);
			return;
		}
	}
	bad(p, "unknown line", word);
}

static void check(const struct model *model, const char *name)
{
	int i;

	if (!model->streams)
		die("%s: there is no stream", name);
	for (i = 0; i < model->streams; i++) {
		if (!model->stream[i].s.n)
			die("%s: stream %d has no work", name, i + 1);
	}
}

void model_read(struct model *model, FILE *file, const char *name)
{
	struct place p = { .file = name, .model = model };
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	while ((len = getline(&line, &size, file)) >= 0) {
		p.line++;
		if (strlen(line) != (size_t)len)
			bad(&p, "a NUL byte after", line);
		read_line(&p, line);
	}
	if (ferror(file))
		die("cannot read %s: %s", name, strerror(errno));
	free(line);
	check(model, name);
}
