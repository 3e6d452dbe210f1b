// Damages 32-bit programs in every way that chance finds.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <random>

#include "arch/described.h"
#include "remote/step_in_file.h"

#include "made.h"

using ia32 = stack9::arch::ia32;
using ia32_registers = ia32::registers;
using stack9::remote::step_in_file;
using stack9::unwind::outcome;

namespace {

// Has every word: an address above it.
class full_memory final : public stack9::unwind::memory {
public:
	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		std::uint64_t word = from + 64;
		std::memcpy(to, &word, std::min(size, sizeof word));
		return size <= sizeof word;
	}
};

// All of its code: how many steps there were.
int
step_everywhere(stack9::process::file &f, std::uint32_t step)
{
	full_memory words;
	int steps = 0;
	for (std::uint32_t pc = 0x8049000; pc < 0x8100000; pc += step) {
		ia32_registers r;
		for (int n = 0; n < ia32_registers::count; n++)
			r.set(n, 0xffff0000u + 4 * static_cast<unsigned>(n));
		const ia32_registers before = r;
		if (step_in_file<ia32>(f, pc, words, r) == outcome::stepped)
			steps++;
		else
			BOOST_TEST((r.value == before.value &&
			    r.known == before.known));
	}
	return steps;
}

} // namespace

BOOST_AUTO_TEST_CASE(whole_ia32, *built("m32_static"))
{
	made whole(lib::contents(program("m32_static")));
	BOOST_TEST(step_everywhere(whole.get(), 13) > 10000);
}

// Frames whose end is known by the frame pointer.  That points inwards.
BOOST_AUTO_TEST_CASE(ia32_frames_lead_outwards, *built("m32_static") *
    boost::unit_test::description("the caller's frame is further out, except "
    "where a signal switched stacks"))
{
	made whole(lib::contents(program("m32_static")));
	full_memory words;
	int outwards = 0, refused = 0;
	for (const bool has_fp_inwards : {false, true})
		for (std::uint32_t pc = 0x8049000; pc < 0x8100000; pc += 13) {
			ia32_registers r;
			for (int n = 0; n < ia32_registers::count; n++)
				r.set(n, 0xffff0000u);
			if (has_fp_inwards)
				r.set(ia32_registers::fp, 0xfffe0000u);
			const outcome how = step_in_file<ia32>(whole.get(), pc,
			    words, r);
			if (how == outcome::malformed)
				refused += has_fp_inwards;
			if (how != outcome::stepped || r.exact)
				continue;
			BOOST_REQUIRE(r[ia32_registers::sp] > 0xffff0000u);
			outwards++;
		}
	BOOST_TEST(outwards > 10000);
	BOOST_TEST(refused > 100);
}

BOOST_AUTO_TEST_CASE(damaged_ia32, *built("m32_static") *
    boost::unit_test::description("ISSUE: damaged files are survived"))
{
	const std::string whole = lib::contents(program("m32_static"));
	const std::size_t frames_at = whole.find(std::string("\1zR\0", 4));
	BOOST_REQUIRE(frames_at != whole.npos);
	std::mt19937 random(4);
	for (int n = 0; n < 60; n++) {
		std::string bytes = whole;
		// Its headers, its .eh_frame, everything, in turn.
		const std::size_t from = n % 3 == 1 ? frames_at - 8 : 0;
		const std::size_t reach = n % 3 == 0 ? 512 : n % 3 == 1 ?
		    60000 : bytes.size();
		for (int hits = 0; hits < (n % 3 == 0 ? 4 : 3000); hits++)
			bytes[std::min(from + random() % reach,
			    bytes.size() - 1)] = static_cast<char>(random());
		if (n % 7 == 0)
			bytes.resize(bytes.size() / 2);
		made spoiled(bytes);
		step_everywhere(spoiled.get(), 1009);
	}
}
