// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>

#include "trace/util.h"
#include "cases.h"
#include "rehearsal.h"

/* more windows would add little */
#define MOST_WINDOWS	5
/*
 * Preemptions per window in the simulation that make "never recorded" significant: where 3 are
 * expected, none happens in 5 % of the cases.
 */
#define LEAST_PREEMPTED	3

/* copies the user's facts about workloads, and the observer, without changes and added guests */
static void tell(struct whatif *told, const struct whatif *whatif, const GArray *guests)
{
	whatif_init(told);
	told->windows = MIN(whatif->windows, MOST_WINDOWS);
	told->observer = whatif->observer;
	for (unsigned int nr = 0; nr < whatif->vgpus->len; nr++) {
		const struct whatif_vgpu *vgpu = &g_array_index(whatif->vgpus, struct whatif_vgpu, nr);
		struct whatif_vgpu *of = whatif_vgpu(told, vgpu->id);

		of->depth = vgpu->depth;
		of->piece_ns = vgpu->piece_ns;
	}
	for (unsigned int nr = 0; nr < guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(guests, struct whatif_guest, nr);

		whatif_vgpu(told, guest->id)->without = guest->added;
	}
}

static bool is_told(const struct whatif *told, int64_t id)
{
	return known(whatif_find_vgpu(told, id)->piece_ns);
}

/* would preemptions have been recorded? */
static bool would_be_seen(const struct whatif_result *result, int64_t id, const struct stream *stream)
{
	const struct vgpu_engine *queue = result ? whatif_queue(result, id, stream->engine) : NULL;

	return queue && tally_of(result->tally, queue->index, result->windows)->preempted >=
			LEAST_PREEMPTED * result->windows;
}

/* settles the preemption points of streams that were never preempted; true: some changed */
static bool settle(const struct whatif *told, const struct mixture *mixture,
		   const struct whatif_result *result)
{
	bool changed = false;

	for (unsigned int nr = 0; nr < mixture->streams->len; nr++) {
		struct stream *stream = mixture->streams->pdata[nr];
		int64_t id = whatif_guest_of(mixture->guests, stream->vgpu)->id;

		if (!(stream->doubts & 1u << STREAM_NEVER_PREEMPTED))
			continue;
		if (would_be_seen(result, id, stream)) {
			stream->piece_ns = 0;
			changed |= !is_told(told, id);
			continue;
		}
		stream->doubts &= ~(1u << STREAM_NEVER_PREEMPTED);
		stream->doubts |= 1u << STREAM_GUESSED_PIECES;
	}
	return changed;
}

static struct whatif_result *run(const struct whatif *told, const struct mixture *mixture,
				 const char *simulator)
{
	char *problem = NULL;
	struct whatif_result *result = whatif_run(told, simulator, mixture, &problem);

	g_free(problem);
	return result;
}

struct whatif_result *rehearse(const struct whatif *whatif, const struct mixture *mixture,
			       const char *simulator,
			       const struct tally_cell *(*recorded)(const void *ctx,
								    const struct stream *stream),
			       const void *ctx)
{
	struct whatif_result *result;
	struct whatif told;

	tell(&told, whatif, mixture->guests);
	result = run(&told, mixture, simulator);
	if (settle(&told, mixture, result)) {
		whatif_result_free(result);
		result = run(&told, mixture, simulator);
	}
	if (result)
		cases_settle(&told, simulator, mixture, result, recorded, ctx);
	whatif_clear(&told);
	return result;
}
