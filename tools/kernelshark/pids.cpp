// SPDX-License-Identifier: GPL-2.0-or-later
#include "pids.hpp"

extern "C" {
#include "trace/engine.h"
}

namespace gvt {

/* one digit for the slot, two for the engine, two for the vGPU, one for the GPU */
constexpr int PER_ENGINE = 10, PER_VGPU = 1000, PER_GPU = 100000;
constexpr int FIRST_OTHER = FIRST_PID + 10 * PER_GPU;

/* the digits of each engine that has some */
static std::map<std::string, int> name_engines()
{
	std::map<std::string, int> digits = { { "", 0 } };
	char name[ENGINE_NAME_LEN];

	for (int nr = 10; nr < 100; nr++)
		digits[engine_name(name, nr / 10 - 1, nr % 10)] = nr;
	return digits;
}

int Pids::other(int64_t dev, int64_t vgpu, const std::string &engine)
{
	int next = FIRST_OTHER + PER_ENGINE * static_cast<int>(others.size());
	auto key = std::make_tuple(dev, vgpu, engine);
	auto found = others.find(key);

	if (found != others.end())
		return found->second;
	if (others.size() == MOST_ROWS)
		return 0;
	others[key] = next;
	return next;
}

int Pids::of(int64_t dev, int64_t vgpu, const std::string &engine, int slot)
{
	static const std::map<std::string, int> engines = name_engines();
	int64_t nr = vgpu == UNKNOWN ? 0 : vgpu;
	auto found = engines.find(engine);
	int first;

	if (dev >= 0 && dev < 10 && nr < 100 && (nr > 0 || vgpu == UNKNOWN) && found != engines.end())
		first = FIRST_PID + PER_GPU * static_cast<int>(dev) + PER_VGPU * static_cast<int>(nr) +
			PER_ENGINE * found->second;
	else
		first = other(dev, vgpu, engine);
	return first ? first + slot + 1 : 0;
}

}
