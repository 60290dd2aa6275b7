// SPDX-License-Identifier: GPL-2.0-or-later
#include <trace-cmd.h>

#include "opened.h"

/* of the current run; NULL: libtracecmd opens the copy */
static struct tracecmd_input *kept;

/* by the linker */
struct tracecmd_input *__real_tracecmd_open(const char *path, int flags);
struct tracecmd_input *__wrap_tracecmd_open(const char *path, int flags);
void __real_tracecmd_close(struct tracecmd_input *handle);
void __wrap_tracecmd_close(struct tracecmd_input *handle);

struct tracecmd_input *__wrap_tracecmd_open(const char *path, int flags)
{
	return kept ? kept : __real_tracecmd_open(path, flags);
}

void __wrap_tracecmd_close(struct tracecmd_input *handle)
{
	if (!kept || handle != kept)
		__real_tracecmd_close(handle);
}

void opened_keep(struct original *original, const char *path)
{
	if (original->records->len)
		original->handle = __real_tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
}

void opened_begin(const struct original *original, const GString *copy)
{
	kept = is_damaged_in_events(original, copy) ? original->handle : NULL;
}

void opened_end(void)
{
	kept = NULL;
}
