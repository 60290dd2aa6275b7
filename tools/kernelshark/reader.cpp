// SPDX-License-Identifier: GPL-2.0-or-later
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <ext/stdio_filebuf.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reader.hpp"

namespace gvt {

static const char *program()
{
	const char *named = std::getenv("GVT_STAT");

	return named && *named ? named : "gvt-stat";
}

/* Returns 0, or what is wrong as errno has it. */
static int start(const char *path, int out, pid_t *pid)
{
	const char *const argv[] = {
		program(), "export", "--format", "csv", "-i", path, "-o", "-", nullptr,
	};
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	error = posix_spawnp(pid, argv[0], &actions, nullptr, const_cast<char **>(argv), environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/*
 * Waits, but leaves the process there, so that its id is nobody else's. Its status is somebody
 * else's if KernelShark waits for all of its children.
 */
static bool ended_well(pid_t pid)
{
	siginfo_t info = {};

	while (waitid(P_PID, pid, &info, WEXITED | WNOWAIT))
		if (errno != EINTR)
			return errno == ECHILD;
	return info.si_code == CLD_EXITED && info.si_status == 0;
}

/* closes @fd */
static std::string read_rows(int fd, Rows *rows)
{
	__gnu_cxx::stdio_filebuf<char> buffer(fd, std::ios::in, 1 << 16);
	std::istream lines(&buffer);

	return rows->read(lines);
}

std::unique_ptr<Rows> Reader::read(const std::string &path, int fd)
{
	auto rows = std::make_unique<Rows>();
	std::string problem = read_rows(fd, rows.get());

	if (!ended_well(pid))
		return nullptr;
	if (problem.empty())
		return rows;
	fprintf(stderr, "plugin-gvt: %s: %s\n", path.c_str(), problem.c_str());
	return nullptr;
}

Reader::Reader(const std::string &path)
{
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC)) {
		fprintf(stderr, "plugin-gvt: no pipe: %s\n", strerror(errno));
		return;
	}
	error = start(path.c_str(), ends[1], &pid);
	close(ends[1]);
	if (error) {
		close(ends[0]);
		fprintf(stderr, "plugin-gvt: %s: cannot be started: %s\n", program(),
			strerror(error));
		return;
	}
	running = true;
	result = std::async(std::launch::async, [this, path, fd = ends[0]] { return read(path, fd); });
}

Reader::~Reader()
{
	if (!running)
		return;
	if (result.valid() && result.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
		kill(pid, SIGKILL);
		result.wait();
	}
	waitpid(pid, nullptr, 0);
}

}
