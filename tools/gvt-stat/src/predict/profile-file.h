/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles: what an application submits, and what it had of the GPU alone, as 'gvt-stat
 * profile' makes them of a solo recording. They are text, a line per fact; gvt-stat-profile(1)
 * documents them.
 */
#ifndef GVT_STAT_PROFILE_FILE_H
#define GVT_STAT_PROFILE_FILE_H

#include <stdint.h>
#include <stdio.h>

#include <glib.h>

#include "analysis/streams.h"
#include "model/model.h"

/* of the format; a reader knows this one alone */
#define PROFILE_VERSION	2

/* what an application had of an engine while it was alone */
struct profile_solo {
	int64_t completed;		/* workloads */
	int64_t exec_ns;
	int64_t mean_ns;		/* of the latencies, from queueing to the end of execution */
	int64_t p95_ns;
};

/* a point of a sensitivity curve: what others ask of the memory, and what that does */
struct profile_beside {
	int64_t mbps;
	int64_t ppm;			/* millionths of the time alone that workloads execute */
};

/* more than any memory has */
#define PROFILE_MOST_MBPS	1000000

/* slower than anything becomes */
#define PROFILE_MOST_SLOWDOWN	1000

/* so many are in a curve at most */
#define PROFILE_MOST_BESIDE	7

/* what it does on one engine */
struct profile_stream {
	struct stream stream;		/* its vgpu and engine are the two here */
	struct gpu_engine engine;	/* class and instance alone */
	struct profile_solo solo;
	int64_t mbps;			/* asked of the memory while it executes; UNKNOWN: not told */
	GArray *beside;			/* struct profile_beside, by mbps; none: not calibrated */
};

struct profile {
	char *path;
	char *name;			/* of the file, without directories and ".profile" */
	struct vgpu vgpu;		/* weight and settings alone; UNKNOWN: not told */
	int64_t window_ns;		/* of the recording */
	int64_t lost;			/* places at which events were lost in it */
	GPtrArray *settings;		/* pairs of char *: name as in sysfs, value */
	GPtrArray *streams;		/* struct profile_stream, at least one; each has work */
	GPtrArray *owned;		/* struct stream: other contexts, and other kinds, that were read */
};

/**
 * profile_stream_new - one with neither work nor a curve; profile_free() frees
 */
struct profile_stream *profile_stream_new(struct profile *profile);

/**
 * profile_new - one with no streams yet
 * @path: of its file
 *
 * profile_free() frees.
 */
struct profile *profile_new(const char *path);
void profile_free(struct profile *profile);

/**
 * profile_parse - read a profile
 * @path: to be told
 * @problem: set if there is one: "PATH:LINE: FIELD: what is wrong, and what to do"; the caller frees
 *
 * Returns NULL if it is none; profile_free() frees.
 */
struct profile *profile_parse(FILE *stream, const char *path, char **problem);

/**
 * profile_read - read the profile in a file, or end the program with a message
 */
struct profile *profile_read(const char *path);

/**
 * profile_write - write a profile
 *
 * Whether all could be written, ferror() tells.
 */
void profile_write(const struct profile *profile, FILE *stream);

/**
 * profile_save - write the file of a profile, or end the program with a message
 * @path: of it; - is the standard output
 */
void profile_save(const struct profile *profile, const char *path);

#endif
