// Tests names by one file: its own tables, its debug file's, Go's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "symbols/file_names.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "workshop.h"

using boost::unit_test::description;
namespace data = boost::unit_test::data;
namespace fs = std::filesystem;

namespace {

std::string
name_at(const std::string &path, std::uint64_t vaddr)
{
	const auto f = open_file(path);
	stack9::function_name name;
	return stack9::file_names::of(*f).find(vaddr, name) ?
	    std::string(name.name) : "none";
}

const char program[] = "held";

// A stripped program, and the debug file that was made of it.
class stripped : public workshop {
public:
	std::uint64_t	at;	// of held_static

	explicit stripped(const char *flags = "")
	{
		must(std::string(CC " -g -O1 -o held " HELD_C
		    " -pthread ") + flags);
		at = address_in(*this / program, "held_static");
		BOOST_REQUIRE(at != 0);
		must("cp held whole && objcopy --only-keep-debug held d && "
		    "strip held");
		BOOST_REQUIRE(name_at(*this / program, at) == "none");
	}
	std::string
	name() const
	{
		return name_at(*this / program, at);
	}
};

} // namespace

BOOST_AUTO_TEST_SUITE(file_names,
    *builds("objcopy --version >/dev/null && " CC))

BOOST_AUTO_TEST_CASE(by_build_id, *description(
    "The name comes from the symbol tables of [...] its separate debug file"))
{
	const stripped s("-Wl,--build-id=0x0123456789abcdef");
	const debug_files_below here(s / "debug");
	s.must("mkdir -p debug/.build-id/01");
	BOOST_TEST(s.name() == "none");
	s.must("cp d debug/.build-id/01/23456789abcdef.debug");
	BOOST_TEST(s.name() == "held_static");
}

BOOST_AUTO_TEST_CASE(not_by_the_debug_file_of_another_build)
{
	const stripped s("-Wl,--build-id=0x0123456789abcdef");
	const stripped other("-Wl,--build-id=0xfedcba9876543210");
	const debug_files_below here(s / "debug");
	s.must("mkdir -p debug/.build-id/01");
	fs::copy(other / "d", s / "debug/.build-id/01/23456789abcdef.debug");
	BOOST_TEST(s.name() == "none");
	// Nor by a link, though the checksum is right.
	fs::copy(other / "d", s / "linked");
	s.must("objcopy --add-gnu-debuglink=linked held");
	BOOST_TEST(s.name() == "none");
}

const char *const places[] = {".", "./.debug", "./root/$PWD"};

BOOST_DATA_TEST_CASE(by_link_and_checksum, data::make(places), place)
{
	const stripped s("-Wl,--build-id=none");
	const debug_files_below here(s / "root");
	s.must("objcopy --add-gnu-debuglink=d held");
	s.must(fmt::format("mkdir -p {0} && mv d x && mv x {0}/d", place));
	BOOST_TEST(s.name() == "held_static");
	s.must(fmt::format("printf x >>{}/d", place));
	BOOST_TEST(s.name() == "none");
}

BOOST_AUTO_TEST_CASE(a_link_that_leads_astray)
{
	const stripped s("-Wl,--build-id=none");
	const debug_files_below here(s / "root");
	s.must("objcopy --add-gnu-debuglink=d held && rm d && mkfifo d");
	BOOST_TEST(s.name() == "none");
	s.must("rm d && cp held d");	// itself
	BOOST_TEST(s.name() == "none");
}

BOOST_AUTO_TEST_CASE(of_a_32_bit_program, *builds(CC32))
{
	const workshop w;
	w.must(CC32 " -o held " HELD_C " -pthread");
	for (const char *name : {"held_static", "held_hidden", "main"})
		BOOST_TEST(name_at(w / "held",
		    address_in(w / "held", name) + 1) == name);
	w.must("strip held");
	BOOST_TEST(name_at(w / "held", 0x1000) == "none");
}

BOOST_AUTO_TEST_CASE(of_a_stripped_go_program, *builds("go version && " CC))
{
	const workshop w;
	w.must("printf 'package main\\nimport \"os\"\\n//go:noinline\\n"
	    "func work(n int) int { return n * len(os.Args) }\\n"
	    "func main() { os.Exit(work(3)) }\\n' >t.go && "
	    "HOME=$PWD GOCACHE=$PWD/cache GOFLAGS=-mod=mod go build -o t t.go");
	const auto at = address_in(w / "t", "main.work");
	w.must("go version && strip t");
	BOOST_TEST(name_at(w / "t", at) == "main.work");
	BOOST_TEST(name_at(w / "t", at + 1) == "main.work");
}

BOOST_AUTO_TEST_CASE(what_is_no_elf_has_none)
{
	const workshop w;
	std::ofstream(w / "text") << "text";
	BOOST_TEST(name_at(w / "text", 1) == "none");
	std::ofstream(w / "empty");
	BOOST_TEST(name_at(w / "empty", 0) == "none");
}

BOOST_AUTO_TEST_SUITE_END()
