// SPDX-License-Identifier: GPL-2.0-or-later
#include "streams-private.h"

static void free_stream(void *data)
{
	struct stream *stream = data;

	stream_clear(stream);
	if (stream->work)
		g_array_free(stream->work, TRUE);
	if (stream->others)
		g_ptr_array_free(stream->others, TRUE);
	g_free(stream);
}

void stream_init(struct stream *stream, const struct vgpu *vgpu, const struct gpu_engine *engine)
{
	*stream = (struct stream) {
		.vgpu = vgpu, .engine = engine,
		.work = g_array_new(FALSE, FALSE, sizeof(struct stream_work)),
		.others = g_ptr_array_new_with_free_func(free_stream),
	};
}

struct stream *stream_of_context(const struct vgpu *vgpu, const struct gpu_engine *engine)
{
	struct stream *stream = g_new(struct stream, 1);

	stream_init(stream, vgpu, engine);
	return stream;
}

void stream_become(struct stream *stream, unsigned int nr)
{
	const struct stream *other = stream->others->pdata[MIN(nr, stream->others->len - 1)];

	stream->kind = other->kind;
	stream->open = other->open;
	stream->depth = other->depth;
	stream->least_depth = other->least_depth;
	stream->period_ns = other->period_ns;
	stream->work = other->work;
}

bool stream_lacks_limit(const struct stream *stream)
{
	return stream->kind != STREAM_SERVED && stream->open && stream->depth > stream->least_depth;
}

void stream_clear(struct stream *stream)
{
	if (stream->also)
		free_stream(stream->also);
	stream->also = NULL;
	if (stream->work)
		g_array_set_size(stream->work, 0);
	if (stream->others)
		g_ptr_array_set_size(stream->others, 0);
	stream->doubts = 0;
}
