/*
 * Intel Gen9 integrated GPU, functional model: power states and energy
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_DISPLAY_GEN9_POWER_H
#define HW_DISPLAY_GEN9_POWER_H

/* Powers are in parts of a microwatt: shares of 1 to 4 engines come out even */
#define GEN9_POWER_PARTS    24u

/* Frequencies are ratios in units of 50/3 MHz, as in Gen9's registers */
#define GEN9_RATIO_MAX      (23u * 3)   /* RP0, 1150 MHz */
#define GEN9_RATIO_START    (12u * 3)   /* efficient, 600 MHz */
#define GEN9_RATIO_MIN      (7u * 3)    /* RPn, 350 MHz; also RP1 */

typedef enum Gen9PowerState {
    GEN9_POWER_RC6,
    GEN9_POWER_IDLE,            /* RC0, no context on any engine */
    GEN9_POWER_ACTIVE,
} Gen9PowerState;

/* An exact sum of power times time */
typedef struct Gen9Energy {
    uint64_t nj;
    uint64_t rest;              /* less than a nJ: parts of a uW times ns */
} Gen9Energy;

/* What an engine draws, as long as its context is the same */
typedef struct Gen9Draw {
    bool active;                /* has one */
    uint64_t coefficient;       /* in uW at the highest frequency */
    /* now, in parts of a uW: */
    uint64_t own;               /* of its context alone, nothing shared */
    uint64_t fair;              /* with an equal part of that */
} Gen9Draw;

typedef struct Gen9PowerLaw Gen9PowerLaw;

/* gen9_pm.c: what changes by itself, and when */
typedef struct Gen9Pm {
    bool active;                /* contexts are on engines */
    bool quiet;                 /* nothing keeps the GPU out of RC6 */
    int64_t quiet_ns;           /* since then */
    int64_t rc6_ns;             /* in RC6 from then on */
    uint32_t ratio;             /* frequency */
    uint32_t next_ratio;        /* requested */
    int64_t ratio_ns;           /* from then on */
} Gen9Pm;

/* gen9_power.c: nothing of it changes while no law is set */
typedef struct Gen9Power {
    const Gen9PowerLaw *law;
    Gen9Pm pm;
    int64_t settled_ns;         /* all is booked until then */
    Gen9PowerState state;       /* from then on */
    uint64_t draw;
    Gen9Energy total;
    Gen9Energy shown;           /* when the counter last moved */
    int64_t residency_ns;       /* in RC6 */

    /* The leaky law's slow temperature, as the power that would hold it */
    int64_t heat_ns;            /* it changes then */
    int64_t heat;               /* in uW / 256 */
    uint64_t heat_nj;           /* total at its last change */

    /* The truth log's current line of states */
    int64_t line_ns;
    uint64_t line_nj;
    Gen9PowerState line_state;
    uint32_t line_ratio;
} Gen9Power;

#endif /* HW_DISPLAY_GEN9_POWER_H */
