// Says in which variable, or in what memory, a lock lies.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "places.h"

#include <cstdio>

#include "core/seam/symbols.h"
#include "process/space.h"

namespace stack9::waits {
namespace {

std::string
base_name(const std::string &path)
{
	return path.substr(path.rfind('/') + 1);
}

std::string
plus(std::uint64_t offset)
{
	char text[24];
	std::snprintf(text, sizeof text, "+0x%llx",
	    static_cast<unsigned long long>(offset));
	return offset == 0 ? std::string() : text;
}

std::string
readable(const std::string &name)
{
	char text[1024];
	return stack9_demangle(name.c_str(), text, sizeof text, nullptr) == 0 ?
	    text : name;
}

std::string
memory_at(const process::mapping &m, std::uint64_t address)
{
	if (m.path == "[heap]")
		return "heap";
	if (m.path == "[stack]")
		return "stack of the first thread";
	if (m.path == "/dev/zero" || m.path.starts_with("/SYSV"))
		return "shared memory";
	if (m.inode == 0)
		return m.path.empty() ? "anonymous memory" : m.path;
	return base_name(m.path) + plus(address - m.start + m.offset);
}

} // namespace

const std::string &
places::of(stack9_space *space, std::uint64_t address)
{
	const auto [it, is_new] = known_.try_emplace({space, address});
	std::string &text = it->second, name, file;
	std::uintptr_t offset = 0;
	process::place at;
	if (!is_new || space == nullptr)
		return text;
	if (space_variable(*space, address, name, file, offset) == 0)
		text = readable(name) + plus(offset) + " of " +
		    base_name(file);
	else if (space->find(address, at))
		text = memory_at(*at.where, address);
	return text;
}

} // namespace stack9::waits
