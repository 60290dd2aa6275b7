/* SPDX-License-Identifier: GPL-2.0-only */
/* A mix of clients is played under some settings of the scheduler, and measured */

#ifndef GVT_SCHED_PLAY_H
#define GVT_SCHED_PLAY_H

#include <argp.h>

#include "../../../drivers/gpu/drm/i915/gvt/tests/sched_sim.h"

/* For so long nothing is measured */
#define PLAY_WARM_UP_NS (3 * NSEC_PER_SEC)

/**
 * struct play_options - what the command line says
 * @mixes: how many random mixes; 0 if it does not say
 * @seed: of the first of them
 * @seconds: for how long each is measured
 * @submit_ns: how long it takes to get a workload to the engine
 * @switch_ns: how long it takes the engine to change to another vGPU
 * @verbose: print what each vGPU gets
 */
struct play_options {
	u32 mixes;
	u64 seed;
	u64 seconds;
	u64 submit_ns;
	u64 switch_ns;
	bool verbose;
};

extern struct play_options play_options;

/* Parses them, as the child of a program's own */
extern const struct argp_child play_argp[];

/**
 * play_parse - parse the command line
 * @argp: what it can hold, with @play_argp
 * @argc: of main()
 * @argv: of main(); the program ends with status 2 if it is not good
 */
void play_parse(const struct argp *argp, int argc, char **argv);

/**
 * play_number - parse a whole number
 * @state: argp's
 * @option: the name of the option
 * @text: its value; the program ends with a message if that is no number
 * @least: the least that is good
 * @most: and the most
 *
 * Return: the number.
 */
u64 play_number(struct argp_state *state, const char *option, const char *text, u64 least,
		u64 most);

/* Who a simulation belongs to; a check of it that fails goes to @abort */
extern struct kunit play_test;

/**
 * struct play - what is played
 * @policy: the policy
 * @dispatch: the dispatch mode
 * @clients: the clients
 * @n: how many, at most %SCHED_TEST_VGPUS
 * @beside: what each does on another engine, with @depth 0 for nothing; NULL if there is none.
 *   With exclusive dispatch only: in the other modes engines have nothing to do with each other
 * @switch_ns: as in &struct play_options, where it is not 0
 */
struct play {
	enum gvt_sched_policy policy;
	enum gvt_sched_dispatch dispatch;
	const struct sched_sim_client *clients;
	u32 n;
	const struct sched_sim_client *beside;
	u64 switch_ns;
};

/**
 * struct play_result - what came of it; but for counts, parts of the time, and ms
 * @share: for which each vGPU executed
 * @had: for which it had the engine, with what it takes to get onto it
 * @mean_ms: the mean latency, from queue to end
 * @p99_ms: its 99th percentile
 * @tail_ms: the mean of the worst 1 %
 * @longest_ms: the longest one; 0 if nothing ended
 * @done: how many workloads ended
 * @busy: for which the engine executed
 * @held: for which it was kept idle for somebody
 * @hand_overs: how often a workload was to make way, per second
 *
 * The other latencies of a vGPU of which nothing ended are the time that was measured: it is known
 * that they are longer. All members are doubles, so that results can be added up.
 */
struct play_result {
	double share[SCHED_TEST_VGPUS];
	double had[SCHED_TEST_VGPUS];
	double mean_ms[SCHED_TEST_VGPUS];
	double p99_ms[SCHED_TEST_VGPUS];
	double tail_ms[SCHED_TEST_VGPUS];
	double longest_ms[SCHED_TEST_VGPUS];
	double done[SCHED_TEST_VGPUS];
	double busy;
	double held;
	double hand_overs;
};

/**
 * play - play it from a new beginning
 * @p: what
 * @r: what came of it
 * @beside: and on the other engine, or NULL
 */
void play(const struct play *p, struct play_result *r, struct play_result *beside);

/**
 * play_print_client - print what a client does, in ms, without a line's end
 * @c: the client
 */
void play_print_client(const struct sched_sim_client *c);

/**
 * play_print_vgpu - print what a vGPU got, and a line's end
 * @r: what came of it
 * @i: the vGPU
 */
void play_print_vgpu(const struct play_result *r, u32 i);

/**
 * play_print_engine - print how the engine was used, without a line's end
 * @r: what came of it
 */
void play_print_engine(const struct play_result *r);

#endif
