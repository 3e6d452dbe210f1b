// Tests guesses about frames of 32-bit code, on a stack made by hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "copier.h"
#include "core/seam/stop_reason.h"
#include "arch/described.h"

BOOST_AUTO_TEST_SUITE(ia32)

namespace {

using ia32_registers = stack9::arch::ia32::registers;

constexpr std::uint32_t page = 4096, called = 0x100, plain = 0x200;

// Code of no file, in which there is one call.
class code {
public:
	code()
	{
		at_ = static_cast<std::uint8_t *>(mmap(nullptr, page,
		    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
		    MAP_32BIT, -1, 0));
		BOOST_REQUIRE(at_ != MAP_FAILED);
		at_[called - 5] = 0xe8;
		mprotect(at_, page, PROT_READ | PROT_EXEC);
	}
	~code() { munmap(at_, page); }
	code(const code &) = delete;
	code &operator=(const code &) = delete;

	std::uint32_t
	at(std::uint32_t n) const
	{
		return static_cast<std::uint32_t>(
		    reinterpret_cast<std::uintptr_t>(at_)) + n;
	}

private:
	std::uint8_t	*at_;
};

// Walks from a frame whose frame pointer leads to this return address.
walk
walk_to(const code &c, std::uint32_t pc, std::uint32_t fp_at)
{
	constexpr std::uint32_t bottom = 0xff000000;
	std::array<std::uint32_t, 16> stack{};
	stack[fp_at / 4 + 1] = pc;
	stack9::user_copy copy;
	copy.what = stack9::user_copy::machine::ia32;
	copy.set(ia32_registers::pc, c.at(plain));
	copy.set(ia32_registers::sp, bottom + 8);
	copy.set(ia32_registers::fp, bottom + fp_at);
	copy.stack.at = bottom;
	BOOST_REQUIRE(copy.stack.bytes.resize(sizeof stack));
	std::memcpy(copy.stack.bytes.data(), stack.data(), sizeof stack);
	const stack9_thread self{getpid(), getpid(), 0};
	const opened space(self);
	return walk_of(*space, copy, self);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_frame_pointer_leads_behind_a_call,
    *boost::unit_test::description("no unwind information covers the last "
    "frame, and its frame pointer leads nowhere"))
{
	const code c;
	const std::string nowhere = stack9::stop_reason_of(
	    stack9::unwind::outcome::no_info).reason;
	walk w = walk_to(c, c.at(called), 16);
	BOOST_TEST(w.pcs.size() == 2u);
	BOOST_TEST(w.pcs.at(1) == c.at(called));
	w = walk_to(c, c.at(plain), 16);
	BOOST_TEST(w.pcs.size() == 1u);
	BOOST_TEST(w.rec.reason == nowhere);
	w = walk_to(c, c.at(called), 4);	// inwards
	BOOST_TEST(w.pcs.size() == 1u);
	BOOST_TEST(w.rec.reason == nowhere);
}

BOOST_AUTO_TEST_SUITE_END()
