// SPDX-License-Identifier: GPL-2.0-only

#include "sched_random.h"

/* With exclusive dispatch some clients have a period, else some run to completion */
static void random_client(struct sched_sim *s, struct sched_sim_client *c)
{
	bool shared = gvt_sched_is_shared(&s->t->rq);

	c->exec_ns = US(20) + sched_sim_random(s, US(100) << sched_sim_random(s, 9));
	c->depth = 1 + sched_sim_random(s, 3);
	c->runs_to_end = shared && !sched_sim_random(s, 4);
	c->weight = 2 << sched_sim_random(s, 4);
	c->nice = (int)sched_sim_random(s, 11) - 5;
	c->spread_ns = sched_sim_random(s, 2) ? sched_sim_random(s, c->exec_ns) : 0;
	if (sched_sim_random(s, 3))
		c->think_ns = sched_sim_random(s, US(100) << sched_sim_random(s, 9));
	if (!shared && !sched_sim_random(s, 4))
		c->period_ns = c->exec_ns + sched_sim_random(s, 3 * c->exec_ns);
	if (!sched_sim_random(s, 4))
		c->cap = 1 + sched_sim_random(s, 100);
}

/**
 * sched_random_sim - create a simulation with random clients
 * @test: the test, which owns the simulation
 * @policy: the policy
 * @dispatch: the dispatch mode
 * @seed: seed of the random numbers
 *
 * Return: the simulation, with all vGPUs started.
 */
struct sched_sim *sched_random_sim(struct kunit *test, enum gvt_sched_policy policy,
				   enum gvt_sched_dispatch dispatch, u64 seed)
{
	struct sched_sim *s = sched_sim_new(test, policy, dispatch, seed);
	u32 i, vgpus = 1 + sched_sim_random(s, SCHED_TEST_VGPUS);
	struct sched_sim_client *clients;

	clients = kunit_kcalloc(test, vgpus, sizeof(*clients), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, clients);
	kunit_info(test, "seed %llu: %u vGPUs\n", seed, vgpus);
	for (i = 0; i < vgpus; i++) {
		random_client(s, &clients[i]);
		sched_sim_start(s, &clients[i]);
	}
	gvt_sched_begin_anew(&s->t->rq, s->now);
	s->t->balances = 0;

	return s;
}
