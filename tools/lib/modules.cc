// Finds each module once and keeps it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "modules.h"

#include "text.h"

namespace tools {

std::string
base_name(const std::string &path)
{
	return path.substr(path.rfind('/') + 1);
}

const char *
deleted_mark(const frame &f)
{
	return (f.flags & frame_deleted) != 0 && is_in_directory(f.module) ?
	    " (deleted)" : "";
}

// Files are compared by build-id if they have one: the same program may have
// another path in another container.
const module *
modules::add(list &known, const frame &f, std::uint64_t base)
{
	auto fresh = std::make_unique<module>();
	fresh->path = f.module;
	fresh->name = printable(base_name(fresh->path));
	fresh->build_id = f.build_id;
	fresh->base = base;
	fresh->deleted = (f.flags & frame_deleted) != 0;
	const std::string &identity =
	    fresh->build_id.empty() ? fresh->path : fresh->build_id;
	fresh->file = files_.try_emplace(identity,
	    static_cast<unsigned int>(files_.size())).first->second;
	known.push_back(std::move(fresh));
	return known.back().get();
}

const module *
modules::find(const void *process, const frame &f, std::uint64_t pc)
{
	if ((f.flags & frame_mapped) == 0)
		return nullptr;
	const std::uint64_t base = (f.flags & frame_in_file) != 0 ?
	    pc - f.address : 0;
	list &known = of_[process];
	for (const auto &each : known)
		if (each->base == base && each->path == f.module)
			return each.get();
	return add(known, f, base);
}

} // namespace tools
