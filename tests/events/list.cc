// Tests --list of stackcount(1) against the kernel and the files of this
// machine.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <set>

#include <unistd.h>

#include "backends/linux-events/probes/find_probes.h"
#include "backends/linux-events/probes/kernel_functions.h"
#include "backends/linux-events/probes/list_probes.h"

#include "require.h"

using boost::unit_test::description;

namespace {

struct every {
	std::string	why;
	std::set<std::string> labels;
	int		error;

	explicit every(const std::string &text, bool regex = false)
	{
		std::vector<stack9::events::probe> probes;
		error = stack9::events::list_probes(text, regex, 0, probes,
		    why);
		for (const auto &p : probes)
			labels.insert(p.label);
	}
	bool
	has(const std::string &label) const
	{
		return labels.contains(label);
	}
	// Returns whether each label begins so.
	bool
	all_begin(const std::string &begin) const
	{
		for (const std::string &l : labels)
			if (!l.starts_with(begin))
				return false;
		return !labels.empty();
	}
};

bool
is_there(const std::string &label)
{
	std::vector<stack9::events::probe> probes;
	std::string why;
	return stack9::events::find_probes(label, false, 0, probes, why) == 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(list)

BOOST_AUTO_TEST_CASE(a_word_is_looked_for_in_all_kinds,
    *needs("root") *description("--list: any part of a name"))
{
	const every l("switch");
	BOOST_TEST(l.error == 0, l.why);
	BOOST_TEST(l.has("t:sched:sched_switch"));
	BOOST_TEST(l.has("context-switches"));
	BOOST_TEST(every("openat").has("syscall:openat"));
	const every none("no_such_event_9");
	BOOST_TEST(none.error == ENOENT);
	BOOST_TEST(none.why.find("no_such_event_9") != none.why.npos);
}

BOOST_AUTO_TEST_CASE(without_a_word_all_are_listed,
    *needs("root") *description("Without a prefix it lists events of all kinds "
    "except those of programs and libraries, and without a pattern all of "
    "these except the functions of the kernel."))
{
	const every l("");
	BOOST_TEST(l.labels.size() > 300U);
	for (const char *label : {"cpu-clock:99", "page-faults", "offcpu",
	    "trigger", "syscall:read", "t:sched:sched_wakeup"})
		BOOST_TEST(l.has(label), label);
	for (const std::string &label : l.labels)
		BOOST_TEST(!label.starts_with("k:"), label);
}

BOOST_AUTO_TEST_CASE(a_prefix_lists_its_kind, *needs("root"))
{
	BOOST_TEST(every("t:sched:").all_begin("t:sched:"));
	BOOST_TEST(every("syscall:open").all_begin("syscall:"));
	BOOST_TEST(every("syscall:open").has("syscall:openat"));
	BOOST_TEST(every("t:sched:.*wake.*", true).has(
	    "t:sched:sched_wakeup"));
	const every libc("u:libc:malloc");
	BOOST_TEST(libc.all_begin("u:/"));
	BOOST_TEST(libc.labels.size() > 1U);
	BOOST_TEST(every("u:libc:").labels.size() > 1024U);
}

BOOST_AUTO_TEST_CASE(kinds_that_cannot_be_watched_are_left_out,
    *description("Kinds that this kernel cannot watch are left out."))
{
	const bool can = stack9::events::kernel_functions_can_be_traced();
	bool any = false;
	for (const std::string &label : every("vfs_read").labels)
		any |= label.starts_with("k:");
	BOOST_TEST(any == can);
	const every l("k:vfs_read");
	BOOST_TEST(l.error == (can ? 0 : EOPNOTSUPP), l.why);
}

BOOST_AUTO_TEST_CASE(what_is_listed_is_an_event, *needs("root"))
{
	int n = 0;
	for (const std::string &label : every("page").labels)
		if (n++ < 20)
			BOOST_TEST(is_there(label), label);
}

BOOST_AUTO_TEST_SUITE_END()
