/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lanes of a trace, as 'gvt-stat export --format csv' tells them, as rows of KernelShark.
 *
 *   GPU 0 turn          whose turn it is
 *   GPU 0 rcs0          whose work is on the engine
 *   vGPU 1 rcs0         above, when its work is on the engine; below, for whom it waits
 *   vGPU 1 rcs0 #1      each workload of that queue, on as many rows as there are at once,
 *                       up to WORKLOAD_ROWS
 *
 * KernelShark has rows for CPUs and tasks only: each of these is a task that does not exist.
 */
#ifndef GVT_KERNELSHARK_ROWS_HPP
#define GVT_KERNELSHARK_ROWS_HPP

#include <array>
#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "pids.hpp"

namespace gvt {

/* what goes on in an interval; as lane_state of lanes/lanes.h, without those of vCPUs */
enum class State : uint8_t { turn, runs, waits, executes, preempted, completes, unseen, lost };

/* how an interval begins or ends; as lane_limit of lanes/lanes.h */
enum class Limit : uint8_t { seen, cut, lost };

struct Interval {
	int64_t start;			/* as the trace's clock counts */
	int64_t end;
	int64_t workload;		/* or UNKNOWN */
	int64_t vgpu;			/* whose turn, work or queue it is */
	int64_t culprit;		/* for whom it waits, or UNKNOWN */
	State state;
	Limit begins, ends;
	bool own;			/* waits for its own work */
	bool failed;			/* cancelled, or its status is not 0 */
};

/* the layers of a row: nothing overlaps on one of them, but what is LOST of all and of one */
enum Layer { WORK, WAITS, LOST, LAYERS };

/* longer names would leave no room for anything else */
constexpr size_t LONGEST_NAME = 64;

struct Row {
	int pid;			/* of the task that does not exist; 0: none */
	std::string name;
	int64_t dev;
	int64_t vgpu;			/* UNKNOWN: of all */
	std::string engine;		/* "": of all */
	int slot;			/* of workloads; -1: of another kind */
	std::array<std::vector<Interval>, LAYERS> layers;	/* in the order of time */
};

/**
 * name_of - "GPU 0 turn", "vGPU 1 (name of its VM) rcs0 #1"
 * @label: of the vGPU, if it is the row of one
 */
std::string name_of(const Row &row, const std::string &label);

class Rows {
public:
	/**
	 * read - take the lines that gvt-stat writes
	 *
	 * Returns "", or what is wrong with them; then there are no rows.
	 */
	std::string read(std::istream &lines);

	/** identify - give each row its process id */
	void identify(Pids &pids);

	/** all - all rows, GPU by GPU */
	const std::vector<std::unique_ptr<Row>> &all() const { return rows; }

	/** of_pid - a row, or NULL */
	const Row *of_pid(int pid) const;

private:
	struct Line;

	/* where the intervals of a lane go */
	struct Place {
		int64_t vgpu;
		std::array<std::vector<Interval> *, 2> layers = {};
	};

	bool take(Line &line);
	const Place *find_place(const Line &line);
	Row *row(int64_t dev, int64_t vgpu, const std::string &engine, int slot, const Line &line);
	void order();

	std::vector<std::unique_ptr<Row>> rows;
	std::map<std::tuple<int64_t, int64_t, int, std::string>, Row *> by_key;
	std::unordered_map<int, const Row *> by_pid;
	/* by what the lines of a lane begin with; while they are read */
	std::map<std::string, Place, std::less<>> places;
	std::vector<Interval> lost_of_all;
};

}

#endif
