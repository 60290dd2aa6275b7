// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "host/newfile.h"
#include "trace/util.h"
#include "profile-file.h"

void profile_save(const struct profile *profile, const char *path)
{
	struct newfile file;
	int error = newfile_open(&file, path);

	if (!error) {
		profile_write(profile, file.stream);
		error = newfile_close(&file);
	}
	if (error)
		fatal("cannot write %s: %s", path, strerror(error));
}
