/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was beside what would be: what simulate tells, and advise of what it found.
 */
#ifndef GVT_STAT_FORECAST_H
#define GVT_STAT_FORECAST_H

#include <jansson.h>

#include "output/column.h"
#include "output/form.h"
#include "whatif/measure.h"
#include "whatif/mix.h"
#include "whatif/whatif.h"

/* what was simulated */
struct forecast {
	const struct mix *mix;
	const struct whatif *whatif;
	const struct whatif_result *result;
};

/* what was simulated of one stream */
struct forecast_stream {
	const struct stream *stream;	/* NULL: of the host's own work */
	const struct gpu_engine *host;	/* then: where that is */
	int64_t dev;
	int64_t id;			/* of its vGPU in the simulation; the host: see tally_host() */
	const struct tally_cell *recorded;	/* what its queue did */
	int64_t window_ns;		/* in so long a time */
	const struct whatif_result *result;
	bool whole;			/* of all windows at once: they were written as a trace */
	const struct whatif_result *rehearsed;	/* under the settings that were; NULL: not simulated */
};

/* all measures of its queue; NAN: unknown */
struct compared {
	double now[MEASURES];		/* as recorded */
	double then[MEASURES];		/* in a window as long as the trace */
	double least[MEASURES];
	double most[MEASURES];
};

/* of its lines: "vgpu_id", "metric", "now", "then" and others */
extern const struct column forecast_columns[];

/**
 * forecast_each - call @call for each line
 * @line: what forecast_columns are columns of
 */
void forecast_each(const struct forecast *forecast,
		     void (*call)(void *to, const void *line), void *to);

/**
 * compare_stream - what was of one stream beside what would be
 *
 * By as much as what was recorded is missed by its own simulation, the range is wider at each end; and a
 * change that is less than that, and than what windows differ by, is none.
 */
void compare_stream(const struct forecast_stream *of, struct compared *compared);

/**
 * forecast_stream_each - the same for each line of one stream
 */
void forecast_stream_each(const struct forecast_stream *of,
			  void (*call)(void *to, const void *line), void *to);

/**
 * forecast_add_doubted - whose arrivals, depths or preemption points are doubtful, in a few words;
 *			    nothing if nothing is
 */
void forecast_add_doubted(const struct forecast *forecast, GString *text);

/**
 * forecast_print - for people: the settings that change, the table, and what is doubtful
 */
void forecast_print(const struct forecast *forecast);

/**
 * forecast_add_json - "windows", "settings", "streams", "simulated" and "doubts"
 * @form: which columns
 */
void forecast_add_json(const struct forecast *forecast, const struct form *form,
			 json_t *document);

#endif
