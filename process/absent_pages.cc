// Reads pages of near files at once; another process does it for those of other
// files.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "absent_pages.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "far_files.h"
#include "far_opener.h"
#include "mapping_at.h"

namespace stack9::process {
namespace {

constexpr std::size_t at_once = 64 << 10;

} // namespace

bool
bring_in(int task, std::uintptr_t from, std::size_t size) noexcept
{
	maps_line l;
	if (!mapping_at(task, from, l) || size > l.end - from ||
	    l.inode == 0 || l.writable || !l.readable)
		return false;
	const unique_fd memory(openat(task, "mem", O_RDONLY | O_CLOEXEC));
	if (!memory)
		return false;
	const std::size_t now = std::min(std::max(size, at_once), l.end - from);
	if (!is_near(l.major, l.minor))
		return touch_far(memory.get(), from, now,
		    makedev(l.major, l.minor)) == 0;
	return touch(memory.get(), from, now) == 0;
}

} // namespace stack9::process
