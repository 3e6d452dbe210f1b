// Tests EVENTS of stackcount(1) as far as the text alone decides.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cerrno>

#include <linux/perf_event.h>

#include "found.h"

namespace data = boost::unit_test::data;
using stack9::events::probe_kind;
using labels = std::set<std::string>;

namespace {

struct clock_case {
	const char	*text, *label;
	std::uint64_t	config, period;
	bool		frequency;
};

const clock_case clocks[] = {
	{"cpu-clock", "cpu-clock:99", PERF_COUNT_SW_CPU_CLOCK, 99, true},
	{"cpu-clock:49", "cpu-clock:49", PERF_COUNT_SW_CPU_CLOCK, 49, true},
	{"profile", "cpu-clock:99", PERF_COUNT_SW_CPU_CLOCK, 99, true},
	{"profile:199", "cpu-clock:199", PERF_COUNT_SW_CPU_CLOCK, 199, true},
	{"profile:hz:9", "cpu-clock:9", PERF_COUNT_SW_CPU_CLOCK, 9, true},
	{"p:hz:9", "cpu-clock:9", PERF_COUNT_SW_CPU_CLOCK, 9, true},
	{"profile:ms:5", "profile:ms:5", PERF_COUNT_SW_CPU_CLOCK, 5000000,
	    false},
	{"task-clock:50", "task-clock:50", PERF_COUNT_SW_TASK_CLOCK, 50, true},
	{"page-faults", "page-faults", PERF_COUNT_SW_PAGE_FAULTS, 1, false},
	{"faults:100", "page-faults:100", PERF_COUNT_SW_PAGE_FAULTS, 100,
	    false},
	{"s:minor-faults", "minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN, 1,
	    false},
	{"software:major-faults:2", "major-faults:2",
	    PERF_COUNT_SW_PAGE_FAULTS_MAJ, 2, false},
	{"cs", "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES, 1, false},
	{"migrations", "cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS, 1,
	    false},
	{"alignment-faults", "alignment-faults",
	    PERF_COUNT_SW_ALIGNMENT_FAULTS, 1, false},
	{"emulation-faults", "emulation-faults",
	    PERF_COUNT_SW_EMULATION_FAULTS, 1, false},
};

std::ostream &
operator<<(std::ostream &out, const clock_case &c)
{
	return out << c.text;
}

const char *const invalid[] = {"", "a:b:c", "a:", ":b", "t:", "t:a:b:c",
    "syscall:", "sysret:a:b", "u:libc", "u:libc:", "usdt:libc",
    "usdt:a:b:c:d", "cpu-clock:0", "cpu-clock:x", "cpu-clock:1000000",
    "page-faults:0", "page-faults:1:2", "profile:days:1", "offcpu:1",
    "trigger:", "trigger:relative",
    "software:", "r:vfs_read", "uretprobe:libc:malloc", "cycles",
    "syscall:openat,"};

} // namespace

BOOST_AUTO_TEST_SUITE(text)

BOOST_DATA_TEST_CASE(software_events_have_a_frequency_or_a_period,
    data::make(clocks), c)
{
	const found f(c.text);
	BOOST_TEST_REQUIRE(f.error == 0, f);
	BOOST_TEST_REQUIRE(f.probes.size() == 1U, f);
	const auto &p = f.probes[0];
	BOOST_TEST((p.kind == probe_kind::software));
	BOOST_TEST(p.label == c.label);
	BOOST_TEST(p.config == c.config);
	BOOST_TEST(p.period == c.period);
	BOOST_TEST(p.frequency == c.frequency);
	BOOST_TEST(f.labels_are_names(), f);
}

BOOST_AUTO_TEST_CASE(offcpu_is_a_thread_that_was_blocked)
{
	for (const char *text : {"offcpu", "off-cpu"}) {
		const found f(text);
		BOOST_TEST_REQUIRE(f.probes.size() == 1U, f);
		BOOST_TEST((f.probes[0].kind == probe_kind::off_cpu));
		BOOST_TEST(f.probes[0].label == "offcpu");
	}
}

BOOST_AUTO_TEST_CASE(trigger_may_have_a_directory)
{
	// One that everybody may write to.
	for (const char *text : {"trigger", "trigger:/tmp", "trigger:/tmp/"}) {
		const found f(text);
		BOOST_TEST_REQUIRE(f.probes.size() == 1U, f);
		BOOST_TEST((f.probes[0].kind == probe_kind::trigger));
		BOOST_TEST(f.probes[0].label == text);
	}
	BOOST_TEST(found("trigger:/nowhere/at/all").error == ENOENT);
}

BOOST_DATA_TEST_CASE(what_is_no_event_is_einval_and_a_sentence_says_why,
    data::make(invalid), event)
{
	const found f(event);
	BOOST_TEST(f.error == EINVAL, f);
	BOOST_TEST(f.probes.empty(), f);
	BOOST_TEST(f.why.size() > 10U, f);
	BOOST_TEST(f.why.size() < 400U, f);
}

BOOST_AUTO_TEST_CASE(an_unknown_prefix_is_answered_with_the_forms)
{
	const found f("frob:a:b");
	for (const char *form : {"t:CATEGORY:NAME", "syscall:NAME", "k:NAME",
	    "u:FILE:NAME", "usdt:FILE:PROVIDER:NAME", "cpu-clock", "offcpu"})
		BOOST_TEST(f.says(form), f);
}

BOOST_AUTO_TEST_CASE(several_events_are_separated_by_commas,
    *lists_tracepoints())
{
	const found f("syscall:openat,cs,offcpu,cpu-clock:9");
	BOOST_TEST(f.labels() == (labels{"syscall:openat", "context-switches",
	    "offcpu", "cpu-clock:9"}), f);
	BOOST_TEST(found("syscall:openat,nosuch:event").error == ENOENT);
}

BOOST_AUTO_TEST_CASE(an_event_that_is_named_twice_is_attached_to_once)
{
	BOOST_TEST(found("cs,context-switches,sys:read,syscall:rea[d]", true)
	    .probes.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_comma_in_brackets_separates_nothing)
{
	const found f("syscall:fs{1,1}ync,sysret:(f){1,2}sync", true);
	BOOST_TEST(f.labels() == (labels{"syscall:fsync", "sysret:fsync"}), f);
}

BOOST_AUTO_TEST_CASE(a_bad_regular_expression_is_einval_with_regcomps_words)
{
	const found f("syscall:(open", true);
	BOOST_TEST(f.error == EINVAL, f);
	BOOST_TEST(f.says("(open is not a POSIX extended"), f);
}

BOOST_AUTO_TEST_SUITE_END()
