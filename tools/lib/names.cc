// Asks for each name once and keeps it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <fmt/format.h>

#include "text.h"

namespace tools {

struct names::making {
	names		&all;
	place		&to;
	stack9_space	*space;
	bool		 no_memory = false;
};

// Addresses differ in their low bits, spaces in their middle bits.
std::size_t
names::hash::operator()(const key &k) const
{
	const auto space = reinterpret_cast<std::uintptr_t>(k.space);
	return (k.pc ^ (space << 13) ^ k.exact) * 0x9e3779b97f4a7c15 >> 16;
}

void
names::hold(stack9_space *space)
{
	if (space == last_space_ || space == nullptr)
		return;
	auto &owner = spaces_[space];
	if (owner == nullptr)
		owner.reset(stack9_space_hold(space));
	last_space_ = space;
}

const place &
names::at(stack9_space *space, std::uint64_t pc, bool exact)
{
	const auto [at, fresh] = places_.try_emplace({space, pc, exact});
	if (fresh) {
		hold(space);
		make(at->second, space, pc, exact);
	}
	return at->second;
}

bool
names::was_interrupted(const stack9_stack &s, std::uint32_t i)
{
	return i > 0 && s.side == STACK9_USER &&
	    at(s.space, s.pcs[i - 1], is_exact(s, i - 1)).signal;
}

const place &
names::find(const stack9_stack &s, std::uint32_t i)
{
	return at(s.space, s.pcs[i], is_exact(s, i) || was_interrupted(s, i));
}

void
names::remember(stack9_space *space, const stack9_frame &f, bool exact)
{
	const auto [at, fresh] = places_.try_emplace({space, f.pc, exact});
	if (!fresh)
		return;
	at->second.pc = f.pc;
	at->second.exact = exact;
	fill_in(at->second, space, f);
}

void
names::ask(const stack9_stack &s)
{
	for (std::uint32_t i = 0; s.pcs != nullptr && i < s.depth; i++)
		find(s, i);
}

source
names::source_of(const stack9_frame &f) const
{
	source s{f.linkage, f.name, {}, f.file, {}, f.line, f.column};
	s.shown = s.function.empty() ? "??" :
	    printable(opt_.raw_names ? s.function : s.demangled);
	const std::string file = opt_.addresses ? s.file : base_name(s.file);
	if (opt_.lines && !file.empty())
		s.site = f.line == 0 ? printable(file) :
		    fmt::format("{}:{}", printable(file), f.line);
	return s;
}

// A pc without a name is printed as its address in its file, which addr2line
// accepts where the symbols are.  Functions of the kernel are not demangled.
void
names::fill_in(place &p, stack9_space *space, const stack9_frame &f)
{
	const bool kernel = (f.flags & STACK9_FRAME_KERNEL) != 0;
	hidden_ |= (f.flags & STACK9_FRAME_HIDDEN) != 0;
	p.signal = (f.flags & STACK9_FRAME_SIGNAL) != 0;
	p.function = f.linkage;
	p.demangled = kernel ? f.linkage : f.name;
	p.offset = f.offset;
	p.vaddr = f.vaddr;
	p.own = source_of(f);
	if (p.known())
		p.text = fmt::format("{}+{:#x}", printable(opt_.raw_names ?
		    p.function : p.demangled), p.offset);
	if (kernel) {
		p.module = f.module;
		if (p.known() && !p.module.empty())
			p.text += fmt::format("  [{}]", printable(p.module));
		return;
	}
	p.where = modules_.find(space, f);
	if (p.where != nullptr)
		p.file_text = p.where->name;
	if (p.where != nullptr && p.where->deleted &&
	    is_in_directory(p.where->path))
		p.file_text += " (deleted)";
	if (!p.known() && p.vaddr != 0)
		p.file_text += fmt::format("+{:#x}", p.vaddr);
}

// The line of a frame is the line in the function that the frame names.  The
// line of an inlined function belongs to the frame that -I shows for it.
int
names::add_frame(void *arg, const stack9_frame *f) noexcept
{
	making &m = *static_cast<making *>(arg);
	try {
		if (f->kind != STACK9_FRAME_INLINED)
			m.all.fill_in(m.to, m.space, *f);
		else if (m.all.opt_.inlines)
			m.to.inlines.push_back(m.all.source_of(*f));
		return 0;
	} catch (const std::bad_alloc &) {
		m.no_memory = true;
		return 1;
	}
}

void
names::make(place &p, stack9_space *space, std::uint64_t pc, bool exact)
{
	making m{*this, p, space};
	p.pc = pc;
	p.exact = exact;
	const unsigned int flags = (exact ? 0 : STACK9_FRAMES_RETURN) |
	    (opt_.lines || opt_.inlines ? STACK9_FRAMES_LINES : 0) |
	    (opt_.debuginfod ? STACK9_FRAMES_DEBUGINFOD : 0);
	stack9_frame_at(space, pc, flags, add_frame, &m);
	if (m.no_memory)
		throw std::bad_alloc();
}

} // namespace tools
