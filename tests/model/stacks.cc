// Tests what a stack is besides its frames, and who owns what it refers to.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <string>
#include <vector>

#include <unistd.h>

#include "tools/lib/samples.h"
#include "tools/model/from_library.h"

using boost::unit_test::description;

namespace {

// The user stack of this thread.
stack9_sample *
captured()
{
	const stack9_thread self{gettid(), getpid(), 0};
	stack9_sample *s = nullptr;
	stack9_save(&self, STACK9_USER, nullptr, &s);
	BOOST_REQUIRE(s != nullptr);
	BOOST_REQUIRE(s->user->depth != 0);
	return s;
}

} // namespace

BOOST_AUTO_TEST_SUITE(model_stacks)

BOOST_AUTO_TEST_CASE(cut, *description(
    "a stack that is cut keeps its innermost frames and counts the others"))
{
	const std::vector<std::uint64_t> pcs = {1, 2, 3, 4};
	tools::stack s;
	s.pcs = pcs;
	s.dropped = 1;
	tools::cut(s, 4);
	BOOST_TEST(s.why == STACK9_WHY_NONE);
	tools::cut(s, 3);
	BOOST_TEST(s.depth() == 3u);
	BOOST_TEST(s.pcs.front() == 1u);
	BOOST_TEST(s.dropped == 2u);
	BOOST_TEST(s.why == STACK9_WHY_TRUNCATED);
	BOOST_TEST(std::string(s.reason) ==
	    stack9_why_text(STACK9_WHY_TRUNCATED));
}

BOOST_AUTO_TEST_CASE(cut_text, *description(
    "lines of a stack are cut as addresses are"))
{
	const char *const lines[] = {"inner", "outer"};
	tools::stack s;
	s.text = lines;
	tools::cut(s, 1);
	BOOST_TEST(s.depth() == 1u);
	BOOST_TEST(s.text.front() == std::string("inner"));
	BOOST_TEST(s.dropped == 1u);
}

BOOST_AUTO_TEST_CASE(refused, *description(
    "a stack without frames says why, in the library's words if in no other"))
{
	const tools::stack s = tools::without_frames(STACK9_USER, EPERM,
	    STACK9_WHY_RIGHTS, nullptr, "procfs");
	BOOST_TEST(s.depth() == 0u);
	BOOST_TEST(s.error == EPERM);
	BOOST_TEST(std::string(s.reason) ==
	    stack9_why_text(STACK9_WHY_RIGHTS));
	BOOST_TEST(std::string(s.route) == "procfs");
	BOOST_TEST(std::string(tools::without_frames(STACK9_USER, EPERM,
	    STACK9_WHY_RIGHTS, "not yours").reason) == "not yours");
}

BOOST_AUTO_TEST_CASE(lent, *description(
    "a lent sample refers to what the library has, and a kept one to a copy"))
{
	stack9_sample *const s = captured();
	const std::vector<std::uint64_t> pcs(s->user->pcs, s->user->pcs +
	    s->user->depth);
	tools::sample_ptr kept;
	{
		const tools::sample now = tools::from_library(*s);
		BOOST_TEST(now.user->pcs.data() == s->user->pcs);
		BOOST_TEST((now.user->owner == nullptr));
		kept = tools::kept(tools::lent(now));
	}
	stack9_sample_close(s);
	BOOST_TEST(std::vector(kept->user->pcs.begin(),
	    kept->user->pcs.end()) == pcs);
	BOOST_TEST((kept->user->owner == kept->captured));
	BOOST_TEST((tools::kept(kept) == kept));
}

// Async captures and two captures of one thread make samples of parts.
BOOST_AUTO_TEST_CASE(parts, *description(
    "a side stays when the sample that it came with is gone"))
{
	tools::sample_ptr whole = tools::owned(captured());
	const tools::stack user = *whole->user;
	const std::uint64_t pc = user.pcs[0];
	whole.reset();
	BOOST_TEST(user.pcs[0] == pc);
}

BOOST_AUTO_TEST_SUITE_END()
