// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/util.h"
#include "sysfs.h"

/* an attribute has at most one page */
#define MAX_TEXT	4096
/* with its newline */
#define LONGEST_NUMBER	32
/* those of ten vGPUs; a process may have 1024 open files */
#define MOST_KEPT	512

#define PCI_DEVICES	"sys/bus/pci/devices"
#define MDEV_DEVICES	"sys/bus/mdev/devices"
#define MDEV_TYPES	"mdev_supported_types"

/* files that are kept open: path -> struct kept; NULL: none are */
static GHashTable *kept_files;

struct kept {
	int fd;
	bool used;			/* since sysfs_close_unused() */
};

static void free_kept(void *data)
{
	struct kept *kept = data;

	close(kept->fd);
	g_free(kept);
}

void sysfs_keep_open(void)
{
	kept_files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_kept);
}

static gboolean is_unused(void *path, void *data, void *ctx)
{
	struct kept *kept = data;
	bool used = kept->used;

	(void)path, (void)ctx;
	kept->used = false;
	return !used;
}

void sysfs_close_unused(void)
{
	g_hash_table_foreach_remove(kept_files, is_unused, NULL);
}

/* An attribute that was removed cannot be read any more; a file that stands in for one has no name. */
static ssize_t read_kept(const char *path, char *text, size_t size)
{
	struct kept *kept = kept_files ? g_hash_table_lookup(kept_files, path) : NULL;
	struct stat status;
	ssize_t len = -1;

	if (!kept)
		return -1;
	kept->used = true;
	if (!fstat(kept->fd, &status) && status.st_nlink)
		len = pread(kept->fd, text, size, 0);
	if (len < 0)
		g_hash_table_remove(kept_files, path);
	return len;
}

/* What is no file of the kernel's may be a pipe: nobody waits for who writes into it. */
static ssize_t read_anew(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct kept *kept;
	ssize_t len;

	if (fd < 0)
		return -1;
	len = read(fd, text, size);
	if (!kept_files || len < 0 || g_hash_table_size(kept_files) >= MOST_KEPT) {
		close(fd);
		return len;
	}
	kept = g_new(struct kept, 1);
	*kept = (struct kept) { fd, true };
	g_hash_table_insert(kept_files, g_strdup(path), kept);
	return len;
}

/* Returns the length, or a negative number. */
static ssize_t read_file(const char *dir, const char *name, char *text, size_t size)
{
	char *path = g_build_filename(dir, name, NULL);
	ssize_t len = read_kept(path, text, size);

	if (len < 0)
		len = read_anew(path, text, size);
	g_free(path);
	return len;
}

char *sysfs_read(const char *dir, const char *name)
{
	char text[MAX_TEXT];
	ssize_t len = read_file(dir, name, text, sizeof(text) - 1);

	if (len < 0)
		return NULL;
	text[len] = '\0';
	return make_printable(g_strdup(g_strchomp(text)));
}

int64_t sysfs_read_number(const char *dir, const char *name)
{
	char text[LONGEST_NUMBER];
	ssize_t len = read_file(dir, name, text, sizeof(text));
	gint64 number;

	if (len <= 0 || len == sizeof(text))
		return UNKNOWN;
	text[len] = '\0';
	if (!g_ascii_string_to_signed(g_strchomp(text), 10, INT64_MIN + 1, INT64_MAX, &number, NULL))
		return UNKNOWN;
	return number;
}

int sysfs_write(const char *dir, const char *name, const char *text)
{
	char *path = g_build_filename(dir, name, NULL);
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	int error = 0;

	g_free(path);
	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) < 0)
		error = errno;
	if (close(fd) && !error)
		error = errno;
	return error;
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *sysfs_names(const char *path)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *stream = g_dir_open(path, 0, NULL);
	const char *name;

	while (stream && (name = g_dir_read_name(stream)))
		g_ptr_array_add(names, g_strdup(name));
	if (stream)
		g_dir_close(stream);
	g_ptr_array_sort(names, compare_names);
	return names;
}

static bool is_directory(const char *dir, const char *name)
{
	char *path = g_build_filename(dir, name, NULL);
	bool result = g_file_test(path, G_FILE_TEST_IS_DIR);

	g_free(path);
	return result;
}

static void free_gpu(void *data)
{
	struct sysfs_gpu *gpu = data;

	g_free(gpu->address);
	g_free(gpu->dir);
	g_free(gpu->settings);
	g_free(gpu);
}

static void free_vgpu(void *data)
{
	struct sysfs_vgpu *vgpu = data;

	g_free(vgpu->uuid);
	g_free(vgpu->type);
	g_free(vgpu->gpu);
	g_free(vgpu->dir);
	g_free(vgpu->vm);
	g_free(vgpu);
}

static void add_gpu(struct sysfs *sysfs, const char *sysroot, const char *address)
{
	char *dir = g_build_filename(*sysroot ? sysroot : "/", PCI_DEVICES, address, NULL);
	bool settings = is_directory(dir, "gvt_sched");
	struct sysfs_gpu *gpu;

	if (settings || is_directory(dir, MDEV_TYPES)) {
		gpu = g_new0(struct sysfs_gpu, 1);
		gpu->address = g_strdup(address);
		gpu->dir = g_strdup(dir);
		gpu->settings = settings ? g_build_filename(dir, "gvt_sched", NULL) : NULL;
		g_ptr_array_add(sysfs->gpus, gpu);
	}
	g_free(dir);
}

/* the name of a GPU's card, such as "card0"; its number depends on the host */
static char *card_name(const struct sysfs_gpu *gpu)
{
	char *drm = g_build_filename(gpu->dir, "drm", NULL);
	GDir *dir = g_dir_open(drm, 0, NULL);
	const char *name = NULL;
	char *card;

	while (dir && (name = g_dir_read_name(dir)) && !g_str_has_prefix(name, "card"))
		;
	card = g_strdup(name);
	if (dir)
		g_dir_close(dir);
	g_free(drm);
	return card;
}

int64_t sysfs_frequency(const struct sysfs_gpu *gpu, const char *name)
{
	char *card = card_name(gpu), *dir;
	int64_t mhz = UNKNOWN;

	if (card) {
		dir = g_build_filename(gpu->dir, "drm", card, NULL);
		mhz = sysfs_read_number(dir, name);
		g_free(dir);
	}
	g_free(card);
	return mhz;
}

/* the last component of a link's target; NULL if it is no link */
static char *link_target(const char *dir, const char *name)
{
	char *path = g_build_filename(dir, name, NULL);
	char *target = g_file_read_link(path, NULL);
	char *base = target ? make_printable(g_path_get_basename(target)) : NULL;

	g_free(target);
	g_free(path);
	return base;
}

/* "i915-GVTg_V5_8": the type's name follows the driver's name */
static char *read_type(const char *mdev)
{
	char *link = link_target(mdev, "mdev_type");
	char *dash = link ? strchr(link, '-') : NULL;

	if (dash)
		memmove(link, dash + 1, strlen(dash));
	return link;
}

/* An mdev device is a child of its GPU: resolves the link in the bus's list. */
static char *read_parent(const char *mdev)
{
	char *target = g_file_read_link(mdev, NULL);
	char *parent = target ? g_path_get_dirname(target) : NULL;
	char *address = parent ? make_printable(g_path_get_basename(parent)) : NULL;

	g_free(parent);
	g_free(target);
	return address;
}

static void add_vgpu(struct sysfs *sysfs, const char *sysroot, const char *uuid)
{
	char *mdev = g_build_filename(*sysroot ? sysroot : "/", MDEV_DEVICES, uuid, NULL);
	struct sysfs_vgpu *vgpu;

	if (is_directory(mdev, "intel_vgpu")) {
		vgpu = g_new0(struct sysfs_vgpu, 1);
		vgpu->uuid = make_printable(g_strdup(uuid));
		vgpu->dir = g_build_filename(mdev, "intel_vgpu", NULL);
		vgpu->id = sysfs_read_number(vgpu->dir, "vgpu_id");
		vgpu->type = read_type(mdev);
		vgpu->gpu = read_parent(mdev);
		vgpu->pid = UNKNOWN;
		g_ptr_array_add(sysfs->vgpus, vgpu);
	}
	g_free(mdev);
}

static gint compare_vgpus(gconstpointer a, gconstpointer b)
{
	const struct sysfs_vgpu *one = *(struct sysfs_vgpu *const *)a;
	const struct sysfs_vgpu *two = *(struct sysfs_vgpu *const *)b;

	if (one->id != two->id)
		return one->id < two->id ? -1 : 1;
	return strcmp(one->uuid, two->uuid);
}

static void for_each_name(struct sysfs *sysfs, const char *sysroot, const char *dir,
			  void (*add)(struct sysfs *, const char *, const char *))
{
	char *path = g_build_filename(*sysroot ? sysroot : "/", dir, NULL);
	GPtrArray *names = sysfs_names(path);

	for (unsigned int nr = 0; nr < names->len; nr++)
		add(sysfs, sysroot, names->pdata[nr]);
	g_ptr_array_free(names, TRUE);
	g_free(path);
}

struct sysfs *sysfs_scan(const char *sysroot)
{
	struct sysfs *sysfs = g_new0(struct sysfs, 1);

	sysfs->gpus = g_ptr_array_new_with_free_func(free_gpu);
	sysfs->vgpus = g_ptr_array_new_with_free_func(free_vgpu);
	for_each_name(sysfs, sysroot, PCI_DEVICES, add_gpu);
	for_each_name(sysfs, sysroot, MDEV_DEVICES, add_vgpu);
	g_ptr_array_sort(sysfs->vgpus, compare_vgpus);
	return sysfs;
}

void sysfs_free(struct sysfs *sysfs)
{
	g_ptr_array_free(sysfs->vgpus, TRUE);
	g_ptr_array_free(sysfs->gpus, TRUE);
	g_free(sysfs);
}

void sysfs_need_gpu(const struct sysfs *sysfs, const char *sysroot)
{
	const char *root = *sysroot ? sysroot : "/";
	char *modules;

	if (sysfs->gpus->len)
		return;
	if (!is_directory(root, "sys"))
		fatal("--sysroot %s: it has no directory sys: give a directory with the host's sys and proc",
		      root);
	modules = g_build_filename(root, "sys/module", NULL);
	if (!is_directory(modules, "kvmgt"))
		fatal("kvmgt is not loaded, so there are no vGPUs: 'modprobe kvmgt' (there is no %s/kvmgt); 'gvt-stat report FILE' reads a trace of another host",
		      modules);
	fatal("no GPU of this host offers vGPUs, although kvmgt is loaded: boot with i915.enable_gvt=1 on a GPU that has GVT-g, and see 'dmesg | grep -i gvt' (no device in %s%s has mdev_supported_types)",
	      *sysroot ? sysroot : "", "/" PCI_DEVICES);
}

void sysfs_need_settings(const struct sysfs *sysfs, const char *sysroot)
{
	const struct sysfs_gpu *gpu = NULL;

	sysfs_need_gpu(sysfs, sysroot);
	for (unsigned int nr = 0; nr < sysfs->gpus->len; nr++) {
		gpu = sysfs->gpus->pdata[nr];
		if (gpu->settings)
			return;
	}
	fatal("GPU %s has no scheduler settings: load a kvmgt that is built with this project's patches (there is no %s/" PCI_DEVICES "/%s/gvt_sched)",
	      gpu->address, sysroot, gpu->address);
}

static bool is_gpu(const struct sysfs_gpu *gpu, const char *item)
{
	char *card;
	bool same;

	if (strchr(item, ':'))
		return !g_ascii_strcasecmp(item, gpu->address);
	card = card_name(gpu);
	same = card && !strcmp(item, card + strlen("card"));
	g_free(card);
	return same;
}

static bool wants_gpu(const struct sysfs_gpu *gpu, char *const *items)
{
	for (; *items; items++)
		if (is_gpu(gpu, *items))
			return true;
	return false;
}

static void check_gpu(const struct sysfs *sysfs, const char *item)
{
	GString *list = g_string_new(sysfs->gpus->len ? NULL : "none");
	bool found = false;

	for (unsigned int nr = 0; nr < sysfs->gpus->len; nr++) {
		const struct sysfs_gpu *gpu = sysfs->gpus->pdata[nr];

		found = found || is_gpu(gpu, item);
		g_string_append_printf(list, "%s%s", nr ? ", " : "", gpu->address);
	}
	if (!found)
		fatal("--gpu %s: no such GPU on this host; there %s %s", item,
		      sysfs->gpus->len == 1 ? "is" : "are", list->str);
	g_string_free(list, TRUE);
}

static bool has_address(const struct sysfs *sysfs, const char *address)
{
	for (unsigned int nr = 0; nr < sysfs->gpus->len; nr++)
		if (!g_strcmp0(((struct sysfs_gpu *)sysfs->gpus->pdata[nr])->address, address))
			return true;
	return false;
}

void sysfs_keep_gpus(struct sysfs *sysfs, char *const *items)
{
	if (!items)
		return;
	for (char *const *item = items; *item; item++)
		check_gpu(sysfs, *item);
	for (unsigned int nr = sysfs->gpus->len; nr-- > 0; )
		if (!wants_gpu(sysfs->gpus->pdata[nr], items))
			g_ptr_array_remove_index(sysfs->gpus, nr);
	for (unsigned int nr = sysfs->vgpus->len; nr-- > 0; )
		if (!has_address(sysfs, ((struct sysfs_vgpu *)sysfs->vgpus->pdata[nr])->gpu))
			g_ptr_array_remove_index(sysfs->vgpus, nr);
}

bool sysfs_is_vgpu(const struct sysfs_vgpu *vgpu, const char *item)
{
	guint64 id;

	if (strchr(item, '-'))
		return !g_ascii_strcasecmp(item, vgpu->uuid);
	return g_ascii_string_to_unsigned(item, 10, 0, INT32_MAX, &id, NULL) &&
	       vgpu->id == (int64_t)id;
}

static char *list_vgpus(const struct sysfs *sysfs)
{
	GString *list = g_string_new(sysfs->vgpus->len ? NULL : "none");

	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];

		g_string_append(list, nr ? ", " : "");
		if (known(vgpu->id))
			g_string_append_printf(list, "%" PRId64 " (%s)", vgpu->id, vgpu->uuid);
		else
			g_string_append(list, vgpu->uuid);
	}
	return g_string_free(list, FALSE);
}

void sysfs_check_vgpus(const struct sysfs *sysfs, char *const *items)
{
	for (; items && *items; items++) {
		bool found = false;

		for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++)
			found = found || sysfs_is_vgpu(sysfs->vgpus->pdata[nr], *items);
		if (!found)
			fatal("--vgpu %s: no such vGPU on this host; there %s %s", *items,
			      sysfs->vgpus->len == 1 ? "is" : "are", list_vgpus(sysfs));
	}
}

bool sysfs_wants_vgpu(const struct sysfs_vgpu *vgpu, char *const *items)
{
	if (!items)
		return true;
	for (; *items; items++)
		if (sysfs_is_vgpu(vgpu, *items))
			return true;
	return false;
}
