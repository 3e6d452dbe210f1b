// Gives the address space of this process to those who ask for one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "space.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "os/unique_fd.h"
#include "process/maps.h"
#include "symbols/image.h"
#include "unwind/module.h"

int
stack9_space::read()
{
	const stack9::unique_fd self(open("/proc/self",
	    O_PATH | O_DIRECTORY | O_CLOEXEC));
	stack9::byte_buffer text;
	if (!self)
		return EOPNOTSUPP;
	if (const int error = stack9::process::read_maps(self.get(), text);
	    error != 0)
		return error;
	std::string_view left(reinterpret_cast<const char *>(text.data()),
	    text.size());
	stack9::process::maps_line m;
	while (stack9::process::next_line(left, m)) {
		bool deleted;
		std::string path = stack9::process::path_of(m, deleted);
		lines.push_back({m.start, m.end, m.offset, std::move(path),
		    deleted});
	}
	return 0;
}

const stack9_space::line *
stack9_space::find(std::uintptr_t pc) const noexcept
{
	const auto at = std::upper_bound(lines.begin(), lines.end(), pc,
	    [](std::uintptr_t address, const line &l) {
		return address < l.end;
	});
	return at != lines.end() && at->start <= pc ? &*at : nullptr;
}

namespace stack9 {

int
space_open(const stack9_thread &td, stack9_space *&out) noexcept
{
	if (td.pid != getpid())
		return EOPNOTSUPP;
	unwind::renew_modules();
	try {
		auto made = std::make_unique<stack9_space>();
		if (const int error = made->read(); error != 0)
			return error;
		out = made.release();
		return 0;
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

// A file that this process has not mapped is none of its own.
int
space_of_file(const char *, stack9_space *&) noexcept
{
	return EOPNOTSUPP;
}

int
space_of_build_ids(std::vector<std::string>, stack9_space *&) noexcept
{
	return EOPNOTSUPP;
}

int
space_place(stack9_space &, const std::vector<unsigned char> &,
    const std::string &, std::uint64_t, bool, std::uint64_t &)
{
	return EOPNOTSUPP;
}

bool
has_places(const stack9_space &) noexcept
{
	return false;
}

bool
is_exact_place(const stack9_space &, std::uint64_t) noexcept
{
	return false;
}

int
space_of_now(const stack9_thread &td, unique_space &out) noexcept
{
	stack9_space *made = nullptr;
	const int error = space_open(td, made);
	if (error == 0)
		out.reset(made);
	return error;
}

int
space_of_text(const stack9_thread &, std::string_view, stack9_space *&out)
    noexcept
{
	out = new (std::nothrow) stack9_space;
	return out == nullptr ? ENOMEM : 0;
}

void
space_hold(stack9_space &s) noexcept
{
	s.holders++;
}

void
space_drop(stack9_space *s) noexcept
{
	if (s != nullptr && --s->holders == 0)
		delete s;
}

space_walk
walk_copy(stack9_space &, const user_copy &, stack_record &rec,
    std::uint64_t &) noexcept
{
	rec.why = STACK9_WHY_MACHINE;
	rec.reason = "this library was built for its own process only";
	return space_walk::done;
}

bool
is_silent(const stack9_space &) noexcept
{
	return true;
}

written_search
walk_written(stack9_space &, const user_copy &, const written_question &,
    stack_record &, written_stack &) noexcept
{
	return written_search::none;
}

written_search
find_tasks(stack9_space &, written_tasks &) noexcept
{
	return written_search::none;
}

int
space_module(stack9_space &s, std::uintptr_t pc, mapped_module &m) noexcept
{
	const stack9_space::line *const at = s.find(pc);
	if (at == nullptr)
		return ENOENT;
	m = {};
	m.path = at->path.c_str();
	m.start = at->start;
	m.end = at->end;
	m.offset = pc - at->start + at->offset;
	m.deleted = at->deleted;
	unwind::loaded_module object;
	if (!unwind::find_module(pc, object))
		return 0;
	m.vaddr = pc - object.bias;
	const build_id id = mapped_build_id(object.begin, object.end,
	    object.bias);
	m.build_id_size = id.size <= sizeof m.build_id ? id.size : 0;
	memcpy(m.build_id, id.data, m.build_id_size);
	return 0;
}

std::uint64_t
space_number(const stack9_space &) noexcept
{
	return 0;
}

int
space_memory(stack9_space &s, std::uintptr_t address, mapped_memory &to)
{
	const stack9_space::line *const at = s.find(address);
	if (at == nullptr)
		return ENOENT;
	to.path = at->path;
	to.is_file = at->path.starts_with('/');
	to.offset = address - at->start + at->offset;
	return 0;
}

} // namespace stack9
