/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulated model, read from a text file in the format of README.md */
#ifndef GVT_SIM_MODEL_H
#define GVT_SIM_MODEL_H

#include <stdio.h>

#include "guest.h"

#define MODEL_STREAMS 64
/* Limit over all streams: fills 256 MB */
#define MODEL_WORK 8000000

/**
 * struct model_vgpu - a vGPU; @weight 0: the vGPU does not exist
 */
struct model_vgpu {
	s64 weight;
	s64 nice;
	s64 cap;
	s64 preempt;
	s64 start_ns;
};

/**
 * struct model_stream - a stream, see struct sim_stream; @vgpu 0: the host's own work
 */
struct model_stream {
	s64 vgpu;
	struct sim_stream s;
	const char *engine;
	u64 room;
};

/**
 * struct model - everything to simulate
 * @warmup_ns: simulated before events are printed
 * @duration_ns: simulated while events are printed
 * @window_ns: length of a window
 * @gap_ns: gap between windows, in which the phases of the streams shift; 0: none
 * @limit: maximum number of callbacks of the simulation
 * @events: names of the events to print, NULL for all
 * @vgpu: by id
 * @stream: the streams
 * @streams: number of streams
 * @host: the host has streams
 */
struct model {
	s64 warmup_ns;
	s64 duration_ns;
	s64 window_ns;
	s64 gap_ns;
	s64 limit;
	char *events;
	struct model_vgpu vgpu[GVT_MAX_VGPU];
	struct model_stream stream[MODEL_STREAMS];
	int streams;
	bool host;
};

/**
 * model_read - read a model; settings go to sim_world, latencies to sim_latency
 * @model: receives the rest
 * @file: read to its end
 * @name: of the file, for messages
 *
 * Errors end the program with a message that names the line.
 */
void model_read(struct model *model, FILE *file, const char *name);

/**
 * model_setting - change a numeric setting of the scheduler
 *
 * Return: false if the setting does not exist or cannot have this value.
 */
bool model_setting(const char *name, s64 value);

#endif
