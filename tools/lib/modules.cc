// Finds each module once and keeps it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "modules.h"

#include <fmt/format.h>

#include "text.h"

namespace stackprint {
namespace {

std::string
in_hex(const unsigned char *bytes, unsigned int size)
{
	std::string text;
	for (unsigned int i = 0; i < size; i++)
		text += fmt::format("{:02x}", bytes[i]);
	return text;
}

} // namespace

std::string
base_name(const std::string &path)
{
	return path.substr(path.rfind('/') + 1);
}

// Files are compared by build-id if they have one: the same program may have
// another path in another container.
const module *
modules::add(list &known, const stack9_module &m, std::uintptr_t base)
{
	auto fresh = std::make_unique<module>();
	fresh->path = m.path;
	fresh->name = printable(base_name(fresh->path));
	fresh->build_id = in_hex(m.build_id, m.build_id_size);
	fresh->base = base;
	fresh->deleted = m.deleted;
	const std::string &identity =
	    fresh->build_id.empty() ? fresh->path : fresh->build_id;
	fresh->file = files_.try_emplace(identity,
	    static_cast<unsigned int>(files_.size())).first->second;
	known.push_back(std::move(fresh));
	return known.back().get();
}

const module *
modules::find(stack9_space *space, std::uintptr_t pc, std::uint64_t &vaddr)
{
	stack9_module m;
	vaddr = 0;
	if (space == nullptr || stack9_space_module(space, pc, &m) != 0)
		return nullptr;
	vaddr = m.vaddr;
	const std::uintptr_t base = m.vaddr != 0 ? pc - m.vaddr : 0;
	list &known = of_[space];
	for (const auto &each : known)
		if (each->base == base && each->path == m.path)
			return each.get();
	return add(known, m, base);
}

} // namespace stackprint
