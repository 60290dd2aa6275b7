// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libconfuse can expand "~user" in include paths, which scenarios do not have.
 * The C library's own functions would pull the name service switch, and with
 * it shared objects, into a static program.
 */
#include <pwd.h>
#include <stddef.h>

struct passwd *getpwnam(const char *name)
{
	(void)name;
	return NULL;
}

struct passwd *getpwuid(uid_t uid)
{
	(void)uid;
	return NULL;
}
