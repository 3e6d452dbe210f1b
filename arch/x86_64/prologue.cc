// Follows the first instructions of a function on x86-64, from push %rbp and
// mov %rsp,%rbp on, and adds up how far they move the stack pointer.  Compilers
// put other instructions between them, so the lengths of the common ones are
// known here.  One that is not known ends the search, as does one that moves
// the stack pointer by an amount that is not written in it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/prologue.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

namespace stack9::unwind {
namespace {

constexpr std::size_t prologue_max = 160;	// bytes of a prologue
constexpr int rsp = 4, rbp = 5, memory_operand = -1;	// as in ModRM

// The instructions with a ModRM byte: without an immediate, with one of a byte,
// and with one of 32 bits, or 16 by prefix.
enum class shape : std::uint8_t { unknown, modrm, modrm8, modrm32 };

shape
shape_of(std::uint8_t op) noexcept
{
	if (op < 0x40 && (op & 7) < 4)
		return shape::modrm;	// add to cmp
	switch (op) {
	case 0x63:
	case 0x84:
	case 0x85:
	case 0x88:
	case 0x89:
	case 0x8a:
	case 0x8b:
	case 0x8d:
		return shape::modrm;
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xc0:
	case 0xc1:
	case 0xc6:
		return shape::modrm8;
	case 0x69:
	case 0x81:
	case 0xc7:
		return shape::modrm32;
	default:
		return shape::unknown;
	}
}

// Does the same for the second byte of 0f's.
shape
shape_of_0f(std::uint8_t op) noexcept
{
	if ((op >= 0x10 && op <= 0x1f) || (op >= 0x28 && op <= 0x2f) ||
	    (op >= 0x40 && op <= 0x6f) || (op >= 0x74 && op <= 0x76) ||
	    op == 0x7e || op == 0x7f || (op >= 0x90 && op <= 0x9f) ||
	    op == 0xaf || op == 0xb6 || op == 0xb7 || op == 0xbe ||
	    op == 0xbf || op >= 0xd0)
		return shape::modrm;
	return op == 0x70 || op == 0xc6 ? shape::modrm8 : shape::unknown;
}

struct modrm_instruction {
	std::uint8_t	op;
	std::uint8_t	extension;	// of the opcode, with an immediate
	int		reg, rm;	// rm: memory_operand perhaps
	std::int32_t	immediate;
};

class prologue {
public:
	bool
	run(memory &words, std::uintptr_t begin, std::size_t size) noexcept
	{
		size_ = std::min(size, prologue_max);
		if (!words.read(begin, code_.data(), size_))
			return false;
		while (at_ < size_ && step())
			;
		return sets_ && !lost_;
	}
	// Gives the bytes from the stack pointer to the frame pointer.
	std::size_t room() const noexcept { return room_; }

private:
	bool step() noexcept;
	bool plain(std::size_t at, bool w, bool narrow) noexcept;
	bool with_modrm(std::size_t at, std::uint8_t op, shape, bool r, bool b,
	    bool narrow) noexcept;
	bool take(const modrm_instruction &) noexcept;

	bool
	push() noexcept
	{
		room_ += word_size;
		return true;
	}

	bool
	lose() noexcept
	{
		lost_ = true;
		return false;
	}

	std::array<std::uint8_t, prologue_max + 16> code_{};
	std::size_t	size_ = 0, at_ = 0;
	std::size_t	room_ = 0;
	bool		sets_ = false;	// the frame pointer
	bool		lost_ = false;
};

// Takes what an instruction with a ModRM byte does to %rsp and %rbp.
bool
prologue::take(const modrm_instruction &i) noexcept
{
	const std::uint8_t op = i.op;
	if ((op == 0x89 && i.reg == rsp && i.rm == rbp) ||
	    (op == 0x8b && i.reg == rbp && i.rm == rsp)) {
		sets_ = true;		// mov %rsp,%rbp, in both encodings
		room_ = 0;
		return true;
	}
	if ((op == 0x81 || op == 0x83) && i.rm == rsp) {
		const std::int64_t n = i.immediate;
		if (i.extension == 5)	// sub
			room_ += static_cast<std::size_t>(n);
		else if (i.extension == 0)	// add, of -128 perhaps
			room_ -= static_cast<std::size_t>(n);
		return i.extension == 5 || i.extension == 0 ||
		    i.extension == 7 || lose();
	}
	const bool writes_rm = op == 0x89 || (op < 0x38 && (op & 7) == 1);
	const bool writes_reg = op == 0x8b || op == 0x8d ||
	    (op < 0x38 && (op & 7) == 3);
	const int written = writes_rm ? i.rm : writes_reg ? i.reg :
	    memory_operand;
	if (written == rsp || (sets_ && written == rbp))
		return lose();
	return true;
}

bool
prologue::with_modrm(std::size_t at, std::uint8_t op, shape what, bool r,
    bool b, bool narrow) noexcept
{
	const std::uint8_t modrm = code_[at];
	const std::uint8_t mod = modrm >> 6, of = modrm & 7;
	std::size_t end = at + 1;
	if (mod != 3 && of == 4)
		end++;
	if (mod == 1)
		end += 1;
	else if (mod == 2 || (mod == 0 && (of == 5 ||
	    (of == 4 && (code_[at + 1] & 7) == 5))))
		end += 4;
	std::int32_t n = 0;
	if (what == shape::modrm8) {
		n = static_cast<std::int8_t>(code_[end]);
		end += 1;
	} else if (what == shape::modrm32) {
		std::memcpy(&n, &code_[end], sizeof n);
		end += narrow ? 2 : 4;
	}
	at_ = end;
	const int extension = modrm >> 3 & 7;
	return take({op, static_cast<std::uint8_t>(extension),
	    extension | r << 3, mod == 3 ? of | b << 3 : memory_operand, n});
}

// Takes an instruction without ModRM: at is after its opcode.
bool
prologue::plain(std::size_t at, bool w, bool narrow) noexcept
{
	const std::uint8_t op = code_[at - 1];
	const std::size_t immediate = narrow ? 2 : 4;
	at_ = at;
	if (op >= 0x50 && op <= 0x57)
		return push();
	if (op == 0x90 || op == 0x98 || op == 0x99)
		return true;
	if (op >= 0xb0 && op <= 0xb7)
		at_ += 1;
	else if (op >= 0xb8 && op <= 0xbf)
		at_ += w ? 8 : immediate;
	else if (op < 0x40 && (op & 7) == 4)
		at_ += 1;
	else if (op < 0x40 && (op & 7) == 5)
		at_ += immediate;
	else if (op == 0xa8)
		at_ += 1;
	else if (op == 0xa9)
		at_ += immediate;
	else
		return false;
	return true;
}

// Takes one instruction.  False: it is a jump or a call, or it is not known.
bool
prologue::step() noexcept
{
	constexpr std::uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	if (std::memcmp(&code_[at_], endbr64, sizeof endbr64) == 0) {
		at_ += sizeof endbr64;
		return true;
	}
	std::size_t at = at_;
	bool narrow = false, w = false, r = false, b = false;
	for (; code_[at] == 0x66 || code_[at] == 0xf2 || code_[at] == 0xf3 ||
	    code_[at] == 0x64 || code_[at] == 0x2e; at++)
		narrow |= code_[at] == 0x66;
	if (code_[at] >= 0x40 && code_[at] <= 0x4f) {
		w = (code_[at] & 8) != 0;
		r = (code_[at] & 4) != 0;
		b = (code_[at] & 1) != 0;
		at++;
	}
	const std::uint8_t op = code_[at++];
	if (at >= size_)
		return false;
	if (op == 0x0f) {
		const shape what = shape_of_0f(code_[at]);
		return what != shape::unknown && with_modrm(at + 1, 0x0f, what,
		    r, b, narrow);
	}
	const shape what = shape_of(op);
	return what != shape::unknown ? with_modrm(at, op, what, r, b, narrow) :
	    plain(at, w, narrow);
}

} // namespace

bool
fp_by_prologue(memory &words, std::uintptr_t begin, std::uintptr_t call,
    std::uintptr_t sp, std::uintptr_t &fp) noexcept
{
	prologue first;
	if (call <= begin || !first.run(words, begin, call - begin))
		return false;
	fp = sp + first.room();
	return true;
}

std::size_t
bytes_of_arguments(memory &words, std::uintptr_t pc) noexcept
{
	constexpr std::uint8_t add_sp[] = {0x48, 0x83, 0xc4};
	std::uint8_t code[sizeof add_sp + 1];
	return words.read(pc, code, sizeof code) &&
	    std::equal(add_sp, std::end(add_sp), code) &&
	    code[sizeof add_sp] < 0x80 ? code[sizeof add_sp] : 0;
}

} // namespace stack9::unwind
