/*
 * Intel Gen9 integrated GPU, functional model: truth log
 *
 * What the device itself saw, for tests that compare it with what a driver
 * or a tracer reports.  The guest cannot read it.  One line per stay of a
 * context on an engine, written when the stay ends; times are in ns of
 * QEMU_CLOCK_VIRTUAL.  What is noted of registers that software switches stands
 * in comments in between.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qapi/error.h"
#include "gen9_igpu.h"

static const char *const state_name[] = {
    [GEN9_POWER_RC6] = "rc6",
    [GEN9_POWER_IDLE] = "idle",
    [GEN9_POWER_ACTIVE] = "active",
};

static const char *const result_name[] = {
    [GEN9_COMPLETE] = "complete",
    [GEN9_PREEMPTED] = "preempted",
    [GEN9_RESET] = "reset",
};

/* A log that ends early without saying so would look like a true one. */
static void truth_check(Gen9State *s, int written)
{
    if (written < 0) {
        error_report("gen9-igpu: truth log '%s' ends here: %s",
                     s->truth_log, strerror(errno));
        gen9_truth_close(s);
    }
}

/* The properties that lines depend on, and what else there is in a line */
static bool write_header(Gen9State *s)
{
    if (fprintf(s->truth,
            "# gen9-truth 1\n"
            "# engine lrca ctx_id start_ns stop_ns busy_ns commands result "
            "head tail end\n"
            "# cmd-ns=%" PRIu32 " elsp-ns=%" PRIu32 " noop-ns-per-unit=%" PRIu32
            " walker-ns-per-group=%" PRIu32 " loop-ns=%" PRIu32 "\n"
            "# ctx-save-ns=%" PRIu32 " ctx-restore-ns=%" PRIu32
            " switched-reg-ns=%" PRIu32 " noop-preempt-ns=%" PRIu32
            " walker-preempt=%d rcs-preempt=%d arb-check-only=%d\n",
            s->cmd_ns, s->elsp_ns, s->noop_ns_per_unit, s->walker_ns_per_group,
            s->loop_ns, s->ctx_save_ns, s->ctx_restore_ns, s->switched_reg_ns,
            s->noop_preempt_ns, s->walker_preempt, s->rcs_preempt,
            s->arb_check_only) < 0) {
        return false;
    }
    if (s->mem_mbps &&
        fprintf(s->truth, "# mem-mbps=%" PRIu32 " mem-law=%s: "
                "lines end with stretch_ns bytes\n",
                s->mem_mbps, gen9_memory_law(s)) < 0) {
        return false;
    }
    if (s->power.law &&
        fprintf(s->truth, "# power-law=%s power-seed=%" PRIu32
                " power-rc6-mw=%" PRIu32 " power-rc0-mw=%" PRIu32
                " power-min-mw=%" PRIu32 " power-max-mw=%" PRIu32
                ": lines end with own_nj fair_nj\n",
                gen9_power_law(s), s->power_seed, s->power_rc6_mw,
                s->power_rc0_mw, s->power_min_mw, s->power_max_mw) < 0) {
        return false;
    }
    return true;
}

bool gen9_truth_open(Gen9State *s, Error **errp)
{
    if (!s->truth_log || !*s->truth_log) {
        return true;
    }
    s->truth = fopen(s->truth_log, "w");
    if (!s->truth) {
        error_setg_file_open(errp, errno, s->truth_log);
        return false;
    }
    /* whole lines, also when QEMU is killed */
    setvbuf(s->truth, NULL, _IOLBF, 0);
    if (!write_header(s)) {
        error_setg_errno(errp, errno, "Could not write truth log '%s'",
                         s->truth_log);
        gen9_truth_close(s);
        return false;
    }
    return true;
}

void gen9_truth_close(Gen9State *s)
{
    if (s->truth) {
        fclose(s->truth);
        s->truth = NULL;
    }
}

void gen9_truth_piece(Gen9Engine *e, Gen9Result result)
{
    const Gen9Piece *p = &e->piece;
    Gen9State *s = e->s;
    g_autofree char *memory = s->mem_mbps ?
        g_strdup_printf(" %" PRId64 " %" PRIu64, gen9_memory_stretch_ns(e),
                        p->bytes) : NULL;
    g_autofree char *energy = s->power.law ?
        g_strdup_printf(" %" PRIu64 " %" PRIu64, p->own.nj, p->fair.nj) : NULL;

    if (!s->truth) {
        return;
    }
    truth_check(s, fprintf(s->truth,
        "%s 0x%08" PRIx32 " 0x%08" PRIx32 " %" PRId64 " %" PRId64 " %" PRId64
        " %" PRIu64 " %s 0x%08" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32 "%s%s\n",
        e->info->name, DESC_LRCA(e->desc), DESC_ID(e->desc), p->start_ns,
        gen9_now(), p->busy_ns, p->commands, result_name[result], p->head,
        e->tail, e->head, memory ?: "", energy ?: ""));
}

/*
 * A line of states ends where the state or the frequency is another one; what
 * is booked from now on is of the next.
 */
void gen9_truth_power(Gen9State *s)
{
    Gen9Power *p = &s->power;

    if (p->state == p->line_state && p->pm.ratio == p->line_ratio) {
        return;
    }
    if (s->truth && p->line_ns < p->settled_ns) {
        truth_check(s, fprintf(s->truth,
            "# power %s %" PRId64 " %" PRId64 " %" PRIu32 " %" PRIu64 "\n",
            state_name[p->line_state], p->line_ns, p->settled_ns,
            gen9_pm_mhz(p->line_ratio), p->total.nj - p->line_nj));
    }
    p->line_ns = p->settled_ns;
    p->line_nj = p->total.nj;
    p->line_state = p->state;
    p->line_ratio = p->pm.ratio;
}

/*
 * Whoever switches registers took this one from the running context
 * ("live-switch"), or let the context begin with another value than it had
 * left in it ("other-values").
 */
void gen9_truth_switched(Gen9Engine *e, const char *what, uint32_t offset,
                         uint32_t own, uint32_t value)
{
    Gen9State *s = e->s;

    if (!s->truth) {
        return;
    }
    truth_check(s, fprintf(s->truth,
        "# %s %s 0x%08" PRIx32 " 0x%08" PRIx32 " %" PRId64 " %" PRId64
        " 0x%06" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32 "\n",
        what, e->info->name, DESC_LRCA(e->desc), DESC_ID(e->desc),
        e->piece.start_ns, gen9_now(), offset, own, value));
}
