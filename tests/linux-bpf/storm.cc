// Takes a million captures (a quarter of it where STACK9_LONG is not set) from
// eight threads over victims that sleep, flip and come and go.  STACK9_STORM
// sets another number.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "core_calls.h"
#include "require.h"
#include "kernel_capture.h"

namespace {

// A thread whose stack never changes, and what it was before the storm.
struct sleeper {
	stack9_thread			td;
	std::string			comm;
	std::vector<std::uintptr_t>	pcs;
};

struct counts {
	std::atomic<long> captured{0}, eagain{0}, esrch{0}, mixed{0},
	    wrong_tid{0}, short_untold{0}, lost{0}, passers_by{0}, hidden{0};
};

std::vector<sleeper>
remember(const victim &v)
{
	std::vector<sleeper> all;
	for (const pid_t tid : v.tids()) {
		capture c;
		const stack9_thread td = thread_of(tid);
		BOOST_REQUIRE_EQUAL(c.save(td), 0);
		BOOST_REQUIRE(named(c.rec) == proc_stack(tid));
		all.push_back({td, c.rec.comm, {c.pcs, c.pcs + c.rec.depth}});
	}
	return all;
}

// A stack may end in what this machine's sleeping threads end in, and in the
// way into the kernel of a running or a newborn one.
bool
ends_at_a_root(const stack9::stack_record &rec)
{
	stack9::symbol_name sym;
	const bool never_ran = rec.depth == 1 &&
	    (rec.flags & STACK9_STACK_EXACT) != 0;
	if (core::name(rec.pcs[rec.depth - 1], never_ran ? 0 :
	    stack9::name_return_address, &sym) != 0)
		return false;
	const std::string_view name = sym.name;
	for (const std::string_view root : {"entry_", "ret_from_fork", "asm_",
	    "el0"})
		if (name.starts_with(root))
			return true;
	return false;
}

void
count_error(int error, const capture &c, counts &n)
{
	if (error == EAGAIN) {
		n.eagain++;
	} else if (error == ESRCH) {
		n.esrch++;
	} else {
		n.lost++;
		fmt::print("lost: thread {}: {}, why {}, {}: {}\n",
		    c.rec.thread.tid, strerrorname_np(error),
		    static_cast<int>(c.rec.why),
		    c.rec.route != nullptr ? c.rec.route : "no route",
		    c.rec.reason != nullptr ? c.rec.reason : "no reason");
	}
}

void
look_at_sleeper(const sleeper &s, counts &n)
{
	capture c;
	if (const int error = c.save(s.td); error != 0)
		return count_error(error, c, n);
	n.captured++;
	if (c.rec.thread.tid != s.td.tid || s.comm != c.rec.comm)
		n.wrong_tid++;
	if (c.rec.depth != s.pcs.size())
		n.short_untold += c.rec.why == STACK9_WHY_NONE;
	else if (std::memcmp(c.pcs, s.pcs.data(),
	    s.pcs.size() * sizeof s.pcs[0]) != 0)
		n.mixed++;
}

void
look_at_flipper(const stack9_thread &td, counts &n)
{
	capture c;
	if (const int error = c.save(td); error != 0)
		return count_error(error, c, n);
	n.captured++;
	if (c.rec.thread.tid != td.tid ||
	    std::strncmp(c.rec.comm, "v8-", 3) != 0)
		n.wrong_tid++;
	if (c.rec.why == STACK9_WHY_NONE && !ends_at_a_root(c.rec))
		n.short_untold++;
	for (const std::string &line : named(c.rec))
		for (const char *foreign : {"futex_", "hrtimer_nanosleep",
		    "ep_poll", "do_sigtimedwait"})
			if (line.starts_with(foreign))
				n.mixed++;
}

// Returns whether the thread is one that a guarded machine hides from BPF
// programs: it is refused for that reason, and is older than this test.  Tids
// come round, so the storm may come upon it.
bool
is_hidden(pid_t tid, int error, const stack9::stack_record &rec)
{
	stack9_thread self{}, now{};
	return error == EOPNOTSUPP && rec.why == STACK9_WHY_MACHINE &&
	    stack9_thread_self(&self) == 0 &&
	    stack9_thread_find(tid, &now) == 0 && now.start < self.start;
}

// Captures the thread that may have been born with that tid.
void
look_at_passer_by(pid_t tid, counts &n)
{
	capture c;
	const int error = c.save(tid);
	if (is_hidden(tid, error, c.rec)) {
		n.hidden++;
		return;
	}
	n.passers_by += error != ESRCH;
	if (error != 0)
		return count_error(error, c, n);
	n.captured++;
	if (c.rec.thread.tid != tid)
		n.wrong_tid++;
	if (c.rec.why == STACK9_WHY_NONE && !ends_at_a_root(c.rec))
		n.short_untold++;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_storm_mixes_nothing_and_loses_nothing, *needs("bpf")
    * boost::unit_test::description(
    "0 mixed, 0 of the wrong tid, 0 short without being told, 0 lost"))
{
	const char *wish = std::getenv("STACK9_STORM");
	const long total = wish != nullptr ? std::atol(wish) :
	    rounds(1000000, 250000);
	const victim asleep({std::begin(all_sleepers),
	    std::end(all_sleepers)});
	const victim flipping({doing::flip, doing::flip});
	const victim passing({doing::come_and_go});
	const std::vector<sleeper> sleepers = remember(asleep);
	std::vector<stack9_thread> flippers;
	for (const pid_t tid : flipping.tids())
		flippers.push_back(thread_of(tid));

	counts n;
	std::atomic<long> left{total};
	std::vector<std::thread> threads;
	for (unsigned int i = 0; i < 8; i++)
		threads.emplace_back([&, i] {
			std::minstd_rand pick(i + 1);
			while (left.fetch_sub(1) > 0) {
				const auto r = pick();
				if (r % 4 < 2)
					look_at_sleeper(sleepers[r / 4 %
					    sleepers.size()], n);
				else if (r % 4 == 2)
					look_at_flipper(flippers[r / 4 %
					    flippers.size()], n);
				else
					look_at_passer_by(newest_tid() +
					    static_cast<pid_t>(r / 4 % 2), n);
			}
		});
	for (std::thread &t : threads)
		t.join();
	fmt::print("storm: {} captures: {} stacks, {} EAGAIN, {} ESRCH, "
	    "{} mixed, {} of the wrong tid, {} short untold, {} lost, "
	    "{} hidden\n", total,
	    n.captured.load(), n.eagain.load(), n.esrch.load(), n.mixed.load(),
	    n.wrong_tid.load(), n.short_untold.load(), n.lost.load(),
	    n.hidden.load());
	BOOST_TEST(n.mixed == 0);
	BOOST_TEST(n.wrong_tid == 0);
	BOOST_TEST(n.short_untold == 0);
	BOOST_TEST(n.lost == 0);
	BOOST_TEST(n.passers_by > 0);
	BOOST_TEST(n.captured + n.eagain + n.esrch + n.hidden == total);
	// Every CPU can still capture.
	for (const sleeper &s : sleepers) {
		capture c;
		BOOST_TEST(c.save(s.td) == 0);
	}
}
