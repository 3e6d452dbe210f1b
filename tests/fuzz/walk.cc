// Walks any bytes as registers and a stack of this process: the walk ends,
// within the room that it has, at what the registers say first.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>

#include "core/seam/space.h"
#include "core/seam/user_copy.h"

#include "fuzz.h"

namespace {

constexpr std::uintptr_t stack = 0x7ffd00000000;

stack9_space *
own_space()
{
	static stack9_space *const its = [] {
		stack9_space *made = nullptr;
		const stack9_thread self{gettid(), getpid(), 0};
		if (stack9::space_open(self, made) != 0)
			fail("no space");
		return made;
	}();
	return its;
}

// A word that may walk like: an address in the stack, in code, or any.
std::uint64_t
lured(std::uint64_t word)
{
	switch (word >> 60) {
	case 0:
		return stack + (word & 0xfff8);
	case 1:
		return reinterpret_cast<std::uintptr_t>(&own_space) - 0x8000 +
		    (word & 0xffff);
	case 2:
		return reinterpret_cast<std::uintptr_t>(&std::abort) - 0x8000 +
		    (word & 0xfffff);
	default:
		return word;
	}
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	static stack9::user_copy copy;
	if (size < 16)
		return 0;
	copy.clear();
	if ((data[0] & 1) != 0)
		copy.what = stack9::user_copy::machine::ia32;
	copy.stack.more = (data[0] & 2) != 0;
	std::memcpy(&copy.known, data + 1, 5);
	const int registers = data[6] % 20;
	data += 8;
	size -= 8;
	for (int n = 0; n < registers && size >= 8; n++) {
		std::uint64_t word;
		std::memcpy(&word, data, 8);
		copy.value[static_cast<std::size_t>(n)] = lured(word);
		data += 8;
		size -= 8;
	}
	copy.stack.at = stack;
	if (!copy.stack.bytes.resize(size / 8 * 8))
		return 0;
	for (std::size_t at = 0; at + 8 <= size; at += 8) {
		std::uint64_t word;
		std::memcpy(&word, data + at, 8);
		word = lured(word);
		std::memcpy(copy.stack.bytes.data() + at, &word, 8);
	}
	std::uintptr_t pcs[64];
	stack9::stack_record rec{};
	rec.side = STACK9_USER;
	rec.pcs = pcs;
	rec.max = 64;
	std::uint64_t wanted = 0;
	stack9::walk_copy(*own_space(), copy, rec, wanted);
	if (rec.depth > 64 || (rec.dropped != 0 &&
	    rec.why != STACK9_WHY_TRUNCATED))
		fail("more than there is room for");
	return 0;
}
