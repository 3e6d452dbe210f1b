// Tests that a pass over a process misses no thread because others die while it
// reads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include "pass.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(dying)

namespace {

constexpr long mortals = 400;

long
threads_of(pid_t pid)
{
	const std::filesystem::directory_iterator all(
	    fmt::format("/proc/{}/task", pid));
	return std::distance(begin(all), end(all));
}

// A process whose threads all wait for their end except the first one and the
// last.
class household {
public:
	household()
	{
		BOOST_REQUIRE(pipe(ends_) == 0);
		child_.emplace([this] {
			for (long i = 0; i < mortals; i++)
				std::thread([this] {
					char c;
					if (read(ends_[0], &c, 1) != 1)
						_exit(1);
				}).detach();
			std::thread([] { pause(); }).detach();
		});
		wait_for(mortals + 2);
	}
	~household()
	{
		close(ends_[0]);
		close(ends_[1]);
	}
	household(const household &) = delete;

	pid_t pid() const { return child_->pid(); }

	void
	let_die()
	{
		const std::string bytes(mortals, '.');
		BOOST_REQUIRE(write(ends_[1], bytes.data(), bytes.size()) ==
		    mortals);
		wait_for(2);
	}

	// After let_die().
	pid_t
	survivor() const
	{
		for (const auto &one : std::filesystem::directory_iterator(
		    fmt::format("/proc/{}/task", pid())))
			if (const pid_t tid = std::stoi(
			    one.path().filename()); tid != pid())
				return tid;
		return 0;
	}

private:
	void
	wait_for(long threads) const
	{
		while (threads_of(pid()) != threads)
			sched_yield();
	}

	int			ends_[2];
	std::optional<child>	child_;
};

// The kernel's pass is at a thread between two reads.
void
all_but_two_die(const std::string &route, stack9_side side)
{
	const forced only(route);
	household h;
	bool dead = false;
	const pass p(side, h.pid(), [&](const stack9::stack_record &) {
		if (!dead)
			h.let_die();
		dead = true;
		return 0;
	});
	BOOST_TEST(p.error == 0);
	BOOST_TEST(p.disorder() == "");
	BOOST_REQUIRE(dead);
	for (const pid_t tid : {h.pid(), h.survivor()})
		for (const stack9_side s : {STACK9_USER, STACK9_KERNEL})
			BOOST_TEST(((s & side) == 0 || p.of(tid, s) != nullptr),
			    tid << " is not among " << p.all.size());
}

} // namespace

BOOST_AUTO_TEST_CASE(user_stacks, *needs("ptrace")
    * boost::unit_test::description("every thread of a process, though those "
    "before it die as they are visited"))
{
	for (const std::string &route : routes_of(many_job))
		for (const stack9_side side : {STACK9_USER, STACK9_BOTH})
			BOOST_TEST_CONTEXT("by " << route << ", side " << side)
				all_but_two_die(route, side);
}

BOOST_AUTO_TEST_CASE(kernel_stacks, *needs("bpf")
    * boost::unit_test::description("the same of kernel stacks"))
{
	for (const std::string &route :
	    routes_of("kernel stacks of many threads"))
		BOOST_TEST_CONTEXT("by " << route)
			all_but_two_die(route, STACK9_KERNEL);
}

BOOST_AUTO_TEST_SUITE_END()
