// Tests files that a server has: libdebuginfod takes file: for one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include <lib/programs.h>
#include <require.h>

#include "made_core.h"

namespace {

using namespace cores;
namespace fs = std::filesystem;

std::string
lacks_client()
{
	return std::system("ldconfig -p | grep -q libdebuginfod.so.1") == 0 ?
	    "" : "libdebuginfod.so.1 is missing";
}

// The build-id of the program, as a note says it.
std::string
id_of_program(const stack9_core *core)
{
	constexpr std::string_view before = "the core's build-id is ";
	for (const std::string &note : notes_of(core))
		if (const auto at = note.find(before); at != note.npos &&
		    note.find("/program:") != note.npos)
			return note.substr(at + before.size());
	return {};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_server_has_the_program, *needs("cores",
    lacks_kernel_cores) * needs("libdebuginfod", lacks_client) *
    boost::unit_test::description("With the flag STACK9_CORE_DEBUGINFOD the "
    "servers of DEBUGINFOD_URLS are asked for a file that is not here."))
{
	const scratch in;
	const std::string path = kernel_core(in);
	unique_core core;
	fs::rename(in / "program", in / "moved");
	BOOST_REQUIRE(open(path, core) == 0);
	const std::string id = id_of_program(core.get());
	BOOST_REQUIRE(id.size() == 40u);
	const fs::path there = fs::path(in / "server/buildid") / id;
	fs::create_directories(there);
	fs::rename(in / "moved", there / "executable");
	setenv("DEBUGINFOD_CACHE_PATH", (in / "cache").c_str(), 1);
	setenv("DEBUGINFOD_URLS", ("file://" + in / "server").c_str(), 1);
	stack9_core_options o{};
	o.size = sizeof o;
	BOOST_REQUIRE(open(path, core, &o) == 0);
	BOOST_TEST(id_of_program(core.get()) == id);
	o.flags = STACK9_CORE_DEBUGINFOD;
	BOOST_REQUIRE(open(path, core, &o) == 0);
	BOOST_TEST(notes_of(core.get()).empty());
	check_threads(threads_of(core.get()));
	const std::string text = lib::output_of(fmt::format("{} --debuginfod "
	    "--core {} 2>&1", STACKPRINT, path));
	BOOST_TEST(text.find("in_between") != text.npos, text);
	unsetenv("DEBUGINFOD_URLS");
	unsetenv("DEBUGINFOD_CACHE_PATH");
}
