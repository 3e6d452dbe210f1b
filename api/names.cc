// Turns addresses into frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <cerrno>
#include <charconv>
#include <new>

#include "core/seam/names.h"

namespace stack9 {
namespace {

// Reads 0xHEX after a sign, and moves past it.  0: there is none.
std::uint64_t
hex_behind(std::string_view &text, char sign) noexcept
{
	std::uint64_t value = 0;
	if (!text.starts_with(sign) || !text.substr(1).starts_with("0x"))
		return 0;
	const char *const end = text.data() + text.size();
	const auto [at, error] = std::from_chars(text.data() + 3, end, value,
	    16);
	text.remove_prefix(static_cast<std::size_t>(at - text.data()));
	return value;
}

} // namespace

void
frame_maker::begin(std::uint64_t pc, bool exact, std::uint32_t index) noexcept
{
	frame_ = {};
	frame_.kind = STACK9_FRAME_FUNCTION;
	frame_.flags = exact ? STACK9_FRAME_EXACT : 0;
	frame_.index = index;
	frame_.pc = pc;
	frame_.name = frame_.linkage = frame_.module = frame_.file = "";
	frame_.language = "";
	linkage_ = "";
}

const char *
frame_maker::readable(const char *linkage, std::string &to)
{
	if ((flags_ & STACK9_FRAMES_LINKAGE) != 0 || is_readable(linkage))
		return linkage;
	return readable_name(linkage, to) == 0 ? to.c_str() : linkage;
}

bool
frame_maker::give()
{
	frame_.linkage = linkage_;
	frame_.name = readable(linkage_, name_);
	return fn_(arg_, &frame_) != 0;
}

bool
frame_maker::of_written(const stack9_written &w)
{
	begin(0, true, w.index);
	frame_.kind = STACK9_FRAME_WRITTEN;
	frame_.flags |= STACK9_FRAME_NO_PC |
	    ((w.flags & STACK9_WRITTEN_GUESSED) != 0 ?
	    STACK9_FRAME_GUESSED : 0);
	frame_.name = frame_.linkage = w.name;
	frame_.language = w.language;
	frame_.file = w.file;
	frame_.line = w.line;
	return fn_(arg_, &frame_) != 0;
}

bool
frame_maker::of_kernel(std::uint64_t pc, bool exact, std::uint32_t index)
{
	begin(pc, exact, index);
	frame_.flags |= STACK9_FRAME_KERNEL;
	symbol_name sym;
	const int error = find_name(pc, exact ? 0 : name_return_address, sym);
	if (error == 0) {
		linkage_ = linkage_text_.assign(sym.name).c_str();
		module_name_ = sym.module;
		frame_.module = module_name_.c_str();
		frame_.offset = sym.offset;
		frame_.size = sym.size;
	} else if (error == EPERM) {
		frame_.flags |= STACK9_FRAME_HIDDEN;
	}
	return give();
}

void
frame_maker::set_linkage(std::string_view name, bool ends)
{
	// One in the buffer ends there.
	linkage_ = ends ? name.data() : linkage_text_.assign(name).c_str();
}

// The call that a return address belongs to may be the last of its mapping.
void
frame_maker::find_in(stack9_space &space, std::uint64_t pc, bool exact)
{
	const std::uint64_t behind = exact ? 0 : 1;
	if ((flags_ & STACK9_FRAMES_PLACES) == 0) {
		space_place(space, pc, !exact, linkage_text_, found_);
		set_linkage(found_.name, found_.name_ends);
		frame_.offset = found_.offset;
		frame_.size = found_.size;
	} else {
		found_.mapped = space_module(space, pc - behind,
		    found_.module) == 0;
	}
	if (found_.mapped)
		place(found_.module, behind);
}

void
frame_maker::place(const mapped_module &m, std::uint64_t behind) noexcept
{
	frame_.module = m.path;
	frame_.build_id = m.build_id;
	frame_.build_id_size = m.build_id_size;
	frame_.start = m.start;
	frame_.end = m.end;
	frame_.file_offset = m.end != 0 ? m.offset + behind : 0;
	frame_.vaddr = m.vaddr != 0 ? m.vaddr + behind : 0;
	if (m.deleted)
		frame_.flags |= STACK9_FRAME_DELETED;
}

// Gives a call that was inlined into the frame.
bool
frame_maker::give_inlined(const char *function)
{
	const stack9_frame whole = frame_;
	frame_.kind = STACK9_FRAME_INLINED;
	frame_.linkage = function;
	frame_.name = readable(function, name_);
	frame_.offset = frame_.size = 0;
	const bool ended = fn_(arg_, &frame_) != 0;
	frame_ = whole;
	return ended;
}

bool
frame_maker::give_level(const source_line &level)
{
	frame_.file = level.file;
	frame_.line = level.line;
	frame_.column = level.column;
	given_ = !level.inlined;
	return level.inlined ? give_inlined(level.function) : give();
}

int
frame_maker::take_level(void *arg, const source_line *level) noexcept
{
	auto &self = *static_cast<frame_maker *>(arg);
	try {
		self.ended_ = self.give_level(*level);
	} catch (const std::bad_alloc &) {
		self.no_memory_ = true;
	}
	return self.given_ || self.ended_ || self.no_memory_;
}

// Gives the inlined calls as they are found, and the function itself.
bool
frame_maker::give_lines(stack9_space &space, std::uint64_t pc, bool exact)
{
	given_ = ended_ = false;
	space_lines(space, pc, (exact ? 0 : name_return_address) |
	    ((flags_ & STACK9_FRAMES_DEBUGINFOD) != 0 ? name_debuginfod : 0),
	    take_level, this);
	if (no_memory_)
		throw std::bad_alloc();
	if (given_ || ended_)
		return ended_;
	frame_.file = "";
	frame_.line = frame_.column = 0;
	return give();
}

// Other frames are not asked for their rules, because another process may have
// to answer.
bool
frame_maker::could_be_signal(bool exact) const noexcept
{
	return (flags_ & STACK9_FRAMES_PLACES) == 0 && frame_.vaddr != 0 &&
	    may_end_signal(linkage_, frame_.offset, frame_.size, exact);
}

bool
frame_maker::is_signal(stack9_space &space, std::uint64_t pc, bool exact) const
    noexcept
{
	const std::uintptr_t lookup = pc - !exact;
	std::uint32_t rule;
	return could_be_signal(exact) &&
	    stack_rules(space, &lookup, 1, &rule) && is_interrupted(rule);
}

void
frame_maker::find(stack9_space &space, std::uint64_t pc, bool &exact,
    std::uint32_t index)
{
	const bool asked_exact = exact;
	begin(pc, exact, index);
	found_.lasts_in = 0;
	find_in(space, pc, exact);
	if (is_signal(space, pc, exact)) {
		frame_.flags |= STACK9_FRAME_SIGNAL;
		exact = exact || frame_.offset >= frame_.size;
		find_in(space, pc, exact);
	}
	if (is_remembered(flags_) && found_.lasts_in != 0 &&
	    (known_here != nullptr || make_known()))
		known_here->add(found_.lasts_in, asked_exact, exact,
		    found_.name, found_.name_ends, frame_);
}

bool
frame_maker::of_process(stack9_space &space, std::uint64_t pc, bool exact,
    std::uint32_t index, const known_frame *known)
{
	if (known != nullptr) {
		set_linkage({known->name, known->name_length},
		    known->name_ends);
		frame_ = frame_of(*known, pc, index, found_.module.build_id);
		exact = known->lines_exact;
	} else {
		find(space, pc, exact, index);
	}
	frame_.flags |= more_flags_;
	return gives_lines(flags_) ? give_lines(space, pc, exact) : give();
}

bool
frame_maker::of_process(stack9_space &space, std::uint64_t pc, bool exact,
    std::uint32_t index)
{
	return of_process(space, pc, exact, index, known_frame_of(space, pc,
	    exact, flags_));
}

bool
frame_maker::of_text(std::string_view text, std::uint32_t index, bool kernel)
{
	begin(0, false, index);
	frame_.flags |= STACK9_FRAME_NO_PC | (kernel ? STACK9_FRAME_KERNEL : 0);
	// A name that a JIT gave may have blanks.
	const auto offset = text.rfind("+0x");
	const auto end = kernel || offset == text.npos ?
	    text.find_first_of("+ ") : offset;
	linkage_ = linkage_text_.assign(text.substr(0, end)).c_str();
	text.remove_prefix(end == text.npos ? text.size() : end);
	frame_.offset = hex_behind(text, '+');
	frame_.size = hex_behind(text, '/');
	if (text.starts_with(" [") && text.ends_with(']')) {
		module_name_ = text.substr(2, text.size() - 3);
		frame_.module = module_name_.c_str();
	}
	return give();
}

} // namespace stack9
