/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TRUTH_REPORT_H
#define RIG_TRUTH_REPORT_H

#include "compare.h"

/**
 * report_tap - print the comparison as comments and its verdicts as TAP
 * @limit_ns: allowed difference of a workload's execution
 *
 * Return: true if trace and truth agree.
 */
bool report_tap(const struct comparison *c, double limit_ns);

/* report_json - print one JSON document; Return: true if trace and truth agree */
bool report_json(const struct comparison *c, double limit_ns);

#endif
