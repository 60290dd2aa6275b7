/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace in the Common Trace Format 1.8.3: a stream for each CPU, as LTTng's traces of
 * kernels have them. The format's own library, libbabeltrace2, writes 64 bits of class and of
 * time before each event: with it, the same takes nearly twice as much room and time.
 */
#ifndef GVT_STAT_CTF_WRITER_H
#define GVT_STAT_CTF_WRITER_H

#include <stdint.h>

struct ctf;
struct ctf_class;

enum ctf_type {
	CTF_UNSIGNED,
	CTF_SIGNED,
	CTF_TEXT,
};

/* a field of an event; its name is not from a trace */
struct ctf_field {
	const char *name;
	enum ctf_type type;
	unsigned int bits;		/* of a number; up to 64 */
};

/* its value; a text that is no UTF-8 is made that */
union ctf_value {
	int64_t number;
	const char *text;		/* NULL: "" */
};

/* what is told of the whole trace; ends with one without name */
struct ctf_fact {
	const char *name;
	const char *text;		/* NULL: @number is it */
	int64_t number;
};

/* when and where an event was */
struct ctf_place {
	unsigned int cpu;
	int64_t ts_ns;			/* not before that of the event before, of any CPU */
	int64_t tid;			/* thread; -1: not known */
};

/* the file beside those of the streams */
#define CTF_METADATA		"metadata"

/**
 * ctf_open - begin a trace
 * @path: of its directory, which is there and has no files; must outlive the trace
 */
struct ctf *ctf_open(const char *path, const struct ctf_fact *facts);

/**
 * ctf_class_new - a kind of event; lives as long as the trace
 */
struct ctf_class *ctf_class_new(struct ctf *ctf, const char *name, const struct ctf_field *fields,
				unsigned int count);

/**
 * ctf_event - write an event
 * @values: one for each field
 *
 * Returns 0, or the errno of what could not be written, perhaps of an event before.
 */
int ctf_event(struct ctf *ctf, struct ctf_class *class, const struct ctf_place *place,
	      const union ctf_value *values);

/**
 * ctf_discarded - events of a CPU were lost, from @from_ns to @to_ns at most
 * @count: so many; negative: not known
 *
 * Returns 0 or an errno as ctf_event().
 */
int ctf_discarded(struct ctf *ctf, unsigned int cpu, int64_t from_ns, int64_t to_ns,
		  int64_t count);

/**
 * ctf_close - write what is left, and free it
 *
 * Returns 0 or an errno as ctf_event().
 */
int ctf_close(struct ctf *ctf);

#endif
