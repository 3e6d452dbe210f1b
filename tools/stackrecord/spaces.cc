// Reads the mappings of a process again when it has mapped more or less of
// files and of code than before, or after some seconds.  Memory that grows, as
// that of each compiler does, is data.  A process that replaces code by other
// code of the same size, at the same place, is found out that late;
// stackrecord(1) says so.  The kernel offers nothing that would be quicker and
// exact.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "spaces.h"

#include <charconv>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace stackrecord {
namespace {

constexpr std::uint64_t good_for_ns = 10'000'000'000;
constexpr std::uint64_t kept_for_ns = 60'000'000'000;

} // namespace

spaces::kept::~kept()
{
	if (fd >= 0)
		close(fd);
}

// All that is mapped, less what of it is data and stacks: fields 1 and 6.
bool
spaces::kept::read(pid_t pid, std::uint64_t &to)
{
	char path[32], text[256];
	std::snprintf(path, sizeof path, "/proc/%d/statm", pid);
	if (fd < 0)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof text, 0);
	const char *at = text, *const end = text + (n > 0 ? n : 0);
	for (unsigned int field = 1; field <= 6; field++) {
		std::uint64_t value;
		const auto [next, error] = std::from_chars(at, end, value);
		if (error != std::errc() || next == end)
			return false;
		if (field == 1)
			to = value;
		else if (field == 6)
			to -= value;
		at = next + 1;
	}
	return true;
}

stack9_space *
spaces::of(const stack9_thread &td, std::uint64_t now_ns)
{
	std::uint64_t now = 0;
	if (!all_[td.pid].read(td.pid, now)) {
		all_.erase(td.pid);
		return nullptr;
	}
	kept &k = all_[td.pid];
	k.used_ns = now_ns;
	if (k.space != nullptr && k.mapped == now &&
	    now_ns - k.read_ns < good_for_ns)
		return k.space.get();
	stack9_space *opened = nullptr;
	k.space.reset();
	if (stack9_space_open(&td, &opened) == 0)
		k.space.reset(opened);
	k.mapped = now;
	k.read_ns = now_ns;
	return k.space.get();
}

void
spaces::forget(std::uint64_t now_ns)
{
	std::erase_if(all_, [&](const auto &each) {
		return now_ns - each.second.used_ns > kept_for_ns;
	});
}

} // namespace stackrecord
