// Reads and parses the files of /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "proc.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tools {
std::vector<pid_t>
numbers_in(const std::string &directory)
{
	std::vector<pid_t> found;
	const std::unique_ptr<DIR, int (*)(DIR *)> d(opendir(directory.c_str()),
	    closedir);
	while (const dirent *e = d ? readdir(d.get()) : nullptr)
		if (const pid_t id = std::atoi(e->d_name); id > 0)
			found.push_back(id);
	return found;
}

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

std::vector<pid_t>
with_children(std::vector<pid_t> all)
{
	std::multimap<pid_t, pid_t> children;
	for (const pid_t pid : numbers_in("/proc"))
		if (stat_facts f; read_stat(pid, 0, f))
			children.emplace(f.parent, pid);
	for (std::size_t i = 0; i < all.size(); i++) {
		const auto [first, last] = children.equal_range(all[i]);
		for (auto c = first; c != last; c++)
			if (std::find(all.begin(), all.end(), c->second) ==
			    all.end())
				all.push_back(c->second);
	}
	return all;
}

int
threads_of(pid_t pid, std::vector<pid_t> &all)
{
	if (pid == 0) {
		for (const pid_t each : numbers_in("/proc"))
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

// The name may hold blanks and parentheses; the last parenthesis ends it.
// Field 3 is the state, 4 the parent, 20 the number of threads, and 39 the
// processor.
bool
read_stat(pid_t pid, pid_t tid, stat_facts &facts)
{
	const std::string stat = read_file(tid == 0 ?
	    fmt::format("/proc/{}/stat", pid) :
	    fmt::format("/proc/{}/task/{}/stat", pid, tid));
	const auto open = stat.find('('), close = stat.rfind(')');
	if (open == stat.npos || close == stat.npos ||
	    close + 2 >= stat.size())
		return false;
	facts.comm = stat.substr(open + 1, close - open - 1);
	facts.state = stat[close + 2];
	const char *at = stat.c_str() + close + 2;
	for (int field = 4; field <= 39 && at != nullptr; field++) {
		at = std::strchr(at, ' ');
		at = at == nullptr ? nullptr : at + 1;
		if (field == 4 && at != nullptr)
			facts.parent = std::atoi(at);
		if (field == 20 && at != nullptr)
			facts.threads = std::atoi(at);
	}
	facts.cpu = at == nullptr ? -1 : std::atoi(at);
	return true;
}

void
introduce(sample &s)
{
	stat_facts facts;
	if (read_stat(s.thread.tid, s.thread.tid, facts))
		s.comm = facts.comm;
	s.state = facts.state;
	s.cpu = facts.cpu;
}

std::string
wchan(pid_t tid)
{
	const std::string w = read_file(fmt::format("/proc/{}/wchan", tid));
	return w == "0" ? std::string() : w;
}

} // namespace tools
