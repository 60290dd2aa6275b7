// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "trace/util.h"
#include "streams-private.h"

/* default distance of preemption points, unless the shortest workload is shorter */
#define USUAL_PIECE_NS	NSEC_PER_MSEC
/*
 * Until its preemption, a workload runs for a multiple of the wanted distance, plus a short
 * time to start and stop. The distance has this lower bound; times may deviate by a part of it,
 * and errors add up over several distances.
 */
#define LEAST_PIECE_NS	50000
#define OFF_PIECE	0.05
#define START_PART	0.1
#define START_NS	20000
#define MOST_PIECES	16

static int64_t shortest(const GArray *lives)
{
	int64_t least = USUAL_PIECE_NS;

	for (guint nr = 0; nr < lives->len; nr++)
		least = MIN(least, life_at(lives, nr)->exec_ns);
	return least;
}

/* sums for a regression line of times by their number of pieces */
struct stay_sums {
	double n, pieces, ns, pieces_pieces, pieces_ns;
};

static double pieces_of(double stay_ns, double piece_ns)
{
	return MAX(round(stay_ns / piece_ns), 1);
}

static struct stay_sums fit_stays(const GArray *stays, double piece_ns)
{
	struct stay_sums fit = { 0 };

	for (guint nr = 0; nr < stays->len; nr++) {
		double ns = g_array_index(stays, int64_t, nr), pieces = pieces_of(ns, piece_ns);

		if (pieces > MOST_PIECES)
			continue;
		fit.n++;
		fit.pieces += pieces;
		fit.ns += ns;
		fit.pieces_pieces += pieces * pieces;
		fit.pieces_ns += pieces * ns;
	}
	return fit;
}

/* The best-fitting piece, @piece_ns as the first guess; 0: the times are no multiples of one */
static double fitted_piece(const GArray *stays, double piece_ns)
{
	struct stay_sums fit = fit_stays(stays, piece_ns);
	double spread = fit.n * fit.pieces_pieces - fit.pieces * fit.pieces, start_ns, stray = 0;
	double fitted_ns = (fit.n * fit.pieces_ns - fit.pieces * fit.ns) / spread;

	/* if all are equally long, the piece may be any fraction of that */
	if (fit.n < FEW || !(spread > 0))
		return 0;
	start_ns = (fit.ns - fitted_ns * fit.pieces) / fit.n;
	for (guint nr = 0; nr < stays->len; nr++) {
		double ns = g_array_index(stays, int64_t, nr), pieces = pieces_of(ns, piece_ns);

		stray += pieces <= MOST_PIECES &&
			 fabs(ns - start_ns - pieces * fitted_ns) > OFF_PIECE * fitted_ns;
	}
	if (stray > STRAY_PART * fit.n || fabs(start_ns) > MAX(START_PART * fitted_ns, START_NS))
		return 0;
	return fitted_ns;
}

/* the longest piece that explains the preemptions; 0: none does, or there are too few */
static int64_t find_piece(GArray *stays)
{
	double least_ns, piece_ns;

	if (stays->len < FEW)
		return 0;
	g_array_sort(stays, numbers_compare);
	least_ns = numbers_at(stays, STRAY_PART);
	for (double parts = 1; least_ns / parts >= LEAST_PIECE_NS; parts++) {
		piece_ns = fitted_piece(stays, least_ns / parts);
		if (piece_ns >= LEAST_PIECE_NS)
			return llround(piece_ns);
	}
	return 0;
}

/*
 * A preemption proves that workloads can be preempted; without any, perhaps no other vGPU
 * wanted their engine.
 */
void pieces_guess(const struct queue *queue, struct stream *stream, bool preemptive)
{
	int64_t piece_ns = find_piece(queue->stays);

	stream->piece_ns = piece_ns ? piece_ns : shortest(queue->lives);
	if (preemptive && !queue->preempted)
		stream->doubts |= 1u << STREAM_NEVER_PREEMPTED;
	else if (!piece_ns)
		stream->doubts |= 1u << STREAM_GUESSED_PIECES;
}
