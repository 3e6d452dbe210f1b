// Names functions of any process by the files that its address space has there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "process/space.h"
#include "process/tables.h"
#include "core/seam/reader.h"
#include "core/seam/symbols.h"

#include "file_names.h"
#include "perf_map.h"

namespace stack9 {
namespace {

// A function of a file or of a JIT.  Members that are copied together are not
// neighbours: GCC would read two members at once, and the CPU would wait until
// both are written.
struct found_name {
	const char	*name = "";
	std::uint64_t	offset = 0;
	std::size_t	length = 0;
	std::uint64_t	size = 0;
	bool		ends = false;	// by a NUL, as not all do
	const process::mapping *where = nullptr;	// NULL: nowhere
	std::uint64_t	vaddr = 0;	// of the instruction; 0: none
};

// Copies as much as fits.
template <std::size_t n> void
put(char (&to)[n], std::string_view from) noexcept
{
	std::size_t length = std::min(from.size(), n - 1);
	// If GCC 12 knows that a length is small, it copies by a repeated
	// instruction.  That takes longer than everything else here.
	asm("" : "+r"(length));
	memcpy(to, from.data(), length);
	to[length] = '\0';
}

std::string_view
base_name(const std::string &path) noexcept
{
	const auto *const slash = static_cast<const char *>(
	    memrchr(path.data(), '/', path.size()));
	const char *const name = slash != nullptr ? slash + 1 : path.data();
	return {name, static_cast<std::size_t>(path.data() + path.size() -
	    name)};
}

void
put(const found_name &n, symbol_name &sym) noexcept
{
	put(sym.name, {n.name, n.length});
	put(sym.module, base_name(n.where->path));
	sym.offset = n.offset;
	sym.size = n.size;
}

// Returns true if a function begins at a return address, with nothing before
// it: who makes a stack has planted the address (makecontext(3)).  The end of
// another function would have unwind information.
bool
begins_behind(process::file &file, std::uint64_t vaddr)
{
	process::tables *const t = process::tables::of(file);
	unwind::row row;
	return t != nullptr && t->eh_frame_row(file, vaddr, row) ==
	    unwind::found::no && t->eh_frame_row(file, vaddr + 1, row) ==
	    unwind::found::yes && row.begin == vaddr + 1;
}

int
find_in_file(const process::place &at, bool return_address, found_name &n)
{
	file_names &names = file_names::of(*at.backing);
	function_name f;
	bool found = names.find(at.vaddr, f);
	// The address is right after a call in last position.
	if (!found && !return_address && names.find(at.vaddr - 1, f))
		found = at.vaddr - f.start == f.size;
	if (!found && return_address && begins_behind(*at.backing, at.vaddr) &&
	    names.find(at.vaddr + 1, f))
		found = f.start == at.vaddr + 1;
	if (!found)
		return ENOENT;
	n.name = f.name.data();
	n.length = f.name.size();
	n.ends = n.name[n.length] == '\0';
	n.offset = at.vaddr + return_address - f.start;
	n.size = f.size;
	return 0;
}

int
find_of_jit(const stack9_thread &td, std::uintptr_t pc, bool return_address,
    found_name &n, symbol_name &jit)
{
	if (const int error = perf_find(td, pc, return_address, jit);
	    error != 0)
		return error;
	n.name = jit.name;
	n.length = std::strlen(jit.name);
	n.offset = jit.offset;
	n.size = jit.size;
	return 0;
}

// Finds a name, pointed to by n, and a place.  An address without a name has a
// place, too, where something is mapped.  The name of a JIT is copied to jit.
int
find(stack9_space &space, std::uintptr_t pc, bool return_address,
    found_name &n, symbol_name &jit)
{
	process::place at;
	if (!space.find(pc - return_address, at))
		return ENOENT;
	n.where = at.where;
	n.vaddr = at.vaddr;
	if (at.backing == nullptr || !at.backing->is_elf())
		return !at.where->executable ? ENOENT :
		    find_of_jit(space.thread(), pc, return_address, n, jit);
	return at.vaddr == 0 ? ENOENT : find_in_file(at, return_address, n);
}

int
find_or_none(stack9_space &space, std::uintptr_t pc, bool return_address,
    found_name &n, symbol_name &jit) noexcept
{
	const int error = errno;
	int result = ENOENT;
	try {
		result = find(space, pc, return_address, n, jit);
	} catch (const std::bad_alloc &) {
	} catch (const std::system_error &) {	// from a mutex
	}
	errno = error;
	return result;
}

int
ask(reader &r, stack9_space &space, std::uintptr_t pc, bool return_address,
    symbol_name &sym) noexcept
try {
	std::string name;
	std::uintptr_t offset, size;
	const int error = r.function(space, pc, return_address, name, offset,
	    size);
	process::place at;
	if (error != 0)
		return error;
	put(sym.name, name);
	put(sym.module, space.find(pc - return_address, at) ?
	    base_name(at.where->path) : std::string_view());
	sym.offset = offset;
	sym.size = size;
	return 0;
} catch (const std::bad_alloc &) {
	return ENOENT;
}

} // namespace

int
space_find(stack9_space &space, std::uintptr_t pc, bool return_address,
    symbol_name &sym) noexcept
{
	if (reader *const r = the_reader.load())
		return ask(*r, space, pc, return_address, sym);
	found_name n;
	symbol_name jit;
	const int error = find_or_none(space, pc, return_address, n, jit);
	if (error == 0 && n.name == jit.name)
		sym = jit;
	else if (error == 0)
		put(n, sym);
	return error;
}

int
space_function(stack9_space &space, std::uintptr_t pc, bool return_address,
    std::string &name, std::uintptr_t &offset, std::uintptr_t &size)
{
	if (reader *const r = the_reader.load())
		return r->function(space, pc, return_address, name, offset,
		    size);
	found_name n;
	symbol_name jit;
	if (const int error = find_or_none(space, pc, return_address, n, jit);
	    error != 0)
		return error;
	name.assign(n.name, n.length);
	offset = n.offset;
	size = n.size;
	return 0;
}

void
space_place(stack9_space &space, std::uintptr_t pc, bool return_address,
    std::string &buffer, placed_function &f)
{
	if (the_reader.load() != nullptr)
		return place_by_parts(space, pc, return_address, buffer, f);
	const std::uint64_t look = space.number();
	found_name n;
	symbol_name jit;
	const bool named = find_or_none(space, pc, return_address, n, jit) == 0;
	f.lasts_in = named && n.name != jit.name ? look : 0;
	f.name = {n.name, n.length};
	f.name_ends = n.ends;
	f.offset = n.offset;
	f.size = n.size;
	if (f.lasts_in == 0) {
		f.name = buffer.assign(f.name);
		f.name_ends = true;
	}
	f.mapped = n.where != nullptr;
	if (f.mapped)
		process::describe(*n.where, n.vaddr, pc - return_address,
		    f.module);
}

} // namespace stack9
