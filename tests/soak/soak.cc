// Compares what is reported of random programs with what these know of
// themselves: no edge, no deadlock, no complete stack and no kind of a wait is
// false.
//
// It takes 10 seconds, or STACK9_TRUTH_SECONDS.  STACK9_TRUTH_SEED begins with
// another program, or with the one that a fault names.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <ctime>
#include <random>

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "looks.h"
#include "program.h"
#include "require.h"

namespace {

unsigned int
number_in(const char *variable, unsigned int otherwise)
{
	const char *const text = std::getenv(variable);
	return text == nullptr ? otherwise : static_cast<unsigned int>(
	    std::strtoul(text, nullptr, 10));
}

std::string
share(const soak::tally &t, const std::string &of)
{
	const long found = t.of("found, of " + of), all = t.of("stable, of " +
	    of);
	return fmt::format("{} of {} ({:.1f} %) of {}", found, all, all == 0 ?
	    0. : 100. * static_cast<double>(found) / static_cast<double>(all),
	    of);
}

BOOST_AUTO_TEST_CASE(no_word_is_false, *needs("bpf") * needs("ptrace"))
{
	const std::time_t end = std::time(nullptr) + number_in(
	    "STACK9_TRUTH_SECONDS", 10);
	unsigned int seed = number_in("STACK9_TRUTH_SEED",
	    static_cast<unsigned int>(std::time(nullptr)) % 1'000'000);
	const bool one = std::getenv("STACK9_TRUTH_SEED") != nullptr;
	soak::tally t;
	// A program may have no lock that is held for long.
	const auto enough = [&] {
		return std::time(nullptr) >= end && (one || (t.of("edges") >
		    20 && t.of("stable, of locks") > 20));
	};
	do {
		soak::program p(seed);
		std::minstd_rand dice(seed);
		const long before = t.faults();
		const std::time_t next = std::time(nullptr) + 1 + dice() % 5;
		while (std::time(nullptr) < next && !enough()) {
			soak::look((dice() >> 4) % soak::ways(), p.notes(),
			    p.pids(), t);
			usleep((dice() >> 4) % 30'000);
		}
		t.count("programs");
		if (t.faults() != before)
			t.fault(fmt::format("that was the program of seed {}",
			    seed));
		seed += one ? 0 : 1;
	} while (!enough());
	BOOST_TEST_MESSAGE(t.text());
	BOOST_TEST_MESSAGE(fmt::format("{} words were false; stable edges "
	    "found: {}, {}, {}, {}; {} of {} stable deadlocks", t.faults(),
	    share(t, "locks"), share(t, "files"), share(t, "ends"),
	    share(t, "peers"), t.of("found deadlocks"),
	    t.of("stable deadlocks")));
	BOOST_TEST(t.faults() == 0);
	// A judge that remembers too little would find no fault.
	for (const char *const what : {"edges", "stacks"})
		BOOST_TEST(t.of(fmt::format("forgotten, of {}", what)) * 10 <=
		    t.of(what));
	BOOST_TEST(t.of("found, of locks") * 2 >= t.of("stable, of locks"));
}

} // namespace
