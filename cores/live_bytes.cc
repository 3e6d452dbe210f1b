// Reads a living process as if it were a core.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "live_bytes.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include <elf.h>
#include <sys/stat.h>

#include "process/open_mapped.h"

namespace stack9::cores {
namespace {

constexpr std::uint64_t live_page = 4096;

} // namespace

live_bytes::live_bytes(pid_t pid) : memory_(pid)
{
	char path[32];
	std::snprintf(path, sizeof path, "/proc/%d", pid);
	task_ = unique_fd(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
	pages_ = unique_fd(openat(task_.get(), "pagemap", O_RDONLY |
	    O_CLOEXEC));
}

// Stacks of two threads do not overlap; a copy that does is the later one's.
void
live_bytes::add_copy(std::uint64_t at, const std::byte *bytes,
    std::size_t size)
{
	if (size != 0)
		copies_[at].assign(bytes, bytes + size);
}

bool
live_bytes::add_headers(process::mapping m)
{
	const std::uint64_t at = m.start;
	char magic[SELFMAG];
	headers_.try_emplace(at, headers{std::move(m)});
	if ((memory_.read_present(at, magic, SELFMAG) == SELFMAG ||
	    from_headers(at, magic, SELFMAG) == SELFMAG) &&
	    std::memcmp(magic, ELFMAG, SELFMAG) == 0)
		return true;
	headers_.erase(at);
	return false;
}

// A process that was forked has touched no page of most libraries.
ssize_t
live_bytes::from_headers(std::uint64_t from, void *to, std::size_t size)
    noexcept
{
	auto at = headers_.upper_bound(from);
	if (at == headers_.begin())
		return -1;
	headers &h = std::prev(at)->second;
	const std::uint64_t in = from - h.of.start, most = std::min(
	    h.of.end - h.of.start, headers_max);
	struct stat st;
	if (in >= most)
		return -1;
	if (!h.is_opened)
		process::open_mapped(task_.get(), h.of, h.file, st);
	h.is_opened = true;
	return !h.file ? -1 : pread(h.file.get(), to, std::min<std::uint64_t>(
	    size, most - in), static_cast<off_t>(in));
}

// next becomes where the next copy begins.
std::size_t
live_bytes::from_copy(std::uint64_t from, void *to, std::size_t size,
    std::uint64_t &next) const noexcept
{
	auto at = copies_.upper_bound(from);
	next = at == copies_.end() ? UINT64_MAX : at->first;
	if (at == copies_.begin())
		return 0;
	--at;
	const std::uint64_t in = from - at->first;
	if (in >= at->second.size())
		return 0;
	const std::size_t n = std::min<std::uint64_t>(size,
	    at->second.size() - in);
	std::memcpy(to, at->second.data() + in, n);
	return n;
}

// A page that the process has written to is its own.
bool
live_bytes::is_of_file(std::uint64_t at) const noexcept
{
	constexpr std::uint64_t of_file = std::uint64_t{1} << 61,
	    present = std::uint64_t{1} << 63;
	std::uint64_t page = 0;
	const auto offset = static_cast<off_t>(at / live_page * sizeof page);
	return pread(pages_.get(), &page, sizeof page, offset) !=
	    sizeof page || (page & of_file) != 0 || (page & present) == 0;
}

ssize_t
live_bytes::read(const contents &c, std::uint64_t from, void *to,
    std::size_t size) noexcept
{
	const segment *const s = c.find(from);
	std::uint64_t next;
	if (s == nullptr || (s->flags & PF_R) == 0)
		return -1;
	if (const std::size_t n = from_copy(from, to, size, next); n != 0)
		return static_cast<ssize_t>(n);
	const std::uint64_t end = std::min({s->end, next,
	    (from & ~(live_page - 1)) + live_page});
	if (s->reserved == left_to_file && is_of_file(from))
		return -1;
	const std::size_t wanted = std::min<std::uint64_t>(size, end - from);
	const ssize_t n = s->reserved == of_kernel ?
	    memory_.read(from, to, wanted) :
	    memory_.read_present(from, to, wanted);
	return n > 0 ? n : from_headers(from, to, wanted);
}

} // namespace stack9::cores
