// Names frames for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frame.h"

#include <utility>

#include <fmt/format.h>

namespace tools {
namespace {

// Gives the last part of the path, without the brackets of "[vdso]".
std::string
file_name(const std::string &path)
{
	std::string name = path.substr(path.rfind('/') + 1);
	if (name.size() > 2 && name.front() == '[' && name.back() == ']')
		name = name.substr(1, name.size() - 2);
	return name;
}

} // namespace

std::string
name_of(const frame &f)
{
	if (!f.name.empty())
		return f.name;
	if (!f.linkage.empty())
		return f.linkage;
	return f.address != 0 ? fmt::format("{:#x}", f.address) : "[unknown]";
}

// No function has a name that begins with a digit.
bool
is_nameless(const frame &f)
{
	return is_code(f) && name_of(f).compare(0, 2, "0x") == 0;
}

std::string
site_of(const frame &f, bool whole)
{
	if (f.file.empty())
		return {};
	const std::string file = whole ? f.file :
	    f.file.substr(f.file.rfind('/') + 1);
	return f.line == 0 || file.empty() ? file :
	    fmt::format("{}:{}", file, f.line);
}

std::string
label(const frame &f)
{
	const std::string name = name_of(f);
	if (f.kind == frame_kind::language && !f.file.empty())
		return fmt::format("{} ({})", name, site_of(f, true));
	const std::string file = file_name(f.module);
	return f.kind == frame_kind::user && is_nameless(f) && !file.empty() &&
	    (f.flags & frame_in_file) != 0 ?
	    fmt::format("[{}+{}]", file, name) : name;
}

void
keep_raw_name(frame &f)
{
	if (!f.linkage.empty())
		f.name = std::exchange(f.linkage, {});
}

void
drop_source(frame &f)
{
	if (f.kind == frame_kind::language)
		return;
	f.file.clear();
	f.line = f.column = 0;
}

} // namespace tools
