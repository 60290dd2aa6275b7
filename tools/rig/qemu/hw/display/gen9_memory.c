/*
 * Intel Gen9 integrated GPU, functional model: bandwidth of the memory
 *
 * Engines that execute at the same time share the memory.  With mem-mbps set,
 * a reserved range of the MI_NOOP's identification number says how much of it
 * the following commands ask for; what they take is stretched by a law when
 * all together ask for more than the memory has, or come near to that.  How
 * an engine fares is worked out anew whenever one begins or ends something.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "gen9_igpu.h"

#define ONE             (1u << 16)      /* factors and parts of the bandwidth */
#define UNITS_PER_NS    1024            /* of work */
#define SLOWDOWN_MAX    (1000u * ONE)
#define BOUND_STEPS     20u             /* the part of a command's time that
                                           waits for memory has so many */
#define LOAD_MAX        (5 * ONE / 2)   /* queues grow no further */

/* What all engines ask for now */
typedef struct Demands {
    uint32_t part[GEN9_ENGINES];        /* of the bandwidth, in ONE */
    uint32_t sum;
} Demands;

static uint32_t product(uint32_t a, uint32_t b)
{
    return ((uint64_t)a * b) >> 16;
}

/* The factor for a part of the time, and for the rest of it none */
static uint32_t of_bound(const Gen9Engine *e, uint32_t factor)
{
    uint32_t bound = MIN(MEM_BOUND(e->demand), BOUND_STEPS);

    return ((uint64_t)ONE * (BOUND_STEPS - bound) +
            (uint64_t)factor * bound) / BOUND_STEPS;
}

/* All wait alike for the memory, whatever else they do */
static uint32_t law_proportional(const Gen9Engine *e, const Demands *d,
                                 uint32_t own)
{
    return MAX(d->sum, ONE);
}

/* Computing does not become slower, waiting for the memory does */
static uint32_t law_roofline(const Gen9Engine *e, const Demands *d,
                             uint32_t own)
{
    return of_bound(e, MAX(d->sum, ONE));
}

/* What those have that ask for more than is there; somebody does. */
static uint32_t fair_share(const Demands *d)
{
    uint32_t left = ONE, share = 0;
    unsigned waiting = GEN9_ENGINES, before;

    do {
        uint32_t rest = ONE;

        before = waiting;
        share = left / waiting;
        waiting = 0;
        for (int i = 0; i < GEN9_ENGINES; i++) {
            if (d->part[i] > share) {
                waiting++;
            } else {
                rest -= d->part[i];
            }
        }
        left = rest;
    } while (waiting != before);
    return share;
}

/* Who asks for less than an equal share has it; the others share the rest */
static uint32_t law_maxmin(const Gen9Engine *e, const Demands *d, uint32_t own)
{
    uint32_t share = d->sum > ONE ? fair_share(d) : ONE;

    return of_bound(e, own <= share ? ONE : (uint64_t)own * ONE / share);
}

/* What an access takes: more as the memory fills, and beyond its end */
static uint32_t latency(uint32_t load)
{
    uint32_t l = MIN(load, LOAD_MAX);

    return l < ONE ? ONE + product(product(product(l, l), l), ONE * 3 / 5)
                   : product(l, ONE * 8 / 5);
}

/* Queues grow before the memory is full; those of its own it always has */
static uint32_t law_queueing(const Gen9Engine *e, const Demands *d,
                             uint32_t own)
{
    return (uint64_t)of_bound(e, latency(d->sum)) * ONE /
           of_bound(e, latency(own));
}

static const struct {
    const char *name;
    uint32_t (*slowdown)(const Gen9Engine *e, const Demands *d, uint32_t own);
} laws[] = {
    { "proportional", law_proportional },
    { "roofline", law_roofline },
    { "maxmin", law_maxmin },
    { "queueing", law_queueing },
};

bool gen9_memory_init(Gen9State *s, Error **errp)
{
    if (s->mem_mbps && (s->mem_mbps < MEM_MBPS_MIN ||
                        s->mem_mbps > MEM_MBPS_MAX)) {
        error_setg(errp, "mem-mbps must be 0, or %u to %u, not %" PRIu32,
                   MEM_MBPS_MIN, MEM_MBPS_MAX, s->mem_mbps);
        return false;
    }
    for (s->law = 0; s->law < ARRAY_SIZE(laws); s->law++) {
        if (!s->mem_law || !strcmp(laws[s->law].name, s->mem_law)) {
            return true;
        }
    }
    error_setg(errp, "mem-law '%s' is not modelled", s->mem_law);
    error_append_hint(errp, "Known are proportional, roofline, maxmin and "
                      "queueing.\n");
    return false;
}

static uint64_t bytes_of(Gen9Engine *e, uint64_t work)
{
    const uint64_t units_per_byte = 1000 * UNITS_PER_NS;
    uint64_t traffic = work / UNITS_PER_NS * MEM_MBPS(e->demand) *
                       UNITS_PER_NS + work % UNITS_PER_NS *
                       MEM_MBPS(e->demand) + e->memory.rest;

    e->memory.rest = traffic % units_per_byte;
    return traffic / units_per_byte;
}

/* Book what was executed since it was last done. */
static void settle(Gen9Engine *e)
{
    Gen9Memory *m = &e->memory;
    int64_t now = MIN(gen9_now(), e->charged_until);
    uint64_t done, bytes;

    if (!m->left || now <= m->since_ns) {
        return;
    }
    done = muldiv64((now - m->since_ns) * UNITS_PER_NS, ONE, m->slowdown);
    done = MIN(done, m->left);
    bytes = bytes_of(e, done);
    m->left -= done;
    m->since_ns = now;
    e->piece.work += done;
    e->piece.bytes += bytes;
    e->s->mem_bytes += bytes;
}

static int64_t ns_of(uint64_t work, uint32_t slowdown)
{
    return DIV_ROUND_UP(muldiv64(work, slowdown, ONE), UNITS_PER_NS);
}

const char *gen9_memory_law(const Gen9State *s)
{
    return laws[s->law].name;
}

/* What was executed so far was with the demand before. */
void gen9_memory_demand(Gen9Engine *e, uint32_t demand)
{
    settle(e);
    e->demand = demand;
}

/* What is charged now begins. */
void gen9_memory_begin(Gen9Engine *e, int64_t cost)
{
    if (e->s->mem_mbps) {
        settle(e);
        e->memory.left = (uint64_t)cost * UNITS_PER_NS;
        e->memory.since_ns = gen9_now();
        e->memory.slowdown = ONE;
    }
}

/* The context leaves, whatever is left. */
void gen9_memory_end(Gen9Engine *e)
{
    settle(e);
    e->memory.left = 0;
}

/* How much of what is charged will be left at @ns, as things are */
int64_t gen9_memory_left(Gen9Engine *e, int64_t ns)
{
    uint64_t until;

    if (!e->s->mem_mbps) {
        return e->busy_until - ns;
    }
    settle(e);
    until = muldiv64(MAX(ns - e->memory.since_ns, 0) * UNITS_PER_NS, ONE,
                     MAX(e->memory.slowdown, ONE));
    return ((int64_t)e->memory.left - (int64_t)until) / UNITS_PER_NS;
}

/* Take @cost off what is charged: returns by how much earlier it ends. */
int64_t gen9_memory_cut(Gen9Engine *e, int64_t cost)
{
    if (!e->s->mem_mbps) {
        return cost;
    }
    e->memory.left -= MIN((uint64_t)cost * UNITS_PER_NS, e->memory.left);
    return e->busy_until - gen9_now() -
           ns_of(e->memory.left, e->memory.slowdown);
}

static bool at_work(const Gen9Engine *e)
{
    return e->desc && e->memory.left && e->charged_until > gen9_now();
}

static Demands demands(const Gen9State *s)
{
    Demands d = { .sum = 0 };

    for (int i = 0; i < GEN9_ENGINES; i++) {
        const Gen9Engine *e = &s->engine[i];

        d.part[i] = at_work(e) ? (uint64_t)MEM_MBPS(e->demand) * ONE /
                                 s->mem_mbps : 0;
        d.sum += d.part[i];
    }
    return d;
}

static void slow_down(Gen9Engine *e, uint32_t slowdown)
{
    Gen9Memory *m = &e->memory;

    if (slowdown != m->slowdown) {
        m->slowdown = slowdown;
        gen9_engine_charged(e, m->since_ns + ns_of(m->left, slowdown));
    }
}

/* An engine has begun or ended something: it concerns the others. */
void gen9_memory_update(Gen9State *s)
{
    Demands d;

    if (!s->mem_mbps) {
        return;
    }
    for (int i = 0; i < GEN9_ENGINES; i++) {
        settle(&s->engine[i]);
    }
    d = demands(s);
    for (int i = 0; i < GEN9_ENGINES; i++) {
        Gen9Engine *e = &s->engine[i];

        if (at_work(e)) {
            slow_down(e, d.part[i] ?
                      MIN(MAX(laws[s->law].slowdown(e, &d, d.part[i]), ONE),
                          SLOWDOWN_MAX) : ONE);
        }
    }
}

int64_t gen9_memory_stretch_ns(const Gen9Engine *e)
{
    return MAX(e->piece.busy_ns - (int64_t)(e->piece.work / UNITS_PER_NS), 0);
}

/* As in the memory controller: 64 bytes each, 32 bits, runs over */
uint32_t gen9_memory_requests(Gen9State *s)
{
    for (int i = 0; i < GEN9_ENGINES; i++) {
        settle(&s->engine[i]);
    }
    return s->mem_bytes / 64;
}
