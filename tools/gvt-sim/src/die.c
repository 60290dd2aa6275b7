// SPDX-License-Identifier: GPL-2.0-only

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "die.h"

void die(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("gvt-sim: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}
