// Tests captures under way: their threads wait for their own stack's memory.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <memory>
#include <optional>

#include <alloca.h>

#include "core_calls.h"
#include "late_page.h"

BOOST_AUTO_TEST_SUITE(async_late)

namespace {

// Sleeps with a page in its stack missing that nobody uses.
[[gnu::noinline]] void
wait_over_a_gap(puppets::strings &mine)
{
	char *const room = static_cast<char *>(alloca(4 * late_page::size));
	room[0] = 1;
	std::uintptr_t page = reinterpret_cast<std::uintptr_t>(room) +
	    2 * late_page::size;
	page -= page % late_page::size;
	late_page::take_away(reinterpret_cast<void *>(page));
	puppets::wait(mine);
	asm volatile("" :: "r"(room) : "memory");
}

// Thread 0, submitted, wakes and waits for the page.
struct waiting {
	waiting()
	{
		p.sleep_in(wait_over_a_gap);
		s.emplace(p.tid());
		BOOST_TEST(a.collect(s->id) == EAGAIN);
		p.go_on();
		while (!late_page::is_waited_for(p.tid()))
			sched_yield();
		BOOST_TEST(a.collect(s->id) == EAGAIN);
		BOOST_TEST(a.kernel.rec.error == 0);
		BOOST_TEST(!stream::readable());
	}
	void
	bring()
	{
		p.order(late_page::bring, 1);
		p.settle(1);
		p.settle(0);	// its call has returned
		BOOST_TEST(p.word(1) == 1u);
	}

	puppets				p{2};
	answer				a{p.pid()};
	std::optional<submission>	s;
};

} // namespace

BOOST_AUTO_TEST_CASE(it_may_wait, *needs("root") * needs("bpf")
    * needs_task_work() * needs("userfaultfd", late_page::missing)
    * boost::unit_test::description("The thread itself captures its user side, "
    "where it may wait for its memory"))
{
	stream::take();
	waiting w;
	w.bring();
	BOOST_TEST(w.a.outcome(w.s->id) == 0);
	BOOST_TEST(w.a.fault({"syscall", "wait", "wait_over_a_gap", "obey"}) ==
	    "");
}

BOOST_AUTO_TEST_CASE(taken_back_meanwhile, *needs("root") * needs("bpf")
    * needs_task_work() * needs("userfaultfd", late_page::missing)
    * boost::unit_test::description("Cancels a submission: "
    "stack9_async_collect() returns ECANCELED from then on; Releases the id "
    "and its memory, in any state of the submission"))
{
	for (const bool cancels : {true, false})
		for (const bool releases : {true, false}) {
			stream::take();
			waiting w;
			const stack9_id id = w.s->id;
			if (cancels) {
				BOOST_TEST(core::cancel(id) == 0);
				BOOST_TEST(w.a.collect(id) == ECANCELED);
				BOOST_TEST(core::cancel(id) == EALREADY);
			}
			if (releases) {
				BOOST_TEST(core::release(id) == 0);
				BOOST_TEST(w.a.collect(id) == ENOENT);
			}
			w.bring();
			BOOST_TEST(collect_over(id) == (releases ? ENOENT :
			    cancels ? ECANCELED : 0));
			const submission other(w.p.tid());
			w.p.wake();
			BOOST_TEST(w.a.outcome(other.id) == 0);
			BOOST_TEST(w.a.fault({"read", "obey"}) == "");
		}
}

BOOST_AUTO_TEST_CASE(killed_meanwhile, *needs("root") * needs("bpf")
    * needs_task_work() * needs("userfaultfd", late_page::missing)
    * boost::unit_test::description("Returns 0: it is over, and each record "
    "has its side, with an error of its own; ESRCH: the thread has ended, and "
    "will not return"))
{
	waiting w;
	w.p.end();
	const int error = w.a.outcome(w.s->id);
	BOOST_TEST((error == 0 || error == ESRCH));
	BOOST_TEST(w.a.kernel.rec.error == 0);
	BOOST_TEST((w.a.user.rec.error != 0 ||
	    w.a.user.rec.why != STACK9_WHY_NONE));
}

// Others are not held up by it, and neither is this process's end.
BOOST_AUTO_TEST_CASE(nobody_else_waits, *needs("root") * needs("bpf")
    * needs_task_work() * needs("userfaultfd", late_page::missing)
    * boost::unit_test::description("and they end when the process ends"))
{
	apart([] {
		static std::unique_ptr<waiting> stuck;	// to the end
		stuck = std::make_unique<waiting>();
		puppets p;
		for (int i = 0; i < 100; i++) {
			const submission s(p.tid());
			p.wake();
			answer a(p.pid());
			BOOST_TEST(a.outcome(s.id) == 0);
		}
	});
	puppets p;
	const submission s(p.tid());
	p.wake();
	answer a(p.pid());
	BOOST_TEST(a.outcome(s.id) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
