/* SPDX-License-Identifier: GPL-2.0-only */
/* The model that is simulated, from a text file: README.md has its words */
#ifndef GVT_SIM_MODEL_H
#define GVT_SIM_MODEL_H

#include <stdio.h>

#include "guest.h"

#define MODEL_STREAMS 64
/* Of all streams: what 256 MB hold */
#define MODEL_WORK 8000000

/**
 * struct model_vgpu - a vGPU; @weight 0: there is none
 */
struct model_vgpu {
	s64 weight;
	s64 nice;
	s64 cap;
	s64 preempt;
	s64 start_ns;
};

/**
 * struct model_stream - a stream, as struct sim_stream has it; @vgpu 0: the host's
 */
struct model_stream {
	s64 vgpu;
	struct sim_stream s;
	const char *engine;
	u64 room;
};

/**
 * struct model - what is simulated
 * @warmup_ns: for so long before events are told
 * @duration_ns: for so long they are told
 * @window_ns: so long is looked at,
 * @gap_ns: then, for so long, streams come into another phase, then it is looked at again; 0: at all of it
 * @limit: give up after so many happenings in the simulation
 * @events: names of those that are told, NULL for all
 * @vgpu: by id
 * @stream: the streams
 * @streams: how many
 * @host: some are the host's
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
 * @file: to read, up to its end
 * @name: its name, for messages
 *
 * Ends the program with a message that names the line if it is not good.
 */
void model_read(struct model *model, FILE *file, const char *name);

/**
 * model_setting - set a setting of the scheduler that is a number
 *
 * Return: false if there is none of that name, or it cannot have that value.
 */
bool model_setting(const char *name, s64 value);

#endif
