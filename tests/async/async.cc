// Submits asynchronous captures, waits for them, collects and releases them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "async.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include <boost/test/execution_monitor.hpp>
#include <boost/test/results_collector.hpp>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>

namespace {

constexpr int patience_ms = 120000;	// then nothing will come any more

// Functions are named in BTF, as functions that programs may call.  These are
// some megabytes, and each case asks.
std::string
task_work_missing()
{
	static const std::string lack = [] {
		std::ifstream f("/sys/kernel/btf/vmlinux", std::ios::binary);
		const std::string btf((std::istreambuf_iterator<char>(f)), {});
		return btf.find("bpf_task_work_schedule_resume") != btf.npos ?
		    "" : "no bpf_task_work_schedule_resume() in this kernel";
	}();
	return lack;
}

// The ids that the stream has given so far.
std::set<stack9_id> came;

} // namespace

boost::unit_test::decorator::precondition
needs_task_work()
{
	return needs("task-work", task_work_missing);
}

submission::submission(pid_t tid, stack9_side side, unsigned int flags)
{
	const stack9_thread td = thread_of(tid);
	BOOST_REQUIRE_EQUAL(core::submit(&td, side, flags, &id), 0);
	BOOST_REQUIRE_NE(id, 0u);
}

int
refusal(const stack9_thread &td, stack9_side side, unsigned int flags)
{
	constexpr stack9_id untouched = 0x1234;
	stack9_id id = untouched;
	const int error = core::submit(&td, side, flags, &id);
	if (error == 0)
		core::release(id);
	else
		BOOST_TEST(id == untouched);	// written on 0 only
	return error;
}

int
refusal(pid_t tid, stack9_side side, unsigned int flags)
{
	return refusal(stack9_thread{tid, 0, 0}, side, flags);
}

int
answer::outcome(stack9_id id)
{
	stream::take_until(id);
	return collect(id);
}

std::string
answer::fault(const std::vector<std::string> &functions)
{
	const stack9::stack_record &rec = user.rec;
	if (rec.error != 0 || rec.why != STACK9_WHY_NONE || rec.depth == 0)
		return fmt::format("error {}, {} frames: {}", rec.error,
		    rec.depth, stack9_why_text(rec.why));
	const auto all = user.names();
	auto wanted = functions.begin();
	if (in_the_manual(all[0]).find(*wanted) == std::string::npos)
		return fmt::format("not in {}: {}", *wanted, joined(all));
	for (const std::string &name : all)
		if (wanted != functions.end() &&
		    name.find(*wanted) != std::string::npos)
			++wanted;
	return wanted == functions.end() ? "" :
	    fmt::format("no {}: {}", *wanted, joined(all));
}

int
stream::fd()
{
	int fd = -1;
	BOOST_REQUIRE_EQUAL(core::ready_fd(&fd), 0);
	return fd;
}

bool
stream::readable()
{
	pollfd p{fd(), POLLIN, 0};
	return poll(&p, 1, 0) == 1;
}

void
stream::wait_readable()
{
	pollfd p{fd(), POLLIN, 0};
	BOOST_REQUIRE_MESSAGE(poll(&p, 1, patience_ms) == 1,
	    "nothing becomes ready");
}

std::vector<stack9::arrival>
stream::take(std::size_t at_a_time)
{
	std::vector<stack9::arrival> all, some(at_a_time);
	for (;;) {
		std::size_t count = 0;
		const int error = core::ready(some.data(), some.size(),
		    &count);
		if (error == EAGAIN)
			return all;
		BOOST_REQUIRE_EQUAL(error, 0);
		BOOST_REQUIRE_GE(count, 1u);
		BOOST_REQUIRE_LE(count, some.size());
		for (std::size_t i = 0; i < count; i++) {
			all.push_back(some[i]);
			came.insert(some[i].id);
		}
	}
}

namespace {

template <class Enough> std::vector<stack9::arrival>
take_while_not(Enough enough)
{
	std::vector<stack9::arrival> all;
	for (;;) {
		const auto some = stream::take();
		all.insert(all.end(), some.begin(), some.end());
		if (enough(all))
			return all;
		stream::wait_readable();
	}
}

} // namespace

std::vector<stack9::arrival>
stream::take_until(stack9_id id)
{
	return take_while_not([=](const auto &) {
		return came.count(id) != 0;
	});
}

std::vector<stack9::arrival>
stream::take_many(std::size_t count)
{
	return take_while_not([=](const auto &all) {
		return all.size() >= count;
	});
}

int
collect_over(stack9_id id)
{
	using clock = std::chrono::steady_clock;
	const auto end = clock::now() + std::chrono::milliseconds(patience_ms);
	int error;
	while ((error = core::collect(id, nullptr, nullptr)) == EAGAIN &&
	    clock::now() < end)
		sched_yield();
	return error;
}

void
apart(const std::function<void()> &body)
{
	namespace test = boost::unit_test;
	BOOST_TEST(in_child([&] {
		came.clear();
		try {
			body();
		} catch (const boost::execution_aborted &) {
		}
		std::fflush(nullptr);
		return test::results_collector.results(
		    test::framework::current_test_case_id())
		    .p_assertions_failed == 0 ? 0 : 1;
	}) == 0);
}
