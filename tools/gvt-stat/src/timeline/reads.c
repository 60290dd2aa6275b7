// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "reads.h"

#define MSR_PP1_ENERGY_STATUS	0x641
/* the counter is updated so often */
#define UPDATE_NS		976562

struct early_read {
	int64_t at_ns;
	uint64_t count;
};

/*
 * Two reads that are closer than updates are: if they see the same count, the later one has no news;
 * if they do not, the update was between them.
 */
static void add(struct reads *reads, int64_t at_ns, uint64_t count, GArray *meters)
{
	struct energy_sample sample = {
		.counter = { "msr:read_msr", reads->unit_nj, (uint64_t)UINT32_MAX + 1 }, .count = count,
		.gpu = { UNKNOWN, UNKNOWN, UNKNOWN },
	};
	bool close = known(reads->at_ns) && at_ns - reads->at_ns < UPDATE_NS;

	if (close && count != reads->count)
		sample.edge_ns = at_ns - reads->at_ns;
	if (!close || sample.edge_ns)
		meters_add(meters, &sample, at_ns - sample.edge_ns / 2);
	reads->at_ns = at_ns;
	reads->count = count;
}

static void set_unit(struct reads *reads, uint64_t units, GArray *meters)
{
	reads->unit_nj = NJ_PER_J / (1U << (units >> 8 & 0x1f));
	for (guint nr = 0; nr < reads->early->len; nr++) {
		const struct early_read *early = &g_array_index(reads->early, struct early_read, nr);

		add(reads, early->at_ns, early->count, meters);
	}
	g_array_set_size(reads->early, 0);
}

void reads_event(struct reads *reads, const struct event *event, GArray *meters)
{
	const struct msr_event *msr = &event->msr;
	struct early_read read = { event->ts_ns, (uint64_t)msr->val & UINT32_MAX };

	if (known(msr->failed) && msr->failed)
		return;
	if (msr->msr == MSR_RAPL_POWER_UNIT && msr->val)
		set_unit(reads, msr->val, meters);
	else if (msr->msr == MSR_PP1_ENERGY_STATUS && reads->unit_nj)
		add(reads, read.at_ns, read.count, meters);
	else if (msr->msr == MSR_PP1_ENERGY_STATUS)
		g_array_append_val(reads->early, read);
}

void reads_init(struct reads *reads)
{
	*reads = (struct reads) {
		.early = g_array_new(FALSE, FALSE, sizeof(struct early_read)), .at_ns = UNKNOWN,
	};
}

void reads_clear(struct reads *reads)
{
	g_array_free(reads->early, TRUE);
}
