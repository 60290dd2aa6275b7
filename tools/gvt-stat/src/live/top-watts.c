// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "energy/fit.h"
#include "energy/share.h"
#include "host/counters.h"
#include "timeline/portions.h"
#include "trace/util.h"
#include "top-watts.h"

/* so many intervals are looked at: a minute, by default */
#define INTERVALS	60
/* a fit of more takes too long for a screen */
#define CONSUMERS_MAX	50
/* less than that of all energy is certain enough, however far off it is */
#define CERTAIN_OF_ALL	0.05
/*
 * Powers of loads that hardly change are not separated: what is left to the fit is who executed beside
 * whom, which the counters do not tell, and which is the same in all intervals: no range shows it.
 */
#define CONDITION_MAX	30

/* a vGPU, or the host, on an engine */
struct user {
	char *uuid;
	char *engine;
};

/* an interval between two samples */
struct interval_energy {
	double nj;
	int64_t length_ns;
	bool unsure;			/* counters of execution were reset, or are not known */
	GArray *busy_ns;			/* double by number of the user, as many as there were */
};

struct top_watts {
	GPtrArray *users;		/* struct user */
	GQueue *intervals;		/* struct interval_energy, the latest at its tail */
	struct portions *portions;	/* of the intervals; NULL: none yet, as the next three */
	struct fit *fit;
	struct shares *shares;
	double *part;			/* of the last interval's energy, by whose */
};

static void free_user(void *data)
{
	struct user *user = data;

	g_free(user->uuid);
	g_free(user->engine);
	g_free(user);
}

static void free_interval(void *data)
{
	struct interval_energy *interval = data;

	g_array_free(interval->busy_ns, TRUE);
	g_free(interval);
}

void top_watts_skip(struct top_watts *watts)
{
	if (!watts->portions)
		return;
	shares_free(watts->shares);
	fit_free(watts->fit);
	portions_free(watts->portions);
	g_free(watts->part);
	watts->portions = NULL;
}

struct top_watts *top_watts_new(void)
{
	struct top_watts *watts = g_new0(struct top_watts, 1);

	watts->users = g_ptr_array_new_with_free_func(free_user);
	watts->intervals = g_queue_new();
	return watts;
}

void top_watts_free(struct top_watts *watts)
{
	top_watts_skip(watts);
	g_ptr_array_free(watts->users, TRUE);
	g_queue_free_full(watts->intervals, free_interval);
	g_free(watts);
}

/* --- intervals -------------------------------------------------------------------------------- */

static guint user_of(struct top_watts *watts, const char *uuid, const char *engine)
{
	struct user *user;

	for (guint nr = 0; nr < watts->users->len; nr++) {
		user = watts->users->pdata[nr];
		if (!strcmp(user->uuid, uuid) && !strcmp(user->engine, engine))
			return nr;
	}
	user = g_new(struct user, 1);
	*user = (struct user) { g_strdup(uuid), g_strdup(engine) };
	g_ptr_array_add(watts->users, user);
	return watts->users->len - 1;
}

static void add_busy(struct top_watts *watts, struct interval_energy *interval, const struct vgpu_counters *old,
		     const struct vgpu_counters *now)
{
	for (guint nr = 0; nr < now->engines->len; nr++) {
		const struct engine_counters *engine = now->engines->pdata[nr];
		struct rate rate = rate_of_engine(old, now, engine);
		guint user = user_of(watts, now->uuid, engine->name);

		if (isnan(rate.exec_percent)) {
			interval->unsure = true;
			continue;
		}
		if (interval->busy_ns->len <= user)
			g_array_set_size(interval->busy_ns, user + 1);
		g_array_index(interval->busy_ns, double, user) = rate.exec_percent / 100 * interval->length_ns;
	}
}

static double busy_of(const struct interval_energy *interval, guint user)
{
	return user < interval->busy_ns->len ? g_array_index(interval->busy_ns, double, user) : 0;
}

/* the part of the time in which an engine, that of @first, did not execute; 1 for all other users of it */
static double idle_of_engine(const struct top_watts *watts, const struct interval_energy *interval, guint first)
{
	const struct user *user = watts->users->pdata[first];
	double busy_ns = 0;

	for (guint nr = 0; nr < watts->users->len; nr++) {
		const struct user *other = watts->users->pdata[nr];

		if (strcmp(other->engine, user->engine))
			continue;
		if (nr < first)
			return 1;
		busy_ns += busy_of(interval, nr);
	}
	return fmax(1 - busy_ns / interval->length_ns, 0);
}

static void add_interval(struct top_watts *watts, const struct interval_energy *interval)
{
	struct portions *portions = watts->portions;
	double *ns = g_new0(double, portions->quantities);

	/* counters do not tell how long no engine executed: as if engines did not care for each other */
	ns[PORTION_IDLE] = interval->length_ns;
	for (guint user = 0; user < watts->users->len; user++) {
		ns[portion_busy(portions, user)] = busy_of(interval, user);
		ns[PORTION_IDLE] *= idle_of_engine(watts, interval, user);
	}
	ns[PORTION_LOST] = interval->unsure ? interval->length_ns : 0;
	portions_add(portions, ns, interval->length_ns, interval->nj);
	g_free(ns);
}

/* --- the fit --------------------------------------------------------------------------------- */

static void fit_all(struct top_watts *watts)
{
	watts->portions = portions_empty(watts->users->len);
	for (const GList *at = watts->intervals->head; at; at = at->next)
		add_interval(watts, at->data);
	watts->fit = fit_new(watts->portions);
	watts->shares = shares_new(watts->portions, watts->fit, STATIC_BUSY, NULL);
	watts->part = g_new0(double, SHARES(watts->portions));
	shares_split(watts->portions, watts->fit, portions_stint(watts->portions, watts->portions->stints->len - 1),
		     watts->part);
}

/* Begins anew when VMs have come and gone too often. */
static void restart(struct top_watts *watts)
{
	g_ptr_array_set_size(watts->users, 0);
	g_queue_clear_full(watts->intervals, free_interval);
}

void top_watts_add(struct top_watts *watts, double nj, int64_t length_ns, const GPtrArray *old, const GPtrArray *now)
{
	struct interval_energy *interval = g_new(struct interval_energy, 1);

	top_watts_skip(watts);
	*interval = (struct interval_energy) {
		.nj = nj, .length_ns = length_ns, .busy_ns = g_array_new(FALSE, TRUE, sizeof(double)),
	};
	for (guint nr = 0; nr < now->len; nr++) {
		const struct vgpu_counters *vgpu = now->pdata[nr];

		add_busy(watts, interval, counters_find(old, vgpu->uuid), vgpu);
	}
	g_queue_push_tail(watts->intervals, interval);
	if (g_queue_get_length(watts->intervals) > INTERVALS)
		free_interval(g_queue_pop_head(watts->intervals));
	if (watts->users->len > CONSUMERS_MAX)
		restart(watts);
	else
		fit_all(watts);
}

/* the vGPU's users; returns their number */
static unsigned int list_users(const struct top_watts *watts, const char *uuid, unsigned int *of)
{
	unsigned int count = 0;

	for (guint nr = 0; nr < watts->users->len; nr++)
		if (!strcmp(((const struct user *)watts->users->pdata[nr])->uuid, uuid))
			of[count++] = nr;
	return count;
}

/* Is its power also that of another one's, or of idle time, as the counter cannot tell them apart? */
static bool is_mixed(const struct top_watts *watts, const char *uuid, unsigned int user)
{
	unsigned int own = portion_busy(watts->portions, user);

	if (fit_same(watts->fit, own, PORTION_IDLE))
		return true;
	for (guint nr = 0; nr < watts->users->len; nr++)
		if (strcmp(((const struct user *)watts->users->pdata[nr])->uuid, uuid) &&
		    fit_same(watts->fit, own, portion_busy(watts->portions, nr)))
			return true;
	return false;
}

static bool is_certain(const struct top_watts *watts, const char *uuid, const unsigned int *of, unsigned int count)
{
	double nj = 0, bound_nj = shares_bound(watts->shares, of, count);

	if (!(watts->fit->condition <= CONDITION_MAX))
		return false;
	for (unsigned int nr = 0; nr < count; nr++) {
		if (is_mixed(watts, uuid, of[nr]))
			return false;
		nj += watts->shares->nj[of[nr]];
	}
	/* not if it is NAN, too */
	return bound_nj <= fmax(ENERGY_CERTAIN * nj, CERTAIN_OF_ALL * watts->shares->total_nj);
}

double top_watts_of(const struct top_watts *watts, const char *uuid)
{
	const struct interval_energy *last = g_queue_peek_tail(watts->intervals);
	unsigned int of[CONSUMERS_MAX], count;
	double nj = 0;

	if (!watts->portions || last->unsure)
		return NAN;
	count = list_users(watts, uuid, of);
	if (!count || !is_certain(watts, uuid, of, count))
		return NAN;
	for (unsigned int nr = 0; nr < count; nr++)
		nj += watts->part[of[nr]];
	return nj / last->length_ns;
}
