// Extends copies of a made-up thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <memory>

#include "arch/cpu.h"
#include "backends/linux-bpf/user_sampler.h"

using namespace stack9;
using namespace stack9::bpf;

BOOST_AUTO_TEST_SUITE(growing_copies)

namespace {

// A thread with a stack from begin to end, and a hole in it.
class made_up final : public user_sampler {
public:
	std::uint64_t	begin = 0x10000, end = 0x10000 + (1 << 20);
	std::uint64_t	hole = 0;	// a page; 0: none
	std::uint64_t	switches = 42;
	int		samples = 0, runs_at = -1;

	made_up() : seen_(std::make_unique<s9_user_record>()) {}

	int
	user(pid_t, std::uint64_t from) noexcept override
	{
		if (++samples == runs_at)
			switches++;
		s9_record who{};
		who.switches = who.switches_after = switches;
		std::memcpy(seen_->who, &who, S9_RECORD_HEAD);
		std::uint64_t to = from + S9_USER_STACK;
		seen_->user.flags = S9_USER_MORE;
		for (const std::uint64_t stop : {end, hole})
			if (stop != 0 && from < stop && to > stop) {
				to = stop;
				seen_->user.flags = 0;
			}
		if (from < begin || from >= end ||
		    (hole != 0 && from - hole < 4096))
			to = from;
		seen_->user.from = from;
		seen_->user.bytes = static_cast<__u32>(to - from);
		std::memset(seen_->stack, static_cast<int>(from >> 12),
		    to - from);
		return 0;
	}
	const s9_user_record &seen() const noexcept override { return *seen_; }
	int kernel(pid_t, s9_record &) noexcept override { return ESRCH; }

	// A copy of the first bytes.
	void
	start(user_copy &copy)
	{
		BOOST_REQUIRE_EQUAL(user(7, begin), 0);
		copy.stack.at = begin;
		copy.stack.bytes.resize(seen().user.bytes);
		copy.stack.more = true;
		copy.mark = switches;
	}

private:
	std::unique_ptr<s9_user_record> seen_;
};

constexpr stack9_thread td{7, 7, 0};

} // namespace

BOOST_AUTO_TEST_CASE(a_piece_doubles_until_it_ends,
    *boost::unit_test::description("that piece grows to at least twice its "
    "size"))
{
	made_up by;
	user_copy c;
	by.start(c);
	int grown = 0;
	for (std::size_t had; c.stack.more; grown++) {
		had = c.stack.bytes.size();
		BOOST_REQUIRE_EQUAL(
		    extend_copy_by(by, td, c, by.begin + had), 0);
		BOOST_TEST((c.stack.bytes.size() >= 2 * had || !c.stack.more));
	}
	BOOST_TEST(c.stack.bytes.size() == by.end - by.begin);
	BOOST_TEST(grown == 6);
	BOOST_TEST(c.other.bytes.size() == 0u);
}

BOOST_AUTO_TEST_CASE(it_grows_as_far_as_is_wanted,
    *boost::unit_test::description("Not far behind a piece that has more"))
{
	made_up by;
	user_copy c;
	by.start(c);
	const std::uint64_t wanted = by.begin + 500'000;
	BOOST_TEST(extend_copy_by(by, td, c, wanted) == 0);
	BOOST_TEST(c.stack.holds(wanted, 8));
}

BOOST_AUTO_TEST_CASE(it_ends_at_a_hole, *boost::unit_test::description(
    "EFAULT: there is nothing"))
{
	made_up by;
	by.hole = by.begin + 0x8000;
	user_copy c;
	by.start(c);
	BOOST_TEST(extend_copy_by(by, td, c, by.begin + 0x6000) == 0);
	BOOST_TEST(c.stack.bytes.size() == 0x8000u);
	BOOST_TEST(!c.stack.more);
	BOOST_TEST(extend_copy_by(by, td, c, by.hole + 16) == EFAULT);
	BOOST_TEST(c.stack.bytes.size() == 0x8000u);
	BOOST_TEST(c.other.bytes.size() == 0u);
	// After it is memory again, and before that no red zone.
	BOOST_TEST(extend_copy_by(by, td, c, by.hole + 4096) == 0);
	BOOST_TEST(c.other.at == by.hole + 4096);
}

BOOST_AUTO_TEST_CASE(it_is_as_it_was_if_the_thread_runs,
    *boost::unit_test::description("EAGAIN: the thread has run since; the "
    "copy is then as it was"))
{
	made_up by;
	user_copy c;
	by.start(c);
	const std::size_t had = c.stack.bytes.size();
	by.runs_at = by.samples + 5;
	BOOST_TEST(extend_copy_by(by, td, c, by.begin + 500'000) == EAGAIN);
	BOOST_TEST(c.stack.bytes.size() == had);
	BOOST_TEST(c.stack.more);
}

BOOST_AUTO_TEST_CASE(what_is_far_away_is_another_piece,
    *boost::unit_test::description(
    "anywhere else, other begins anew a little below wanted"))
{
	made_up by;
	by.end = by.begin + (16 << 20);
	user_copy c;
	by.start(c);
	const std::size_t had = c.stack.bytes.size();
	const std::uint64_t far = by.begin + (8 << 20);
	BOOST_TEST(extend_copy_by(by, td, c, far) == 0);
	BOOST_TEST(c.stack.bytes.size() == had);
	BOOST_TEST(c.other.at == far - stack9::unwind::red_zone);
	BOOST_TEST(c.other.holds(far, 8));
	// And goes on from there.
	const std::size_t first = c.other.bytes.size();
	BOOST_TEST(extend_copy_by(by, td, c, c.other.at + first) == 0);
	BOOST_TEST(c.other.bytes.size() >= 2 * first);
}

BOOST_AUTO_TEST_SUITE_END()
