// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>

#include "host/datwrite.h"
#include "host/formats.h"
#include "host/newfile.h"
#include "host/preset.h"
#include "trace/encode.h"
#include "trace/pages.h"
#include "trace/recorded.h"
#include "trace/util.h"
#include "simtrace.h"

/* timestamps in ns from the beginning */
#define CLOCK		"mono"

/* beyond this, full pages are flushed to the file */
#define KEPT_BYTES	(64 * PAGES_SIZE)

#define MOST_WORDS	64

/* a vGPU, by its id in the simulation */
struct known_vgpu {
	int64_t id;
	const struct vgpu *vgpu;
	int64_t preempt;
};

struct simtrace {
	char *output;
	int64_t dev;
	char *kernel;			/* version for the header */
	GPtrArray *events;		/* struct preset_event */
	struct tep_handle *tep;
	struct pages pages;
	int file;			/* holds the full pages */
	GArray *vgpus;			/* struct known_vgpu */
	bool begun;
};

static void learn_format(struct simtrace *trace, const char *system, const char *event)
{
	char *file = g_strdup_printf("events/%s/%s/format", system, event);
	char *text = formats_read(file);

	if (!text || tep_parse_event(trace->tep, text, strlen(text), system))
		fatal("format of %s:%s: not understood", system, event);
	g_free(text);
	g_free(file);
}

struct simtrace *simtrace_new(const char *output, const char *origin, int64_t dev)
{
	struct simtrace *trace = g_new0(struct simtrace, 1);
	char *name = g_path_get_basename(origin);

	trace->output = g_strdup(output);
	trace->dev = dev;
	trace->kernel = g_strdup_printf("no GPU: simulated by gvt-stat " GVT_STAT_VERSION " from %s",
					make_printable(name));
	trace->events = formats_events();
	trace->tep = tep_alloc();
	trace->pages.data = g_byte_array_new();
	trace->pages.big_endian = G_BYTE_ORDER == G_BIG_ENDIAN;
	trace->vgpus = g_array_new(FALSE, FALSE, sizeof(struct known_vgpu));
	trace->file = datwrite_buffer(output);
	learn_format(trace, "ftrace", "print");
	for (unsigned int nr = 0; nr < trace->events->len; nr++) {
		const struct preset_event *event = trace->events->pdata[nr];

		learn_format(trace, event->system, event->event);
	}
	g_free(name);
	return trace;
}

void simtrace_vgpu(struct simtrace *trace, int64_t id, const struct vgpu *vgpu, int64_t preempt)
{
	const struct known_vgpu known_vgpu = { id, vgpu, preempt };

	g_array_append_val(trace->vgpus, known_vgpu);
}

/* --- records ------------------------------------------------------------------------- */

_Noreturn static void cannot_write(const struct simtrace *trace, int error)
{
	fatal("%s: cannot write: %s", trace->output, strerror(error));
}

/* flushes the first @len bytes to the file */
static void put_pages(struct simtrace *trace, size_t len)
{
	for (size_t at = 0; at < len; ) {
		ssize_t done = write(trace->file, trace->pages.data->data + at, len - at);

		if (done < 0 && errno != EINTR)
			cannot_write(trace, errno);
		at += MAX(done, 0);
	}
	if (len)
		g_byte_array_remove_range(trace->pages.data, 0, len);
}

/* trusts gvt-sim's output; ignores unknown events, as event_from_text() does */
static void add_event(struct simtrace *trace, int64_t ts_ns, const char *name, char **words,
		      int count)
{
	struct tep_event *event = tep_find_event_by_name(trace->tep, NULL, name);
	struct encoded record;

	if (!event || !encode_event(&record, event, words, count, trace->pages.big_endian))
		return;
	pages_add(&trace->pages, ts_ns, record.data, record.len);
	if (trace->pages.data->len > KEPT_BYTES)
		put_pages(trace, trace->pages.data->len - PAGES_SIZE);
}

/* takes @text */
static void add_mark(struct simtrace *trace, int64_t ts_ns, char *text)
{
	/* a mark ends with a newline, as in tracefs */
	char *word = g_strdup_printf("buf=" RECORDED_PREFIX "%s\n", text);

	add_event(trace, ts_ns, "print", &word, 1);
	g_free(word);
	g_free(text);
}

/* --- marks at the beginning ------------------------------------------------------------- */

static void add_text(GString *mark, const char *key, const char *value)
{
	if (value)
		g_string_append_printf(mark, " %s=%s", key, value);
}

/* in the format of 'gvt-stat record': the name of the VM comes last */
static void tell_vgpu(struct simtrace *trace, const struct known_vgpu *known_vgpu)
{
	const struct vgpu *vgpu = known_vgpu->vgpu;
	GString *mark = g_string_new("vgpu ");

	g_string_append_printf(mark, "%s id=%" PRId64, vgpu->uuid, known_vgpu->id);
	add_text(mark, "gpu", vgpu->gpu->address);
	add_text(mark, "type", vgpu->type);
	if (known(known_vgpu->preempt))
		g_string_append_printf(mark, " preempt=%" PRId64, known_vgpu->preempt);
	add_text(mark, "vm", vgpu->vm);
	add_mark(trace, 0, g_string_free(mark, FALSE));
}

static void tell_origin(struct simtrace *trace)
{
	trace->begun = true;
	add_mark(trace, 0, g_strdup_printf("kernel %s", trace->kernel));
	add_mark(trace, 0, g_strdup("clock " CLOCK));
	for (unsigned int nr = 0; nr < trace->vgpus->len; nr++) {
		const struct known_vgpu *vgpu = &g_array_index(trace->vgpus, struct known_vgpu, nr);

		if (vgpu->vgpu->uuid)
			tell_vgpu(trace, vgpu);
	}
}

/* --- events ------------------------------------------------------------------------------ */

static const char *value_of(char *const *words, int count, const char *field)
{
	size_t len = strlen(field);

	for (int nr = 0; nr < count; nr++)
		if (!strncmp(words[nr], field, len) && words[nr][len] == '=')
			return words[nr] + len + 1;
	return NULL;
}

static const struct vgpu *vgpu_of(const struct simtrace *trace, char *const *words, int count)
{
	const char *id = value_of(words, count, "vgpu_id");

	for (unsigned int nr = 0; id && nr < trace->vgpus->len; nr++) {
		const struct known_vgpu *vgpu = &g_array_index(trace->vgpus, struct known_vgpu, nr);

		if (vgpu->id == g_ascii_strtoll(id, NULL, 10))
			return vgpu->vgpu;
	}
	return NULL;
}

/* replaces the value of a field unless @value is NULL; takes @value */
static void replace(char **words, int count, const char *field, char *value)
{
	for (int nr = 0; value && nr < count; nr++) {
		if (!value_of(&words[nr], 1, field))
			continue;
		g_free(words[nr]);
		words[nr] = g_strconcat(field, "=", value, NULL);
	}
	g_free(value);
}

static char *number_text(int64_t number)
{
	return known(number) ? g_strdup_printf("%" PRId64, number) : NULL;
}

/* adds the vGPU's properties that do not concern scheduling, which gvt-sim does not know */
static void name_vgpu(const struct simtrace *trace, char **words, int count)
{
	const struct vgpu *vgpu = vgpu_of(trace, words, count);

	if (!vgpu)
		return;
	replace(words, count, "uuid", g_strdup(vgpu->uuid));
	replace(words, count, "type", g_strdup(vgpu->type));
	replace(words, count, "fences", number_text(vgpu->fences));
	replace(words, count, "aperture_bytes", number_text(vgpu->aperture_bytes));
	replace(words, count, "hidden_bytes", number_text(vgpu->hidden_bytes));
	replace(words, count, "owner_pid", number_text(vgpu->owner_pid));
}

void simtrace_line(void *to, const char *line)
{
	struct simtrace *trace = to;
	char **words = g_strsplit_set(line, " \n", MOST_WORDS);
	int count = g_strv_length(words);
	guint64 ts_ns;

	if (!trace->begun)
		tell_origin(trace);
	/* the last word follows the newline */
	if (count > 4 && g_ascii_string_to_unsigned(words[0], 10, 0, INT64_MAX, &ts_ns, NULL)) {
		count -= 4;
		replace(words + 3, count, "dev", number_text(trace->dev));
		if (!strcmp(words[2], "gvt_vgpu_info"))
			name_vgpu(trace, words + 3, count);
		add_event(trace, ts_ns, words[2], words + 3, count);
	}
	g_strfreev(words);
}

/* --- the file ------------------------------------------------------------------------------ */

static void write_file(struct simtrace *trace)
{
	struct newfile file;
	int error = newfile_open(&file, trace->output);

	if (error)
		cannot_write(trace, error);
	error = datwrite(&(struct datwrite) {
		.events = trace->events, .clock = CLOCK, .uname = trace->kernel, .cpus = 1,
		.pages = &trace->file,
	}, fileno(file.stream));
	if (error)
		newfile_discard(&file);
	else
		error = newfile_close(&file);
	if (error)
		cannot_write(trace, error);
}

void simtrace_end(struct simtrace *trace, int64_t end_ns)
{
	/* makes the trace as long as the simulation */
	add_mark(trace, end_ns, g_strdup("end"));
	pages_finish(&trace->pages);
	put_pages(trace, trace->pages.data->len);
	write_file(trace);
	close(trace->file);
	g_byte_array_free(trace->pages.data, TRUE);
	g_array_free(trace->vgpus, TRUE);
	g_ptr_array_free(trace->events, TRUE);
	tep_free(trace->tep);
	g_free(trace->kernel);
	g_free(trace->output);
	g_free(trace);
}
