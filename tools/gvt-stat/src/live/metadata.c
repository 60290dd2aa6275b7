// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>

#include "host/counters.h"
#include "host/setting.h"
#include "trace/recorded.h"
#include "trace/util.h"
#include "metadata.h"

/* the kernel cuts marks at about a page; longer texts are not plausible metadata */
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
	GString *mark = g_string_new(RECORDED_PREFIX);

	if (text) {
		g_string_append_printf(mark, "%s %s", key, text);
		put(writer, mark);
	} else {
		g_string_free(mark, TRUE);
	}
}

static void put_number(const struct writer *writer, const char *key, int64_t number)
{
	char *text = number ? g_strdup_printf("%" PRId64, number) : NULL;

	put_text(writer, key, text);
	g_free(text);
}

static void put_gpu(const struct writer *writer, const struct sysfs_gpu *gpu)
{
	GPtrArray *settings = gpu->settings ? settings_of_gpu(gpu->settings) : NULL;

	for (unsigned int nr = 0; settings && nr < settings->len; nr++) {
		const struct setting *setting = settings->pdata[nr];
		GString *mark = g_string_new(RECORDED_PREFIX);

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

/* The VM's name comes last, as it may contain spaces. */
static void put_vgpu(const struct writer *writer, const struct sysfs_vgpu *vgpu)
{
	GPtrArray *settings = settings_of_vgpu(vgpu->dir);
	GString *mark = g_string_new(RECORDED_PREFIX "vgpu ");

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

char *metadata_system(void)
{
	struct utsname name;

	if (uname(&name))
		return g_strdup("unknown");
	return g_strjoin(" ", name.sysname, name.nodename, name.release, name.version,
			 name.machine, NULL);
}

void metadata_write(const struct metadata *metadata,
		    void (*write)(void *ctx, const char *mark), void *ctx)
{
	const struct writer writer = { write, ctx };
	char *boot = sysfs_read("/proc/sys/kernel/random", "boot_id");

	put_text(&writer, "kernel", metadata->kernel);
	put_text(&writer, "boot", boot);
	g_free(boot);
	/* after the two: who looks for when and where it was recorded stops here */
	put_number(&writer, "unix_ns", clock_ns(CLOCK_REALTIME));
	put_text(&writer, "preset", metadata->preset);
	put_text(&writer, "clock", metadata->clock);
	put_number(&writer, "tsc_khz", metadata->tsc_khz);
	put_text(&writer, "command", metadata->command);
	for (unsigned int nr = 0; nr < metadata->host->gpus->len; nr++)
		put_gpu(&writer, metadata->host->gpus->pdata[nr]);
	for (unsigned int nr = 0; nr < metadata->host->vgpus->len; nr++)
		put_vgpu(&writer, metadata->host->vgpus->pdata[nr]);
}
