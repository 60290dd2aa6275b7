/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes metrics as text, in OpenMetrics 1.0 or in its predecessor, the text format 0.0.4 of
 * Prometheus, which node_exporter's textfiles and promtool read.
 *
 * https://prometheus.io/docs/specs/om/open_metrics_spec/ and
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
#ifndef GVT_EXPORTER_EXPOSITION_H
#define GVT_EXPORTER_EXPOSITION_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum metric_type {
	METRIC_GAUGE,
	METRIC_COUNTER,			/* samples end in _total */
	METRIC_INFO,			/* samples end in _info, their value is 1 */
};

/* what a number of the kernel is divided by or multiplied with to get the unit */
enum metric_scale {
	SCALE_ONE,
	SCALE_NS,			/* to seconds */
	SCALE_PERCENT,			/* to a ratio */
	SCALE_MHZ,			/* to hertz */
	SCALE_UJ,			/* to joules */
};

struct metric {
	const char *name;		/* without _total or _info */
	const char *help;
	enum metric_type type;
	enum metric_scale scale;
	const char *unit;		/* of the base unit's name, as NAME ends; NULL: none */
};

struct exposition {
	GString *text;
	bool openmetrics;
	const struct metric *metric;	/* of the last sample; NULL: none */
};

/**
 * exposition_type - the value of Content-Type
 */
const char *exposition_type(bool openmetrics);

/**
 * exposition_sample - add a sample of a metric, whose samples must follow each other
 * @labels: as label_add() made them; "" for none
 * @value: of the kernel, UNKNOWN or a negative counter: there is no sample
 */
void exposition_sample(struct exposition *x, const struct metric *metric, const char *labels, int64_t value);

/**
 * exposition_real - add a sample of a gauge in its own unit
 * @value: NAN: there is no sample
 */
void exposition_real(struct exposition *x, const struct metric *metric, const char *labels, double value);

/**
 * exposition_end - add what ends the text
 */
void exposition_end(struct exposition *x);

/**
 * label_add - append a label to others
 * @name: one that is no label's name, or is there already, is left out
 * @value: any bytes: escaped, and cut after 256; NULL or empty: left out, which is the same in
 *	   Prometheus
 */
void label_add(GString *labels, const char *name, const char *value);

/**
 * label_add_number - append a number, unless it is UNKNOWN
 */
void label_add_number(GString *labels, const char *name, int64_t value);

#endif
