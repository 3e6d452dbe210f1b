// Tests that no writer of profiles makes people wait.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <ctime>

#include "model.h"
#include "tools/profiles/formats.h"

using boost::unit_test::description;

#ifdef SANITIZED
constexpr double limit = 20;
#else
constexpr double limit = 2;	// some 0.1 to 0.4 s
#endif

namespace {

// CPU time: a busy machine is not slower by that.
double
seconds()
{
	timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return static_cast<double>(t.tv_sec) +
	    static_cast<double>(t.tv_nsec) * 1e-9;
}

} // namespace

BOOST_AUTO_TEST_CASE(speed,
    *description("1,000,000 events in 64,000 stacks are written in a second"))
{
	const profiles::profile p = many(64000);
	for (const std::string &name : profiles::all_formats()) {
		if (name == "text")	// each program has its own
			continue;
		// Another program may have had the caches meanwhile.
		double took = limit;
		std::size_t size = 0;
		for (int tries = 0; tries < 3 && took >= limit; tries++) {
			const double begin = seconds();
			size = profiles::formatted(name, p).size();
			took = seconds() - begin;
		}
		BOOST_TEST_MESSAGE(name << ": " << took << " s, " << size <<
		    " bytes");
		BOOST_TEST(took < limit, name);
		BOOST_TEST(size > 100000u, name);
	}
}
