// Has a process pretend to be a Go program that has many goroutines, or that
// has goroutines which cannot be.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <ctime>

#include <sys/mman.h>
#include <sys/uio.h>

#include "core/seam/second_reading.h"
#include "near.h"
#include "pretended.h"
#include "require.h"

namespace {

// CPU time: another program's work does not change it.
double
seconds()
{
	timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return static_cast<double>(t.tv_sec) +
	    static_cast<double>(t.tv_nsec) / 1e9;
}

// Checks the answers of up to three calls, until one takes less than the limit,
// and returns the least time.  Another program may have had the caches.
template <class F>
double
time_of_find(pid_t pid, double limit, F check)
{
	double least = limit;
	for (int tries = 0; tries < 3 && least >= limit; tries++) {
		goroutines all;
		const double begin = seconds();
		const int error = find(pid, all);
		const double took = seconds() - begin;
		least = tries == 0 ? took : std::min(least, took);
		check(error, all);
	}
	return least;
}

constexpr std::uint64_t ten_million = 10'000'000;

} // namespace

#define	COSTS_LITTLE boost::unit_test::description("ISSUE: hostile memory: an "\
	"allgs of 10 million or nonsense pointers costs nothing much")

BOOST_AUTO_TEST_CASE(ten_million_times_the_same, *COSTS_LITTLE)
{
	const lib::child c([] {
		pretend(ten_million);
		auto *const g = static_cast<record *>(make(sizeof(record)));
		fill(*g, 1);
		give_stack(*g, 1 << 20);
		std::fill_n(pretended.at, ten_million,
		    reinterpret_cast<std::uint64_t>(g));
	});
	BOOST_TEST(time_of_find(c.pid(), 3, [](int error, const auto &all) {
		BOOST_TEST((error == ENOENT || all.size() <= 1));
	}) < 3);
}

// Where a library may be a server's file, only pages in memory are read.
BOOST_AUTO_TEST_CASE(nonsense_behind_some_real_ones, *COSTS_LITTLE *
    needs("near files", [] { return why_far("/"); }))
{
	const lib::child c([] {
		constexpr int real = 300;
		pretend(ten_million);
		auto *const g = static_cast<record *>(make(real *
		    sizeof(record)));
		for (int i = 0; i < real; i++) {
			fill(g[i], 1 + static_cast<std::uint64_t>(i));
			give_stack(g[i], 4096);
			pretended.at[i] = g[i].self;
		}
		std::fill_n(pretended.at + real, 1000, 0xdeadbeef00);
		std::fill_n(pretended.at + real + 1000, 1000, g[0].self + 8);
	});
	BOOST_TEST(time_of_find(c.pid(), 3, [](int error, const auto &all) {
		BOOST_TEST(error == 0);
		BOOST_TEST(all.size() == 300u);
		for (const auto &[id, g] : all)	// whose words cannot be printed
			BOOST_TEST(g.state == "waiting");
	}) < 3);
}

// The collector may leave what resembles a record except for one word.
BOOST_AUTO_TEST_CASE(records_that_are_none, *boost::unit_test::description(
    "a goroutine's record has its own address, and a stack that can be"))
{
	const lib::child c([] {
		constexpr int real = 300, none = 4;
		pretend(real + none);
		auto *const g = static_cast<record *>(make((real + none) *
		    sizeof(record)));
		for (int i = 0; i < real + none; i++) {
			fill(g[i], 1 + static_cast<std::uint64_t>(i));
			give_stack(g[i], 4096);
			pretended.at[i] = g[i].self;
		}
		g[real].self = g[0].self;
		g[real + 1].high += 1ull << 33;	// more than Go allows
		g[real + 2].low += 4;
		g[real + 3].high += 4;
	});
	goroutines all;
	BOOST_TEST(find(c.pid(), all) == 0);
	BOOST_TEST(all.size() == 300u);
}

BOOST_AUTO_TEST_CASE(a_status_that_no_goroutine_has, *boost::unit_test::
    description("ENOENT: the process is no program of Go's, or has no list"))
{
	for (const std::uint32_t status : {0u, 5u, 7u, 12u}) {
		const lib::child c([=] {
			pretend(5);
			auto *const g = static_cast<record *>(make(5 *
			    sizeof(record)));
			for (int i = 0; i < 5; i++) {
				fill(g[i], 1 + static_cast<std::uint64_t>(i));
				give_stack(g[i], 4096);
				pretended.at[i] = g[i].self;
			}
			g[2].status = status;
		});
		goroutines all;
		BOOST_TEST(find(c.pid(), all) == ENOENT);
	}
}

BOOST_AUTO_TEST_CASE(stacks_that_cannot_be, *COSTS_LITTLE)
{
	const lib::child c([] {
		pretend(5);
		auto *const g = static_cast<record *>(make(5 *
		    sizeof(record)));
		for (int i = 0; i < 5; i++) {
			fill(g[i], 1 + static_cast<std::uint64_t>(i));
			give_stack(g[i], 4096);
			pretended.at[i] = g[i].self;
		}
		g[0].sp = g[0].high;		// not in the stack
		g[1].sp++;			// not a multiple of 8
		g[2].high += 1ull << 31;	// more than is copied
		munmap(reinterpret_cast<void *>(g[3].low), 4096);
		g[4].pc = g[4].low;		// no code
	});
	goroutines all;
	BOOST_TEST(find(c.pid(), all) == 0);
	BOOST_TEST(all.size() == 5u);
	for (const auto &[id, g] : all) {
		BOOST_TEST(g.error == EAGAIN);
		BOOST_TEST(g.why == STACK9_WHY_MEMORY);
		BOOST_TEST(g.pcs.empty());
	}
}

// The stack is another one each time that it is copied for the second time, and
// the record is the same.
BOOST_AUTO_TEST_CASE(a_stack_that_was_written_meanwhile,
    *needs("near files", [] { return why_far("/"); }) *
    boost::unit_test::description("EAGAIN: it ran while its stack was copied"))
{
	static std::uint64_t written, reads;
	static pid_t writer;
	const lib::child c([] {
		pretend(2);
		auto *const g = static_cast<record *>(make(2 *
		    sizeof(record)));
		for (int i = 0; i < 2; i++) {
			fill(g[i], 1 + static_cast<std::uint64_t>(i));
			give_stack(g[i], 4096);
			pretended.at[i] = g[i].self;
		}
		g[0].sp = g[0].high - 2048;
		g[1].sp = g[1].high - 1024;
	});
	goroutines all;
	BOOST_REQUIRE(find(c.pid(), all) == 0);
	BOOST_REQUIRE(all.size() == 2u);
	writer = c.pid();
	written = reads = 0;
	stack9::before_second_reading = [](pid_t, std::uint64_t at) {
		if (at % 4096 != 2048 || reads++ % 2 == 0)
			return;
		std::uint64_t word = reads;
		const iovec from{&word, sizeof word},
		    to{reinterpret_cast<void *>(at), sizeof word};
		if (process_vm_writev(writer, &from, 1, &to, 1, 0) ==
		    sizeof word)
			written++;
	};
	all.clear();
	BOOST_TEST(find(c.pid(), all) == 0);
	stack9::before_second_reading = nullptr;
	BOOST_TEST(written > 1u);
	BOOST_TEST(all.at(1).error == EAGAIN);
	BOOST_TEST(all.at(1).why != all.at(2).why);
}

// It runs from one of the looks on, and its record does not change after that.
BOOST_AUTO_TEST_CASE(one_that_begins_to_run_between_two_looks,
    *boost::unit_test::description("EAGAIN: it ran while its stack was copied"))
{
	static std::uint64_t looks, last, status_at;
	static pid_t whose;
	static const auto write_status = [](std::uint32_t now) {
		const iovec from{&now, sizeof now},
		    to{reinterpret_cast<void *>(status_at), sizeof now};
		(void)!process_vm_writev(whose, &from, 1, &to, 1, 0);
	};
	constexpr std::uint32_t runs = 2, waits = 4;
	constexpr std::uint64_t most = 16;
	static auto *const g = static_cast<record *>(make(2 * sizeof(record)));
	const lib::child c([] {
		pretend(2);
		for (int i = 0; i < 2; i++) {
			fill(g[i], 1 + static_cast<std::uint64_t>(i));
			give_stack(g[i], 4096);
			pretended.at[i] = g[i].self;
		}
	});
	goroutines all;
	BOOST_REQUIRE(find(c.pid(), all) == 0);
	BOOST_REQUIRE(all.size() == 2u);
	whose = c.pid();
	status_at = reinterpret_cast<std::uint64_t>(&g[0].status);
	for (last = 1; last < most; last++) {
		looks = 0;
		write_status(waits);
		stack9::before_second_reading = [](pid_t, std::uint64_t) {
			if (++looks == last)
				write_status(runs);
		};
		all.clear();
		BOOST_TEST(find(c.pid(), all) == 0);
		stack9::before_second_reading = nullptr;
		const auto one = all.find(1);
		BOOST_TEST((looks < last || one == all.end() ||
		    one->second.error != 0 || one->second.state == "waiting"));
	}
}

BOOST_AUTO_TEST_CASE(none_of_it, *COSTS_LITTLE)
{
	const lib::child c([] {
		pretend(ten_million);
		for (std::uint64_t i = 0; i < ten_million; i++)
			pretended.at[i] = reinterpret_cast<std::uint64_t>(
			    pretended.at + i);
	});
	BOOST_TEST(time_of_find(c.pid(), 1, [](int error, const auto &) {
		BOOST_TEST(error == ENOENT);
	}) < 1);
}
