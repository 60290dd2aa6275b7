// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "host/setting.h"
#include "host/sysfs.h"
#include "host/vm.h"
#include "trace/settings.h"
#include "trace/util.h"
#include "host-options.h"
#include "policy-show.h"

struct policy_options {
	struct host_options host;
	GPtrArray *assignments;		/* of char *, "NAME=VALUE" */
};

#define KEY_LIST	0x500

static const struct argp_option option_table[] = {
	{ "list", KEY_LIST, NULL, 0, "List all possible settings, and exit", 1 },
	{ 0 }
};

static void list_settings(const struct setting_desc *desc, const char *of)
{
	for (; desc->name; desc++)
		printf("%-15s %-4s %-9s %s\n", desc->name, of, desc->is_text ? "a word" : desc->range,
		       desc->help);
}

/* "fair" is short for "policy=fair" */
static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct policy_options *options = state->input;

	if (key == ARGP_KEY_INIT) {
		state->child_inputs[0] = &options->host;
		return 0;
	}
	if (key == KEY_LIST) {
		list_settings(settings_of_gpus, "GPU");
		list_settings(settings_of_vgpus, "vGPU");
		exit(EXIT_SUCCESS);
	}
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (*arg == '=' || !*arg)
		argp_error(state, "'%s' names no setting: give NAME=VALUE, or a policy", arg);
	g_ptr_array_add(options->assignments, strchr(arg, '=') ? g_strdup(arg) :
			g_strconcat("policy=", arg, NULL));
	return 0;
}

static char *list_names(const GPtrArray *settings)
{
	GString *list = g_string_new(settings->len ? NULL : "none");

	for (unsigned int nr = 0; nr < settings->len; nr++) {
		const struct setting *setting = settings->pdata[nr];

		g_string_append_printf(list, "%s%s", nr ? ", " : "", setting->name);
	}
	return g_string_free(list, FALSE);
}

/* an object with settings: a GPU, or a vGPU */
struct place {
	const char *name;
	const char *dir;
	const struct sysfs_vgpu *vgpu;	/* NULL: a GPU */
};

static GPtrArray *read_settings(const struct place *place)
{
	return place->vgpu ? settings_of_vgpu(place->dir) : settings_of_gpu(place->dir);
}

static void check_name(const struct place *place, const GPtrArray *settings, const char *name)
{
	if (setting_find(settings, name))
		return;
	if (place->vgpu)
		fatal("%s: vGPU %s has no such setting; it has: %s", name, place->name,
		      list_names(settings));
	fatal("%s: GPU %s has no such setting; it has: %s; those of a vGPU are set with --vgpu",
	      name, place->name, list_names(settings));
}

static void add_change(GPtrArray *changes, const struct place *place, const char *assignment)
{
	GPtrArray *settings = read_settings(place);
	const char *value = strchr(assignment, '=') + 1;
	char *name = g_strndup(assignment, value - 1 - assignment);
	const struct setting *setting;
	struct policy_change *change;

	check_name(place, settings, name);
	setting = setting_find(settings, name);
	if (!setting_allows(setting, value))
		fatal("%s: '%s' is no value of it; allowed: %s", name, value,
		      setting_allowed(setting));
	change = g_new0(struct policy_change, 1);
	*change = (struct policy_change) {
		.place = place->name, .dir = place->dir, .vgpu = place->vgpu, .name = name,
		.wanted = g_strdup(value), .old_value = g_strdup(setting->value),
		.allowed = setting_allowed(setting),
	};
	g_ptr_array_add(changes, change);
	g_ptr_array_free(settings, TRUE);
}

static void free_change(void *data)
{
	struct policy_change *change = data;

	g_free(change->name);
	g_free(change->wanted);
	g_free(change->old_value);
	g_free(change->new_value);
	g_free(change->allowed);
	g_free(change);
}

static void change_place(GPtrArray *changes, const struct place *place,
			 const GPtrArray *assignments)
{
	for (unsigned int nr = 0; nr < assignments->len; nr++)
		add_change(changes, place, assignments->pdata[nr]);
}

/* checks all changes before any is written */
static GPtrArray *plan(const struct policy_options *options, const struct sysfs *sysfs)
{
	GPtrArray *changes = g_ptr_array_new_with_free_func(free_change);

	for (unsigned int nr = 0; !options->host.vgpus && nr < sysfs->gpus->len; nr++) {
		const struct sysfs_gpu *gpu = sysfs->gpus->pdata[nr];
		struct place place = { gpu->address, gpu->settings, NULL };

		if (gpu->settings)
			change_place(changes, &place, options->assignments);
	}
	for (unsigned int nr = 0; options->host.vgpus && nr < sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];
		struct place place = { vgpu->uuid, vgpu->dir, vgpu };

		if (sysfs_wants_vgpu(vgpu, options->host.vgpus))
			change_place(changes, &place, options->assignments);
	}
	return changes;
}

/* Rolls back: a part of the settings would be worse than none. */
static void undo(const GPtrArray *changes, unsigned int done)
{
	while (done-- > 0) {
		const struct policy_change *change = changes->pdata[done];

		if (!change->old_value ||
		    sysfs_write(change->dir, change->name, change->old_value))
			warn("%s of %s stays changed", change->name, change->place);
	}
}

static const char *reason(int error)
{
	if (error == EACCES || error == EPERM)
		return "permission denied: run as root";
	if (error == EINVAL)
		return "the kernel refuses the value";
	return strerror(error);
}

static void apply(const GPtrArray *changes)
{
	for (unsigned int nr = 0; nr < changes->len; nr++) {
		struct policy_change *change = changes->pdata[nr];
		int error = sysfs_write(change->dir, change->name, change->wanted);

		if (!error)
			continue;
		undo(changes, nr);
		fatal("%s of %s cannot be set to %s: %s; allowed: %s; nothing was changed",
		      change->name, change->place, change->wanted, reason(error),
		      change->allowed);
	}
}

/* Reads the settings back, as the kernel may adjust values. */
static void read_back(const GPtrArray *changes)
{
	for (unsigned int nr = 0; nr < changes->len; nr++) {
		struct policy_change *change = changes->pdata[nr];
		struct place place = { change->place, change->dir, change->vgpu };
		GPtrArray *settings = read_settings(&place);
		const struct setting *setting = setting_find(settings, change->name);

		change->new_value = setting ? g_strdup(setting->value) : NULL;
		g_ptr_array_free(settings, TRUE);
	}
}

static void run(const struct policy_options *options)
{
	struct sysfs *sysfs = sysfs_scan(options->host.sysroot);
	GPtrArray *changes;

	sysfs_need_gpu(sysfs, options->host.sysroot);
	sysfs_keep_gpus(sysfs, options->host.gpus);
	sysfs_need_settings(sysfs, options->host.sysroot);
	sysfs_check_vgpus(sysfs, options->host.vgpus);
	vm_find(options->host.sysroot, sysfs->vgpus);
	changes = plan(options, sysfs);
	apply(changes);
	read_back(changes);
	policy_show(sysfs, changes, &options->host, stdout);
	g_ptr_array_free(changes, TRUE);
	sysfs_free(sysfs);
}

static int policy_main(int argc, char **argv)
{
	static const struct argp_child children[] = { { &host_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "[POLICY | NAME=VALUE]...",
		.doc = "Show or change the settings of GVT-g's scheduler.\v"
		       "Without --vgpu, this changes settings of all GPUs, or of those in --gpu; with it, settings of these vGPUs. Either all are set or none.",
		.children = children,
	};
	struct policy_options options = { .host = { .sysroot = "" } };

	options.assignments = g_ptr_array_new_with_free_func(g_free);
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	run(&options);
	g_ptr_array_free(options.assignments, TRUE);
	host_options_clear(&options.host);
	if (fflush(stdout) || ferror(stdout))
		fatal("cannot write the output: %s", strerror(errno));
	return EXIT_SUCCESS;
}

const struct command policy_command = {
	.name = "policy",
	.main = policy_main,
};
