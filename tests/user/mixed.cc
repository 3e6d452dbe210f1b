// Tests that the storm would see what it looks for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string_view>

#include "core_calls.h"
#include "busy_program.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(user_storm)

namespace {

// A whole stack of thread 0 in such a call, and its kernel stack.
struct in_call {
	in_call(busy_program &p, const char *function)
	{
		user.rec.space = p.space();
		const stack9_thread td{p.tid(0), p.pid(), 0};
		do
			core::save_both(&td, &kernel.rec, &user.rec);
		while (user.rec.error != 0 || kernel.rec.error != 0 ||
		    user.rec.why != STACK9_WHY_NONE ||
		    p.told(user.rec).find(function) == std::string::npos);
	}

	capture kernel, user;
};

// How many of its frames are above the function that is called by this one:
// those of cancellation.h.
std::uint32_t
above_call(busy_program &p, const in_call &c, const char *caller)
{
	const std::string text = p.told(c.user.rec);
	const std::string_view inner(text.data(), text.find(caller));
	std::uint32_t callees = 0;
	for (auto at = inner.find(" < "); at != inner.npos;
	     at = inner.find(" < ", at + 1))
		callees++;
	return callees - 1;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_mixed_stack_would_be_seen, *needs("root") * needs("bpf")
    * boost::unit_test::description("never a mixed stack"))
{
	busy_program p(BUSY_LEAN);
	const forced only(and_no_stop(""));
	in_call naps(p, "clock_nanosleep < nap_3"), dozes(p, "poll < doze_2");
	BOOST_TEST(p.fault(0, naps.user.rec) == "");
	BOOST_TEST(p.fault(naps.kernel.rec, naps.user.rec) == "");
	BOOST_TEST(p.fault(dozes.kernel.rec, naps.user.rec) != "");
	BOOST_TEST(p.fault(1, naps.user.rec) != "");

	// naps: clock_nanosleep nap_3 nap_2 nap_1 root; dozes: one shorter.
	const std::uint32_t of_naps = above_call(p, naps, "nap_3"),
	    of_dozes = above_call(p, dozes, "doze_2");
	const auto join = [&](std::uint32_t inner, std::uint32_t outer) {
		capture c;
		inner += of_naps;
		outer += of_dozes;
		c.rec.flags = naps.user.rec.flags;
		c.rec.thread = naps.user.rec.thread;
		std::copy_n(naps.user.pcs, inner, c.pcs);
		std::copy(dozes.user.pcs + outer,
		    dozes.user.pcs + dozes.user.rec.depth, c.pcs + inner);
		c.rec.depth = inner + dozes.user.rec.depth - outer;
		return p.fault(0, c.rec);
	};
	BOOST_TEST(join(4, 3) == "");	// from the root on they are the same
	for (std::uint32_t inner = 1; inner < 4; inner++)
		for (std::uint32_t outer = 0; outer < 5; outer++)
			BOOST_TEST(join(inner, outer) != "", inner << " and " <<
			    outer);

	// One that ends early, and does not say so.
	for (; --naps.user.rec.depth > 0;)
		BOOST_TEST(p.fault(0, naps.user.rec) != "");
}

BOOST_AUTO_TEST_SUITE_END()
