// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "trace/util.h"
#include "plan.h"

/*
 * limits of a sentence: number of hosts with the reason why they cannot take a VM, and neighbours
 */
#define MOST_TOLD	3

/* the search ends when it is this near to the bound */
#define ENOUGH		1.05

/* --- results ------------------------------------------------------------------------------- */

static void fill_crowds(struct plan *plan)
{
	plan->crowds = g_new(GArray *, plan->fleet->hosts->len);
	for (unsigned int host = 0; host < plan->fleet->hosts->len; host++)
		plan->crowds[host] = g_array_new(FALSE, FALSE, sizeof(unsigned int));
	for (unsigned int vm = 0; vm < plan->fleet->vms->len; vm++)
		if (plan->placement.host_of[vm] != PLACE_NOWHERE)
			g_array_append_val(plan->crowds[plan->placement.host_of[vm]], vm);
}

void plan_init(struct plan *plan, const struct fleet *fleet, struct suitability *suitability,
	       unsigned int tries)
{
	*plan = (struct plan) { .fleet = fleet, .suitability = suitability };
	plan->problem = suitability_problem(suitability);
	plan->problem.tries = tries;
	plan->needed = bound_hosts(&plan->problem, NULL);
	plan->problem.enough = ENOUGH * plan->needed.hosts;
	plan->places = places_new(&plan->problem);
	plan->placement = places_search(plan->places);
	fill_crowds(plan);
	plan->bound = bound_hosts(&plan->problem, plan->placement.host_of);
}

void plan_clear(struct plan *plan)
{
	for (unsigned int host = 0; host < plan->fleet->hosts->len; host++)
		g_array_free(plan->crowds[host], TRUE);
	g_free(plan->crowds);
	g_free(plan->placement.host_of);
	places_free(plan->places);
}

static const struct verdict *worst_of(const struct plan *plan, unsigned int host,
				      const unsigned int *vms, unsigned int count, bool whole)
{
	unsigned int class = plan->problem.hosts[host].class;
	const struct verdict *verdicts, *worst = NULL;

	if (!count)
		return NULL;
	verdicts = suitability_verdicts(plan->suitability, class, vms, count, whole);
	for (unsigned int nr = 0; nr < count; nr++)
		if (!worst || verdicts[nr].strain > worst->strain)
			worst = &verdicts[nr];
	return worst;
}

static const unsigned int *vms_of(const struct plan *plan, unsigned int host)
{
	return (const unsigned int *)plan->crowds[host]->data;
}

const struct verdict *plan_worst(const struct plan *plan, unsigned int host)
{
	return worst_of(plan, host, vms_of(plan, host), plan->crowds[host]->len, true);
}

/* VMs of a kind are interchangeable, so the first verdict of the kind does */
const struct verdict *plan_verdict(const struct plan *plan, unsigned int vm)
{
	unsigned int host = plan->placement.host_of[vm];
	const struct verdict *verdicts = suitability_verdicts(plan->suitability,
		plan->problem.hosts[host].class, vms_of(plan, host), plan->crowds[host]->len, true);

	while (verdicts->kind != suitability_kind_of(plan->suitability, vm))
		verdicts++;
	return verdicts;
}

enum place_resource plan_lack(const struct plan *plan, unsigned int host)
{
	return places_lack(plan->places, host, vms_of(plan, host), plan->crowds[host]->len);
}

struct plan_room plan_room(const struct plan *plan, unsigned int host, unsigned int vm)
{
	GArray *with = g_array_copy(plan->crowds[host]);
	const unsigned int *vms;
	struct plan_room room;

	g_array_append_val(with, vm);
	vms = (const unsigned int *)with->data;
	room.lack = places_lack(plan->places, host, vms, with->len);
	room.worst = room.lack == RESOURCES ? worst_of(plan, host, vms, with->len, false) : NULL;
	room.possible = room.worst && room.worst->strain <= 1;
	g_array_free(with, TRUE);
	return room;
}

unsigned int plan_more(const struct plan *plan, unsigned int host, const struct fleet_type *type)
{
	unsigned int more = G_MAXUINT;

	for (enum place_resource resource = 0; resource < RESOURCES; resource++) {
		unsigned int left = plan->problem.hosts[host].has[resource];

		for (unsigned int nr = 0; nr < plan->crowds[host]->len; nr++)
			left -= MIN(left, plan->problem.vms[vms_of(plan, host)[nr]].needs[resource]);
		more = MIN(more, left / type->needs[resource]);
	}
	return more;
}

bool plan_is_met(const struct plan *plan)
{
	if (plan->placement.placed < plan->fleet->vms->len)
		return false;
	for (unsigned int host = 0; host < plan->fleet->hosts->len; host++) {
		const struct verdict *worst = plan_worst(plan, host);

		if (plan_lack(plan, host) != RESOURCES || (worst && worst->strain > 1))
			return false;
	}
	return true;
}

/* --- sentences --------------------------------------------------------------------------------- */

static const struct vm_kind *kind_at(const struct plan *plan, unsigned int kind)
{
	return suitability_kinds(plan->suitability)->pdata[kind];
}

static const char *name_of(const struct plan *plan, unsigned int vm)
{
	return ((const struct fleet_vm *)plan->fleet->vms->pdata[vm])->name;
}

static const char *name_of_host(const struct plan *plan, unsigned int host)
{
	return ((const struct fleet_host *)plan->fleet->hosts->pdata[host])->name;
}

/* "mean latency up to 31.2 ms, 14 % below the limit of 36.1 ms" */
static void add_verdict(const struct plan *plan, const struct verdict *verdict, GString *text)
{
	const struct qos_answer *answer = &verdict->answer;
	const char *of = kind_at(plan, verdict->kind)->qos.measure == MEASURE_P95 ? "p95" : "mean";

	if (!isfinite(verdict->strain)) {
		g_string_append(text, "an unknown latency");
		return;
	}
	g_string_append_printf(text, "%s latency %s %.3f ms, %.0f %% %s the limit of %.3f ms", of,
			       verdict->at_least ? "of at least" : "up to",
			       answer->expected_ns / NSEC_PER_MSEC, 100 * fabs(1 - verdict->strain),
			       verdict->strain > 1 ? "ABOVE" : "below",
			       answer->limit_ns / NSEC_PER_MSEC);
}

static void add_neighbours(const struct plan *plan, unsigned int vm, unsigned int host, GString *text)
{
	const char *before = " beside ";
	unsigned int told = 0;

	for (unsigned int nr = 0; nr < plan->crowds[host]->len; nr++) {
		unsigned int other = vms_of(plan, host)[nr];

		if (other == vm)
			continue;
		if (++told > MOST_TOLD)
			continue;
		g_string_append_printf(text, "%s%s", before, name_of(plan, other));
		before = ", ";
	}
	if (!told)
		g_string_append(text, " alone");
	if (told > MOST_TOLD)
		g_string_append_printf(text, " and %u more", told - MOST_TOLD);
}

static void add_place(const struct plan *plan, unsigned int vm, GString *text)
{
	const struct fleet_vm *of = plan->fleet->vms->pdata[vm];
	unsigned int host = plan->placement.host_of[vm];
	enum place_resource lack = plan_lack(plan, host);

	g_string_append_printf(text, "%s %s,", of->host == PLACE_NOWHERE ? "goes to" : "stays on",
			       name_of_host(plan, host));
	add_neighbours(plan, vm, host, text);
	g_string_append(text, ": ");
	add_verdict(plan, plan_verdict(plan, vm), text);
	if (lack != RESOURCES)
		g_string_append_printf(text, "; the host has too little for them: %s",
				       resource_text(lack));
}

char *plan_room_reason(const struct plan *plan, const struct plan_room *room)
{
	GString *text = g_string_new(NULL);

	if (room->lack != RESOURCES) {
		g_string_append_printf(text, "too little left: %s", resource_text(room->lack));
	} else {
		g_string_append_printf(text, "%s would have ",
				       kind_at(plan, room->worst->kind)->profile->name);
		add_verdict(plan, room->worst, text);
	}
	return g_string_free(text, FALSE);
}

/* why the first hosts cannot take the VM, and the number of other hosts */
static void add_obstacles(const struct plan *plan, unsigned int vm, GString *text)
{
	unsigned int hosts = plan->fleet->hosts->len;

	g_string_append(text, "no host can have it: ");
	for (unsigned int host = 0; host < MIN(hosts, MOST_TOLD); host++) {
		struct plan_room room = plan_room(plan, host, vm);
		char *reason = plan_room_reason(plan, &room);

		g_string_append_printf(text, "%s%s: %s", host ? "; " : "", name_of_host(plan, host),
				       reason);
		g_free(reason);
	}
	if (hosts > MOST_TOLD)
		g_string_append_printf(text, "; and so on with %u more", hosts - MOST_TOLD);
}

char *plan_reason(const struct plan *plan, unsigned int vm)
{
	GString *text = g_string_new(NULL);

	if (plan->placement.host_of[vm] == PLACE_NOWHERE)
		add_obstacles(plan, vm, text);
	else
		add_place(plan, vm, text);
	return g_string_free(text, FALSE);
}
