// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <glib.h>

#include "catalogue.h"

/* names with more typing errors are not suggested */
#define TYPOS_MAX	2

/* A program contains only its own commands: weak symbols of the others are NULL. */
#define DECLARE(name)	extern const struct command name ## _command __attribute__((weak))

DECLARE(status);
DECLARE(top);
DECLARE(record);
DECLARE(policy);
DECLARE(report);
DECLARE(check);
DECLARE(why);
DECLARE(waits);
DECLARE(idle);
DECLARE(path);
DECLARE(vcpus);
DECLARE(energy);
DECLARE(compare);
DECLARE(workloads);
DECLARE(turns);
DECLARE(export);
DECLARE(simulate);
DECLARE(advise);
DECLARE(profile);
DECLARE(calibrate);
DECLARE(predict);
DECLARE(place);
DECLARE(learn);

#define STAT(name, help)	{ #name, PROGRAM_STAT, help, &name ## _command }
#define DETAIL(of, name, help)	{ #of " " #name, PROGRAM_STAT, help, &name ## _command }
#define VIEW(name, help)	{ #name, PROGRAM_VIEW, help, &name ## _command }
#define PLAN(name, help)	{ #name, PROGRAM_PLAN, help, &name ## _command }
#define GROUP(title)		{ NULL, PROGRAMS, title, NULL }

/* in the order of --help, grouped under titles */
static const struct entry entries[] = {
	GROUP("On a host"),
	STAT(status, "show how much of the GPU each VM uses now"),
	STAT(top, "show live what vGPUs and engines do"),
	STAT(record, "record a trace on this host"),
	STAT(policy, "show and change the scheduler's settings"),
	GROUP("From a trace"),
	STAT(report, "show metrics per vGPU and engine"),
	STAT(check, "name problems, with evidence and remedies"),
	STAT(why, "explain why a VM is slow; waits, idle, path, vcpus: in detail"),
	DETAIL(why, waits, "show who made whom wait, for how long and when"),
	DETAIL(why, idle, "show why each engine was idle"),
	DETAIL(why, path, "follow the critical path of a workload or a thread"),
	DETAIL(why, vcpus, "show where vCPUs spend their time, and who preempts whom"),
	STAT(energy, "show how many joules went to which VM"),
	STAT(compare, "compare two traces, with confidence intervals"),
	{ "list", PROGRAM_STAT, "list workloads, or the turns of vGPUs", &workloads_command },
	DETAIL(list, workloads, "list workloads, or their stretches of execution"),
	DETAIL(list, turns, "list the turns of vGPUs"),
	GROUP("Views"),
	VIEW(export, "write a web page, a trace for other viewers, or rows for SQL"),
	GROUP("Plans"),
	PLAN(simulate, "simulate a trace under other settings"),
	PLAN(advise, "find the settings that come nearest to a goal"),
	PLAN(profile, "make a profile of what an application submits, for predict"),
	PLAN(calibrate, "measure sensitivity to memory contention, for predict"),
	PLAN(predict, "predict how applications perform beside each other"),
	PLAN(place, "place VMs on hosts so that each stays within its limit"),
	PLAN(learn, "learn from measured pairs who slows down whom"),
};

static const struct {
	const char *name, *doc;
} programs[PROGRAMS + 1] = {
	[PROGRAM_STAT] = { "gvt-stat", "Analyse a trace of GVT-g: where the time of virtual GPUs goes." },
	[PROGRAM_VIEW] = { "gvt-view", "Show traces of GVT-g in a browser, in Perfetto or in Trace Compass, or ask them in SQL." },
	[PROGRAM_PLAN] = { "gvt-plan", "Plan the use of GPUs that virtual machines share, from traces of GVT-g." },
	[PROGRAM_ALL] = { "gvt-stat", "" },
};

const char *program_name(enum program program)
{
	return programs[program].name;
}

const char *program_doc(enum program program)
{
	return programs[program].doc;
}

/* "waits" of "why waits"; NULL: no detail of another command */
static const char *detail_of(const struct entry *entry)
{
	const char *space = entry->name ? strchr(entry->name, ' ') : NULL;

	return space ? space + 1 : NULL;
}

const struct entry *catalogue_find(const char *name)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(entries); nr++)
		if (entries[nr].name && !strcmp(entries[nr].name, name))
			return &entries[nr];
	return NULL;
}

/* Typing errors: letters that are wrong, missing, too many or in the wrong order (Damerau, CACM 1964) */
static size_t distance(const char *a, const char *b)
{
	size_t rows = strlen(a), columns = strlen(b);
	size_t typos[rows + 1][columns + 1];

	for (size_t i = 0; i <= rows; i++)
		typos[i][0] = i;
	for (size_t j = 0; j <= columns; j++)
		typos[0][j] = j;
	for (size_t i = 1; i <= rows; i++)
		for (size_t j = 1; j <= columns; j++) {
			typos[i][j] = MIN(MIN(typos[i - 1][j], typos[i][j - 1]) + 1,
					  typos[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				typos[i][j] = MIN(typos[i][j], typos[i - 2][j - 2] + 1);
		}
	return typos[rows][columns];
}

const struct entry *catalogue_nearest(const char *name)
{
	const struct entry *nearest = NULL;
	size_t least = TYPOS_MAX + 1;

	for (size_t nr = 0; nr < G_N_ELEMENTS(entries); nr++) {
		const struct entry *entry = &entries[nr];
		const char *word = detail_of(entry) ?: entry->name;
		bool near = word && strlen(name) <= strlen(word) + TYPOS_MAX;
		size_t typos = near ? distance(name, word) : least;

		if (typos < least && 3 * typos <= strlen(word)) {
			least = typos;
			nearest = entry;
		}
	}
	return nearest;
}

void catalogue_list(enum program program, FILE *out)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(entries); nr++) {
		const struct entry *entry = &entries[nr];

		if (!entry->name && program == PROGRAM_STAT)
			fprintf(out, "\n%s:\n", entry->help);
		else if (entry->name && !detail_of(entry) && (program == PROGRAM_STAT || program == entry->program))
			fprintf(out, "  %-12s %s\n", entry->name, entry->help);
	}
}

const struct entry *catalogue_detail(const char *name, const struct entry *last)
{
	size_t length = strlen(name);

	for (last = last ? last + 1 : entries; last < entries + G_N_ELEMENTS(entries); last++)
		if (detail_of(last) && !strncmp(last->name, name, length) && last->name[length] == ' ')
			return last;
	return NULL;
}
