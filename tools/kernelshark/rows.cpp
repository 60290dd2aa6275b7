// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <charconv>
#include <string_view>

#include "rows.hpp"

namespace gvt {

/* what gvt-stat-export(1) says of the form */
static const char header[] =
	"kind,slot,dev,engine,tid,vgpu_id,state,start_ns,end_ns,start,end,reason,"
	"culprit_vgpu_id,workload_id,status,edge,vgpu";

enum Field {
	KIND, SLOT, DEV, ENGINE, TID, VGPU_ID, STATE, START_NS, END_NS, START, END, REASON,
	CULPRIT, WORKLOAD, STATUS, EDGE, VGPU, FIELDS
};

struct Rows::Line {
	std::string_view fields[FIELDS];
	std::string_view lane;		/* all that stands before the state */
	Interval interval;

	bool split(std::string_view text);
	bool decode(int64_t khz);
	std::string label() const;
};

static bool any_number(std::string_view text, int64_t *value)
{
	auto result = std::from_chars(text.data(), text.data() + text.size(), *value);

	return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

/* Most have only digits, and so few of them that there is room for it. */
static bool number(std::string_view text, int64_t *value)
{
	int64_t sum = 0;

	*value = UNKNOWN;
	if (text.empty())
		return true;
	for (char digit : text) {
		if (digit < '0' || digit > '9' || text.size() > 18)
			return any_number(text, value);
		sum = 10 * sum + (digit - '0');
	}
	*value = sum;
	return true;
}

/* Only the last field can have commas of its own. */
bool Rows::Line::split(std::string_view text)
{
	const char *at = text.data(), *end = at + text.size();

	for (int nr = 0; nr < FIELDS - 1; nr++) {
		const char *from = at;

		while (at < end && *at != ',')
			at++;
		if (at == end)
			return false;
		fields[nr] = std::string_view(from, at - from);
		at++;
	}
	lane = std::string_view(text.data(), fields[STATE].data() - text.data());
	fields[VGPU] = std::string_view(at, end - at);
	return true;
}

static bool state_of(std::string_view name, State *state)
{
	static const std::string_view names[] = {
		"turn", "runs", "waits", "executes", "preempted", "completes", "unseen",
		"events lost",
	};
	auto found = std::find(std::begin(names), std::end(names), name);

	*state = static_cast<State>(found - std::begin(names));
	return found != std::end(names);
}

static bool limit_of(std::string_view name, Limit *limit)
{
	static const std::string_view names[] = { "seen", "cut", "lost" };
	auto found = std::find(std::begin(names), std::end(names), name);

	*limit = static_cast<Limit>(found - std::begin(names));
	return found != std::end(names);
}

/* gvt-stat divides cycles and leaves out the rest: the first cycle that makes these ns */
static int64_t to_clock(int64_t ns, int64_t khz)
{
	__int128 product = static_cast<__int128>(ns) * khz;

	return khz ? static_cast<int64_t>((product + 999999) / 1000000) : ns;
}

bool Rows::Line::decode(int64_t khz)
{
	Interval &one = interval;
	bool good = state_of(fields[STATE], &one.state) && limit_of(fields[START], &one.begins) &&
		    limit_of(fields[END], &one.ends) && number(fields[START_NS], &one.start) &&
		    number(fields[END_NS], &one.end) && number(fields[CULPRIT], &one.culprit) &&
		    number(fields[WORKLOAD], &one.workload);

	one.start = to_clock(one.start, khz);
	one.end = to_clock(one.end, khz);
	one.own = fields[REASON] == "own";
	one.failed = !fields[STATUS].empty() && fields[STATUS] != "0";
	return good && one.start <= one.end;
}

/* the quotes that a name with commas has */
std::string Rows::Line::label() const
{
	std::string_view text = fields[VGPU];
	std::string plain;

	if (text.size() < 2 || text.front() != '"')
		return std::string(text);
	text = text.substr(1, text.size() - 2);
	for (size_t nr = 0; nr < text.size(); nr++) {
		plain += text[nr];
		if (text[nr] == '"')
			nr++;
	}
	return plain;
}

/* ids of vGPUs are of one GPU */
std::string name_of(const Row &row, const std::string &label)
{
	std::string name = label;

	if (name.size() > LONGEST_NAME)
		name = name.substr(0, LONGEST_NAME) + "...";
	if (row.vgpu == UNKNOWN)
		name = "GPU " + std::to_string(row.dev);
	else if (row.dev)
		name += " of GPU " + std::to_string(row.dev);
	name += " " + (row.engine.empty() ? "turn" : row.engine);
	if (row.vgpu == UNKNOWN && row.slot >= 0)
		name += " turn";
	else if (row.slot >= 0)
		name += " #" + std::to_string(row.slot + 1);
	return name;
}

Row *Rows::row(int64_t dev, int64_t vgpu, const std::string &engine, int slot, const Line &line)
{
	auto key = std::make_tuple(dev, vgpu, slot, engine);
	auto found = by_key.find(key);

	if (found != by_key.end())
		return found->second;
	if (rows.size() == MOST_ROWS)
		return nullptr;
	rows.push_back(std::make_unique<Row>());
	Row *row = rows.back().get();
	row->dev = dev;
	row->vgpu = vgpu;
	row->engine = engine;
	row->slot = slot;
	row->name = name_of(*row, line.label());
	by_key[key] = row;
	return row;
}

static std::vector<Interval> *layer(Row *row, Layer which)
{
	return row ? &row->layers[which] : nullptr;
}

/* Returns NULL if the line cannot be of a lane. */
const Rows::Place *Rows::find_place(const Line &line)
{
	std::string_view kind = line.fields[KIND];
	std::string engine(line.fields[ENGINE]);
	int64_t dev, slot;
	Place place;

	if (!number(line.fields[DEV], &dev) || !number(line.fields[VGPU_ID], &place.vgpu) ||
	    !number(line.fields[SLOT], &slot))
		return nullptr;
	if (kind == "lost") {
		/* what of all engines is not known is not known of any */
		if (dev == UNKNOWN)
			place.layers[0] = &lost_of_all;
		else
			place.layers[0] = layer(row(dev, place.vgpu, engine, -1, line), LOST);
	} else if (kind == "turns") {
		/* an engine may have turns of its own, beside who is on it */
		place.layers[0] = layer(row(dev, UNKNOWN, engine, engine.empty() ? -1 : 0, line), WORK);
	} else if (kind == "engine") {
		place.layers[0] = layer(row(dev, UNKNOWN, engine, -1, line), WORK);
		place.layers[1] = layer(row(dev, place.vgpu, engine, -1, line), WORK);
	} else if (kind == "waits") {
		place.layers[0] = layer(row(dev, place.vgpu, engine, -1, line), WAITS);
	} else {
		if (slot < 0)
			return nullptr;
		if (slot < WORKLOAD_ROWS)
			place.layers[0] = layer(row(dev, place.vgpu, engine, slot, line), WORK);
	}
	return &places.emplace(line.lane, place).first->second;
}

/* Returns false if the line cannot be of a lane. */
bool Rows::take(Line &line)
{
	auto found = places.find(line.lane);
	const Place *place = found != places.end() ? &found->second : find_place(line);

	if (!place)
		return false;
	line.interval.vgpu = place->vgpu;
	for (auto *layer : place->layers)
		if (layer)
			layer->push_back(line.interval);
	return true;
}

/* Mostly there is one lane, which is in order. */
static void sort(std::vector<Interval> &layer)
{
	auto before = [](const auto &a, const auto &b) { return a.start < b.start; };

	if (!std::is_sorted(layer.begin(), layer.end(), before))
		std::stable_sort(layer.begin(), layer.end(), before);
}

/* A GPU's rows come before those of its vGPUs. Several lanes make one layer. */
void Rows::order()
{
	std::sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) {
		return std::tie(a->dev, a->vgpu, a->engine, a->slot) <
		       std::tie(b->dev, b->vgpu, b->engine, b->slot);
	});
	for (auto &row : rows) {
		std::vector<Interval> &lost = row->layers[LOST];

		if (row->slot < 0)
			lost.insert(lost.end(), lost_of_all.begin(), lost_of_all.end());
		for (auto &layer : row->layers)
			sort(layer);
	}
}

static bool is_vcpu(std::string_view text)
{
	return text.substr(0, 5) == "vcpu,";
}

std::string Rows::read(std::istream &lines)
{
	static const std::string rate = "# tsc_khz ";
	std::string text, problem;
	int64_t khz = 0;
	Line line;

	std::getline(lines, text);
	if (text.compare(0, rate.size(), rate) == 0) {
		if (!number(std::string_view(text).substr(rate.size()), &khz) || khz <= 0)
			return "the rate of its clock is no number";
		std::getline(lines, text);
	}
	if (text != header)
		return "gvt-stat says nothing, or is of another version";
	while (problem.empty() && std::getline(lines, text)) {
		if (is_vcpu(text))
			continue;
		if (!line.split(text) || !line.decode(khz) || !take(line))
			problem = "a line of gvt-stat cannot be read: " + text;
	}
	places.clear();
	order();
	if (!problem.empty()) {
		rows.clear();
		by_key.clear();
	}
	return problem;
}

void Rows::identify(Pids &pids)
{
	for (auto &row : rows) {
		row->pid = pids.of(row->dev, row->vgpu, row->engine, row->slot);
		if (row->pid)
			by_pid[row->pid] = row.get();
	}
}

const Row *Rows::of_pid(int pid) const
{
	auto found = by_pid.find(pid);

	return found == by_pid.end() ? nullptr : found->second;
}

}
