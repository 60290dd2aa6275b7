/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What latency an application may have beside others: its quality of service.
 */
#ifndef GVT_STAT_QOS_H
#define GVT_STAT_QOS_H

#include <stdbool.h>
#include <stdint.h>

#include "whatif/measure.h"
#include "prediction.h"

struct qos {
	const char *text;		/* as it was asked for */
	int64_t vgpu_id;		/* UNKNOWN: of all */
	enum measure_id measure;	/* MEASURE_MEAN or MEASURE_P95 */
	double factor;			/* times what it is alone; NAN: no limit */
	double limit_ns;		/* NAN: no limit */
};

/* whether it is met */
struct qos_answer {
	double limit_ns;		/* the lower of the two limits */
	double expected_ns;		/* in the phase that is worst; NAN: it is not known */
	double margin_percent;		/* of the limit, that is left in that phase; NAN */
	bool met;			/* in all phases; not if it is not known */
};

/**
 * qos_parse - "[ID:]LIMIT[,LIMIT][,p95]" with limits such as 2x and 50ms
 * @text: lives as long as @qos
 *
 * Returns NULL, or what is wrong with the text.
 */
const char *qos_parse(const char *text, struct qos *qos);

/**
 * qos_concerns - is it about this vGPU?
 */
bool qos_concerns(const struct qos *qos, unsigned int vgpu_id);

/**
 * qos_answer - is it met by what is predicted?
 */
struct qos_answer qos_answer(const struct qos *qos, const struct predicted *predicted);

#endif
