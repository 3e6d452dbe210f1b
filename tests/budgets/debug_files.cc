// Tests files that name other files: FIFOs, huge ones, ones that change.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fmt/format.h>

#include "symbols/file_lines.h"

#include "hostile.h"

using boost::unit_test::description;
namespace fs = std::filesystem;

namespace {

made_section
link_to(const std::string &name, std::uint64_t size = 0)
{
	return {".gnu_debuglink", SHT_PROGBITS,
	    blob().text(name).pad(4).number<std::uint32_t>(0x12345678), 0,
	    size};
}

// A function whose name is in an alternate file.
elf_builder
named_elsewhere(const std::string &alternate)
{
	const std::string form = "\x03\xa1\x3e";	// name: GNU_strp_alt
	blob abbreviations, info;
	abbreviations += "\x01\x11\x01" + form + std::string(
	    "\x11\x01\x12\x07\0\0", 6);
	abbreviations += "\x02\x2e" + std::string(1, '\0') + form +
	    std::string("\x11\x01\x12\x07\0\0\0", 7);
	info.number<std::uint32_t>(7 + 2 * 21 + 1).number<std::uint16_t>(4);
	info.number<std::uint32_t>(0);
	info += '\x08';
	for (const char what : {'\1', '\2'}) {
		info += what;
		info.number<std::uint32_t>(0).number<std::uint64_t>(code_at);
		info.number<std::uint64_t>(32);
	}
	info += '\0';
	elf_builder e;
	e.add(code_section());
	e.add({".debug_abbrev", SHT_PROGBITS, abbreviations});
	e.add({".debug_info", SHT_PROGBITS, info});
	return e.add({".gnu_debugaltlink", SHT_PROGBITS,
	    blob().text(alternate) + std::string(20, '\x77')});
}

// FIFOs, and devices as /dev/null is one: to open a device may start something.
constexpr mode_t no_files[] = {S_IFIFO, S_IFCHR};

// False: devices can only be made with CAP_MKNOD.
bool
makes(mode_t kind, const std::string &path)
{
	if (mknod(path.c_str(), kind | 0600, makedev(1, 3)) == 0)
		return true;
	BOOST_REQUIRE(errno == EPERM);
	BOOST_TEST_MESSAGE("not run: no devices can be made");
	return false;
}

// A program with split debug information, built in a directory of its own.
struct split_program {
	lib::scratch		dir;
	std::string		path = dir / "levels";

	split_program()
	{
		BOOST_REQUIRE(std::system(fmt::format("cd '{}' && " CXX
		    " -O2 -gdwarf-5 -gsplit-dwarf -o levels " LEVELS
		    " >log 2>&1", dir / "").c_str()) == 0);
		BOOST_REQUIRE(fs::exists(split()));
	}
	std::string
	split() const
	{
		for (const auto &e : fs::directory_iterator(dir / ""))
			if (e.path().extension() == ".dwo")
				return e.path();
		return dir / "none";
	}
	std::uint64_t
	address(const std::string &symbol) const
	{
		const auto f = opened(path);
		for (std::uint64_t a = 0x1000; a < 0x4000; a++)
			if (name_at(*f, a) == symbol)
				return a;
		return 0;
	}
};

} // namespace

BOOST_AUTO_TEST_SUITE(debug_files, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(an_alternate_file_that_is_none_is_never_opened,
    *description("A file that another file names is opened only if it is a "
    "regular file."))
{
	for (const mode_t kind : no_files) {
		const counted left(left_out::debug_files);
		const lib::scratch dir;
		const std::string none = dir / "none";
		if (!makes(kind, none))
			continue;
		const opening_watch watch(none);
		hostile h(named_elsewhere(none));
		BOOST_TEST(h.line(code_at) == " :0");
		BOOST_TEST(!watch.opened());
		BOOST_TEST(left.now() == 1u);
	}
}

// libdw would look for it again, at each name.
BOOST_AUTO_TEST_CASE(another_alternate_file_is_opened_once)
{
	const lib::scratch dir;
	const std::string other = dir / "other";
	elf_builder().add(code_section()).write(other);
	hostile h(named_elsewhere(other));
	h.line(code_at);
	const opening_watch watch(other);
	for (std::uint64_t n = 1; n < 8; n++)
		BOOST_TEST(h.line(code_at + n) == " :0");
	BOOST_TEST(!watch.opened());
}

BOOST_AUTO_TEST_CASE(a_split_file_has_the_functions)
{
	const split_program p;
	const auto f = opened(p.path);
	const std::string line = line_at(*f, p.address("plain") + 1);
	BOOST_TEST(line.starts_with("plain "), line);
}

BOOST_AUTO_TEST_CASE(a_split_file_that_is_none_is_never_opened)
{
	const split_program p;
	const std::uint64_t plain = p.address("plain");
	const std::string split = p.split();
	for (const mode_t kind : no_files) {
		const counted left(left_out::debug_files);
		BOOST_REQUIRE(unlink(split.c_str()) == 0);
		if (!makes(kind, split))
			return;
		const opening_watch watch(split);
		const auto f = opened(p.path);
		const std::string line = line_at(*f, plain + 1);
		BOOST_TEST(line.find("levels.cc") != line.npos, line);
		BOOST_TEST(!line.starts_with("plain "), line);
		BOOST_TEST(!watch.opened());
		BOOST_TEST(left.now() >= 1u);
	}
}

BOOST_AUTO_TEST_CASE(a_split_file_may_shrink)
{
	const split_program p;
	const std::uint64_t plain = p.address("plain");
	const auto f = opened(p.path);
	const std::string line = line_at(*f, plain);
	std::ifstream maps("/proc/self/maps");
	for (std::string mapped; std::getline(maps, mapped);)
		BOOST_TEST(mapped.find(".dwo") == mapped.npos, mapped);
	BOOST_REQUIRE(truncate(p.split().c_str(), 0) == 0);
	for (std::uint64_t n = 1; n < 4; n++)
		BOOST_TEST(line_at(*f, plain + n).starts_with("plain "));
	BOOST_TEST(line.starts_with("plain "));
}

BOOST_AUTO_TEST_CASE(a_split_file_of_another_mount_namespace_is_not_ours)
{
	const split_program p;
	const std::uint64_t plain = p.address("plain");
	const auto f = opened(p.path);
	const opening_watch watch(p.split());
	fs::rename(p.path, p.dir / "elsewhere");
	BOOST_TEST(!line_at(*f, plain + 1).starts_with("plain "));
	BOOST_TEST(!watch.opened());
}

BOOST_AUTO_TEST_CASE(a_split_file_that_is_huge_is_left_out)
{
	const split_program p;
	const std::uint64_t plain = p.address("plain");
	const counted left(left_out::debug_files);
	BOOST_REQUIRE(truncate(p.split().c_str(), 200 * MiB) == 0);
	const auto f = opened(p.path);
	const cost since;
	BOOST_TEST(!line_at(*f, plain + 1).starts_with("plain "));
	BOOST_TEST(left.now() >= 1u);
	BOOST_TEST(since.bytes_read() < 8 * MiB);
}

BOOST_AUTO_TEST_CASE(a_linked_file_that_is_none_is_never_opened)
{
	for (const mode_t kind : no_files) {
		elf_builder e;
		hostile h(e.add(code_section()).add(link_to("none")));
		const counted left(left_out::debug_files);
		if (!makes(kind, h.dir / "none"))
			continue;
		const opening_watch watch(h.dir / "none");
		BOOST_TEST(h.name(code_at) == "");
		BOOST_TEST(h.line(code_at) == "");
		BOOST_TEST(!watch.opened());
		BOOST_TEST(left.now() == 2u);
	}
}

// Without build ids its checksum is computed.
BOOST_AUTO_TEST_CASE(a_linked_file_of_a_terabyte_is_not_summed_up,
    *description("A debug file whose checksum is computed may have 1 GiB."))
{
	elf_builder e, other;
	hostile h(e.add(code_section()).add(link_to("huge")));
	const counted left(left_out::debug_files);
	other.add(code_section()).function("function", code_at);
	other.write(h.dir / "huge");
	BOOST_REQUIRE(truncate((h.dir / "huge").c_str(), 1024 * GiB) == 0);
	BOOST_TEST(h.name(code_at) == "");
	BOOST_TEST(left.now() == 1u);
	h.is_cheap();
}

BOOST_AUTO_TEST_CASE(small_sections_that_are_large_are_not_read)
{
	elf_builder e, other;
	hostile h(e.add(code_section()).add(link_to("other", 3 * GiB)));
	other.add(code_section()).function("function", code_at);
	other.add({".note.gnu.build-id", SHT_NOTE, "", 0, 3 * GiB});
	other.write(h.dir / "other");
	BOOST_TEST(h.name(code_at) == "");
	h.is_cheap();
	hostile g(elf_builder().add(code_section()).add(link_to("other")));
	other.write(g.dir / "other");
	BOOST_TEST(g.name(code_at) == "");
	g.is_cheap();
}

BOOST_AUTO_TEST_SUITE_END()
