// Checks that the holder of Ruby's GVL is found by those that wait for it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <set>
#include <vector>

#include <stack9.h>
#include <stack9_waits.h>

#include "languages_asked/waits_of.h"
#include "require.h"
#include "ruby_program.h"

BOOST_AUTO_TEST_SUITE(gvl)

namespace {

// The waiters that name the holder, and those that name another one or none.
struct seen_waits {
	pid_t		holder;
	std::set<pid_t>	right, wrong;
};

int
note_wait(void *to, const stack9_wait *w)
{
	auto &s = *static_cast<seen_waits *>(to);
	// A waiter wakes now and then.  It has moved, and no holder is named.
	const bool none = w->holders == 0 && (w->flags & (STACK9_WAIT_MOVED |
	    STACK9_WAIT_CHANGING)) != 0;
	if (w->kind == STACK9_WAIT_INTERPRETER && !none)
		(w->holders == 1 && w->holder[0].thread.tid == s.holder ?
		    s.right : s.wrong).insert(w->sample->thread.tid);
	return 0;
}

} // namespace

// The thread sleeps with the lock for good, and the others come to wait for it.
BOOST_AUTO_TEST_CASE(the_holder_is_reported, *has_ruby() * needs("bpf") *
    boost::unit_test::description("KINDS: INTERPRETER: the thread that holds "
    "Ruby's GVL is the owner"))
{
	const ruby_program p("gvl.rb", {});
	BOOST_REQUIRE(p.lines().size() >= 4u);
	seen_waits s{std::stoi(p.lines()[0]), {}, {}};
	for (int looks = 0; looks < 2000 && s.right.size() < 3; looks++)
		waits_of(p.pid(), note_wait, &s);
	const std::set<pid_t> want{std::stoi(p.lines()[1]),
	    std::stoi(p.lines()[2]), std::stoi(p.lines()[3])};
	BOOST_TEST((s.right == want));
	BOOST_TEST(s.wrong.empty());
}

BOOST_AUTO_TEST_SUITE_END()
