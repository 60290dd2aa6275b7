// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/util.h"
#include "sysfs.h"
#include "vm.h"

/* Any user's process may have arguments of megabytes. */
#define MAX_CMDLINE	(256 << 10)

/* The last argument may lack its zero byte, as the kernel may truncate the text. */
static const char *next_argument(const char *argument, const char *end)
{
	const char *zero = memchr(argument, '\0', end - argument);

	return zero ? zero + 1 : end;
}

/* Returns the text up to a comma, and sets @at behind that; ",," stands for a comma. */
static GString *take_word(const char **at, const char *end)
{
	GString *word = g_string_new(NULL);

	while (*at < end) {
		char c = *(*at)++;

		if (c == ',') {
			if (*at == end || **at != ',')
				break;
			(*at)++;
		}
		g_string_append_c(word, c);
	}
	return word;
}

static bool skip_prefix(const char **text, const char *prefix)
{
	if (!g_str_has_prefix(*text, prefix))
		return false;
	*text += strlen(prefix);
	return true;
}

/* Other words of the option are about how QEMU's process and threads are called. */
static char *name_of_word(const char *word)
{
	const char *name = word;

	if (skip_prefix(&name, "process=") || skip_prefix(&name, "debug-threads="))
		return NULL;
	skip_prefix(&name, "guest=");
	return *name && g_utf8_validate(name, -1, NULL) ? make_printable(g_strdup(name)) : NULL;
}

/* "guest=NAME,debug-threads=on" or "NAME,...", in any order */
static char *name_of_option(const char *text, size_t len)
{
	const char *end = text + strnlen(text, len);
	char *name = NULL;

	while (!name && text < end) {
		GString *word = take_word(&text, end);

		name = name_of_word(word->str);
		g_string_free(word, TRUE);
	}
	return name;
}

char *vm_name(const char *cmdline, size_t len)
{
	const char *end = cmdline + len;

	for (const char *arg = cmdline; arg < end; arg = next_argument(arg, end)) {
		size_t size = strnlen(arg, end - arg);
		const char *next = next_argument(arg, end);

		if (size > 1 && arg[0] == '-' && arg[1] == '-') {
			arg++;
			size--;
		}
		if (size == 5 && !memcmp(arg, "-name", 5) && next < end)
			return name_of_option(next, strnlen(next, end - next));
		if (size > 6 && !memcmp(arg, "-name=", 6))
			return name_of_option(arg + 6, size - 6);
	}
	return NULL;
}

/* "-device" of QEMU, "--device" of QEMU and Cloud Hypervisor, "--vfio" of crosvm, also with "=..." */
static bool is_of_device(const char *option, size_t size)
{
	static const char *const names[] = { "-device", "--device", "--vfio" };

	for (size_t nr = 0; nr < G_N_ELEMENTS(names); nr++) {
		size_t len = strlen(names[nr]);

		if (size >= len && !memcmp(option, names[nr], len) && (size == len || option[len] == '='))
			return true;
	}
	return false;
}

/* An option may have several values, as Cloud Hypervisor's. A script with a VM's whole command line has none. */
bool vm_uses(const char *cmdline, size_t len, const char *uuid)
{
	const char *end = cmdline + len;
	bool of_device = false;

	for (const char *arg = cmdline; arg < end; arg = next_argument(arg, end)) {
		size_t size = strnlen(arg, end - arg);

		if (size && *arg == '-')
			of_device = is_of_device(arg, size);
		if (of_device && memmem(arg, size, uuid, strlen(uuid)))
			return true;
	}
	return false;
}

static char *command_name(const char *dir)
{
	return sysfs_read(dir, "comm");
}

/* Returns the length; what is not read, such as of a process that ended, is empty. */
static size_t read_cmdline(const char *dir, char cmdline[MAX_CMDLINE])
{
	char *path = g_build_filename(dir, "cmdline", NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t more;

	g_free(path);
	if (fd < 0)
		return 0;
	while (len < MAX_CMDLINE && (more = read(fd, cmdline + len, MAX_CMDLINE - len)) > 0)
		len += more;
	close(fd);
	return len;
}

static void match_process(const char *dir, const char *pid, GPtrArray *vgpus, char *cmdline)
{
	size_t len = read_cmdline(dir, cmdline);

	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		struct sysfs_vgpu *vgpu = vgpus->pdata[nr];

		if (known(vgpu->pid) || !vm_uses(cmdline, len, vgpu->uuid))
			continue;
		vgpu->pid = atoi(pid);
		vgpu->vm = vm_name(cmdline, len);
		if (!vgpu->vm)
			vgpu->vm = command_name(dir);
	}
}

bool vm_still_uses(const char *sysroot, const struct sysfs_vgpu *vgpu)
{
	char *dir = g_strdup_printf("%s/proc/%" PRId64, sysroot, vgpu->pid);
	char *cmdline = g_malloc(MAX_CMDLINE);
	bool uses = known(vgpu->pid) && vm_uses(cmdline, read_cmdline(dir, cmdline), vgpu->uuid);

	g_free(cmdline);
	g_free(dir);
	return uses;
}

static bool is_shared(const GPtrArray *vgpus, const struct sysfs_vgpu *vgpu)
{
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		const struct sysfs_vgpu *other = vgpus->pdata[nr];

		if (other->pid != vgpu->pid && vgpu->vm && !g_strcmp0(other->vm, vgpu->vm))
			return true;
	}
	return false;
}

/* VMs without a name have that of their program, which all on a host may share: the process tells them apart. */
static void tell_apart(GPtrArray *vgpus)
{
	bool *shared = g_new(bool, vgpus->len);

	for (unsigned int nr = 0; nr < vgpus->len; nr++)
		shared[nr] = is_shared(vgpus, vgpus->pdata[nr]);
	for (unsigned int nr = 0; nr < vgpus->len; nr++) {
		struct sysfs_vgpu *vgpu = vgpus->pdata[nr];
		char *name = vgpu->vm;

		if (!shared[nr])
			continue;
		vgpu->vm = g_strdup_printf("%s-%" PRId64, name, vgpu->pid);
		g_free(name);
	}
	g_free(shared);
}

void vm_find(const char *sysroot, GPtrArray *vgpus)
{
	char *proc = g_build_filename(*sysroot ? sysroot : "/", "proc", NULL);
	GDir *stream = g_dir_open(proc, 0, NULL);
	char *cmdline = g_malloc(MAX_CMDLINE);
	const char *name;

	/* without vGPUs, none of the processes needs to be looked at */
	while (stream && vgpus->len && (name = g_dir_read_name(stream))) {
		char *dir = g_build_filename(proc, name, NULL);

		if (isdigit((unsigned char)*name))
			match_process(dir, name, vgpus, cmdline);
		g_free(dir);
	}
	if (stream)
		g_dir_close(stream);
	tell_apart(vgpus);
	g_free(cmdline);
	g_free(proc);
}
