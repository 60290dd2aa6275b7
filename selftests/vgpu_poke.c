// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vgpu_poke - a guest that does random nonsense
 *
 *   vgpu_poke KIND UUID SEED COUNT
 *
 * KIND "access" reads and writes registers, the GTT and the configuration space, at any offset,
 * 1 to 8 bytes, aligned or not, with all kinds of values; KIND "port" submits any pairs of
 * contexts, twice the same one or nonexistent ones, and writes to the engine's registers beside
 * the port.
 *
 * The vGPU is reset now and then, since GVT eventually ignores a guest. Exit code 0 if the vGPU
 * could be opened and reset, whatever the results of the accesses.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vgpu_client.h"

#define BAR0_BYTES	(16u << 20)	/* registers, and the GTT in the upper half */
#define CONFIG_BYTES	256
#define RESET_EVERY	500

/* Of rcs0: the submit port, the execlist status, the status buffer and its pointers */
#define PORT_REGISTERS	0x2230
#define STATUS_BUFFER	0x2370
#define PORT_BYTES	0x10
#define STATUS_BYTES	0x34
#define CONTEXTS	3
#define SUBMIT_EXEC_NS	20000
#define RESET_PORT_EVERY 50
#define PAUSE_US	300

/* xorshift64*, by S. Vigna */
static uint64_t draw(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

/* half of the time near registers with side effects */
static uint32_t some_offset(uint64_t *state, bool config)
{
	static const uint32_t busy[] = {
		0x2000, 0x2200, 0x4000, 0x5000, 0x9000, 0xa000, 0x12000, 0x1a000, 0x22000,
		0x44000, 0x45000, 0x60000, 0x64000, 0x70000, 0x78000, 0xc4000, 0xc5000,
		0x100000, 0x138000, 0x800000
	};
	uint64_t random = draw(state);

	if (config)
		return random % CONFIG_BYTES;
	if (random & 1)
		return busy[(random >> 8) % (sizeof(busy) / sizeof(*busy))] +
		       (random >> 32) % 0x1000;
	return (random >> 8) % (BAR0_BYTES - 8);
}

static uint64_t some_value(uint64_t *state)
{
	uint64_t random = draw(state);

	switch (random >> 61) {
	case 0: return 0;
	case 1: return ~0ULL;
	case 2: return 1ULL << (random % 64);
	case 3: return random & 0xff;
	case 4: return 0xffff0000u | (random & 0xffff);
	default: return random;
	}
}

static void poke(struct vgpu_client *vgpu, uint64_t *state)
{
	uint64_t random = draw(state), value = some_value(state);
	bool config = random % 8 == 0;
	unsigned int size = 1 + (random >> 8) % 8;
	uint32_t offset = some_offset(state, config);

	/* half of the time aligned accesses of 4 bytes, as most guests do */
	if (random & 0x10000) {
		size = 4;
		offset &= ~3u;
	}
	vgpu_poke(vgpu, config, offset, &value, size, random & 0x20000);
}

/* A valid descriptor without a context: the GTT's last page */
#define NOWHERE(descriptor) ((descriptor) | 0xfffff000u)

static uint64_t some_descriptor(struct vgpu_context *const *contexts, uint64_t *state)
{
	uint64_t random = draw(state);
	uint64_t descriptor = vgpu_descriptor(contexts[(random >> 8) % CONTEXTS]);

	return random % 8 ? descriptor : NOWHERE(descriptor);
}

/* Write beside the port: GVT accepts writes at odd offsets, even to read-only registers */
static void poke_port_registers(struct vgpu_client *vgpu, uint64_t *state)
{
	uint64_t random = draw(state), value = some_value(state);
	uint32_t offset = random & 1 ? PORT_REGISTERS + (random >> 8) % PORT_BYTES :
				       STATUS_BUFFER + (random >> 8) % STATUS_BYTES;

	vgpu_poke(vgpu, false, offset, &value, 1 + (random >> 32) % 8, true);
}

static void use_port(struct vgpu_client *vgpu, struct vgpu_context *const *contexts,
		     uint64_t *state)
{
	uint64_t random = draw(state);

	switch (random % 8) {
	case 0:
		poke_port_registers(vgpu, state);
		break;
	case 1:
	case 2:
		vgpu_submit(contexts[(random >> 8) % CONTEXTS]);
		break;
	case 3:
		if (!(random >> 8 & 3))
			vgpu_reset_engine(vgpu, VGPU_RCS0);
		break;
	default:
		vgpu_write_port(vgpu, VGPU_RCS0, some_descriptor(contexts, state),
				random & 0x100 ? some_descriptor(contexts, state) : 0);
	}
	/* so that some submissions wait in the queue, and others find the engine idle */
	if (random & 0x200)
		usleep(PAUSE_US);
}

static int open_contexts(struct vgpu_client *vgpu, struct vgpu_context **contexts)
{
	static const struct vgpu_work work = { .exec_ns = SUBMIT_EXEC_NS, .pieces = 1 };

	if (vgpu_start_engine(vgpu, VGPU_RCS0))
		return -1;
	for (int i = 0; i < CONTEXTS; i++) {
		contexts[i] = vgpu_context_new(vgpu, VGPU_RCS0, &work, 4);
		if (!contexts[i])
			return -1;
	}
	return 0;
}

static int poke_access(struct vgpu_client *vgpu, uint64_t *state, long count)
{
	for (long nr = 1; nr <= count; nr++) {
		poke(vgpu, state);
		if (nr % RESET_EVERY == 0 && vgpu_reset(vgpu))
			return -1;
	}
	return 0;
}

static int poke_port(struct vgpu_client *vgpu, uint64_t *state, long count)
{
	struct vgpu_context *contexts[CONTEXTS];

	if (open_contexts(vgpu, contexts))
		return -1;
	for (long nr = 1; nr <= count; nr++) {
		use_port(vgpu, contexts, state);
		if (nr % RESET_PORT_EVERY == 0 && vgpu_reset(vgpu))
			return -1;
	}
	return 0;
}

static const struct kind {
	const char *name;
	int (*poke)(struct vgpu_client *vgpu, uint64_t *state, long count);
} kinds[] = {
	{ "access", poke_access },
	{ "port", poke_port },
};

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct kind *kind = argc == 5 ? find_kind(argv[1]) : NULL;
	struct vgpu_client *vgpu = vgpu_new();
	uint64_t state;

	if (!kind || !vgpu) {
		fprintf(stderr, "usage: vgpu_poke access|port UUID SEED COUNT\n");
		return EXIT_FAILURE;
	}
	/* xorshift cannot leave 0 */
	state = strtoull(argv[3], NULL, 0) + 1;
	if (vgpu_open(vgpu, argv[2]) || kind->poke(vgpu, &state, strtol(argv[4], NULL, 0))) {
		fprintf(stderr, "vgpu_poke: %s\n", vgpu_error(vgpu));
		return EXIT_FAILURE;
	}
	vgpu_kill(vgpu);
	return EXIT_SUCCESS;
}
