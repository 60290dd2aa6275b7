/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quality of service: limits for an application's latency beside others.
 */
#ifndef GVT_STAT_QOS_H
#define GVT_STAT_QOS_H

#include <stdbool.h>
#include <stdint.h>

#include "whatif/measure.h"
#include "prediction.h"

struct qos {
	const char *text;		/* as the user gave it */
	int64_t vgpu_id;		/* UNKNOWN: all vGPUs */
	enum measure_id measure;	/* MEASURE_MEAN or MEASURE_P95 */
	double factor;			/* limit in multiples of the latency alone; NAN: none */
	double limit_ns;		/* NAN: no limit */
};

/* the result of checking a quality of service */
struct qos_answer {
	double limit_ns;		/* the lower of the two limits */
	double expected_ns;		/* latency in the worst phase; NAN: unknown */
	double margin_percent;		/* left of the limit in the worst phase; NAN: unknown */
	bool met;			/* in all phases; false if unknown */
};

/**
 * qos_parse - parse "[ID:]LIMIT[,LIMIT][,p95]" with limits such as 2x and 50ms
 * @text: must outlive @qos
 *
 * Returns NULL, or an error message.
 */
const char *qos_parse(const char *text, struct qos *qos);

/**
 * qos_concerns - does the quality of service apply to this vGPU?
 */
bool qos_concerns(const struct qos *qos, unsigned int vgpu_id);

/**
 * qos_answer - does the prediction meet the quality of service?
 */
struct qos_answer qos_answer(const struct qos *qos, const struct predicted *predicted);

#endif
