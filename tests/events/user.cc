// Tests EVENTS of stackcount(1): functions of programs and libraries, against
// the places where they are mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include "found.h"
#include "lib/scratch.h"
#include "plugin.h"

using stack9::events::probe_kind;
using labels = std::set<std::string>;

namespace {

const std::string file = plugin::path(), u = "u:" + file + ":";

} // namespace

BOOST_AUTO_TEST_SUITE(user)

BOOST_AUTO_TEST_CASE(a_function_is_where_it_is_mapped_from)
{
	const plugin here;
	for (const std::string name : {"plugin_first", "plugin_second"})
		for (const std::string prefix : {"u:", "uprobe:", "p:"}) {
			const found f(prefix + file + ":" + name);
			BOOST_TEST_REQUIRE(f.probes.size() == 1U, f);
			const auto &p = f.probes[0];
			BOOST_TEST((p.kind == probe_kind::user));
			BOOST_TEST(p.path == file);
			BOOST_TEST(p.offset == here.offset_of(here[name]));
			BOOST_TEST(p.label == u + name);
			BOOST_TEST(f.labels_are_names(), f);
		}
}

BOOST_AUTO_TEST_CASE(an_offset_is_added_if_the_function_is_so_long)
{
	const plugin here;
	const found f(u + "plugin_second+0x1");
	BOOST_TEST_REQUIRE(f.probes.size() == 1U, f);
	BOOST_TEST(f.probes[0].offset ==
	    here.offset_of(here["plugin_second"]) + 1);
	BOOST_TEST(f.labels_are_names(), f);
	const found far(u + "plugin_second+4000");
	BOOST_TEST(far.error == EINVAL, far);
	BOOST_TEST(far.says("shorter"), far);
}

BOOST_AUTO_TEST_CASE(an_address_is_that_of_nm)
{
	const plugin here;
	const found f(u + here.address_of("plugin_first"));
	BOOST_TEST_REQUIRE(f.probes.size() == 1U, f);
	BOOST_TEST(f.probes[0].offset ==
	    here.offset_of(here["plugin_first"]));
	BOOST_TEST(f.labels_are_names(), f);
	BOOST_TEST(found(u + "0x7fffffff").error == EINVAL);
}

BOOST_AUTO_TEST_CASE(a_place_of_two_names_has_one_point)
{
	const found f(u + "*plugin_first");
	BOOST_TEST(f.labels() == labels{u + "plugin_first"}, f);
}

BOOST_AUTO_TEST_CASE(patterns_find_functions_of_the_file)
{
	BOOST_TEST(found(u + "plugin_*").labels() ==
	    (labels{u + "plugin_first", u + "plugin_second"}));
	BOOST_TEST(found(u + "plugin_(first|third)", true).labels() ==
	    labels{u + "plugin_first"});
	BOOST_TEST(found(u + "plugin_x*").error == ENOENT);
}

BOOST_AUTO_TEST_CASE(a_function_of_cxx_has_its_name_of_the_source)
{
	for (const char *name : {"shapes::area", "shapes::area(int, int)",
	    "_ZN6shapes4areaEii", "shapes::*"}) {
		const found f(u + name);
		BOOST_TEST(f.labels() == labels{u + "_ZN6shapes4areaEii"}, f);
		BOOST_TEST(f.labels_are_names(), f);
	}
	BOOST_TEST(found(u + "*::?::twice").probes.size() == 2U);
}

BOOST_AUTO_TEST_CASE(functions_of_one_name_differ_by_their_addresses)
{
	const found f(u + "same_name");
	BOOST_TEST_REQUIRE(f.error == 0, f);
	BOOST_TEST(f.probes.size() == 2U, f);
	BOOST_TEST(f.labels().size() == 2U, f);
	BOOST_TEST(f.labels_are_names(), f);
}

BOOST_AUTO_TEST_CASE(a_function_that_is_chosen_at_the_start_cannot_be_traced)
{
	const found f(u + "chosen");
	BOOST_TEST(f.error == EOPNOTSUPP, f);
	BOOST_TEST(f.says("STT_GNU_IFUNC"), f);
	BOOST_TEST(f.says(u + "chosen_one"), f);
	BOOST_TEST(!found(u + "chosen*").labels().contains(u + "chosen"));
}

BOOST_AUTO_TEST_CASE(an_unknown_function_is_enoent_with_the_nearest_names)
{
	const found f(u + "plugin_frist");
	BOOST_TEST(f.error == ENOENT, f);
	BOOST_TEST(f.says("did you mean plugin_first"), f);
	BOOST_TEST(found(u + "missed").says("usdt:"));
}

// To open a FIFO would take for ever.
BOOST_AUTO_TEST_CASE(a_file_that_is_none_is_not_opened)
{
	const lib::scratch room;
	const std::string fifo = room / "fifo";
	BOOST_REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
	for (const std::string &name : {fifo, std::string("/dev/zero")}) {
		const found f("u:" + name + ":main");
		BOOST_TEST(f.error == EINVAL, f);
		BOOST_TEST(f.says(name + " is not a regular file"), f);
	}
}

BOOST_AUTO_TEST_CASE(a_library_is_named_as_in_bcc,
    *boost::unit_test::description("EVENTS: FILE:NAME, as c:malloc, is the "
    "same where no category of tracepoints is called FILE."))
{
	for (const std::string text : {"c:malloc", "libc:malloc",
	     "libc.so.6:malloc"}) {
		const found f(text), u("u:" + text);
		BOOST_TEST_REQUIRE(f.error == 0, f);
		BOOST_TEST(f.labels() == u.labels(), f);
	}
	const std::string plugin = u.substr(2);
	BOOST_TEST(found(plugin + "plugin_fir*").labels() ==
	    found(u + "plugin_fir*").labels());
	const found typo("c:maloc");
	BOOST_TEST(typo.error == ENOENT, typo);
	BOOST_TEST(typo.says("did you mean malloc"), typo);
}

BOOST_AUTO_TEST_CASE(what_is_neither_is_no_tracepoint, *lists_tracepoints())
{
	BOOST_TEST(found("sched:no_such").says("no tracepoint no_such"));
	BOOST_TEST(found("no_such_library:f").says("no tracepoint f"));
}

BOOST_AUTO_TEST_CASE(a_stripped_file_is_said_to_be_stripped)
{
	const found f("u:" STACK9_EVENTS_PROGRAMS "/stripped:main");
	BOOST_TEST(f.error == ENOENT, f);
	BOOST_TEST(f.says("stripped"), f);
	BOOST_TEST(f.says("debug symbols"), f);
}

BOOST_AUTO_TEST_CASE(a_short_name_is_a_library_that_the_process_has_mapped)
{
	const plugin here;
	for (const std::string name : {"events_plugin", "libevents_plugin",
	    "libevents_plugin.so"}) {
		BOOST_TEST(found("u:" + name + ":plugin_first", false, getpid())
		    .labels() == labels{u + "plugin_first"});
		BOOST_TEST(found("u:" + name + ":plugin_first").error ==
		    ENOENT);
	}
}

BOOST_AUTO_TEST_CASE(a_short_name_is_a_library_as_the_linker_finds_it)
{
	const found c("u:c:malloc"), libc("u:libc:malloc"),
	    whole("u:libc.so.6:malloc");
	BOOST_TEST_REQUIRE(c.probes.size() == 1U, c);
	BOOST_TEST(c.labels() == libc.labels());
	BOOST_TEST(c.labels() == whole.labels());
	BOOST_TEST(std::filesystem::equivalent(c.probes[0].path,
	    plugin::file_of(reinterpret_cast<const void *>(&getpid))));
}

BOOST_AUTO_TEST_CASE(a_short_name_is_a_program_of_PATH)
{
	const std::string old = std::getenv("PATH");
	setenv("PATH", "/nonexistent:" STACK9_EVENTS_PROGRAMS, 1);
	const found f("u:stripped:main");
	setenv("PATH", old.c_str(), 1);
	BOOST_TEST(f.says(STACK9_EVENTS_PROGRAMS "/stripped has no symbols"),
	    f);
}

BOOST_AUTO_TEST_CASE(no_file_is_the_program_of_the_process)
{
	const found f("u::main", false, getpid());
	BOOST_TEST_REQUIRE(f.error == 0, f);
	BOOST_TEST(std::filesystem::equivalent(f.probes[0].path,
	    "/proc/self/exe"));
	BOOST_TEST(found("u::main").error == EINVAL);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_none_is_said_to_be_none)
{
	BOOST_TEST(found("u:/no/such/file:main").error == ENOENT);
	BOOST_TEST(found("u:no-such-library:main").says("$PATH"));
	const found text("u:/proc/self/status:main");
	BOOST_TEST(text.error == EINVAL, text);
	BOOST_TEST(text.says("not a program or library"), text);
}

BOOST_AUTO_TEST_SUITE_END()
