// Tests lines whose parts are compressed or in other files, and the notes of
// what is missing.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include "core/seam/file_notes.h"
#include "core/seam/record.h"

#include "levels.h"

using boost::unit_test::description;
using stack9::lacking;
namespace data = boost::unit_test::data;

namespace {

// The notes of a file.
int
notes_of(const std::string &path, lacking what)
{
	int n = 0;
	const stack9::file_note *note;
	for (std::size_t i = 0;
	    (note = stack9::the_file_notes.at(i)) != nullptr; i++)
		n += note->path == path && note->what == what;
	return n;
}

// Whether something is said of the file, more than once in any case.
bool
is_noted(const std::string &path, lacking what)
{
	const auto mark = address_in(path, "mark_innermost");
	levels_at(*open_file(path), mark);
	const int n = notes_of(path, what);
	levels_at(*open_file(path), mark);
	BOOST_TEST(notes_of(path, what) == n);
	BOOST_TEST(n <= 1);
	return n != 0;
}

struct packaging {
	const char	*compile, *package;
};
const packaging packagings[] = {
	{CXX " -gdwarf-4", "dwp"},
	{CXX " -gdwarf-4", "llvm-dwp"},
	{CXX " -gdwarf-5", "llvm-dwp"},
	{"clang++ -gdwarf-5", "llvm-dwp"},
};

std::ostream &
operator<<(std::ostream &to, const packaging &p)
{
	return to << p.compile << ", " << p.package;
}

// False: there are no such tools here.
bool
make_package(const workshop &w, const packaging &p)
{
	const std::string compile(p.compile);
	if (!w.run(compile.substr(0, compile.find(' ')) + " --version && " +
	    p.package + " --version")) {
		BOOST_TEST_MESSAGE("skipped: needs " << p);
		return false;
	}
	w.must("mkdir -p built && cd built && " + compile +
	    " -O2 -gsplit-dwarf -Wl,--build-id=0x0123456789abcdef -o levels "
	    LEVELS);
	w.must(std::string("cd built && ") + p.package +
	    " -e levels -o ../package && rm *.dwo && mv levels ..");
	return true;
}

} // namespace

BOOST_AUTO_TEST_SUITE(debug_parts)

BOOST_TEST_DECORATOR(*description("A compiler may have moved a part of it to "
    ".dwo files, and these may be in a .dwp file: beside the file or its "
    "debug file, with the name of either and .dwp behind it, or with that of "
    "the file and .debug.dwp behind it."))
BOOST_DATA_TEST_CASE(a_package_of_split_files, data::make(packagings), p)
{
	const workshop w;
	if (!make_package(w, p))
		return;
	BOOST_TEST(is_noted(w / "levels", lacking::split_files));
	w.must("cp package levels.dwp");
	check_levels(w / "levels");
	w.must("mv levels.dwp levels.debug.dwp");
	check_levels(w / "levels");
	w.must("mkdir -p debug/.build-id/01 && objcopy --only-keep-debug "
	    "levels debug/.build-id/01/23456789abcdef.debug && "
	    "cp levels whole && strip levels");
	const debug_files_below here(w / "debug");
	check_levels(w / "levels", w / "whole");
	w.must("mv levels.debug.dwp "
	    "debug/.build-id/01/23456789abcdef.debug.dwp");
	check_levels(w / "levels", w / "whole");
}

BOOST_AUTO_TEST_CASE(a_package_of_another_program,
    *builds("dwp --version && " CXX))
{
	const workshop w;
	BOOST_REQUIRE(make_package(w, packagings[0]));
	w.must("mkdir o && cd o && echo 'int other; int main() { return other;"
	    " }' >o.cc && " CXX " -gdwarf-4 -gsplit-dwarf -o o o.cc && dwp -e o"
	    " -o ../levels.dwp");
	BOOST_TEST(is_noted(w / "levels", lacking::split_files));
}

BOOST_AUTO_TEST_CASE(compressed_sections, *description("Compressed sections "
    "are read if elfutils' libelf here can unpack them: zstd takes version "
    "0.189.")
    *builds("objcopy --version && " CXX))
{
	for (const std::string kind : {"zlib-gabi", "zlib-gnu", "zstd"}) {
		const workshop w;
		w.must(CXX " -O2 -g -o levels " LEVELS);
		if (!w.run("objcopy --compress-debug-sections=" + kind +
		    " levels")) {
			BOOST_TEST_MESSAGE("skipped: " << kind);
			continue;
		}
		const std::string path = w / "levels";
		if (!is_noted(path, lacking::readable_sections))
			check_levels(path);
		else
			BOOST_TEST(kind == "zstd");
	}
}

BOOST_TEST_DECORATOR(*description("A part that dwz moved to a common file is "
    "found by .gnu_debugaltlink or .debug_sup.")
    *builds("dwz --version && " CXX))
BOOST_DATA_TEST_CASE(common_files_of_dwz, data::make({"-gdwarf-4", "-gdwarf-5",
    "--dwarf-5"}), how)
{
	const workshop w;
	const bool sup = std::string(how) == "--dwarf-5";
	w.must(std::string(CXX " -O2 ") + (sup ? "-gdwarf-5" : how) +
	    " -o levels " LEVELS " && cp levels twin && dwz " +
	    (sup ? how : "") + " -m common.debug levels twin");
	w.must(std::string("readelf -SW levels | grep -qF ") +
	    (sup ? ".debug_sup" : ".gnu_debugaltlink"));
	check_levels(w / "levels");
	BOOST_TEST(!is_noted(w / "levels", lacking::common_file));
	w.must("cp twin common.debug");
	BOOST_TEST(is_noted(w / "levels", lacking::common_file));
}

BOOST_AUTO_TEST_SUITE_END()
