// Makes the list from the mappings of a space.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code_list.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <sys/stat.h>

#include "os/strangers_file.h"

namespace stack9::events {
namespace {

using process::mapping;

constexpr unsigned int page_bits = 12;	// of vm_pgoff, on x86-64
constexpr std::uint64_t offsets = std::uint64_t{1} << S9_OFFSET_BITS;

// As the kernel writes it: include/linux/kdev_t.h.
std::uint32_t
device_of(const mapping &m) noexcept
{
	constexpr unsigned int minor_bits = 20;
	return m.major << minor_bits | m.minor;
}

// A kernel has one vdso for all 64-bit programs.  Those of others lie low.
bool
is_vdso(const mapping &m) noexcept
{
	return m.path == "[vdso]" && m.inode == 0 && m.start >> 32 != 0;
}

// False: it is code of no file, or too large, or of a file that was written
// over since it was opened: the rules of what is mapped now are not known.
bool
find_identity(const mapping &m, file_identity &to) noexcept
{
	struct stat st;
	if (!m.executable || m.writable || m.backing == nullptr ||
	    m.offset + (m.end - m.start) >= offsets)
		return false;
	if (is_vdso(m)) {
		to = {};
		to.bytes = m.end - m.start;
		return true;
	}
	if (m.inode == 0 || m.backing->fd() < 0 ||
	    stat_now(m.backing->fd(), st) != 0 ||
	    process::state_of(st) != m.backing->opened())
		return false;
	to = {device_of(m), m.inode,
	    static_cast<std::uint64_t>(st.st_mtim.tv_sec),
	    static_cast<std::uint32_t>(st.st_mtim.tv_nsec),
	    static_cast<std::uint64_t>(st.st_size)};
	return true;
}

} // namespace

namespace {

// Memory of no file, in which a program may make code at any time.  The kernel
// calls it the heap if it lies where the heap would begin, as that of V8 may.
bool
is_made(const mapping &m) noexcept
{
	return m.executable && m.inode == 0 && m.end - m.start < offsets &&
	    process::is_of_no_file(m);
}

s9_code
jit_code(const mapping &m) noexcept
{
	s9_code c{};
	c.start = m.start;
	c.size = m.end - m.start;
	c.key = S9_MADE_KEY;
	return c;
}

} // namespace

bool
is_same(const s9_code &a, const s9_code &b) noexcept
{
	return a.start == b.start && a.size == b.size && a.key == b.key;
}

void
code_list::take(stack9_space &space, std::uint32_t list, file_numbers &files,
    code_pages &pages)
{
	const code_list before = std::move(*this);
	code_.clear();
	const auto add = [&](s9_code c) {
		const s9_code *const was = before.find(c.start);
		c.since = was != nullptr && is_same(*was, c) ? was->since :
		    list;
		code_.push_back(c);
	};
	space.each_mapping([&](const mapping &m) {
		file_identity f;
		if (is_made(m)) {
			add(jit_code(m));
			return;
		}
		if (!find_identity(m, f))
			return;
		const std::uint32_t number = files.number_of(f);
		if (number == 0)
			return;
		s9_code c{};
		c.start = m.start;
		c.size = m.end - m.start;
		c.key = std::uint64_t{number} << S9_OFFSET_BITS | m.offset;
		c.inode = f.inode;
		c.page = m.offset >> page_bits;
		c.changed_s = f.changed_s;
		c.changed_ns = f.changed_ns;
		c.device = f.device;
		c.bytes = f.bytes;
		c.first = pages.first_of(number, m.offset / S9_CODE_PAGE,
		    c.size / S9_CODE_PAGE);
		add(c);
	});
}

void
code_list::write(std::uint64_t serial, s9_mapped &to) const noexcept
{
	to = {};
	to.serial = to.serial_again = serial;
	to.oldest = std::numeric_limits<__u32>::max();
	for (const s9_code &c : code_)
		to.oldest = std::min(to.oldest, c.since);
	to.count = static_cast<__u32>(code_.size());
	std::copy(code_.begin(), code_.end(), to.code);
}

const s9_code *
code_list::find(std::uintptr_t address) const noexcept
{
	const auto behind = std::upper_bound(code_.begin(), code_.end(),
	    address, [](std::uintptr_t a, const s9_code &c) {
		return a < c.start;
	});
	if (behind == code_.begin())
		return nullptr;
	const s9_code &c = behind[-1];
	return address - c.start < c.size ? &c : nullptr;
}

} // namespace stack9::events
