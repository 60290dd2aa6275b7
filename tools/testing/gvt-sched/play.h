/* SPDX-License-Identifier: GPL-2.0-only */
/* Simulate a mix of clients under given settings of the scheduler, and measure */

#ifndef GVT_SCHED_PLAY_H
#define GVT_SCHED_PLAY_H

#include <argp.h>

#include "../../../drivers/gpu/drm/i915/gvt/tests/sched_sim.h"

/* Nothing is measured for this long */
#define PLAY_WARM_UP_NS (3 * NSEC_PER_SEC)

/**
 * struct play_options - options of the command line
 * @mixes: number of random mixes; 0 if not given
 * @seed: seed of the first mix
 * @seconds: how long each mix is measured
 * @submit_ns: time to submit a workload to the engine
 * @switch_ns: time for the engine to switch to another vGPU
 * @verbose: print the results of each vGPU
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

/* Parser of these options, as a child of the program's own parser */
extern const struct argp_child play_argp[];

/**
 * play_parse - parse the command line
 * @argp: the program's parser, with @play_argp
 * @argc: of main()
 * @argv: of main(); the program exits with status 2 if the command line is invalid
 */
void play_parse(const struct argp *argp, int argc, char **argv);

/**
 * play_number - parse a whole number
 * @state: state of argp
 * @option: the name of the option
 * @text: the option's value; if invalid, the program exits with a message
 * @least: the smallest valid number
 * @most: the largest valid number
 *
 * Return: the number.
 */
u64 play_number(struct argp_state *state, const char *option, const char *text, u64 least,
		u64 most);

/* Owns the simulations; a failed check of a simulation jumps to @abort */
extern struct kunit play_test;

/**
 * struct play - a mix to simulate
 * @policy: the policy
 * @dispatch: the dispatch mode
 * @clients: the clients
 * @n: number of clients, at most %SCHED_TEST_VGPUS
 * @beside: the clients on a second engine, idle if @depth is 0; NULL for one engine. With
 *   exclusive dispatch only: in the other modes engines are independent
 * @switch_ns: if not 0, overrides that of &struct play_options
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
 * struct play_result - results of a simulation; @share, @had, @busy and @held are fractions of time
 * @share: each vGPU's execution time
 * @had: the same with the time for submissions and switches
 * @mean_ms: the mean latency, from queueing to completion
 * @p99_ms: the 99th percentile of the latency
 * @tail_ms: the mean of the worst 1 % of the latencies
 * @longest_ms: the longest latency; 0 if no workload completed
 * @done: number of completed workloads
 * @busy: time that the engine executed
 * @held: time that the engine was kept idle for an expected vGPU
 * @hand_overs: preemptions requested per second
 *
 * If no workload of a vGPU completed, the other latencies are the measured time, as a lower bound.
 * All members are doubles, so that results can be added up.
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
 * play - simulate a mix from the beginning
 * @p: the mix
 * @r: receives the results
 * @beside: receives the results of the second engine, or NULL
 */
void play(const struct play *p, struct play_result *r, struct play_result *beside);

/**
 * play_print_client - print a client's parameters, in ms, without a newline
 * @c: the client
 */
void play_print_client(const struct sched_sim_client *c);

/**
 * play_print_vgpu - print the results of a vGPU, and a newline
 * @r: the results
 * @i: the vGPU
 */
void play_print_vgpu(const struct play_result *r, u32 i);

/**
 * play_print_engine - print the use of the engine, without a newline
 * @r: the results
 */
void play_print_engine(const struct play_result *r);

#endif
