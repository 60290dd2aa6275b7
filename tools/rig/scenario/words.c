// SPDX-License-Identifier: GPL-2.0-or-later
/* The words of a scenario file and their values. */
#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "duration.h"
#include "scenario.h"
#include "text.h"

/* The events that a report needs; gvt_command alone would be fifty events per workload */
#define DEFAULT_EVENTS							\
	"{\"gvt:gvt_workload_*\", \"gvt:gvt_sched_*\", \"gvt:gvt_vgpu_info\","	\
	" \"gvt:gvt_host_*\","						\
	" \"i915:i915_request_add\", \"i915:i915_request_retire\"}"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
#define NAME_MAX_LENGTH 31
/* Values pass through shell scripts line by line: no quoting characters. */
#define VALUE_CHARS NAME_CHARS "./:,+=% "
#define TEXT_CHARS VALUE_CHARS "()'"

enum kind { NUMBER, DURATION, CHOICE };

struct word {
	const char *name;
	enum kind kind;
	int64_t min, max;		/* ns for durations */
	const char *const *choices;	/* NULL-terminated */
};

static const char *const apertures[] = { "256", "512", "1024", NULL };
static const char *const types[] = { "V5_1", "V5_2", "V5_4", "V5_8", NULL };
static const char *const runs[] = { "client", "guest", NULL };
static const char *const commands[] = { "noop", "walker", "endless", NULL };
static const char *const acts[] = {
	"engine-reset", "engine-stop", "device-reset", "close", NULL
};
static const char *const arbitrations[] = { "on", "off", NULL };
static const char *const engines[] = { "rcs0", "bcs0", "vcs0", "vecs0", NULL };

#define SECONDS 1000000000ll

/*
 * pieces x depth is bounded so that the batches of a stream fit the 2 MB that
 * one page table of the light client maps.  A seed is 48 bits for erand48().
 */
static const struct word words[] = {
	{ "aperture-mb", CHOICE, 0, 0, apertures },
	{ "memory-mb", NUMBER, 512, 65536, NULL },
	{ "cpus", NUMBER, 1, 8, NULL },
	{ "icount-shift", NUMBER, 0, 10, NULL },
	{ "warmup", DURATION, 0, 3600 * SECONDS, NULL },
	{ "duration", DURATION, 1000000, 3600 * SECONDS, NULL },
	{ "type", CHOICE, 0, 0, types },
	{ "runs", CHOICE, 0, 0, runs },
	{ "guest-memory-mb", NUMBER, 128, 16384, NULL },
	{ "act", CHOICE, 0, 0, acts },
	{ "act-every", DURATION, 1000000, 60 * SECONDS, NULL },
	{ "acthd-every", DURATION, 10000, 60 * SECONDS, NULL },
	{ "engine", CHOICE, 0, 0, engines },
	{ "exec", DURATION, 1000, 60 * SECONDS, NULL },
	{ "pieces", NUMBER, 1, 4096, NULL },
	{ "think", DURATION, 0, 60 * SECONDS, NULL },
	{ "burst", NUMBER, 1, 1000000, NULL },
	{ "start", DURATION, 0, 3600 * SECONDS, NULL },
	{ "depth", NUMBER, 1, 16, NULL },
	{ "arrival", CHOICE, 0, 0, scenario_arrivals },
	{ "period", DURATION, 1000, 60 * SECONDS, NULL },
	{ "count", NUMBER, 0, 4000000000, NULL },
	{ "seed", NUMBER, 0, (1ll << 48) - 1, NULL },
	{ "command", CHOICE, 0, 0, commands },
	{ "arbitration", CHOICE, 0, 0, arbitrations },
	{ "hang-at", NUMBER, 0, 4000000000, NULL },
	{ "bandwidth", NUMBER, 0, 65535, NULL },
	{ "memory-bound", NUMBER, 0, 100, NULL },
};

/*
 * libconfuse takes the end of the file for the end of every open section, so
 * the text is read with this word appended, which is valid only outside sections.
 */
#define END_MARK "__end"

static FILE *error_stream;
static bool reported;		/* an error was reported */

static const struct word *find_word(const char *name)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].name, name))
			return &words[i];
	return NULL;
}

const char *word_choice(const char *word, long index)
{
	return find_word(word)->choices[index];
}

/* "a, b or c" for messages; the buffer is valid until the next call. */
static const char *choices_text(const char *const *choices)
{
	static char text[64];
	size_t used = 0;

	for (size_t i = 0; choices[i]; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
					 !i ? "" : choices[i + 1] ? ", " : " or ", choices[i]);
	return text;
}

static int parse_number(cfg_t *cfg, const struct word *w, const char *value, long *result)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(value, &end, 10);
	if (end == value || *end) {
		cfg_error(cfg, "%s: '%s' is not a whole number; write one from %lld to %lld",
			  w->name, value, (long long)w->min, (long long)w->max);
		return -1;
	}
	if (errno || n < w->min || n > w->max) {
		cfg_error(cfg, "%s: %s is out of range; use %lld to %lld", w->name, value,
			  (long long)w->min, (long long)w->max);
		return -1;
	}
	*result = n;
	return 0;
}

static int parse_duration(cfg_t *cfg, const struct word *w, const char *value, long *result)
{
	uint64_t ns;
	int err = duration_parse(value, &ns);

	if (err == -EINVAL) {
		cfg_error(cfg, "%s: '%s' is not a duration; write a number and ns, us, ms or s, such as \"4.7ms\"",
			  w->name, value);
		return -1;
	}
	if (err || ns < (uint64_t)w->min || ns > (uint64_t)w->max) {
		cfg_error(cfg, "%s: '%s' is out of range; use %lldus to %llds, not finer than 1ns",
			  w->name, value, (long long)w->min / 1000, (long long)w->max / SECONDS);
		return -1;
	}
	*result = (long)ns;
	return 0;
}

static int parse_choice(cfg_t *cfg, const struct word *w, const char *value, long *result)
{
	for (long i = 0; w->choices[i]; i++) {
		if (!strcmp(w->choices[i], value)) {
			*result = i;
			return 0;
		}
	}
	cfg_error(cfg, "%s: unknown word '%s'; use %s", w->name, value, choices_text(w->choices));
	return -1;
}

/* With libconfuse, the last of two words wins; its unused comment field marks the first. */
static int check_once(cfg_t *cfg, cfg_opt_t *opt)
{
	if (cfg_opt_getcomment(opt)) {
		cfg_error(cfg, "%s: set twice; remove one", opt->name);
		return -1;
	}
	return cfg_opt_setcomment(opt, (char *)"set");
}

static int parse_word(cfg_t *cfg, cfg_opt_t *opt, const char *value, void *result)
{
	static int (*const parsers[])(cfg_t *, const struct word *, const char *, long *) = {
		[NUMBER] = parse_number,
		[DURATION] = parse_duration,
		[CHOICE] = parse_choice,
	};
	const struct word *w = find_word(opt->name);

	if (check_once(cfg, opt))
		return -1;
	return parsers[w->kind](cfg, w, value, result);
}

static int check_text(cfg_t *cfg, cfg_opt_t *opt)
{
	if (check_once(cfg, opt))
		return -1;
	for (unsigned int i = 0; i < cfg_opt_size(opt); i++) {
		const char *text = cfg_opt_getnstr(opt, i);

		if (text[strspn(text, TEXT_CHARS)]) {
			cfg_error(cfg, "%s: character '%c' is not allowed; use letters, digits, blanks and ()'./:,+=%%_-",
				  opt->name, text[strspn(text, TEXT_CHARS)]);
			return -1;
		}
	}
	return 0;
}

static int check_value(cfg_t *cfg, cfg_opt_t *opt)
{
	const char *text = cfg_opt_getnstr(opt, 0);

	if (check_once(cfg, opt))
		return -1;
	if (!*text || text[strspn(text, VALUE_CHARS)]) {
		cfg_error(cfg, "%s: '%s' is not allowed; use letters, digits, blanks and ./:,+=%%_-", opt->name, text);
		return -1;
	}
	return 0;
}

static bool event_is_good(const char *event)
{
	size_t system = strspn(event, NAME_CHARS);
	size_t name = event[system] == ':' ? strspn(event + system + 1, NAME_CHARS "*?") : 0;

	return system && name && !event[system + 1 + name];
}

/* Called after each element of the list and at its end. */
static int check_events(cfg_t *cfg, cfg_opt_t *opt)
{
	unsigned int last = cfg_opt_size(opt) - 1;
	const char *event = cfg_opt_getnstr(opt, last), *first = cfg_opt_getcomment(opt);

	if (first && strcmp(first, cfg_opt_getnstr(opt, 0))) {
		cfg_error(cfg, "events: set twice; remove one");
		return -1;
	}
	if (cfg_opt_setcomment(opt, cfg_opt_getnstr(opt, 0)))
		return -1;
	if (!event_is_good(event)) {
		cfg_error(cfg, "events: '%s' is not an event; write system:name, such as \"gvt:gvt_workload_*\"",
			  event);
		return -1;
	}
	for (unsigned int i = 0; i < last; i++) {
		if (!strcmp(event, cfg_opt_getnstr(opt, i))) {
			cfg_error(cfg, "events: '%s' appears twice; remove one", event);
			return -1;
		}
	}
	return 0;
}

/* The section whose end has just been read. */
static cfg_t *last_section(cfg_opt_t *opt)
{
	return cfg_opt_getnsec(opt, cfg_opt_size(opt) - 1);
}

static int check_name(cfg_t *cfg, cfg_opt_t *opt)
{
	const char *name = cfg_title(last_section(opt));
	size_t good = strspn(name, NAME_CHARS);

	if (good && !name[good] && good <= NAME_MAX_LENGTH)
		return 0;
	cfg_error(cfg, "%s: name '%s' is not allowed; use up to %d letters, digits, - and _",
		  opt->name, name, NAME_MAX_LENGTH);
	return -1;
}

static int check_path(cfg_t *cfg, cfg_opt_t *opt)
{
	const char *path = cfg_title(last_section(opt));

	if (!*path || *path == '/' || strstr(path, "..") || path[strspn(path, NAME_CHARS "./")]) {
		cfg_error(cfg, "setting: path '%s' is not allowed; use a path below the device's directory in sysfs, such as \"gvt_sched/policy\"",
			  path);
		return -1;
	}
	if (cfg_getstr(last_section(opt), "value"))
		return 0;
	cfg_error(cfg, "setting '%s': word 'value' is missing; add value = \"...\"", path);
	return -1;
}

/* A property of the emulated GPU; values with a comma would be two of them. */
static int check_property(cfg_t *cfg, cfg_opt_t *opt)
{
	const char *value = cfg_getstr(last_section(opt), "value");

	if (check_name(cfg, opt))
		return -1;
	if (value && !strpbrk(value, ", "))
		return 0;
	cfg_error(cfg, "gpu '%s': %s", cfg_title(last_section(opt)),
		  value ? "a value has no comma or blank; write one property per section" :
			  "word 'value' is missing; add value = \"...\"");
	return -1;
}

/* The words that are valid in place of an unknown one. */
static void print_known_words(const cfg_t *cfg)
{
	const char *separator = "; known here: ";

	for (const cfg_opt_t *o = cfg->opts; o->name && strcmp(o->name, END_MARK); o++) {
		fprintf(error_stream, "%s%s", separator, o->name);
		separator = ", ";
	}
}

/* Remedies for libconfuse's own messages. */
static void print_remedy(const cfg_t *cfg, const char *text)
{
	static const struct {
		const char *start, *remedy;
	} remedies[] = {
		{ "found duplicate title", "give each one its own name" },
		{ "missing title", "write a name in quotes after the word" },
		{ "premature end of file", "complete the last value, string or list" },
		{ "unexpected", "write word = value, or word \"name\" { ... }" },
		{ "no sub-section", "write word = value, or word \"name\" { ... }" },
	};

	if (!strncmp(text, "no such option", strlen("no such option")))
		print_known_words(cfg);
	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++)
		if (!strncmp(text, remedies[i].start, strlen(remedies[i].start)))
			fprintf(error_stream, "; %s", remedies[i].remedy);
}

static void report(cfg_t *cfg, const char *fmt, va_list ap)
{
	char text[512];

	vsnprintf(text, sizeof(text), fmt, ap);
	for (char *c = text; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
	if (strstr(text, "'" END_MARK "'"))
		strcpy(text, "the file ends inside a section; add the missing '}'");
	fprintf(error_stream, "%s:%d: %s", cfg->filename, cfg->line, text);
	print_remedy(cfg, text);
	fputc('\n', error_stream);
	reported = true;
}

static cfg_t *new_grammar(void)
{
	cfg_opt_t setting[] = {
		CFG_STR("value", NULL, CFGF_NONE),
		CFG_END()
	};
	cfg_opt_t stream[] = {
		CFG_INT_CB("engine", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_INT_CB("exec", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_INT_CB("pieces", 1, CFGF_NONE, parse_word),
		CFG_INT_CB("think", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_INT_CB("burst", 1, CFGF_NONE, parse_word),
		CFG_INT_CB("start", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_INT_CB("depth", 1, CFGF_NONE, parse_word),
		CFG_INT_CB("arrival", 0, CFGF_NONE, parse_word),
		CFG_INT_CB("period", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_INT_CB("count", 0, CFGF_NONE, parse_word),
		CFG_INT_CB("seed", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_INT_CB("command", 0, CFGF_NONE, parse_word),
		CFG_INT_CB("arbitration", 0, CFGF_NONE, parse_word),
		CFG_INT_CB("hang-at", 0, CFGF_NONE, parse_word),
		CFG_INT_CB("bandwidth", 0, CFGF_NONE, parse_word),
		CFG_INT_CB("memory-bound", 100, CFGF_NONE, parse_word),
		CFG_END()
	};
	cfg_opt_t host[] = {
		CFG_SEC("stream", stream, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES),
		CFG_END()
	};
	cfg_opt_t vgpu[] = {
		CFG_INT_CB("type", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_INT_CB("runs", 0, CFGF_NONE, parse_word),
		CFG_INT_CB("guest-memory-mb", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_STR("command", NULL, CFGF_NONE),
		CFG_INT_CB("act", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_INT_CB("act-every", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_INT_CB("acthd-every", WORD_UNSET, CFGF_NONE, parse_word),
		CFG_SEC("setting", setting, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES),
		CFG_SEC("stream", stream, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES),
		CFG_END()
	};
	cfg_opt_t top[] = {
		CFG_STR("description", "", CFGF_NONE),
		CFG_STR("source", "", CFGF_NONE),
		CFG_INT_CB("aperture-mb", 0, CFGF_NONE, parse_word),
		CFG_INT_CB("memory-mb", 2048, CFGF_NONE, parse_word),
		CFG_INT_CB("cpus", 1, CFGF_NONE, parse_word),
		CFG_INT_CB("icount-shift", 0, CFGF_NONE, parse_word),
		CFG_INT_CB("warmup", 3 * SECONDS, CFGF_NONE, parse_word),
		CFG_INT_CB("duration", 20 * SECONDS, CFGF_NONE, parse_word),
		CFG_STR_LIST("events", DEFAULT_EVENTS, CFGF_NONE),
		CFG_SEC("setting", setting, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES),
		CFG_SEC("gpu", setting, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES),
		CFG_SEC("host", host, CFGF_NONE),
		CFG_SEC("vgpu", vgpu, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES),
		CFG_BOOL(END_MARK, cfg_false, CFGF_NONE),
		CFG_END()
	};

	return cfg_init(top, CFGF_NONE);
}

static void set_checks(cfg_t *cfg)
{
	static const struct {
		const char *path;
		cfg_validate_callback_t check;
	} checks[] = {
		{ "description", check_text },
		{ "source", check_text },
		{ "events", check_events },
		{ "setting", check_path },
		{ "setting|value", check_value },
		{ "gpu", check_property },
		{ "gpu|value", check_value },
		{ "vgpu", check_name },
		{ "vgpu|command", check_value },
		{ "vgpu|setting", check_path },
		{ "vgpu|setting|value", check_value },
		{ "vgpu|stream", check_name },
		{ "host|stream", check_name },
	};

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		cfg_set_validate_func(cfg, checks[i].path, checks[i].check);
}

static int parse(cfg_t *cfg, const char *file, FILE *in)
{
	cfg_set_error_function(cfg, report);
	set_checks(cfg);
	cfg->filename = strdup(file);
	/* a section that exists even if the file does not have it */
	cfg_getsec(cfg, "host")->filename = strdup(file);
	reported = false;
	if (cfg->filename && cfg_parse_fp(cfg, in) == CFG_SUCCESS)
		return CFG_SUCCESS;
	/* libconfuse does not report "" in place of a word */
	if (cfg->filename && !reported)
		cfg_error(cfg, "an empty string is not a word; remove it");
	return CFG_PARSE_ERROR;
}

cfg_t *words_read(const char *file, FILE *errors)
{
	size_t size = 0;
	char *text = text_read(file, END_MARK " = true", &size, errors);
	FILE *in = text ? fmemopen(text, size, "r") : NULL;
	cfg_t *cfg = in ? new_grammar() : NULL;

	error_stream = errors;
	if (cfg && parse(cfg, file, in) != CFG_SUCCESS) {
		cfg_free(cfg);
		cfg = NULL;
	}
	if (in)
		fclose(in);
	free(text);
	return cfg;
}
