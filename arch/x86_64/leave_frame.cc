// Recognises the functions that HotSpot's compilers make on x86-64.  They begin
// and end so, those that need not touch the stack ahead as in the second line:
//	mov %eax,-n(%rsp); push %rbp; sub $size,%rsp
//	sub $size,%rsp; mov %rbp,size-8(%rsp)
//	add $size,%rsp; pop %rbp; cmp n(%r15),%rsp; ja ...; ret
// In between the stack pointer does not move, and %rbp may hold any value.
// If nobody is to call the function any more, its first five bytes are a jump.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/leave_frame.h"

#include <cstring>

namespace stack9::unwind {
namespace {

// So far back a function's beginning is looked for, a page at a time.
constexpr std::size_t part = 4096, parts = 5;
constexpr std::size_t beginning_max = 7 + 1 + 7;	// of a beginning
constexpr std::size_t end_max = 7 + 1 + 7 + 6;	// of an end, up to ret

// A function's beginning: from the CFA to sp, and the instructions after which
// sp is there, and the frame pointer saved.
struct beginning {
	std::uintptr_t	at = 0;
	std::size_t	frame = 0;
	std::size_t	to_push = 0;	// 0: it has no push
	std::size_t	to_save = 0;	// mov of the frame pointer, or sub
};

struct moved {
	std::size_t	bytes = 0;	// 0: it is another instruction
	std::size_t	length = 0;
};

// Reads "48 83 operation imm8" or "48 81 operation imm32" for rsp.
moved
move_of_sp(const std::uint8_t *code, std::uint8_t operation) noexcept
{
	constexpr std::uint32_t most = 1 << 20;
	std::uint32_t bytes = code[3];
	if (code[0] != 0x48 || code[2] != operation ||
	    (code[1] != 0x83 && code[1] != 0x81))
		return {};
	if (code[1] == 0x81)
		std::memcpy(&bytes, code + 3, sizeof bytes);
	else if (bytes >= 0x80)
		return {};
	if (bytes % word_size != 0 || bytes > most)
		return {};
	return {bytes, code[1] == 0x81 ? 7u : 4u};
}

constexpr std::uint8_t save[] = {0x48, 0x89, 0x6c, 0x24};
constexpr std::uint8_t save_at_sp[] = {0x48, 0x89, 0x2c, 0x24};
constexpr std::uint8_t jump = 0xe9;

// Finds the size in "sub $size,%rsp" with 32 bits.  The instruction begins a
// function, or did before a jump was written there: then the place where the
// frame pointer is saved gives the size.
moved
first_move_of_sp(const std::uint8_t *code) noexcept
{
	constexpr std::uint8_t sub = 0xec;
	constexpr std::size_t length = 7;
	const std::uint8_t *const next = code + length;
	if (code[0] != jump || code[length - 2] != 0 || code[length - 1] != 0)
		return move_of_sp(code, sub);
	if (std::memcmp(next, save_at_sp, sizeof save_at_sp) == 0)
		return {word_size, length};
	if (std::memcmp(next, save, sizeof save) == 0 &&
	    next[4] % word_size == 0)
		return {next[4] + word_size, length};
	return {};
}

bool
is_beginning(const std::uint8_t *code, beginning &to) noexcept
{
	constexpr std::uint8_t push_rbp = 0x55, sub = 0xec;
	constexpr std::size_t touch = 7;
	const bool touches = code[0] == 0x89 && code[1] == 0x84 &&
	    code[2] == 0x24;
	if ((touches || code[0] == jump) && code[6] == 0xff &&
	    code[touch] == push_rbp) {
		const moved m = move_of_sp(code + touch + 1, sub);
		to.frame = m.bytes + 2 * word_size;
		to.to_push = touch;
		to.to_save = touch + 1;
		return m.bytes != 0;
	}
	const moved m = first_move_of_sp(code);
	to.frame = m.bytes + word_size;
	to.to_push = 0;
	to.to_save = m.length;
	const std::uint8_t *const next = code + m.length;
	if (m.bytes == word_size)
		return std::memcmp(next, save_at_sp, sizeof save_at_sp) == 0;
	return m.bytes != 0 && m.bytes < 0x80 + word_size &&
	    std::memcmp(next, save, sizeof save) == 0 &&
	    next[sizeof save] == m.bytes - word_size;
}

// A byte that each beginning of a kind has at the same place, and that is rare
// elsewhere.
struct mark {
	std::uint8_t	byte;
	std::size_t	at;
};
constexpr mark marks[] = {{0xec, 2}, {0x84, 1}, {jump, 0}};

// Finds the last beginning in size bytes of code.  beginning_max - 1 more bytes
// follow.  to.at: its distance.
// Rejected: asking at each byte.  V8's code has no such beginning, and a frame
// of its code took 0.2 ms.
bool
last_beginning(const std::uint8_t *code, std::size_t size, beginning &to)
    noexcept
{
	beginning b;
	bool found = false;
	std::size_t from = 0;
	for (const mark &m : marks)
		for (std::size_t end = size; end > from;) {
			const void *const hit = memrchr(code + from + m.at,
			    m.byte, end - from);
			if (hit == nullptr)
				break;
			end = static_cast<std::size_t>(
			    static_cast<const std::uint8_t *>(hit) - code) -
			    m.at;
			if (!is_beginning(code + end, b))
				continue;
			to = b;
			to.at = end;
			from = end + 1;
			found = true;
		}
	return found;
}

bool
find_beginning(memory &words, std::uintptr_t pc, beginning &to) noexcept
{
	std::uint8_t code[part + beginning_max];
	std::uintptr_t end = pc + 1;
	for (std::size_t n = 0; n < parts; n++) {
		const std::uintptr_t from = (end - 1) / part * part;
		if (!words.read(from, code, end - from + beginning_max - 1))
			return false;
		if (last_beginning(code, end - from, to)) {
			to.at += from;
			return true;
		}
		end = from;
	}
	return false;
}

// Gives the bytes from sp to the CFA where an end has begun; 0: it has not.
std::size_t
left_at_end(memory &words, std::uintptr_t pc, std::size_t frame) noexcept
{
	constexpr std::uint8_t pop_rbp = 0x5d, ret = 0xc3, add = 0xc4;
	std::uint8_t code[end_max + 3] = {};
	if (frame == 2 * word_size || !words.read(pc - end_max, code, end_max))
		return 0;
	for (std::size_t i = 0; i + 4 <= end_max; i++) {
		const moved m = move_of_sp(code + i, add);
		const std::size_t behind = i + m.length;
		if (m.bytes != frame - 2 * word_size || behind > end_max)
			continue;
		if (behind == end_max)
			return 2 * word_size;
		if (code[behind] == pop_rbp && std::memchr(code + behind, ret,
		    end_max - behind) == nullptr)
			return word_size;
	}
	return 0;
}

// The state of an interrupted function's frame.  left: from sp to the CFA;
// saved: whether the frame pointer is in the frame.
struct frame_state {
	std::size_t	left;
	bool		saved;
};

frame_state
state_of_frame(memory &words, std::uintptr_t pc, const beginning &b) noexcept
{
	const std::size_t done = pc - b.at;
	if (b.to_push != 0 && done <= b.to_push)
		return {word_size, false};
	if (b.to_push != 0 && done <= b.to_save)
		return {2 * word_size, true};
	if (b.to_push == 0 && done <= b.to_save)
		return {done == 0 ? word_size : b.frame, false};
	if (const std::size_t left = left_at_end(words, pc, b.frame);
	    left != 0)
		return {left, left != word_size};
	return {b.frame, true};
}

} // namespace

bool
leave_compiled(memory &words, const registers &now, registers &caller) noexcept
{
	beginning b;
	if (!now.knows(register_sp) || now.sp() % word_size != 0 ||
	    !find_beginning(words, now.lookup(), b))
		return false;
	const frame_state p = now.exact ? state_of_frame(words, now.pc(), b) :
	    frame_state{b.frame, true};
	const std::uintptr_t cfa = now.sp() + p.left;
	std::uintptr_t pc, fp = now.fp();
	if (!words.word(cfa - word_size, pc) ||
	    (p.saved && !words.word(cfa - 2 * word_size, fp)))
		return false;
	const bool knows_fp = p.saved || now.knows(register_fp);
	caller = {};
	caller.set(register_pc, pc);
	caller.set(register_sp, cfa);
	if (knows_fp)
		caller.set(register_fp, fp);
	return true;
}

} // namespace stack9::unwind
