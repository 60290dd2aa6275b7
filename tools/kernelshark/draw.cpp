// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Boxes for the intervals of a row: filled, or only outlined where an end was not seen. Of those
 * that are narrower than a bin the longest is drawn: at most one for each bin and layer.
 */
#include <algorithm>

#include <KsPlugins.hpp>

#include "plugin.hpp"

using gvt::Interval;
using gvt::Limit;
using gvt::State;

/* as in the pages of gvt-stat */
static const uint32_t vgpu_colours[] = {
	0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0xb5a800, 0x8a6fd1,
};

#define COLOUR_OWN	0xb8bec5	/* waits for its own work, or its end is being told */
#define COLOUR_OTHER	0x7d8590	/* waits for no vGPU */
#define COLOUR_HOST	0x57606a	/* the host's own work */
#define COLOUR_LOST	0xb35900

static KsPlot::Color rgb(uint32_t colour)
{
	return KsPlot::Color(colour >> 16, colour >> 8 & 0xff, colour & 0xff);
}

static KsPlot::Color vgpu_colour(int64_t vgpu)
{
	/* as a lane has it */
	if (!vgpu)
		return rgb(COLOUR_HOST);
	return rgb(vgpu_colours[static_cast<uint64_t>(vgpu - 1) % std::size(vgpu_colours)]);
}

static KsPlot::Color colour_of(const Interval &one)
{
	switch (one.state) {
	case State::waits:
	case State::preempted:
		if (one.culprit != gvt::UNKNOWN)
			return vgpu_colour(one.culprit);
		return rgb(one.own ? COLOUR_OWN : COLOUR_OTHER);
	case State::completes:
		return rgb(COLOUR_OWN);
	case State::unseen:
	case State::lost:
		return rgb(COLOUR_LOST);
	default:
		return vgpu_colour(one.vgpu);
	}
}

/* from where to where a box reaches, in per cent of the row's height from below */
struct Reach {
	int from, to;
};

static Reach reach_of(State state)
{
	switch (state) {
	case State::turn:
	case State::runs:
	case State::executes:
		return { 35, 90 };
	case State::lost:
	case State::unseen:
		return { 0, 100 };
	default:
		return { 5, 30 };
	}
}

class Drawer {
public:
	Drawer(KsCppArgV *argv, int64_t offset) :
		graph(argv->_graph), shapes(argv->_shapes), histo(argv->_histo), offset(offset) {}

	void draw(const std::vector<Interval> &layer);

private:
	int bin(int64_t time) const;
	void box(const Interval &one, int first, int last);
	void flush();

	KsPlot::Graph *graph;
	KsPlot::PlotObjList *shapes;
	const kshark_trace_histo *histo;
	int64_t offset;			/* of the stream, from the clock of its trace */
	const Interval *narrow = nullptr;	/* the longest one within a bin */
	int narrow_bin = 0;
};

int Drawer::bin(int64_t time) const
{
	int64_t nr = (time + offset - histo->min) / histo->bin_size;

	return std::clamp<int64_t>(nr, 0, graph->size() - 1);
}

void Drawer::box(const Interval &one, int first, int last)
{
	KsPlot::Point left = graph->bin(first)._base, right = graph->bin(last)._base;
	Reach reach = reach_of(one.state);
	int bottom = graph->height() * reach.from / 100, top = graph->height() * reach.to / 100;
	auto *box = new KsPlot::Rectangle;

	box->setFill(one.begins == Limit::seen && one.ends == Limit::seen &&
		     one.state != State::lost);
	box->setPoint(0, left.x(), left.y() - top);
	box->setPoint(1, left.x(), left.y() - bottom);
	box->setPoint(2, right.x() + 1, right.y() - bottom);
	box->setPoint(3, right.x() + 1, right.y() - top);
	box->_size = 1;
	box->_color = colour_of(one);
	shapes->push_front(box);
}

void Drawer::flush()
{
	if (narrow)
		box(*narrow, narrow_bin, narrow_bin);
	narrow = nullptr;
}

void Drawer::draw(const std::vector<Interval> &layer)
{
	auto one = std::partition_point(layer.begin(), layer.end(), [this](const Interval &i) {
		return i.end + offset < histo->min;
	});

	for (; one != layer.end() && one->start + offset <= histo->max; one++) {
		int first = bin(one->start), last = bin(one->end);

		if (!narrow || first != narrow_bin || last != first)
			flush();
		if (last > first)
			box(*one, first, last);
		else if (!narrow || one->end - one->start > narrow->end - narrow->start)
			narrow = &*one;
		narrow_bin = first;
	}
	flush();
}

/* where the user has moved the stream to */
static int64_t offset_of(int sd)
{
	kshark_context *context = nullptr;
	kshark_data_stream *stream;
	int64_t time = 0;

	if (!kshark_instance(&context))
		return 0;
	stream = kshark_get_data_stream(context, sd);
	if (stream && stream->calib && stream->calib_array)
		stream->calib(&time, stream->calib_array);
	return time;
}

void gvt_kshark_draw(kshark_cpp_argv *argv, int sd, int pid, int action)
{
	const gvt::Rows *rows = gvt_kshark_rows(sd);
	KsCppArgV *args = KS_ARGV_TO_CPP(argv);
	const gvt::Row *row;

	/* the first picture of anything lists the rows */
	if (!(action & KSHARK_TASK_DRAW) || !rows || !args->_graph->size() ||
	    args->_histo->bin_size <= 0)
		return;
	row = rows->of_pid(pid);
	if (!row)
		return;
	for (auto &layer : row->layers)
		Drawer(args, offset_of(sd)).draw(layer);
}
