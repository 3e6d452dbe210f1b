// Asks for the waits of all threads of a process that runs a language.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include <boost/test/unit_test.hpp>

#include <stack9_waits.h>

#include "lib/hold_sample.h"

// Calls fn for each, with the functions of the language in its sample.
inline void
waits_of(pid_t pid, stack9_wait_fn *fn, void *arg)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	const stack9_thread td{pid, pid, 0};
	std::vector<stack9_sample *> all;
	BOOST_REQUIRE_EQUAL(stack9_each(&td, STACK9_BOTH, &o,
	    lib::hold_sample, &all), 0);
	BOOST_TEST(stack9_waits(all.data(), static_cast<std::uint32_t>(
	    all.size()), 0, fn, arg) == 0);
	for (stack9_sample *const s : all)
		stack9_sample_close(s);
}
