// Reads and parses the files of /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "proc.h"

#include <cerrno>
#include <cstdlib>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace stackprint {
namespace {

// A directory whose name is a number is a process.
std::vector<pid_t>
processes()
{
	std::vector<pid_t> found;
	const std::unique_ptr<DIR, int (*)(DIR *)> d(opendir("/proc"),
	    closedir);
	while (const dirent *e = d ? readdir(d.get()) : nullptr)
		if (const pid_t id = std::atoi(e->d_name); id > 0)
			found.push_back(id);
	return found;
}

} // namespace

std::string
read_file(const std::string &path)
{
	char text[4096];
	const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return {};
	const ssize_t n = read(fd, text, sizeof text);
	close(fd);
	std::string s(text, n > 0 ? static_cast<std::size_t>(n) : 0);
	s.erase(s.find_last_not_of(" \n") + 1);
	return s;
}

int
threads_of(pid_t pid, std::vector<pid_t> &all)
{
	if (pid == 0) {
		for (const pid_t each : processes())
			threads_of(each, all);
		return all.empty() ? ESRCH : 0;
	}
	const stack9_thread process{pid, pid, 0};
	std::vector<stack9_thread> list(16);
	std::uint32_t count = 0;
	for (;;) {
		const auto max = static_cast<std::uint32_t>(list.size());
		if (const int error = stack9_thread_list(&process, list.data(),
		    max, &count); error != 0)
			return error;
		if (count <= max)
			break;
		list.resize(count + max);
	}
	for (std::uint32_t i = 0; i < count; i++)
		all.push_back(list[i].tid);
	return 0;
}

void
introduce(stack9_sample &s, std::string &comm)
{
	s.state = '?';
	s.cpu = -1;
	const std::string stat = read_file(fmt::format(
	    "/proc/{0}/task/{0}/stat",
	    s.thread.tid));
	// The name may hold blanks and parentheses; the last parenthesis ends
	// it.
	const auto open = stat.find('('), close = stat.rfind(')');
	if (open != stat.npos && close != stat.npos && close + 2 < stat.size(
	    )) {
		comm = stat.substr(open + 1, close - open - 1);
		s.state = stat[close + 2];
		// Field 39 is the processor; the state is field 3.
		auto at = close + 2;
		for (int field = 3; field < 39 && at != 0; field++)
			at = stat.find(' ', at) + 1;
		if (at != 0)
			s.cpu = std::atoi(stat.c_str() + at);
	}
	s.comm = comm.c_str();
}

std::string
wchan(pid_t tid)
{
	const std::string w = read_file(fmt::format("/proc/{}/wchan", tid));
	return w == "0" ? std::string() : w;
}

} // namespace stackprint
