// Finds children of this process by their names in /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "readers.h"

#include <filesystem>
#include <fstream>

#include <sys/wait.h>

namespace api {
namespace {

std::string
line_of(const std::string &file)
{
	std::string line;
	std::getline(std::ifstream(file), line);
	return line;
}

} // namespace

pid_t
child_named(const std::string &name)
{
	for (const auto &task : std::filesystem::directory_iterator(
	    "/proc/self/task")) {
		std::ifstream in(task.path() / "children");
		for (pid_t pid; in >> pid;)
			if (line_of("/proc/" + std::to_string(pid) +
			    "/comm") == name)
				return pid;
	}
	return 0;
}

int
status_of_child(pid_t pid)
{
	int status = -1;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace api
