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

/* "guest=NAME,debug-threads=on" or "NAME,..."; ",," stands for a comma */
static char *name_of_option(const char *text, size_t len)
{
	GString *name = g_string_new(NULL);
	static const char key[] = "guest=";

	if (len >= strlen(key) && !memcmp(text, key, strlen(key))) {
		text += strlen(key);
		len -= strlen(key);
	}
	for (size_t pos = 0; pos < len && text[pos]; pos++) {
		if (text[pos] == ',' && (pos + 1 == len || text[++pos] != ','))
			break;
		g_string_append_c(name, text[pos]);
	}
	if (name->len && g_utf8_validate(name->str, name->len, NULL))
		return make_printable(g_string_free(name, FALSE));
	g_string_free(name, TRUE);
	return NULL;
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

bool vm_uses(const char *cmdline, size_t len, const char *uuid)
{
	const char *end = cmdline + len;

	for (const char *arg = cmdline; arg < end; arg = next_argument(arg, end)) {
		size_t size = strnlen(arg, end - arg);

		if (memmem(arg, size, "sysfsdev", 8) && memmem(arg, size, uuid, strlen(uuid)))
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
	g_free(cmdline);
	g_free(proc);
}
