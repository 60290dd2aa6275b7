// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's interfaces: Documentation/ABI/testing/sysfs-bus-event_source-devices-events,
 * Documentation/power/powercap/powercap.rst; the registers: Intel SDM, volume 4, 0x606 and 0x641.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "perf.h"
#include "source.h"

#define MSR_RAPL_POWER_UNIT	0x606
#define MSR_PP1_ENERGY_STATUS	0x641
#define NJ_PER_UJ		1000

struct energy_source {
	struct energy_counter counter;
	int fd;
	bool (*read)(int fd, uint64_t *count);
};

/* --- files ----------------------------------------------------------------------------------- */

/* sysfs makes the text anew for each read from its beginning */
static bool read_decimal(int fd, uint64_t *count)
{
	char text[32];
	ssize_t len = pread(fd, text, sizeof(text) - 1, 0);
	guint64 value;

	if (len <= 0)
		return false;
	text[len] = '\0';
	if (!g_ascii_string_to_unsigned(g_strchomp(text), 10, 0, UINT64_MAX, &value, NULL))
		return false;
	*count = value;
	return true;
}

/* --- perf ------------------------------------------------------------------------------------ */

static bool read_perf(int fd, uint64_t *count)
{
	return perf_read(fd, count, 1);
}

/* the energy of one count in nJ; 0: the kernel does not count in joules */
static double perf_unit(const char *dir)
{
	char *unit = perf_text(dir, "events/energy-gpu.unit");
	char *scale = perf_text(dir, "events/energy-gpu.scale");
	double nj = unit && scale && !strcmp(unit, "Joules") ? g_ascii_strtod(scale, NULL) * NJ_PER_J : 0;

	g_free(unit);
	g_free(scale);
	return isfinite(nj) && nj > 0 ? nj : 0;
}

static bool open_perf(struct energy_source *source, const char *sysroot, GString *why)
{
	char *dir = g_build_filename(sysroot, "/sys/bus/event_source/devices/power", NULL);

	source->counter.unit_nj = perf_unit(dir);
	source->read = read_perf;
	if (source->counter.unit_nj)
		source->fd = perf_open(dir, "energy-gpu", -1);
	else
		errno = ENOENT;
	if (source->fd < 0 && errno == ENOENT)
		g_string_append_printf(why, "%s has no event energy-gpu in joules (modprobe rapl; only client processors have it)", dir);
	else if (source->fd < 0)
		g_string_append_printf(why, "power/energy-gpu/: %s (" PERF_HOW_TO_ALLOW ")", strerror(errno));
	g_free(dir);
	return source->fd >= 0;
}

/* --- powercap -------------------------------------------------------------------------------- */

static bool is_uncore(const char *zone)
{
	char *name = perf_text(zone, "name");
	bool is = name && !strcmp(name, "uncore");

	g_free(name);
	return is;
}

/* the directory of the zone; NULL: there is none; the caller frees */
static char *find_zone(const char *class)
{
	GDir *dir = g_dir_open(class, 0, NULL);
	char *zone = NULL;
	const char *name;

	while (dir && !zone && (name = g_dir_read_name(dir))) {
		zone = g_build_filename(class, name, NULL);
		if (!g_str_has_prefix(name, "intel-rapl:") || !is_uncore(zone))
			g_clear_pointer(&zone, g_free);
	}
	if (dir)
		g_dir_close(dir);
	return zone;
}

static bool open_zone(struct energy_source *source, const char *zone, GString *why)
{
	char *path = g_build_filename(zone, "energy_uj", NULL);
	uint64_t last;

	source->counter.unit_nj = NJ_PER_UJ;
	source->read = read_decimal;
	if (!perf_number(zone, "max_energy_range_uj", &last) || last == UINT64_MAX) {
		g_string_append_printf(why, "%s/max_energy_range_uj is no number", zone);
	} else {
		source->counter.range = last + 1;
		source->fd = open(path, O_RDONLY | O_CLOEXEC);
		if (source->fd < 0)
			g_string_append_printf(why, "%s: %s (run as root, or let your group read it)", path,
					       strerror(errno));
	}
	g_free(path);
	return source->fd >= 0;
}

static bool open_powercap(struct energy_source *source, const char *sysroot, GString *why)
{
	char *class = g_build_filename(sysroot, "/sys/class/powercap", NULL);
	char *zone = find_zone(class);
	bool opened = zone && open_zone(source, zone, why);

	if (!zone)
		g_string_append_printf(why, "%s has no zone uncore (modprobe intel_rapl_msr)", class);
	g_free(zone);
	g_free(class);
	return opened;
}

/* --- the registers --------------------------------------------------------------------------- */

static bool read_register(int fd, off_t nr, uint64_t *value)
{
	return pread(fd, value, sizeof(*value), nr) == sizeof(*value);
}

static bool read_msr(int fd, uint64_t *count)
{
	if (!read_register(fd, MSR_PP1_ENERGY_STATUS, count))
		return false;
	*count &= UINT32_MAX;
	return true;
}

static bool open_msr(struct energy_source *source, const char *sysroot, GString *why)
{
	char *path = g_build_filename(sysroot, "/dev/cpu/0/msr", NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t units = 0, count = 0;

	source->read = read_msr;
	source->counter.range = (uint64_t)UINT32_MAX + 1;
	if (fd < 0) {
		g_string_append_printf(why, "%s: %s (modprobe msr, run as root)", path, strerror(errno));
	} else if (!read_register(fd, MSR_RAPL_POWER_UNIT, &units) || !read_msr(fd, &count) || !units || !count) {
		g_string_append_printf(why, "%s has no register 0x641, or it is 0: this processor does not count its GPU's energy", path);
		close(fd);
	} else {
		source->counter.unit_nj = NJ_PER_J / (1U << (units >> 8 & 0x1f));
		source->fd = fd;
	}
	g_free(path);
	return source->fd >= 0;
}

/* --- all of them ----------------------------------------------------------------------------- */

/* perf and powercap need no more rights than they must, perf counts finest; any root has registers */
static const struct {
	const char *name;
	/* sets the rest of @source, or adds to @why */
	bool (*open)(struct energy_source *source, const char *sysroot, GString *why);
} kinds[] = {
	{ "perf", open_perf },
	{ "powercap", open_powercap },
	{ "msr", open_msr },
};

struct energy_source *energy_source_open(const char *sysroot, char **why)
{
	struct energy_source *source = g_new(struct energy_source, 1);
	GString *text = g_string_new(NULL);

	for (size_t nr = 0; nr < G_N_ELEMENTS(kinds); nr++) {
		uint64_t count;

		*source = (struct energy_source) { .fd = -1 };
		g_strlcpy(source->counter.source, kinds[nr].name, ENERGY_SOURCE_LEN);
		g_string_append_printf(text, "%s%s: ", nr ? "; " : "", kinds[nr].name);
		if (!kinds[nr].open(source, sysroot, text))
			continue;
		if (energy_source_read(source, &count)) {
			g_string_free(text, TRUE);
			return source;
		}
		g_string_append(text, "its counter cannot be read");
		close(source->fd);
	}
	g_free(source);
	*why = g_string_free(text, FALSE);
	return NULL;
}

void energy_source_close(struct energy_source *source)
{
	close(source->fd);
	g_free(source);
}

const struct energy_counter *energy_source_counter(const struct energy_source *source)
{
	return &source->counter;
}

bool energy_source_read(const struct energy_source *source, uint64_t *count)
{
	return source->read(source->fd, count);
}
