// Reads the memory that a core file has, and no more of the file than is asked
// for.
//
// Rejected: a mapping of the core, because a core that is cut meanwhile would
// raise SIGBUS.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_process.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "arch/kernel_registers.h"
#include "process/maps.h"
#include "process/space.h"

namespace stack9::cores {

// On aarch64 the registers do not say whether the thread is in a call.
bool
core_process::call_of([[maybe_unused]] pid_t tid,
    [[maybe_unused]] std::int64_t &number,
    [[maybe_unused]] std::uint64_t (&args)[6]) const noexcept
{
#if defined(__x86_64__)
	std::uint64_t words[registers_max / sizeof(std::uint64_t)];
	for (const thread &t : has_.threads)
		if (t.tid == tid && t.size == arch::regs_size) {
			std::memcpy(words, t.registers, sizeof words);
			arch::read_call(words, number, args);
			return true;
		}
#endif
	return false;
}

void
core_process::each_line(const line_fn &f) const
{
	space_->each_mapping([&](const process::mapping &m) {
		process::maps_line l;
		l.start = m.start;
		l.end = m.end;
		l.inode = m.inode;
		l.readable = m.readable;
		l.writable = m.writable;
		l.executable = m.executable;
		f(l);
	});
}

// Gives the bytes of one segment; segments may follow each other.
ssize_t
file_bytes::read(const contents &c, std::uint64_t from, void *to,
    std::size_t size) noexcept
{
	const segment *const s = c.find(from);
	if (s == nullptr || from - s->start >= s->kept)
		return -1;
	const std::uint64_t in = from - s->start;
	const std::size_t wanted = std::min<std::uint64_t>(size, s->kept - in);
	ssize_t n;
	do
		n = pread(fd_.get(), to, wanted,
		    static_cast<off_t>(s->at + in));
	while (n < 0 && errno == EINTR);
	return n > 0 ? n : -1;
}

bool
core_process::read_kept(std::uint64_t from, void *to, std::size_t size)
    noexcept
{
	auto *at = static_cast<char *>(to);
	while (size != 0) {
		const ssize_t n = bytes_->read(has_, from, at, size);
		if (n <= 0)
			return false;
		at += n;
		from += static_cast<std::size_t>(n);
		size -= static_cast<std::size_t>(n);
	}
	return true;
}

// The kernel leaves out private mappings of files that nobody has written to.
// Gives what the file has of the address's segment, all of it or nothing.
std::size_t
core_process::read_file(std::uintptr_t from, void *to, std::size_t size)
    noexcept
{
	process::place p;
	if (space_ == nullptr || !space_->find(from, p) ||
	    p.backing == nullptr || p.where->is_debug_file)
		return 0;
	const segment *const s = has_.find(from);
	const std::size_t wanted = std::min<std::uint64_t>(size,
	    (s != nullptr ? std::min<std::uint64_t>(s->end, p.where->end) :
	    p.where->end) - from);
	return p.backing->read(from - p.where->start + p.where->offset, to,
	    wanted) ? wanted : 0;
}

ssize_t
core_process::read_by(read_fn how, std::uintptr_t from, void *to,
    std::size_t size, bool notes) noexcept
{
	const auto all_of_file = [this](std::uint64_t at, void *bytes,
	    std::size_t wanted) {
		return read_file(at, bytes, wanted) == wanted;
	};
	std::size_t done = 0;
	while (done < size) {
		auto *const here = static_cast<char *>(to) + done;
		const ssize_t n = (bytes_.get()->*how)(has_, from + done, here,
		    size - done);
		const std::size_t got = n > 0 ? static_cast<std::size_t>(n) :
		    read_file(from + done, here, size - done);
		if (got == 0)
			break;
		if (n <= 0 && notes)
			bytes_->note_file(from + done, got, all_of_file);
		done += got;
	}
	return done != 0 || size == 0 ? static_cast<ssize_t>(done) : -1;
}

ssize_t
core_process::read(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	return read_by(&core_bytes::read, from, to, size, true);
}

ssize_t
core_process::peek(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	return read_by(&core_bytes::peek, from, to, size, false);
}

} // namespace stack9::cores
