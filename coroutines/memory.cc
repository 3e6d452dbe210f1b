// Reads memory of a process by /proc/PID/mem, and knows what is mapped there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "memory.h"

#include <algorithm>
#include <cerrno>

#include "core/seam/second_reading.h"
#include "process/far_files.h"

namespace stack9::coroutines {

// A file's data may be followed by memory of no file.  That begins with the
// file's .bss.
void
memory::add_data(const process::maps_line &l)
{
	const bool follows = !data_.empty() && data_.back().end == l.start;
	if (l.inode == 0 && follows && l.path != "[heap]")
		data_.back().end = l.end;
	else if (l.inode != 0 && follows &&
	    data_.back().file_end == l.start)
		data_.back().file_end = data_.back().end = l.end;
	else if (l.inode != 0)
		data_.push_back({l.start, l.end, l.end});
}

void
memory::add(const process::maps_line &l)
{
	const auto put = [&](std::vector<region> &to) {
		if (!to.empty() && to.back().end == l.start)
			to.back().end = l.end;
		else
			to.push_back({l.start, l.end});
	};
	far_ |= l.inode != 0 && !process::is_near(l.major, l.minor);
	if (l.executable)
		put(code_);
	if (!l.readable || !l.writable || l.shared)
		return;
	add_data(l);
	if (l.inode == 0)
		put(heap_);
}

bool
memory::is_in(const std::vector<region> &all, std::uint64_t at,
    std::uint64_t size) noexcept
{
	const auto after = std::upper_bound(all.begin(), all.end(), at,
	    [](std::uint64_t a, const region &r) { return a < r.start; });
	return after != all.begin() && at < after[-1].end &&
	    size <= after[-1].end - at;
}

int
memory::probe() const noexcept
{
	char byte;
	if (data_.empty() || read_some(data_[0].start, &byte, 1) == 1)
		return 0;
	return errno == EPERM || errno == ESRCH || errno == ENOMEM ||
	    errno == EMFILE ? errno : 0;
}

std::size_t
memory::read_some(std::uint64_t at, void *to, std::size_t size) const noexcept
{
	const ssize_t n = kept_ != nullptr ? kept_->read(at, to, size) :
	    far_ ? from_.read_present(at, to, size) :
	    from_.read(at, to, size);
	// A far file's page that is not in memory says nothing.
	failed_ |= n < 0 && !far_;
	return n < 0 ? 0 : static_cast<std::size_t>(n);
}

bool
memory::read(std::uint64_t at, void *to, std::size_t size) const noexcept
{
	return read_some(at, to, size) == size;
}

std::size_t
memory::read_all(std::span<const wanted> all) const noexcept
{
	std::size_t done = 0;
	while (done < all.size()) {
		announce_second_reading(0, all[done].at);
		if (!read(all[done].at, all[done].to, all[done].size))
			break;
		done++;
	}
	return done;
}

} // namespace stack9::coroutines
