// Tests threads of C that call Go, where the stack of C can be copied and where
// it cannot.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <stack9_coroutines.h>

#include "agree.h"

namespace {

// In this order, perhaps with others between them.
bool
has_in_order(const std::vector<std::string> &names,
    const std::vector<std::string> &some)
{
	auto at = names.begin();
	for (const std::string &each : some) {
		at = std::find(at, names.end(), each);
		if (at == names.end())
			return false;
	}
	return true;
}

// Keeps this process, and what it starts, on one CPU.  The thread that spins
// then waits while we look, and its registers stay for a second capture.
class on_one_cpu {
public:
	on_one_cpu()
	{
		cpu_set_t one;
		CPU_ZERO(&one);
		CPU_SET(sched_getcpu(), &one);
		sched_getaffinity(0, sizeof before_, &before_);
		sched_setaffinity(0, sizeof one, &one);
	}
	~on_one_cpu() { sched_setaffinity(0, sizeof before_, &before_); }
	on_one_cpu(const on_one_cpu &) = delete;

private:
	cpu_set_t	before_{};
};

struct spinning {
	target	t{{program("go_callback"), "spin"}, true};

	// The stack of the one that spins; no frames: it is not there.
	captured
	stack(const std::string &route, std::vector<std::string> &names)
	{
		// A signal may interrupt it meanwhile.
		for (int tries = 0; tries < 100; tries++)
			for (const pid_t tid : t.tids()) {
				captured c = capture(tid, route);
				names = names_of(t.pid(), c);
				if (has_in_order(names, {"main.spins"}))
					return c;
			}
		return {};
	}
};

} // namespace

// The other stack is copied by another stop.  It is left out if the thread has
// gone on between the two.
BOOST_AUTO_TEST_CASE(a_stopped_thread_of_c_in_go, *built("go_callback") *
    boost::unit_test::description("The stack of a thread of C goes to the "
    "start of the thread"))
{
	const on_one_cpu here;
	spinning s;
	std::vector<std::string> names;
	captured c = s.stack("ptrace", names);
	for (int n = 0; n < 100 && c.why == STACK9_WHY_MEMORY; n++)
		c = s.stack("ptrace", names);
	const std::string text = fmt::format("{} {}", c.reason,
	    fmt::join(names, " "));
	BOOST_TEST(c.why == STACK9_WHY_NONE, text);
	BOOST_TEST(has_in_order(names, {"main.spins",
	    "runtime.cgocallback.abi0", "crosscall2", "spins",
	    "thread_spinning"}), text);
	BOOST_TEST(begins_a_thread(names.back()), text);
}

// While it runs nothing of the stack of C is copied, unless by a route that
// stops it.
BOOST_AUTO_TEST_CASE(a_running_thread_of_c_in_go, *built("go_callback") *
    boost::unit_test::description("The frames of C are left out then, and the "
    "reason says so."))
{
	spinning s;
	std::vector<std::string> names;
	const captured c = s.stack("", names);
	const std::string text = fmt::format("{} {}", c.reason,
	    fmt::join(names, " "));
	if (c.why == STACK9_WHY_NONE) {
		BOOST_TEST(has_in_order(names, {"crosscall2"}), text);
		BOOST_TEST(begins_a_thread(names.back()), text);
		return;
	}
	BOOST_TEST(c.why == STACK9_WHY_MEMORY, text);
	BOOST_TEST(c.reason.find("the frames of C that called Go are on "
	    "another stack, which was not copied") != c.reason.npos, text);
	BOOST_TEST(names.back() == "runtime.goexit.abi0", text);
}

BOOST_AUTO_TEST_CASE(a_goroutine_of_a_thread_of_c, *built("go_callback") *
    boost::unit_test::description("The frames of C are left out where C "
    "called Go, as in Go's own tracebacks."))
{
	target t({program("go_callback")});
	const stack9_thread td{t.pid(), t.pid(), 0};
	struct found {
		pid_t	pid;
		int	many;
	} all{t.pid(), 0};
	const int error = stack9_coroutines(&td, nullptr,
	    [](void *arg, const stack9_coroutine *c) {
		auto &f = *static_cast<found *>(arg);
		const stack9_stack &s = *c->sample->user;
		captured of;
		of.pcs.assign(s.pcs, s.pcs + s.depth);
		const auto names = names_of(f.pid, of);
		if (!has_in_order(names, {"main.parks"}))
			return 0;
		f.many++;
		const std::string text = fmt::format("{} {}", s.reason,
		    fmt::join(names, " "));
		BOOST_TEST(s.why == STACK9_WHY_NONE, text);
		BOOST_TEST(has_in_order(names, {"runtime.cgocallback.abi0",
		    "runtime.goexit.abi0"}), text);
		return 0;
	}, &all);
	BOOST_TEST(error == 0);
	BOOST_TEST(all.many == 1);
}
