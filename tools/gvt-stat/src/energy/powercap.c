// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/util.h"
#include "powercap.h"

#define ZONE		"intel-rapl:0:1"
#define UNFINISHED	".new"
#define UJ_PER_J	1e6
/* as signed, for those who read it so */
#define MOST_UJ		INT64_MAX
#define LONGEST_NUMBER	32

/* Names of VMs are anybody's: none may lead out of the directory. */
static char *name_of(const struct energy_row *row)
{
	char *name = row->vm && *row->vm ? g_strdup(row->vm) : g_strdup_printf("vgpu-%" PRId64, row->vgpu_id);

	for (char *letter = name; *letter; letter++)
		if (*letter == '/' || g_ascii_iscntrl(*letter) || (letter == name && *letter == '.'))
			*letter = '_';
	return name;
}

/*
 * What is in a zone is the guest's, if it may write there: no link is followed, and nothing is waited for.
 * Functions below return 0, or an errno.
 */

static int write_all(int fd, const char *text)
{
	size_t len = strlen(text);
	ssize_t written = write(fd, text, len);

	if (written < 0)
		return errno;
	return (size_t)written == len ? 0 : ENOSPC;
}

/* as a whole, under another name first */
static int put(int zone, const char *name, const char *text)
{
	int fd, error;

	unlinkat(zone, UNFINISHED, 0);
	fd = openat(zone, UNFINISHED, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return errno;
	error = write_all(fd, text);
	if (close(fd) && !error)
		error = errno;
	if (!error && renameat(zone, UNFINISHED, zone, name))
		error = errno;
	if (error)
		unlinkat(zone, UNFINISHED, 0);
	return error;
}

/* what is there already; anything but a number would be added to in vain: EINVAL */
static int counted(int zone, uint64_t *uj)
{
	int fd = openat(zone, "energy_uj", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char text[LONGEST_NUMBER];
	ssize_t len;

	*uj = 0;
	if (fd < 0)
		return errno == ENOENT ? 0 : errno;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[MAX(len, 0)] = '\0';
	return g_ascii_string_to_unsigned(g_strstrip(text), 10, 0, MOST_UJ, uj, NULL) ? 0 : EINVAL;
}

static int add_to_zone(int zone, uint64_t more)
{
	char text[LONGEST_NUMBER];
	uint64_t uj;
	int error = counted(zone, &uj);

	if (!error)
		error = put(zone, "name", "uncore\n");
	g_snprintf(text, sizeof(text), "%" PRId64 "\n", MOST_UJ);
	if (!error)
		error = put(zone, "max_energy_range_uj", text);
	g_snprintf(text, sizeof(text), "%" PRIu64 "\n", uj + MIN(more, MOST_UJ - uj));
	return error ? error : put(zone, "energy_uj", text);
}

/* a directory in another one, made if it is not there; a negative errno if it cannot be */
static int enter(int dir, const char *name, int flags)
{
	int fd;

	if (mkdirat(dir, name, 0755) && errno != EEXIST)
		return -errno;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	return fd < 0 ? -errno : fd;
}

static int add(int dir, const char *name, double joules)
{
	int vm = enter(dir, name, 0);
	int zone = vm < 0 ? vm : enter(vm, ZONE, O_NOFOLLOW);
	int error = zone < 0 ? -zone : add_to_zone(zone, llround(fmax(joules, 0) * UJ_PER_J));

	if (zone >= 0)
		close(zone);
	if (vm >= 0)
		close(vm);
	return error;
}

static bool add_row(int dir, const char *path, const struct energy_row *row)
{
	char *name = name_of(row);
	int error = 0;

	if (isnan(row->joules))
		warn("--powercap: nothing is added for '%s', whose energy is not known", name);
	else
		error = add(dir, name, row->joules);
	if (error)
		warn("--powercap: %s/%s/" ZONE ": %.3f J are not added: %s", path, name, row->joules,
		     error == EINVAL ? "energy_uj is no number of uJ: remove it, to begin with 0" : strerror(error));
	g_free(name);
	return !error;
}

/* One at a time: others would add to what was there before. */
static int open_alone(const char *path)
{
	int dir = -1;

	if (!g_mkdir_with_parents(path, 0755))
		dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0 || flock(dir, LOCK_EX))
		fatal("--powercap: %s: %s", path, strerror(errno));
	return dir;
}

bool powercap_add(const char *path, const struct energy_result *result)
{
	int dir = open_alone(path);
	bool all = true;

	for (guint nr = 0; nr < result->sums->len; nr++) {
		const struct energy_row *row = &g_array_index(result->sums, struct energy_row, nr);

		if (!strcmp(row->kind, "vgpu"))
			all &= add_row(dir, path, row);
	}
	close(dir);
	return all;
}
