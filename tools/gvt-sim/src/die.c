// SPDX-License-Identifier: GPL-2.0-only

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "die.h"

static _Noreturn void end(int status, const char *format, va_list args)
{
	fflush(stdout);
	fputs("gvt-sim: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	exit(status);
}

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	end(2, format, args);
}

void give_up(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	end(3, format, args);
}
