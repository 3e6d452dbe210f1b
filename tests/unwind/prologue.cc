// Tests frame pointers worked out from the first instructions of functions.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <vector>

#include "unwind/prologue.h"

namespace u = stack9::unwind;
using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(prologue)

namespace {

constexpr std::uintptr_t begin = 0x100000, sp = 0x800000;

class code final : public u::memory {
public:
	explicit code(std::vector<std::uint8_t> b) : bytes(std::move(b)) {}

	bool
	read(std::uintptr_t from, void *to, std::size_t n) noexcept override
	{
		if (from - begin > bytes.size() ||
		    bytes.size() - (from - begin) < n)
			return false;
		std::memcpy(to, bytes.data() + (from - begin), n);
		return true;
	}

	std::vector<std::uint8_t> bytes;
};

constexpr std::intptr_t none = -1;

// Gives the bytes from sp to the frame pointer, at the end of the bytes.
std::intptr_t
room(std::vector<std::uint8_t> bytes)
{
	code words(std::move(bytes));
	std::uintptr_t fp = 0;
	return u::fp_by_prologue(words, begin, begin + words.bytes.size(), sp,
	    fp) ? static_cast<std::intptr_t>(fp - sp) : none;
}

} // namespace

#ifdef __x86_64__

BOOST_AUTO_TEST_CASE(pushes_and_a_subtraction_make_room)
{
	BOOST_TEST(room({0x55, 0x48, 0x89, 0xe5}) == 0);
	BOOST_TEST(room({0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x8b, 0xec, 0x48,
	    0x83, 0xec, 0x20}) == 0x20);
	BOOST_TEST(room({0x55, 0x48, 0x89, 0xe5, 0x41, 0x57, 0x53, 0x48, 0x81,
	    0xec, 0x00, 0x10, 0, 0}) == 0x1010);
	// add $-128,%rsp
	BOOST_TEST(room({0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xc4, 0x80}) ==
	    0x80);
}

BOOST_AUTO_TEST_CASE(other_instructions_may_stand_between)
{
	BOOST_TEST(room({
	    0x31, 0xc0,					// xor %eax,%eax
	    0x55,
	    0x48, 0x8d, 0x05, 1, 2, 3, 4,		// lea n(%rip),%rax
	    0x48, 0x89, 0xe5,
	    0x41, 0x54,
	    0x49, 0x89, 0xfc,				// mov %rdi,%r12
	    0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8,		// movabs
	    0x53,
	    0xc7, 0x44, 0x24, 0x08, 0x83, 0xec, 0x18, 0,	// movl
	    0x66, 0xc7, 0x45, 0xf0, 0x53, 0x53,		// movw
	    0xf2, 0x0f, 0x10, 0x44, 0x24, 0x08,		// movsd
	    0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0,	// %fs:0x28
	    0x48, 0x83, 0xec, 0x18,
	    0x85, 0xff}) == 0x28);
}

BOOST_AUTO_TEST_CASE(the_first_jump_or_call_ends_them)
{
	BOOST_TEST(room({0x55, 0x48, 0x89, 0xe5, 0x53, 0x74, 0x05, 0x53}) == 8);
	BOOST_TEST(room({0x55, 0x48, 0x89, 0xe5, 0xe8, 0, 0, 0, 0, 0x53}) == 0);
	BOOST_TEST(room({0x85, 0xff, 0x74, 0x05, 0x55, 0x48, 0x89, 0xe5}) ==
	    none);
}

BOOST_AUTO_TEST_CASE(an_amount_that_is_not_written_in_them_is_not_worked_out)
{
	// and $-64,%rsp; sub %rax,%rsp; lea -16(%rsp),%rsp; mov %rax,%rbp
	for (const std::vector<std::uint8_t> &moved : {
	    std::vector<std::uint8_t>{0x48, 0x83, 0xe4, 0xc0},
	    {0x48, 0x29, 0xc4}, {0x48, 0x8d, 0x64, 0x24, 0xf0},
	    {0x48, 0x89, 0xc5}}) {
		std::vector<std::uint8_t> all{0x55, 0x48, 0x89, 0xe5};
		all.insert(all.end(), moved.begin(), moved.end());
		BOOST_TEST(room(all) == none);
	}
}

BOOST_AUTO_TEST_CASE(arguments_on_the_stack_are_removed_behind_the_call)
{
	code words({0x48, 0x83, 0xc4, 0x10, 0xc3});
	BOOST_TEST(u::bytes_of_arguments(words, begin) == 0x10u);
	BOOST_TEST(u::bytes_of_arguments(words, begin + 1) == 0u);
	BOOST_TEST(u::bytes_of_arguments(words, begin + 2) == 0u);
}

#elif defined(__aarch64__)

std::vector<std::uint8_t>
bytes_of(const std::vector<std::uint32_t> &instructions)
{
	std::vector<std::uint8_t> all(instructions.size() * 4);
	std::memcpy(all.data(), instructions.data(), all.size());
	return all;
}

BOOST_AUTO_TEST_CASE(the_frame_pointer_is_set_from_the_stack_pointer)
{
	// stp x29,x30,[sp,#-32]!; mov x29,sp
	BOOST_TEST(room(bytes_of({0xa9be7bfd, 0x910003fd})) == 0);
	// sub sp,sp,#48; stp x29,x30,[sp,#32]; add x29,sp,#32; sub sp,sp,#16
	BOOST_TEST(room(bytes_of({0xd100c3ff, 0xa9027bfd, 0x910083fd,
	    0xd10043ff})) == 0x30);
	// bl ends them; mov sp,x0 is not known
	BOOST_TEST(room(bytes_of({0x910003fd, 0x94000000, 0xd10043ff})) == 0);
	BOOST_TEST(room(bytes_of({0x910003fd, 0x9100001f})) == none);
	BOOST_TEST(room(bytes_of({0xa9be7bfd})) == none);
}

#endif

BOOST_AUTO_TEST_CASE(bytes_of_any_kind_are_survived)
{
	std::uint32_t seed = 9;
	for (int n = 0; n < 200000; n++) {
		std::vector<std::uint8_t> any(1 + n % 200);
		for (std::uint8_t &b : any)
			b = static_cast<std::uint8_t>((seed = seed * 1664525 +
			    1013904223) >> 24);
		room(std::move(any));
	}
	BOOST_TEST(room({}) == none);
}

BOOST_AUTO_TEST_SUITE_END()
