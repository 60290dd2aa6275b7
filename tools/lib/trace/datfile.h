/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a trace.dat file before libtracecmd opens it.
 *
 * The library of Debian 12 crashes on some damaged files, says little about
 * the others, and has no public call for the clock of a trace. This reads
 * only the file's table of contents (trace-cmd.dat.v6(5), trace-cmd.dat.v7(5)).
 * A file of any other version is left to libtracecmd.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_DATFILE_H
#define GVTTRACE_DATFILE_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* the maximum of Linux; a file with more CPUs is damaged */
#define DATFILE_CPUS_MAX 8192

#define CLOCK_NAME_LEN	32
#define VERSION_LEN	4

/* the events of one CPU in one buffer instance */
struct datfile_place {
	int buffer;			/* 0: top; then in file order */
	int cpu;
	uint64_t offset;
	uint64_t size;			/* in the file */
	bool compressed;
};

struct datfile {
	uint64_t size;
	char unknown_version[VERSION_LEN];	/* of a file not checked further; else "" */
	char clock[CLOCK_NAME_LEN];	/* "" if not in the file */
	bool tsc_to_ns;			/* libtracecmd converts cycles to nanoseconds */
	bool traceclock;		/* in recordings, but not in files from trace-cmd split */
	/*
	 * The events are pages of the ring buffer, plain or compressed by zstd, their times
	 * need no conversion, and all are in @places.
	 */
	bool plain;
	GArray *places;			/* struct datfile_place */
	GPtrArray *names;		/* of the buffers: char *; "": the top one */
	GArray *stats;			/* struct cpustat */
	unsigned int page_size;
	unsigned int long_size;		/* of the traced kernel: 4 or 8 */
	bool big_endian;
	unsigned int odd_option;	/* first one libtracecmd may not understand; 0: none */
	uint32_t odd_size;		/* its size */
};

/**
 * datfile_check - check that a file is a complete trace.dat and find its clock
 * @path: the file
 * @info: filled; datfile_clear() frees
 *
 * Ends the program with a message if the file is damaged.
 */
void datfile_check(const char *path, struct datfile *info);
void datfile_clear(struct datfile *info);

/**
 * datfile_read - read exactly @len bytes at @pos, or end the program with a message
 * @path: of the file, for the message
 */
void datfile_read(const char *path, int fd, uint64_t pos, void *data, size_t len);

/* file to host byte order */
static inline uint16_t datfile_u16(uint16_t value, bool big_endian)
{
	return big_endian ? be16toh(value) : le16toh(value);
}

static inline uint32_t datfile_u32(uint32_t value, bool big_endian)
{
	return big_endian ? be32toh(value) : le32toh(value);
}

static inline uint64_t datfile_u64(uint64_t value, bool big_endian)
{
	return big_endian ? be64toh(value) : le64toh(value);
}

#endif
