// Checks that the holder of Python's GIL is found by those that wait for it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <vector>

#include <stack9.h>
#include <stack9_waits.h>

#include "languages_asked/waits_of.h"
#include "python_program.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(gil)

namespace {

// How many threads wait for the GIL, and how many name its holder.
struct seen {
	int	waiters = 0, holders = 0, wrong = 0;
	pid_t	holder = 0;
};

int
note(void *to, const stack9_wait *w)
{
	seen &s = *static_cast<seen *>(to);
	if (w->kind != STACK9_WAIT_INTERPRETER)
		return 0;
	s.waiters++;
	for (std::uint32_t i = 0; i < w->holders; i++)
		(w->holder[i].thread.tid == s.holder ? s.holders :
		    s.wrong)++;
	return 0;
}

} // namespace

// The waiters wake every 5 ms to ask for the lock, so a capture may find that
// they have moved.
BOOST_AUTO_TEST_CASE(who_holds_it_is_said, *has_python() * needs("bpf") * SAYS(
    "KINDS: INTERPRETER: the thread that holds Python's GIL is the owner"))
{
	for (const std::string &python : pythons()) {
		const python_program p(python, GIL);
		seen s;
		s.holder = p.said().begin()->first;
		for (int looks = 0; looks < 2000 && s.holders < 3; looks++)
			waits_of(p.pid(), note, &s);
		BOOST_TEST_CONTEXT(python) {
			BOOST_TEST(s.waiters >= 3);
			BOOST_TEST(s.holders >= 3);
			BOOST_TEST(s.wrong == 0);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
