/*
 * Intel Gen9 integrated GPU, functional model: power and energy
 *
 * With a power-law, the GPU draws power: little in RC6, something in RC0, and
 * more for each engine that a context is on, by a coefficient of that context,
 * which nobody is told.  Between two changes the power is constant, and so is
 * the energy's slope: the sums are exact, in integers, worked out whenever
 * something changes or somebody asks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/i386/rapl-msr.h"
#include "gen9_igpu.h"

#define PARTS           GEN9_POWER_PARTS
#define PARTS_PER_NJ    (1000000u * PARTS)
#define POWER_MAX_MW    100000u
#define ONE             (1u << 16)      /* factors */
#define VOLTAGE_BASE    39322u          /* 0.6 of that at RP0 */
#define VOLTAGE_SLOPE   26214u          /* 0.4 */

/* The counter: steps of 2^-14 J that are seen about 1024 times a second */
#define UPDATE_NS       976562
#define STEP_NJ_32ND    1953125u        /* in 1/32 nJ */
#define RAPL_UNITS      0x000a0e03      /* 1/1024 s, 2^-14 J, 1/8 W */

/* The leaky law: leaks an eighth of what was drawn in the last second or so */
#define HEAT_STEP_NS    (10 * SCALE_MS)
#define HEAT_SCALE      256
#define HEAT_SHIFT      7               /* a time constant of so many steps */
#define LEAK_SHIFT      3

struct Gen9PowerLaw {
    const char *name;
    bool overlap;       /* two engines at once share some of what they draw */
    bool leaky;         /* a warm GPU draws more */
};

static const Gen9PowerLaw laws[] = {
    { .name = "linear" },
    { .name = "overlap", .overlap = true },
    { .name = "leaky", .leaky = true },
};

static bool find_law(Gen9State *s, Error **errp)
{
    for (int i = 0; i < ARRAY_SIZE(laws); i++) {
        if (!strcmp(laws[i].name, s->power_law)) {
            s->power.law = &laws[i];
            return true;
        }
    }
    error_setg(errp, "power-law '%s' is not modelled", s->power_law);
    error_append_hint(errp, "Known are linear, overlap and leaky.\n");
    return false;
}

static bool check_powers(const Gen9State *s, Error **errp)
{
    if (s->power_rc0_mw > POWER_MAX_MW || s->power_max_mw > POWER_MAX_MW) {
        error_setg(errp, "power-rc0-mw and power-max-mw must be at most %u",
                   POWER_MAX_MW);
        return false;
    }
    if (s->power_rc6_mw > s->power_rc0_mw ||
        s->power_min_mw > s->power_max_mw) {
        error_setg(errp, "power-rc6-mw must not be above power-rc0-mw, nor "
                   "power-min-mw above power-max-mw");
        return false;
    }
    return true;
}

static void energy_add(Gen9Energy *e, uint64_t power, uint64_t ns)
{
    uint64_t low, high;

    mulu64(&low, &high, power, ns);
    low += e->rest;
    high += low < e->rest;
    e->rest = divu128(&low, &high, PARTS_PER_NJ);
    e->nj += low;
}

static uint64_t hash(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/* What a context draws on its engine at RP0, in uW; no register tells it. */
static uint64_t coefficient(const Gen9Engine *e)
{
    const Gen9State *s = e->s;
    uint64_t range = (s->power_max_mw - s->power_min_mw) * 1000ull + 1;
    uint64_t key = (uint64_t)s->power_seed << 8 | (e - s->engine);

    return s->power_min_mw * 1000ull +
           hash(hash(key) + DESC_LRCA(e->desc)) % range;
}

/* f V^2 over that at RP0, with a voltage of 0.6 + 0.4 f / RP0 */
static uint32_t frequency_factor(uint32_t ratio)
{
    uint64_t f = (uint64_t)ratio * ONE / GEN9_RATIO_MAX;
    uint64_t v = VOLTAGE_BASE + f * VOLTAGE_SLOPE / ONE;

    return f * v / ONE * v / ONE;
}

static uint64_t leakage(const Gen9Power *p)
{
    return p->law->leaky ? p->heat / HEAT_SCALE >> LEAK_SHIFT : 0;
}

/* In RC0, whatever the engines do */
static uint64_t common_draw(const Gen9State *s)
{
    return (s->power_rc0_mw * 1000ull + leakage(&s->power)) * PARTS;
}

/* Two at once need a quarter of the smaller one's less; each saves a half. */
static void share_overlap(Gen9State *s)
{
    for (int i = 0; i < GEN9_ENGINES; i++) {
        for (int j = 0; j < i; j++) {
            Gen9Draw *a = &s->engine[i].power, *b = &s->engine[j].power;
            uint64_t saved = MIN(a->own, b->own) / 8;

            a->fair -= saved;
            b->fair -= saved;
        }
    }
}

/* What each engine draws, alone and as a fair part of the whole */
static void draw_engines(Gen9State *s)
{
    uint64_t factor = frequency_factor(s->power.pm.ratio);
    unsigned active = 0;

    for (int i = 0; i < GEN9_ENGINES; i++) {
        Gen9Draw *d = &s->engine[i].power;

        d->own = d->coefficient * factor / ONE * PARTS;
        d->fair = d->own;
        active += d->active;
    }
    if (s->power.law->overlap) {
        share_overlap(s);
    }
    for (int i = 0; i < GEN9_ENGINES; i++) {
        if (s->engine[i].power.active) {
            s->engine[i].power.fair += common_draw(s) / active;
        }
    }
}

static uint64_t draw_of_engines(const Gen9State *s)
{
    uint64_t sum = 0;

    for (int i = 0; i < GEN9_ENGINES; i++) {
        sum += s->engine[i].power.fair;
    }
    return sum;
}

/* What holds from now on, where everything is booked until now */
static void arrange(Gen9State *s)
{
    Gen9Power *p = &s->power;

    p->state = gen9_pm_state(s, p->settled_ns);
    draw_engines(s);
    switch (p->state) {
    case GEN9_POWER_RC6:
        p->draw = s->power_rc6_mw * 1000ull * PARTS;
        break;
    case GEN9_POWER_IDLE:
        p->draw = common_draw(s);
        break;
    case GEN9_POWER_ACTIVE:
        p->draw = draw_of_engines(s);
        break;
    }
}

/* The power was the same until @ns. */
static void book(Gen9State *s, int64_t ns)
{
    Gen9Power *p = &s->power;
    int64_t update = ns - ns % UPDATE_NS;
    int64_t passed = ns - p->settled_ns;

    gen9_truth_power(s);
    if (update > p->settled_ns) {
        p->shown = p->total;
        energy_add(&p->shown, p->draw, update - p->settled_ns);
    }
    energy_add(&p->total, p->draw, passed);
    if (p->state == GEN9_POWER_RC6) {
        p->residency_ns += passed;
    }
    for (int i = 0; i < GEN9_ENGINES; i++) {
        Gen9Engine *e = &s->engine[i];

        energy_add(&e->piece.own, e->power.own, passed);
        energy_add(&e->piece.fair, e->power.fair, passed);
    }
    p->settled_ns = ns;
}

/* Follow the mean power since the last step: nJ per ms are uW. */
static void heat_pass(Gen9Power *p)
{
    int64_t mean;

    if (p->heat_ns > p->settled_ns) {
        return;
    }
    mean = (p->total.nj - p->heat_nj) / (HEAT_STEP_NS / SCALE_MS);
    p->heat += (mean * HEAT_SCALE - p->heat) >> HEAT_SHIFT;
    p->heat_nj = p->total.nj;
    p->heat_ns += HEAT_STEP_NS;
}

/* Book all until now, with what changed by itself meanwhile. */
void gen9_power_settle(Gen9State *s)
{
    Gen9Power *p = &s->power;
    int64_t now = gen9_now();

    while (p->law && p->settled_ns < now) {
        int64_t next = MIN(gen9_pm_next(s, p->settled_ns), p->heat_ns);

        book(s, MIN(next, now));
        gen9_pm_pass(s, p->settled_ns);
        heat_pass(p);
        arrange(s);
    }
}

static void look_at_engines(Gen9State *s)
{
    for (int i = 0; i < GEN9_ENGINES; i++) {
        Gen9Engine *e = &s->engine[i];

        e->power.active = e->desc;
        e->power.coefficient = e->desc ? coefficient(e) : 0;
    }
}

/*
 * Something that matters has changed just now.  What is booked until now does
 * not know of it: it is of what was seen last.
 */
void gen9_power_update(Gen9State *s)
{
    if (s->power.law) {
        gen9_power_settle(s);
        look_at_engines(s);
        gen9_pm_update(s);
        arrange(s);
    }
}

static uint32_t steps_of(const Gen9Energy *e)
{
    uint64_t fine = e->rest * 32 / PARTS_PER_NJ;

    return (e->nj * 32 + fine) / STEP_NJ_32ND;
}

uint32_t gen9_power_counter(Gen9State *s)
{
    gen9_power_settle(s);
    return steps_of(&s->power.shown);
}

uint32_t gen9_power_units(void)
{
    return RAPL_UNITS;
}

/* The package and its graphics are one; the memory draws nothing here. */
static uint64_t rapl_read(void *opaque, uint32_t msr)
{
    switch (msr) {
    case MSR_RAPL_POWER_UNIT:
        return gen9_power_units();
    case MSR_PKG_ENERGY_STATUS:
    case MSR_PP1_ENERGY_STATUS:
        return gen9_power_counter(opaque);
    default:
        return 0;
    }
}

const char *gen9_power_law(const Gen9State *s)
{
    return s->power.law->name;
}

bool gen9_power_init(Gen9State *s, Error **errp)
{
    Gen9Power *p = &s->power;

    if (!s->power_law || !*s->power_law) {
        return true;
    }
    if (!find_law(s, errp) || !check_powers(s, errp)) {
        return false;
    }
    gen9_pm_reset(s);
    p->settled_ns = gen9_now();
    p->line_ns = p->settled_ns;
    p->heat_ns = p->law->leaky ? p->settled_ns + HEAT_STEP_NS : INT64_MAX;
    return true;
}

/* All else is there now. */
void gen9_power_start(Gen9State *s)
{
    if (s->power.law) {
        x86_rapl_source = (X86RaplSource) { rapl_read, s };
        gen9_power_update(s);
    }
}

void gen9_power_exit(Gen9State *s)
{
    if (s->power.law) {
        x86_rapl_source = (X86RaplSource) { NULL, NULL };
    }
}

/* The machine was reset: energy and residency go on from where they were. */
void gen9_power_reset(Gen9State *s)
{
    if (s->power.law) {
        gen9_power_settle(s);
        gen9_pm_reset(s);
        gen9_power_update(s);
    }
}
