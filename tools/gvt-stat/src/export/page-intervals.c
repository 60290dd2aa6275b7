// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>

#include <glib.h>

#include "bits.h"
#include "page-intervals.h"

#define BEGIN_SHIFT	4
#define END_SHIFT	7
#define WHAT_SHIFT	9

/* intervals that differ only in their times */
struct sort {
	unsigned int lane;
	uint64_t code;
	unsigned int nr;
	const struct page_lane *then;	/* lane of the next interval, last time; NULL: none yet */
	struct sort *next;		/* sort after it on the lane, last time; first: unused */
	struct bits_usual end;
	struct bits_usual length;	/* of a counter: of its samples */
};

#define NO_CODE		UINT64_MAX

struct page_lane {
	unsigned int nr;
	int64_t until_ns;
	int64_t value;			/* last sample of a counter */
	struct sort *last;
	struct sort none;		/* before the first interval */
};

struct page_intervals {
	struct bits *bits;
	GPtrArray *lanes;		/* struct page_lane, by number */
	GHashTable *sorts;		/* set of struct sort */
	struct sort *last;
	struct sort none;		/* before the first interval */
	int64_t origin_ns;
	int64_t clock_ns;		/* end of the last interval */
	int64_t recent_ns, earlier_ns;
	int64_t workload;
	struct bits_usual usual_lane, usual_sort, usual_code, usual_id;
};

static guint sort_hash(gconstpointer data)
{
	const struct sort *sort = data;
	uint64_t mixed = (sort->code * 1024 + sort->lane) * UINT64_C(0x9e3779b97f4a7c15);

	return mixed >> 32;
}

static gboolean sort_equal(gconstpointer a, gconstpointer b)
{
	const struct sort *one = a, *other = b;

	return one->lane == other->lane && one->code == other->code;
}

struct page_intervals *page_intervals_new(FILE *out, int64_t origin_ns)
{
	struct page_intervals *intervals = g_new0(struct page_intervals, 1);

	intervals->bits = bits_new(out);
	intervals->lanes = g_ptr_array_new_with_free_func(g_free);
	intervals->sorts = g_hash_table_new_full(sort_hash, sort_equal, g_free, NULL);
	intervals->origin_ns = intervals->clock_ns = origin_ns;
	intervals->recent_ns = intervals->earlier_ns = origin_ns;
	intervals->last = &intervals->none;
	return intervals;
}

void page_intervals_free(struct page_intervals *intervals)
{
	bits_free(intervals->bits);
	g_hash_table_destroy(intervals->sorts);
	g_ptr_array_free(intervals->lanes, TRUE);
	g_free(intervals);
}

struct page_lane *page_intervals_lane(struct page_intervals *intervals)
{
	struct page_lane *lane = g_new0(struct page_lane, 1);

	lane->nr = intervals->lanes->len;
	lane->until_ns = intervals->origin_ns;
	lane->none.code = NO_CODE;
	lane->none.next = lane->last = &lane->none;
	g_ptr_array_add(intervals->lanes, lane);
	return lane;
}

static struct sort *new_sort(struct page_intervals *intervals, struct page_lane *lane, uint64_t code)
{
	struct sort *sort = g_new0(struct sort, 1);

	sort->lane = lane->nr;
	sort->code = code;
	sort->next = &lane->none;
	sort->nr = g_hash_table_size(intervals->sorts);
	g_hash_table_add(intervals->sorts, sort);
	return sort;
}

/* writes a sort that was not predicted */
static struct bits_place tell_sort(struct page_intervals *intervals, struct bits_place place,
				   struct page_lane *lane, uint64_t code, struct sort **sort)
{
	const struct sort key = { .lane = lane->nr, .code = code };
	bool known;

	*sort = g_hash_table_lookup(intervals->sorts, &key);
	known = *sort;
	if (!known)
		*sort = new_sort(intervals, lane, code);
	bits_number(&place, &intervals->usual_sort, (*sort)->nr);
	if (!known)
		bits_number(&place, &intervals->usual_code, code);
	return place;
}

/* the first match in order of the enum; assigning in reverse avoids branches */
static enum page_begin begin_of(const struct page_intervals *intervals, const struct page_lane *lane,
				int64_t from_ns)
{
	enum page_begin begin = PAGE_BEGIN_TOLD;

	begin = from_ns == intervals->earlier_ns ? PAGE_BEGIN_EARLIER : begin;
	begin = from_ns == intervals->recent_ns ? PAGE_BEGIN_RECENT : begin;
	begin = from_ns == intervals->clock_ns ? PAGE_BEGIN_LAST : begin;
	return from_ns == lane->until_ns ? PAGE_BEGIN_LANE : begin;
}

static enum page_end end_of(const struct page_intervals *intervals, int64_t to_ns)
{
	return to_ns == intervals->clock_ns ? PAGE_END_LAST :
	       to_ns > intervals->clock_ns ? PAGE_END_LATER : PAGE_END_EARLIER;
}

static void tell_end(struct page_intervals *intervals, struct bits_place *place, struct sort *sort,
		     int64_t to_ns)
{
	uint64_t later_ns = (uint64_t)to_ns - (uint64_t)intervals->clock_ns;

	if (to_ns != intervals->clock_ns)
		bits_number(place, &sort->end, to_ns > intervals->clock_ns ? later_ns : -later_ns);
	intervals->clock_ns = to_ns;
}

static void tell_begin(struct page_intervals *intervals, struct bits_place *place,
		       struct sort *sort, enum page_begin begin, int64_t from_ns, int64_t to_ns)
{
	if (begin != PAGE_BEGIN_TOLD)
		return;
	bits_number(place, &sort->length, (uint64_t)to_ns - (uint64_t)from_ns);
	intervals->earlier_ns = intervals->recent_ns;
	intervals->recent_ns = from_ns;
}

static void tell_workload(struct page_intervals *intervals, struct bits_place *place, int64_t id)
{
	bits_signed(place, &intervals->usual_id,
		    (int64_t)((uint64_t)id - (uint64_t)intervals->workload));
	intervals->workload = id;
}

static void tell_expected(struct bits_place *place, bool same_lane, bool same_sort)
{
	if (same_lane)
		bits_put(place, same_sort ? 1 : 2, same_sort ? 1 : 2);
	else
		bits_put(place, same_sort << 2, 3);
}

/* shared by intervals and samples; returns the sort. Inline, to keep *@place in registers */
static G_ALWAYS_INLINE inline struct sort *
tell_where(struct page_intervals *intervals, struct bits_place *place, struct page_lane *lane,
	   uint64_t what, unsigned int begin_and_limits, int64_t to_ns)
{
	struct sort *sort = lane->last->next;
	uint64_t code = what << WHAT_SHIFT | end_of(intervals, to_ns) << END_SHIFT | begin_and_limits;
	bool same_lane = intervals->last->then == lane, same_sort = sort->code == code;

	tell_expected(place, same_lane, same_sort);
	if (!same_lane)
		bits_number(place, &intervals->usual_lane, lane->nr);
	if (!same_sort)
		*place = tell_sort(intervals, *place, lane, code, &sort);
	tell_end(intervals, place, sort, to_ns);
	return sort;
}

static void remember(struct page_intervals *intervals, struct page_lane *lane, struct sort *sort,
		     int64_t until_ns)
{
	intervals->last->then = lane;
	lane->last->next = sort;
	intervals->last = lane->last = sort;
	lane->until_ns = until_ns;
}

void page_intervals_add(struct page_intervals *intervals, struct page_lane *lane, uint64_t what,
			unsigned int limits, int64_t from_ns, int64_t to_ns,
			const int64_t *workload)
{
	enum page_begin begin = begin_of(intervals, lane, from_ns);
	struct bits_place place = bits_begin(intervals->bits);
	struct sort *sort = tell_where(intervals, &place, lane, what, begin << BEGIN_SHIFT | limits,
				       to_ns);

	tell_begin(intervals, &place, sort, begin, from_ns, to_ns);
	if (workload)
		tell_workload(intervals, &place, *workload);
	bits_end(intervals->bits, place);
	remember(intervals, lane, sort, to_ns);
}

/* the smaller difference; other counters than times may run down by chance, too */
static enum page_sample sample_of(int64_t change, int64_t passed_ns)
{
	return change < 0 && bits_fold(change + passed_ns) < bits_fold(change) ? PAGE_SAMPLE_RAN_DOWN :
										 PAGE_SAMPLE_CHANGED;
}

void page_intervals_sample(struct page_intervals *intervals, struct page_lane *counter, int64_t at_ns,
			   int64_t value)
{
	int64_t change = (int64_t)((uint64_t)value - (uint64_t)counter->value);
	int64_t passed_ns = at_ns - counter->until_ns;
	enum page_sample how = sample_of(change, passed_ns);
	struct bits_place place = bits_begin(intervals->bits);
	struct sort *sort = tell_where(intervals, &place, counter, how,
				       PAGE_BEGIN_LANE << BEGIN_SHIFT, at_ns);

	bits_signed(&place, &sort->length, how == PAGE_SAMPLE_RAN_DOWN ? change + passed_ns : change);
	bits_end(intervals->bits, place);
	remember(intervals, counter, sort, at_ns);
	counter->value = value;
}

uint64_t page_intervals_size(const struct page_intervals *intervals)
{
	return bits_size(intervals->bits);
}
