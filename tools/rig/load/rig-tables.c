// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rig-tables: a guest that misuses the memory of its GPU's page tables.
 *
 * Its contexts have one page of each level, which GVT-g shadows and write-protects, and its CPUs
 * store other data there: like a driver that frees the page of a table before it notifies GVT-g
 * (intel/gvt-linux#153). A seed determines everything.
 *
 * Prints the stores, "STORES level=.. bytes=.. content=.. n=..", and one line RESULT. Exit code 0
 * if every workload that was submitted with good tables stored the right value.
 */
/* for the client's private contexts, tables and machine */
#include "../../../selftests/vgpu_client.c"
#include "vcpu.h"

#include <argp.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <time.h>

#define LEVELS 4	/* PML4, PDP, PD, PT: the order of a context's pages */
#define WIDTHS 5
#define CONTEXTS 4
#define MAX_CPUS 4
#define WORKLOAD_NS 100000
#define DONE_MS 5000
/* GVT-g gives shadow pages a quarter of the guest's memory and 4 MB: 1,536 are less, 2,560 are more */
#define TREE_DIRECTORIES 3
#define REFUSED_MS 200
/* The most address spaces, and loads per workload, that GVT-g accepts */
#define MAX_ROOTS 1024
#define MAX_LOADS 16
#define PTE_LARGE (1u << 7)
#define LARGE_PAGE (4u << 20)
/* With a request, the loads' size divides the ring's */
#define LOADS_DWORDS (4 * VGPU_REQUEST_DWORDS - VGPU_REQUEST_DWORDS)
#define MANY_LOADS_DWORDS (16 * VGPU_REQUEST_DWORDS - VGPU_REQUEST_DWORDS)
#define RING_PDP0_UDW 0x274
#define RING_PDP0_LDW 0x270

enum content {
	RANDOM, PIXELS, ONES, ODD, ITSELF, PARENT, OTHER_LEVEL, FRAME_0, OUTSIDE, SOME_PAGE, GOOD_VALUE, ZERO,
	CONTENTS
};

static const char *const content_names[CONTENTS] = {
	"random", "pixels", "ones", "odd", "itself", "parent", "other-level", "frame-0", "outside",
	"some-page", "good", "zero",
};

static const char *const level_names[LEVELS] = { "pml4", "pdp", "pd", "pt" };
static const unsigned int widths[WIDTHS] = { 1, 2, 4, 8, 16 };

struct options {
	const char *uuid, *play;
	uint64_t seed;
	unsigned int rounds, stores, cpus;
	bool kill;
};

struct tables {
	struct vgpu_context *context;
	uint8_t good[LEVELS * PAGE];
	unsigned int announced;	/* CREATE less DESTROY */
};

struct guest {
	const struct options *o;
	struct vgpu_client *v;
	struct vcpu cpus[MAX_CPUS];
	struct tables tables[CONTEXTS];
	unsigned long counts[LEVELS][WIDTHS][CONTENTS];
	unsigned int good, wrong, late;
	uint64_t longest_ns;	/* store */
};

/* Kinds of stores, one of each in a round of the play cells */
struct cell {
	unsigned int level, width;
	enum content what;
	bool aligned;
};

/* One CPU's part of a round: random stores, or one of each of @cells */
struct task {
	struct guest *g;
	struct vcpu *cpu;
	uint64_t random;
	unsigned int stores;
	const struct cell *cells;
	int err;
	unsigned long counts[LEVELS][WIDTHS][CONTENTS];
};

/* ---- small things -------------------------------------------------------- */

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static uint64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static _Noreturn void give_up(const char *what, const char *why)
{
	fprintf(stderr, "rig-tables: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static void need(const struct guest *g, int err, const char *what)
{
	if (err)
		give_up(what, *vgpu_error(g->v) ? vgpu_error(g->v) : strerror(-err));
}

/* ---- content ------------------------------------------------------------- */

static uint32_t page_of(const struct tables *t, unsigned int level)
{
	return t->context->pml4 + level * PAGE;
}

static uint64_t entry(uint64_t gpa)
{
	return gpa | PTE_PRESENT_WRITABLE;
}

static uint64_t pixels(uint64_t random)
{
	uint32_t pixel = (uint32_t)random | 0xff000001;

	return (uint64_t)pixel << 32 | pixel;
}

static uint64_t content(const struct guest *g, const struct tables *t, unsigned int level, unsigned int offset,
			enum content what, uint64_t *random)
{
	uint64_t r = draw(random), value;

	switch (what) {
	case PIXELS:
		return pixels(r);
	case ONES:
		return ~0ull;
	case ODD:
		return r % 8 * 2 + 1;
	case ITSELF:
		return entry(page_of(t, level));
	case PARENT:
		return entry(page_of(t, level ? level - 1 : LEVELS - 1));
	case OTHER_LEVEL:
		return entry(page_of(&g->tables[r % CONTEXTS], r / CONTEXTS % LEVELS));
	case FRAME_0:
		return entry(0);
	case OUTSIDE:
		return entry(MEMORY_BYTES + (r % (1u << 20)) * PAGE);
	case SOME_PAGE:
		return entry(r % MEMORY_PAGES * PAGE);
	case GOOD_VALUE:
		memcpy(&value, t->good + level * PAGE + (offset & (PAGE - 8)), sizeof(value));
		return value;
	case ZERO:
		return 0;
	default:
		return r;
	}
}

static struct cell some_cell(uint64_t *random)
{
	return (struct cell) {
		.level = draw(random) % LEVELS, .width = draw(random) % WIDTHS,
		.what = draw(random) % CONTENTS, .aligned = draw(random) % 4,
	};
}

/* An unaligned store may continue in the next page. */
static struct vcpu_store some_store(struct task *task, const struct cell *c)
{
	const struct tables *t = &task->g->tables[draw(&task->random) % CONTEXTS];
	unsigned int offset = draw(&task->random) % PAGE, bytes = widths[c->width];
	uint64_t value;

	if (c->aligned)
		offset -= offset % bytes;
	else if (offset % bytes == 0)
		offset++;
	task->counts[c->level][c->width][c->what]++;
	value = content(task->g, t, c->level, offset, c->what, &task->random);
	return (struct vcpu_store) {
		.address = page_of(t, c->level) + offset, .bytes = bytes, .value = { value, value },
	};
}

/* ---- actions of the guest ------------------------------------------------ */

static int announce(struct tables *t)
{
	t->announced++;
	return notify_page_tables(t->context, VGT_G2V_PPGTT_L4_CREATE);
}

static int renounce(struct tables *t)
{
	if (t->announced)
		t->announced--;
	return notify_page_tables(t->context, VGT_G2V_PPGTT_L4_DESTROY);
}

/* A page of stores at a time, each of 8, 16 or 2 x 4 bytes */
static int store_page(struct vcpu *cpu, uint32_t gpa, const uint8_t *data, unsigned int bytes)
{
	struct vcpu_store stores[VCPU_STORES];
	unsigned int n = 0;
	int err = 0;

	for (unsigned int at = 0; at < PAGE && !err; at += bytes) {
		stores[n] = (struct vcpu_store) { .address = gpa + at, .bytes = bytes };
		memcpy(stores[n++].value, data + at, bytes);
		if (n == VCPU_STORES || at + bytes == PAGE) {
			err = vcpu_store(cpu, stores, n);
			n = 0;
		}
	}
	return err;
}

static int restore(struct guest *g, struct tables *t, unsigned int bytes)
{
	int err = 0;

	/* From the last level up, as drivers do */
	for (int level = LEVELS - 1; level >= 0 && !err; level--)
		err = store_page(&g->cpus[0], page_of(t, (unsigned int)level), t->good + level * PAGE, bytes);
	if (!err && !t->announced)
		err = announce(t);
	return err;
}

static bool wait_done_ms(struct guest *g, const struct tables *t, uint32_t seqno, unsigned int ms)
{
	struct pollfd irq = { .fd = vgpu_irq_fd(g->v), .events = POLLIN };
	struct vgpu_csb csb;
	uint64_t end = monotonic_ns() + ms * 1000000ull;

	while (vgpu_completed(t->context) != seqno && monotonic_ns() < end) {
		if (poll(&irq, 1, 1) > 0 && vgpu_ack_irq(g->v))
			return false;
		while (vgpu_next_csb(g->v, t->context->engine, &csb))
			;
	}
	return vgpu_completed(t->context) == seqno;
}

static bool wait_done(struct guest *g, const struct tables *t, uint32_t seqno)
{
	return wait_done_ms(g, t, seqno, DONE_MS);
}

/* The last workload of @t must not execute: the guest considers its engine hung. */
static void expect_refused(struct guest *g, struct tables *t)
{
	if (wait_done_ms(g, t, vgpu_submitted(t->context), REFUSED_MS))
		g->wrong++;
	need(g, vgpu_reset_engine(g->v, t->context->engine), "reset");
}

/* Whether a workload with good tables stored the right value */
static void submit(struct guest *g, struct tables *t)
{
	uint32_t seqno;

	need(g, vgpu_submit(t->context), "submit");
	seqno = vgpu_submitted(t->context);
	if (!wait_done(g, t, seqno)) {
		g->late++;
		/* as the guest's driver would */
		need(g, vgpu_reset_engine(g->v, t->context->engine), "reset");
	} else if (vgpu_result_ok(t->context, seqno)) {
		g->good++;
	} else {
		g->wrong++;
	}
}

/* ---- begin and end ------------------------------------------------------- */

static void open_contexts(struct guest *g)
{
	static const struct vgpu_work work = { .exec_ns = WORKLOAD_NS, .pieces = 1 };

	need(g, vgpu_start_engine(g->v, VGPU_RCS0) ?: vgpu_start_engine(g->v, VGPU_BCS0), "start");
	for (unsigned int i = 0; i < CONTEXTS; i++) {
		struct tables *t = &g->tables[i];

		t->context = vgpu_context_new(g->v, i % 2 ? VGPU_BCS0 : VGPU_RCS0, &work, 2);
		if (!t->context)
			give_up("context", vgpu_error(g->v));
		t->announced = 1;
		memcpy(t->good, g->v->memory + t->context->pml4, sizeof(t->good));
	}
}

static void open_cpus(struct guest *g)
{
	/* A store may begin in the last context's tables and end behind them */
	if (!allocate(g->v, 1))
		give_up("CPU", strerror(ENOSPC));
	for (unsigned int i = 0; i < g->o->cpus; i++) {
		uint32_t pages = allocate(g->v, VCPU_PAGES);
		int err = pages ? vcpu_open(&g->cpus[i], g->v->kvm, g->v->vm, i, g->v->memory, pages) : -ENOSPC;

		if (err)
			give_up("CPU", strerror(-err));
	}
}

static void open_guest(struct guest *g, bool as_it_is)
{
	g->v = vgpu_new();
	if (!g->v)
		give_up("guest", "out of memory");
	g->v->as_it_is = as_it_is;
	need(g, vgpu_open(g->v, g->o->uuid), "open");
	open_contexts(g);
	open_cpus(g);
}

static void close_guest(struct guest *g, bool kill)
{
	for (unsigned int i = 0; i < g->o->cpus; i++)
		vcpu_close(&g->cpus[i]);
	if (kill)
		vgpu_kill(g->v);
	else
		vgpu_free(g->v);
}

/* ---- plays --------------------------------------------------------------- */

static void *store_some(void *arg)
{
	struct task *task = arg;
	struct vcpu_store stores[VCPU_STORES];
	unsigned int n = 0;

	for (unsigned int i = 0; i < task->stores && !task->err; i++) {
		const struct cell cell = task->cells ? task->cells[i] : some_cell(&task->random);

		stores[n++] = some_store(task, &cell);
		if (n == VCPU_STORES || i + 1 == task->stores) {
			task->err = vcpu_store(task->cpu, stores, n);
			n = 0;
		}
	}
	return NULL;
}

static void add_counts(struct guest *g, const struct task *task)
{
	for (unsigned int i = 0; i < LEVELS * WIDTHS * CONTENTS; i++)
		(&g->counts[0][0][0])[i] += (&task->counts[0][0][0])[i];
}

/* All CPUs at once, each with its part of @stores */
static void store_everywhere(struct guest *g, uint64_t *random, const struct cell *cells, unsigned int stores)
{
	struct task tasks[MAX_CPUS];
	pthread_t threads[MAX_CPUS];
	unsigned int n = g->o->cpus;

	for (unsigned int i = 0; i < n; i++) {
		unsigned int first = stores * i / n;

		tasks[i] = (struct task) {
			.g = g, .cpu = &g->cpus[i], .random = draw(random), .stores = stores * (i + 1) / n - first,
			.cells = cells ? cells + first : NULL,
		};
		if (pthread_create(&threads[i], NULL, store_some, &tasks[i]))
			give_up("thread", "cannot be made");
	}
	for (unsigned int i = 0; i < n; i++) {
		pthread_join(threads[i], NULL);
		need(g, tasks[i].err, "stores of a CPU");
		add_counts(g, &tasks[i]);
	}
}

/* A random notification, which a driver sends late, never, or twice */
static void say_something(struct guest *g, uint64_t *random)
{
	struct tables *t = &g->tables[draw(random) % CONTEXTS];

	switch (draw(random) % 6) {
	case 0:
		need(g, renounce(t), "DESTROY");
		break;
	case 1:
		need(g, renounce(t) ?: renounce(t), "DESTROY twice");
		break;
	case 2:
		need(g, announce(t), "CREATE");
		break;
	default:
		break;
	}
}

/* Mend one of the contexts, and use it */
static void repent(struct guest *g, uint64_t *random)
{
	static const unsigned int restores[] = { 4, 8, 8, 16 };
	struct tables *t = &g->tables[draw(random) % CONTEXTS];

	say_something(g, random);
	need(g, restore(g, t, restores[draw(random) % 4]), "restore");
	submit(g, t);
}

static void play_random(struct guest *g)
{
	uint64_t random = g->o->seed;

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		store_everywhere(g, &random, NULL, g->o->stores);
		repent(g, &random);
	}
}

/* Each level x width x aligned or not x content; one byte is always aligned */
static unsigned int all_cells(struct cell cells[LEVELS * WIDTHS * CONTENTS * 2])
{
	unsigned int n = 0;

	for (unsigned int level = 0; level < LEVELS; level++)
		for (unsigned int width = 0; width < WIDTHS; width++)
			for (unsigned int what = 0; what < CONTENTS; what++)
				for (unsigned int aligned = width == 0; aligned <= 1; aligned++)
					cells[n++] = (struct cell) { level, width, what, aligned };
	return n;
}

static void shuffle(struct cell *cells, unsigned int n, uint64_t *random)
{
	for (; n > 1; n--) {
		unsigned int i = draw(random) % n;
		struct cell c = cells[i];

		cells[i] = cells[n - 1];
		cells[n - 1] = c;
	}
}

/* A store of each kind in each round, in any order */
static void play_cells(struct guest *g)
{
	static struct cell cells[LEVELS * WIDTHS * CONTENTS * 2];
	unsigned int n = all_cells(cells);
	uint64_t random = g->o->seed;

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		shuffle(cells, n, &random);
		store_everywhere(g, &random, cells, n);
		repent(g, &random);
	}
}

static void store(struct guest *g, uint64_t address, unsigned int bytes, uint64_t value)
{
	const struct vcpu_store s = { .address = address, .bytes = bytes, .value = { value, value } };
	uint64_t before = monotonic_ns(), took;

	need(g, vcpu_store(&g->cpus[0], &s, 1), "store");
	took = monotonic_ns() - before;
	g->longest_ns = took > g->longest_ns ? took : g->longest_ns;
}

/* As in intel/gvt-linux#153: pixels reuse a root's memory before DESTROY. */
static void play_reused_root(struct guest *g)
{
	uint64_t random = g->o->seed;

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		struct tables *t = &g->tables[round % (CONTEXTS - 1)];

		for (unsigned int at = 0; at < PAGE; at += 8)
			store(g, page_of(t, 0) + at, 8, pixels(draw(&random)));
		submit(g, &g->tables[CONTEXTS - 1]);
		need(g, renounce(t), "DESTROY");
		need(g, restore(g, t, 8), "restore");
		submit(g, t);
	}
}

/* Entry present, absent, present again, all with frame 0; then the CPU writes to that frame. */
static void play_frame_0(struct guest *g)
{
	for (unsigned int round = 0; round < g->o->rounds; round++) {
		for (unsigned int level = 0; level < LEVELS - 1; level++) {
			uint32_t at = page_of(&g->tables[0], level) + 8 * 511;

			store(g, at, 8, 1);
			store(g, at, 8, 0);
			store(g, at, 8, 3);
			store(g, 8 * round % PAGE, 8, 5);
			store(g, at, 8, 0);
		}
		submit(g, &g->tables[0]);
	}
}

/* A table of the last level also becomes a directory. */
static void play_other_level(struct guest *g)
{
	for (unsigned int round = 0; round < g->o->rounds; round++) {
		for (unsigned int level = 0; level < LEVELS; level++) {
			store(g, page_of(&g->tables[0], level) + 8 * 300, 8, entry(page_of(&g->tables[1], LEVELS - 1)));
			store(g, page_of(&g->tables[0], level) + 8 * 301, 8, entry(page_of(&g->tables[0], level)));
			store(g, page_of(&g->tables[0], level) + 8 * 302, 8, entry(page_of(&g->tables[0], 0)));
		}
		for (unsigned int i = 0; i < 2; i++) {
			need(g, restore(g, &g->tables[i], 8), "restore");
			submit(g, &g->tables[i]);
		}
	}
}

/* A directory with an invalid last entry: the other entries are shadowed before. */
static void play_half_populated(struct guest *g)
{
	static const uint64_t zero[PTES];
	uint32_t scratch = g->tables[1].context->pml4;

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		need(g, renounce(&g->tables[1]), "DESTROY");
		need(g, store_page(&g->cpus[0], scratch + PAGE, (const uint8_t *)zero, 8), "clear");
		store(g, scratch + PAGE, 8, entry(page_of(&g->tables[1], 2)));
		store(g, scratch + PAGE + 8 * 511, 8, entry(2 * MEMORY_BYTES));
		store(g, page_of(&g->tables[0], 0) + 8 * 400, 8, entry(scratch + PAGE));
		store(g, page_of(&g->tables[0], 0) + 8 * 400, 8, 0);
		need(g, restore(g, &g->tables[1], 8), "restore");
		submit(g, &g->tables[0]);
		submit(g, &g->tables[1]);
	}
}

/* One half of an entry, which then names a nonexistent page */
static void play_half_entry(struct guest *g)
{
	for (unsigned int round = 0; round < g->o->rounds; round++) {
		struct tables *t = &g->tables[round % 2];

		for (unsigned int level = 0; level < LEVELS; level++)
			store(g, page_of(t, level) + 8 * 200 + 4 * (round % 2), 4, 0xfffff001);
		submit(g, &g->tables[2]);
		need(g, restore(g, t, 4), "restore");
		submit(g, t);
	}
}

/* One unaligned store to two entries: both tables are good afterwards. */
static void play_unaligned(struct guest *g)
{
	for (unsigned int round = 0; round < g->o->rounds; round++) {
		struct tables *t = &g->tables[0];
		unsigned int pd = t->context->base >> 21 & (PTES - 1), at = 8 * pd - 4;
		uint64_t value;

		/* The used entry and the one before, whose upper half is 0 anyway */
		store(g, page_of(t, 2) + 8 * pd, 8, 0);
		memcpy(&value, t->good + 2 * PAGE + at, 8);
		store(g, page_of(t, 2) + at, 8, value);
		submit(g, t);
		for (unsigned int bytes = 1; bytes <= 16; bytes *= 2) {
			need(g, restore(g, t, bytes), "restore");
			submit(g, t);
		}
	}
}

/* The guest destroys tables that a workload still uses, more often than it created them. */
static void play_destroy_twice(struct guest *g)
{
	for (unsigned int round = 0; round < g->o->rounds; round++) {
		struct tables *t = &g->tables[round % CONTEXTS];
		uint32_t seqno;

		need(g, announce(t) ?: announce(t), "CREATE twice");
		need(g, vgpu_submit(t->context), "submit");
		seqno = vgpu_submitted(t->context);
		for (unsigned int i = 0; i < 6; i++)
			need(g, renounce(t), "DESTROY");
		if (!wait_done(g, t, seqno) || !vgpu_result_ok(t->context, seqno))
			g->wrong++;
		else
			g->good++;
		need(g, announce(t), "CREATE");
		submit(g, t);
	}
}

static void fill_table(struct guest *g, uint32_t table, uint64_t first, uint32_t step)
{
	uint64_t *entries = (uint64_t *)(g->v->memory + table);

	for (unsigned int i = 0; i < PTES; i++)
		entries[i] = entry(first + (uint64_t)i * step);
}

/* Full tables for TREE_DIRECTORIES full directories */
static uint32_t plant_tables(struct guest *g)
{
	uint32_t tables = allocate(g->v, TREE_DIRECTORIES * PTES);

	if (!tables)
		give_up("tree", vgpu_error(g->v));
	for (unsigned int i = 0; i < TREE_DIRECTORIES * PTES; i++)
		fill_table(g, tables + i * PAGE, g->tables[0].context->pml4, 0);
	return tables;
}

/*
 * A whole address space below one entry: TREE_DIRECTORIES full directories, of full tables or of
 * pages of 2 MB. Returns the page to which the root's entry points.
 */
static uint32_t plant_tree(struct guest *g, uint32_t tables, bool large)
{
	uint32_t top = allocate(g->v, 1 + TREE_DIRECTORIES), directory = top + PAGE;

	if (!top)
		give_up("tree", vgpu_error(g->v));
	for (unsigned int i = 0; i < TREE_DIRECTORIES; i++, directory += PAGE) {
		*(uint64_t *)(g->v->memory + top + 8 * i) = entry(directory);
		fill_table(g, directory, large ? LARGE_PAGE | PTE_LARGE : tables + i * PTES * PAGE, large ? 0 : PAGE);
	}
	return top;
}

/*
 * Between two workloads, one entry points to more than can be shadowed quickly: written at once,
 * in two parts, or as large pages. Then the entry is cleared, and the shadows are freed.
 */
static void play_tree(struct guest *g)
{
	uint32_t tables = plant_tables(g), slot = page_of(&g->tables[0], 0) + 8 * 300;
	uint32_t tops[2];

	tops[0] = plant_tree(g, tables, false);
	tops[1] = plant_tree(g, tables, true);

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		uint64_t value = entry(tops[round % 3 == 2]);

		for (unsigned int part = 0; part < (round % 3 == 1 ? 2 : 1); part++)
			store(g, slot + 4 * part, round % 3 == 1 ? 4 : 8, value >> 32 * part);
		submit(g, &g->tables[0]);
		store(g, slot, 8, 0);
		submit(g, &g->tables[0]);
	}
}

/*
 * More than may be shadowed: a tree, and its tables once more as a higher level. GVT-g refuses the
 * workload, but not the next ones, with other tables and with the tree mended.
 */
static void play_full(struct guest *g)
{
	uint32_t top = plant_tree(g, plant_tables(g), false), slots = page_of(&g->tables[0], 0) + 8 * 300;

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		store(g, slots, 8, entry(top));
		for (unsigned int i = 0; i < 2; i++)
			store(g, slots + 8 * (1 + i), 8, entry(top + (1 + i) * PAGE));
		/* Whether the guest's write to the port fails */
		vgpu_submit(g->tables[0].context);
		expect_refused(g, &g->tables[0]);
		submit(g, &g->tables[1]);
		for (unsigned int i = 0; i < 3; i++)
			store(g, slots + 8 * i, 8, 0);
		submit(g, &g->tables[0]);
	}
}

/*
 * Entries written between a workload's submission and its turn, while another queued workload has
 * nearly all shadow pages: some cannot be shadowed, and the workload does not execute without them.
 */
static void play_holes(struct guest *g)
{
	struct tables *t = &g->tables[0], *first = &g->tables[2];
	uint32_t tables = plant_tables(g), top = plant_tree(g, tables, false);

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		uint32_t seqno;

		store(g, page_of(first, 0) + 8 * 300, 8, entry(top));
		need(g, vgpu_submit_endless(first->context), "endless");
		seqno = vgpu_submitted(first->context);
		need(g, vgpu_submit(t->context), "submit");
		for (unsigned int i = 1; i < PTES; i++) {
			store(g, page_of(t, 1) + 8 * i, 8, entry(tables + i * PAGE));
			store(g, page_of(t, 0) + 8 * i, 8, entry(tables + i * PAGE));
		}
		vgpu_end(first->context, seqno);
		wait_done(g, first, seqno);
		expect_refused(g, t);
		store(g, page_of(first, 0) + 8 * 300, 8, 0);
		need(g, restore(g, t, 8), "restore");
		submit(g, t);
		submit(g, first);
	}
}

/* Another address space with the root of @t */
static int notify_alias(const struct tables *t, unsigned int i, uint32_t message)
{
	struct vgpu_context alias = *t->context;

	alias.pml4 += i;
	return notify_page_tables(&alias, message);
}

/* The most address spaces possible: a workload with one more is refused. */
static void play_many_roots(struct guest *g)
{
	struct tables *t = &g->tables[0];

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		need(g, renounce(t), "DESTROY");
		for (unsigned int i = 1; i <= MAX_ROOTS; i++)
			need(g, notify_alias(&g->tables[1], i, VGT_G2V_PPGTT_L4_CREATE), "CREATE");
		vgpu_submit(t->context);
		expect_refused(g, t);
		for (unsigned int i = 1; i <= MAX_ROOTS; i++)
			need(g, notify_alias(&g->tables[1], i, VGT_G2V_PPGTT_L4_DESTROY), "DESTROY");
		need(g, announce(t), "CREATE");
		submit(g, t);
	}
}

/* Pixels in the root of two address spaces, one created twice: GVT-g drops both. */
static void play_shared_root(struct guest *g)
{
	struct tables *t = &g->tables[0];

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		need(g, announce(t) ?: notify_alias(t, 1, VGT_G2V_PPGTT_L4_CREATE), "CREATE");
		store(g, page_of(t, 0) + 8 * 300, 8, entry(2 * MEMORY_BYTES));
		need(g, notify_alias(t, 1, VGT_G2V_PPGTT_L4_DESTROY), "DESTROY");
		need(g, renounce(t), "DESTROY");
		need(g, restore(g, t, 8), "restore");
		submit(g, t);
	}
}

/* How long a store takes to a page that is tracked, but no longer used by the GPU */
static void play_flood(struct guest *g)
{
	uint64_t random = g->o->seed;

	for (unsigned int i = 0; i < g->o->stores; i++)
		store(g, page_of(&g->tables[0], i % LEVELS) + i * 8 % PAGE, 8, pixels(draw(&random)));
	submit(g, &g->tables[1]);
}

/* A driver that obeys the rules */
static void play_good(struct guest *g)
{
	for (unsigned int round = 0; round < g->o->rounds; round++) {
		struct tables *t = &g->tables[round % CONTEXTS];

		need(g, restore(g, t, 8), "restore");
		submit(g, t);
	}
}

/* @n loads of the context's own root before its next request */
static void emit_loads(struct guest *g, struct vgpu_context *c, unsigned int n)
{
	uint32_t *ring = memory32(g->v, c->ring + c->tail), base = engines[c->engine].base;

	memset(ring, 0, 4 * MANY_LOADS_DWORDS);
	for (unsigned int i = 0; i < n; i++, ring += 5) {
		ring[0] = MI_LOAD_REGISTER_IMM(2);
		ring[1] = base + RING_PDP0_UDW;
		ring[3] = base + RING_PDP0_LDW;
		ring[4] = c->pml4;
	}
	c->tail = (c->tail + 4 * MANY_LOADS_DWORDS) % RING_BYTES;
}

/* As many loads as a workload may have, then one more. A reset empties the ring. */
static void play_many_loads(struct guest *g)
{
	struct tables *t = &g->tables[0];

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		emit_loads(g, t->context, MAX_LOADS);
		submit(g, t);
		emit_loads(g, t->context, MAX_LOADS + 1);
		vgpu_submit(t->context);
		expect_refused(g, t);
	}
}

/* Commands of one workload that load the root of another context, twice, and of a second one */
static void play_lri_twice(struct guest *g)
{
	struct vgpu_context *c = g->tables[0].context, *other = g->tables[2].context;
	uint32_t base = engines[c->engine].base;

	for (unsigned int round = 0; round < g->o->rounds; round++) {
		for (unsigned int i = 0; i < 2; i++) {
			uint32_t *ring = memory32(g->v, c->ring + c->tail);

			for (unsigned int at = 0; at < LOADS_DWORDS; at += LOADS_DWORDS / 3) {
				memset(&ring[at], 0, 4 * LOADS_DWORDS / 3);
				ring[at] = MI_LOAD_REGISTER_IMM(2);
				ring[at + 1] = base + RING_PDP0_UDW;
				ring[at + 3] = base + RING_PDP0_LDW;
				ring[at + 4] = at < 2 * LOADS_DWORDS / 3 ? other->pml4 : c->pml4;
			}
			c->tail = (c->tail + 4 * LOADS_DWORDS) % RING_BYTES;
			need(g, vgpu_submit(c), "submit");
		}
		if (!wait_done(g, &g->tables[0], vgpu_submitted(c))) {
			g->late++;
			return;
		}
		submit(g, &g->tables[2]);
	}
}

/* Execlists are enabled once more while workloads are queued. */
static void play_mode_again(struct guest *g)
{
	for (unsigned int round = 0; round < g->o->rounds; round++) {
		struct tables *t = &g->tables[round % CONTEXTS];
		uint32_t seqno;

		need(g, vgpu_submit(t->context), "submit");
		seqno = vgpu_submitted(t->context);
		need(g, vgpu_write32(g->v, engines[t->context->engine].base + RING_MODE, RING_MODE_EXECLISTS), "mode");
		if (!wait_done(g, t, seqno) || !vgpu_result_ok(t->context, seqno))
			g->wrong++;
		else
			g->good++;
	}
}

/*
 * Each round is another owner of the vGPU, who does not reset the vGPU: the page tables have
 * the same addresses as the previous owner's, and must not lead to the previous owner's memory.
 */
static void play_reopened(struct guest *g)
{
	for (unsigned int round = 0; round < g->o->rounds; round++) {
		submit(g, &g->tables[0]);
		close_guest(g, true);
		open_guest(g, true);
	}
	submit(g, &g->tables[0]);
}

static const struct play {
	const char *name;
	void (*play)(struct guest *g);
} plays[] = {
	{ "good", play_good },
	{ "random", play_random },
	{ "cells", play_cells },
	{ "reused-root", play_reused_root },
	{ "frame-0", play_frame_0 },
	{ "other-level", play_other_level },
	{ "half-populated", play_half_populated },
	{ "half-entry", play_half_entry },
	{ "unaligned", play_unaligned },
	{ "destroy-twice", play_destroy_twice },
	{ "lri-twice", play_lri_twice },
	{ "many-loads", play_many_loads },
	{ "many-roots", play_many_roots },
	{ "shared-root", play_shared_root },
	{ "tree", play_tree },
	{ "full", play_full },
	{ "holes", play_holes },
	{ "reopened", play_reopened },
	{ "mode-again", play_mode_again },
	{ "flood", play_flood },
};

/* ---- main ----------------------------------------------------------------- */

static void tell(const struct guest *g)
{
	for (unsigned int level = 0; level < LEVELS; level++)
		for (unsigned int width = 0; width < WIDTHS; width++)
			for (unsigned int what = 0; what < CONTENTS; what++)
				if (g->counts[level][width][what])
					printf("STORES level=%s bytes=%u content=%s n=%lu\n", level_names[level],
					       widths[width], content_names[what], g->counts[level][width][what]);
	printf("RESULT play=%s good=%u wrong=%u late=%u longest_store_ns=%" PRIu64 "\n", g->o->play, g->good,
	       g->wrong, g->late, g->longest_ns);
}

static const struct play *find_play(const char *name)
{
	for (size_t i = 0; i < sizeof(plays) / sizeof(plays[0]); i++)
		if (!strcmp(plays[i].name, name))
			return &plays[i];
	return NULL;
}

static int play(const struct options *o)
{
	static struct guest g;

	g.o = o;
	open_guest(&g, false);
	puts("READY");
	find_play(o->play)->play(&g);
	tell(&g);
	close_guest(&g, o->kill);
	return g.good && !g.wrong && !g.late ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const struct argp_option argp_options[] = {
	{ "seed", 's', "N", 0, "seed of the stores (1)", 0 },
	{ "rounds", 'r', "N", 0, "number of rounds of the play (10)", 0 },
	{ "stores", 'n', "N", 0, "stores per round of the plays random and flood (64)", 0 },
	{ "cpus", 'c', "N", 0, "CPUs that store at the same time, 1 to 4 (1)", 0 },
	{ "kill", 'k', NULL, 0, "exit without notifying the GPU", 0 },
	{ 0 },
};

static unsigned int number(const char *arg, unsigned int max, struct argp_state *state)
{
	char *end;
	unsigned long value = strtoul(arg, &end, 10);

	if (*end || end == arg || !value || value > max)
		argp_error(state, "'%s' is not a number from 1 to %u", arg, max);
	return (unsigned int)value;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 's':
		o->seed = number(arg, UINT32_MAX, state);
		return 0;
	case 'r':
		o->rounds = number(arg, UINT32_MAX, state);
		return 0;
	case 'n':
		o->stores = number(arg, UINT32_MAX, state);
		return 0;
	case 'c':
		o->cpus = number(arg, MAX_CPUS, state);
		return 0;
	case 'k':
		o->kill = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			argp_usage(state);
		*(state->arg_num ? &o->uuid : &o->play) = arg;
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_usage(state);
		if (!find_play(o->play))
			argp_error(state, "no play '%s'", o->play);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = argp_options,
		.parser = parse_option,
		.args_doc = "PLAY UUID",
		.doc = "Store invalid data into a vGPU's page tables.\v"
		       "Plays: good, random, cells, reused-root, frame-0, other-level, half-populated, "
		       "half-entry, unaligned, destroy-twice, lri-twice, many-loads, many-roots, shared-root, "
		       "tree, full, holes, reopened, mode-again, flood.",
	};
	struct options o = { .seed = 1, .rounds = 10, .stores = 64, .cpus = 1 };

	setvbuf(stdout, NULL, _IOLBF, 0);
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	return play(&o);
}
