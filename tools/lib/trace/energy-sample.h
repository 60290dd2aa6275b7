/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reading of the GPU's energy counter, as 'gvt-stat record --energy' writes it into the trace:
 * a mark (ftrace:print) of one line that any recorder may write.
 *
 *   gvt_energy: source=NAME unit_nj=X range=N counter=N age_ns=N edge_ns=N
 *
 * counter, unit_nj and source are required; a reader ignores words that it does not know. Some
 * have i915's counters, too (perf's PMU i915):
 *
 *   rc6_ns=N awake_ns=N mhz_s=N
 */
#ifndef GVTTRACE_TRACE_ENERGY_SAMPLE_H
#define GVTTRACE_TRACE_ENERGY_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#define NJ_PER_J		1e9
#define ENERGY_PREFIX		"gvt_energy: "
#define ENERGY_FIXED_LEN	128
#define ENERGY_TEXT_LEN		(ENERGY_FIXED_LEN + 192)
#define ENERGY_SOURCE_LEN	16

/* what a count means */
struct energy_counter {
	char source[ENERGY_SOURCE_LEN];	/* "perf", "powercap", "msr": letters and digits */
	double unit_nj;			/* of a count, in nJ; above 0 */
	uint64_t range;			/* it goes from range - 1 to 0; 0: it never does */
};

/* i915's counters since any time; UNKNOWN: not read */
struct energy_gpu {
	int64_t rc6_ns;			/* in RC6 */
	int64_t awake_ns;		/* i915 kept the GPU awake */
	int64_t mhz_s;			/* the frequency, summed up while it was awake */
};

/* a reading */
struct energy_sample {
	struct energy_counter counter;
	uint64_t count;
	int64_t age_ns;			/* from the read to the mark */
	int64_t edge_ns;		/* the count came within so much before the read, as an */
					/* earlier read saw another one; 0: not known */
	struct energy_gpu gpu;
};

/**
 * energy_sample_fixed, energy_sample_text - write the line: what is the same in all of a counter,
 * and all of it
 * @fixed, @text: buffers of ENERGY_FIXED_LEN and ENERGY_TEXT_LEN bytes
 */
void energy_sample_fixed(char *fixed, const struct energy_counter *counter);
void energy_sample_text(char *text, const char *fixed, const struct energy_sample *sample);

/**
 * energy_sample_parse - read such a line; what is after its first line is ignored
 *
 * Returns false if a word is missing, or its value is none that a counter can have.
 */
bool energy_sample_parse(const char *text, struct energy_sample *sample);

/**
 * energy_same_counter - do two samples name the same counter?
 */
bool energy_same_counter(const struct energy_counter *a, const struct energy_counter *b);

/**
 * energy_step - what was counted between two samples, the counter having wrapped around at most once
 * @past_ns: the time between them
 * @counts: set
 *
 * Returns false if the counter began anew: no GPU draws as much.
 */
bool energy_step(const struct energy_counter *counter, uint64_t before, uint64_t now, int64_t past_ns,
		 uint64_t *counts);

#endif
