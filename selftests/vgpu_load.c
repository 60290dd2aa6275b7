// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vgpu_load - put load on GVT-g vGPUs, for the tests in this directory
 *
 * Opens each vGPU as a virtual machine would, keeps a number of workloads in
 * flight on each selected engine and checks the values that they store. Optionally
 * hangs an engine, resets the vGPUs, or submits invalid or endless workloads. On
 * SIGTERM, waits for the workloads in flight and exits.
 *
 * Prints READY when all vGPUs are open, and one RESULT line per vGPU and engine
 * at the end. Exit code 0 if every workload that was not lost to a reset stored
 * the right value, else 1.
 */
#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "vgpu_client.h"

#define MAX_VGPUS	8
#define MAX_STREAMS	(MAX_VGPUS * VGPU_ENGINES)
#define MS		1000000ULL
#define SECOND		(1000 * MS)
/* Workloads in flight at the end may have to wait for other vGPUs' slices. */
#define DRAIN_NS	(20 * SECOND)
/* i915 detects a hang within this time: heartbeat and preemption time-outs. */
#define HANG_NS		(12 * SECOND)

/* Workloads of one vGPU on one engine. */
struct stream {
	struct vgpu_client	*vgpu;
	struct vgpu_context	*context;
	const char		*uuid;
	enum vgpu_engine	engine;
	uint32_t		seen;		/* last checked sequence number */
	unsigned int		done;
	unsigned int		wrong;		/* done, but stored a wrong value */
	unsigned int		lost;		/* in flight at a reset */
	uint32_t		ended;		/* the last endless workload that was ended */
	uint64_t		end_next;	/* when to end the next endless workload */
};

struct load {
	bool			engines[VGPU_ENGINES];
	struct vgpu_work	work;
	unsigned int		depth;
	unsigned int		count;		/* workloads of each stream */
	unsigned int		hang_at;	/* sequence number; 0: never */
	unsigned int		hangs_left;	/* number of hangs to come */
	bool			renew_tables;	/* after each hang */
	unsigned int		bad_at;		/* sequence number; 0: never */
	unsigned int		garbage_every;	/* workloads per garbage tail; 0: never */
	uint64_t		endless_ns;	/* workloads loop for this long; 0: they end */
	unsigned int		flood;		/* number of extra submissions per context */
	uint64_t		run_ns;
	uint64_t		reset_every_ns;	/* 0: never */

	struct vgpu_client	*vgpus[MAX_VGPUS];
	struct pollfd		irqs[MAX_VGPUS];
	unsigned int		nr_vgpus;
	struct stream		streams[MAX_STREAMS];
	unsigned int		nr_streams;
	uint64_t		hung_at;	/* when the hang was submitted; 0: none pending */
	uint64_t		next_reset;
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * SECOND + ts.tv_nsec;
}

static void fail(const char *uuid, const struct vgpu_client *vgpu)
{
	fprintf(stderr, "vgpu_load: %s: %s\n", uuid, vgpu ? vgpu_error(vgpu) : "out of memory");
	exit(EXIT_FAILURE);
}

static void usage(int status)
{
	fprintf(status ? stderr : stdout,
		"usage: vgpu_load [-e ENGINE[,ENGINE]...] [-x USEC] [-p PIECES] [-m MBPS] [-M PERCENT]\n"
		"                 [-d DEPTH] [-t SECONDS] [-n COUNT] [-E MSEC] [-H N] [-T N]\n"
		"                 [-B N] [-F N] [-G N] [-R MSEC] [-L KB] UUID...\n"
		"  -e  engines: rcs0 (default), bcs0, vcs0, vecs0\n"
		"  -x  length of a workload in us, if the GPU is emulated (1000)\n"
		"  -p  pieces of a workload; preemption is possible between pieces (1)\n"
		"  -m  memory bandwidth that a workload demands when alone, in MB/s (0)\n"
		"  -M  part of a workload's time that waits for memory, in steps of 5 %% (100)\n"
		"  -d  workloads in flight per engine, 1 to %u (2)\n"
		"  -t  run for at most this many seconds (5)\n"
		"  -n  workloads per vGPU and engine (unlimited)\n"
		"  -E  submit endless but preemptible workloads, and end one per engine every\n"
		"      MSEC ms, and all of them at the end\n"
		"  -H  hang the first vGPU's first engine with its N-th workload\n"
		"  -T  hang with each workload whose number is a multiple of that of -H, N times,\n"
		"      and rebuild the page tables after each hang, as Windows does (TDR)\n"
		"  -B  the N-th workload there has a command that no GPU knows; no workload\n"
		"      of this vGPU completes from then on\n"
		"  -F  submit each context N more times at the beginning, without new work\n"
		"  -G  on the first vGPU's first engine, submit a garbage ring tail before each\n"
		"      N-th workload; the results are undefined from then on\n"
		"  -R  reset all vGPUs every MSEC ms\n"
		"  -L  lock at most KB kB of memory, as a virtual machine with a low limit\n",
		VGPU_MAX_SLOTS);
	exit(status);
}

static unsigned long number(char option, const char *text, unsigned long min, unsigned long max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < min || value > max) {
		fprintf(stderr, "vgpu_load: -%c %s: must be a number from %lu to %lu\n", option,
			text, min, max);
		exit(EXIT_FAILURE);
	}
	return value;
}

/* GVT-g locks the guest memory that the GPU may use, accounted to the process that mapped it */
static void limit_locked_memory(unsigned long kb)
{
	const struct rlimit limit = { .rlim_cur = kb * 1024, .rlim_max = kb * 1024 };
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (!setrlimit(RLIMIT_MEMLOCK, &limit) && !syscall(SYS_capget, &header, data)) {
		data[CAP_TO_INDEX(CAP_IPC_LOCK)].effective &= ~CAP_TO_MASK(CAP_IPC_LOCK);
		if (!syscall(SYS_capset, &header, data))
			return;
	}
	perror("vgpu_load: -L");
	exit(EXIT_FAILURE);
}

static void choose_engines(struct load *load, char *list)
{
	char *name, *rest;
	int engine;

	memset(load->engines, 0, sizeof(load->engines));
	for (name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		engine = vgpu_engine_find(name);
		if (engine < 0) {
			fprintf(stderr, "vgpu_load: -e %s: no such engine; see -h\n", name);
			exit(EXIT_FAILURE);
		}
		load->engines[engine] = true;
	}
}

static void parse(struct load *load, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "e:x:p:m:M:d:t:n:E:H:T:B:F:G:R:L:h")) != -1) {
		switch (option) {
		case 'e':
			choose_engines(load, optarg);
			break;
		case 'x':
			load->work.exec_ns = 1000ULL * number('x', optarg, 1, 10000000);
			break;
		case 'p':
			load->work.pieces = number('p', optarg, 1, 1000);
			break;
		case 'm':
			load->work.mbps = number('m', optarg, 0, VGPU_MAX_MBPS);
			break;
		case 'M':
			load->work.bound_percent = number('M', optarg, 0, 100);
			break;
		case 'd':
			load->depth = number('d', optarg, 1, VGPU_MAX_SLOTS);
			break;
		case 't':
			load->run_ns = SECOND * number('t', optarg, 1, 86400);
			break;
		case 'n':
			load->count = number('n', optarg, 1, UINT32_MAX);
			break;
		case 'E':
			load->endless_ns = MS * number('E', optarg, 1, 3600000);
			break;
		case 'H':
			load->hang_at = number('H', optarg, 1, 1000000);
			break;
		case 'T':
			load->hangs_left = number('T', optarg, 1, 1000000);
			load->renew_tables = true;
			break;
		case 'B':
			load->bad_at = number('B', optarg, 1, 1000000);
			break;
		case 'F':
			load->flood = number('F', optarg, 0, 1000000);
			break;
		case 'G':
			load->garbage_every = number('G', optarg, 1, 1000000);
			break;
		case 'R':
			load->reset_every_ns = MS * number('R', optarg, 1, 3600000);
			break;
		case 'L':
			limit_locked_memory(number('L', optarg, 1, 1UL << 30));
			break;
		case 'h':
			usage(EXIT_SUCCESS);
			break;
		default:
			usage(EXIT_FAILURE);
		}
	}
	if (optind == argc || argc - optind > MAX_VGPUS)
		usage(EXIT_FAILURE);
}

static void add_stream(struct load *load, struct vgpu_client *vgpu, const char *uuid,
		       enum vgpu_engine engine)
{
	struct stream *st = &load->streams[load->nr_streams++];

	*st = (struct stream) { .vgpu = vgpu, .uuid = uuid, .engine = engine };
	st->context = vgpu_context_new(vgpu, engine, &load->work, load->depth);
	if (!st->context)
		fail(uuid, vgpu);
}

static void add_vgpu(struct load *load, const char *uuid)
{
	struct vgpu_client *vgpu = vgpu_new();
	int engine;

	if (!vgpu || vgpu_open(vgpu, uuid))
		fail(uuid, vgpu);
	for (engine = 0; engine < VGPU_ENGINES; engine++) {
		if (!load->engines[engine])
			continue;
		if (vgpu_start_engine(vgpu, engine))
			fail(uuid, vgpu);
		add_stream(load, vgpu, uuid, engine);
	}
	load->irqs[load->nr_vgpus] = (struct pollfd) {
		.fd = vgpu_irq_fd(vgpu), .events = POLLIN,
	};
	load->vgpus[load->nr_vgpus++] = vgpu;
}

/* The library counts workloads ended by a reset as completed. */
static void count_lost(struct stream *st)
{
	st->lost += vgpu_completed(st->context) - st->seen;
	st->seen = vgpu_completed(st->context);
	st->ended = vgpu_submitted(st->context);
}

static void check_completed(struct stream *st)
{
	while (st->seen != vgpu_completed(st->context)) {
		st->done++;
		if (!vgpu_result_ok(st->context, ++st->seen))
			st->wrong++;
	}
}

/* Completed workloads that are not checked yet still occupy their slots. */
static unsigned int in_flight(const struct stream *st)
{
	return vgpu_submitted(st->context) - st->seen;
}

static void end_one(struct load *load, struct stream *st)
{
	vgpu_end(st->context, ++st->ended);
	st->end_next = now_ns() + load->endless_ns;
}

static void end_what_is_due(struct load *load, struct stream *st)
{
	if (load->endless_ns && st->ended != vgpu_submitted(st->context) &&
	    now_ns() >= st->end_next)
		end_one(load, st);
}

static void end_all(struct load *load)
{
	struct stream *st;

	for (st = load->streams; st < load->streams + load->nr_streams; st++) {
		while (load->endless_ns && st->ended != vgpu_submitted(st->context))
			end_one(load, st);
	}
}

static int submit_endless(struct load *load, struct stream *st)
{
	if (st->ended == vgpu_submitted(st->context))
		st->end_next = now_ns() + load->endless_ns;
	return vgpu_submit_endless(st->context);
}

/* @seqno: 0 for streams without hangs */
static bool is_to_hang(const struct load *load, uint32_t seqno)
{
	if (!seqno || !load->hang_at || !load->hangs_left || load->hung_at)
		return false;
	return load->renew_tables ? seqno % load->hang_at == 0 : seqno == load->hang_at;
}

static void submit_next(struct load *load, struct stream *st)
{
	uint32_t seqno = st == &load->streams[0] ? vgpu_submitted(st->context) + 1 : 0;
	bool hang = is_to_hang(load, seqno);
	bool bad = seqno && seqno == load->bad_at;

	/* GVT may refuse this submission */
	if (seqno && load->garbage_every && seqno % load->garbage_every == 0)
		vgpu_submit_garbage(st->context, seqno * 2654435761u);
	if (hang ? vgpu_submit_hang(st->context) : bad ? vgpu_submit_bad(st->context) :
	    load->endless_ns ? submit_endless(load, st) : vgpu_submit(st->context))
		fail(st->uuid, st->vgpu);
	if (hang) {
		load->hung_at = now_ns();
		load->hangs_left--;
	}
}

static void fill(struct load *load, struct stream *st)
{
	while (in_flight(st) < load->depth && vgpu_submitted(st->context) < load->count)
		submit_next(load, st);
}

static void flood(struct load *load, struct stream *st)
{
	unsigned int i;

	for (i = 0; i < load->flood; i++) {
		if (vgpu_submit_again(st->context))
			fail(st->uuid, st->vgpu);
	}
}

/* Reset an engine that makes no progress, as a guest's driver does. */
static void recover(struct load *load)
{
	struct stream *st = &load->streams[0];

	if (!load->hung_at || now_ns() < load->hung_at + HANG_NS)
		return;
	check_completed(st);
	if (vgpu_reset_engine(st->vgpu, st->engine) ||
	    (load->renew_tables && vgpu_renew_tables(st->context)))
		fail(st->uuid, st->vgpu);
	count_lost(st);
	load->hung_at = 0;
}

static void reset_vgpus(struct load *load)
{
	unsigned int i;

	if (!load->reset_every_ns || now_ns() < load->next_reset)
		return;
	for (i = 0; i < load->nr_streams; i++)
		check_completed(&load->streams[i]);
	for (i = 0; i < load->nr_vgpus; i++) {
		if (vgpu_reset(load->vgpus[i]))
			fail("reset", load->vgpus[i]);
	}
	for (i = 0; i < load->nr_streams; i++)
		count_lost(&load->streams[i]);
	load->next_reset = now_ns() + load->reset_every_ns;
}

/* Wait for interrupts, at most 20 ms: a reset may lose an interrupt. */
static void wait_irqs(struct load *load)
{
	unsigned int i;

	if (poll(load->irqs, load->nr_vgpus, 20) < 0 && errno != EINTR) {
		perror("vgpu_load: poll");
		exit(EXIT_FAILURE);
	}
	for (i = 0; i < load->nr_vgpus; i++) {
		if (load->irqs[i].revents && vgpu_ack_irq(load->vgpus[i]))
			fail("interrupt", load->vgpus[i]);
	}
	for (i = 0; i < load->nr_streams; i++)
		check_completed(&load->streams[i]);
}

static unsigned int all_in_flight(const struct load *load)
{
	unsigned int i, sum = 0;

	for (i = 0; i < load->nr_streams; i++)
		sum += in_flight(&load->streams[i]);
	return sum;
}

static bool all_done(const struct load *load)
{
	unsigned int i;

	for (i = 0; i < load->nr_streams; i++) {
		if (vgpu_submitted(load->streams[i].context) < load->count)
			return false;
	}
	return !all_in_flight(load);
}

static void run(struct load *load)
{
	uint64_t end = now_ns() + load->run_ns;
	unsigned int i;

	for (i = 0; load->flood && i < load->nr_streams; i++) {
		fill(load, &load->streams[i]);
		flood(load, &load->streams[i]);
	}
	load->next_reset = now_ns() + load->reset_every_ns;
	while (!stopped && !all_done(load) && (now_ns() < end || load->hung_at)) {
		for (i = 0; i < load->nr_streams; i++) {
			fill(load, &load->streams[i]);
			end_what_is_due(load, &load->streams[i]);
		}
		wait_irqs(load);
		recover(load);
		reset_vgpus(load);
	}
}

static bool drain(struct load *load)
{
	uint64_t end = now_ns() + DRAIN_NS;

	end_all(load);
	while (all_in_flight(load) && now_ns() < end)
		wait_irqs(load);
	return !all_in_flight(load);
}

static bool report(const struct load *load)
{
	static const char * const names[] = { "rcs0", "bcs0", "vcs0", "vecs0" };
	const struct stream *st;
	bool good = true;

	for (st = load->streams; st < load->streams + load->nr_streams; st++) {
		printf("RESULT vgpu=%s engine=%s done=%u wrong=%u lost=%u unfinished=%u\n",
		       st->uuid,
		       names[st->engine], st->done, st->wrong, st->lost, in_flight(st));
		good &= st->done && !st->wrong;
	}
	return good;
}

int main(int argc, char **argv)
{
	static struct load load = {
		.engines = { [VGPU_RCS0] = true },
		.work = { .exec_ns = MS, .pieces = 1, .bound_percent = 100 },
		.depth = 2,
		.count = UINT32_MAX,
		.hangs_left = 1,
		.run_ns = 5 * SECOND,
	};
	bool good;
	unsigned int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	parse(&load, argc, argv);
	signal(SIGTERM, stop);
	for (; optind < argc; optind++)
		add_vgpu(&load, argv[optind]);
	puts("READY");
	run(&load);
	good = drain(&load);
	good &= report(&load);
	for (i = 0; i < load.nr_vgpus; i++)
		vgpu_free(load.vgpus[i]);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
