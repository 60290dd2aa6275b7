// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/util.h"
#include "waits.h"

#define DRI	"/sys/kernel/debug/dri"

int64_t waits_bin_ns(unsigned int bin)
{
	return bin ? (INT64_C(1000) << (bin - 1)) : 0;
}

/* "i915 dev=0000:00:02.0 unique=0000:00:02.0" */
static bool is_of_gpu(const char *dir, const char *gpu)
{
	char *name = sysfs_read(dir, "name");
	bool result = !gpu || !name || strstr(name, gpu);

	g_free(name);
	return result;
}

static void add_line(struct waits *waits, const char *line)
{
	uint64_t from_us, count;

	if (sscanf(line, "%*s wait from_us %" SCNu64 " count %" SCNu64, &from_us, &count) != 2)
		return;
	for (unsigned int bin = 0; bin < WAITS_BINS; bin++)
		if ((uint64_t)waits_bin_ns(bin) / 1000 == from_us)
			waits->count[bin] += count;
}

static bool add_file(struct waits *waits, const char *dir)
{
	char *path = g_build_filename(dir, "scheduler", NULL), *text = NULL, **lines;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		g_free(path);
		return false;
	}
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		add_line(waits, *line);
	g_strfreev(lines);
	g_free(text);
	g_free(path);
	return true;
}

/* A GPU is there by number, by address, or both. */
bool waits_read(const char *sysroot, const struct sysfs_vgpu *vgpu, struct waits *waits)
{
	char *dri = g_strconcat(sysroot, DRI, NULL);
	GPtrArray *names = sysfs_names(dri);
	bool found = false;

	*waits = (struct waits) { 0 };
	for (unsigned int nr = 0; !found && nr < names->len; nr++) {
		char *gpu = g_build_filename(dri, names->pdata[nr], NULL);
		char *dir = g_strdup_printf("%s/gvt/vgpu%" PRId64, gpu, vgpu->id);

		found = is_of_gpu(gpu, vgpu->gpu) && add_file(waits, dir);
		g_free(dir);
		g_free(gpu);
	}
	g_ptr_array_free(names, TRUE);
	g_free(dri);
	return found;
}

void waits_need(const char *sysroot)
{
	char *dri = g_strconcat(sysroot, DRI, NULL);

	if (!g_file_test(dri, G_FILE_TEST_IS_DIR))
		fatal("--on p99: %s is not there, where the driver counts waits: 'mount -t debugfs nodev /sys/kernel/debug' as root",
		      dri);
	g_free(dri);
}

double waits_p99(const struct waits *old, const struct waits *now)
{
	uint64_t all = 0, longer = 0;

	for (unsigned int bin = 0; bin < WAITS_BINS; bin++) {
		if (now->count[bin] < old->count[bin])
			return NAN;
		all += now->count[bin] - old->count[bin];
	}
	for (unsigned int bin = WAITS_BINS; all && bin-- > 0; ) {
		longer += now->count[bin] - old->count[bin];
		if (100 * longer > all)
			return waits_bin_ns(bin);
	}
	return NAN;
}
