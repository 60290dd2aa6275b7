// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "host/newfile.h"
#include "trace/util.h"
#include "powercap.h"

#define UJ_PER_J	1e6
/* as signed, for those who read it so */
#define MOST_UJ		INT64_MAX

/* Names of VMs are anybody's: none may lead out of the directory. */
static char *name_of(const struct energy_row *row)
{
	char *name = row->vm && *row->vm ? g_strdup(row->vm) : g_strdup_printf("vgpu-%" PRId64, row->vgpu_id);

	for (char *letter = name; *letter; letter++)
		if (*letter == '/' || g_ascii_iscntrl(*letter) || (letter == name && *letter == '.'))
			*letter = '_';
	return name;
}

static void put(const char *dir, const char *name, const char *text)
{
	char *path = g_build_filename(dir, name, NULL);
	struct newfile file;
	int error = newfile_open(&file, path);

	if (!error) {
		fputs(text, file.stream);
		error = newfile_close(&file);
	}
	if (error)
		fatal("--powercap: %s: cannot write: %s", path, strerror(error));
	g_free(path);
}

/* what is there already; anything but a number would be added to in vain */
static uint64_t counted(const char *zone)
{
	char *path = g_build_filename(zone, "energy_uj", NULL);
	char *text = NULL;
	GError *error = NULL;
	guint64 uj = 0;

	if (!g_file_get_contents(path, &text, NULL, &error)) {
		if (error->code != G_FILE_ERROR_NOENT)
			fatal("--powercap: %s", error->message);
		g_error_free(error);
	} else if (!g_ascii_string_to_unsigned(g_strstrip(text), 10, 0, MOST_UJ, &uj, NULL)) {
		fatal("--powercap: %s: no number of uJ: remove it, to begin with 0", path);
	}
	g_free(text);
	g_free(path);
	return uj;
}

static char *make_zone(const char *dir, const char *vm, const char *zone, const char *name)
{
	char *path = g_build_filename(dir, vm, zone, NULL);

	if (g_mkdir_with_parents(path, 0755))
		fatal("--powercap: %s: cannot make the directory: %s", path, strerror(errno));
	put(path, "name", name);
	return path;
}

static void add(const char *dir, const char *vm, double joules)
{
	char *package = make_zone(dir, vm, "intel-rapl:0", "package-0\n");
	char *zone = make_zone(dir, vm, "intel-rapl:0:1", "uncore\n");
	uint64_t uj = counted(zone), more = llround(fmax(joules, 0) * UJ_PER_J);
	char *text = g_strdup_printf("%" PRIu64 "\n", uj + MIN(more, MOST_UJ - uj));
	char *most = g_strdup_printf("%" PRId64 "\n", MOST_UJ);

	put(zone, "max_energy_range_uj", most);
	put(zone, "energy_uj", text);
	g_free(text);
	g_free(most);
	g_free(package);
	g_free(zone);
}

void powercap_add(const char *dir, const struct energy_result *result)
{
	for (guint nr = 0; nr < result->sums->len; nr++) {
		const struct energy_row *row = &g_array_index(result->sums, struct energy_row, nr);
		char *vm;

		if (strcmp(row->kind, "vgpu"))
			continue;
		vm = name_of(row);
		if (isnan(row->joules))
			warn("--powercap: nothing is added for '%s', whose energy is not known", vm);
		else
			add(dir, vm, row->joules);
		g_free(vm);
	}
}
