/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the Common Trace Format 1.8.3, with a stream for each CPU as in LTTng's kernel traces.
 * The format's own library, libbabeltrace2, writes 64 bits each for class and time before every
 * event, which nearly doubles size and time.
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

/* a field of an event; its name is not from a trace, and thus trusted */
struct ctf_field {
	const char *name;
	enum ctf_type type;
	unsigned int bits;		/* size of a number; up to 64 */
};

/* a field's value; invalid UTF-8 in a text is replaced */
union ctf_value {
	int64_t number;
	const char *text;		/* NULL: "" */
};

/* an entry of the trace's environment; an entry without name ends an array */
struct ctf_fact {
	const char *name;
	const char *text;		/* NULL: the value is @number */
	int64_t number;
};

/* time and origin of an event */
struct ctf_place {
	unsigned int cpu;
	int64_t ts_ns;			/* not before the previous event of any CPU */
	int64_t tid;			/* thread; -1: unknown */
};

/* name of the metadata file */
#define CTF_METADATA		"metadata"

/**
 * ctf_open - begin a trace
 * @path: of an existing directory without files; must outlive the trace
 */
struct ctf *ctf_open(const char *path, const struct ctf_fact *facts);

/**
 * ctf_class_new - create a class of events, which lives as long as the trace
 */
struct ctf_class *ctf_class_new(struct ctf *ctf, const char *name, const struct ctf_field *fields,
				unsigned int count);

/**
 * ctf_event - write an event
 * @values: one for each field
 *
 * Returns 0, or the errno of a write error, possibly of an earlier event.
 */
int ctf_event(struct ctf *ctf, struct ctf_class *class, const struct ctf_place *place,
	      const union ctf_value *values);

/**
 * ctf_discarded - record that events of a CPU were lost between @from_ns and @to_ns
 * @count: number of lost events; negative: unknown
 *
 * Returns 0 or an errno as ctf_event().
 */
int ctf_discarded(struct ctf *ctf, unsigned int cpu, int64_t from_ns, int64_t to_ns,
		  int64_t count);

/**
 * ctf_close - write the rest, and free the trace
 *
 * Returns 0 or an errno as ctf_event().
 */
int ctf_close(struct ctf *ctf);

#endif
