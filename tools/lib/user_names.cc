// Asks for each user name once and keeps it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_names.h"

#include <cerrno>
#include <new>

#include <fmt/format.h>

#include "text.h"

namespace stackprint {

namespace {

std::string
demangled(const std::string &function)
{
	char text[4096];
	return stack9_demangle(function.c_str(), text, sizeof text) == 0 ?
	    text : function;
}

} // namespace

user_names::user_names(const name_options &o)
    : opt_(o)
{
}

// Addresses differ in their low bits, spaces in their middle bits.
std::size_t
user_names::hash::operator()(const key &k) const
{
	const auto space = reinterpret_cast<std::uintptr_t>(k.space);
	return (k.pc ^ (space << 13) ^ k.exact) * 0x9e3779b97f4a7c15 >> 16;
}

void
user_names::hold(stack9_space *space)
{
	if (space == last_space_ || space == nullptr)
		return;
	auto &owner = spaces_[space];
	if (owner == nullptr)
		owner.reset(stack9_space_hold(space));
	last_space_ = space;
}

const user_place &
user_names::find(stack9_space *space, std::uintptr_t pc, bool exact)
{
	hold(space);
	const auto [at, fresh] = places_.try_emplace({space, pc, exact});
	if (fresh)
		make(at->second, space, pc, exact);
	return at->second;
}

std::string
user_names::for_people(const std::string &function,
    const std::string &demangled) const
{
	return printable(opt_.raw_names ? function : demangled);
}

void
user_names::name(user_place &p, stack9_space *space, unsigned int flags)
{
	stack9_symbol sym;
	if (space == nullptr ||
	    stack9_space_name(space, p.pc, flags, &sym) != 0)
		return;
	p.function = sym.name;
	p.demangled = demangled(p.function);
	p.offset = sym.offset;
}

source
user_names::made_of(const stack9_line &line) const
{
	source s{line.function ? line.function : "", {}, {},
	    line.file ? line.file : "", {}, line.line, line.column,
	    line.inlined != 0};
	s.demangled = demangled(s.function);
	s.shown = s.function.empty() ? "??" :
	    for_people(s.function, s.demangled);
	const std::string file = opt_.addresses ? s.file : base_name(s.file);
	if (opt_.lines && !file.empty())
		s.site = line.line == 0 ? printable(file) :
		    fmt::format("{}:{}", printable(file), line.line);
	return s;
}

namespace {

struct line_list {
	const user_names	*names;
	std::vector<source>	 lines;
};

} // namespace

int
user_names::add_line(void *arg, const stack9_line *line) noexcept
{
	line_list &list = *static_cast<line_list *>(arg);
	try {
		list.lines.push_back(list.names->made_of(*line));
		return 0;
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

// The line of a frame is the line in the function that the frame names.  The
// line of an inlined function belongs to the frame that -i shows for it.
void
user_names::lines(user_place &p, stack9_space *space, unsigned int flags)
{
	if (space == nullptr || !(opt_.lines || opt_.inlines))
		return;
	line_list list{this, {}};
	if (opt_.debuginfod)
		flags |= STACK9_DEBUGINFOD;
	stack9_space_lines(space, p.pc, flags, add_line, &list);
	for (source &s : list.lines) {
		if (!s.inlined)
			p.own = std::move(s);
		else if (opt_.inlines)
			p.inlines.push_back(std::move(s));
	}
}

// A pc without a name is printed as its address in its file, which addr2line
// accepts where the symbols are.
void
user_names::make(user_place &p, stack9_space *space, std::uintptr_t pc,
    bool exact)
{
	const unsigned int flags = exact ? 0 : STACK9_RETURN_ADDRESS;
	p.pc = pc;
	p.offset = 0;
	p.own = source{};
	name(p, space, flags);
	p.where = modules_.find(space, exact ? pc : pc - 1, p.vaddr);
	if (p.vaddr != 0 && !exact)
		p.vaddr++;
	lines(p, space, flags);
	if (p.where != nullptr)
		p.file_text = p.where->name;
	if (p.known())
		p.text = fmt::format("{}+{:#x}",
		    for_people(p.function, p.demangled), p.offset);
	else if (p.vaddr != 0)
		p.file_text += fmt::format("+{:#x}", p.vaddr);
}

} // namespace stackprint
