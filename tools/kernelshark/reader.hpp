/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GVT_KERNELSHARK_READER_HPP
#define GVT_KERNELSHARK_READER_HPP

#include <future>
#include <memory>
#include <string>

#include <sys/types.h>

#include "rows.hpp"

namespace gvt {

/*
 * Has gvt-stat read a trace, in a process of its own: a damaged file cannot do more than end
 * that process, and what is drawn is what all other views draw. It goes on while KernelShark
 * loads the trace, whose thread need not wait for it.
 */
class Reader {
public:
	/**
	 * Reader - begin to read
	 * @path: of a trace.dat file
	 *
	 * The program is the one that $GVT_STAT names, else gvt-stat; it says on stderr what is
	 * wrong, as does this.
	 */
	explicit Reader(const std::string &path);

	/* gives up if it still reads */
	~Reader();

	/** reads - could it begin? */
	bool reads() const { return running; }

	/** rows - wait for the end; NULL: something was wrong. Once only. */
	std::unique_ptr<Rows> rows() { return result.get(); }

private:
	std::unique_ptr<Rows> read(const std::string &path, int fd);

	pid_t pid;
	bool running = false;
	std::future<std::unique_ptr<Rows>> result;
};

}

#endif
