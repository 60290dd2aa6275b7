/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reading of the GPU's energy counter, as 'gvt-stat record --energy' writes it into the trace:
 * a mark (ftrace:print) of one line that any recorder may write.
 *
 *   gvt_energy: counter=N unit_nj=X range=N source=NAME age_ns=N edge_ns=N
 *
 * counter, unit_nj and source are required; a reader ignores words that it does not know.
 */
#ifndef GVT_STAT_ENERGY_SAMPLE_H
#define GVT_STAT_ENERGY_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#define ENERGY_PREFIX		"gvt_energy: "
#define ENERGY_TEXT_LEN		256
#define ENERGY_SOURCE_LEN	16

/* what a count means */
struct energy_counter {
	char source[ENERGY_SOURCE_LEN];	/* "perf", "powercap", "msr": letters and digits */
	double unit_nj;			/* of a count, in nJ; above 0 */
	uint64_t range;			/* it goes from range - 1 to 0; 0: it never does */
};

struct energy_sample {
	struct energy_counter counter;
	uint64_t count;
	int64_t age_ns;			/* from the read to the mark */
	int64_t edge_ns;		/* the count came within so much before the read, as an */
					/* earlier read saw another one; 0: not known */
};

/**
 * energy_sample_text - write the line
 * @text: buffer of ENERGY_TEXT_LEN bytes
 */
void energy_sample_text(char *text, const struct energy_sample *sample);

/**
 * energy_sample_parse - read such a line; what is after its first line is ignored
 *
 * Returns false if a word is missing, or its value is none that a counter can have.
 */
bool energy_sample_parse(const char *text, struct energy_sample *sample);

#endif
