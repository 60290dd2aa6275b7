// SPDX-License-Identifier: GPL-2.0-or-later
#include "fault.h"

void fault(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_propagate_error(error, g_error_new_valist(g_quark_from_static_string("rig-truth"),
						    1, format, args));
	va_end(args);
}
