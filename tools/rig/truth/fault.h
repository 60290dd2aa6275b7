/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TRUTH_FAULT_H
#define RIG_TRUTH_FAULT_H

#include <glib.h>

/* fault - set @error to a message about an input */
void fault(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
