// Tests the file of a module: stripped, deleted, replaced, unloaded.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "core/seam/record.h"
#include "program.h"

using boost::unit_test::description;
namespace data = boost::unit_test::data;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(elf_files)

namespace {

// With each lookup, and of plugins with and without a build ID.
struct variant {
	const char	*name;
	finder		 find;
	const char	*suffix;

	std::string
	file(const char *kind) const
	{
		return fmt::format(FIXTURES "plugin_{}{}.so", kind, suffix);
	}
};
const variant variants[] = {
	{"elf_find_nowait", stack9::elf_find_nowait, ""},
	{"elf_find", stack9::elf_find, ""},
	{"elf_find_nowait, no build ID", stack9::elf_find_nowait, "_noid"},
	{"elf_find, no build ID", stack9::elf_find, "_noid"},
};

std::ostream &
operator<<(std::ostream &out, const variant &v)
{
	return out << v.name;
}

const std::string none = fmt::format("errno {}", ENOENT);

// Returns whether a mapped file can be opened without its name.
bool
may_open_mapped_files()
{
	for (const auto &e : fs::directory_iterator("/proc/self/map_files")) {
		const int fd = open(e.path().c_str(), O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return false;
		close(fd);
		return true;
	}
	return false;
}

// The name, where the file can be opened; if it cannot, the name or none, but
// no other name.
bool
is_or_says_so(const std::string &said, const std::string &name)
{
	return said == name || (said == none && !may_open_mapped_files());
}

} // namespace

BOOST_DATA_TEST_CASE(a_plugin, data::make(variants), v)
{
	const plugin p(v.file("old"));
	const std::uintptr_t pc = p.symbol("plugin_exported_old");
	stack9::symbol_name s;
	BOOST_REQUIRE(v.find(pc + 1, false, s) == 0);
	BOOST_TEST(s.name == "plugin_exported_old");
	BOOST_TEST(s.module == fmt::format("plugin_old{}.so", v.suffix));
	BOOST_TEST(text(v.find, p.call("plugin_static")) ==
	    "plugin_static_old+0x0");
}

BOOST_DATA_TEST_CASE(very_long_names_are_cut, data::make(variants), v)
{
	const plugin p(v.file("old"));
	stack9::symbol_name s;
	BOOST_REQUIRE(v.find(p.call("plugin_long"), false, s) == 0);
	BOOST_TEST(strlen(s.name) == stack9::name_max - 1);
	BOOST_TEST(strncmp(s.name, "long_long_", 10) == 0);
}

BOOST_DATA_TEST_CASE(stripped_it_never_gives_a_neighbours_name,
    data::make(variants), v)
{
	const plugin p(FIXTURES "plugin_stripped.so");
	BOOST_TEST(text(v.find, p.symbol("plugin_exported_old")) ==
	    "plugin_exported_old+0x0");
	BOOST_TEST(text(v.find, p.call("plugin_static")) == none);
}

BOOST_DATA_TEST_CASE(unloaded_it_has_no_names, data::make(variants), v)
{
	std::uintptr_t pc;
	{
		const plugin p(v.file("old"));
		pc = p.symbol("plugin_exported_old");
		BOOST_TEST(text(v.find, pc) == "plugin_exported_old+0x0");
	}
	BOOST_TEST(text(v.find, pc) == none);
}

BOOST_DATA_TEST_CASE(another_at_the_same_path_and_address_has_its_own_names,
    data::make(variants), v)
{
	const lib::scratch dir;
	std::uintptr_t before = 0;
	int same_address = 0;
	for (int i = 0; i < 20; i++) {
		const char *kind = i % 2 == 0 ? "old" : "new";
		const auto name = fmt::format("plugin_exported_{}", kind);
		put_file(v.file(kind), dir / "p.so");
		const plugin p(dir / "p.so");
		const std::uintptr_t pc = p.symbol(name.c_str());
		BOOST_TEST(text(v.find, pc) == name + "+0x0");
		BOOST_TEST(text(v.find, p.call("plugin_static")) ==
		    fmt::format("plugin_static_{}+0x0", kind));
		same_address += pc == before;
		before = pc;
	}
	BOOST_TEST(same_address > 0);
}

BOOST_DATA_TEST_CASE(a_deleted_file_still_names_or_says_so,
    data::make(variants), v)
{
	const lib::scratch dir;
	put_file(v.file("old"), dir / "p.so");
	const plugin p(dir / "p.so");
	fs::remove(dir / "p.so");
	const std::string said = text(v.find, p.symbol("plugin_exported_old"));
	BOOST_TEST(is_or_says_so(said, "plugin_exported_old+0x0"), said);
}

BOOST_DATA_TEST_CASE(a_replaced_file_gives_no_names_of_the_new_one,
    data::make(variants), v)
{
	const lib::scratch dir;
	put_file(v.file("old"), dir / "p.so");
	const plugin p(dir / "p.so");
	put_file(v.file("new"), dir / "p.so");
	const std::string said = text(v.find, p.symbol("plugin_exported_old"));
	BOOST_TEST(is_or_says_so(said, "plugin_exported_old+0x0"), said);
}

BOOST_DATA_TEST_CASE(a_fifo_of_that_name_blocks_nobody, data::make(variants), v)
{
	const lib::scratch dir;
	put_file(v.file("old"), dir / "p.so");
	const plugin p(dir / "p.so");
	fs::remove(dir / "p.so");
	BOOST_REQUIRE(mkfifo((dir / "p.so").c_str(), 0600) == 0);
	const std::string said = text(v.find, p.symbol("plugin_exported_old"));
	BOOST_TEST(is_or_says_so(said, "plugin_exported_old+0x0"), said);
}

BOOST_DATA_TEST_CASE(a_module_of_another_namespace, data::make(variants), v)
{
	void *h = dlmopen(LM_ID_NEWLM, v.file("old").c_str(), RTLD_NOW);
	if (h == nullptr) {
		BOOST_TEST_MESSAGE("no dlmopen here: " << dlerror());
		return;
	}
	const auto pc =
	    reinterpret_cast<std::uintptr_t>(dlsym(h, "plugin_exported_old"));
	BOOST_TEST(text(v.find, pc) == "plugin_exported_old+0x0");
	dlclose(h);
}

BOOST_AUTO_TEST_SUITE_END()
