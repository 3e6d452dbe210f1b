// Tests that without task work the synchronous captures serve, and keep what
// the header promises.  Each case runs in a process of its own, for the route
// that serves first stays.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <set>

#include "core_calls.h"
#include "puppets.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(async_retried)

namespace {

std::string
no_running_copies()
{
	return no_stop_routes(running_job).empty() ?
	    "nothing copies the stack of a running thread here" : "";
}

void
retrying(const std::function<void()> &body)
{
	apart([&] {
		const forced only("retry");
		body();
	});
}

void
was_asleep(puppets &p, stack9_id id)
{
	answer a(p.pid());
	BOOST_TEST(a.outcome(id) == 0);
	BOOST_TEST(named(a.kernel.rec) == proc_stack(p.tid()),
	    boost::test_tools::per_element());
	BOOST_TEST(a.fault({"read", "obey"}) == "");
	BOOST_TEST(p.returned() == 0u);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_sleeper, *needs("root") * needs("bpf")
    * needs("user-bpf", no_bpf_copies)
    * boost::unit_test::description(
    "No two submissions share an id, and none is merged with another"))
{
	retrying([] {
		puppets p;
		std::set<stack9_id> ids;
		for (int i = 0; i < 20; i++) {
			const submission one(p.tid()), two(p.tid());
			BOOST_TEST(ids.insert(one.id).second);
			BOOST_TEST(ids.insert(two.id).second);
			was_asleep(p, one.id);
			was_asleep(p, two.id);
		}
	});
}

BOOST_AUTO_TEST_CASE(a_kernel_stack_by_name, *needs("root")
    * boost::unit_test::description(
    "The kernel side is captured at the moment of the submission, as "
    "stack9_save would capture it."))
{
	apart([] {
		const forced only("retry,procfs");
		puppets p;
		const submission s(p.tid(), STACK9_KERNEL);
		char text[16384];
		capture kernel;
		BOOST_TEST(core::collect(s.id, &kernel.rec, nullptr) == 0);
		BOOST_TEST(kernel.rec.error == EOPNOTSUPP);
		kernel.rec.text = text;
		kernel.rec.text_size = sizeof text;
		BOOST_TEST(core::collect(s.id, &kernel.rec, nullptr) == 0);
		BOOST_TEST(kernel.rec.error == 0);
		BOOST_TEST(kernel.rec.flags == stack9::record_has_text);
		std::string expected;
		for (const std::string &line : proc_stack(p.tid()))
			expected += line + "\n";
		BOOST_TEST(text == expected);
		kernel.rec.max = 2;
		BOOST_TEST(core::collect(s.id, &kernel.rec, nullptr) == 0);
		BOOST_TEST(kernel.rec.depth == 2u);
		BOOST_TEST(kernel.rec.dropped > 0u);
		BOOST_TEST(std::count(text, text + std::strlen(text), '\n') ==
		    2);
	});
}

BOOST_AUTO_TEST_CASE(who_runs, *needs("root") * needs("bpf")
    * needs("user-ipi", no_running_copies)
    * boost::unit_test::description("the stacks of td"))
{
	retrying([] {
		puppets p;
		p.run(puppets::spin);
		answer a(p.pid());
		for (int i = 0; i < 10; i++) {
			const submission s(p.tid(), STACK9_USER);
			BOOST_TEST(a.outcome(s.id) == 0);
			BOOST_TEST(a.fault({"spin", "obey"}) == "");
			BOOST_TEST(a.kernel.rec.error == EINVAL);
		}
	});
}

BOOST_AUTO_TEST_CASE(who_has_ended, *needs("root") * needs("bpf")
    * needs("user-bpf", no_bpf_copies)
    * boost::unit_test::description("Returns the state of a submission and its "
    "stacks, any number of times; ESRCH"))
{
	retrying([] {
		puppets p;
		const stack9_thread td = thread_of(p.tid());
		const submission s(p.tid());
		answer a(p.pid());
		BOOST_TEST(a.outcome(s.id) == 0);
		p.end();
		BOOST_TEST(a.collect(s.id) == 0);
		BOOST_TEST(a.fault({"read", "obey"}) == "");
		BOOST_TEST(refusal(td) == ESRCH);
	});
}

BOOST_AUTO_TEST_CASE(the_stream, *needs("root") * needs("bpf")
    * boost::unit_test::description("each id once, unless it is released "
    "before; A descriptor that can be read"))
{
	retrying([] {
		const puppets p;
		BOOST_TEST(!stream::readable());
		const submission one(p.tid()), two(p.tid()), three(p.tid());
		BOOST_TEST(core::release(two.id) == 0);
		stream::wait_readable();
		const auto came = stream::take();
		BOOST_REQUIRE_EQUAL(came.size(), 2u);
		BOOST_TEST(came[0].id == one.id);
		BOOST_TEST(came[1].id == three.id);
		BOOST_TEST(!stream::readable());
	});
}

BOOST_AUTO_TEST_CASE(so_many_are_held, *needs("root") * needs("bpf")
    * boost::unit_test::description("ENOBUFS: all slots are in use; EBUSY: the "
    "memory is allocated already; EALREADY; ENOENT"))
{
	retrying([] {
		BOOST_TEST(stack9_async_limit(2, 0) == 0);
		const puppets p;
		const submission one(p.tid());
		BOOST_TEST(stack9_async_limit(2, 0) == EBUSY);
		const stack9_id old = submission(p.tid()).id;
		const submission two(p.tid());
		BOOST_TEST(two.id != old);
		BOOST_TEST(refusal(p.tid()) == ENOBUFS);
		BOOST_TEST(core::cancel(one.id) == EALREADY);
		BOOST_TEST(core::cancel(old) == ENOENT);
		BOOST_TEST(core::release(old) == ENOENT);
		BOOST_TEST(core::collect(old, nullptr, nullptr) == ENOENT);
		BOOST_TEST(core::release(one.id) == 0);
		const submission three(p.tid());
		BOOST_TEST(refusal(p.tid()) == ENOBUFS);
	});
}

BOOST_AUTO_TEST_CASE(a_child, *needs("root") * needs("bpf")
    * needs("user-bpf", no_bpf_copies)
    * boost::unit_test::description("a forked child has none of its parent's "
    "submissions"))
{
	retrying([] {
		puppets p;
		const submission s(p.tid());
		apart([&] {
			BOOST_TEST(core::collect(s.id, nullptr, nullptr) ==
			    ENOENT);
			BOOST_TEST(core::release(s.id) == ENOENT);
			BOOST_TEST(stream::take().empty());
			const submission own(p.tid());
			was_asleep(p, own.id);
		});
		was_asleep(p, s.id);
	});
}

BOOST_AUTO_TEST_CASE(events, *needs("root") * needs("bpf")
    * boost::unit_test::description("EOPNOTSUPP: not on this machine"))
{
	retrying([] {
		const puppets p;
		const stack9::async_event event{switches, p.pid(), 0,
		    STACK9_BOTH, 0};
		stack9::submitter *w = nullptr;
		BOOST_TEST(core::submit_on(&event, &w) == EOPNOTSUPP);
	});
}

BOOST_AUTO_TEST_SUITE_END()
