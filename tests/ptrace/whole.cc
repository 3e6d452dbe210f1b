// Tests through the library that a copy becomes a whole stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/test_case.hpp>

#include <algorithm>


#include "core_calls.h"
#include "require.h"
#include "noted.h"

namespace bdata = boost::unit_test::data;
using boost::unit_test::description;

namespace {

struct forced {
	explicit forced(const char *route)
	{
		BOOST_REQUIRE_EQUAL(stack9_force(route), 0);
	}
	~forced() { stack9_force(nullptr); }
};

struct capture {
	std::uintptr_t	pcs[2048];
	stack9::stack_record	rec{};

	// Again for as long as a busy machine did not let it stop in time.
	int
	save_in_time(pid_t tid)
	{
		for (int i = 1; i < 100; i++)
			if (const int error = save(tid); error != EAGAIN ||
			    (rec.why != STACK9_WHY_LATE &&
			    rec.why != STACK9_WHY_SILENT))
				return error;
		return save(tid);
	}
	int
	save(pid_t tid)
	{
		stack9_thread td;
		BOOST_REQUIRE_EQUAL(stack9_thread_find(tid, &td), 0);
		rec = {};
		rec.pcs = pcs;
		rec.max = 2048;
		return core::save(STACK9_USER, &td, &rec);
	}
};

bool
has_noted(const stack9::stack_record &rec, const notes &n)
{
	const std::uintptr_t *at = rec.pcs, *const end = at + rec.depth;
	for (const note &r : n.returns) {
		at = std::find(at, end, r.what);
		if (at == end)
			return false;
	}
	return true;
}

} // namespace

BOOST_TEST_DECORATOR(*needs("ptrace")
    * description("stack9_force(\"ptrace\") asks for that"))
BOOST_DATA_TEST_CASE(any_thread_is_whole_by_ptrace,
    bdata::make({deed::read, deed::futex, deed::spin, deed::calls, deed::tick,
	deed::on_other_stack, deed::deep}), what)
{
	const noted v({deed::read, what});
	const forced route("ptrace");
	capture c;
	int whole = 0;
	for (int i = 0; i < 100; i++) {
		const int error = c.save_in_time(v.tid(1));
		// Held twice, it may not be in the same place.
		if (error == EAGAIN && what == deed::on_other_stack)
			continue;
		whole++;
		BOOST_TEST_INFO(stack9_why_text(c.rec.why));
		BOOST_REQUIRE(error == 0);
		BOOST_TEST(c.rec.route == std::string("ptrace"));
		BOOST_REQUIRE(c.rec.why == STACK9_WHY_NONE);
		BOOST_REQUIRE(has_noted(c.rec, v.of(1)));
	}
	BOOST_TEST(whole >= 50);
}

BOOST_TEST_DECORATOR(*description("copied without stopping the thread"))
BOOST_DATA_TEST_CASE(a_sleeping_thread_is_whole_by_procfs,
    bdata::make({deed::read, deed::futex, deed::nanosleep,
	deed::on_other_stack, deed::deep}), what)
{
	const noted v({deed::read, what});
	const forced route("procfs");
	capture c;
	for (int i = 0; i < 100; i++) {
		BOOST_TEST_INFO(stack9_why_text(c.rec.why));
		BOOST_REQUIRE(c.save(v.tid(1)) == 0);
		BOOST_TEST(c.rec.route == std::string("procfs"));
		BOOST_REQUIRE((c.rec.why == STACK9_WHY_NONE ||
		    c.rec.why == STACK9_WHY_REGISTERS));
		if (c.rec.why == STACK9_WHY_NONE)
			BOOST_REQUIRE(has_noted(c.rec, v.of(1)));
	}
	BOOST_TEST(v.of(1).returned == 0u);
}

BOOST_AUTO_TEST_CASE(all_of_a_process_are_whole_by_ptrace, *needs("ptrace"))
{
	const noted v({deed::read, deed::spin, deed::tick, deed::calls});
	const forced route("ptrace");
	struct seen {
		const noted	&v;
		std::size_t	whole = 0;
		bool		late = false;
		int		error = 0;
	};
	const auto note = [](void *arg, const stack9::stack_record *rec) {
		seen &to = *static_cast<seen *>(arg);
		const notes *n = to.v.find(rec->thread.tid);
		to.whole += n != nullptr && rec->error == 0 &&
		    rec->why == STACK9_WHY_NONE && has_noted(*rec, *n);
		to.late |= rec->error == EAGAIN &&
		    (rec->why == STACK9_WHY_LATE ||
		    rec->why == STACK9_WHY_SILENT);
		return 0;
	};
	for (int i = 0; i < 50; i++) {
		seen s{v};
		int tries = 100;	// a busy machine may not let all stop
		do {
			s.whole = 0;
			s.late = false;
			s.error = core::each(STACK9_USER, v.pid(), note, &s);
		} while ((s.error == EAGAIN || s.late) && --tries > 0);
		BOOST_REQUIRE_EQUAL(s.error, 0);
		BOOST_REQUIRE(s.whole == v.size());
	}
}
