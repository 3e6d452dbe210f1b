// Follows the code of x86-64 ahead to the return of its function.
//
// The code ahead puts the stack pointer back where the return address is, by
// amounts that are written in it, and what its caller relies on into the
// registers.  So only these are followed: moves of the stack pointer, pops, and
// loads from the stack.  A call leaves the stack
// pointer as it was.  At a branch both ways lead to a return, or to a call that
// never returns, so the way is taken that does.  A function that calls another
// one has a frame, for the stack is aligned there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/leave_frame.h"

#include <algorithm>
#include <array>

#include "instruction.h"

namespace stack9::unwind {
namespace {

constexpr int number_sp = 4, number_fp = 5;	// as in instructions
// DWARF's numbers, in the order of the instructions' own.
constexpr std::array<int, 16> dwarf{0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12,
    13, 14, 15};

bool
is_kept(int number) noexcept
{
	return number != register_sp && (kept_by_calls >> number & 1) != 0;
}

class code_ahead {
public:
	code_ahead(memory &words, const registers &from) noexcept
	    : words_(words), bottom_(from.sp()), called_(!from.exact)
	{
		ways_[ways_count_++] = from;
	}

	bool
	run(registers &caller) noexcept
	{
		while (ways_count_ > 0) {
			now_ = ways_[--ways_count_];
			while (step())
				if (returned_)
					return finish(caller);
		}
		return false;
	}

private:
	static constexpr std::size_t most_ways = 16, most_steps = 400;

	bool step() noexcept;
	bool take(const instruction &, std::uintptr_t next) noexcept;
	bool move_sp(const instruction &) noexcept;
	bool read(instruction &) noexcept;
	bool branch(std::uintptr_t to) noexcept;
	bool is_end_behind_call(std::uintptr_t at) noexcept;
	bool pop(int number) noexcept;
	bool load(int number, std::uintptr_t from) noexcept;
	bool write(const instruction &) noexcept;

	bool
	put_sp(std::uintptr_t sp) noexcept
	{
		now_.set(register_sp, sp);
		return true;
	}
	void
	forget(int number) noexcept
	{
		now_.known &= ~(std::uint64_t{1} << number);
	}

	bool
	finish(registers &caller) noexcept
	{
		std::uintptr_t pc;
		if (now_.sp() < bottom_ + (called_ ? word_size : 0) ||
		    !words_.word(now_.sp(), pc) || pc == 0)
			return false;
		for (int n = 0; n < register_count; n++)
			if (!is_kept(n))
				forget(n);
		now_.set(register_sp, now_.sp() + word_size);
		now_.set(register_pc, pc);
		now_.exact = false;
		caller = now_;
		return true;
	}

	memory		&words_;
	const std::uintptr_t bottom_;	// below it nothing is the frame's
	const bool	called_;	// another function
	registers	now_;
	std::array<registers, most_ways> ways_;
	std::size_t	ways_count_ = 0;
	std::array<std::uintptr_t, most_steps> seen_{};
	std::size_t	steps_ = 0;
	bool		returned_ = false;
	std::array<std::uint8_t, 64> code_{};
	std::uintptr_t	code_at_ = 0;
	std::size_t	code_size_ = 0;
};

bool
code_ahead::read(instruction &to) noexcept
{
	const std::uintptr_t pc = now_.pc();
	if (pc - code_at_ >= code_size_ ||
	    code_size_ - (pc - code_at_) < instruction_max) {
		// Near the end of the code there may be fewer bytes.
		for (code_size_ = code_.size(); code_size_ != 0 &&
		    !words_.read(pc, code_.data(), code_size_);)
			code_size_ /= 2;
		code_at_ = pc;
	}
	return decode(std::span<const std::uint8_t>(code_).subspan(
	    pc - code_at_, code_size_ - (pc - code_at_)), to);
}

bool
code_ahead::branch(std::uintptr_t to) noexcept
{
	if (ways_count_ == most_ways)
		return false;
	ways_[ways_count_] = now_;
	ways_[ways_count_++].set(register_pc, to);
	return true;
}

bool
code_ahead::load(int number, std::uintptr_t from) noexcept
{
	std::uintptr_t value;
	forget(number);
	// A word that is pushed on the way is not there yet.
	if (from >= bottom_ && words_.word(from, value))
		now_.set(number, value);
	return true;
}

bool
code_ahead::pop(int number) noexcept
{
	if (number == register_sp)
		return false;
	load(number, now_.sp());
	return put_sp(now_.sp() + word_size);
}

// A function ends after a call that never returns.  Then comes what fills the
// room up to the next one, or the next one.
bool
code_ahead::is_end_behind_call(std::uintptr_t at) noexcept
{
	registers before = now_;
	instruction i;
	now_.set(register_pc, at);
	const bool is = !read(i) || i.op == 0x90 ||
	    i.op == 0x0f1e ||	// endbr64
	    i.op == 0x0f1f ||	// nop of many bytes
	    i.op == 0x0f0b || i.op == 0xcc || i.op == 0xf4;
	now_ = before;
	return is;
}

// Takes an instruction that writes the stack pointer.  False: by an amount that
// is not written in it.
bool
code_ahead::move_sp(const instruction &i) noexcept
{
	const auto bytes = static_cast<std::uintptr_t>(i.immediate);
	if ((i.op == 0x81 || i.op == 0x83) && i.rm == number_sp && i.w) {
		switch (i.extension) {
		case 0:		// add
			return put_sp(now_.sp() + bytes);
		case 5:		// sub
			return put_sp(now_.sp() - bytes);
		case 7:		// cmp
			return true;
		}
		return false;
	}
	const bool from_fp = now_.knows(register_fp);
	if (i.op == 0x8d && i.reg == number_sp && i.w) {
		const auto distance = static_cast<std::uintptr_t>(
		    i.displacement);
		return i.is_at(number_sp) ? put_sp(now_.sp() + distance) :
		    i.is_at(number_fp) && from_fp &&
		    put_sp(now_.fp() + distance);
	}
	return ((i.op == 0x89 && i.reg == number_fp && i.rm == number_sp) ||
	    (i.op == 0x8b && i.reg == number_sp && i.rm == number_fp)) &&
	    i.w && from_fp && put_sp(now_.fp());
}

// Takes any other instruction, of which only the written register counts.
bool
code_ahead::write(const instruction &i) noexcept
{
	const bool sums = i.op < 0x40 && (i.op & 7) < 4;
	const bool compares = i.op >= 0x38 && i.op <= 0x3b;
	const bool to_reg = (sums && (i.op & 2) != 0 && !compares) ||
	    i.op == 0x8a || i.op == 0x8b || i.op == 0x8d || i.op == 0x63 ||
	    i.op == 0x69 || i.op == 0x6b || (i.op & 0xfff0) == 0x0f40 ||
	    i.op == 0x0faf || i.op == 0x0fb6 || i.op == 0x0fb7 ||
	    i.op == 0x0fbc || i.op == 0x0fbd || i.op == 0x0fbe ||
	    i.op == 0x0fbf;
	const bool to_rm = (sums && (i.op & 2) == 0 && !compares) ||
	    ((i.op == 0x80 || i.op == 0x81 || i.op == 0x83) &&
	    i.extension != 7) || i.op == 0x88 || i.op == 0x89 ||
	    i.op == 0xc0 || i.op == 0xc1 || i.op == 0xc6 || i.op == 0xc7 ||
	    (i.op >= 0xd0 && i.op <= 0xd3) || (i.op == 0xf7 &&
	    (i.extension == 2 || i.extension == 3)) ||
	    (i.op == 0xff && i.extension < 2) ||
	    (i.op & 0xfff0) == 0x0f90 || i.op == 0x0fb1 || i.op == 0x0fc1;
	const bool in_op = i.op >= 0xb0 && i.op <= 0xbf;
	const int written = i.vex ? instruction::none : to_reg || in_op ?
	    i.reg : to_rm ? i.rm : instruction::none;
	if (written == number_sp || (!i.vex && (i.op == 0x86 || i.op == 0x87) &&
	    (i.reg == number_sp || i.rm == number_sp)))
		return move_sp(i);
	if (i.op == 0x8b && i.w && i.is_at(number_sp))
		return load(dwarf[static_cast<std::size_t>(i.reg)], now_.sp() +
		    static_cast<std::uintptr_t>(i.displacement));
	if (written != instruction::none)
		forget(dwarf[static_cast<std::size_t>(written)]);
	return true;
}

bool
code_ahead::take(const instruction &i, std::uintptr_t next) noexcept
{
	const std::uintptr_t target = next +
	    static_cast<std::uintptr_t>(i.immediate);
	const bool indirect = i.op == 0xff && i.extension >= 2;
	now_.set(register_pc, next);
	if (i.op == 0xc3 || i.op == 0xc2 || (indirect && i.extension == 4 &&
	    i.rm == instruction::none && i.base == instruction::none)) {
		returned_ = true;	// or the next function returns for it
		return true;
	}
	if (i.op == 0xe8 || (indirect && i.extension == 2))
		return !is_end_behind_call(next);
	if (i.op == 0xe9 || i.op == 0xeb) {
		now_.set(register_pc, target);
		return true;
	}
	if ((i.op & 0xf0) == 0x70 || (i.op & 0xfff0) == 0x0f80 ||
	    (i.op >= 0xe0 && i.op <= 0xe3))
		return branch(target);
	if (i.op >= 0x50 && i.op <= 0x57)
		return put_sp(now_.sp() - word_size);
	if (i.op == 0x68 || i.op == 0x6a || (indirect && i.extension == 6))
		return put_sp(now_.sp() - word_size);
	if (i.op >= 0x58 && i.op <= 0x5f)
		return pop(dwarf[static_cast<std::size_t>(i.reg)]);
	if (i.op == 0xc9)		// leave
		return now_.knows(register_fp) && put_sp(now_.fp()) &&
		    pop(register_fp);
	const bool ends = i.op == 0xcc || i.op == 0xf4 || i.op == 0x0f0b ||
	    i.op == 0xc8 || i.op == 0x94 || i.op == 0x8f || i.op == 0x9c ||
	    i.op == 0x9d ||
	    i.op == 0xcd || indirect;
	return !ends && write(i);
}

bool
code_ahead::step() noexcept
{
	const std::uintptr_t pc = now_.pc();
	instruction i;
	if (steps_ == most_steps || std::find(seen_.begin(),
	    seen_.begin() + static_cast<std::ptrdiff_t>(steps_), pc) !=
	    seen_.begin() + static_cast<std::ptrdiff_t>(steps_))
		return false;
	seen_[steps_++] = pc;
	return read(i) && take(i, pc + i.length);
}

} // namespace

bool
leave_by_code(memory &words, const registers &now, registers &caller) noexcept
{
	return now.knows(register_sp) && code_ahead(words, now).run(caller);
}

} // namespace stack9::unwind
