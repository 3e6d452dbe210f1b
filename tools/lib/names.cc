// Asks for each name once and keeps it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <fmt/format.h>

#include "text.h"
#include "tools/model/from_library.h"

namespace tools {

struct names::making {
	names		&all;
	std::vector<frame> inlined;
	frame		 own;
	bool		 no_memory = false;
};

// Addresses differ in their low bits, processes in their middle bits.
std::size_t
names::hash::operator()(const key &k) const
{
	const auto process = reinterpret_cast<std::uintptr_t>(k.process);
	return (k.pc ^ (process << 13) ^ k.exact) * 0x9e3779b97f4a7c15 >> 16;
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
names::at(const stack &s, std::uint32_t i, bool exact)
{
	const std::uint64_t pc = s.pcs[i];
	const auto [at, fresh] = places_.try_emplace({s.process, pc, exact});
	if (fresh) {
		hold(s.space);
		make(at->second, s.space, pc, exact);
	}
	return at->second;
}

bool
names::was_interrupted(const stack &s, std::uint32_t i)
{
	return i > 0 && s.side == STACK9_USER &&
	    (at(s, i - 1, is_exact(s, i - 1)).own().flags & frame_signal) != 0;
}

const place &
names::find(const stack &s, std::uint32_t i)
{
	return at(s, i, is_exact(s, i) || was_interrupted(s, i));
}

const place &
names::written(const stack9_written &w)
{
	written_key_ = fmt::format("{}\n{}\n{}\n{}\n{}", w.language, w.file,
	    w.line, w.flags & STACK9_WRITTEN_GUESSED, w.name);
	const auto [known, fresh] = written_.try_emplace(written_key_);
	place &p = known->second;
	if (!fresh)
		return p;
	frame f{};
	f.kind = frame_kind::language;
	f.flags = (w.flags & STACK9_WRITTEN_GUESSED) != 0 ? frame_guessed : 0;
	f.name = w.name;
	f.language = w.language;
	f.file = w.file;
	f.line = w.line;
	p.frames.push_back(std::move(f));
	show(p, nullptr);
	return p;
}

void
names::of_stack(const stack &s, std::vector<const place *> &to)
{
	auto w = s.written.begin();
	const std::uint32_t depth = s.depth();
	to.clear();
	for (std::uint32_t i = 0; i <= depth; i++) {
		bool runs = false;
		for (; w != s.written.end() && w->index <= i; ++w) {
			runs |= (w->flags & STACK9_WRITTEN_REPLACES) != 0;
			to.push_back(&written(*w));
		}
		if (i != depth && (!runs || opt_.addresses))
			to.push_back(&find(s, i));
	}
}

void
names::remember(const void *process, std::uint64_t pc, bool exact, frame &&f)
{
	const auto [at, fresh] = places_.try_emplace({process, pc, exact});
	if (!fresh)
		return;
	at->second.pc = pc;
	at->second.exact = exact;
	at->second.frames.push_back(std::move(f));
	show(at->second, process);
}

void
names::ask(const stack &s)
{
	for (std::uint32_t i = 0; i < s.pcs.size(); i++)
		find(s, i);
}

place::shown
names::shown(const frame &f) const
{
	const std::string &name = opt_.raw_names ? linkage_of(f) : f.name;
	return {name.empty() ? "??" : printable(name), opt_.lines ||
	    f.kind == frame_kind::language ?
	    printable(site_of(f, opt_.addresses)) : std::string()};
}

// A pc without a name is printed as its address in its file: addr2line accepts
// that where the symbols are.
void
names::show(place &p, const void *process)
{
	for (const frame &f : p.frames)
		p.as_shown.push_back(shown(f));
	const frame &own = p.own();
	if (own.kind == frame_kind::language) {
		p.text = p.as_shown.back().name;
		p.file_text = printable(own.language);
		return;
	}
	if (p.known())
		p.text = fmt::format("{}+{:#x}", p.as_shown.back().name,
		    own.offset);
	if (own.kind == frame_kind::kernel) {
		if (p.known() && !kernel_module(own).empty())
			p.text += fmt::format("  [{}]",
			    printable(own.module));
		return;
	}
	p.where = modules_.find(process, own, p.pc);
	if (p.where != nullptr)
		p.file_text = p.where->name + deleted_mark(own);
	if (!p.known() && (own.flags & frame_in_file) != 0)
		p.file_text += fmt::format("+{:#x}", own.address);
}

// The line of a frame is the line in the function that the frame names.  The
// line of an inlined function belongs to the frame that -I shows for it.  The
// function comes after what is inlined in it.
int
names::add_frame(void *arg, const stack9_frame *f) noexcept
{
	making &m = *static_cast<making *>(arg);
	const bool inlined = f->kind == STACK9_FRAME_INLINED;
	try {
		if (inlined && !m.all.opt_.inlines)
			return 0;
		m.all.hidden_ |= (f->flags & STACK9_FRAME_HIDDEN) != 0;
		frame made = from_library(*f);
		if (!m.all.opt_.lines)
			drop_source(made);
		if (inlined)
			m.inlined.push_back(std::move(made));
		else
			m.own = std::move(made);
		return 0;
	} catch (const std::bad_alloc &) {
		m.no_memory = true;
		return 1;
	}
}

void
names::make(place &p, stack9_space *space, std::uint64_t pc, bool exact)
{
	making m{*this, {}, {}};
	m.own.address = pc;
	p.pc = pc;
	p.exact = exact;
	const unsigned int flags = (exact ? 0 : STACK9_FRAMES_RETURN) |
	    (opt_.lines || opt_.inlines ? STACK9_FRAMES_LINES : 0) |
	    (opt_.debuginfod ? STACK9_FRAMES_DEBUGINFOD : 0);
	stack9_frame_at(space, pc, flags, add_frame, &m);
	if (m.no_memory)
		throw std::bad_alloc();
	for (frame &in : m.inlined)
		p.frames.push_back(inlined_in(m.own, std::move(in)));
	p.frames.push_back(std::move(m.own));
	show(p, space);
}

} // namespace tools
