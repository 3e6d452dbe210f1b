// Reads and writes /proc/PID/mem.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "memory.h"

#include <fstream>
#include <sstream>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

memory_of::memory_of(pid_t pid)
    : pid_(pid), fd_(open(fmt::format("/proc/{}/mem", pid).c_str(),
    O_RDWR | O_CLOEXEC))
{
}

memory_of::~memory_of()
{
	close(fd_);
}

bool
memory_of::read(std::uint64_t at, void *to, std::size_t size) const
{
	return pread(fd_, to, size, static_cast<off_t>(at)) ==
	    static_cast<ssize_t>(size);
}

bool
memory_of::write(std::uint64_t at, const void *from, std::size_t size) const
{
	return pwrite(fd_, from, size, static_cast<off_t>(at)) ==
	    static_cast<ssize_t>(size);
}

std::uint64_t
memory_of::word(std::uint64_t at) const
{
	std::uint64_t w = 0;
	read(at, &w, sizeof w);
	return w;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>>
memory_of::writable() const
{
	std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
	std::ifstream maps(fmt::format("/proc/{}/maps", pid_));
	for (std::string line; std::getline(maps, line);) {
		std::istringstream words(line);
		std::uint64_t from, to;
		char dash;
		std::string rights;
		words >> std::hex >> from >> dash >> to >> rights;
		if (rights.starts_with("rw"))
			all.emplace_back(from, to);
	}
	return all;
}
