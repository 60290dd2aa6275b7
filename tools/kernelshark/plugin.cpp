// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A plugin of KernelShark: rows for vGPUs and engines, see rows.hpp.
 *
 * It uses what the program has of libkshark-plot and is not linked with it, as the name of that
 * library changes with each version.
 */
#include <cstdio>
#include <map>
#include <memory>
#include <exception>

#include "plugin.hpp"
#include "stream.hpp"

using gvt::Stream;

static std::map<int, std::unique_ptr<Stream>> streams;

Stream *gvt::find_stream(int sd)
{
	auto found = streams.find(sd);

	return found == streams.end() ? nullptr : found->second.get();
}

const gvt::Rows *gvt_kshark_rows(int sd)
{
	Stream *open = gvt::find_stream(sd);

	return open ? open->rows() : nullptr;
}

static int begin(kshark_data_stream *stream)
{
	auto open = std::make_unique<Stream>(stream);

	if (!open->has_gvt() || !open->read())
		return 0;
	streams[stream->stream_id] = std::move(open);
	streams[stream->stream_id]->attach();
	return 1;
}

static int end(kshark_data_stream *stream)
{
	return static_cast<int>(streams.erase(stream->stream_id));
}

extern "C" __attribute__((visibility("default")))
int KSHARK_PLOT_PLUGIN_INITIALIZER(kshark_data_stream *stream)
{
	end(stream);
	try {
		return begin(stream);
	} catch (const std::exception &error) {
		fprintf(stderr, "plugin-gvt: %s\n", error.what());
		return 0;
	}
}

extern "C" __attribute__((visibility("default")))
int KSHARK_PLOT_PLUGIN_DEINITIALIZER(kshark_data_stream *stream)
{
	return end(stream);
}
