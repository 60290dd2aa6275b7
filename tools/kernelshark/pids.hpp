/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows are tasks that do not exist. Their process ids say what they are, digit by digit, so they
 * are the same in all traces, and are known before a trace has been read:
 *
 *   10 0 01 10 2      GPU 0, vGPU 1, rcs0, the second of its workloads at once
 *   10 0 00 31 0      GPU 0, whatever is on vcs1
 *
 * An engine has its class, from 1 on, and its instance.
 */
#ifndef GVT_KERNELSHARK_PIDS_HPP
#define GVT_KERNELSHARK_PIDS_HPP

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace gvt {

constexpr int64_t UNKNOWN = INT64_MIN;

/* of the workloads of a vGPU on an engine; more at once are on none */
constexpr int WORKLOAD_ROWS = 8;

/* more are damage */
constexpr size_t MOST_ROWS = 4096;

/* greater than any process id of Linux (PID_MAX_LIMIT, 4194304) */
constexpr int FIRST_PID = 10000000;

class Pids {
public:
	/**
	 * of - the process id of a row
	 * @vgpu: UNKNOWN: of all
	 * @engine: "": of all
	 * @slot: of workloads; -1: of another kind
	 *
	 * What has no such digits gets an id when it is asked for. Returns 0 if there are too
	 * many of these.
	 */
	int of(int64_t dev, int64_t vgpu, const std::string &engine, int slot);

private:
	int other(int64_t dev, int64_t vgpu, const std::string &engine);

	std::map<std::tuple<int64_t, int64_t, std::string>, int> others;
};

}

#endif
