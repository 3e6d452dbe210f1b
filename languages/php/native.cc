// Walks the native stack of a thread that runs PHP.
//
// Where the compiler has registers for it, execute_ex() keeps the innermost
// zend_execute_data in r14.  It saves the caller's r14 by a store of its own,
// of which the unwind information says nothing.  Made code runs on the native
// frame of execute_ex(), where there is room for it, and does not move the
// stack pointer.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "native.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "unwind/full.h"

namespace stack9::languages::php {
namespace {

using unwind::outcome, unwind::registers;

constexpr int frame_register = 14;

bool
is_loop(std::uint64_t pc, const loaded &where, const places &p)
{
	const auto is_in = [&](const found_symbol &s) {
		return s.vaddr != 0 && pc - where.bias - s.vaddr < s.size;
	};
	return is_in(p.loop) || is_in(p.cold_loop);
}

registers
registers_of(const user_copy &copy) noexcept
{
	registers r;
	for (int n = 0; n < unwind::register_count; n++)
		if ((copy.known >> n & 1) != 0)
			r.set(n, copy.value[static_cast<std::size_t>(n)]);
	r.exact = true;
	return r;
}

// Says where execute_ex() saves its caller's r14.
struct saved_place {
	bool		is_known = false, by_fp = false;
	std::int32_t	offset = 0;
};

// Reads "mov %r14,n(%rsp)" or "mov %r14,n(%rbp)" among the first instructions.
saved_place
find_saved(unwind::memory &m, std::uint64_t begin)
{
	std::array<std::uint8_t, 192> code;
	if (!m.read(begin, code.data(), code.size()))
		return {};
	for (std::size_t i = 0; i + 8 <= code.size(); i++) {
		const std::uint8_t *const c = &code[i];
		saved_place to{true, false, 0};
		if (c[0] != 0x4c || c[1] != 0x89)
			continue;
		if (c[2] == 0x34 && c[3] == 0x24)
			return to;
		const bool by_sp = (c[2] == 0x74 || c[2] == 0xb4) &&
		    c[3] == 0x24;
		to.by_fp = c[2] == 0x75 || c[2] == 0xb5;
		if (!by_sp && !to.by_fp)
			continue;
		const std::uint8_t *const n = c + (by_sp ? 4 : 3);
		if ((c[2] & 0x40) != 0)
			to.offset = static_cast<std::int8_t>(*n);
		else
			std::memcpy(&to.offset, n, sizeof to.offset);
		return to;
	}
	return {};
}

class walker {
public:
	walker(const question &q, const loaded &where, const places &p,
	    const std::vector<frame> &frames)
	    : q_(q), where_(where), places_(p), now_(registers_of(q.copy)),
	    saved_(find_saved(q.words, p.loop.vaddr + where.bias))
	{
		for (const frame &f : frames)
			known_.push_back(f.at);
		std::sort(known_.begin(), known_.end());
	}

	bool run(std::vector<loop_call> &);

private:
	bool is_known(std::uint64_t frame) const;
	bool is_left() const;
	bool calls_loop(std::uint64_t pc);
	outcome leave_loop();
	outcome leave_made();
	outcome walk(std::vector<std::uintptr_t> &pcs,
	    std::vector<loop_call> &);

	const question		&q_;
	const loaded		&where_;
	const places		&places_;
	std::vector<std::uint64_t> known_;
	registers		now_;
	const saved_place	saved_;
	unwind::row		row_;
	bool			was_made_ = false;
};

bool
walker::is_known(std::uint64_t frame) const
{
	return std::binary_search(known_.begin(), known_.end(), frame);
}

// A frame that is left is out of the chain when what it had is destroyed.  It
// was the last one of its call of the loop if that entered it.  A frame without
// a function may follow it: that is in the chain for others.
bool
walker::is_left() const
{
	frame f{};
	std::uint64_t previous;
	if (!saved_.is_known || !now_.knows(frame_register))
		return false;
	const std::uint64_t at = now_.value[frame_register];
	if (is_known(at) || !q_.words.read(at + frame_type, &f.type,
	    sizeof f.type) || !f.is_top() ||
	    !q_.words.word(at + frame_previous, previous))
		return false;
	return is_known(previous) || (q_.words.word(previous + frame_function,
	    f.function) && f.function == 0 && q_.words.word(previous +
	    frame_previous, previous) && is_known(previous));
}

// Returns true if a return address is in a function that calls execute_ex().
bool
walker::calls_loop(std::uint64_t pc)
{
	unwind::row r;
	if (q_.code.row_of(pc - 1, r) != unwind::found::yes)
		return false;
	for (const found_symbol &s : places_.loop_callers)
		if (s.vaddr != 0 && r.begin == s.vaddr + where_.bias)
			return true;
	return false;
}

// Leaves a call of the loop, by the row of its code.
outcome
walker::leave_loop()
{
	std::uint64_t callers;
	const bool knows = saved_.is_known && (!saved_.by_fp ||
	    now_.knows(unwind::register_fp));
	const std::uint64_t saved = (saved_.by_fp ? now_.fp() : now_.sp()) +
	    static_cast<std::uint64_t>(std::int64_t{saved_.offset});
	const outcome how = full_step(row_, q_.words, now_);
	if (how == outcome::stepped) {
		now_.known &= ~(std::uint64_t{1} << frame_register);
		if (knows && q_.words.word(saved, callers))
			now_.set(frame_register, callers);
	}
	return how;
}

// Leaves JIT code.  It has the row that most of the loop has.  Stubs that save
// all registers have moved the stack pointer, and the code may have used the
// frame pointer: the end of the frame is then found by what called the loop.
outcome
walker::leave_made()
{
	constexpr std::uint64_t farthest = 2048, word = unwind::word_size;
	if (q_.code.row_of(places_.loop.vaddr + where_.bias +
	    places_.loop.size / 2, row_) != unwind::found::yes ||
	    row_.cfa_register < 0 || !now_.knows(unwind::register_sp))
		return outcome::no_info;
	const registers before = now_;
	if (leave_loop() == outcome::stepped && calls_loop(now_.pc()))
		return outcome::stepped;
	for (std::uint64_t at = word; at < farthest; at += word) {
		std::uint64_t pc;
		now_ = before;
		if (!q_.words.word(now_.sp() + at, pc))
			break;
		if (!calls_loop(pc))
			continue;
		now_.set(row_.cfa_register, before.sp() + at + word -
		    static_cast<std::uint64_t>(row_.cfa_offset));
		if (leave_loop() == outcome::stepped && now_.pc() == pc)
			return outcome::stepped;
	}
	now_ = before;
	return outcome::no_info;
}

// Walks to the outermost frame, or to code that no unwind information
// describes.
outcome
walker::walk(std::vector<std::uintptr_t> &pcs, std::vector<loop_call> &loops)
{
	for (outcome how = outcome::stepped; how == outcome::stepped; ) {
		const std::uint64_t pc = now_.lookup();
		const loop_call call{static_cast<std::uint32_t>(pcs.size()),
		    is_left()};
		if (pcs.size() == q_.native.max)
			return outcome::limit;
		pcs.push_back(now_.pc());
		const auto there = q_.code.row_of(pc, row_);
		if (there == unwind::found::malformed)
			return outcome::malformed;
		const bool is_described = there == unwind::found::yes;
		const bool runs = is_loop(pc, where_, places_);
		how = !is_described ? leave_made() : runs ? leave_loop() :
		    full_step(row_, q_.words, now_);
		if (how != outcome::stepped)
			return how;
		was_made_ |= !is_described;
		if (runs || !is_described)
			loops.push_back(call);
	}
	return outcome::no_info;
}

bool
walker::run(std::vector<loop_call> &loops)
{
	stack_record &to = q_.native;
	std::vector<std::uintptr_t> pcs;
	std::vector<loop_call> found;
	const outcome how = walk(pcs, found);
	const bool is_bottom = how == outcome::no_info &&
	    q_.code.covers(pcs.back());
	if (was_made_ ? how != outcome::end && !is_bottom :
	    pcs.size() != to.depth)
		return false;
	if (was_made_) {
		std::copy(pcs.begin(), pcs.end(), to.pcs);
		to.depth = static_cast<std::uint32_t>(pcs.size());
		to.dropped = 0;
		to.flags &= ~STACK9_STACK_GUESSED;
	}
	if (was_made_ && !is_bottom) {
		to.why = STACK9_WHY_NONE;
		to.reason = nullptr;
	}
	loops = found;
	return true;
}

} // namespace

std::vector<loop_call>
find_loops(const question &q, const loaded &where, const places &p)
{
	std::vector<loop_call> all;
	for (std::uint32_t i = 0; i < q.native.depth; i++)
		if (is_loop(q.native.pcs[i] - (i > 0), where, p))
			all.push_back({i});
	return all;
}

bool
walk_again(const question &q, const loaded &where, const places &p,
    const std::vector<frame> &frames, std::vector<loop_call> &loops)
{
	return !frames.empty() && walker(q, where, p, frames).run(loops);
}

} // namespace stack9::languages::php
