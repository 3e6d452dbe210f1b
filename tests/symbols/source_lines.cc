// Tests source lines and inlined calls, by the debug information of a file,
// whichever compiler wrote it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include "core/seam/record.h"
#include "core/seam/space.h"

#include "symbols/file_lines.h"
#include "symbols/file_names.h"
#include "levels.h"
#include "workshop.h"

using boost::unit_test::description;
namespace data = boost::unit_test::data;

namespace {

void
check_built(const std::string &compiler)
{
	const workshop w;
	w.must(compiler + " -o levels " LEVELS);
	check_levels(w / "levels");
}

const char *const by_gcc[] = {"-gdwarf-5", "-gdwarf-4", "-gdwarf-3",
    "-g -gsplit-dwarf", "-gdwarf-4 -gsplit-dwarf", "-gz -gdwarf-5"};
const char *const by_clang[] = {"-gdwarf-5", "-gdwarf-4",
    "-gdwarf-5 -gsplit-dwarf", "-gdwarf-4 -gsplit-dwarf"};

boost::unit_test::decorator::precondition
has_debuginfod()
{
	return builds("ldconfig -p | grep -q libdebuginfod.so.1 && strip "
	    "--version >/dev/null && " CXX);
}

} // namespace

BOOST_AUTO_TEST_SUITE(source_lines)

BOOST_DATA_TEST_CASE(inlined_calls, data::make(by_gcc), flags)
{
	check_built(std::string(CXX " -O2 ") + flags);
}

BOOST_TEST_DECORATOR(*builds("clang++"))
BOOST_DATA_TEST_CASE(of_clang_without_aranges, data::make(by_clang), flags)
{
	check_built(std::string("clang++ -O2 ") + flags);
}

BOOST_AUTO_TEST_CASE(of_a_32_bit_program, *builds(CC32))
{
	check_built(CC32 " -O2 -g");
}

BOOST_AUTO_TEST_CASE(of_a_stripped_program_by_its_debug_file,
    *builds("objcopy --version >/dev/null && " CXX))
{
	const workshop w;
	w.must(CXX " -O2 -g -Wl,--build-id=0x0123456789abcdef -o levels "
	    LEVELS);
	const auto mark = address_in(w / "levels", "mark_innermost");
	w.must("mkdir -p debug/.build-id/01 && objcopy --only-keep-debug levels"
	    " debug/.build-id/01/23456789abcdef.debug && strip levels");
	{
		const debug_files_below nowhere(w / "nowhere");
		BOOST_TEST(levels_at(*open_file(w / "levels"), mark).empty());
	}
	const debug_files_below here(w / "debug");
	BOOST_TEST(levels_at(*open_file(w / "levels"), mark).size() == 3);
}

// libdebuginfod takes file: for a server.
BOOST_AUTO_TEST_CASE(of_a_stripped_program_by_a_server, *description(
    "STACK9_FRAMES_DEBUGINFOD: ask the servers of $DEBUGINFOD_URLS for debug "
    "files that are not here") *has_debuginfod())
{
	const workshop w;
	w.must(CXX " -O2 -g -Wl,--build-id=0x0123456789abcdef -o levels "
	    LEVELS);
	const auto mark = address_in(w / "levels", "mark_innermost");
	w.must("mkdir -p s/buildid/0123456789abcdef && cp levels "
	    "s/buildid/0123456789abcdef/debuginfo && strip levels");
	const debug_files_below nowhere(w / "nowhere");
	setenv("DEBUGINFOD_CACHE_PATH", (w / "cache").c_str(), 1);
	setenv("DEBUGINFOD_URLS", ("file://" + w / "s").c_str(), 1);
	const auto f = open_file(w / "levels");
	auto &lines = stack9::file_lines::of(*f);
	BOOST_TEST(lines.find(mark, false)->empty());
	BOOST_TEST(lines.find(mark, true)->size() == 3);
	BOOST_TEST(lines.find(mark, false)->size() == 3);
	unsetenv("DEBUGINFOD_URLS");
	const auto g = open_file(w / "levels");
	BOOST_TEST(stack9::file_lines::of(*g).find(mark, true)->empty());
}

BOOST_AUTO_TEST_CASE(of_a_function_in_a_function,
    *builds(CC " -c " NESTED " && " CC))
{
	const workshop w;
	w.must(CC " -g -O1 -o n " NESTED);
	const auto f = open_file(w / "n");
	BOOST_TEST(levels_at(*f, address_in(w / "n", "mark_nested")) ==
	    std::vector{fmt::format("inner nested.c:{}",
		line_of("nested", NESTED))});
}

BOOST_AUTO_TEST_CASE(as_addr2line_has_them,
    *builds("addr2line --version >/dev/null && g++"))
{
	const workshop w;
	w.must("g++ -std=c++20 -O2 -g -c -o t.o " SORTS " && g++"
	    " -o sorts t.o");
	const std::string path = w / "sorts";
	const auto f = open_file(path);
	stack9::function_name function;
	BOOST_REQUIRE(stack9::file_names::of(*f).find(
	    address_in(path, "_Z5sortsiPPc"), function));
	const std::uint64_t start = function.start,
	    end = start + function.size;
	std::string addresses;
	std::vector<std::string> ours;
	for (std::uint64_t at = start; at < end; at += 3) {
		addresses += fmt::format("{:#x}\n", at);
		ours.push_back(fmt::format("{:#x}", at));
		const auto levels =
		    stack9::file_lines::of(*f).find(at, false);
		for (const stack9::source_level &l : *levels) {
			ours.push_back(l.function);
			ours.push_back(fmt::format("{}:{}", l.file, l.line));
		}
	}
	std::ofstream(w / "at") << addresses;
	auto theirs = lines_of(fmt::format(
	    "addr2line -a -i -f -e '{}' <'{}' | sed -e 's/^0x0*/0x/' "
	    "-e 's/ (discriminator [0-9]*)//'", path, w / "at"));
	BOOST_TEST(ours.size() > 1000);
	BOOST_TEST(ours == theirs, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(of_a_process, *description(
    "stack9_frames: the innermost inlined call first"))
{
	const held p;
	const opened_space s(p.pid());
	std::vector<std::string> said;
	const auto take = [](void *arg, const stack9::source_line *l) {
		static_cast<std::vector<std::string> *>(arg)->push_back(
		    l->function + (" " + base_name(l->file)));
		return 7;
	};
	BOOST_TEST(stack9::space_lines(*s.space, p.at("static") + 1,
	    stack9::name_return_address, take, &said) == 7);
	BOOST_TEST(said == std::vector<std::string>{"held_static held.c"});
	BOOST_TEST(stack9::space_lines(*s.space, 16, 0, take, &said) ==
	    ENOENT);
	BOOST_TEST(stack9::space_lines(*s.space, p.at("jit"), 0, take,
	    &said) == ENOENT);
}

BOOST_AUTO_TEST_SUITE_END()
