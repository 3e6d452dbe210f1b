// Tests stack9(3): the calling thread's own stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <boost/test/unit_test.hpp>
#include <pthread.h>

#include "child.h"

using boost::unit_test::description;

namespace {

struct captured {
	std::uint64_t	pcs[64];
	stack9_self	self{sizeof(stack9_self), 0, 0, 0, 0, 0};
	int		error;
};

[[gnu::noinline]] captured
inner(std::uint32_t max, std::uint32_t skip)
{
	captured c;
	c.error = stack9_save_self(c.pcs, max, skip, &c.self);
	return c;
}

[[gnu::noinline]] captured
outer(std::uint32_t max, std::uint32_t skip)
{
	captured c = inner(max, skip);
	asm volatile("" : : "r"(&c) : "memory");	// no tail call
	return c;
}

std::string
name_of(std::uint64_t pc)
{
	char text[256];
	return stack9_name_self(pc, STACK9_FRAMES_RETURN, text, sizeof text,
	    nullptr) == 0 ? text : "";
}

// The frame as many bytes deep as the alternate stack allows.
captured in_handler;

void
handler(int)
{
	in_handler.error = stack9_save_self(in_handler.pcs, 32, 1,
	    &in_handler.self);
}

} // namespace

BOOST_AUTO_TEST_SUITE(self)

BOOST_AUTO_TEST_CASE(skipped, *description(
    "skip 0 begins with the caller of this call, 1 with the caller's caller"))
{
	const captured none = outer(64, 0), one = outer(64, 1);
	BOOST_TEST(none.error == 0);
	BOOST_TEST(one.error == 0);
	BOOST_TEST(name_of(none.pcs[0]).find("inner") != std::string::npos);
	BOOST_TEST(name_of(one.pcs[0]).find("outer") != std::string::npos);
	BOOST_TEST(one.self.depth == none.self.depth - 1);
	// The test itself called from two places.
	BOOST_TEST(std::equal(one.pcs + 2, one.pcs + one.self.depth,
	    none.pcs + 3));
}

BOOST_AUTO_TEST_CASE(full_behind_skipped, *description(
    "skipped frames take none of the caller's room"))
{
	const captured whole = outer(64, 0), part = outer(2, 1);
	BOOST_TEST(part.self.depth == 2);
	BOOST_TEST(part.self.dropped == whole.self.depth - 3);
	BOOST_TEST(part.self.why == STACK9_WHY_TRUNCATED);
	BOOST_TEST(part.pcs[0] == whole.pcs[1]);
}

BOOST_AUTO_TEST_CASE(all_skipped, *description(
    "ENOENT: there are no more than skip frames"))
{
	const captured c = outer(8, 60);
	BOOST_TEST(c.error == ENOENT);
	BOOST_TEST(c.self.depth == 0);
	BOOST_TEST(c.pcs[0] == 0);
}

BOOST_AUTO_TEST_CASE(only_addresses, *description(
    "self may be NULL, and unused elements of pcs become 0"))
{
	std::uint64_t pcs[64];
	std::memset(pcs, 0xff, sizeof pcs);
	BOOST_TEST(stack9_save_self(pcs, 64, 0, nullptr) == 0);
	BOOST_TEST(pcs[0] != 0);
	BOOST_TEST(pcs[63] == 0);
}

BOOST_AUTO_TEST_CASE(arguments)
{
	std::uint64_t pcs[4];
	stack9_self wrong{};
	BOOST_TEST(stack9_save_self(nullptr, 4, 0, nullptr) == EINVAL);
	BOOST_TEST(stack9_save_self(pcs, 0, 0, nullptr) == EINVAL);
	BOOST_TEST(stack9_save_self(pcs, 4, 0, &wrong) == EINVAL);
}

BOOST_AUTO_TEST_CASE(in_a_handler, *description(
    "The call is async-signal-safe on an alternate stack of 8 KiB"))
{
	alignas(16) static char room[8192 + 4096];
	const stack_t own{room, 0, sizeof room};
	stack_t before;
	BOOST_REQUIRE(sigaltstack(&own, &before) == 0);
	struct sigaction act{}, old;
	act.sa_handler = handler;
	act.sa_flags = SA_ONSTACK;
	BOOST_REQUIRE(sigaction(SIGUSR2, &act, &old) == 0);
	in_handler = {};
	in_handler.self.size = sizeof(stack9_self);
	BOOST_TEST(pthread_kill(pthread_self(), SIGUSR2) == 0);
	BOOST_TEST(in_handler.error == 0);
	BOOST_TEST(in_handler.self.depth > 3);
	sigaction(SIGUSR2, &old, nullptr);
	sigaltstack(&before, nullptr);
}

BOOST_AUTO_TEST_CASE(name_cut, *description(
    "ENOSPC: the name was cut"))
{
	char text[4];
	const captured c = outer(8, 0);
	BOOST_TEST(stack9_name_self(c.pcs[0], STACK9_FRAMES_RETURN, text,
	    sizeof text, nullptr) == ENOSPC);
	BOOST_TEST(std::strlen(text) == 3);
	BOOST_TEST(stack9_name_self(1, 0, text, sizeof text, nullptr) ==
	    ENOENT);
	BOOST_TEST(text[0] == '\0');
	BOOST_TEST(stack9_name_self(1, 0, nullptr, 4, nullptr) == EINVAL);
}

BOOST_AUTO_TEST_SUITE_END()
