// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>
#include <zlib.h>

#include "trace/util.h"
#include "packed.h"

#define RAW_DEFLATE	(-15)		/* no zlib header, as browsers expect */
#define MEMORY_LEVEL	8
#define CHUNK		(48 << 10)	/* a multiple of 3: three bytes are four characters */

struct packer {
	FILE *out;
	z_stream zlib;
	gint state, save;		/* of base64 */
	uint8_t deflated[CHUNK];
	char text[CHUNK / 3 * 4 + 8];
};

void packed_at_end(struct byte_stream *stream, uint64_t value)
{
	uint8_t bytes[PROTO_MAX_VARINT];

	bytes_add(stream, bytes, proto_put(bytes, value) - bytes);
}

struct packer *packer_new(FILE *out)
{
	struct packer *packer = g_new0(struct packer, 1);

	packer->out = out;
	/* most data is nearly random: a longer search for repetitions gains only 2 % */
	if (deflateInit2(&packer->zlib, Z_BEST_SPEED, Z_DEFLATED, RAW_DEFLATE,
			 MEMORY_LEVEL, Z_FILTERED) != Z_OK)
		fatal("no memory to compress the output");
	return packer;
}

static void take(struct packer *packer, const void *data, size_t size)
{
	packer->zlib.next_in = (Bytef *)data;
	packer->zlib.avail_in = size;
}

static void run(struct packer *packer, int flush)
{
	do {
		size_t len;

		packer->zlib.next_out = packer->deflated;
		packer->zlib.avail_out = CHUNK;
		deflate(&packer->zlib, flush);
		len = g_base64_encode_step(packer->deflated, CHUNK - packer->zlib.avail_out, FALSE,
					   packer->text, &packer->state, &packer->save);
		fwrite(packer->text, 1, len, packer->out);
	} while (!packer->zlib.avail_out);
}

void packer_add(struct packer *packer, const void *data, size_t size)
{
	take(packer, data, size);
	run(packer, Z_PARTIAL_FLUSH);
}

void packer_add_stream(struct packer *packer, const struct byte_stream *stream, bool repeats)
{
	uint8_t room[BYTES_BLOCK];
	const uint8_t *block;
	size_t len;

	/* all input was consumed, so that this call has nothing to write */
	deflateParams(&packer->zlib, Z_BEST_SPEED, repeats ? Z_FILTERED : Z_HUFFMAN_ONLY);
	for (uint64_t nr = 0; (len = bytes_block(stream, nr, room, &block)); nr++) {
		take(packer, block, len);
		run(packer, Z_NO_FLUSH);
	}
	run(packer, Z_PARTIAL_FLUSH);
}

void packer_free(struct packer *packer)
{
	size_t len;

	run(packer, Z_FINISH);
	len = g_base64_encode_close(FALSE, packer->text, &packer->state, &packer->save);
	fwrite(packer->text, 1, len, packer->out);
	deflateEnd(&packer->zlib);
	g_free(packer);
}
