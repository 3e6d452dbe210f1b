// Reads and parses the files of /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "proc.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

namespace stackprint {
namespace {

// Lists the directories of dir whose name is a number.
std::vector<pid_t>
numbers_in(const std::string &dir)
{
	std::vector<pid_t> found;
	const std::unique_ptr<DIR, int (*)(DIR *)> d(opendir(dir.c_str()),
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

std::vector<pid_t>
threads_of(pid_t pid)
{
	if (pid != 0)
		return numbers_in(fmt::format("/proc/{}/task", pid));
	std::vector<pid_t> all;
	for (const pid_t each : numbers_in("/proc"))
		for (const pid_t tid : threads_of(each))
			all.push_back(tid);
	return all;
}

bool
fill_in(stack9_record &rec)
{
	if (rec.state != '?')
		return true;
	const std::string stat =
	    read_file(fmt::format("/proc/{}/stat", rec.thread.tid));
	// The name may hold blanks and parentheses; the last parenthesis ends
	// it.
	const auto open = stat.find('('), close = stat.rfind(')');
	if (open == stat.npos || close == stat.npos || close + 2 >= stat.size())
		return false;
	std::snprintf(rec.comm, sizeof rec.comm, "%s",
	    stat.substr(open + 1, close - open - 1).c_str());
	rec.state = stat[close + 2];
	// Field 39 is the processor; the state is field 3.
	auto at = close + 2;
	for (int field = 3; field < 39 && at != 0; field++)
		at = stat.find(' ', at) + 1;
	if (at != 0)
		rec.cpu = std::atoi(stat.c_str() + at);
	return true;
}

void
raise_descriptors()
{
	rlimit limit{};
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

std::string
wchan(pid_t tid)
{
	const std::string w = read_file(fmt::format("/proc/{}/wchan", tid));
	return w == "0" ? std::string() : w;
}

} // namespace stackprint
