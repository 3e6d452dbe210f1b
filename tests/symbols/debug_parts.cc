// Tests names and lines whose parts are packed, compressed or in other files,
// and the notes of what is missing.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <fstream>
#include <string>

#include <dlfcn.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include "budgets/left_out.h"
#include "core/seam/file_notes.h"
#include "core/seam/record.h"

#include "symbols/file_names.h"
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

// Returns true if something is said of the file, more than once in any case.
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

// A name of a static function of a stripped program.
std::string
stripped_name(const std::string &path, std::uint64_t vaddr)
{
	stack9::function_name f;
	const auto file = open_file(path);
	return stack9::file_names::of(*file).find(vaddr, f) ?
	    std::string(f.name) : "";
}

// A stripped library with the names of its functions packed in it.
std::uint64_t
make_mini(const workshop &w)
{
	std::ofstream(w / "m.c") << "__attribute__((noinline)) static int "
	    "hidden(int n) { asm volatile(\"\" : \"+r\"(n)); return n; }\n"
	    "void *where(int n) { hidden(n); return (void *)hidden; }\n";
	w.must(CC " -O2 -shared -fPIC -o whole m.c && strip -o m whole && "
	    "objcopy --only-keep-debug whole d && echo hidden >keep && "
	    "objcopy -S --keep-symbols=keep d mini && xz mini && "
	    "objcopy --add-section .gnu_debugdata=mini.xz m");
	return address_in(w / "whole", "hidden");
}

} // namespace

BOOST_AUTO_TEST_SUITE(debug_parts)

BOOST_TEST_DECORATOR(*description("A compiler may have moved a part of it to "
    ".dwo files, and these may be in a .dwp file beside the file or its debug "
    "file.  Its name is that of either with .dwp appended, or that of the file "
    "with .debug.dwp appended."))
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

BOOST_AUTO_TEST_CASE(names_packed_in_a_stripped_file, *description("A stripped "
    "file without a debug file here may have the names of its functions packed "
    "in itself (.gnu_debugdata), as those of Fedora, RHEL and SUSE have.")
    *builds("xz --version && objcopy --version && " CC))
{
	const workshop w;
	const auto at = make_mini(w);
	BOOST_TEST(stripped_name(w / "m", at) == "hidden");
	w.must("objcopy --remove-section .gnu_debugdata m");
	BOOST_TEST(stripped_name(w / "m", at) == "");
	for (const char *bad : {"printf x", "head -c 100 mini.xz"}) {
		w.must(std::string(bad) + " >bad && objcopy --add-section "
		    ".gnu_debugdata=bad m");
		BOOST_TEST(stripped_name(w / "m", at) == "");
		w.must("objcopy --remove-section .gnu_debugdata m");
	}
}

BOOST_AUTO_TEST_CASE(names_packed_in_a_library_of_this_process,
    *builds("xz --version && objcopy --version && " CC))
{
	const workshop w;
	make_mini(w);
	void *const library = dlopen((w / "m").c_str(), RTLD_NOW);
	BOOST_REQUIRE(library != nullptr);
	const auto where = reinterpret_cast<std::uintptr_t (*)(int)>(
	    dlsym(library, "where"));
	stack9::symbol_name s;
	BOOST_TEST(stack9::elf_find(where(0), false, s) == 0);
	BOOST_TEST(std::string(s.name) == "hidden");
	dlclose(library);
}

BOOST_AUTO_TEST_CASE(a_gigabyte_packed_in_a_stripped_file,
    *description("Packed ones may have 128 MiB, become 32 times as large, and "
    "take 80 MiB while they are unpacked.")
    *builds("xz --version && objcopy --version && " CC))
{
	using stack9::budgets::left_out;
	const workshop w;
	const auto at = make_mini(w);
	const auto before = how_many(left_out::symbol_tables);
	w.must("head -c 1000000000 /dev/zero | xz -1 >big && objcopy "
	    "--update-section .gnu_debugdata=big m");
	BOOST_TEST(stripped_name(w / "m", at) == "");
	BOOST_TEST(how_many(left_out::symbol_tables) == before + 1);
	w.must("xz -dc mini.xz | xz --lzma2=dict=256MiB >big && objcopy "
	    "--update-section .gnu_debugdata=big m");
	BOOST_TEST(stripped_name(w / "m", at) == "");
	BOOST_TEST(how_many(left_out::symbol_tables) == before + 2);
}

BOOST_AUTO_TEST_SUITE_END()
