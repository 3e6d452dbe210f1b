// Names of functions of any process, by what its address space has there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include <spaces/space.h>
#include <symbols.h>

#include "file_names.h"
#include "perf_maps.h"

namespace stack9 {
namespace {

// Cut to fit.
template <std::size_t n> void
put(char (&to)[n], std::string_view from) noexcept
{
	const std::size_t length = std::min(from.size(), n - 1);
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

int
find_in_file(const spaces::place &at, bool return_address, stack9_symbol &sym)
{
	file_names &names = file_names::of(*at.backing);
	function_name f;
	bool found = names.find(at.vaddr, f);
	// Right behind a call in last position.
	if (!found && !return_address && names.find(at.vaddr - 1, f))
		found = at.vaddr - f.start == f.size;
	if (!found)
		return ENOENT;
	put(sym.name, f.name);
	put(sym.module, base_name(at.where->path));
	sym.offset = at.vaddr + return_address - f.start;
	sym.size = f.size;
	return 0;
}

int
find(stack9_space &space, std::uintptr_t pc, bool return_address,
    stack9_symbol &sym)
{
	spaces::place at;
	if (!space.find(pc - return_address, at))
		return ENOENT;
	if (at.backing != nullptr && at.backing->is_elf())
		return at.vaddr != 0 ? find_in_file(at, return_address, sym) :
		    ENOENT;
	return at.where->executable ?
	    perf_find(space.thread(), pc, return_address, sym) : ENOENT;
}

} // namespace

int
space_find(stack9_space &space, std::uintptr_t pc, bool return_address,
    stack9_symbol &sym) noexcept
{
	const int error = errno;
	int result = ENOENT;
	try {
		result = find(space, pc, return_address, sym);
	} catch (const std::bad_alloc &) {
	} catch (const std::system_error &) {	// a mutex's
	}
	errno = error;
	return result;
}

} // namespace stack9
