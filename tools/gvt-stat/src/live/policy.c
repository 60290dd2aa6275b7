// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "host/setting.h"
#include "host/sysfs.h"
#include "host/vm.h"
#include "output/column.h"
#include "output/document.h"
#include "output/table.h"
#include "trace/settings.h"
#include "trace/util.h"
#include "host-options.h"

struct policy_options {
	struct host_options host;
	GPtrArray *assignments;		/* of char *, "NAME=VALUE" */
};

struct policy_change {
	const char *place;		/* GPU address or vGPU UUID */
	const char *dir;
	const struct sysfs_vgpu *vgpu;	/* NULL: setting of a GPU */
	char *name;
	char *wanted;
	char *old_value;		/* NULL: unreadable */
	char *new_value;		/* read back; NULL: unreadable */
	char *allowed;			/* valid values, for messages */
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

/* --- output --------------------------------------------------------------------------------- */

#define SETTING_MEMBER(member, ...)	const char *member;
#define SETTING_VALUE(member, ...)	.member = value_of(settings, #member),
#define SETTING_CELL(member, title, ...) \
	{ NULL, COLUMN_TEXT, offsetof(struct vgpu_line, member), title },

/* a vGPU's line of the table; NULL: setting missing in this kernel */
struct vgpu_line {
	int64_t id;
	const char *vm;
	const char *type;
	int64_t weight;
	VGPU_SETTINGS(SETTING_MEMBER)
	const char *uuid;
};

/* is the vGPU on this GPU? A vGPU whose GPU is unknown is on the only GPU */
static bool is_on(const struct sysfs_vgpu *vgpu, const struct sysfs_gpu *gpu,
		  const struct sysfs *sysfs)
{
	return vgpu->gpu ? !strcmp(vgpu->gpu, gpu->address) : sysfs->gpus->len == 1;
}

static char *list_ids(const struct sysfs *sysfs, const char *gpu_address)
{
	GString *list = g_string_new(NULL);

	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];

		if (vgpu->gpu && strcmp(vgpu->gpu, gpu_address))
			continue;
		g_string_append(list, list->len ? ", " : "");
		if (known(vgpu->id))
			g_string_append_printf(list, "%" PRId64, vgpu->id);
		else
			g_string_append(list, vgpu->uuid);
	}
	if (!list->len)
		g_string_append(list, "none");
	return g_string_free(list, FALSE);
}

static void change_line(const struct sysfs *sysfs, const struct policy_change *change, FILE *out)
{
	char *ids = change->vgpu ? NULL : list_ids(sysfs, change->place);

	fprintf(out, "%s: %s: ", change->place, change->name);
	fprintf(out, "%s -> %s", change->old_value ? change->old_value : "unknown",
		change->new_value ? change->new_value : "unknown");
	if (ids)
		fprintf(out, " (touches vGPUs: %s)\n", ids);
	else
		fputc('\n', out);
	g_free(ids);
}

static void settings_table(const struct sysfs_gpu *gpu, FILE *out)
{
	struct line {
		const char *name, *value, *allowed, *meaning;
	};
	static const struct column columns[] = {
		{ NULL, COLUMN_TEXT, offsetof(struct line, name), "SETTING" },
		{ NULL, COLUMN_TEXT, offsetof(struct line, value), "VALUE" },
		{ NULL, COLUMN_TEXT, offsetof(struct line, allowed), "ALLOWED" },
		{ NULL, COLUMN_TEXT, offsetof(struct line, meaning), "MEANING" },
		{ 0 }
	};
	struct table *table = table_new(columns);
	GPtrArray *settings = settings_of_gpu(gpu->settings);
	char *heading = g_strdup_printf("Scheduler of GPU %s", gpu->address);

	for (unsigned int nr = 0; nr < settings->len; nr++) {
		const struct setting *setting = settings->pdata[nr];
		char *allowed = setting_allowed(setting);
		struct line line = { setting->name, setting->value, allowed, setting->meaning };

		table_line(table, &line);
		g_free(allowed);
	}
	table_print(table, heading, out);
	g_free(heading);
	g_ptr_array_free(settings, TRUE);
}

static const char *value_of(const GPtrArray *settings, const char *name)
{
	const struct setting *setting = setting_find(settings, name);

	return setting ? setting->value : NULL;
}

static void vgpu_line(struct table *table, const struct sysfs_vgpu *vgpu)
{
	GPtrArray *settings = settings_of_vgpu(vgpu->dir);
	struct vgpu_line line = {
		.id = vgpu->id, .vm = vgpu->vm, .type = vgpu->type, .uuid = vgpu->uuid,
		.weight = sysfs_read_number(vgpu->dir, "weight"),
		VGPU_SETTINGS(SETTING_VALUE)
	};

	table_line(table, &line);
	g_ptr_array_free(settings, TRUE);
}

static void vgpus_table(const struct sysfs *sysfs, const struct sysfs_gpu *gpu,
			const struct host_options *options, FILE *out)
{
	static const struct column columns[] = {
		{ NULL, COLUMN_INTEGER, offsetof(struct vgpu_line, id), "VGPU" },
		{ NULL, COLUMN_TEXT, offsetof(struct vgpu_line, vm), "VM" },
		{ NULL, COLUMN_TEXT, offsetof(struct vgpu_line, type), "TYPE" },
		{ NULL, COLUMN_INTEGER, offsetof(struct vgpu_line, weight), "WEIGHT" },
		VGPU_SETTINGS(SETTING_CELL)
		{ NULL, COLUMN_TEXT, offsetof(struct vgpu_line, uuid), "UUID" },
		{ 0 }
	};
	struct table *table = table_new(columns);
	char *heading = g_strdup_printf("vGPUs of GPU %s", gpu->address);

	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];

		if (is_on(vgpu, gpu, sysfs) && sysfs_wants_vgpu(vgpu, options->vgpus))
			vgpu_line(table, vgpu);
	}
	table_print(table, heading, out);
	g_free(heading);
}

static void show_table(const struct sysfs *sysfs, const GPtrArray *changes,
		       const struct host_options *options, FILE *out)
{
	for (unsigned int nr = 0; nr < changes->len; nr++)
		change_line(sysfs, changes->pdata[nr], out);
	for (unsigned int nr = 0; nr < sysfs->gpus->len; nr++) {
		const struct sysfs_gpu *gpu = sysfs->gpus->pdata[nr];

		if (!gpu->settings)
			continue;
		settings_table(gpu, out);
		vgpus_table(sysfs, gpu, options, out);
	}
}

/* JSON numbers for numbers, texts for words */
static json_t *value_json(const char *value)
{
	gint64 number;

	if (value && g_ascii_string_to_signed(value, 10, G_MININT64, G_MAXINT64, &number, NULL))
		return json_integer(number);
	return json_text(value);
}

static json_t *settings_json(GPtrArray *settings)
{
	json_t *object = json_object();

	for (unsigned int nr = 0; nr < settings->len; nr++) {
		const struct setting *setting = settings->pdata[nr];

		json_object_set_new(object, setting->name, value_json(setting->value));
	}
	g_ptr_array_free(settings, TRUE);
	return object;
}

static json_t *vgpu_json(const struct sysfs_vgpu *vgpu)
{
	json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}",
				   "vgpu_id", json_number(vgpu->id),
				   "uuid", json_text(vgpu->uuid),
				   "type", json_text(vgpu->type),
				   "vm", json_text(vgpu->vm),
				   "pid", json_number(vgpu->pid),
				   "weight", json_number(sysfs_read_number(vgpu->dir, "weight")));

	json_object_set_new(object, "settings", settings_json(settings_of_vgpu(vgpu->dir)));
	return object;
}

static json_t *vgpus_json(const struct sysfs *sysfs, const struct sysfs_gpu *gpu,
			  const struct host_options *options)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];

		if (is_on(vgpu, gpu, sysfs) && sysfs_wants_vgpu(vgpu, options->vgpus))
			json_array_append_new(array, vgpu_json(vgpu));
	}
	return array;
}

static json_t *gpus_json(const struct sysfs *sysfs, const struct host_options *options)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < sysfs->gpus->len; nr++) {
		const struct sysfs_gpu *gpu = sysfs->gpus->pdata[nr];

		if (gpu->settings)
			json_array_append_new(array, json_pack("{s:s, s:o, s:o}",
				"pci", gpu->address,
				"settings", settings_json(settings_of_gpu(gpu->settings)),
				"vgpus", vgpus_json(sysfs, gpu, options)));
	}
	return array;
}

static json_t *changes_json(const GPtrArray *changes)
{
	json_t *array = json_array();

	for (unsigned int nr = 0; nr < changes->len; nr++) {
		const struct policy_change *change = changes->pdata[nr];
		int64_t id = change->vgpu ? change->vgpu->id : UNKNOWN;

		json_array_append_new(array, json_pack("{s:o, s:o, s:s, s:o, s:o}",
			"pci", json_text(change->vgpu ? change->vgpu->gpu : change->place),
			"vgpu_id", json_number(id), "setting", change->name,
			"old", value_json(change->old_value),
			"new", value_json(change->new_value)));
	}
	return array;
}

static void show(const struct sysfs *sysfs, const GPtrArray *changes,
		 const struct host_options *options, FILE *out)
{
	json_t *document;

	if (!options->json) {
		show_table(sysfs, changes, options, out);
		return;
	}
	document = document_of_host("policy");
	json_object_set_new(document, "changes", changes_json(changes));
	json_object_set_new(document, "gpus", gpus_json(sysfs, options));
	document_print(document, out);
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
	show(sysfs, changes, &options->host, stdout);
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
