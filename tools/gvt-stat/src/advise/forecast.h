/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the recording with a simulation: the output of simulate, and of advise for the settings
 * that it found.
 */
#ifndef GVT_STAT_FORECAST_H
#define GVT_STAT_FORECAST_H

#include <jansson.h>

#include "output/column.h"
#include "output/form.h"
#include "whatif/measure.h"
#include "whatif/mix.h"
#include "whatif/whatif.h"

/* what a trace needs for a simulation, and for its comparison */
#define FORECAST_QUANTITIES	(QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) | \
				 QUANTITY_BIT(QUANTITY_HOST) | QUANTITY_BIT(QUANTITY_COMPLETIONS) | \
				 QUANTITY_BIT(QUANTITY_VGPUS) | QUANTITY_BIT(QUANTITY_SETTINGS))

/* a simulation of a mix */
struct forecast {
	const struct mix *mix;
	const struct whatif *whatif;
	const struct whatif_result *result;
};

/* the simulation of one stream, or of the host's own work on one engine */
struct forecast_stream {
	const struct stream *stream;	/* NULL: the host's own work */
	const struct gpu_engine *host;	/* NULL unless the host's own work */
	int64_t dev;
	int64_t id;			/* of its vGPU in the simulation; the host: see tally_host() */
	const struct tally_cell *recorded;	/* of its queue */
	int64_t window_ns;		/* length of the recorded window */
	const struct whatif_result *result;
	bool whole;			/* windows have no gaps, as a trace was written */
	const struct whatif_result *rehearsed;	/* recording, simulated; NULL: none */
};

/* all measures of a stream's queue; NAN: unknown */
struct compared {
	double now[MEASURES];		/* as recorded */
	double then[MEASURES];		/* simulated, for a window as long as the trace */
	double least[MEASURES];
	double most[MEASURES];
};

/* columns of a line: "vgpu_id", "metric", "now", "then" and others */
extern const struct column forecast_columns[];

/**
 * forecast_each - call @call for each line
 * @line: a record for forecast_columns
 */
void forecast_each(const struct forecast *forecast,
		     void (*call)(void *to, const void *line), void *to);

/**
 * compare_stream - compare the recording of one stream with its simulation
 *
 * The error of the simulation under the recorded settings widens the range at both ends. A change
 * smaller than this error and than the spread of the windows counts as no change.
 */
void compare_stream(const struct forecast_stream *of, struct compared *compared);

/**
 * forecast_stream_each - forecast_each() for one stream
 */
void forecast_stream_each(const struct forecast_stream *of,
			  void (*call)(void *to, const void *line), void *to);

/**
 * forecast_add_doubted - append the vGPUs whose arrivals, depths or preemption points are doubtful;
 *			    nothing if there are none
 */
void forecast_add_doubted(const struct forecast *forecast, GString *text);

/**
 * forecast_print - print for people: the changed settings, the table and the doubts
 */
void forecast_print(const struct forecast *forecast);

/**
 * forecast_add_json - add "windows", "settings", "streams", "simulated" and "doubts"
 * @form: selects the columns
 */
void forecast_add_json(const struct forecast *forecast, const struct form *form,
			 json_t *document);

#endif
