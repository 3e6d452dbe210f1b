// Writes frames as the section JSON of the manual says.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "json_frames.h"

#include <algorithm>
#include <cstdlib>

#include "ours.h"
#include "tools/lib/json.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

std::string
exact_member(bool exact)
{
	return exact ? ",\"exact\":true" : "";
}

// Writes no comma before it.
std::string
name_members(const frame &f)
{
	std::string text = json_member("name", linkage_of(f));
	if (!f.linkage.empty())
		text += "," + json_member("demangled", f.name);
	return text;
}

std::string
line_members(const frame &f)
{
	std::string text;
	if (f.file.empty())
		return text;
	text = "," + json_member("file", f.file);
	if (f.line != 0)
		text += fmt::format(",\"line\":{}", f.line);
	if (f.column != 0)
		text += fmt::format(",\"column\":{}", f.column);
	return text;
}

std::string
module_members(const module &m, const frame &f)
{
	std::string text;
	if (!m.path.empty())
		text += "," + json_member("module", base_name(m.path)) + "," +
		    json_member("path", m.path);
	if (!m.build_id.empty())
		text += "," + json_member("build_id", m.build_id);
	if ((f.flags & frame_in_file) != 0)
		text += "," + json_address("vaddr", f.address);
	if (m.deleted)
		text += ",\"deleted\":true";
	return text;
}

std::string
inlined_member(const place &p)
{
	std::string text;
	for (const frame &f : p.frames)
		if (f.kind == frame_kind::inlined)
			text += (text.empty() ? "{" : ",{") + name_members(f) +
			    line_members(f) + "}";
	return ",\"inlined\":[" + text + "]";
}

} // namespace

std::string
frame_of_kernel(const place &p, bool withheld)
{
	const frame &f = p.own();
	std::string text;
	if (!withheld)
		text += "," + json_address("pc", p.pc);
	text += exact_member(p.exact);
	if (p.known())
		text += "," + json_member("name", linkage_of(f)) +
		    fmt::format(",\"offset\":{}", f.offset);
	if (!kernel_module(f).empty())
		text += "," + json_member("module", f.module);
	return "{" + (text.empty() ? text : text.substr(1)) + "}";
}

std::string
frame_of_text(const char *line)
{
	const std::string all = line;
	const std::size_t end = std::min(all.find_first_of("+ "), all.size());
	const std::size_t module = all.find(" [", end);
	std::string text = "{" + json_member("name", all.substr(0, end)) +
	    fmt::format(",\"offset\":{}", std::strtoull(line + end, nullptr,
	    16));
	if (module != all.npos && all.ends_with(']'))
		text += "," + json_member("module", all.substr(module + 2,
		    all.size() - module - 3));
	return text + "}";
}

std::string
frame_of_user(const place &p, const options &o)
{
	const frame &f = p.own();
	if (f.kind == frame_kind::language)
		return "{" + name_members(f) + "," +
		    json_member("language", f.language) + line_members(f) +
		    ((f.flags & frame_guessed) != 0 ? ",\"guessed\":true" :
		    "") + "}";
	std::string text = "{" + json_address("pc", p.pc) +
	    exact_member(p.exact);
	if (p.known())
		text += "," + name_members(f) +
		    fmt::format(",\"offset\":{}", f.offset);
	if (p.where != nullptr)
		text += module_members(*p.where, f);
	text += line_members(f);
	if (o.inlines)
		text += inlined_member(p);
	return text + "}";
}

} // namespace stackprint
