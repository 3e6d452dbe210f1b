// Takes instructions of x86-64 apart (Intel's manual, volume 2, appendix A).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "instruction.h"

#include <cstring>

namespace stack9::unwind {
namespace {

enum class tail : std::uint8_t {
	none, byte, half, full,		// immediates; full: 16 bits by prefix
	modrm, modrm_byte, modrm_full,
	address, enter, unknown,
};

tail
tail_of(unsigned int op) noexcept
{
	if (op < 0x40)
		return (op & 7) < 4 ? tail::modrm : (op & 7) == 4 ?
		    tail::byte : (op & 7) == 5 ? tail::full : tail::unknown;
	if (op < 0x60 || (op >= 0x90 && op <= 0x9f && op != 0x9a))
		return tail::none;
	if (op >= 0x70 && op <= 0x7f)
		return tail::byte;
	if (op >= 0x84 && op <= 0x8f)
		return tail::modrm;
	if (op >= 0xa0 && op <= 0xa3)
		return tail::address;
	if (op >= 0xb0 && op <= 0xbf)
		return op < 0xb8 ? tail::byte : tail::full;
	if (op >= 0xd0 && op <= 0xdf)
		return op == 0xd7 ? tail::none : op >= 0xd4 && op <= 0xd6 ?
		    tail::unknown : tail::modrm;
	switch (op) {
	case 0x63: case 0xf6: case 0xf7: case 0xfe: case 0xff:
		return tail::modrm;
	case 0x68: case 0xa9: case 0xe8: case 0xe9:
		return tail::full;
	case 0x69: case 0x81: case 0xc7:
		return tail::modrm_full;
	case 0x6a: case 0xa8: case 0xcd: case 0xeb:
		return tail::byte;
	case 0x6b: case 0x80: case 0x83: case 0xc0: case 0xc1: case 0xc6:
		return tail::modrm_byte;
	case 0xc2:
		return tail::half;
	case 0xc8:
		return tail::enter;
	case 0xc3: case 0xc9: case 0xcc:
		return tail::none;
	}
	if ((op >= 0xa4 && op <= 0xaf) || (op >= 0xf4 && op <= 0xfd))
		return tail::none;
	return op >= 0xe0 && op <= 0xe3 ? tail::byte : tail::unknown;
}

tail
tail_of_0f(unsigned int op) noexcept
{
	if (op >= 0x80 && op <= 0x8f)
		return tail::full;
	if (op == 0x05 || op == 0x0b || (op >= 0x30 && op <= 0x37) ||
	    op == 0x77 || (op >= 0xa0 && op <= 0xa2) ||
	    (op >= 0xa8 && op <= 0xaa) || (op >= 0xc8 && op <= 0xcf))
		return tail::none;
	if ((op >= 0x70 && op <= 0x73) || op == 0xa4 || op == 0xac ||
	    op == 0xba || op == 0xc2 || (op >= 0xc4 && op <= 0xc6))
		return tail::modrm_byte;
	return op < 0x10 && op != 0x0d ? tail::unknown : tail::modrm;
}

class decoder {
public:
	decoder(std::span<const std::uint8_t> code, instruction &to) noexcept
	    : code_(code), to_(to) {}

	bool
	run() noexcept
	{
		to_ = {};
		prefixes();
		const tail t = opcode();
		if (to_.op < 0x100 && ((to_.op & 0xf0) == 0x50 ||
		    (to_.op & 0xf8) == 0xb8))
			to_.reg = static_cast<int>((to_.op & 7) | b_ << 3);
		if (t >= tail::modrm && t <= tail::modrm_full)
			modrm();
		const bool test = (to_.op == 0xf6 || to_.op == 0xf7) &&
		    to_.extension < 2;
		immediate(t, test);
		to_.length = at_;
		return !cut_ && t != tail::unknown && at_ <= instruction_max;
	}

private:
	std::uint8_t
	next() noexcept
	{
		if (at_ >= code_.size()) {
			cut_ = true;
			return 0;
		}
		return code_[at_++];
	}
	std::int64_t
	number(std::size_t bytes) noexcept
	{
		std::uint64_t all = 0;
		for (std::size_t n = 0; n < bytes; n++)
			all |= std::uint64_t{next()} << 8 * n;
		const std::size_t rest = 64 - 8 * bytes;
		return bytes == 0 ? 0 :
		    static_cast<std::int64_t>(all << rest) >> rest;
	}

	void
	prefixes() noexcept
	{
		static constexpr std::uint8_t known[] = {0x66, 0xf2, 0xf3, 0x2e,
		    0x36, 0x3e, 0x26, 0x64, 0x65, 0xf0};
		while (at_ < code_.size() && std::memchr(known, code_[at_],
		    sizeof known) != nullptr)
			narrow_ |= code_[at_++] == 0x66;
		if (at_ < code_.size() && (code_[at_] & 0xf0) == 0x40)
			rex(code_[at_++]);
	}

	void
	rex(std::uint8_t bits) noexcept
	{
		to_.w = (bits & 8) != 0;
		r_ = bits >> 2 & 1;
		x_ = bits >> 1 & 1;
		b_ = bits & 1;
	}

	tail
	opcode() noexcept
	{
		to_.op = next();
		if (to_.op == 0xc4 || to_.op == 0xc5)
			return vex();
		if (to_.op != 0x0f)
			return tail_of(to_.op);
		const unsigned int second = next();
		to_.op = 0x0f00 | second;
		if (second != 0x38 && second != 0x3a)
			return tail_of_0f(second);
		to_.op = second << 8 | next();
		return second == 0x38 ? tail::modrm : tail::modrm_byte;
	}

	tail
	vex() noexcept
	{
		to_.vex = true;
		const bool two = to_.op == 0xc5;
		const std::uint8_t first = next();
		r_ = !(first & 0x80);
		unsigned int map = 1;
		if (!two) {
			x_ = !(first & 0x40);
			b_ = !(first & 0x20);
			map = first & 0x1f;
			next();
		}
		to_.op = 0x0f00 | next();
		return map == 1 ? tail_of_0f(to_.op & 0xff) : map == 2 ?
		    tail::modrm : map == 3 ? tail::modrm_byte : tail::unknown;
	}

	void
	modrm() noexcept
	{
		const unsigned int m = next(), mod = m >> 6, of = m & 7;
		to_.has_modrm = true;
		to_.extension = static_cast<int>(m >> 3 & 7);
		to_.reg = static_cast<int>((m >> 3 & 7) | r_ << 3);
		if (mod == 3) {
			to_.rm = static_cast<int>(of | b_ << 3);
			return;
		}
		unsigned int base = of;
		bool index = false;
		if (of == 4) {
			const unsigned int sib = next();
			base = sib & 7;
			index = ((sib >> 3 & 7) | x_ << 3) != 4;
		}
		const bool no_base = mod == 0 && base == 5;
		if (!no_base && !index)
			to_.base = static_cast<int>(base | b_ << 3);
		to_.displacement = number(mod == 1 ? 1 :
		    mod == 2 || no_base ? 4 : 0);
	}

	void
	immediate(tail t, bool test) noexcept
	{
		const bool is_branch = to_.op == 0xe8 || to_.op == 0xe9 ||
		    (to_.op & 0xfff0) == 0x0f80;
		const std::size_t full = narrow_ && !is_branch ? 2 :
		    to_.w && (to_.op & 0xf8) == 0xb8 ? 8 : 4;
		if (t == tail::byte || t == tail::modrm_byte ||
		    (test && to_.op == 0xf6))
			to_.immediate = number(1);
		else if (t == tail::full || t == tail::modrm_full || test)
			to_.immediate = number(full);
		else if (t == tail::half)
			to_.immediate = number(2);
		else if (t == tail::enter)
			to_.immediate = number(3);
		else if (t == tail::address)
			to_.immediate = number(8);
	}

	std::span<const std::uint8_t> code_;
	instruction	&to_;
	std::size_t	at_ = 0;
	unsigned int	r_ = 0, x_ = 0, b_ = 0;
	bool		narrow_ = false, cut_ = false;
};

} // namespace

bool
decode(std::span<const std::uint8_t> code, instruction &to) noexcept
{
	return decoder(code, to).run();
}

} // namespace stack9::unwind
