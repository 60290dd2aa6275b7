// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "host/setting.h"
#include "output/column.h"
#include "output/document.h"
#include "output/table.h"
#include "trace/settings.h"
#include "trace/util.h"
#include "policy-show.h"

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

void policy_show(const struct sysfs *sysfs, const GPtrArray *changes,
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
