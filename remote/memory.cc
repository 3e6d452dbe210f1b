// Reads from the pieces of a copy, from files, and from the process itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "memory.h"

#include "core/seam/outside.h"
#include "process/written_over.h"

namespace stack9::remote {
namespace {

bool
read_piece(const copied_piece &p, std::uintptr_t from, void *to,
    std::size_t size) noexcept
{
	if (!p.holds(from, size))
		return false;
	std::memcpy(to, p.bytes.data() + (from - p.at), size);
	return true;
}

// Returns true if an address is after a piece, or the piece ends within the
// bytes that are asked for, with only the same mapping between them.
bool
is_behind(const copied_piece &p, const mapping *m, std::uintptr_t from)
    noexcept
{
	const std::uintptr_t end = p.at + p.bytes.size();
	return p.bytes.size() != 0 && from >= p.at &&
	    (m == nullptr || end - 1 >= m->start);
}

} // namespace

bool
copied_memory::read_other(std::uintptr_t from, void *to, std::size_t size)
    noexcept
{
	place at;
	for (const copied_piece *p : copy_.pieces())
		if (read_piece(*p, from, to, size))
			return true;
	if (from + size < from)
		return false;
	const mapping *const m = space_.find(from, at) ? at.where : nullptr;
	if (m != nullptr && (!m->writable || m->executable))
		return read_constant(*m, from, to, size);
	if (is_kept_ && has_no_room(m, from) && read_live(from, to, size))
		return true;
	if (could_be_copied(m, from))
		want(from);
	return false;
}

// Returns true if no piece can grow to the address, nor begin there without
// another one being lost.  A small core has a stack with large arrays in many
// parts.  All of its memory is of one moment.
bool
copied_memory::has_no_room(const mapping *m, std::uintptr_t from) noexcept
{
	for (const copied_piece *p : {&copy_.other, &copy_.further[0],
	    &copy_.further[1]})
		if (p->bytes.size() == 0)
			return false;
	for (const copied_piece *p : copy_.pieces())
		if (is_behind(*p, m, from) && p->more)
			return false;
	return true;
}

// Returns true if a further copy could have the address.  It could if the
// address is mapped, and the piece of the stack before it did not end where
// there was no more to copy.  If it is not mapped, only the rest of a stack
// could be copied.  The stack may have grown since.  A heap has pages that were
// never touched and goes on after them, so a piece that ended there says
// nothing.
bool
copied_memory::could_be_copied(const mapping *m, std::uintptr_t from) noexcept
{
	const bool mapped = m != nullptr && m->readable;
	for (const copied_piece *p : copy_.pieces())
		if (is_behind(*p, m, from))
			return p->more || (mapped && !copy_.is_of_stack(*p));
	return mapped;
}

// Code is the same as in its file, except for the breakpoints of a debugger.
// The loader may have written data (RELRO) before it became read-only.
bool
copied_memory::read_constant(const mapping &m, std::uintptr_t from, void *to,
    std::size_t size) noexcept
{
	if (m.end - from < size)
		return false;
	const auto read_file = [&] {
		return m.backing != nullptr && !m.is_debug_file &&
		    m.backing->read(from - m.start + m.offset, to, size);
	};
	// Neither the file nor the process has the code of then any more.
	if (!m.writable && m.backing != nullptr &&
	    process::is_another_program(*m.backing))
		return false;
	return m.executable && !m.writable ?
	    read_file() || read_live(from, to, size) :
	    read_live(from, to, size) || (!m.writable && read_file());
}

bool
copied_memory::read_live(std::uintptr_t from, void *to, std::size_t size)
    noexcept
{
	if (outside *const o = the_outside.load())
		return o->read_memory(from, to, size);
	if (kept_ != nullptr)
		return kept_->read(from, to, size) ==
		    static_cast<ssize_t>(size);
	return live_.read_present(from, to, size) ==
	    static_cast<ssize_t>(size);
}

} // namespace stack9::remote
