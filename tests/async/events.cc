// Tests events that submit.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <set>

#include <sys/syscall.h>
#include <unistd.h>

#include "core_calls.h"
#include "puppets.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(async_events)

namespace {

constexpr std::uint64_t cookie = 0xc00c1e00c00c1e;

bool
has(const std::vector<std::string> &names, const std::string &function)
{
	return std::any_of(names.begin(), names.end(),
	    [&](const std::string &name) {
		    return name.find(function) != std::string::npos;
	    });
}

// Collects what came one by one, with its cookie, in user space again, and
// releases all of it.
template <class Seen> void
go_through(answer &a, const std::vector<stack9::arrival> &came, Seen seen)
{
	for (const stack9::arrival &r : came) {
		BOOST_TEST(r.id != 0u);
		BOOST_TEST(r.dropped == 0u);
		const int error = a.collect(r.id);
		seen(r, error);
		BOOST_TEST(core::release(r.id) == 0);
	}
}

// Wakes it until something has come.
std::vector<stack9::arrival>
wake_until_some(puppets &p, std::size_t i = 0)
{
	for (;;) {
		p.wake(i);
		if (auto came = stream::take(); !came.empty())
			return came;
	}
}

// Wakes them all, so that nothing waits any more, and forgets what comes.
void
let_go(puppets &p, std::size_t threads)
{
	for (std::size_t i = 0; i < threads; i++)
		p.wake(i);
	for (const stack9::arrival &r : stream::take())
		core::release(r.id);
}

void
end_thread(puppets::strings &)
{
	syscall(SYS_exit, 0);
}

} // namespace

BOOST_AUTO_TEST_CASE(whoever_sleeps, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("Submits, from then on, each thread to "
    "which event happens, when it happens; cookie: given back"))
{
	puppets p(2);
	answer a(p.pid());
	stream::take();
	watched w({switches, p.pid(), 0, STACK9_BOTH, cookie});
	std::set<pid_t> seen;
	for (int i = 0; i < 20; i++)
		go_through(a, wake_until_some(p, static_cast<std::size_t>(i) %
		    2), [&](const stack9::arrival &r, int error) {
			BOOST_TEST(r.cookie == cookie);
			BOOST_TEST(error == 0);
			BOOST_TEST(a.kernel.rec.error == 0);
			BOOST_TEST(has(named(a.kernel.rec), "schedule"));
			BOOST_TEST(a.user.rec.error == 0);
			BOOST_TEST(a.user.rec.why == STACK9_WHY_NONE);
			BOOST_TEST(has(a.user.names(), "obey"), a.names());
			BOOST_TEST(a.user.rec.thread.pid == p.pid());
			BOOST_TEST(a.user.rec.thread.tid ==
			    a.kernel.rec.thread.tid);
			seen.insert(a.user.rec.thread.tid);
		});
	BOOST_TEST(seen == (std::set<pid_t>{p.tid(0), p.tid(1)}));
	w.end();
	let_go(p, 2);
}

BOOST_AUTO_TEST_CASE(one_thread_only, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("pid: threads of this process only; tid: "
    "this thread only; the kernel's side alone is ready at once"))
{
	puppets p(3);
	answer a(p.pid());
	stream::take();
	for (const pid_t pid : {p.pid(), 0}) {
		watched w({switches, pid, p.tid(1), STACK9_KERNEL, 7});
		for (int i = 0; i < 10; i++) {
			p.wake(0);
			p.wake(2);
			go_through(a, wake_until_some(p, 1),
			    [&](const stack9::arrival &r, int error) {
				    BOOST_TEST(r.cookie == 7u);
				    BOOST_TEST(error == 0);
				    BOOST_TEST(a.kernel.rec.thread.tid ==
					p.tid(1));
				    BOOST_TEST(a.kernel.rec.error == 0);
				    BOOST_TEST(a.user.rec.error == EINVAL);
			    });
		}
	}
	let_go(p, 3);
}

BOOST_AUTO_TEST_CASE(at_so_many_hertz, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "profile:hz:99: on each CPU so many times a second"))
{
	puppets p(2);
	p.run(puppets::spin, 1);
	answer a(p.pid());
	stream::take();
	watched w({samples, p.pid(), 0, STACK9_USER, cookie});
	go_through(a, stream::take_many(40),
	    [&](const stack9::arrival &r, int error) {
		    BOOST_TEST(r.cookie == cookie);
		    BOOST_TEST(error == 0);
		    BOOST_TEST(a.kernel.rec.error == EINVAL);
		    BOOST_TEST(a.user.rec.thread.tid == p.tid(1));
		    BOOST_TEST(a.fault({"spin", "obey"}) == "");
	    });
	w.end();
	p.go_on(1);
	p.settle(1);
	let_go(p, 2);
}

BOOST_AUTO_TEST_CASE(two_events, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("cookie: given back by "
    "stack9_async_next()"))
{
	puppets p(2);
	p.run(puppets::spin, 1);
	answer a(p.pid());
	stream::take();
	watched by_time({samples, 0, p.tid(1), STACK9_USER, 1});
	watched by_switch({switches, 0, p.tid(0), STACK9_BOTH, 2});
	std::set<std::uint64_t> cookies;
	while (cookies.size() < 2)
		go_through(a, wake_until_some(p),
		    [&](const stack9::arrival &r, int error) {
			    cookies.insert(r.cookie);
			    BOOST_TEST(error == 0);
			    BOOST_TEST(a.user.rec.thread.tid ==
				p.tid(r.cookie == 1 ? 1 : 0));
		    });
	BOOST_TEST(cookies == (std::set<std::uint64_t>{1, 2}));
	by_time.end();
	by_switch.end();
	p.go_on(1);
	p.settle(1);
	let_go(p, 2);
}

BOOST_AUTO_TEST_CASE(not_any_more, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("the events end; threads that were "
    "submitted before return once"))
{
	puppets p;
	answer a(p.pid());
	stream::take();
	core::submit_off(nullptr);
	watched w({switches, p.pid(), 0, STACK9_BOTH, cookie});
	for (const stack9::arrival &r : wake_until_some(p))
		core::release(r.id);
	w.end();
	// It sleeps, and was submitted when it fell asleep.
	p.wake();
	const auto last = stream::take();
	BOOST_TEST(last.size() == 1u);
	go_through(a, last, [&](const stack9::arrival &r, int error) {
		BOOST_TEST(r.cookie == cookie);
		BOOST_TEST(error == 0);
		BOOST_TEST(a.fault({"read", "obey"}) == "");
	});
	for (int i = 0; i < 10; i++)
		p.wake();
	BOOST_TEST(stream::take().empty());
}

BOOST_AUTO_TEST_CASE(whoever_ends, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("each thread to which event happens; "
    "ESRCH: the thread has ended, and will not return; kernel is filled in"))
{
	puppets p(4);
	answer a(p.pid());
	stream::take();
	watched w({exits, p.pid(), 0, STACK9_BOTH, cookie});
	std::set<pid_t> ended, seen;
	// One after the other: a kernel may preempt the program of one's end,
	// and then does not show it another's on that CPU.
	for (std::size_t i = 0; i < 3; i++) {
		p.order(end_thread, i);
		ended.insert(p.tid(i));
		go_through(a, stream::take_many(1),
		    [&](const stack9::arrival &r, int error) {
			    BOOST_TEST(r.cookie == cookie);
			    BOOST_TEST(error == ESRCH);
			    BOOST_TEST(a.kernel.rec.error == 0);
			    BOOST_TEST(has(named(a.kernel.rec), "do_exit"));
			    seen.insert(a.kernel.rec.thread.tid);
		    });
	}
	BOOST_TEST(seen == ended);
	BOOST_TEST(stream::take().empty());
}

BOOST_AUTO_TEST_CASE(wrong_arguments, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("ENOENT: no event has that name; EINVAL"))
{
	const puppets p;
	const auto error_of = [&](stack9::async_event event) {
		stack9::submitter *w = nullptr;
		const int error = core::submit_on(&event, &w);
		BOOST_TEST((w == nullptr) == (error != 0));
		core::submit_off(w);
		return error;
	};
	const pid_t pid = p.pid();
	BOOST_TEST(error_of({"rawtracepoint:no_such_event", pid, 0,
	    STACK9_BOTH, 0}) == ENOENT);
	for (const char *const name : {"rawtracepoint:", "sched_switch", "",
	    "no_such_kind:sched_switch", "profile:hz:0", "profile:hz:-1",
	    "profile:hz:x", "profile:hz:", "profile:hz:99x"})
		BOOST_TEST(error_of({name, pid, 0, STACK9_BOTH, 0}) == EINVAL,
		    name);
	BOOST_TEST(error_of({nullptr, pid, 0, STACK9_BOTH, 0}) == EINVAL);
	BOOST_TEST(error_of({switches, -1, 0, STACK9_BOTH, 0}) == EINVAL);
	BOOST_TEST(error_of({switches, pid, -1, STACK9_BOTH, 0}) == EINVAL);
	// Others are not values of it in C++.
	BOOST_TEST(error_of({switches, pid, 0, static_cast<stack9_side>(0),
	    0}) == EINVAL);
	stack9::submitter *w = nullptr;
	BOOST_TEST(core::submit_on(nullptr, &w) == EINVAL);
	const stack9::async_event event{switches, pid, 0, STACK9_BOTH, 0};
	BOOST_TEST(core::submit_on(&event, nullptr) == EINVAL);
}

BOOST_AUTO_TEST_CASE(sixteen_at_once, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("ENOBUFS: 16 events are watched already"))
{
	const puppets p;
	const stack9::async_event event{exits, p.pid(), 0, STACK9_KERNEL, 0};
	for (int round = 0; round < 3; round++) {
		std::deque<watched> all;
		for (int i = 0; i < 16; i++)
			all.emplace_back(event);
		stack9::submitter *w = nullptr;
		BOOST_TEST(core::submit_on(&event, &w) == ENOBUFS);
		all.pop_front();
		all.emplace_back(event);
	}
}

BOOST_AUTO_TEST_SUITE_END()
