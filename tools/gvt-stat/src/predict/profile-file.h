/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles: the workloads of an application and its performance alone, which 'gvt-stat profile'
 * takes from a solo recording. A profile is text, one fact per line; gvt-stat-profile(1) documents
 * the format.
 */
#ifndef GVT_STAT_PROFILE_FILE_H
#define GVT_STAT_PROFILE_FILE_H

#include <stdint.h>
#include <stdio.h>

#include <glib.h>

#include "analysis/streams.h"
#include "model/model.h"

/* of the format; the reader accepts no other version */
#define PROFILE_VERSION	2

/* performance of an application on an engine without other vGPUs */
struct profile_solo {
	int64_t completed;		/* workloads */
	int64_t exec_ns;
	int64_t mean_ns;		/* mean latency, from queueing to the end of execution */
	int64_t p95_ns;
};

/* a point of a sensitivity curve: the others' memory demand, and the resulting execution time */
struct profile_beside {
	int64_t mbps;
	int64_t ppm;			/* execution time in millionths of that alone */
};

/* beyond the bandwidth of any memory */
#define PROFILE_MOST_MBPS	1000000

/* beyond any real slowdown */
#define PROFILE_MOST_SLOWDOWN	1000

/* maximum number of points in a curve */
#define PROFILE_MOST_BESIDE	7

/* the workloads of an application on one engine */
struct profile_stream {
	struct stream stream;		/* its vgpu and engine point into the profile */
	struct gpu_engine engine;	/* only class and instance are set */
	struct profile_solo solo;
	int64_t mbps;			/* memory demand while executing; UNKNOWN: not recorded */
	GArray *beside;			/* struct profile_beside, by mbps; none: not calibrated */
};

struct profile {
	char *path;
	char *name;			/* of the file, without directories and ".profile" */
	struct vgpu vgpu;		/* only weight and settings are set; may be UNKNOWN */
	int64_t window_ns;		/* length of the recording */
	int64_t lost;			/* number of gaps of lost events in the recording */
	GPtrArray *settings;		/* pairs of char *: name as in sysfs, value */
	GPtrArray *streams;		/* struct profile_stream, at least one; each has work */
	GPtrArray *owned;		/* struct stream: contexts and alternatives read */
};

/**
 * profile_stream_new - create a stream with neither work nor a curve; profile_free() frees
 */
struct profile_stream *profile_stream_new(struct profile *profile);

/**
 * profile_new - create a profile without streams
 * @path: of its file
 *
 * profile_free() frees.
 */
struct profile *profile_new(const char *path);
void profile_free(struct profile *profile);

/**
 * profile_parse - read a profile
 * @path: for messages
 * @problem: set on errors: "PATH:LINE: FIELD: what is wrong, and what to do"; the caller frees
 *
 * Returns NULL on errors; profile_free() frees.
 */
struct profile *profile_parse(FILE *stream, const char *path, char **problem);

/**
 * profile_read - read the profile in a file, or end the program with a message
 */
struct profile *profile_read(const char *path);

/**
 * profile_write - write a profile
 *
 * The caller checks ferror() for write errors.
 */
void profile_write(const struct profile *profile, FILE *stream);

/**
 * profile_save - write a profile to a file, or end the program with a message
 * @path: of the file; - is the standard output
 */
void profile_save(const struct profile *profile, const char *path);

#endif
