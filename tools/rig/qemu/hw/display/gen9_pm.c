/*
 * Intel Gen9 integrated GPU, functional model: RC6 and frequency
 *
 * The driver permits RC6, or asks for it, by RC_CONTROL and RC_STATE; the GPU
 * is in it as soon as no engine has had a context and nobody has held a
 * forcewake for a while.  It leaves at once when that ends.  A requested
 * frequency takes effect a little later.  All this is worked out when somebody
 * asks, not by timers: with or without power, the same timers run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "gen9_igpu.h"

#define COUNT_NS        1280            /* of RC6's counters and thresholds */
#define RATIO_DELAY_NS  50000
#define FORCEWAKE_BITS  0xffffu

static bool forcewake_held(Gen9State *s)
{
    return (*gen9_reg(s, FORCEWAKE_RENDER) | *gen9_reg(s, FORCEWAKE_MEDIA) |
            *gen9_reg(s, FORCEWAKE_BLITTER)) & FORCEWAKE_BITS;
}

static bool engines_idle(const Gen9State *s)
{
    for (int i = 0; i < GEN9_ENGINES; i++) {
        if (s->engine[i].desc) {
            return false;
        }
    }
    return true;
}

/*
 * How long the GPU has to be idle before RC6: by the threshold if the hardware
 * decides, by the hysteresis if the driver asks for it.  -1: it is not allowed.
 */
static int64_t rc6_wait_ns(Gen9State *s)
{
    uint32_t control = *gen9_reg(s, RC_CONTROL);

    if (!(control & RC_CONTROL_RC6)) {
        return -1;
    }
    if (control & RC_CONTROL_HW) {
        return (int64_t)*gen9_reg(s, RC6_THRESHOLD) * COUNT_NS;
    }
    if (RC_STATE_TARGET(*gen9_reg(s, RC_STATE)) >= RC_TARGET_RC6) {
        return (int64_t)*gen9_reg(s, RC_IDLE_HYSTERESIS) * COUNT_NS;
    }
    return -1;
}

void gen9_pm_reset(Gen9State *s)
{
    s->power.pm = (Gen9Pm) {
        .rc6_ns = INT64_MAX,
        .ratio = GEN9_RATIO_MIN,
        .next_ratio = GEN9_RATIO_MIN,
        .ratio_ns = INT64_MAX,
    };
}

/* Engines, forcewake or RC6's registers are other than before. */
void gen9_pm_update(Gen9State *s)
{
    Gen9Pm *pm = &s->power.pm;
    int64_t wait = rc6_wait_ns(s);
    bool quiet;

    pm->active = !engines_idle(s);
    quiet = !pm->active && !forcewake_held(s);
    if (quiet && !pm->quiet) {
        pm->quiet_ns = gen9_now();
    }
    pm->quiet = quiet;
    pm->rc6_ns = quiet && wait >= 0 ? pm->quiet_ns + wait : INT64_MAX;
}

void gen9_pm_request(Gen9State *s, uint32_t request)
{
    Gen9Pm *pm = &s->power.pm;
    uint32_t ratio = MIN(MAX(RPNSWREQ_RATIO(request), GEN9_RATIO_MIN),
                         GEN9_RATIO_MAX);

    gen9_power_settle(s);
    if (ratio == pm->next_ratio) {
        return;     /* the delay counts from when it was first requested */
    }
    pm->next_ratio = ratio;
    pm->ratio_ns = pm->next_ratio != pm->ratio ? gen9_now() + RATIO_DELAY_NS
                                               : INT64_MAX;
}

/* When something changes next, after @ns */
int64_t gen9_pm_next(const Gen9State *s, int64_t ns)
{
    const Gen9Pm *pm = &s->power.pm;

    return MIN(pm->rc6_ns > ns ? pm->rc6_ns : INT64_MAX, pm->ratio_ns);
}

/* It is @ns now. */
void gen9_pm_pass(Gen9State *s, int64_t ns)
{
    Gen9Pm *pm = &s->power.pm;

    if (pm->ratio_ns <= ns) {
        pm->ratio = pm->next_ratio;
        pm->ratio_ns = INT64_MAX;
    }
}

Gen9PowerState gen9_pm_state(const Gen9State *s, int64_t ns)
{
    const Gen9Pm *pm = &s->power.pm;

    return pm->active ? GEN9_POWER_ACTIVE :
           ns >= pm->rc6_ns ? GEN9_POWER_RC6 : GEN9_POWER_IDLE;
}

uint32_t gen9_pm_mhz(uint32_t ratio)
{
    return (ratio * 50 + 1) / 3;
}

uint32_t gen9_pm_rpstat(Gen9State *s)
{
    gen9_power_settle(s);
    return s->power.pm.ratio << RPSTAT1_RATIO_SHIFT;
}

uint32_t gen9_pm_rc6_count(Gen9State *s)
{
    gen9_power_settle(s);
    return s->power.residency_ns / COUNT_NS;
}
