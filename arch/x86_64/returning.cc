// Follows the few instructions that remove a frame on x86-64: additions to
// %rsp, pops, and the setting of the result.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/leave_frame.h"

#include <array>
#include <cstring>

namespace stack9::unwind {
namespace {

constexpr std::size_t code_max = 64;

// DWARF's numbers, in the order of the instructions' own.
constexpr std::array<int, 8> low{0, 2, 1, 3, 7, 6, 4, 5};

class follower {
public:
	follower(memory &words, const registers &from) noexcept
	    : words_(words), now_(from) {}

	bool
	run(registers &caller) noexcept
	{
		// Near the end of the code there may be fewer bytes.
		for (size_ = code_max; size_ != 0 &&
		    !words_.read(now_.pc(), code_.data(), size_);)
			size_ /= 2;
		bool returned = false;
		while (!returned)
			if (!step(returned))
				return false;
		now_.exact = false;
		caller = now_;
		return true;
	}

private:
	bool
	has(std::size_t n) const noexcept
	{
		return size_ - at_ >= n;
	}

	bool
	pop(int number) noexcept
	{
		std::uintptr_t value;
		if (number == register_sp || !words_.word(now_.sp(), value))
			return false;
		now_.set(number, value);
		now_.set(register_sp, now_.sp() + word_size);
		return true;
	}

	// add $n,%rsp
	bool
	add(std::size_t bytes) noexcept
	{
		std::int32_t n = static_cast<std::int8_t>(code_[at_ + 3]);
		if (bytes == 7)
			std::memcpy(&n, &code_[at_ + 3], sizeof n);
		if (n < 0)
			return false;
		now_.set(register_sp, now_.sp() +
		    static_cast<std::uintptr_t>(n));
		at_ += bytes;
		return true;
	}

	bool
	step(bool &returned) noexcept
	{
		const std::uint8_t *const c = &code_[at_];
		if (has(1) && c[0] == 0xc3) {
			returned = true;
			return pop(register_pc);
		}
		if (has(2) && c[0] == 0x31 && c[1] == 0xc0) {
			now_.set(0, 0);			// xor %eax,%eax
			at_ += 2;
			return true;
		}
		if (has(1) && c[0] >= 0x58 && c[0] <= 0x5f) {
			at_++;
			return pop(low[c[0] - 0x58u]);
		}
		if (has(2) && c[0] == 0x41 && c[1] >= 0x58 && c[1] <= 0x5f) {
			at_ += 2;
			return pop(c[1] - 0x58 + 8);
		}
		if (has(4) && c[0] == 0x48 && c[1] == 0x83 && c[2] == 0xc4)
			return add(4);
		return has(7) && c[0] == 0x48 && c[1] == 0x81 && c[2] == 0xc4 &&
		    add(7);
	}

	memory		&words_;
	registers	now_;
	std::array<std::uint8_t, code_max> code_{};
	std::size_t	size_ = 0, at_ = 0;
};

} // namespace

bool
leave_returning(memory &words, const registers &now, registers &caller) noexcept
{
	return !now.exact && now.knows(register_sp) &&
	    follower(words, now).run(caller);
}

} // namespace stack9::unwind
