// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "trace/util.h"
#include "streams-private.h"

/* where nothing is known, workloads are taken off this often, or at the shortest one's end */
#define USUAL_PIECE_NS	NSEC_PER_MSEC
/*
 * Until workloads are taken off they execute for a multiple of the distance that is looked for,
 * and some time to start and stop, which is short. The distance is no less than this; times may be
 * off by a part of it, and beyond some distances errors add up.
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

/* sums for a line through the times, by how many pieces they are */
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

/* The piece that fits best, with @piece_ns at first a guess; 0: they are no multiples of one */
static double fitted_piece(const GArray *stays, double piece_ns)
{
	struct stay_sums fit = fit_stays(stays, piece_ns);
	double spread = fit.n * fit.pieces_pieces - fit.pieces * fit.pieces, start_ns, stray = 0;
	double fitted_ns = (fit.n * fit.pieces_ns - fit.pieces * fit.ns) / spread;

	/* if all are as long, that may be any part of it */
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

/*
 * the greatest piece that explains when workloads were taken off; 0: none does, or they tell too
 * little
 */
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
 * That workloads can be taken off is seen where they were; where they were not, it may be that
 * nobody else wanted their engine
 */
void pieces_guess(const struct queue *queue, struct stream *stream, bool preemptive)
{
	int64_t piece_ns = find_piece(queue->stays);

	stream->piece_ns = piece_ns ? piece_ns : shortest(queue->lives);
	if (preemptive && !queue->taken_off)
		stream->doubts |= 1u << STREAM_NEVER_TAKEN_OFF;
	else if (!piece_ns)
		stream->doubts |= 1u << STREAM_GUESSED_PIECES;
}
