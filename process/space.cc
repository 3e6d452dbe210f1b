// Makes spaces, renews them, and finds what is mapped at an address.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "space.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>

#include "core/seam/reader.h"

#include "files.h"
#include "os/strangers_file.h"
#include "snapshot_maker.h"

int
stack9_space::take_snapshot() noexcept
try {
	const std::lock_guard hold(lock_);
	return stack9::process::snapshot_maker(snapshots_).run();
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

int
stack9_space::take_snapshot(std::string_view maps) noexcept
try {
	const std::lock_guard hold(lock_);
	stack9::process::snapshot_maker(snapshots_).take_text(maps);
	return 0;
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

void
stack9_space::take_snapshot(std::vector<stack9::process::mapping> all)
{
	const std::lock_guard hold(lock_);
	stack9::process::snapshot_maker(snapshots_).take_mappings(
	    std::move(all));
}

void
stack9_space::take_further(stack9::process::mapping m)
{
	const std::lock_guard hold(lock_);
	stack9::process::snapshot_maker(snapshots_).take_further(std::move(m));
}

namespace stack9 {

namespace {

// A new one, as fill() leaves it.
template <typename Fill>
int
make_space(const stack9_thread &td, stack9_space *&out, Fill fill) noexcept
try {
	auto s = std::make_unique<stack9_space>(td);
	const int error = fill(*s);
	if (error == 0)
		out = s.release();
	return error;
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

} // namespace

int
space_open(const stack9_thread &td, stack9_space *&out) noexcept
{
	return make_space(td, out, [](stack9_space &s) {
		return s.take_snapshot();
	});
}

int
space_of_text(const stack9_thread &td, std::string_view text,
    stack9_space *&out) noexcept
{
	return make_space(td, out, [&](stack9_space &s) {
		return s.take_snapshot(text);
	});
}

// The lowest page is never code, and neither is what the kernel has.
int
space_of_file(const char *path, stack9_space *&out) noexcept
{
	unique_fd fd;
	if (const int error = open_regular(path, fd); error != 0)
		return error;
	return make_space({}, out, [&](stack9_space &s) {
		process::mapping m;
		m.start = 1;
		m.end = UINTPTR_MAX >> 1;
		m.readable = m.executable = m.is_image = true;
		m.path = path;
		m.backing = process::file_of(std::move(fd), m.path);
		std::vector<process::mapping> all;
		all.push_back(std::move(m));
		s.take_snapshot(std::move(all));
		return 0;
	});
}

void
space_hold(stack9_space &s) noexcept
{
	s.hold();
}

std::uint64_t
space_number(const stack9_space &s) noexcept
{
	return s.number();
}

int
space_renew(stack9_space &s) noexcept
{
	return s.take_snapshot();
}

bool
space_has(stack9_space &s, const std::uintptr_t *pcs, std::uint32_t n) noexcept
{
	process::place at;
	return std::all_of(pcs, pcs + n,
	    [&](std::uintptr_t pc) { return s.find(pc, at); });
}

int
space_module(stack9_space &s, std::uintptr_t pc, mapped_module &to) noexcept
{
	process::place at;
	if (!s.find(pc, at))
		return ENOENT;
	process::describe(*at.where, at.vaddr, pc, to);
	if (reader *const r = the_unwinder(); r != nullptr &&
	    at.where->reported_build_id.empty())
		r->module(s, pc, to);
	return 0;
}

int
space_memory(stack9_space &s, std::uintptr_t address, mapped_memory &to)
{
	process::place at;
	if (!s.find(address, at))
		return ENOENT;
	to.path = at.where->path;
	to.is_file = at.where->inode != 0;
	to.offset = address - at.where->start + at.where->offset;
	return 0;
}

} // namespace stack9
