// SPDX-License-Identifier: GPL-2.0-or-later
/* rig-scenario: check scenario files, list them, or print them for a shell. */
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "scenario.h"

struct command {
	const char *name;
	int (*run)(const char *path);
};

struct arguments {
	const struct command *command;
	const char *path;
};

static int run_check(const char *file)
{
	struct scenario *s = scenario_load(file, stderr);

	if (!s)
		return 1;
	scenario_free(s);
	return 0;
}

static int run_plan(const char *file)
{
	struct scenario *s = scenario_load(file, stderr);

	if (!s)
		return 1;
	plan_print(s, stdout);
	scenario_free(s);
	return 0;
}

static int is_scenario(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".conf");
}

static int list_one(const char *dir, const char *base)
{
	struct scenario *s = NULL;
	char *file;

	if (asprintf(&file, "%s/%s", dir, base) < 0)
		return 1;
	s = scenario_load(file, stderr);
	free(file);
	if (!s)
		return 1;
	printf("%-18s %s\n", s->name, s->description);
	scenario_free(s);
	return 0;
}

static int run_list(const char *dir)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_scenario, alphasort);
	int failed = n <= 0;

	if (n < 0)
		fprintf(stderr, "%s: cannot read: %s; give a directory of scenario files\n", dir,
			strerror(errno));
	if (!n)
		fprintf(stderr, "%s: no *.conf here; give a directory of scenario files\n", dir);
	for (int i = 0; i < n; i++) {
		failed |= list_one(dir, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return failed;
}

static const struct command commands[] = {
	{ "check", run_check },
	{ "plan", run_plan },
	{ "list", run_list },
};

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static error_t parse_argument(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (state->arg_num == 0) {
			a->command = find_command(arg);
			if (!a->command)
				argp_error(state, "unknown command '%s'; use check, plan or list", arg);
		} else if (state->arg_num == 1) {
			a->path = arg;
		} else {
			argp_error(state, "unexpected argument '%s'", arg);
		}
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_error(state, "command or path missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse_argument,
		.args_doc = "check FILE\nplan FILE\nlist DIR",
		.doc = "Check a scenario of the rig, print it as lines for a shell, or list a directory of scenarios.",
	};
	struct arguments a = { NULL, NULL };

	argp_err_exit_status = 1;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	return a.command->run(a.path);
}
