// Says in which variable, or in what memory, a lock lies.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "places.h"

#include <cstdio>

#include "core/seam/space.h"
#include "core/seam/symbols.h"

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
memory_at(const mapped_memory &m)
{
	if (m.path == "[heap]")
		return "heap";
	if (m.path == "[stack]")
		return "stack of the first thread";
	if (m.path == "/dev/zero" || m.path.starts_with("/SYSV"))
		return "shared memory";
	if (!m.is_file)
		return m.path.empty() ? "anonymous memory" : m.path;
	return base_name(m.path) + plus(m.offset);
}

// The kernel's name for the address of a variable; "" for memory that it has
// allocated.
int
keep_name(void *arg, const stack9_frame *f)
{
	auto &text = *static_cast<std::string *>(arg);
	if (*f->linkage == '\0')
		return 0;
	text = f->linkage + plus(f->offset);
	if (*f->module != '\0')
		text += std::string(" of ") + f->module;
	return 0;
}

} // namespace

const places::variable *
places::find_variable(stack9_space *space, std::uint64_t address,
    std::uint64_t &start)
{
	auto it = variables_.upper_bound({space, address});
	if (it != variables_.begin() && (--it)->first.first == space &&
	    address < it->second.end) {
		start = it->first.second;
		return &it->second;
	}
	variable v{};
	std::uintptr_t offset = 0, size = 0;
	if (space_variable(*space, address, v.name, v.file, offset, size) != 0)
		return nullptr;
	start = address - offset;
	v.end = start + size;
	v.name = readable(v.name);
	v.file = base_name(v.file);
	it = variables_.insert_or_assign({space, start}, std::move(v)).first;
	return &it->second;
}

const std::string &
places::of(stack9_space *space, std::uint64_t address)
{
	const auto [it, is_new] = known_.try_emplace({space, address});
	std::string &text = it->second;
	std::uint64_t start = 0;
	mapped_memory at;
	if (!is_new || space == nullptr)
		return text;
	if (const variable *const v = find_variable(space, address, start))
		text = v->name + plus(address - start) + " of " + v->file;
	else if (space_memory(*space, address, at) == 0)
		text = memory_at(at);
	return text;
}

const std::string &
places::of_kernel(std::uint64_t address)
{
	const auto [it, is_new] = kernel_.try_emplace(address);
	if (is_new)
		stack9_frame_at(nullptr, address, STACK9_FRAMES_LINKAGE,
		    keep_name, &it->second);
	return it->second;
}

} // namespace stack9::waits
