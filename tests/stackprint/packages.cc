// Tests that the package is found that a file came with.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <string>

#include "lib/scratch.h"
#include "tools/lib/packages.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(packages)

BOOST_AUTO_TEST_CASE(packages_of_files, *description(
    "For a file of this machine it names the Debian package of its debug "
    "symbols."))
{
	using tools::debug_package;
	const lib::scratch room;
	room.file("zlib1g:amd64.list", "/.\n/lib/x/libz.so.1\n");
	room.file("dash.list", "/usr/bin/dash\n");
	room.file("libc6:amd64.list", "/lib/x/libc.so.6\n");
	room.file("other.md5sums", "/usr/bin/other\n");
	const char *const lists = room.path().c_str();
	BOOST_TEST(debug_package("/usr/bin/dash", lists) == "dash-dbgsym");
	BOOST_TEST(debug_package("/usr/lib/x/libz.so.1", lists) ==
	    "zlib1g-dbgsym");
	BOOST_TEST(debug_package("/usr/lib/x/libc.so.6", lists) ==
	    "libc6-dbg");
	for (const char *const path : {"/usr/bin/das", "/bin/das", "/bin",
	    "/usr/bin/other", "/usr/lib/x/libz.so"})
		BOOST_TEST(debug_package(path, lists) == "", path);
	BOOST_TEST(debug_package("/usr/bin/dash", "/nowhere") == "");
}

BOOST_AUTO_TEST_SUITE_END()
