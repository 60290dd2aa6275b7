// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vgpu_poke - a guest that reads and writes registers, its GTT and its configuration space
 * at random: any offset, 1 to 8 bytes, aligned or not, all kinds of values
 *
 *   vgpu_poke UUID SEED COUNT
 *
 * The vGPU is reset now and then, since GVT ignores a guest from some point on. Exit code 0
 * if the vGPU could be opened and reset, whatever became of the accesses.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vgpu_client.h"

#define BAR0_BYTES	(16u << 20)	/* registers, and the GTT in the upper half */
#define CONFIG_BYTES	256
#define RESET_EVERY	500

/* xorshift64*, by S. Vigna */
static uint64_t draw(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

/* where registers that do something are, as often as anywhere */
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

	/* what most guests do, as often as the rest */
	if (random & 0x10000) {
		size = 4;
		offset &= ~3u;
	}
	vgpu_poke(vgpu, config, offset, &value, size, random & 0x20000);
}

static int fail(const struct vgpu_client *vgpu)
{
	fprintf(stderr, "vgpu_poke: %s\n", vgpu_error(vgpu));
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct vgpu_client *vgpu = vgpu_new();
	uint64_t state;
	long count;

	if (argc != 4 || !vgpu) {
		fprintf(stderr, "usage: vgpu_poke UUID SEED COUNT\n");
		return EXIT_FAILURE;
	}
	/* xorshift cannot leave 0 */
	state = strtoull(argv[2], NULL, 0) + 1;
	count = strtol(argv[3], NULL, 0);
	if (vgpu_open(vgpu, argv[1]))
		return fail(vgpu);
	for (long nr = 1; nr <= count; nr++) {
		poke(vgpu, &state);
		if (nr % RESET_EVERY == 0 && vgpu_reset(vgpu))
			return fail(vgpu);
	}
	vgpu_kill(vgpu);
	return EXIT_SUCCESS;
}
