/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that all commands share, and the choice of vGPUs and engines.
 */
#ifndef GVT_STAT_OPTIONS_H
#define GVT_STAT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "column.h"
#include "model.h"
#include "quantities.h"
#include "reader.h"
#include "timespan.h"

/* as perf and rtla end after a usage error */
#define EXIT_USAGE	129

enum output_format {
	FORMAT_TABLE,
	FORMAT_JSON,
	FORMAT_CSV,
};

struct options {
	const char *command;		/* whose options these are */
	quantity_set quantities;	/* what the command tells */
	const char *input;
	struct timespan span;
	char **vgpus;			/* NULL: all */
	char **engines;			/* NULL: all */
	int64_t tsc_khz;		/* 0: not given */
	enum output_format format;
	char **columns;			/* --columns; NULL: all */
	const struct column *const *tables;	/* of the command, for --list */
	bool in_process;
};

/* an argp child; its input is a struct options, initialised by options_init() */
extern const struct argp options_argp;

void options_init(struct options *options);
void options_clear(struct options *options);

/* did the user ask for this vGPU (by id or UUID), this engine (by name)? */
bool options_want_vgpu(const struct options *options, const struct vgpu *vgpu);
bool options_want_engine(const struct options *options, const struct gpu_engine *engine);
bool options_want(const struct options *options, const struct vgpu_engine *queue);

/**
 * options_uuids_known - has the model seen every vGPU that is asked for by UUID?
 */
bool options_uuids_known(const struct options *options, const struct model *model);

/**
 * options_columns - those of a table's columns that are asked for, in that order
 *
 * Returns all without --columns. What it returns lives as long as the program.
 */
const struct column *options_columns(const struct options *options,
				     const struct column *columns);

/**
 * options_check_columns - end the program if a column is asked for that is in no table
 * @tables: ends with NULL
 */
void options_check_columns(char *const *wanted, const struct column *const *tables);

/* the forms that the result of a command has, all printed to stdout */
struct forms {
	void (*lines)(const void *result);	/* of columns, see sheet.h */
	void (*json)(const void *result);
	void (*tables)(const void *result);	/* for people */
};

/**
 * options_print - print a result in the form that is asked for
 */
void options_print(const struct options *options, const struct forms *forms, const void *result);

/**
 * options_window - the window to observe in a trace that is about to be read
 *
 * Its end is not known yet: without --time it is the end of time. Ends the
 * program if the trace is empty or the window lies before it.
 */
struct window options_window(const struct options *options, const struct trace_info *trace);

/**
 * options_check_window - end the program if the window lies behind the trace
 * @trace: read to its end
 */
void options_check_window(struct window window, const struct trace_info *trace);

/**
 * options_check_known - end the program if a --vgpu or --engine is in no event
 * @model: of a trace that was read to its end
 */
void options_check_known(const struct options *options, const struct model *model);

#endif
