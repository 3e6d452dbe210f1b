// Prints what walks and spaces cost, and judges neither.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>

#include "copier.h"
#include "require.h"

using stack9::user_copy;

namespace {

// The best of a few rounds in this thread's own time: the machine has others.
template <class F>
double
nanoseconds(int times, F f)
{
	const auto now = [] {
		timespec t;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
		return 1e9 * static_cast<double>(t.tv_sec) +
		    static_cast<double>(t.tv_nsec);
	};
	double best = 0;
	for (int round = 0; round < (times > 1 ? 10 : 1); round++) {
		const double start = now();
		for (int n = 0; n < times; n++)
			f();
		const double took = (now() - start) / times;
		best = round == 0 ? took : std::min(best, took);
	}
	return best;
}

// Counts the mappings of /proc/PID/maps that the space has at the same place.
std::size_t
mappings_in(stack9_space &space, pid_t pid)
{
	std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
	std::size_t n = 0;
	for (std::string line; std::getline(maps, line);) {
		std::size_t at = 0;
		const std::uint64_t start = std::stoull(line, &at, 16);
		const std::uint64_t end = std::stoull(line.substr(at + 1),
		    nullptr, 16);
		stack9::mapped_module m;
		n += stack9::space_module(space, start, m) == 0 &&
		    m.start == start && m.end == end;
	}
	return n;
}

} // namespace

BOOST_AUTO_TEST_SUITE(speed, *needs("ptrace"))

BOOST_AUTO_TEST_CASE(a_frame)
{
	for (const char *name : {"no_fp", "plain", "fp_only"})
		for (const char *deep : {"0", "40", "1000"}) {
			child c({program(name), "deep", deep});
			BOOST_REQUIRE(c.says("ready"));
			const opened space(c.thread());
			user_copy copy;
			copy_thread(c.pid(), copy);
			walk w;
			const double cold = nanoseconds(1, [&] {
				w = walk_of(*space, copy, c.thread());
			});
			BOOST_TEST(w.is_whole());
			std::vector<std::uintptr_t> pcs(4096);
			const double warm = nanoseconds(rounds(200, 10), [&] {
				w.rec.pcs = pcs.data();
				w.rec.flags = 0;
				stack9::walk_copy(*space, copy, w.rec,
				    w.wanted);
			});
			std::printf("%s: %zu frames: %.1f ns a frame, the "
			    "first time %.0f us\n", name, w.pcs.size(), warm /
			    static_cast<double>(w.pcs.size()), cold / 1000);
		}
}

BOOST_AUTO_TEST_CASE(a_space)
{
	for (const char *name : {"static", "plain"}) {
		child c({program(name)});
		BOOST_REQUIRE(c.says("ready"));
		const double first = nanoseconds(1, [&] {
			BOOST_TEST(opened(c.thread()).error == 0);
		});
		const stack9_thread td = c.thread();
		const double again = nanoseconds(20, [&] { opened s(td); });
		const opened space(td);
		const double renewed = nanoseconds(20, [&] {
			stack9::space_renew(*space);
		});
		std::printf("%s: opened in %.0f us, then %.0f us, renewed in "
		    "%.0f us\n", name, first / 1000, again / 1000,
		    renewed / 1000);
	}
}

BOOST_AUTO_TEST_CASE(a_space_of_60000_mappings)
{
	child c({program("no_fp"), "maps", "60000"});
	BOOST_REQUIRE(c.says("ready"));
	const stack9_thread td = c.thread();
	const double first = nanoseconds(1, [&] { opened s(td); });
	const opened space(td);
	const double renewed = nanoseconds(1, [&] {
		stack9::space_renew(*space);
	});
	BOOST_TEST(mappings_in(*space, c.pid()) > 60000u);
	user_copy copy;
	copy_thread(c.pid(), copy);
	BOOST_TEST(walk_of(*space, copy, td).is_whole());
	std::printf("60000 mappings: opened in %.1f ms, renewed in %.1f ms\n",
	    first / 1e6, renewed / 1e6);
}

BOOST_AUTO_TEST_SUITE_END()
