// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "trace/timespan.h"
#include "trace/util.h"
#include "cause.h"

#define FORMS	"p99:VM>50ms, idle-waiting>20%% or reset"

/* what a condition is about */
struct cause_kind {
	const char *name;
	bool of_vgpu;			/* NAME:VM, or NAME for all */
	bool latest;			/* of the last two samples, rather than of all the time */
	enum counts_part part;
	/* of the limit, NULL: there is none, and it is 0. Returns false if @text is no such one. */
	bool (*parse)(const char *text, double *limit);
	/* Returns NAN if unknown; @who may be set to the vGPU. */
	double (*value)(const struct cause *cause, const struct counts *old, const struct counts *now,
			const struct vgpu_counts **who);
	char *(*tell)(double value);
};

static bool parse_time(const char *text, double *limit)
{
	int64_t ns;

	if (!timespan_length(text, &ns) || ns <= 0)
		return false;
	*limit = ns;
	return true;
}

static bool parse_percent(const char *text, double *limit)
{
	char *end;

	*limit = g_ascii_strtod(text, &end);
	return end != text && !strcmp(end, "%") && *limit >= 0 && *limit < 100;
}

static double value_p99(const struct cause *cause, const struct counts *old, const struct counts *now,
			const struct vgpu_counts **who)
{
	double most = NAN;

	for (unsigned int nr = 0; nr < now->vgpus->len; nr++) {
		const struct vgpu_counts *vgpu = &g_array_index(now->vgpus, struct vgpu_counts, nr);
		const struct vgpu_counts *was = counts_vgpu(old, vgpu);
		double p99;

		if ((cause->vgpu && !counts_is(vgpu, cause->vgpu)) || !was || !was->has_waits || !vgpu->has_waits)
			continue;
		p99 = waits_p99(&was->waits, &vgpu->waits);
		if (p99 > most || isnan(most)) {
			most = p99;
			*who = vgpu;
		}
	}
	return most;
}

static double value_idle(const struct cause *cause, const struct counts *old, const struct counts *now,
			 const struct vgpu_counts **who)
{
	double most = NAN;

	(void)cause, (void)who;
	for (unsigned int nr = 0; nr < now->gpus->len && nr < old->gpus->len; nr++) {
		const struct gpu_counts *gpu = &g_array_index(now->gpus, struct gpu_counts, nr);
		const struct gpu_counts *was = &g_array_index(old->gpus, struct gpu_counts, nr);

		if (gpu->looks > was->looks)
			most = fmax(most, 100.0 * (gpu->idle - was->idle) / (gpu->looks - was->looks));
	}
	return most;
}

/* A vGPU that is new has its faults since it was created. */
static double value_reset(const struct cause *cause, const struct counts *old, const struct counts *now,
			  const struct vgpu_counts **who)
{
	double count = 0;

	for (unsigned int nr = 0; nr < now->vgpus->len; nr++) {
		const struct vgpu_counts *vgpu = &g_array_index(now->vgpus, struct vgpu_counts, nr);
		const struct vgpu_counts *was = counts_vgpu(old, vgpu);
		int64_t more = was ? difference(vgpu->faults, was->faults) : vgpu->faults;

		if ((cause->vgpu && !counts_is(vgpu, cause->vgpu)) || !known(more) || more <= 0)
			continue;
		count += more;
		*who = vgpu;
	}
	return count;
}

static char *tell_p99(double ns)
{
	return g_strdup_printf("%g ms or more", ns / NSEC_PER_MSEC);
}

static char *tell_percent(double percent)
{
	return g_strdup_printf("%.0f %%", percent);
}

static char *tell_count(double count)
{
	return g_strdup_printf("%.0f", count);
}

static const struct cause_kind kinds[] = {
	{ "p99", true, false, COUNTS_WAITS, parse_time, value_p99, tell_p99 },
	{ "idle-waiting", false, false, COUNTS_IDLE, parse_percent, value_idle, tell_percent },
	{ "reset", true, true, COUNTS_FAULTS, NULL, value_reset, tell_count },
};

static const struct cause_kind *find_kind(const char *text)
{
	size_t len = strcspn(text, ":>");

	for (size_t nr = 0; nr < G_N_ELEMENTS(kinds); nr++)
		if (strlen(kinds[nr].name) == len && !strncmp(text, kinds[nr].name, len))
			return &kinds[nr];
	return NULL;
}

static char *example(const struct cause_kind *kind)
{
	return g_strdup_printf("%s%s%s", kind->name, kind->of_vgpu ? "[:VM]" : "",
			       !kind->parse ? "" : kind->parse == parse_time ? ">50ms" : ">20%");
}

/* Returns what is wrong, NULL: nothing. Names of VMs may contain anything. */
static char *parse_rest(struct cause *cause, const char *rest)
{
	const struct cause_kind *kind = cause->kind;
	const char *limit = kind->parse ? strrchr(rest, '>') : rest + strlen(rest);

	if (!limit)
		return g_strdup("the limit is missing");
	if (*rest == ':' && !kind->of_vgpu)
		return g_strdup("it is about all vGPUs of a GPU");
	if (*rest == ':' && limit <= rest + 1)
		return g_strdup("the VM is missing");
	if (*rest != ':' && rest != limit)
		return g_strdup("there is something behind its name");
	if (kind->parse && !kind->parse(limit + 1, &cause->limit))
		return g_strdup_printf("'%s' is no such limit", limit + 1);
	if (*rest == ':')
		cause->vgpu = g_strndup(rest + 1, limit - rest - 1);
	return NULL;
}

struct cause *cause_parse(const char *text, char **why)
{
	struct cause *cause = g_new0(struct cause, 1);
	char *wrong, *form;

	cause->text = make_printable(g_strdup(text));
	cause->kind = find_kind(text);
	if (!cause->kind) {
		*why = g_strdup_printf("%s: there is no such condition; give " FORMS, cause->text);
		cause_free(cause);
		return NULL;
	}
	wrong = parse_rest(cause, text + strlen(cause->kind->name));
	if (!wrong)
		return cause;
	form = example(cause->kind);
	*why = g_strdup_printf("%s: %s; give %s", cause->text, make_printable(wrong), form);
	g_free(form);
	g_free(wrong);
	cause_free(cause);
	return NULL;
}

void cause_free(void *data)
{
	struct cause *cause = data;

	g_free(cause->text);
	g_free(cause->vgpu);
	g_free(cause);
}

unsigned int cause_needs(const struct cause *cause)
{
	return cause->kind->part;
}

bool cause_has_vgpu(const struct cause *cause, const GPtrArray *vgpus)
{
	bool found = !cause->vgpu;

	for (unsigned int nr = 0; !found && nr < vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = vgpus->pdata[nr];

		found = !g_strcmp0(vgpu->vm, cause->vgpu) || sysfs_is_vgpu(vgpu, cause->vgpu);
	}
	return found;
}

static char *tell(const struct cause *cause, double value, const struct vgpu_counts *who)
{
	char *figure = cause->kind->tell(value);
	char *text = who ? g_strdup_printf("%s: %s, vGPU %" PRId64 "%s%s%s", cause->text, figure, who->id,
					   who->vm ? " (" : "", who->vm ? who->vm : "", who->vm ? ")" : "") :
			   g_strdup_printf("%s: %s", cause->text, figure);

	g_free(figure);
	return make_printable(text);
}

bool cause_fires(struct cause *cause, GQueue *samples, bool whole, char **told)
{
	const struct vgpu_counts *who = NULL;
	bool held = cause->holds;
	double value;

	if (samples->length < 2 || (!whole && !cause->kind->latest))
		return false;
	value = cause->kind->value(cause, cause->kind->latest ? samples->tail->prev->data : samples->head->data,
				       samples->tail->data, &who);
	cause->holds = value > cause->limit;
	if (!cause->holds || held)
		return false;
	*told = tell(cause, value, who);
	return true;
}

char *cause_note(const struct cause *cause)
{
	unsigned int bin = 0;

	if (cause->kind->parse != parse_time)
		return NULL;
	while (bin < WAITS_BINS && waits_bin_ns(bin) <= cause->limit)
		bin++;
	if (bin == WAITS_BINS)
		return g_strdup_printf("%s: the driver's longest waits are %g s or more, it never fires", cause->text,
				       (double)waits_bin_ns(WAITS_BINS - 1) / NSEC_PER_SEC);
	return g_strdup_printf("%s: fires from %g ms, as the driver counts waits by powers of two", cause->text,
			       (double)waits_bin_ns(bin) / NSEC_PER_MSEC);
}
