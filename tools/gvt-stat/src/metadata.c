// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "metadata.h"
#include "setting.h"
#include "util.h"

/* a mark is cut by the kernel at about a page; what is longer is no metadata */
#define MAX_MARK	900

struct writer {
	void (*write)(void *ctx, const char *mark);
	void *ctx;
};

static void put(const struct writer *writer, GString *mark)
{
	if (mark->len > MAX_MARK)
		g_string_truncate(mark, MAX_MARK);
	writer->write(writer->ctx, mark->str);
	g_string_free(mark, TRUE);
}

static void put_text(const struct writer *writer, const char *key, const char *text)
{
	GString *mark = g_string_new(METADATA_PREFIX);

	if (text) {
		g_string_append_printf(mark, "%s %s", key, text);
		put(writer, mark);
	} else {
		g_string_free(mark, TRUE);
	}
}

static void put_gpu(const struct writer *writer, const struct sysfs_gpu *gpu)
{
	GPtrArray *settings = gpu->settings ? settings_of_gpu(gpu->settings) : NULL;

	for (unsigned int nr = 0; settings && nr < settings->len; nr++) {
		const struct setting *setting = settings->pdata[nr];
		GString *mark = g_string_new(METADATA_PREFIX);

		g_string_append_printf(mark, "setting %s %s %s", gpu->address, setting->name,
				       setting->value ? setting->value : "unknown");
		put(writer, mark);
	}
	if (settings)
		g_ptr_array_free(settings, TRUE);
}

static void add_number(GString *mark, const char *key, int64_t value)
{
	if (known(value))
		g_string_append_printf(mark, " %s=%" PRId64, key, value);
}

static void add_text(GString *mark, const char *key, const char *value)
{
	if (value)
		g_string_append_printf(mark, " %s=%s", key, value);
}

/* The VM's name is last: it may have spaces. */
static void put_vgpu(const struct writer *writer, const struct sysfs_vgpu *vgpu)
{
	GPtrArray *settings = settings_of_vgpu(vgpu->dir);
	GString *mark = g_string_new(METADATA_PREFIX "vgpu ");

	g_string_append(mark, vgpu->uuid);
	add_number(mark, "id", vgpu->id);
	add_text(mark, "gpu", vgpu->gpu);
	add_text(mark, "type", vgpu->type);
	add_number(mark, "weight", sysfs_read_number(vgpu->dir, "weight"));
	for (unsigned int nr = 0; nr < settings->len; nr++) {
		const struct setting *setting = settings->pdata[nr];

		add_text(mark, setting->name, setting->value);
	}
	add_number(mark, "pid", vgpu->pid);
	add_text(mark, "vm", vgpu->vm);
	put(writer, mark);
	g_ptr_array_free(settings, TRUE);
}

void metadata_write(const struct metadata *metadata,
		    void (*write)(void *ctx, const char *mark), void *ctx)
{
	const struct writer writer = { write, ctx };

	put_text(&writer, "kernel", metadata->kernel);
	put_text(&writer, "preset", metadata->preset);
	put_text(&writer, "clock", metadata->clock);
	put_text(&writer, "command", metadata->command);
	for (unsigned int nr = 0; nr < metadata->host->gpus->len; nr++)
		put_gpu(&writer, metadata->host->gpus->pdata[nr]);
	for (unsigned int nr = 0; nr < metadata->host->vgpus->len; nr++)
		put_vgpu(&writer, metadata->host->vgpus->pdata[nr]);
}

/* A host has fewer; marks of a damaged trace may name any number. */
#define MAX_VMS		4096

struct recorded *recorded_new(void)
{
	struct recorded *recorded = g_new0(struct recorded, 1);

	recorded->vms = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return recorded;
}

void recorded_free(struct recorded *recorded)
{
	g_hash_table_destroy(recorded->vms);
	g_free(recorded->kernel);
	g_free(recorded->preset);
	g_free(recorded->command);
	g_free(recorded);
}

static void note_text(char **to, const char *text)
{
	g_free(*to);
	*to = make_printable(g_strchomp(g_strdup(text)));
}

/* "UUID KEY=VALUE... pid=4711 vm=NAME": the name may have spaces, and is last */
static void note_vgpu(struct recorded *recorded, const char *text)
{
	const char *pid = strstr(text, " pid="), *vm = strstr(text, " vm=");
	int64_t *key;
	char *name;

	if (!pid || !vm || vm < pid || g_hash_table_size(recorded->vms) >= MAX_VMS)
		return;
	key = g_new(int64_t, 1);
	*key = g_ascii_strtoll(pid + strlen(" pid="), NULL, 10);
	name = make_printable(g_strchomp(g_strdup(vm + strlen(" vm="))));
	if (*key > 0 && *name && g_utf8_validate(name, -1, NULL)) {
		g_hash_table_replace(recorded->vms, key, name);
		return;
	}
	g_free(key);
	g_free(name);
}

void recorded_mark(struct recorded *recorded, const char *text)
{
	const struct { const char *key; char **to; } texts[] = {
		{ "kernel ", &recorded->kernel }, { "preset ", &recorded->preset },
		{ "command ", &recorded->command },
	};

	if (!text || !g_str_has_prefix(text, METADATA_PREFIX))
		return;
	text += strlen(METADATA_PREFIX);
	for (size_t nr = 0; nr < G_N_ELEMENTS(texts); nr++)
		if (g_str_has_prefix(text, texts[nr].key))
			note_text(texts[nr].to, text + strlen(texts[nr].key));
	if (g_str_has_prefix(text, "vgpu "))
		note_vgpu(recorded, text);
}

const char *recorded_vm(const struct recorded *recorded, int64_t pid)
{
	return g_hash_table_lookup(recorded->vms, &pid);
}
