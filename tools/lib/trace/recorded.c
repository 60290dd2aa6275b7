// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the marks that 'gvt-stat record' writes.
 */
#include <string.h>

#include "inside.h"
#include "util.h"

/* Far more than any host has; marks of a damaged trace may contain any number. */
#define MAX_TOLD	4096

/* bytes per request counted by the memory controller; a larger total is damage */
#define REQUEST_BYTES	64
#define MOST_BYTES	(INT64_MAX / 2)

static void free_setting(void *data)
{
	struct recorded_setting *setting = data;

	g_free(setting->gpu);
	g_free(setting->name);
	g_free(setting->value);
	g_free(setting);
}

static void free_vgpu(void *data)
{
	struct recorded_vgpu *vgpu = data;

	g_free(vgpu->uuid);
	g_free(vgpu->gpu);
	g_free(vgpu->type);
	g_free(vgpu->vm);
	g_free(vgpu);
}

struct recorded *recorded_new(void)
{
	struct recorded *recorded = g_new0(struct recorded, 1);

	recorded->zero_unix_ns = UNKNOWN;
	recorded->gt_requests = UNKNOWN;
	recorded->gt_bytes = UNKNOWN;
	recorded->settings = g_ptr_array_new_with_free_func(free_setting);
	recorded->vgpus = g_ptr_array_new_with_free_func(free_vgpu);
	return recorded;
}

void recorded_free(struct recorded *recorded)
{
	g_ptr_array_free(recorded->settings, TRUE);
	g_ptr_array_free(recorded->vgpus, TRUE);
	g_free(recorded->kernel);
	g_free(recorded->boot);
	g_free(recorded->preset);
	g_free(recorded->clock);
	g_free(recorded->command);
	g_free(recorded);
}

static char *clean(const char *text, size_t len)
{
	return make_printable(g_strchomp(g_strndup(text, len)));
}

static void note_text(char **to, const char *text)
{
	g_free(*to);
	*to = clean(text, strlen(text));
}

/* " KEY=VALUE" up to the next space, NULL if there is none */
static char *word(const char *text, const char *key)
{
	const char *value = strstr(text, key);

	if (!value)
		return NULL;
	value += strlen(key);
	return clean(value, strcspn(value, " "));
}

static int64_t number(const char *text, const char *key)
{
	char *value = word(text, key);
	gint64 number = UNKNOWN;

	if (value && !g_ascii_string_to_signed(value, 10, INT64_MIN + 1, INT64_MAX, &number, NULL))
		number = UNKNOWN;
	g_free(value);
	return number;
}

/* The name may contain spaces, and is last. */
static char *vm_of(const char *text)
{
	const char *vm = strstr(text, " vm=");
	char *name = vm ? clean(vm + strlen(" vm="), strlen(vm)) : NULL;

	if (name && *name && g_utf8_validate(name, -1, NULL))
		return name;
	g_free(name);
	return NULL;
}

static struct recorded_vgpu *get_vgpu(struct recorded *recorded, const char *uuid)
{
	struct recorded_vgpu *vgpu = (struct recorded_vgpu *)recorded_vgpu(recorded, uuid);

	if (vgpu || recorded->vgpus->len == MAX_TOLD)
		return vgpu;
	vgpu = g_new0(struct recorded_vgpu, 1);
	vgpu->uuid = g_strdup(uuid);
	g_ptr_array_add(recorded->vgpus, vgpu);
	return vgpu;
}

#define SETTING_TOLD(member, ...) .member = number(text, " " #member "="),

/* "UUID KEY=VALUE... vm=NAME"; later marks override earlier ones */
static void note_vgpu(struct recorded *recorded, const char *text)
{
	char *uuid = clean(text, strcspn(text, " "));
	struct recorded_vgpu *vgpu = get_vgpu(recorded, uuid);

	if (vgpu) {
		g_free(vgpu->gpu);
		g_free(vgpu->type);
		g_free(vgpu->vm);
		vgpu->gpu = word(text, " gpu=");
		vgpu->type = word(text, " type=");
		vgpu->vm = vm_of(text);
		vgpu->id = number(text, " id=");
		vgpu->pid = number(text, " pid=");
		vgpu->weight = number(text, " weight=");
		vgpu->set = (struct vgpu_settings) { VGPU_SETTINGS(SETTING_TOLD) };
	}
	g_free(uuid);
}

/* "GPU NAME VALUE" */
static void note_setting(struct recorded *recorded, const char *text)
{
	char **parts = g_strsplit(text, " ", 3);
	struct recorded_setting *setting;

	if (g_strv_length(parts) == 3 && recorded->settings->len < MAX_TOLD) {
		setting = g_new0(struct recorded_setting, 1);
		note_text(&setting->gpu, parts[0]);
		note_text(&setting->name, parts[1]);
		note_text(&setting->value, parts[2]);
		g_ptr_array_add(recorded->settings, setting);
	}
	g_strfreev(parts);
}

static void note_tsc(struct recorded *recorded, const char *text)
{
	char *value = clean(text, strlen(text));
	guint64 khz;

	if (g_ascii_string_to_unsigned(value, 10, 1, INT32_MAX, &khz, NULL))
		recorded->tsc_khz = khz;
	g_free(value);
}

static void note_unix(struct recorded *recorded, int64_t ts_ns, const char *text)
{
	char *value = clean(text, strlen(text));
	gint64 unix_ns;

	if (g_ascii_string_to_signed(value, 10, 0, INT64_MAX, &unix_ns, NULL) &&
	    !__builtin_sub_overflow(unix_ns, ts_ns, &unix_ns))
		recorded->zero_unix_ns = unix_ns;
	g_free(value);
}

/* The counter wraps around; it is recorded often enough to detect that. */
static void note_requests(struct recorded *recorded, const char *text)
{
	char *value = clean(text, strlen(text));
	guint64 requests;

	if (g_ascii_string_to_unsigned(value, 10, 0, UINT32_MAX, &requests, NULL)) {
		if (known(recorded->gt_requests) && recorded->gt_bytes < MOST_BYTES)
			recorded->gt_bytes = (known(recorded->gt_bytes) ? recorded->gt_bytes : 0) +
				REQUEST_BYTES * (int64_t)(uint32_t)(requests - recorded->gt_requests);
		recorded->gt_requests = requests;
	}
	g_free(value);
}

void recorded_mark(struct recorded *recorded, int64_t ts_ns, const char *text)
{
	const struct { const char *key; char **to; } texts[] = {
		{ "kernel ", &recorded->kernel }, { "boot ", &recorded->boot }, { "preset ", &recorded->preset },
		{ "clock ", &recorded->clock }, { "command ", &recorded->command },
	};

	if (!text || !g_str_has_prefix(text, RECORDED_PREFIX))
		return;
	text += strlen(RECORDED_PREFIX);
	for (size_t nr = 0; nr < G_N_ELEMENTS(texts); nr++)
		if (g_str_has_prefix(text, texts[nr].key))
			note_text(texts[nr].to, text + strlen(texts[nr].key));
	if (g_str_has_prefix(text, "vgpu "))
		note_vgpu(recorded, text + strlen("vgpu "));
	else if (g_str_has_prefix(text, "setting "))
		note_setting(recorded, text + strlen("setting "));
	else if (g_str_has_prefix(text, "tsc_khz "))
		note_tsc(recorded, text + strlen("tsc_khz "));
	else if (g_str_has_prefix(text, "unix_ns "))
		note_unix(recorded, ts_ns, text + strlen("unix_ns "));
	else if (g_str_has_prefix(text, "gt_requests "))
		note_requests(recorded, text + strlen("gt_requests "));
}

/* The vGPUs of one process belong to one VM. */
const char *recorded_vm(const struct recorded *recorded, int64_t pid)
{
	for (unsigned int nr = 0; known(pid) && nr < recorded->vgpus->len; nr++) {
		const struct recorded_vgpu *vgpu = recorded->vgpus->pdata[nr];

		if (vgpu->pid == pid && vgpu->vm)
			return vgpu->vm;
	}
	return NULL;
}

const struct recorded_vgpu *recorded_vgpu(const struct recorded *recorded, const char *uuid)
{
	for (unsigned int nr = 0; uuid && nr < recorded->vgpus->len; nr++) {
		const struct recorded_vgpu *vgpu = recorded->vgpus->pdata[nr];

		if (!strcmp(vgpu->uuid, uuid))
			return vgpu;
	}
	return NULL;
}
