// Tests that the stack taken is the shadow stack, at each instruction of the
// single-stepped work, whatever code it is in.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "os/clocks.h"

#include "require.h"
#include "steps_engines.h"
#include "steps_work.h"

using boost::unit_test::description;
using namespace steps;

namespace {

// The C++ runtime overwrites its own frame so many steps before the landing.
constexpr unsigned int steps_per_throw = 256;
// In __longjmp, where its own return address is not looked for any more.
constexpr unsigned int steps_per_longjmp = 16;

std::vector<part>
all_parts()
{
	std::vector<part> all;
	for (const auto &some : {parts_of_frames(), parts_of_calls(),
	    parts_of_library()})
		all.insert(all.end(), some.begin(), some.end());
	return all;
}

// The shadow stack knows what happened: nothing but what the work does.
void
check_deeds(const part &p, const result &r)
{
	for (const address pc : r.unexplained)
		BOOST_TEST_MESSAGE(p.name << ": unexplained at " <<
		    symbol_of(pc));
	BOOST_TEST(r.count(deed::unexplained) == 0u);
	BOOST_TEST(r.count(deed::landed) == p.longjmps + p.throws);
}

void
check_stacks(const part &p, const result &r)
{
	for (const difference &d : r.differences)
		BOOST_TEST_MESSAGE(p.name << ": " << text_of(d));
	BOOST_TEST(r.count(verdict::wrong) == 0u);
	BOOST_TEST(r.count(verdict::short_of) == 0u);
	BOOST_TEST(r.count(verdict::misled) <= p.misled + compiled_misled);
	BOOST_TEST(r.count(verdict::unknown) <= p.unknown);
	BOOST_TEST(r.count(verdict::landing) + r.count(verdict::target) <=
	    p.throws * steps_per_throw + p.longjmps * steps_per_longjmp);
}

const result &
run_part(const part &p, engine take)
{
	if (p.prepare != nullptr)
		p.prepare();
	const result &r = step_through(p.work, take, !p.locked);
	check_deeds(p, r);
	check_stacks(p, r);
	if (p.finish != nullptr)
		p.finish();
	return r;
}

// A quarter of all steps, where not all are asked for, has what differs: how
// this program is compiled, and who walks.  The libraries' work is stepped
// through in one variant, by one engine.
bool
is_due(const part &p, engine take)
{
	if (long_run())
		return true;
	if (take == interrupted)
		return !p.library || compiled_libraries;
	return !p.library && p.throws == 0;
}

std::uint64_t
run_all(engine take, bool takes_lock = false)
{
	std::uint64_t all = 0, exact = 0;
	for (const part &p : all_parts()) {
		if ((p.locked && takes_lock) || !is_due(p, take))
			continue;
		BOOST_TEST_CONTEXT(p.name) {
			const result &r = run_part(p, take);
			all += r.instructions;
			exact += r.count(verdict::exact);
			BOOST_TEST_MESSAGE(fmt::format("{:20} {:8} "
			    "instructions, depth {:3}: {:8} exact, {:3} "
			    "landing, {:2} target, {:3} misled, {:2} "
			    "unknown, {:3} short, {:3} wrong",
			    p.name, r.instructions, r.deepest,
			    r.count(verdict::exact), r.count(verdict::landing),
			    r.count(verdict::target),
			    r.count(verdict::misled),
			    r.count(verdict::unknown),
			    r.count(verdict::short_of),
			    r.count(verdict::wrong)));
		}
	}
	BOOST_TEST_MESSAGE(all << " instructions, " << exact << " exact");
	return all;
}

// Under some hypervisors its system calls take so long that all steps would
// take minutes.
std::string
time_for_libunwind()
{
	constexpr std::int64_t much = 100;	// us of a shallow step
	const std::int64_t begin = stack9::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	const part p = all_parts().front();
	const result &r = step_through(p.work, libunwind, true);
	const std::int64_t took =
	    stack9::clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin;
	const std::int64_t us =
	    took / 1000 / static_cast<std::int64_t>(r.instructions);
	return us < much ? "" : fmt::format("libunwind takes {} us a step here",
	    us);
}

} // namespace

BOOST_AUTO_TEST_SUITE(every_instruction)

BOOST_AUTO_TEST_CASE(the_interrupted_stack_is_exact, *description(
    "The stack that a signal interrupted is exact wherever the signal arrives"))
{
	BOOST_TEST(run_all(interrupted) >= 40000u);
}

BOOST_AUTO_TEST_CASE(a_handlers_own_stack_is_exact, *description(
    "In a signal handler, the stack goes on through the signal to the code "
    "that the signal interrupted"))
{
	BOOST_TEST(run_all(saved_self) >= 40000u);
}

BOOST_AUTO_TEST_CASE(the_shadow_stack_is_what_libunwind_sees,
    *needs("time", time_for_libunwind))
{
	// Debian unstable works with fewer instructions: 38,640 of them.
	BOOST_TEST(run_all(libunwind, true) >= 35000u);
}

BOOST_AUTO_TEST_SUITE_END()
