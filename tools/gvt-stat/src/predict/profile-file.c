// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/engine.h"
#include "trace/settings.h"
#include "trace/util.h"
#include "profile-file.h"

#define MAGIC		"gvt-stat-profile"
#define SUFFIX		".profile"
#define MAKE_ANEW	"make it anew with 'gvt-stat profile'"

#define MOST_LINE	512
#define MOST_VALUE	32
#define MOST_STREAMS	16
#define MOST_OWNED	(MOST_STREAMS * STREAM_CONTEXTS * 4)
#define MOST_CLASSES	5
#define MOST_INSTANCES	8
/* beyond any real slowdown */
#define PPM_ALONE	1000000
#define MOST_PPM	(PROFILE_MOST_SLOWDOWN * PPM_ALONE)
/* beyond the length of any recording */
#define MOST_NS		(24 * 3600 * NSEC_PER_SEC)

/* a field that lines give as NAME=NUMBER */
struct number {
	const char *name;
	int64_t least, most;
	size_t offset;
	bool optional;			/* UNKNOWN if absent */
};

static const struct number window_numbers[] = {
	{ "window_ns", 1, MOST_NS, offsetof(struct profile, window_ns), false },
	{ "lost", 0, INT64_MAX, offsetof(struct profile, lost), false },
	{ NULL }
};

static const struct number vgpu_numbers[] = {
	{ "weight", 1, 16, offsetof(struct vgpu, weight), true },
	{ "nice", -20, 19, offsetof(struct vgpu, set.nice), true },
	{ "cap", 0, 100, offsetof(struct vgpu, set.cap), true },
	{ "preempt", 0, 1, offsetof(struct vgpu, set.preempt), true },
	{ NULL }
};

/* fields of a stream whose members are not int64_t */
struct stream_numbers {
	int64_t open, depth, contexts, piece_ns, kind, least_depth, period_ns;
};

static const struct number stream_numbers[] = {
	{ "open", 0, 1, offsetof(struct stream_numbers, open), false },
	{ "depth", 1, STREAM_NO_LIMIT, offsetof(struct stream_numbers, depth), false },
	{ "contexts", 1, INT32_MAX, offsetof(struct stream_numbers, contexts), false },
	{ "piece_ns", 0, MOST_NS, offsetof(struct stream_numbers, piece_ns), false },
	{ "kind", 0, STREAM_SERVED, offsetof(struct stream_numbers, kind), true },
	{ "least_depth", 1, STREAM_NO_LIMIT, offsetof(struct stream_numbers, least_depth), true },
	{ "period_ns", 1, MOST_NS, offsetof(struct stream_numbers, period_ns), true },
	{ NULL }
};

static const struct number solo_numbers[] = {
	{ "completed", 1, INT64_MAX, offsetof(struct profile_solo, completed), false },
	{ "exec_ns", 1, MOST_NS, offsetof(struct profile_solo, exec_ns), false },
	{ "mean_ns", 1, MOST_NS, offsetof(struct profile_solo, mean_ns), false },
	{ "p95_ns", 1, MOST_NS, offsetof(struct profile_solo, p95_ns), false },
	{ NULL }
};

static const struct number memory_numbers[] = {
	{ "mbps", 0, PROFILE_MOST_MBPS, offsetof(struct profile_stream, mbps), false },
	{ NULL }
};

static const struct number beside_numbers[] = {
	{ "mbps", 1, PROFILE_MOST_MBPS, offsetof(struct profile_beside, mbps), false },
	{ "ppm", PPM_ALONE, MOST_PPM, offsetof(struct profile_beside, ppm), false },
	{ NULL }
};

struct work_numbers {
	int64_t exec_ns, at_ns, lag;
};

static const struct number work_numbers[] = {
	{ "exec_ns", 1, MOST_NS, offsetof(struct work_numbers, exec_ns), false },
	{ "at_ns", 0, MOST_NS, offsetof(struct work_numbers, at_ns), false },
	{ "lag", 0, STREAM_MOST, offsetof(struct work_numbers, lag), false },
	{ NULL }
};

static const char *const doubt_names[STREAM_DOUBTS] = {
	[STREAM_AMBIGUOUS] = "ambiguous",
	[STREAM_BACKLOGGED] = "backlogged",
	[STREAM_UNLIMITED] = "unlimited",
	[STREAM_SHORT] = "short",
	[STREAM_UNSEEN] = "unseen",
	[STREAM_GUESSED_PIECES] = "guessed-pieces",
	[STREAM_NEVER_PREEMPTED] = "never-preempted",
	[STREAM_IDLE_WORK] = "idle-work",
	[STREAM_CUT] = "cut",
	[STREAM_PART] = "part",
	[STREAM_CHANGED] = "changed",
	[STREAM_HOST] = "host",
};

/* --- a profile -------------------------------------------------------------------------- */

static void free_others(struct stream *stream)
{
	if (stream->others)
		g_ptr_array_free(stream->others, TRUE);
}

/* frees streams that the parser created; streams of a new profile belong to the recording */
static void free_owned(void *data)
{
	struct stream *stream = data;

	free_others(stream);
	g_array_unref(stream->work);
	g_free(stream);
}

static void free_stream(void *data)
{
	struct profile_stream *stream = data;

	if (stream->stream.work)
		g_array_unref(stream->stream.work);
	g_array_unref(stream->beside);
	g_free(stream);
}

static char *name_of(const char *path)
{
	char *name = g_path_get_basename(path);

	if (g_str_has_suffix(name, SUFFIX) && strlen(name) > strlen(SUFFIX))
		name[strlen(name) - strlen(SUFFIX)] = '\0';
	return name;
}

struct profile *profile_new(const char *path)
{
	struct profile *profile = g_new0(struct profile, 1);

	profile->path = g_strdup(path);
	profile->name = name_of(path);
	profile->vgpu.weight = UNKNOWN;
	profile->vgpu.set = vgpu_settings_unknown;
	profile->window_ns = UNKNOWN;
	profile->settings = g_ptr_array_new_with_free_func(g_free);
	profile->streams = g_ptr_array_new_with_free_func(free_stream);
	profile->owned = g_ptr_array_new_with_free_func(free_owned);
	return profile;
}

struct profile_stream *profile_stream_new(struct profile *profile)
{
	struct profile_stream *stream = g_new0(struct profile_stream, 1);

	stream->mbps = UNKNOWN;
	stream->beside = g_array_new(FALSE, FALSE, sizeof(struct profile_beside));
	g_ptr_array_add(profile->streams, stream);
	return stream;
}

void profile_free(struct profile *profile)
{
	for (unsigned int nr = 0; profile->owned->len && nr < profile->streams->len; nr++)
		free_others(&((struct profile_stream *)profile->streams->pdata[nr])->stream);
	g_ptr_array_free(profile->streams, TRUE);
	g_ptr_array_free(profile->owned, TRUE);
	g_ptr_array_free(profile->settings, TRUE);
	g_free(profile->name);
	g_free(profile->path);
	g_free(profile);
}

/* --- reading ------------------------------------------------------------------------------ */

struct parser {
	struct profile *profile;
	struct profile_stream *stream;	/* the last one; NULL: none yet */
	struct stream *context;		/* the last one of @stream */
	struct stream *into;		/* takes "work" lines: @context or an alternative to it */
	unsigned int line;
	bool has_vgpu;
	char *problem;			/* NULL: none */
};

/* keeps only the first problem */
static bool refuse(struct parser *parser, const char *field, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool refuse(struct parser *parser, const char *field, const char *format, ...)
{
	va_list args;
	char *what;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	if (!parser->problem)
		parser->problem = make_printable(g_strdup_printf("%s:%u: %s: %s",
			parser->profile->path, parser->line, field, what));
	g_free(what);
	return false;
}

static const struct number *find_number(const struct number *numbers, const char *word)
{
	size_t len = strcspn(word, "=");

	for (; numbers->name; numbers++)
		if (strlen(numbers->name) == len && !strncmp(numbers->name, word, len))
			return numbers;
	return NULL;
}

static bool parse_number(struct parser *parser, const struct number *number, const char *text,
			 void *to)
{
	gint64 value;

	if (!g_ascii_string_to_signed(text, 10, number->least, number->most, &value, NULL))
		return refuse(parser, number->name, "'%s' is no whole number from %" PRId64 " to %"
			      PRId64 ": " MAKE_ANEW, text, number->least, number->most);
	*(int64_t *)((char *)to + number->offset) = value;
	return true;
}

static bool parse_word(struct parser *parser, const struct number *numbers, const char *word,
		       unsigned int *seen, void *to)
{
	const struct number *number = find_number(numbers, word);
	const char *equals = strchr(word, '=');

	if (!number || !equals)
		return refuse(parser, word, "it is not known here: " MAKE_ANEW);
	if (*seen & 1u << (number - numbers))
		return refuse(parser, number->name, "it is given twice: leave one");
	*seen |= 1u << (number - numbers);
	return parse_number(parser, number, equals + 1, to);
}

/* all words from the second on, or those from @first on, must be NAME=NUMBER */
static bool parse_numbers(struct parser *parser, const struct number *numbers, char *const *words,
			  void *to)
{
	unsigned int seen = 0;

	for (const struct number *number = numbers; number->name; number++)
		if (number->optional)
			*(int64_t *)((char *)to + number->offset) = UNKNOWN;
	for (; *words; words++)
		if (!parse_word(parser, numbers, *words, &seen, to))
			return false;
	for (const struct number *number = numbers; number->name; number++)
		if (!number->optional && !(seen & 1u << (number - numbers)))
			return refuse(parser, number->name, "it is missing: " MAKE_ANEW);
	return true;
}

static bool parse_window(struct parser *parser, char *const *words)
{
	if (known(parser->profile->window_ns))
		return refuse(parser, "recorded", "it is given twice: leave one");
	return parse_numbers(parser, window_numbers, words + 1, parser->profile);
}

static bool has_setting(const struct profile *profile, const char *name)
{
	for (unsigned int nr = 0; nr < profile->settings->len; nr += 2)
		if (!strcmp(profile->settings->pdata[nr], name))
			return true;
	return false;
}

static bool is_setting(const char *name)
{
	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++)
		if (!strcmp(desc->name, name))
			return true;
	return false;
}

static bool parse_setting(struct parser *parser, char *const *words)
{
	GPtrArray *settings = parser->profile->settings;

	if (g_strv_length((char **)words) != 3)
		return refuse(parser, "set", "give NAME VALUE");
	if (!is_setting(words[1]))
		return refuse(parser, words[1], "there is no such setting: 'gvt-stat policy --list' names them");
	if (has_setting(parser->profile, words[1]))
		return refuse(parser, words[1], "it is given twice: leave one");
	if (strlen(words[2]) > MOST_VALUE ||
	    strspn(words[2], "abcdefghijklmnopqrstuvwxyz-0123456789") != strlen(words[2]))
		return refuse(parser, words[1], "'%s' is no value of a setting: 'gvt-stat policy --list' prints them",
			      words[2]);
	g_ptr_array_add(settings, g_strdup(words[1]));
	g_ptr_array_add(settings, g_strdup(words[2]));
	return true;
}

static bool parse_vgpu(struct parser *parser, char *const *words)
{
	if (parser->has_vgpu)
		return refuse(parser, "vgpu", "it is given twice: a profile is of one");
	parser->has_vgpu = true;
	return parse_numbers(parser, vgpu_numbers, words + 1, &parser->profile->vgpu);
}

static bool find_engine(const char *name, struct gpu_engine *engine)
{
	char known_name[ENGINE_NAME_LEN];

	for (engine->class = 0; engine->class < MOST_CLASSES; engine->class++)
		for (engine->instance = 0; engine->instance < MOST_INSTANCES; engine->instance++)
			if (!strcmp(engine_name(known_name, engine->class, engine->instance), name))
				return true;
	return false;
}

static bool parse_doubts(struct parser *parser, const char *text, unsigned int *doubts)
{
	char **names = g_strsplit(text, ",", -1);

	for (char **name = names; *name; name++) {
		int doubt = 0;

		while (doubt < STREAM_DOUBTS && strcmp(doubt_names[doubt], *name))
			doubt++;
		if (doubt < STREAM_DOUBTS)
			*doubts |= 1u << doubt;
		else
			refuse(parser, "doubts", "'%s' is none: " MAKE_ANEW, *name);
	}
	g_strfreev(names);
	return !parser->problem;
}

static bool same_engine(const struct profile_stream *one, const struct profile_stream *other)
{
	return one->engine.class == other->engine.class &&
	       one->engine.instance == other->engine.instance;
}

/*
 * A closed stream needs a workload that waits, or it would submit endlessly at one instant.
 * Arrivals of an open stream must be in order and within the recording.
 */
static bool check_work(struct parser *parser, const struct stream *stream)
{
	int64_t before_ns = 0, whole_ns = 0;
	bool waits = false;

	for (unsigned int nr = 0; nr < stream->work->len; nr++) {
		const struct stream_work *work = &g_array_index(stream->work, struct stream_work, nr);

		waits |= work->lag > 0;
		whole_ns = MIN(whole_ns, MOST_NS) + work->at_ns;
		if (stream->open && (work->at_ns < before_ns || work->at_ns >= parser->profile->window_ns))
			return refuse(parser, "at_ns", "workload %u of the stream above comes before the one before it, or after the recording: "
				      MAKE_ANEW, nr + 1);
		before_ns = work->at_ns;
	}
	if (!stream->work->len)
		return refuse(parser, "work", "the stream above has none: record for longer");
	if (!stream->open && !waits && !whole_ns)
		return refuse(parser, "lag", "the workloads of the stream above wait for nothing, and would never end: "
			      MAKE_ANEW);
	return true;
}

static bool check_contexts(struct parser *parser, const struct stream *context)
{
	for (; context; context = context->also) {
		if (!check_work(parser, context))
			return false;
		for (unsigned int nr = 0; context->others && nr < context->others->len; nr++)
			if (!check_work(parser, context->others->pdata[nr]))
				return false;
	}
	return true;
}

/* checks the last stream, which is now complete */
static bool end_stream(struct parser *parser)
{
	const struct profile_stream *stream = parser->stream;

	if (!stream)
		return true;
	if (!stream->solo.completed)
		return refuse(parser, "solo", "the stream above has none: " MAKE_ANEW);
	for (unsigned int nr = 0; nr + 1 < parser->profile->streams->len; nr++)
		if (same_engine(parser->profile->streams->pdata[nr], stream))
			return refuse(parser, "stream", "two are of one engine: leave one");
	return check_contexts(parser, &stream->stream);
}

static void begin_stream(struct parser *parser)
{
	struct profile_stream *stream = profile_stream_new(parser->profile);

	stream->stream.vgpu = &parser->profile->vgpu;
	stream->stream.engine = &stream->engine;
	stream->stream.work = g_array_new(FALSE, FALSE, sizeof(struct stream_work));
	parser->stream = stream;
	parser->context = parser->into = &stream->stream;
}

static bool parse_kind(struct parser *parser, char *const *words, struct stream *stream)
{
	struct stream_numbers numbers;

	if (!parse_numbers(parser, stream_numbers, words, &numbers))
		return false;
	if (known(numbers.kind) && numbers.open != (numbers.kind != STREAM_LOOP))
		return refuse(parser, "kind", "open=%" PRId64 " and kind=%" PRId64 " contradict each other: "
			      MAKE_ANEW, numbers.open, numbers.kind);
	stream->open = numbers.open;
	stream->depth = numbers.depth;
	stream->contexts = numbers.contexts;
	stream->piece_ns = numbers.piece_ns;
	/* of an unknown kind, arrivals are repeated as recorded */
	stream->kind = known(numbers.kind) ? numbers.kind : stream->open ? STREAM_TIMETABLE : STREAM_LOOP;
	stream->least_depth = known(numbers.least_depth) ? numbers.least_depth : 0;
	stream->period_ns = known(numbers.period_ns) ? numbers.period_ns : 0;
	return true;
}

static struct stream *new_owned(struct parser *parser)
{
	struct stream *stream = g_new0(struct stream, 1);

	stream->vgpu = &parser->profile->vgpu;
	stream->engine = &parser->stream->engine;
	stream->work = g_array_new(FALSE, FALSE, sizeof(struct stream_work));
	g_ptr_array_add(parser->profile->owned, stream);
	return stream;
}

/* "also": another context of the stream */
static bool parse_also(struct parser *parser, char *const *words)
{
	if (!parser->stream || parser->profile->owned->len == MOST_OWNED)
		return refuse(parser, "also", "it is of a stream, which has to come before, and there are %d at most: "
			      MAKE_ANEW, MOST_OWNED);
	parser->context->also = new_owned(parser);
	parser->context = parser->into = parser->context->also;
	words++;
	if (*words && g_str_has_prefix(*words, "doubts=") &&
	    !parse_doubts(parser, strchr(*words++, '=') + 1, &parser->context->doubts))
		return false;
	return parse_kind(parser, words, parser->context);
}

/* "or": an alternative to the last context */
static bool parse_or(struct parser *parser, char *const *words)
{
	if (!parser->stream || parser->profile->owned->len == MOST_OWNED)
		return refuse(parser, "or", "it is of a stream, which has to come before, and there are %d at most: "
			      MAKE_ANEW, MOST_OWNED);
	if (!parser->context->others)
		parser->context->others = g_ptr_array_new();
	parser->into = new_owned(parser);
	g_ptr_array_add(parser->context->others, parser->into);
	return parse_kind(parser, words + 1, parser->into);
}

static bool parse_stream(struct parser *parser, char *const *words)
{
	struct stream *stream;

	if (!known(parser->profile->window_ns))
		return refuse(parser, "stream", "'recorded' has to come before: " MAKE_ANEW);
	if (!end_stream(parser))
		return false;
	if (parser->profile->streams->len == MOST_STREAMS)
		return refuse(parser, "stream", "there are more than %d: a GPU has fewer engines",
			      MOST_STREAMS);
	begin_stream(parser);
	stream = &parser->stream->stream;
	if (!words[1] || !find_engine(words[1], &parser->stream->engine))
		return refuse(parser, "stream", "'%s' is no engine: give one such as rcs0",
			      words[1] ? words[1] : "");
	words += 2;
	if (*words && g_str_has_prefix(*words, "doubts=") &&
	    !parse_doubts(parser, strchr(*words++, '=') + 1, &stream->doubts))
		return false;
	return parse_kind(parser, words, stream);
}

static bool parse_solo(struct parser *parser, char *const *words)
{
	if (!parser->stream)
		return refuse(parser, "solo", "it is of a stream, which has to come before: " MAKE_ANEW);
	if (parser->stream->solo.completed)
		return refuse(parser, "solo", "it is given twice for a stream: leave one");
	return parse_numbers(parser, solo_numbers, words + 1, &parser->stream->solo);
}

static bool parse_memory(struct parser *parser, char *const *words)
{
	if (!parser->stream)
		return refuse(parser, "memory", "it is of a stream, which has to come before: " MAKE_ANEW);
	if (known(parser->stream->mbps))
		return refuse(parser, "memory", "it is given twice for a stream: leave one");
	return parse_numbers(parser, memory_numbers, words + 1, parser->stream);
}

static bool parse_beside(struct parser *parser, char *const *words)
{
	struct profile_beside point;
	GArray *all;

	if (!parser->stream)
		return refuse(parser, "beside", "it is of a stream, which has to come before: " MAKE_ANEW);
	if (!parse_numbers(parser, beside_numbers, words + 1, &point))
		return false;
	all = parser->stream->beside;
	if (all->len == PROFILE_MOST_BESIDE)
		return refuse(parser, "beside", "a stream has more than %d: 'gvt-stat calibrate' makes them anew",
			      PROFILE_MOST_BESIDE);
	if (all->len && g_array_index(all, struct profile_beside, all->len - 1).mbps >= point.mbps)
		return refuse(parser, "mbps", "it is not more than in the line before: 'gvt-stat calibrate' makes them anew");
	g_array_append_val(all, point);
	return true;
}

static bool parse_work(struct parser *parser, char *const *words)
{
	struct work_numbers numbers;
	struct stream_work work;

	if (!parser->stream)
		return refuse(parser, "work", "it is of a stream, which has to come before: " MAKE_ANEW);
	if (parser->into->work->len == STREAM_MOST)
		return refuse(parser, "work", "a stream has more than %u: " MAKE_ANEW, STREAM_MOST);
	if (!parse_numbers(parser, work_numbers, words + 1, &numbers))
		return false;
	work = (struct stream_work) { numbers.exec_ns, numbers.at_ns, numbers.lag };
	g_array_append_val(parser->into->work, work);
	return true;
}

static const struct line_kind {
	const char *word;
	bool (*parse)(struct parser *parser, char *const *words);
} line_kinds[] = {
	{ "work", parse_work },
	{ "stream", parse_stream },
	{ "also", parse_also },
	{ "or", parse_or },
	{ "solo", parse_solo },
	{ "memory", parse_memory },
	{ "beside", parse_beside },
	{ "set", parse_setting },
	{ "vgpu", parse_vgpu },
	{ "recorded", parse_window },
};

static bool parse_version(struct parser *parser, char *const *words)
{
	guint64 version;

	if (strcmp(words[0], MAGIC) || !words[1] || !g_ascii_string_to_unsigned(words[1], 10, 1, INT32_MAX, &version, NULL) ||
	    words[2])
		return refuse(parser, "version", "the first line is '" MAGIC " NUMBER'");
	if (version != PROFILE_VERSION)
		return refuse(parser, "version", "this is version %" G_GUINT64_FORMAT " of profiles, and this gvt-stat reads %d: "
			      MAKE_ANEW, version, PROFILE_VERSION);
	return true;
}

static bool parse_words(struct parser *parser, char *const *words)
{
	if (parser->line == 1)
		return parse_version(parser, words);
	for (size_t nr = 0; nr < G_N_ELEMENTS(line_kinds); nr++)
		if (!g_strcmp0(words[0], line_kinds[nr].word))
			return line_kinds[nr].parse(parser, words);
	return refuse(parser, words[0], "no line begins with this: " MAKE_ANEW);
}

/* splits words at single spaces; skips comments and empty lines, but not the first line */
static bool parse_line(struct parser *parser, char *line)
{
	char **words;
	bool good;

	parser->line++;
	if (parser->line == 1 && !g_str_has_prefix(line, MAGIC))
		return refuse(parser, MAGIC, "this is no profile: make one with 'gvt-stat profile -i TRACE -o FILE'");
	if (!strchr(line, '\n'))
		return refuse(parser, "line", "it is longer than %d bytes, ends the file without a line feed, or has a byte 0: "
			      MAKE_ANEW, MOST_LINE - 2);
	line[strcspn(line, "\n")] = '\0';
	if (parser->line > 1 && (!*line || *line == '#'))
		return true;
	words = g_strsplit(line, " ", -1);
	good = parse_words(parser, words);
	g_strfreev(words);
	return good;
}

static bool end_profile(struct parser *parser, FILE *stream)
{
	if (ferror(stream))
		return refuse(parser, "file", "%s", strerror(errno));
	if (!parser->line)
		return refuse(parser, MAGIC, "the file is empty: make one with 'gvt-stat profile -i TRACE -o FILE'");
	if (!parser->stream)
		return refuse(parser, "stream", "there is none: " MAKE_ANEW);
	return end_stream(parser);
}

struct profile *profile_parse(FILE *stream, const char *path, char **problem)
{
	struct parser parser = { .profile = profile_new(path) };
	char line[MOST_LINE];
	bool good = true;

	while (good && fgets(line, sizeof(line), stream))
		good = parse_line(&parser, line);
	if (good && end_profile(&parser, stream))
		return parser.profile;
	profile_free(parser.profile);
	*problem = parser.problem;
	return NULL;
}

struct profile *profile_read(const char *path)
{
	FILE *stream = fopen(path, "re");
	struct profile *profile;
	char *problem;

	if (!stream)
		fatal("%s: %s: make a profile with 'gvt-stat profile -i TRACE -o FILE'", path,
		      strerror(errno));
	profile = profile_parse(stream, path, &problem);
	fclose(stream);
	if (!profile)
		fatal("%s", problem);
	return profile;
}

/* --- writing ---------------------------------------------------------------------------- */

static void write_numbers(const struct number *numbers, const void *from, FILE *stream)
{
	for (; numbers->name; numbers++) {
		int64_t value = *(const int64_t *)((const char *)from + numbers->offset);

		if (known(value))
			fprintf(stream, " %s=%" PRId64, numbers->name, value);
	}
	putc('\n', stream);
}

static void write_doubts(unsigned int doubts, FILE *stream)
{
	const char *separator = " doubts=";

	for (int doubt = 0; doubt < STREAM_DOUBTS; doubt++) {
		if (!(doubts & 1u << doubt))
			continue;
		fprintf(stream, "%s%s", separator, doubt_names[doubt]);
		separator = ",";
	}
}

static void write_memory(const struct profile_stream *of, FILE *stream)
{
	if (known(of->mbps)) {
		fputs("memory", stream);
		write_numbers(memory_numbers, of, stream);
	}
	for (unsigned int nr = 0; nr < of->beside->len; nr++) {
		fputs("beside", stream);
		write_numbers(beside_numbers, &g_array_index(of->beside, struct profile_beside, nr),
			      stream);
	}
}

static void write_kind(const struct stream *stream, FILE *file)
{
	const struct stream_numbers numbers = {
		stream->open, MAX(stream->depth, 1), MAX(stream->contexts, 1), stream->piece_ns, stream->kind,
		stream->least_depth ? (int64_t)stream->least_depth : UNKNOWN,
		stream->period_ns >= 1 ? llround(stream->period_ns) : UNKNOWN,
	};

	write_numbers(stream_numbers, &numbers, file);
}

static void write_work(const struct stream *stream, FILE *file)
{
	for (unsigned int nr = 0; nr < stream->work->len; nr++) {
		const struct stream_work *work = &g_array_index(stream->work, struct stream_work, nr);
		const struct work_numbers fields = { work->exec_ns, work->at_ns, work->lag };

		fputs("work", file);
		write_numbers(work_numbers, &fields, file);
	}
}

static void write_others(const struct stream *stream, FILE *file)
{
	for (unsigned int nr = 0; stream->others && nr < stream->others->len; nr++) {
		fputs("or", file);
		write_kind(stream->others->pdata[nr], file);
		write_work(stream->others->pdata[nr], file);
	}
}

static void write_stream(const struct profile_stream *of, FILE *stream)
{
	char engine[ENGINE_NAME_LEN];

	fprintf(stream, "stream %s", engine_name(engine, of->engine.class, of->engine.instance));
	write_doubts(of->stream.doubts, stream);
	write_kind(&of->stream, stream);
	fputs("solo", stream);
	write_numbers(solo_numbers, &of->solo, stream);
	write_memory(of, stream);
	write_work(&of->stream, stream);
	write_others(&of->stream, stream);
	for (const struct stream *also = of->stream.also; also; also = also->also) {
		fputs("also", stream);
		write_doubts(also->doubts, stream);
		write_kind(also, stream);
		write_work(also, stream);
		write_others(also, stream);
	}
}

void profile_write(const struct profile *profile, FILE *stream)
{
	fprintf(stream, MAGIC " %d\nrecorded", PROFILE_VERSION);
	write_numbers(window_numbers, profile, stream);
	for (unsigned int nr = 0; nr < profile->settings->len; nr += 2)
		fprintf(stream, "set %s %s\n", (const char *)profile->settings->pdata[nr],
			(const char *)profile->settings->pdata[nr + 1]);
	fputs("vgpu", stream);
	write_numbers(vgpu_numbers, &profile->vgpu, stream);
	for (unsigned int nr = 0; nr < profile->streams->len; nr++)
		write_stream(profile->streams->pdata[nr], stream);
}
