// Tests that a running sibling always gets an answer, in bounded time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

namespace bdata = boost::unit_test::data;

namespace {

boost::test_tools::assertion_result
signals(boost::unit_test::test_unit_id)
{
	boost::test_tools::assertion_result r(signals_arrive);
	r.message() << "TSan holds signals back";
	return r;
}

const deed spins[] = {deed::spin, deed::spin_vdso, deed::spin_syscall};

// A thread that waits for a CPU for 0.1 s cannot answer, and one that waits for
// a page is not asked: that is not a failure.
bool
is_silent(int error, const capture &c)
{
	return error == EAGAIN && c.rec.depth == 0 &&
	    (c.rec.why == STACK9_WHY_SILENT || c.rec.why == STACK9_WHY_TORN);
}

int
save(capture &c, const victim &v)
{
	const int error = c.save(route_named("signal"), v.thread());
	BOOST_REQUIRE((error == 0 || is_silent(error, c)));
	return error;
}

void
check_whole(const capture &c, const victim &v)
{
	BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
	BOOST_TEST(c.rec.flags == STACK9_STACK_EXACT);
	BOOST_TEST_INFO(hex(c.frames()));
	BOOST_TEST(behind(c.frames(), v.order.truth.at(0)) == v.order.truth,
	    boost::test_tools::per_element());
}

[[gnu::noinline]] void
descend(int depth, orders &o)
{
	if (depth > 0)
		descend(depth - 1, o);
	else
		lean::obey(o);
	asm volatile("" ::: "memory");
}

// Until each of the counts has grown by so many.
void
await_more(const std::array<std::atomic<long>, 4> &counts, long more)
{
	std::array<long, 4> enough;
	for (std::size_t i = 0; i < enough.size(); i++)
		enough[i] = counts[i] + more;
	for (std::size_t i = 0; i < enough.size(); i++)
		while (counts[i] < enough[i])
			std::this_thread::yield();
}

std::string
wrong_answer(int error, const capture &c)
{
	return std::to_string(error) + ", why " +
	    std::to_string(c.rec.why) + ", " + hex(c.frames()) + "\n";
}

} // namespace

BOOST_AUTO_TEST_CASE(registers_say_that_a_spinning_thread_is_on_a_cpu)
{
	victim v(lean::obey, deed::spin);
	capture c;
	BOOST_TEST(c.save(route_named("registers"), v.thread()) == EAGAIN);
	BOOST_TEST(c.rec.why == STACK9_WHY_ON_CPU);
	BOOST_TEST(c.rec.depth == 0);
}

BOOST_DATA_TEST_CASE(a_running_sibling_always_answers_with_its_whole_stack,
    bdata::make({0, 1, 2}), which)
{
	if (!signals_arrive)
		return;
	for (const auto how : {lean::obey, plain::obey}) {
		victim v(how, spins[which]);
		capture c;
		for (int answered = 0; answered < 1000;)
			if (save(c, v) == 0 && (answered++ == 0 ||
			    c.rec.depth < v.order.truth.size()))
				check_whole(c, v);
		check_whole(c, v);
	}
}

BOOST_AUTO_TEST_CASE(a_thread_that_blocks_the_signal_is_silent_in_bounded_time,
    *boost::unit_test::precondition(signals))
{
	std::atomic<bool> blocked{true};
	victim v([&](orders &o) {
		sigset_t all;
		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, nullptr);
		o.ready = true;
		while (blocked)
			;
		pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
		lean::obey(o);
	}, deed::spin);
	capture c;
	const auto before = std::chrono::steady_clock::now();
	BOOST_TEST(c.save(route_named("signal"), v.thread()) == EAGAIN);
	BOOST_TEST(c.rec.why == STACK9_WHY_SILENT);
	BOOST_TEST(c.rec.depth == 0);
	// The bound is 0.1 s; a machine may be busy.
	BOOST_TEST((std::chrono::steady_clock::now() - before <
	    std::chrono::seconds(5)));
	sigset_t pending;
	sigpending(&pending);
	BOOST_TEST(sigismember(&pending, SIGRTMAX - 1) == 0);
	v.order.ready = false;
	blocked = false;
	while (!v.order.ready)
		std::this_thread::yield();
	while (save(c, v) != 0)
		;
	check_whole(c, v);
}

BOOST_AUTO_TEST_CASE(many_askers_of_one_thread_are_each_answered,
    *boost::unit_test::precondition(signals))
{
	victim v(lean::obey, deed::spin);
	std::vector<std::string> wrong(12);
	std::vector<std::thread> askers;
	for (std::string &said : wrong)
		askers.emplace_back([&] {
			capture c;
			for (int n = 0; n < 200;) {
				const int error = c.save(route_named("signal"),
				    v.thread());
				n += error == 0;
				if (error != 0 ? !is_silent(error, c) :
				    behind(c.frames(), v.order.truth[0]) !=
				    v.order.truth)
					said += wrong_answer(error, c);
			}
		});
	for (std::thread &t : askers)
		t.join();
	for (const std::string &said : wrong)
		BOOST_TEST(said == "");
}

BOOST_AUTO_TEST_CASE(a_deep_stack_is_whole_or_truncated_at_the_room,
    *boost::unit_test::precondition(signals))
{
	constexpr int deep = 5000;
	victim v(+[](orders &o) { descend(deep, o); }, deed::spin);
	capture all(2 * deep), some(18);
	while (save(all, v) != 0)
		;
	while (save(some, v) != 0)
		;
	BOOST_TEST(all.rec.why == STACK9_WHY_NONE);
	BOOST_TEST(all.rec.depth > deep);
	const auto tail = behind(all.frames(), v.order.truth.at(0));
	BOOST_REQUIRE(tail.size() > v.order.truth.size());
	BOOST_TEST(std::equal(v.order.truth.begin(), v.order.truth.end(),
	    tail.begin()));
	BOOST_TEST(some.rec.depth == 18);
	BOOST_TEST(some.rec.why == STACK9_WHY_TRUNCATED);
	BOOST_TEST(some.rec.dropped >= 1);
	BOOST_TEST(std::equal(some.room.begin() + 1, some.room.end(),
	    all.room.begin() + 1));
}

BOOST_AUTO_TEST_CASE(more_frames_than_an_answer_holds_are_reported_as_truncated,
    *boost::unit_test::precondition(signals))
{
	constexpr std::uint32_t most = 32 << 10;
	victim v(+[](orders &o) { descend(most, o); }, deed::spin);
	capture c(2 * most);
	while (save(c, v) != 0)
		;
	BOOST_TEST(c.rec.depth == most);
	BOOST_TEST(c.rec.why == STACK9_WHY_TRUNCATED);
	BOOST_TEST(c.rec.dropped >= 1);
}

BOOST_AUTO_TEST_CASE(a_sibling_may_be_amid_a_capture_of_its_own,
    *boost::unit_test::precondition(signals))
{
	std::atomic<bool> end{false};
	std::atomic<long> wrong{0};
	victim v([&](orders &o) {
		stack9::own_route &own = *own_routes().front();
		capture c;
		note_truth(o.truth, RETURN_ADDRESS());
		o.ready = true;
		while (!end)
			wrong += c.save(own, {}) != 0 ||
			    behind(c.frames(), o.truth[0]) != o.truth;
	});
	capture c;
	for (int answered = 0; answered < 5000;) {
		if (save(c, v) != 0)
			continue;
		answered++;
		BOOST_TEST_INFO(hex(c.frames()));
		BOOST_REQUIRE((behind(c.frames(), v.order.truth[0]) ==
		    v.order.truth));
	}
	end = true;
	BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(the_handler_keeps_errno,
    *boost::unit_test::precondition(signals))
{
	std::atomic<bool> end{false};
	std::atomic<long> changed{0};
	victim v([&](orders &o) {
		note_truth(o.truth, RETURN_ADDRESS());
		errno = 12345;
		o.ready = true;
		while (!end)
			changed += errno != 12345;
	});
	capture c;
	for (int answered = 0; answered < 1000;)
		answered += save(c, v) == 0;
	end = true;
	BOOST_TEST(changed == 0);
}

BOOST_AUTO_TEST_CASE(a_child_forked_amid_captures_can_capture,
    *boost::unit_test::precondition(signals))
{
	victim v(lean::obey, deed::spin);
	std::atomic<bool> end{false}, rest{false};
	std::array<std::atomic<long>, 4> asked{};
	std::vector<std::thread> askers;
	for (auto &times : asked)
		askers.emplace_back([&] {
			capture c;
			while (!end) {
				c.save(route_named("signal"), v.thread());
				times++;
				rest.wait(true);
			}
		});
	int failed = 0;
	for (int i = 0; i < 50; i++) {
		await_more(asked, 2);
		const pid_t pid = fork();
		if (pid == 0) {
			victim child(lean::obey, deed::spin);
			capture c;
			for (int n = 0; n < 10;) {
				const int error = c.save(route_named("signal"),
				    child.thread());
				n += error == 0;
				if (error != 0 && error != EAGAIN)
					_exit(1);
			}
			_exit(0);
		}
		// It is the fork that they have to be amid: afterwards they
		// would only take the CPUs from the child.
		rest = true;
		int status;
		waitpid(pid, &status, 0);
		failed += status != 0;
		rest = false;
		rest.notify_all();
	}
	end = true;
	for (std::thread &t : askers)
		t.join();
	BOOST_TEST(failed == 0);
}
