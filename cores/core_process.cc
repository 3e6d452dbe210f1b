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
core_process::read_core(std::uintptr_t from, void *to, std::size_t size)
    noexcept
{
	const segment *const s = has_.find(from);
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
		const ssize_t n = read_core(from, at, size);
		if (n <= 0)
			return false;
		at += n;
		from += static_cast<std::size_t>(n);
		size -= static_cast<std::size_t>(n);
	}
	return true;
}

// The kernel leaves out private mappings of files that nobody has written to.
ssize_t
core_process::read(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	std::size_t done = 0;
	while (done < size) {
		const std::uintptr_t at = from + done;
		auto *const here = static_cast<char *>(to) + done;
		const ssize_t n = read_core(at, here, size - done);
		if (n > 0) {
			done += static_cast<std::size_t>(n);
			continue;
		}
		process::place p;
		if (space_ == nullptr || !space_->find(at, p) ||
		    p.backing == nullptr || p.where->is_debug_file)
			break;
		const segment *const s = has_.find(at);
		const std::size_t wanted = std::min<std::uint64_t>(size - done,
		    (s != nullptr ? std::min<std::uint64_t>(s->end,
		    p.where->end) : p.where->end) - at);
		if (!p.backing->read(at - p.where->start + p.where->offset,
		    here, wanted))
			break;
		done += wanted;
	}
	return done != 0 || size == 0 ? static_cast<ssize_t>(done) : -1;
}

} // namespace stack9::cores
